"""Writing LIN, the format of Bridge Base Online: as it was read, or from the records of a session."""

from dataclasses import dataclass, replace

import polars as pl

from overtrick.formats.lin.write.boards import bodies
from overtrick.formats.lin.write.keep import keep_lin
from overtrick.formats.lin.write.losses import losses
from overtrick.formats.lin.write.sessions import sessions
from overtrick.frames import PROBLEMS, Session, empty

__all__ = ["Lin", "write_lin"]

_KEPT = ("lin", "lin links")


@dataclass(frozen=True)
class Lin:
    """A LIN file."""

    content: bytes
    problems: pl.DataFrame
    """`frames.PROBLEMS`: what LIN can't hold."""


def write_lin(session: Session) -> Lin:
    """Write a session as LIN.

    One file that was LIN, and was not corrected, is kept as it was read. Anything else is written from its records:
    deals as they are uploaded, boards a line each, matches and what has an event below a header with its list of
    results; UTF-8, lines end in CRLF.
    """
    corrected = session.corrections["applied"].any()
    if session.sources.height == 1 and session.sources["format"].is_in(_KEPT).all() and not corrected:
        return Lin(keep_lin(session), empty(PROBLEMS))
    session = replace(session, records=session.records.sort("record"))
    below = bodies(session)
    written = sessions(session.records.join(below.frame, on="record", how="left", maintain_order="left"))
    problems = pl.concat([losses(session, written.headed), below.problems, written.problems])
    return Lin(written.text.replace("\n", "\r\n").encode(), problems)
