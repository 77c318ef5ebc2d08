"""The parts of a session that a file can hold: which of them a session has, and which a format leaves out."""

from collections.abc import Collection
from typing import Final

import polars as pl

from overtrick.core.frames import Problems, Session
from overtrick.core.problems import report
from overtrick.files.formats.base import Written
from overtrick.files.formats.form import PARTS, Format

_PLAYED: Final = ("played", "passed")
_NO_RESULTS: Final = "lin-results-not-written"
"""The problem of a LIN file that has room for the deals of a session and not for its tables of results."""
_DEALS: Final = ("deals", "auctions", "plays")


def list_parts(session: Session) -> list[str]:
    """Return the parts that a session has, in the order of `form.PARTS`."""
    records, results = session.records, session.results
    played = results.filter(pl.col("status").cast(pl.String).is_in(_PLAYED))
    has = {
        "deals": _any(records["deal"]),
        "auctions": bool((records["calls"].list.len() > 0).any()),
        "plays": bool((records["cards"].list.len() > 0).any()),
        "double-dummy tables": _any(session.double_dummy.filter(pl.col("origin") == "stated")["tricks"]),
        "event, place and date": any(map(_any, (records["event"], records["date"], records["site"]))),
        "results": played.height > 0,
        "contracts": _any(played["level"]),
        "leads": _any(played["lead"]),
        "rounds": _any(results["round"]),
        "tables": _any(results["table"]),
        "sections": _any(results["section"]),
        "adjusted scores": bool((results["status"].cast(pl.String) == "adjusted").any()),
        "split and weighted scores": _any(results["split_score"]) or _any(results["weights"]),
        "names": bool((session.contestants["names"] != session.contestants["contestant"]).any()),
        "membership numbers": _any(session.contestants["members"]),
        "teams": _any(results["team_ns"]),
        "carry-overs": bool((records["home_carry", "visit_carry"].fill_null(0) != 0).to_numpy().any()),
        "the players of an individual": _any(results["player_n"]),
    }
    return [part for part in PARTS if has[part]]


def report_left_out(session: Session, title: str, carries: Collection[str]) -> Problems:
    """Report in one note the parts of a session that a format cannot store."""
    lost = [part for part in list_parts(session) if part not in carries]
    return report("format-not-written", pl.DataFrame({"title": [title], "what": [_listed(lost)]} if lost else {}))


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
    if form.writes:
        return form.writes
    return form.carries if form.export is None or as_read else set(form.carries) - {"membership numbers"}


def _any(values: pl.Series) -> bool:
    return values.null_count() < len(values)


def _listed(words: list[str]) -> str:
    """Return words as people list them: `deals, auctions and plays`."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
