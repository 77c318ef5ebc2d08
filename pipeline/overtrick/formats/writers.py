"""The writers of PBN and LIN under the signature that all writers share."""

import polars as pl

from overtrick.formats.base import Written
from overtrick.formats.lin import write as lin
from overtrick.formats.pbn import write as pbn
from overtrick.frames import Session


def write_pbn(session: Session) -> Written:
    """Keep a single PBN file as it was read; write anything else in export form."""
    if session.sources.height > 1 or not (session.sources["format"] == "pbn").any():
        return export_pbn(session)
    return Written(pbn.write_pbn(session).encode(session.sources["encoding"][0] or "utf-8"))


def export_pbn(session: Session) -> Written:
    """Write a session in the export form of PBN."""
    written = pbn.export_pbn(pbn.as_pbn(session))
    return Written(written.text.encode("latin-1"), pl.concat([pbn.lin_losses(session), written.problems]))


def write_lin(session: Session) -> Written:
    """Keep a single LIN file as it was read; write anything else from its records."""
    written = lin.write_lin(session)
    return Written(written.content, written.problems)
