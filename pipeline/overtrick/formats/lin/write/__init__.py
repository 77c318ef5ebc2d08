"""Writing LIN, the format of Bridge Base Online: as it was read, or from the records of a session."""

from dataclasses import replace

import polars as pl

from overtrick.formats.base import Written
from overtrick.formats.lin.write.board_lines import write_bodies
from overtrick.formats.lin.write.keep import keep_lin
from overtrick.formats.lin.write.losses import report_losses
from overtrick.formats.lin.write.sessions import write_sessions
from overtrick.formats.lin.write.travellers import spread_results
from overtrick.frames import Session

_KEPT = ("lin", "lin links")


def write_lin(session: Session) -> Written:
    """Write a session as LIN.

    A single file that was read as LIN, and not corrected, is kept as it was. Anything else is written from its records
    and results: deals in the shape in which they are uploaded, boards a line each; matches, boards of an event and
    results of travellers below a header with their list of results. The text is UTF-8, and its lines end in CRLF.
    """
    corrected = session.corrections["applied"].any()
    if session.sources.height == 1 and session.sources["format"].is_in(_KEPT).all() and not corrected:
        return Written(keep_lin(session))
    session = replace(session, records=session.records.sort("record"))
    spread, own = spread_results(session)
    bodies = write_bodies(spread)
    records = spread.records.join(bodies.frame, on="record", how="left", maintain_order="left")
    written = write_sessions(records.join(own, on="record", how="left", maintain_order="left"))
    problems = pl.concat([report_losses(session, written.headed, own), bodies.problems, written.problems])
    return Written(written.text.replace("\n", "\r\n").encode(), problems)
