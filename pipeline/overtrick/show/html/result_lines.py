"""Results as lines for display: each with its board, its marks, and the values that travellers and scorecards share."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from operator import attrgetter, itemgetter
from typing import Any, Final, Literal

import polars as pl

from overtrick.core.bridge.cards import CARDS
from overtrick.core.bridge.methods import USUAL, method_named
from overtrick.core.frames import ANALYSIS, PLAYED, Session, blank
from overtrick.core.notation import clean, in_club_unit, matchpoint_unit
from overtrick.judge.analyse.deals import compare_contracts, identify_board, list_causes
from overtrick.show import views
from overtrick.show.history.changes import add_evenings, number_evenings
from overtrick.show.html.contestants import Card, Contract, format_result, make_card, make_contract
from overtrick.show.text.display import MINUS, count_decimals, format_number, format_signed, format_value

Line = Mapping[str, Any]
"""A row of `frames.RESULTS`, with the columns that `list_lines` adds."""

_POINTS: Final = {"matchpoints": "MP", "boards": "MP", "IMPs": "IMP", "points": "Pts"}
ROOMS: Final = {"Open": "Open Room", "Closed": "Closed Room"}
"""The names of the rooms of a match on pages."""
_SIDES: Final[tuple[Literal["NS", "EW"], ...]] = ("NS", "EW")
_OUTCOME: Final = ("level", "strain", "doubled", "declarer", "tricks")
_REMARKS: Final = {"adjusted": "Adjusted", "bye": "Bye", "not played": "Not played", "unknown": "No result"}


@dataclass(frozen=True)
class PointsForm:
    """How a method's points are written."""

    name: str
    """`MP`, `IMP` or `Pts`."""
    sign: bool
    """Whether positive points have a plus sign."""
    places: int
    total_places: int
    """Decimals of totals."""
    total_sign: bool | None = None
    """Whether positive totals have a plus sign; None: as `sign`."""
    unit: float = 1.0
    """The factor of points: `notation.matchpoint_unit`."""
    total_unit: float = 1.0
    """The factor of totals; victory points stay as they are."""

    def points(self, value: float | None) -> str:
        """Return the points of a line; empty for None."""
        return _format_points(value, self.unit, self.places, sign=self.sign)

    def unsigned(self, value: float) -> str:
        """Return the points of a line without a sign: what one side won, in a column of its own."""
        return _format_points(value, self.unit, self.places, sign=False)

    def average(self, value: float) -> str:
        """Return a mean of points, with two decimals."""
        return _format_points(value, self.unit, 2, sign=self.sign)

    def total(self, value: float | None) -> str:
        """Return a total; empty for None."""
        sign = self.sign if self.total_sign is None else self.total_sign
        return _format_points(value, self.total_unit, self.total_places, sign=sign)


def _format_points(value: float | None, unit: float, places: int, *, sign: bool) -> str:
    if value is None:
        return ""
    return format_signed(value * unit, places) if sign else format_number(value * unit, places)


def choose_points_form(session: Session) -> PointsForm:
    """Return how the session's points are written, with as few decimals as show all of them, two at most."""
    method = method_named(session.facts.method or USUAL)
    in_points = bool(session.matches["victory_points"].is_not_null().any())
    shown, unit = in_club_unit(session), matchpoint_unit(session.facts)
    lines = count_decimals([shown.results["points_ns"], shown.results["points_ew"]])
    # A total ends the column of points, so it has as many decimals.
    totals = max(count_decimals([shown.standings["total"]]), 0 if in_points else lines)
    sign = not method.has_top and method.sheet is None
    total_unit = 1.0 if in_points else unit
    return PointsForm(_POINTS[method.unit], sign, lines, totals, sign and not in_points, unit, total_unit)


@dataclass(frozen=True)
class Outcome:
    """The contract at a table and its result."""

    contract: Contract
    declarer: str
    """`N E S W` or empty."""
    lead: Card | None
    result: str
    """`=`, `+1`, `−2`, empty."""
    status: str
    """As in `frames.RESULTS`."""
    remark: str
    """Shown instead of a contract where there is none: `Adjusted`, `Bye`, `Not played`; else empty."""
    more: Mapping[str, str] = field(default_factory=dict, compare=False)
    """What it has in the columns of `views` that are made of a value alone, by their names."""


def any_row(*names: str, of: str = "rows") -> cached_property[bool]:
    """Return a property: whether any of the rows of an object has a value in any of these attributes.

    `has_leads = any_row("lead")` is true for a scorecard with an opening lead.
    """
    values = list(map(attrgetter, names))
    return cached_property(lambda page: any(value(row) for row in getattr(page, of) for value in values))


def make_outcome(line: Line) -> Outcome:
    """Return what a line says was bid and made."""
    contract = make_contract(line["level"], line["strain"], line["doubled"])
    return Outcome(
        contract=contract,
        declarer=line["declarer"] or "",
        lead=make_card(line["lead"]),
        result=format_result(line["level"], line["tricks"]),
        status=line["status"] or "unknown",
        remark="" if contract.text else _REMARKS.get(line["status"], ""),
        more=line.get("more", {}),
    )


def add_board_keys(frame: pl.DataFrame, session: Session) -> pl.DataFrame:
    """Return a frame with `board board_label record` and a column `key`, the same for all rows of a board.

    The number decides, else the file's label; a record with neither is a board of its own. The boards of one evening
    are not those of another.
    """
    keyed = frame.with_columns(identify_board())
    if not number_evenings(session):
        return keyed
    place = pl.format("{} of evening {}", "key", "evening")
    return add_evenings(keyed, session).with_columns(pl.coalesce(place, "key").alias("key")).select(keyed.columns)


def add_board_labels(frame: pl.DataFrame, session: Session) -> pl.DataFrame:
    """Return a frame with `record` and a column `board_label`, as the record states it."""
    labels = session.records.select("record", "board_label").unique("record", keep="first")
    return frame.join(labels, on="record", how="left", maintain_order="left")


def list_lines(session: Session) -> Sequence[Line]:
    """Return the results as rows of `frames.RESULTS` with `board_label room key mark_ns mark_ew`, best N-S score first.

    `key` is as in `add_board_keys`, and `room` is `Open Room`, `Closed Room` or None. A mark is `top`, `bottom` or
    None, within the field that the line was compared in, and `with_field` is true if most tables of that field bid its
    contract. `dd_tricks lead_cost costs` are those of `frames.ANALYSIS`; `parts_ns parts_ew` list the causes of the
    line's points times `parts_of`. They are null where nothing was analysed.
    """
    analysed = _add_analysis(session).with_columns(views.list_values(views.TRAVELLER, views.SCORECARD))
    lines = _add_rooms(add_board_keys(add_board_labels(analysed, session), session), session)
    field = ["key", *list_field_columns(session)]
    of_teams = method_named(session.facts.method or USUAL).of_teams
    lines = lines.hstack(compare_contracts(lines, field, of_teams=of_teams).select("with_field"))
    marks = (_mark(f"points_{side}", field).alias(f"mark_{side}") for side in ("ns", "ew"))
    lines = lines.with_columns(marks)
    rows = lines.sort("score_ns", descending=True, nulls_last=True, maintain_order=True).to_dicts()
    valued = [column.name for column in (*views.TRAVELLER, *views.SCORECARD) if column.value is not None]
    return [{**row, "more": {name: format_value(row[name]) for name in valued}} for row in rows] if valued else rows


def _add_rooms(lines: pl.DataFrame, session: Session) -> pl.DataFrame:
    rooms = session.records.select("record", "room").drop_nulls().unique("record", keep="first")
    if rooms.is_empty():
        return lines.with_columns(room=pl.lit(None, dtype=pl.String))
    room = pl.col("room").cast(pl.String).str.strip_chars().str.to_titlecase()
    named = rooms.with_columns(room.replace_strict(ROOMS, default=None))
    return lines.join(named, on="record", how="left", maintain_order="left")


def list_field_columns(session: Session) -> list[str]:
    """Return the columns besides the board by which results were compared apart: `section`, `source`."""
    facts = session.facts
    if "field" not in facts.policies:
        return []
    return [*(["section"] if facts.policies["field"] == "section" else []), *(["source"] if facts.by_file else [])]


def _add_analysis(session: Session) -> pl.DataFrame:
    analysis = session.analysis
    if analysis["dd_tricks"].is_null().all():
        # Without a deal all is unknown, and pages say nothing.
        analysis = blank(ANALYSIS, session.results.height)
    rows = analysis.hstack(session.results.select("declarer"))
    known = pl.col("swing").is_not_null() & pl.col("denominator").is_not_null()
    parts = (pl.when(known).then(pl.concat_list(list_causes(side))).alias(f"parts_{side.lower()}") for side in _SIDES)
    added = rows.select("dd_tricks", "lead_cost", "costs", *parts, parts_of=pl.when(known).then("denominator"))
    led = rows["lead"].replace_strict(dict(enumerate(CARDS)), default=None, return_dtype=pl.String)
    return session.results.hstack(added).with_columns(pl.coalesce("lead", led).alias("lead"))


def _mark(points: str, field: list[str]) -> pl.Expr:
    """Mark the one best and the one worst line of a board in its field, where three or more tables played it."""
    played = pl.col("status").cast(pl.String).is_in(PLAYED) & pl.col(points).is_not_null()
    tables = pl.col("multiplicity").fill_null(1)
    scored = pl.col(points).filter(played)
    at_best = (pl.col(points) == scored.max()) & played
    at_worst = (pl.col(points) == scored.min()) & played

    def alone(at: pl.Expr) -> pl.Expr:
        return at & (tables.filter(at).sum() == 1)

    enough = tables.filter(played).sum() >= 3
    return (
        pl.when(enough & alone(at_best)).then(pl.lit("top")).when(enough & alone(at_worst)).then(pl.lit("bottom"))
    ).over(field)


def group_lines(lines: Iterable[Line], *columns: str) -> Mapping[Any, list[Line]]:
    """Return the lines by the value of a column, or by the tuple of the values of several; no lines for other keys."""
    groups: dict[Any, list[Line]] = defaultdict(list)
    for line in lines:
        groups[itemgetter(*columns)(line)].append(line)
    return groups


def count_tables(lines: Iterable[Line]) -> int:
    """Return how many tables had these results."""
    return sum(line["multiplicity"] or 1 for line in lines)


def find_own_lines(session: Session, lines: Sequence[Line]) -> dict[int | None, Line]:
    """Return, by record, the line of the table whose auction and play the record holds.

    A record with a score table has lines of every table. Its own line is the only one with the record's contract,
    declarer and tricks. Where several lines have them, or none, the line has no pairs, and no score unless they agree.
    """
    outcomes = {record: outcome for record, *outcome in session.records.select("record", *_OUTCOME).iter_rows()}
    return {record: _find_own(tables, outcomes.get(record)) for record, tables in group_lines(lines, "record").items()}


def _find_own(tables: Sequence[Line], outcome: Sequence[object] | None) -> Line:
    same = tables if len(tables) == 1 else [line for line in tables if [line[name] for name in _OUTCOME] == outcome]
    if len(same) == 1:
        return same[0]
    scores = {line["score_ns"] for line in same}
    unknown = {"ns": None, "ew": None, "costs": None}
    return {**tables[0], **unknown, "score_ns": scores.pop() if len(scores) == 1 else None}


def split_score(line: Line) -> tuple[str, str]:
    """Return the score in the column of the side that gained it, N-S or E-W; 0 in both for a passed-out board.

    Artificial scores read `A+`, `60%`.
    """
    if line["award_ns"] or line["award_ew"]:
        return format_award(line["award_ns"]), format_award(line["award_ew"])
    score = line["score_ns"]
    if score is None:
        return "", ""
    if score == 0:
        return "0", "0"
    return (format_number(score), "") if score > 0 else ("", format_number(-score))


def format_award(text: str | None) -> str:
    """Return an artificial score with a true minus sign: `A−`."""
    return clean(text).replace("-", MINUS)


def count_against(tricks: int | None, best: int | None) -> int | None:
    """Return tricks against double dummy: -1 for one that was lost; None where they are not known."""
    return None if tricks is None or best is None else tricks - best


def format_cost(cost: int | None) -> str:
    """Return what a card gave up: `−1`; empty for nothing."""
    return f"{MINUS}{format_number(cost)}" if cost else ""
