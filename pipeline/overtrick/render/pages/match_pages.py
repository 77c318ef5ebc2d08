"""Matches of teams, round by round, and the score sheets of rubber-type games."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import polars as pl

from overtrick.frames import Session
from overtrick.notation import clean
from overtrick.render.display import format_number
from overtrick.render.pages.contestants import ContestantRef, Contestants
from overtrick.render.pages.result_lines import PointsForm

_PLACE: Final = ("section", "round")
_SHEET: Final = ("section", "round", "table", "ns", "ew", "sheet")


@dataclass(frozen=True)
class MatchRow:
    """A match of two teams."""

    team: ContestantRef
    opponents: ContestantRef
    boards: str
    points: str
    points_opponents: str
    victory_points: str
    """Empty without a scale; so is `victory_points_opponents`."""
    victory_points_opponents: str


@dataclass(frozen=True)
class MatchRound:
    """The matches of one round."""

    title: str
    """`Section A, Round 3`; empty where the files name neither."""
    rows: tuple[MatchRow, ...]


@dataclass(frozen=True)
class SheetEntry:
    """One line of a score sheet; three of the four columns are empty."""

    deal: str
    kind: str
    """What it is for, as in `bridge.sheets.Kind`."""
    above_ns: str
    below_ns: str
    above_ew: str
    below_ew: str
    new_game: bool
    """Whether a new game begins here; a rule is drawn above the line."""


@dataclass(frozen=True)
class Sheet:
    """The score sheet of a rubber, a round of Chicago or a match of four hands."""

    title: str
    ns: ContestantRef
    ew: ContestantRef
    entries: tuple[SheetEntry, ...]
    total_ns: str
    total_ew: str


def make_match_rounds(session: Session, contestants: Contestants, form: PointsForm) -> tuple[MatchRound, ...]:
    """Make the matches of a session, round by round."""
    rounds = []
    for place, rows in session.matches.group_by(_PLACE, maintain_order=True):
        title = _compose_title(dict(zip(_PLACE, place, strict=True)))
        rounds.append(
            MatchRound(title, tuple(_make_match(row, contestants, form) for row in rows.iter_rows(named=True)))
        )
    return tuple(rounds)


def _make_match(row: Mapping[str, Any], contestants: Contestants, form: PointsForm) -> MatchRow:
    team, opponents = (contestants.find(row[name], None, row["section"]) for name in ("team", "opponents"))
    return MatchRow(
        team=contestants.link(team),
        opponents=contestants.link(opponents),
        boards=str(row["boards"] or ""),
        points=form.points(row["points"]),
        points_opponents=form.points(row["points_opponents"]),
        victory_points=_format_victory_points(row["victory_points"]),
        victory_points_opponents=_format_victory_points(row["victory_points_opponents"]),
    )


def _format_victory_points(points: int | None) -> str:
    return "" if points is None else format_number(points / 100, 0 if points % 100 == 0 else 2)


def make_score_sheets(session: Session, contestants: Contestants) -> tuple[Sheet, ...]:
    """Make the score sheets, with the total of each side."""
    frame = session.sheets
    sheets = []
    for place, rows in frame.group_by(_SHEET, maintain_order=True):
        about: dict[str, Any] = dict(zip(_SHEET, place, strict=True))
        ns, ew = (contestants.find(about[side.lower()], side, about["section"]) for side in ("NS", "EW"))
        sums = {
            side: int(rows.filter(pl.col("direction").cast(pl.String) == side)["points"].sum()) for side in ("NS", "EW")
        }
        sheets.append(
            Sheet(
                title=_compose_title(about),
                ns=contestants.link(ns),
                ew=contestants.link(ew),
                entries=_make_entries(rows),
                total_ns=format_number(sums["NS"]),
                total_ew=format_number(sums["EW"]),
            )
        )
    return tuple(sheets)


def _make_entries(rows: pl.DataFrame) -> tuple[SheetEntry, ...]:
    entries = []
    game = rows["game"][0]
    for row in rows.iter_rows(named=True):
        columns = dict.fromkeys(("above_ns", "below_ns", "above_ew", "below_ew"), "")
        columns[f"{'below' if row['below'] else 'above'}_{str(row['direction']).lower()}"] = format_number(
            row["points"]
        )
        new = row["game"] != game
        entries.append(SheetEntry(deal=str(row["deal"] or ""), kind=clean(row["kind"]), **columns, new_game=new))
        game = row["game"]
    return tuple(entries)


def _compose_title(about: Mapping[str, object]) -> str:
    """Return the title of a round or a sheet, as far as the file names section, round, table and sheet."""
    names = ("section", "round", "table", "sheet")
    known = [f"{name.capitalize()} {clean(str(about[name]))}" for name in names if about.get(name) is not None]
    return ", ".join(known)
