"""Matches of teams, round by round, and score sheets of rubber-type games."""

from collections.abc import Mapping
from typing import Any, Final

import polars as pl

from overtrick.frames import Session
from overtrick.notation import clean
from overtrick.render.contestants import Contestants
from overtrick.render.context_summaries import MatchRound, MatchRow, Sheet, SheetEntry
from overtrick.render.lines import PointsForm
from overtrick.render.text import number

_PLACE: Final = ("section", "round")
_SHEET: Final = ("section", "round", "table", "ns", "ew", "sheet")


def match_rounds(session: Session, contestants: Contestants, form: PointsForm) -> tuple[MatchRound, ...]:
    """List the matches of a session by round."""
    rounds = []
    for place, rows in session.matches.group_by(_PLACE, maintain_order=True):
        title = _named(dict(zip(_PLACE, place, strict=True)))
        rounds.append(MatchRound(title, tuple(_match(row, contestants, form) for row in rows.iter_rows(named=True))))
    return tuple(rounds)


def _match(row: Mapping[str, Any], contestants: Contestants, form: PointsForm) -> MatchRow:
    team, opponents = (contestants.find(row[name], None, row["section"]) for name in ("team", "opponents"))
    return MatchRow(
        team=contestants.ref(team),
        opponents=contestants.ref(opponents),
        boards=str(row["boards"] or ""),
        points=form.points(row["points"]),
        points_opponents=form.points(row["points_opponents"]),
        victory_points=_hundredths(row["victory_points"]),
        victory_points_opponents=_hundredths(row["victory_points_opponents"]),
    )


def _hundredths(points: int | None) -> str:
    return "" if points is None else number(points / 100, 0 if points % 100 == 0 else 2)


def score_sheets(session: Session, contestants: Contestants) -> tuple[Sheet, ...]:
    """Write out the score sheets: each line in its column, with the sum of both sides."""
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
                title=_named(about),
                ns=contestants.ref(ns),
                ew=contestants.ref(ew),
                entries=_entries(rows),
                total_ns=number(sums["NS"]),
                total_ew=number(sums["EW"]),
            )
        )
    return tuple(sheets)


def _entries(rows: pl.DataFrame) -> tuple[SheetEntry, ...]:
    entries = []
    game = rows["game"][0]
    for row in rows.iter_rows(named=True):
        columns = dict.fromkeys(("above_ns", "below_ns", "above_ew", "below_ew"), "")
        columns[f"{'below' if row['below'] else 'above'}_{str(row['direction']).lower()}"] = number(row["points"])
        new = row["game"] != game
        entries.append(SheetEntry(deal=str(row["deal"] or ""), kind=clean(row["kind"]), **columns, new_game=new))
        game = row["game"]
    return tuple(entries)


def _named(about: Mapping[str, object]) -> str:
    """Name a round or a sheet by what the file says of it."""
    names = ("section", "round", "table", "sheet")
    known = [f"{name.capitalize()} {clean(str(about[name]))}" for name in names if about.get(name) is not None]
    return ", ".join(known)
