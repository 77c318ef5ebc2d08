"""Aggregate, or total points (Law 78C): the scores themselves are added."""

import polars as pl

from overtrick.config import Scoring


def aggregate(lines: pl.DataFrame, scoring: Scoring) -> pl.DataFrame:
    """Let each side earn its score in points; no Law says what an adjusted score is worth, so it earns nothing.

    Args:
        lines: results with `score_ns`.
        scoring: nothing of it matters here.

    Returns:
        The lines with `numerator_ns numerator_ew denominator` filled where there is a score and a board number.
    """
    del scoring
    score = pl.when(pl.col("group").is_not_null()).then(pl.col("score_ns").cast(pl.Int64))
    return lines.with_columns(
        score.alias("numerator_ns"),
        (-score).alias("numerator_ew"),
        pl.when(score.is_not_null()).then(1).alias("denominator"),
    )


def aggregate_policies(scoring: Scoring) -> dict[str, str]:
    """Say in words which rules `aggregate` followed: it has none to choose from."""
    del scoring
    return {}
