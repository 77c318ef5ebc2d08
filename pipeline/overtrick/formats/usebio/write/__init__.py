"""USEBIO 1.2, the XML in which national bodies take results for masterpoints; `parse.usebio` reads it again.

Elements stand in the order in which the programs of British clubs write them, since the DTD fixes it.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import polars as pl
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from overtrick import __version__
from overtrick.bridge.boards import board_vulnerability
from overtrick.formats.usebio.write.boards import boards, hands, matches
from overtrick.formats.usebio.write.cells import Cells, filled
from overtrick.formats.usebio.write.participants import Kind, participants
from overtrick.frames import Session
from overtrick.machine import resource
from overtrick.notation import clean, natural
from overtrick.problems import report

_METHODS: Final = {
    "matchpoints": "MATCH_POINTS",
    "butler": "BUTLER_IMPS",
    "cross-imps": "CROSS_IMPS",
    "teams": "IMPS",
    "bam": "PAB",
    "aggregate": "AGGREGATE",
}
_TYPES: Final = {"butler": "BUTLER_PAIRS", "cross-imps": "CROSS_IMPS", "aggregate": "AGGREGATE"}
_MOST_COPIES: Final = 1000
"""Of a line that tables share; more is a slip."""


@dataclass(frozen=True)
class WrittenUsebio:
    """A file's text, and a problem for what the format can't hold."""

    text: str
    problems: pl.DataFrame


def write_usebio(session: Session) -> WrittenUsebio:
    """Write a scored session: the event, its participants with totals and places, every result, and the hands."""
    results = _held(session.results)
    kind = _kind(results)
    sections: list[str | None] = sorted(results["section"].unique().to_list(), key=natural) or [None]
    text = (
        _environment()
        .get_template("usebio.xml.j2")
        .render(
            club=filled([("CLUB_NAME", session.facts.site)]),
            event_type=_event_type(results, kind, session.facts.method),
            event=_event(session, len(sections)),
            sections=[_section(session, results, section, kind, alone=len(sections) == 1) for section in sections],
            hands=hands(session.records),
        )
    )
    return WrittenUsebio(text, _problems(session, results))


def _section(
    session: Session, results: pl.DataFrame, section: str | None, kind: Kind, *, alone: bool
) -> dict[str, Any]:
    own = results.filter(pl.col("section").eq_missing(section))
    return {
        "name": None if section is None else clean(section),
        "participants": participants(session, section, kind, alone=alone),
        "matches": matches(own, session.facts.method),
        "boards": boards(own.filter(pl.col("team_ns").is_null() | pl.col("team_ew").is_null()), session.facts.method),
    }


def _kind(results: pl.DataFrame) -> Kind:
    """Say what takes part: players where all sat alone, teams where any result is of a match, else pairs."""
    if len(results) and results["player_n"].null_count() == 0:
        return "PLAYER"
    return "TEAM" if results["team_ns"].is_not_null().any() else "PAIR"


def _event_type(results: pl.DataFrame, kind: Kind, method: str | None) -> str:
    if kind == "PLAYER":
        return "INDIVIDUAL"
    if kind == "TEAM":
        return "SWISS_TEAMS" if results["round"].n_unique() > 1 else "TEAMS"
    return _TYPES.get(method or "", "PAIRS")


@cache
def _environment() -> Environment:
    return Environment(
        loader=FileSystemLoader(resource("templates", "exchange")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
    )


def _held(results: pl.DataFrame) -> pl.DataFrame:
    """Keep what the format has a line for: results of a numbered board, as many times as tables share them."""
    held = results.filter(pl.col("board").is_not_null(), ~pl.col("status").is_in(["not played", "bye"]))
    copies = pl.col("multiplicity").fill_null(1).clip(1, _MOST_COPIES)
    repeated = held.select(pl.all().repeat_by(copies).explode()) if len(held) else held
    return repeated.sort("section", "board", maintain_order=True, nulls_last=True)


def _event(session: Session, sections: int) -> Cells:
    facts = session.facts
    rankings = session.standings["ranking"].unique()
    winners = "2" if any(str(name).endswith(("NS", "EW")) for name in rankings) else "1"
    return filled(
        [
            ("EVENT_DESCRIPTION", facts.event),
            ("PROGRAM_NAME", "overtrick"),
            ("PROGRAM_VERSION", __version__),
            ("WINNER_TYPE", winners if len(rankings) else None),
            ("TITLE", facts.event),
            ("DATE", _date(facts.date)),
            ("VENUE", facts.site),
            ("SESSION_COUNT", "1"),
            ("SECTION_COUNT", str(sections)),
            ("BOARD_SCORING_METHOD", _METHODS.get(facts.method or "")),
        ]
    )


def _date(date: str | None) -> str | None:
    """Write `2026.03.07` as Britons do; a date of another form as it is."""
    parts = (date or "").split(".")
    return "/".join(reversed(parts)) if len(parts) == 3 and all(part.isdecimal() for part in parts) else date


def _problems(session: Session, held: pl.DataFrame) -> pl.DataFrame:
    """Name what the format can't hold."""
    lost = session.results.filter(pl.col("board").is_null() | pl.col("status").is_in(["not played", "bye"]))
    counted = lost.group_by("source", maintain_order=True).agg(pl.len().alias("lines"))
    awards = [pl.col(f"award_{side}") for side in ("ns", "ew")]
    fraction = pl.any_horizontal(award.str.contains(r"\.\d*[1-9]") for award in awards)
    alone = awards[0].is_null() != awards[1].is_null()
    beyond = pl.any_horizontal(award == "100%" for award in awards)
    adjusted = held.filter((pl.col("status") == "adjusted") & (fraction | alone | beyond))
    other = held.filter(pl.col("vulnerable").cast(pl.String) != board_vulnerability(pl.col("board")))
    return pl.concat(
        [
            report("usebio-not-written", counted),
            report("usebio-award-written", adjusted),
            report("usebio-vulnerability", other.unique("board", keep="first", maintain_order=True).drop("table")),
        ]
    )
