"""Writing Portable Bridge Notation: as it was read, in the strict export form, or with the scores of a session."""

import polars as pl

from overtrick.core.frames import Session
from overtrick.files.formats.base import Written
from overtrick.files.formats.pbn.write.export import export_games, export_text, text_again, text_as_read
from overtrick.files.formats.pbn.write.scored import add_awards, add_tables, restate, seat_teams
from overtrick.files.formats.pbn.write.sections import as_pbn, report_lin_losses

__all__ = ["as_pbn", "export_games", "export_pbn", "pbn_again", "scored_pbn", "write_pbn"]


def write_pbn(session: Session) -> Written:
    """Write a session: a single PBN file as it was read, in its own encoding, anything else in export form.

    A file that was corrected is not as it was read.
    """
    if session.sources["format"].to_list() != ["pbn"] or session.corrections["applied"].any():
        return export_pbn(session)
    return Written(text_as_read(session).encode(session.sources["encoding"][0] or "utf-8"))


def export_pbn(session: Session) -> Written:
    """Write a session in the strict export form (PBN 2.1), in ISO 8859-1.

    Nothing that the form or PBN cannot hold is lost without a problem.
    """
    text, problems = export_text(add_awards(restate(as_pbn(*seat_teams(session)))))
    return Written(text.encode("latin-1"), pl.concat([report_lin_losses(session), problems]))


def scored_pbn(session: Session) -> Written:
    """Write a scored and ranked session in export form, with the score table of each board and the totals.

    These replace the tables that were read. A deal that is solved gets its tricks and its par.
    """
    text, problems = export_text(add_tables(restate(as_pbn(session))))
    return Written(text.encode("latin-1"), problems)


def pbn_again(session: Session) -> Written:
    """Write a file again from its rows in an archive (`archive.tables.as_stated`), in UTF-8.

    Reading it gives the same records, annotations and results but for their places.
    """
    return Written(text_again(session).encode())
