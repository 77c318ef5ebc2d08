"""Results as lines for display: each with its board, its marks and the texts that travellers and scorecards share."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import polars as pl

from overtrick.bridge.methods import USUAL, method_named
from overtrick.frames import Session
from overtrick.notation import clean
from overtrick.render.text import MINUS, number, places_needed, signed

Line = Mapping[str, Any]

_POINTS: Final = {"matchpoints": "MP", "boards": "MP", "IMPs": "IMP", "points": "Pts"}
_OUTCOME: Final = ("level", "strain", "doubled", "declarer", "tricks")
_REMARKS: Final = {"adjusted": "Adjusted", "bye": "Bye", "not played": "Not played", "unknown": "No result"}


@dataclass(frozen=True)
class PointsForm:
    """How a method's points are written: `MP`, `IMP` or `Pts`, with a sign or not, to so many decimal places."""

    name: str
    sign: bool
    places: int
    total_places: int
    total_sign: bool | None = None
    """Whether totals have a sign; as points have where that is not said."""

    def points(self, value: float | None) -> str:
        """Write the points of a line; empty for None."""
        return _text(value, self.places, sign=self.sign)

    def total(self, value: float | None) -> str:
        """Write a total; empty for None."""
        sign = self.sign if self.total_sign is None else self.total_sign
        return _text(value, self.total_places, sign=sign)

    def average(self, value: float) -> str:
        """Write a mean of points, to two places."""
        return _text(value, 2, sign=self.sign)


def _text(value: float | None, places: int, *, sign: bool) -> str:
    if value is None:
        return ""
    return signed(value, places) if sign else number(value, places)


def points_form(session: Session) -> PointsForm:
    """Choose how the session's points are written: as few decimal places as show all of them, two at most."""
    method = method_named(session.facts.method or USUAL)
    lines = places_needed([session.results["points_ns"], session.results["points_ew"]])
    totals = places_needed([session.standings["total"]])
    in_points = bool(session.matches["victory_points"].is_not_null().any())
    sign = not method.has_top and method.sheet is None
    return PointsForm(_POINTS[method.unit], sign, lines, totals, sign and not in_points)


def percentage(value: float | None, places: int = 1) -> str:
    """Write a percentage without its sign; empty for None."""
    return "" if value is None else number(value, places)


def board_key(frame: pl.DataFrame) -> pl.DataFrame:
    """Add `key`, which is the same for all rows of a board.

    The number decides, else the file's label; a record with neither is a board of its own.
    """
    label = pl.col("board_label").str.strip_chars()
    return frame.with_columns(
        pl.when(pl.col("board").is_not_null())
        .then(pl.col("board").cast(pl.String))
        .when(label != "")
        .then(pl.format("label {}", label))
        .otherwise(pl.format("record {}", pl.col("record").cast(pl.String).fill_null("?")))
        .alias("key")
    )


def display_lines(session: Session) -> Sequence[Line]:
    """List the results as rows of `frames.RESULTS` with `key`, `mark_ns`, `mark_ew`; best N-S score first."""
    labels = session.records.select("record", "board_label").unique("record", keep="first")
    lines = board_key(session.results.join(labels, on="record", how="left", maintain_order="left"))
    lines = lines.with_columns(_mark("points_ns").alias("mark_ns"), _mark("points_ew").alias("mark_ew"))
    return lines.sort("score_ns", descending=True, nulls_last=True, maintain_order=True).to_dicts()


def own_lines(session: Session, lines: Sequence[Line]) -> dict[int | None, Line]:
    """Give, by record, the line of the table whose auction and play the record holds.

    A record with a score table has lines of every table. Its own is the only one with its contract, declarer and
    tricks; where several have them, or none has, the line says neither who sat there nor, unless they agree, a score.
    """
    of_record: dict[int | None, list[Line]] = defaultdict(list)
    for line in lines:
        of_record[line["record"]].append(line)
    outcomes = {record: outcome for record, *outcome in session.records.select("record", *_OUTCOME).iter_rows()}
    return {record: _own(tables, outcomes.get(record)) for record, tables in of_record.items()}


def _own(tables: Sequence[Line], outcome: Sequence[object] | None) -> Line:
    same = tables if len(tables) == 1 else [line for line in tables if [line[name] for name in _OUTCOME] == outcome]
    if len(same) == 1:
        return same[0]
    scores = {line["score_ns"] for line in same}
    return {**tables[0], "ns": None, "ew": None, "score_ns": scores.pop() if len(scores) == 1 else None}


def _mark(points: str) -> pl.Expr:
    """Name the one best and the one worst line of a board where three or more were played."""
    played = pl.col("status").cast(pl.String).is_in(["played", "passed"]) & pl.col(points).is_not_null()
    tables = pl.col("multiplicity").fill_null(1)
    scored = pl.col(points).filter(played)
    at_best = (pl.col(points) == scored.max()) & played
    at_worst = (pl.col(points) == scored.min()) & played

    def alone(at: pl.Expr) -> pl.Expr:
        return at & (tables.filter(at).sum() == 1)

    enough = tables.filter(played).sum() >= 3
    return (
        pl.when(enough & alone(at_best)).then(pl.lit("top")).when(enough & alone(at_worst)).then(pl.lit("bottom"))
    ).over("key")


def remark(line: Line, contract: str) -> str:
    """Say what stands in the contract's place when there is none: `Adjusted`, `Bye`; empty beside a contract."""
    return "" if contract else _REMARKS.get(line["status"], "")


def side_scores(line: Line) -> tuple[str, str]:
    """Write the score in the column of the side that gained it, awards as `A+`, `60%`; a pass-out is 0 for both."""
    if line["award_ns"] or line["award_ew"]:
        return award(line["award_ns"]), award(line["award_ew"])
    score = line["score_ns"]
    if score is None:
        return "", ""
    if score == 0:
        return "0", "0"
    return (number(score), "") if score > 0 else ("", number(-score))


def award(text: str | None) -> str:
    """Write an artificial score with a true minus sign: `A−`."""
    return clean(text).replace("-", MINUS)
