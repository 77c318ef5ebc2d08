"""Aggregate, or total points (Law 78C): the scores themselves are added."""

import polars as pl

from overtrick.config import Scoring
from overtrick.score.lines import lowest_terms
from overtrick.score.outcomes import earned_by_outcome, parts


def aggregate(lines: pl.DataFrame, scoring: Scoring) -> pl.DataFrame:
    """Let each side earn its score in points; no Law says what an artificial score is worth, so it earns nothing.

    Args:
        lines: results with `score_ns`.
        scoring: nothing of it matters here.

    Returns:
        The lines with `numerator_ns numerator_ew denominator` filled where there is a score and a board number.
    """
    del scoring
    whole = parts(lines)
    scored = earned_by_outcome(
        lines, whole, lambda listed: listed.with_columns(value=pl.col("score_ns").cast(pl.Int64))
    )
    filled = scored.with_columns(
        pl.col("earned_ns").alias("numerator_ns"),
        (-pl.col("earned_ew")).alias("numerator_ew"),
        pl.when(pl.col("earned_ns").is_not_null()).then(pl.lit(whole, dtype=pl.Int64)).alias("denominator"),
    )
    return lowest_terms(filled)


def aggregate_policies(scoring: Scoring) -> dict[str, str]:
    """Say in words which rules `aggregate` followed: it has none to choose from."""
    del scoring
    return {}
