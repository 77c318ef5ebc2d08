"""Matchpoints (Law 78A): 2 for a table beaten and 1 for a tie, short boards by Neuberg's formula, all exact."""

from fractions import Fraction
from typing import Final

import numpy as np
import polars as pl

from overtrick.core.config import Scoring
from overtrick.core.frames import Lines, Results
from overtrick.judge.score.adjustments import WHOLE, apply_session_averages, share
from overtrick.judge.score.groups import add_outcomes, count_parts, has_outcomes, tally, tally_outcomes

_NUMERATORS: Final = ["numerator_ns", "numerator_ew"]


def reduce_fractions(lines: Results) -> Results:
    """Reduce the fractions of each line to lowest terms, both sides over one denominator."""
    parts = [lines[name].fill_null(0).to_numpy() for name in (*_NUMERATORS, "denominator")]
    common = pl.Series("common", np.maximum(np.gcd(np.gcd(parts[0], parts[1]), parts[2]), 1))
    return lines.with_columns(pl.col(*_NUMERATORS, "denominator") // common)


def round_fractions(lines: Results, step: Fraction, *, up: bool = False) -> Results:
    """Round each side's matchpoints to a step that divides 1.

    A number exactly between two steps is rounded towards the board's average, so that N-S and E-W still share the top;
    or `up`, for each side by itself, so that together they may have a step more.
    """
    per_point = step.denominator
    average = pl.col("top") // 2
    denominator = pl.col("denominator")

    def rounded(side: str) -> pl.Expr:
        if up:
            return ((2 * pl.col(side) * per_point + denominator) // (2 * denominator)).alias(side)
        away = pl.col(side) - average * denominator
        steps = (2 * away.abs() * per_point + denominator - 1) // (2 * denominator)
        return (average * per_point + away.sign() * steps).alias(side)

    return lines.with_columns(
        rounded("numerator_ns"),
        rounded("numerator_ew"),
        denominator=pl.when(denominator.is_not_null()).then(pl.lit(per_point, dtype=pl.Int64)),
    )


_SMALL: Final = 3
"""The most tables at which a form of a fouled board can be too small to be compared."""


def matchpoints(lines: Lines, scoring: Scoring) -> Lines:
    """Matchpoint each result within its group.

    With A scores compared and E expected, M raw matchpoints become (M + 1) * E / A - 1 (Neuberg), out of a top of
    2 * (E - 1). An adjusted score is a share of that top: it is neither compared nor brought to another field size.

    Args:
        lines: the frame of `groups.assign_groups`.
        scoring: `short_boards`, `fouled_groups`, `average_plus`, `line_rounding` and `line_ties` are
            followed.

    Returns:
        The lines with `numerator_ns numerator_ew denominator top` filled where they earn something.
    """
    # A board at five tables, one of them adjusted: actual is 4, expected 5 and the top 8.
    #
    #     score_ns      below  equal  raw_ns            numerator_ns / denominator         points_ns
    #     430           3      1      2*3 + 1 - 1 = 6   ((6 + 1) * 5 - 4) / 4 = 31 / 4     7.75
    #     420           1      2      2*1 + 2 - 1 = 3   ((3 + 1) * 5 - 4) / 4 = 16 / 4     4
    #     420           1      2      3                 16 / 4                             4
    #     -50           0      1      0                 ((0 + 1) * 5 - 4) / 4 =  1 / 4     0.25
    #     null, A+ A-                 null              60 % of 8                          4.8
    #
    # E-W have 2 * (4 - 1) - raw_ns, brought to the same field: 0.25, 4, 4, 7.75; and 40 % of 8 for A-.
    scored = _with_awards(_compared(lines, scoring))
    if scoring.average_plus == "session":
        scored = apply_session_averages(scored)
    if scoring.rounding_step is not None:
        scored = round_fractions(scored, scoring.rounding_step, up=scoring.line_ties == "up")
    return reduce_fractions(scored)


def _compared(lines: Lines, scoring: Scoring) -> Lines:
    """Fill what the lines with a score earn, and the top of all lines."""
    actual, expected, whole = pl.col("actual"), pl.col("expected"), pl.col("parts")
    scored = _weighed(lines) if has_outcomes(lines) else _beaten(lines)
    raw = [pl.col("raw_ns"), pl.col("raw_ew")]
    if scoring.short_boards == "own-top":
        top, earned, denominator = 2 * (actual.fill_null(expected) - 1), raw, whole
    else:
        top, denominator = 2 * (expected - 1), actual * whole
        earned = [(side + whole) * expected - actual * whole for side in raw]
    if scoring.fouled_groups != "neuberg":
        small = _too_small(scoring)
        fixed = [top * (60 * whole + 5 * (side - (actual - 1) * whole)) for side in raw]
        earned = [pl.when(small).then(now).otherwise(usual) for now, usual in zip(fixed, earned, strict=True)]
        denominator = pl.when(small).then(100 * whole).otherwise(denominator)
    return scored.with_columns(
        numerator_ns=earned[0],
        numerator_ew=earned[1],
        denominator=pl.when(raw[0].is_not_null()).then(denominator),
        top=pl.when(pl.col("group").is_not_null()).then(top),
    )


def _beaten(lines: Lines) -> Lines:
    """Count 2 for each table beaten and 1 for each tie: `raw_ns raw_ew`, whole numbers (`parts` is 1)."""
    raw = 2 * pl.col("below") + pl.col("equal") - 1
    counted = lines.join(tally(lines), on=["group", "score_ns"], how="left", maintain_order="left")
    return counted.with_columns(raw_ns=raw, raw_ew=2 * (pl.col("actual") - 1) - raw, parts=pl.lit(1, pl.Int64))


def _weighed(lines: Lines) -> Lines:
    """Count the same where lines have several outcomes: `raw_ns raw_ew` in `parts`.

    A line with weights w ties with itself, and its products w * w add up to 1 as for a line with one score. That 1 is
    taken off.
    """
    whole = count_parts(lines)

    def beaten(listed: pl.DataFrame) -> pl.DataFrame:
        met = listed.join(tally_outcomes(listed), on=["group", "score_ns"])
        return met.with_columns(value=2 * pl.col("below") + pl.col("equal"))

    everyone = 2 * pl.col("actual") * whole**2
    return add_outcomes(lines, whole, beaten).with_columns(
        raw_ns=pl.col("earned_ns") - whole**2,
        raw_ew=everyone - pl.col("earned_ew") - whole**2,
        parts=pl.lit(whole**2, dtype=pl.Int64),
    )


def _too_small(scoring: Scoring) -> pl.Expr:
    """Return which groups of a fouled board are too small to be compared, and get percentages around 60."""
    actual = pl.col("actual")
    few = (pl.col("forms") > 1) & (actual <= _SMALL)
    if scoring.fouled_groups == "white-book":
        return few & (_SMALL * actual <= pl.col("expected"))
    return few & ((actual < _SMALL) | (actual < actual.max().over("field", "board")))


def _with_awards(scored: Lines) -> Lines:
    """Fill the lines with an artificial score; a side stays null if its award is not one for matchpoints."""
    top = pl.when(pl.col("denominator").is_not_null()).then("top").alias("top")
    if not (scored["status"] == "adjusted").any():
        return scored.with_columns(top)
    shares = {side: share(pl.col(f"award_{side}")) for side in ("ns", "ew")}
    awarded = (pl.col("status") == "adjusted") & pl.any_horizontal(s.is_not_null() for s in shares.values())
    earned = {f"numerator_{side}": pl.col("top") * part for side, part in shares.items()}
    filled = scored.with_columns(
        *(pl.when(awarded).then(points).otherwise(name).alias(name) for name, points in earned.items()),
        denominator=pl.when(awarded & pl.col("top").is_not_null()).then(WHOLE).otherwise("denominator"),
    )
    return filled.with_columns(top)
