"""USEBIO 1.2, the XML in which national bodies take results for masterpoints; `parse.usebio` reads it again.

Elements stand in the order in which the programs of British clubs write them, since the DTD fixes it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import polars as pl
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from overtrick import __version__
from overtrick.bridge.boards import board_vulnerability
from overtrick.bridge.cards import SEAT_NAMES, is_complete
from overtrick.frames import Session
from overtrick.order import natural
from overtrick.problems import found
from overtrick.render.rows import contract_text
from overtrick.render.text import clean
from overtrick.resources import resource

Cells = list[tuple[str, str]]
"""Elements and their text, in order."""

_UNKNOWN: Final = "?"
_BETWEEN_NAMES: Final = " - "
_BETWEEN_PLAYERS: Final = "+"
_BY_LETTER: Final = {"A+": "60%", "A": "50%", "A-": "40%"}
_SUITS_UP: Final = ("CLUBS", "DIAMONDS", "HEARTS", "SPADES")
_POINTS: Final = {"matchpoints": "MATCH_POINTS", "butler": "BUTLER_POINTS", "cross-imps": "CROSS_IMP_POINTS"}
_METHODS: Final = {"matchpoints": "MATCH_POINTS", "butler": "BUTLER_IMPS", "cross-imps": "CROSS_IMPS"}
_TYPES: Final = {"butler": "BUTLER_PAIRS", "cross-imps": "CROSS_IMPS", "aggregate": "AGGREGATE"}


@dataclass(frozen=True)
class WrittenUsebio:
    """A file's text, and a problem for what the format can't hold."""

    text: str
    problems: pl.DataFrame


def write_usebio(session: Session) -> WrittenUsebio:
    """Write a scored session: the event, its participants with totals and places, every result, and the hands."""
    results = _held(session.results)
    individual = _individual(results)
    sections = sorted(results["section"].unique().to_list(), key=natural) or [None]
    text = _template().render(
        club=_filled([("CLUB_NAME", session.facts.site)]),
        event_type="INDIVIDUAL" if individual else _TYPES.get(session.facts.method or "", "PAIRS"),
        event=_event(session, len(sections)),
        sections=[
            {
                "name": None if section is None else clean(section),
                "participants": _participants(session, section, individual=individual, alone=len(sections) == 1),
                "boards": _boards(results.filter(pl.col("section").eq_missing(section)), session.facts.method),
            }
            for section in sections
        ],
        hands=_hands(session.records),
    )
    return WrittenUsebio(text, _problems(session, results))


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


def _template() -> Any:  # noqa: ANN401 - jinja2 gives no type of its own
    return _environment().get_template("usebio.xml.j2")


def _held(results: pl.DataFrame) -> pl.DataFrame:
    """Keep what the format has a line for: results of a numbered board, as many times as tables share them."""
    held = results.filter(pl.col("board").is_not_null(), ~pl.col("status").is_in(["not played", "bye"]))
    copies = pl.col("multiplicity").fill_null(1).clip(1, 1000)
    repeated = held.select(pl.all().repeat_by(copies).explode()) if len(held) else held
    return repeated.sort("section", "board", maintain_order=True, nulls_last=True)


def _individual(results: pl.DataFrame) -> bool:
    both = pl.col("ns").str.contains(_BETWEEN_PLAYERS, literal=True) & pl.col("ew").str.contains(
        _BETWEEN_PLAYERS, literal=True
    )
    return len(results) > 0 and bool(results.select(both.fill_null(value=False).all()).item())


def _event(session: Session, sections: int) -> Cells:
    facts = session.facts
    rankings = session.standings["ranking"].unique()
    winners = "2" if any(str(name).endswith(("NS", "EW")) for name in rankings) else "1"
    return _filled(
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


def _participants(session: Session, section: str | None, *, individual: bool, alone: bool) -> list[dict[str, Any]]:
    """List the contestants of a section, the ranked ones first."""
    listed = session.contestants
    ranked = session.standings
    if not alone:
        listed = listed.filter(pl.col("section").eq_missing(section))
        prefix = pl.col("ranking").str.starts_with(f"{section} ")
        ranked = ranked.filter(pl.col("section").eq_missing(section) | (pl.col("section").is_null() & prefix))
    known = {(row["contestant"], row["direction"]): row for row in listed.iter_rows(named=True)}
    rows: list[Mapping[str, Any]] = [] if individual else list(ranked.iter_rows(named=True))
    seen = {(row["contestant"], row["direction"]) for row in rows}
    numbers = {row["contestant"] for row in rows}
    others = [row for key, row in known.items() if key not in seen and (key[0] not in numbers or key[1] is not None)]
    merged = [(row, _of(row, known)) for row in rows]
    merged += [(row, row) for row in others if not _is_covered(row, rows)]
    kind = "PLAYER" if individual else "PAIR"
    return [_participant(kind, row, about) for row, about in merged]


def _of(row: Mapping[str, Any], known: Mapping[tuple[str, str | None], Mapping[str, Any]]) -> Mapping[str, Any]:
    """Find what is known of a contestant that was ranked: under its direction, else under its number alone."""
    number, direction = row["contestant"], row["direction"]
    if (number, direction) in known:
        return known[number, direction]
    found_rows = [about for (contestant, _), about in known.items() if contestant == number]
    return found_rows[0] if len(found_rows) == 1 else {}


def _is_covered(row: Mapping[str, Any], ranked: Iterable[Mapping[str, Any]]) -> bool:
    """Say whether a listed contestant was ranked, in its direction or without one."""
    return any(
        other["contestant"] == row["contestant"] and other["direction"] in {None, row["direction"]} for other in ranked
    )


def _participant(kind: str, row: Mapping[str, Any], about: Mapping[str, Any]) -> dict[str, Any]:
    names = _split(about.get("names") or row.get("names"))
    members = _split(about.get("members"))
    people = [
        _filled([("PLAYER_NAME", None if name == _UNKNOWN else name), ("NATIONAL_ID_NUMBER", member)])
        for name, member in zip(names or [""] * len(members), members or [""] * len(names), strict=False)
    ]
    tied = row.get("rank_last") is not None and row["rank_last"] > row["rank"]
    place = row.get("rank", row.get("stated_rank"))
    cells = [
        (f"{kind}_NUMBER", row["contestant"]),
        ("DIRECTION", row.get("direction") or about.get("direction")),
        ("TOTAL_SCORE", _number(row.get("total", row.get("stated_total")))),
        ("PERCENTAGE", _number(row.get("percentage", row.get("stated_percentage")))),
        ("PLACE", None if place is None else f"{place}{'=' if tied else ''}"),
    ]
    if kind == "PLAYER":
        return {"kind": kind, "about": _filled(cells) + [cell for person in people for cell in person], "players": []}
    return {"kind": kind, "about": _filled(cells), "players": [person for person in people if person]}


def _split(joined: str | None) -> list[str]:
    return joined.split(_BETWEEN_NAMES) if joined else []


def _boards(results: pl.DataFrame, method: str | None) -> list[dict[str, Any]]:
    """List the boards of a section with the lines of their tables."""
    rows = results.with_columns(
        contract_text().alias("contract"), pl.col("declarer").cast(pl.String), pl.col("status").cast(pl.String)
    )
    boards = []
    for (number,), lines in rows.group_by("board", maintain_order=True):
        datum = lines["datum"].drop_nulls().first()
        about = _filled([("BOARD_NUMBER", str(number)), ("BOARD_AVERAGE", None if datum is None else str(datum))])
        boards.append({"about": about, "lines": [_line(row, method) for row in lines.iter_rows(named=True)]})
    return boards


def _line(row: Mapping[str, Any], method: str | None) -> Cells:
    contract = row["contract"]
    kind = _POINTS.get(method or "")
    earned = [(f"{side}_{kind}", _number(row[f"points_{side.lower()}"])) for side in ("NS", "EW")] if kind else []
    return _who(row) + _filled(
        [
            ("ROUND_NUMBER", row["round"]),
            ("TABLE_NUMBER", row["table"]),
            ("CONTRACT", "PASS" if contract == "Pass" else contract),
            ("PLAYED_BY", row["declarer"]),
            ("LEAD", row["lead"][::-1] if row["lead"] else None),
            ("TRICKS", None if row["tricks"] is None else str(row["tricks"])),
            ("SCORE", _score(row)),
            *earned,
        ]
    )


def _who(row: Mapping[str, Any]) -> Cells:
    sides = [(side, row[side.lower()] or "") for side in ("NS", "EW")]
    if all(_BETWEEN_PLAYERS in who for _, who in sides):
        players = [
            (f"{seat}_PLAYER_NUMBER", player)
            for side, who in sides
            for seat, player in zip(side, who.split(_BETWEEN_PLAYERS, 1), strict=True)
        ]
        return _filled(players)
    return _filled([(f"{side}_PAIR_NUMBER", who) for side, who in sides])


def _score(row: Mapping[str, Any]) -> str | None:
    """Write points for N-S, or `A6040` for an artificial score."""
    awards = [row["award_ns"], row["award_ew"]]
    if row["status"] == "adjusted" and all(awards):
        return "A" + "".join(f"{round(float(_BY_LETTER.get(award, award).rstrip('%'))):02}" for award in awards)
    return None if row["score_ns"] is None else str(row["score_ns"])


def _hands(records: pl.DataFrame) -> list[tuple[int, list[Cells]]]:
    """List the complete deals by board number, each seat's suits from the clubs up."""
    dealt = records.filter(is_complete(records["deal"]), pl.col("board").is_not_null())
    once = dealt.unique("board", keep="first", maintain_order=True).sort("board")
    return [
        (
            board,
            [
                [("DIRECTION", seat), *zip(_SUITS_UP, reversed(hand.split(".")), strict=True)]
                for seat, hand in zip(SEAT_NAMES, deal[2:].split(" "), strict=True)
            ],
        )
        for board, deal in once.select("board", "deal").iter_rows()
    ]


def _number(value: float | None) -> str | None:
    return None if value is None else f"{value:.4f}".rstrip("0").rstrip(".")


def _filled(cells: Iterable[tuple[str, str | None]]) -> Cells:
    """Leave out what is not known, and make the rest fit for XML."""
    return [(name, text) for name, value in cells if (text := clean(value))]


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
            found("usebio-not-written", counted),
            found("usebio-award-written", adjusted),
            found("usebio-vulnerability", other.unique("board", keep="first", maintain_order=True).drop("table")),
        ]
    )
