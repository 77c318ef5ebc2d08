"""Matchpoints (Law 78A): 2 a table beaten and 1 a tie, short boards by Neuberg's formula, all as exact fractions."""

from typing import Final

import polars as pl

from overtrick.config import Scoring
from overtrick.score.averages import session_averages
from overtrick.score.awards import WHOLE, share
from overtrick.score.fields import tally
from overtrick.score.lines import lowest_terms, round_lines
from overtrick.score.outcomes import any_outcomes, earned_by_outcome, parts, weighted_tally

_SMALL: Final = 3
"""Tables of the largest group of a fouled board that may be too small to be compared."""

_FOULED: Final = {
    "neuberg": "each form by itself, as a short board",
    "white-book": "forms at three tables or fewer, and a third of the field, by percentages from 60",
    "acbl": "forms at three tables or fewer by percentages from 60, unless three is the most",
}


def matchpoints(lines: pl.DataFrame, scoring: Scoring) -> pl.DataFrame:
    """Matchpoint each result within its group.

    With A scores compared of E expected, M raw matchpoints become (M + 1) * E / A - 1 (Neuberg), of a top of
    2 * (E - 1). Adjusted scores are a share of that top, neither compared nor brought to another field size.

    Args:
        lines: the frame of `fields.in_fields`.
        scoring: `short_boards`, `fouled_groups`, `average_plus` and `line_rounding` are followed.

    Returns:
        The lines with `numerator_ns numerator_ew denominator top` filled where they earn something.
    """
    scored = _with_awards(_compared(lines, scoring))
    if scoring.average_plus == "session":
        scored = session_averages(scored)
    if scoring.rounding_step is not None:
        scored = round_lines(scored, scoring.rounding_step)
    return lowest_terms(scored)


def matchpoint_policies(scoring: Scoring) -> dict[str, str]:
    """Say in words which rules `matchpoints` followed."""
    return {
        "a pair beaten": "2 matchpoints, a tie 1" if scoring.matchpoint_unit == "2-1" else "1 matchpoint, a tie a half",
        "short boards": "Neuberg" if scoring.short_boards == "neuberg" else "own top",
        "average plus": "flat 60 %" if scoring.average_plus == "flat" else "60 %, or the pair's session where better",
        "line rounding": str(scoring.line_rounding),
        "fouled boards": _FOULED[scoring.fouled_groups],
    }


def _compared(lines: pl.DataFrame, scoring: Scoring) -> pl.DataFrame:
    """Fill the lines that have a score to compare, and the top of all lines."""
    actual, expected, whole = pl.col("actual"), pl.col("expected"), pl.col("parts")
    scored = _weighed(lines) if any_outcomes(lines) else _beaten(lines)
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
        earned[0].alias("numerator_ns"),
        earned[1].alias("numerator_ew"),
        pl.when(raw[0].is_not_null()).then(denominator).alias("denominator"),
        pl.when(pl.col("group").is_not_null()).then(top).alias("top"),
    )


def _beaten(lines: pl.DataFrame) -> pl.DataFrame:
    """Count 2 for each table beaten and 1 for each tie: `raw_ns raw_ew`, whole numbers (`parts` is 1)."""
    raw = 2 * pl.col("below") + pl.col("equal") - 1
    counted = lines.join(tally(lines), on=["group", "score_ns"], how="left", maintain_order="left")
    return counted.with_columns(
        raw.alias("raw_ns"), (2 * (pl.col("actual") - 1) - raw).alias("raw_ew"), pl.lit(1, pl.Int64).alias("parts")
    )


def _weighed(lines: pl.DataFrame) -> pl.DataFrame:
    """Count the same where lines have several outcomes: `raw_ns raw_ew` in `parts`.

    A line with weights w meets itself with sum(w * w) = 1, as a line with one score does: so 1 is taken off.
    """
    whole = parts(lines)

    def beaten(listed: pl.DataFrame) -> pl.DataFrame:
        met = listed.join(weighted_tally(listed), on=["group", "score_ns"])
        return met.with_columns((2 * pl.col("below") + pl.col("equal")).alias("value"))

    everyone = 2 * pl.col("actual") * whole**2
    return earned_by_outcome(lines, whole, beaten).with_columns(
        (pl.col("earned_ns") - whole**2).alias("raw_ns"),
        (everyone - pl.col("earned_ew") - whole**2).alias("raw_ew"),
        pl.lit(whole**2, dtype=pl.Int64).alias("parts"),
    )


def _too_small(scoring: Scoring) -> pl.Expr:
    """Say which groups of a fouled board are too small to be compared, and get percentages around 60."""
    actual = pl.col("actual")
    few = (pl.col("forms") > 1) & (actual <= _SMALL)
    if scoring.fouled_groups == "white-book":
        return few & (_SMALL * actual <= pl.col("expected"))
    return few & ((actual < _SMALL) | (actual < actual.max().over("field", "board")))


def _with_awards(scored: pl.DataFrame) -> pl.DataFrame:
    """Fill the lines with an artificial score; a side whose award is no matchpoint award stays null."""
    top = pl.when(pl.col("denominator").is_not_null()).then("top").alias("top")
    if not (scored["status"] == "adjusted").any():
        return scored.with_columns(top)
    shares = {side: share(pl.col(f"award_{side}")) for side in ("ns", "ew")}
    awarded = (pl.col("status") == "adjusted") & pl.any_horizontal(s.is_not_null() for s in shares.values())
    filled = scored.with_columns(
        *(
            pl.when(awarded)
            .then(pl.col("top") * part)
            .otherwise(pl.col(f"numerator_{side}"))
            .alias(f"numerator_{side}")
            for side, part in shares.items()
        ),
        pl.when(awarded & pl.col("top").is_not_null())
        .then(WHOLE)
        .otherwise(pl.col("denominator"))
        .alias("denominator"),
    )
    return filled.with_columns(top)
