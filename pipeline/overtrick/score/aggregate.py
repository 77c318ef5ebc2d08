"""Aggregate, or total points (Law 78C): the scores themselves are added."""

import polars as pl

from overtrick.config import Scoring
from overtrick.frames import Lines
from overtrick.score.fractions import reduce_fractions
from overtrick.score.outcomes import add_outcomes, count_parts


def aggregate(lines: Lines, scoring: Scoring) -> Lines:
    """Credit each side with its score in points; an artificial score earns nothing, as no Law says what it is worth.

    Args:
        lines: results with `score_ns`.
        scoring: not used.

    Returns:
        The lines with `numerator_ns numerator_ew denominator` filled where there is a score and a board number.
    """
    del scoring
    whole = count_parts(lines)
    scored = add_outcomes(lines, whole, lambda listed: listed.with_columns(value=pl.col("score_ns").cast(pl.Int64)))
    filled = scored.with_columns(
        pl.col("earned_ns").alias("numerator_ns"),
        (-pl.col("earned_ew")).alias("numerator_ew"),
        pl.when(pl.col("earned_ns").is_not_null()).then(pl.lit(whole, dtype=pl.Int64)).alias("denominator"),
    )
    return reduce_fractions(filled)
