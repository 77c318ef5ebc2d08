"""Matchpoints (Law 78A): 2 a table beaten and 1 a tie, short boards by Neuberg's formula, all as exact fractions."""

import polars as pl

from overtrick.config import Scoring
from overtrick.score.averages import session_averages
from overtrick.score.awards import WHOLE, share
from overtrick.score.fields import tally
from overtrick.score.lines import lowest_terms, round_lines


def matchpoints(lines: pl.DataFrame, scoring: Scoring) -> pl.DataFrame:
    """Matchpoint each result within its group.

    With A scores compared of E expected, M raw matchpoints become (M + 1) * E / A - 1 (Neuberg), of a top of
    2 * (E - 1). Adjusted scores are a share of that top, neither compared nor brought to another field size.

    Args:
        lines: the frame of `fields.in_fields`.
        scoring: `short_boards`, `average_plus` and `line_rounding` are followed.

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
        "short boards": "Neuberg" if scoring.short_boards == "neuberg" else "own top",
        "average plus": "flat 60 %" if scoring.average_plus == "flat" else "60 %, or the pair's session where better",
        "line rounding": str(scoring.line_rounding),
    }


def _compared(lines: pl.DataFrame, scoring: Scoring) -> pl.DataFrame:
    """Fill the lines that have a score to compare, and the top of all lines."""
    actual, expected = pl.col("actual"), pl.col("expected")
    raw = 2 * pl.col("below") + pl.col("equal") - 1
    raw_ew = 2 * (actual - 1) - raw
    scored = lines.join(tally(lines), on=["group", "score_ns"], how="left", maintain_order="left")
    if scoring.short_boards == "own-top":
        top, ns, ew, denominator = 2 * (actual.fill_null(expected) - 1), raw, raw_ew, pl.lit(1, dtype=pl.Int64)
    else:
        top, denominator = 2 * (expected - 1), actual
        ns, ew = (raw + 1) * expected - actual, (raw_ew + 1) * expected - actual
    return scored.with_columns(
        ns.alias("numerator_ns"),
        ew.alias("numerator_ew"),
        pl.when(raw.is_not_null()).then(denominator).alias("denominator"),
        pl.when(pl.col("group").is_not_null()).then(top).alias("top"),
    )


def _with_awards(scored: pl.DataFrame) -> pl.DataFrame:
    """Fill the lines with an artificial score; a side whose award is no matchpoint award stays null."""
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
    return filled.with_columns(pl.when(pl.col("denominator").is_not_null()).then("top").alias("top"))
