"""The parts of a session that a file can hold: which of them a session has, and which a format leaves out."""

from collections.abc import Collection
from typing import Final

import polars as pl

from overtrick.core.frames import PLAYED, Problems, Session
from overtrick.core.problems import report
from overtrick.files.formats.base import Written
from overtrick.files.formats.form import PARTS, Format

_NO_RESULTS: Final = "lin-results-not-written"
"""The problem of a LIN file that has room for the deals of a session and not for its tables of results."""
_DEALS: Final = ("deals", "auctions", "plays")


def count_parts(session: Session) -> dict[str, int]:
    """Return the parts that a session has, in the order of `form.PARTS`, each with the number of values in it."""
    records, results = session.records, session.results
    played = results.filter(pl.col("status").cast(pl.String).is_in(PLAYED))
    tables = session.double_dummy.filter(pl.col("origin") == "stated")["tricks"]
    carried = records.select(pl.col("home_carry", "visit_carry").fill_null(0) != 0)
    counts = {
        "deals": records.select(pl.struct("board", "deal").filter(pl.col("deal").is_not_null()).n_unique()).item(),
        "auctions": (records["calls"].list.len() > 0).sum(),
        "plays": (records["cards"].list.len() > 0).sum(),
        "comments": session.annotations.height,
        "double-dummy tables": tables.count(),
        "event, place and date": sum(records[name].drop_nulls().n_unique() for name in ("event", "date", "site")),
        "results": played.height,
        "contracts": played["level"].count(),
        "leads": played["lead"].count(),
        "rounds": results["round"].drop_nulls().n_unique(),
        "tables": results["table"].drop_nulls().n_unique(),
        "sections": results["section"].drop_nulls().n_unique(),
        "adjusted scores": (results["status"].cast(pl.String) == "adjusted").sum(),
        "split and weighted scores": results["split_score"].count() + results["weights"].count(),
        "names": (session.contestants["names"] != session.contestants["contestant"]).sum(),
        "membership numbers": session.contestants["members"].count(),
        "teams": pl.concat([results["team_ns"], results["team_ew"]]).drop_nulls().n_unique(),
        "carry-overs": sum(column.sum() for column in (*carried, session.contestants["stated_adjustment"] != 0)),
        "the players of an individual": results["player_n"].count(),
    }
    return {part: counts[part] for part in PARTS if counts[part]}


def report_left_out(session: Session, title: str, carries: Collection[str]) -> Problems:
    """Report in one note the parts of a session that a format cannot store."""
    lost = [f"{part} ({count})" for part, count in count_parts(session).items() if part not in carries]
    words = " and ".join([", ".join(lost[:-1]), lost[-1]] if len(lost) > 1 else lost)
    return report("format-not-written/parts", pl.DataFrame({"title": [title], "what": [words]} if lost else {}))


def write_session(session: Session, form: Format, *, export: bool = False) -> Written:
    """Write a session in a format; the problems name all that it cannot store.

    Raises:
        ValueError: the format cannot be written.
    """
    write = form.export if export else form.write
    if write is None:
        raise ValueError(f"{form.title} cannot be written")
    written: Written = write(session)
    carries = _carries(session, form, written, export=export)
    return Written(written.content, pl.concat([written.problems, report_left_out(session, form.title, carries)]))


def _carries(session: Session, form: Format, written: Written, *, export: bool) -> Collection[str]:
    """Return the parts that this file of the format carries, which can be fewer than the format can hold."""
    if _NO_RESULTS in written.problems["code"]:
        return _DEALS
    as_read = session.sources["format"].eq_missing(form.name).any() and not export
    return form.holds if form.export is None or as_read else set(form.carries) - {"membership numbers"}
