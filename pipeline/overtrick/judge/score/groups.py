"""Which results are compared with which: fields, and within them the tables that played the same cards (Law 87)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any, Final, Literal

import numpy as np
import polars as pl

from overtrick.core.bridge.cards import is_complete, owners
from overtrick.core.bridge.movements import numbers_repeat
from overtrick.core.config.scoring import Adjustment, Fouled
from overtrick.core.contestants import by_line
from overtrick.core.frames import RESULTS, Lines, Problems, Records, Results, Seats, dtypes, sides
from overtrick.core.policies import name_result
from overtrick.core.problems import report


@dataclass(frozen=True)
class Total:
    """The points of a contestant on the lines that it is scored on."""

    points: Fraction
    top: Fraction | int
    """The most that these lines could earn; 0 at IMPs."""
    boards: int
    correction: Fraction = Fraction(0)
    """The part of the points that was not earned on the lines: penalties, handicap, carry-over."""

    @property
    def share(self) -> Fraction:
        """The part of the top, from 0 to 1; one half where there was nothing to gain (a board with one result)."""
        return self.points / self.top if self.top else Fraction(1, 2)


Who = tuple[str | None, ...]
Totals = dict[Who, Total]
"""Points of contestants, by the values of the columns that identify them."""


def add_up(seats: Seats, by: Sequence[str]) -> Totals:
    """Add up the lines of each contestant.

    Args:
        seats: the frame of `frames.sides`; lines that earn nothing are left out.
        by: the columns that identify a contestant.

    Returns:
        The totals by the values of those columns, in no particular order.
    """
    # Pair 7 on four boards, two of them with another denominator than the others:
    #
    #     contestant  numerator  denominator  top       numerator  denominator  top  boards
    #     7           31         4            8         35         4            16   2
    #     7            4         4            8
    #     7            6         1            8         14         1            16   2
    #     7            8         1            8
    #
    # The columns are added by denominator; then 35 / 4 + 14 / 1 = 91 / 4, of a top of 32 on 4 boards.
    sums = (
        seats.drop_nulls("numerator")
        .group_by([*by, "denominator"])
        .agg(pl.col("numerator").sum(), pl.col("top").sum(), boards=pl.len())
    )
    totals: Totals = {}
    nothing = Total(Fraction(0), 0, 0)
    for *key, denominator, numerator, top, boards in sums.iter_rows():
        so_far = totals.get(tuple(key), nothing)
        totals[tuple(key)] = Total(
            so_far.points + Fraction(numerator, denominator), so_far.top + top, so_far.boards + boards
        )
    return totals


_BOARD: Final = "first_of_board"
"""A number for each board of each field: the row of its first line."""
_TABLES: Final = pl.col("multiplicity").fill_null(1).cast(pl.Int64).sum()


def assign_groups(
    results: Results,
    records: Records,
    extent: Literal["section", "all"] | Sequence[str],
    *,
    evening: pl.Expr | None = None,
    fouled: Sequence[Fouled] = (),
) -> Lines:
    """Assign each result to its comparison group.

    Args:
        results: with `score_ns` filled where the result is compared.
        records: their deals and stated vulnerability show which tables played the same board.
        extent: whether a field is one section or the whole session; or fields of several sections, as `A+B`.
        evening: the evening of each result, if there are several.
        fouled: tables that played a board in another form, as the Director named them.

    Returns:
        The results in their order, with these columns added:

        - `field`, String: the section (or several, `A+B`), the evening, or both; null where the whole session is one
        - `group`, UInt32: the same number for results that are compared; null without a board number
        - `forms`, UInt32: in how many forms the field played the board; more than one means that it was fouled
        - `actual`, Int64: tables of the group whose scores are compared; null if none
        - `expected`, Int64: the most tables that a board of the field has, those with an adjusted score included
    """
    # A board played at three tables, the third with other cards, and a board played at one:
    #
    #     board  deal      group  forms  actual  expected
    #     1      N:AKQ...  0      2      2       3
    #     1      N:AKQ...  0      2      2       3
    #     1      N:J98...  2      2      1       3
    #     2      N:T75...  3      1      1       3
    #
    # A group has the row of its first line as its number; `expected` is 3, from board 1, on every line of the field.
    field = pl.lit(None, dtype=pl.String) if extent == "all" else name_field(() if extent == "section" else extent)
    if evening is not None:
        field = pl.concat_str(evening, field, separator=" ", ignore_nulls=True)
    placed = results.with_columns(field=field, form=_named_form(fouled)).with_row_index("row")
    first_of_board = pl.when(pl.col("board").is_not_null()).then(pl.first("row").over("field", "board"))
    lines = _with_groups(placed.with_columns(first_of_board.alias(_BOARD)), records)
    compared = lines.filter(is_compared())
    actual = compared.group_by("group").agg(actual=_TABLES)
    lines = lines.join(actual, on="group", how="left", maintain_order="left")
    expected = lines.join(_expected(lines), on="field", how="left", nulls_equal=True, maintain_order="left")
    return expected.drop("row", _BOARD)


def name_field(together: Sequence[str]) -> pl.Expr:
    """Return the field of each section: the section itself, or the names of all that it is compared with, as `A+B`."""
    names = {section: field for field in together for section in field.split("+")}
    return pl.col("section").replace(names) if names else pl.col("section")


def at_tables(fouled: Fouled) -> pl.Expr:
    """Return whether a result is from one of the tables that the Director named."""
    section = pl.lit(value=True) if fouled.section is None else pl.col("section") == fouled.section
    return (pl.col("board") == fouled.board) & pl.col("ns").is_in(fouled.ns) & section


def _named_form(fouled: Sequence[Fouled]) -> pl.Expr:
    """Number the forms that the Director named; null for the form that all other tables played."""
    forms = [pl.when(at_tables(table).fill_null(value=False)).then(n) for n, table in enumerate(fouled)]
    return pl.coalesce(*forms, pl.lit(None, dtype=pl.Int32))


def is_compared() -> pl.Expr:
    """Return whether a line has a score, or several weighted ones, that others are compared with."""
    return pl.col("score_ns").is_not_null() | pl.col("weights").is_not_null()


def tally(lines: Lines) -> pl.DataFrame:
    """Count the scores of each group: one row for each different score, lowest first.

    Returns:
        `group score_ns`, `equal`: tables with that score, and `below`: tables with a lower one, both Int64.
    """
    return (
        lines.drop_nulls(["group", "score_ns"])
        .group_by("group", "score_ns")
        .agg(equal=_TABLES)
        .sort("group", "score_ns")
        .with_columns(below=below())
    )


def below() -> pl.Expr:
    """Add up `equal` over the earlier rows of the same `group`, in a frame that is sorted by group.

    A sum `over` each group would take five times as long: groups are many and small.
    """
    #     group  equal  before  begins  before, where it begins  below
    #     7      2      0       null    0                        0
    #     7      1      2       false   0                        2
    #     7      4      3       false   0                        3
    #     9      1      7       true    7                        0
    #     9      3      8       false   7                        1
    before = pl.col("equal").cum_sum() - pl.col("equal")
    begins = pl.col("group") != pl.col("group").shift()
    return before - pl.when(begins).then(before).forward_fill().fill_null(0)


def _expected(lines: Lines) -> pl.DataFrame:
    """Return the most tables that a board of each field has: `field expected`."""
    counted = lines.filter(is_compared() | (pl.col("status") == "adjusted")).drop_nulls(_BOARD)
    boards = counted.group_by(_BOARD).agg(pl.first("field"), expected=_TABLES)
    return boards.group_by("field").agg(pl.col("expected").max())


def _with_groups(lines: Lines, records: Records) -> Lines:
    """Fill `group` and `forms`: nearly always all tables of a board played it in one form."""
    known = pl.col(_BOARD).is_not_null()
    various = _in_several_forms(lines, records)
    if various.is_empty():
        return lines.with_columns(group=pl.col(_BOARD), forms=pl.when(known).then(1).cast(pl.UInt32))
    forms = _same_cards_same_text(various).with_columns(
        pl.when(_differs("deal")).then("deal"), pl.when(_differs("vulnerable")).then("vulnerable")
    )
    first_of_form = pl.first("row").over(_BOARD, "deal", "vulnerable", "form")
    groups = forms.select("row", _BOARD, group=first_of_form)
    groups = groups.select("row", "group", forms=pl.col("group").n_unique().over(_BOARD))
    return lines.join(groups, on="row", how="left", maintain_order="left").with_columns(
        group=pl.coalesce("group", _BOARD), forms=pl.coalesce("forms", pl.when(known).then(1))
    )


def _in_several_forms(lines: Lines, records: Records) -> pl.DataFrame:
    """List the lines of boards with more than one form, stated or named, with `deal vulnerable` as stated."""
    stated = records.select("record", pl.when(is_complete(records["deal"])).then("deal"), "vulnerable")
    placed = lines.select("row", _BOARD, "record", "form").drop_nulls(_BOARD)
    placed = placed.join(stated, on="record", how="left", maintain_order="left")
    several = pl.any_horizontal(pl.col("deal", "vulnerable").drop_nulls().n_unique() > 1, pl.col("form").n_unique() > 1)
    boards = placed.group_by(_BOARD).agg(several=several).filter("several")
    return placed.filter(pl.col(_BOARD).is_in(boards[_BOARD].implode()))


def _differs(column: str) -> pl.Expr:
    """Return whether the records of a board state more than one value; an unknown value agrees with a single one."""
    return pl.col(column).drop_nulls().n_unique().over(_BOARD) > 1


def _same_cards_same_text(played: pl.DataFrame) -> pl.DataFrame:
    """Use one text for the deals of a board that differ only in the order of the cards within a suit."""
    texts = played.filter(_differs("deal"))["deal"].drop_nulls().unique(maintain_order=True)
    if texts.is_empty():
        return played
    _, first, form = np.unique(owners(texts), axis=0, return_index=True, return_inverse=True)
    same = dict(zip(texts, texts.gather(first[form.ravel()]), strict=True))
    return played.with_columns(pl.col("deal").replace(same))


Side = Literal["ns", "ew"]
SIDES: Final[tuple[Side, Side]] = ("ns", "ew")


def has_outcomes(lines: Lines) -> bool:
    """Return whether any line has other than one score for both sides."""
    return bool(lines["weights"].is_not_null().any() or lines["split_score"].is_not_null().any())


def count_parts(lines: Lines) -> int:
    """Return the number of parts in which the weights of all lines are whole numbers; 1 where nothing is weighted."""
    sums = lines["weights"].drop_nulls().list.eval(pl.element().struct.field("weight")).list.sum()
    return lcm(*sums.unique())


def list_outcomes(lines: Lines, side: Side, whole: int) -> pl.DataFrame:
    """List the scores that one side of each line is compared by.

    Args:
        lines: with `place` (a number for each line), `group`, `score_ns split_score weights`.
        side: whose scores.
        whole: the parts that each line's weights add up to, from `count_parts`.

    Returns:
        `place group score_ns weight tables`, one row an outcome; the weights of a line add up to `whole`.
    """
    # Four lines of one group; the last was weighted 3 parts of 420 and 2 of -50, so that `whole` is 5. For N-S:
    #
    #     place  score_ns  split_score  weights                 score_ns  weight
    #     0      420       null         null                    420       5
    #     1      -50       620          null                    -50       5       (for E-W: 620)
    #     2      null      null         null, award_ns "A+"     no row: an award is not compared
    #     3      null      null         [(420, 3), (-50, 2)]    420       3
    #                                                           -50       2
    counted = lines.drop_nulls("group").with_columns(tables=pl.col("multiplicity").fill_null(1).cast(pl.Int64))
    score = pl.col("score_ns") if side == "ns" else pl.coalesce("split_score", "score_ns")
    plain = counted.filter(pl.col("weights").is_null() & score.is_not_null()).select(
        "place", "group", score.alias("score_ns"), pl.lit(whole, dtype=pl.Int64).alias("weight"), "tables"
    )
    weighted = counted.drop_nulls("weights").select("place", "group", "weights", "tables").explode("weights")
    weighted = weighted.unnest("weights").select("place", "group", "score_ns", "weight", "tables")
    share = pl.col("weight") * whole // pl.col("weight").sum().over("place")
    return pl.concat([plain, weighted.with_columns(weight=share)])


def add_outcomes(lines: Lines, whole: int, value: Callable[[pl.DataFrame], pl.DataFrame]) -> Lines:
    """Add up, by their weights, what the outcomes of each line are worth.

    Args:
        lines: the frame of `groups.assign_groups`.
        whole: the parts that weights are counted in, from `count_parts`.
        value: adds `value` to the rows of `list_outcomes`, Int64, seen from N-S whichever side they are listed for.

    Returns:
        The lines with `earned_ns earned_ew`, both seen from N-S and in parts of `whole`; null where nothing compares.
    """
    numbered = lines.with_row_index("place")
    one_each, same = lines["weights"].is_null().all(), lines["split_score"].is_null().all()
    weighed = pl.col("weight") * pl.col("value")
    for side in SIDES[:1] if same else SIDES:
        listed = value(list_outcomes(numbered, side, whole)).select("place", weighed.alias(f"earned_{side}"))
        earned = listed if one_each else listed.group_by("place").agg(pl.col(f"earned_{side}").sum())
        numbered = numbered.join(earned, on="place", how="left", maintain_order="left")
    if same:
        numbered = numbered.with_columns(earned_ew="earned_ns")
    return numbered.drop("place")


def tally_outcomes(listed: pl.DataFrame) -> pl.DataFrame:
    """Count the outcomes of each group by their weights: `group score_ns equal below`, as `groups.tally` returns."""
    return (
        listed.group_by("group", "score_ns")
        .agg(equal=(pl.col("weight") * pl.col("tables")).sum())
        .sort("group", "score_ns")
        .with_columns(below=below())
    )


WHOLE: Final = 10**8
"""Parts of a full top that shares are counted in: percentages with up to six decimals are whole numbers of them."""

IMPS_AVERAGE_PLUS: Final = 3
"""IMPs for average plus (Law 12C2b); average minus loses as many."""

_PERCENT: Final = WHOLE // 100
_BY_LETTER: Final = {"A+": 60 * _PERCENT, "A": 50 * _PERCENT, "A-": 40 * _PERCENT}


def share(award: pl.Expr) -> pl.Expr:
    """Return the share of the top that an award is worth, in parts of `WHOLE`, Int64.

    Null for null, and for what is neither `A+`, `A`, `A-` nor a percentage from 0 to 100.
    """
    number = award.str.extract_groups(r"^([0-9]{1,3})(?:\.([0-9]{1,6}))?%$").struct
    decimals = number.field("2").fill_null("").str.pad_end(6, "0")
    percentage = number.field("1").cast(pl.Int64) * _PERCENT + decimals.cast(pl.Int64)
    by_letter = award.replace_strict(_BY_LETTER, default=None, return_dtype=pl.Int64)
    return pl.coalesce(by_letter, pl.when(percentage <= WHOLE).then(percentage))


def average_sign(award: pl.Expr) -> pl.Expr:
    """Return 1 for average plus, 0 for average and -1 for average minus, by letter or as 60, 50 or 40 %; else null."""
    signs = {_BY_LETTER["A+"]: 1, _BY_LETTER["A"]: 0, _BY_LETTER["A-"]: -1}
    return share(award).replace_strict(signs, default=None, return_dtype=pl.Int64)


_CHANGED: Final = ("status", "award_ns", "award_ew", "stated_score_ns", "split_score", "weights")


def enter_adjustments(results: Results, adjustments: Sequence[Adjustment]) -> tuple[Results, Problems]:
    """Enter adjusted scores.

    Returns:
        The results with the changed ones in their places, status `adjusted`; and `setting-unmatched` for an
        adjustment that fits no result, or several.
    """
    if not adjustments:
        return results, report("setting-unmatched/adjustment", results.clear())
    numbered = results.with_row_index("place")
    named = [(adjustment, _places(numbered, adjustment)) for adjustment in adjustments]
    rows = [{"place": places[0], **_changes(adjustment)} for adjustment, places in named if len(places) == 1]
    types = dtypes(RESULTS)
    changes = pl.DataFrame(rows, schema={"place": numbered["place"].dtype, **{name: types[name] for name in _CHANGED}})
    last = changes.unique("place", keep="last")
    changed = numbered.drop(_CHANGED).join(last, on="place", maintain_order="left")
    unchanged = numbered.join(last, on="place", how="anti", maintain_order="left")
    entered = pl.concat([unchanged, changed.select(unchanged.columns)]).sort("place").drop("place")
    lost = [{"named": name_result(each), "count": len(places)} for each, places in named if len(places) != 1]
    unmatched = pl.DataFrame(lost, schema={"named": pl.String, "count": pl.Int64})
    return entered, report("setting-unmatched/adjustment", unmatched)


def _places(numbered: Results, adjustment: Adjustment) -> list[int]:
    """Return the places of the results that an adjustment fits."""
    same = [pl.col(name) == value for name, value in adjustment.place.items()]
    return numbered.filter(*same)["place"].to_list()


def _changes(adjustment: Adjustment) -> dict[str, Any]:
    """Return the new values of `_CHANGED`."""
    row: dict[str, Any] = {**dict.fromkeys(_CHANGED), "status": "adjusted"}
    if adjustment.award is not None:
        row["award_ns"], row["award_ew"] = adjustment.award
    elif adjustment.split is not None:
        row["stated_score_ns"], row["split_score"] = adjustment.split.ns, -adjustment.split.ew
    elif adjustment.weighted is not None:
        row["weights"] = [{"score_ns": each.score, "weight": each.weight} for each in adjustment.weighted]
    else:
        row["stated_score_ns"] = adjustment.assigned
    return row


_TELL_APART: Final[tuple[Literal["section", "direction"], ...]] = ("section", "direction")

_FINEST: Final = 10**7
"""Largest denominator of a side: two of them and a top of thousands of tables still fit into 64 bits."""


def apply_session_averages(lines: Lines) -> Lines:
    """Raise average plus to the pair's percentage on its other boards where that is above 60; lower minus below 40.

    Awards of 60 and 40 % are these too: USEBIO and Bridgemate have no other way to write them.

    Args:
        lines: matchpointed results with `field`, flat awards filled.

    Returns:
        The same lines; those with average plus or minus earn by the session.
    """
    signs = [average_sign(pl.col(f"award_{side}")).alias(f"sign_{side}") for side in ("ns", "ew")]
    numbered = lines.with_row_index("place")
    seats = by_line(sides(lines))
    by = ["field", "contestant", *(name for name in _TELL_APART if numbers_repeat(seats, name))]
    other_boards = add_up(seats.filter(pl.col("award").is_null(), pl.col("contestant").is_not_null()), by)

    def earned(row: Mapping[str, Any], side: str) -> Fraction | None:
        who = {**row, "contestant": row[side], "direction": row.get(f"listed_{side}") or side.upper()}
        return _earned(row, side, other_boards.get(tuple(who[name] for name in by)))

    adjusted = numbered.with_columns(signs).filter(
        pl.col("status") == "adjusted",
        pl.any_horizontal(pl.col("sign_ns", "sign_ew").is_in([1, -1])),
        pl.col("denominator").is_not_null(),
    )
    changed = [_line(row["place"], earned(row, "ns"), earned(row, "ew")) for row in adjusted.iter_rows(named=True)]
    names = ["place", "numerator_ns", "numerator_ew", "denominator"]
    changes = pl.DataFrame(changed, schema=numbered.select(names).schema, orient="row")
    return numbered.update(changes, on="place").drop("place")


def _earned(row: Mapping[str, Any], side: str, others: Total | None) -> Fraction | None:
    """Return what one side earns: the flat award, or the share of the top that it has on its other boards."""
    if row[f"numerator_{side}"] is None:
        return None
    flat = Fraction(row[f"numerator_{side}"], row["denominator"])
    if others is None:
        return flat
    by_session = others.share * int(row["top"])
    if row[f"sign_{side}"] == 1:
        return max(flat, by_session)
    return min(flat, by_session) if row[f"sign_{side}"] == -1 else flat


def _line(place: int, ns: Fraction | None, ew: Fraction | None) -> tuple[int, int | None, int | None, int]:
    """Put both sides over one denominator."""
    fine = [None if points is None else points.limit_denominator(_FINEST) for points in (ns, ew)]
    denominator = lcm(*(points.denominator for points in fine if points is not None))
    numerators = [None if points is None else int(points * denominator) for points in fine]
    return place, numerators[0], numerators[1], denominator
