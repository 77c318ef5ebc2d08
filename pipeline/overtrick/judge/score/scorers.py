"""The function that scores by each method: a new method is a row of `bridge.methods.METHODS` and a row here."""

from collections.abc import Callable
from typing import Final

import polars as pl

from overtrick.core.config import Scoring
from overtrick.core.frames import Lines
from overtrick.judge.score.butler import butler, cross_imps
from overtrick.judge.score.groups import add_outcomes, count_parts
from overtrick.judge.score.matchpoints import matchpoints, reduce_fractions
from overtrick.judge.score.sheets import chicago, chicago_duplicate, four_hands, rubber
from overtrick.judge.score.teams import board_a_match, teams


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
        numerator_ns="earned_ns",
        numerator_ew=-pl.col("earned_ew"),
        denominator=pl.when(pl.col("earned_ns").is_not_null()).then(pl.lit(whole, dtype=pl.Int64)),
    )
    return reduce_fractions(filled)


Scorer = Callable[[Lines, Scoring], Lines]
"""Fills `numerator_ns numerator_ew denominator` (and `top` or `datum`) of lines, by the settings.

The lines are those of `groups.assign_groups`; for games on score sheets they are in the order in which they were played
(`sheets.with_deals`).
"""

SCORERS: Final[dict[str, Scorer]] = {
    "matchpoints": matchpoints,
    "butler": butler,
    "cross-imps": cross_imps,
    "teams": teams,
    "bam": board_a_match,
    "aggregate": aggregate,
    "rubber": rubber,
    "chicago": chicago,
    "chicago-duplicate": chicago_duplicate,
    "alberta": four_hands,
}
"""By the name of a method."""
