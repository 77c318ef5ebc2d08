"""Cross-IMPs (Law 78B): each score against every other score of the board, in IMPs."""

import polars as pl

from overtrick.core.bridge.score import imps
from overtrick.core.config import Scoring
from overtrick.core.frames import Lines
from overtrick.judge.score.awards import IMPS_AVERAGE_PLUS, average_sign
from overtrick.judge.score.fractions import reduce_fractions
from overtrick.judge.score.outcomes import add_outcomes, count_parts, tally_outcomes


def cross_imps(lines: Lines, scoring: Scoring) -> Lines:
    """Compare each result with every other one of its group.

    Args:
        lines: the frame of `groups.assign_groups`.
        scoring: `cross_divisor` is followed. The undivided sum of a short group (A of E scores) is multiplied by
            (E - 1) / (A - 1), the comparisons of a full board, so that all boards weigh the same.

    Returns:
        The lines with `numerator_ns numerator_ew denominator` filled where they earn something. A score with nothing to
        compare with earns 0; average plus and minus are 3 IMPs a comparison, divided as the others are.
    """
    # A board at five tables, one of them adjusted, so that each score has 3 comparisons:
    #
    #     score_ns      against 430  against 420 (twice)  against -50   sum  divided by comparisons
    #     430                        0 + 0                10            10    10 / 3
    #     420            0           0                    10            10    10 / 3
    #     420            0           0                    10            10    10 / 3
    #     -50           -10          -10 - 10                          -30   -30 / 3
    #     null, A+ A-                                                          3 / 1
    actual, expected = pl.col("actual"), pl.col("expected")
    one = pl.lit(1, dtype=pl.Int64)
    times, divisor, award_times, award_divisor = {
        "comparisons": (one, actual - 1, one, one),
        "scores": (one, actual, expected - 1, expected),
        "none": (expected - 1, actual - 1, expected - 1, one),
    }[scoring.cross_divisor or "comparisons"]
    whole = count_parts(lines)
    placed = add_outcomes(lines, whole, _with_sums)
    awarded = (pl.col("status") == "adjusted") & pl.col("earned_ns").is_null() & pl.col("group").is_not_null()
    earned = {
        f"numerator_{side}": pl.when(awarded)
        .then(average_sign(pl.col(f"award_{side}")) * IMPS_AVERAGE_PLUS * award_times)
        .otherwise(sign * pl.col(f"earned_{side}") * times)
        for side, sign in (("ns", 1), ("ew", -1))
    }
    met = pl.max_horizontal(divisor, one) * whole**2
    counts = pl.any_horizontal(pl.col(*earned).is_not_null())
    scored = placed.with_columns(**earned)
    return reduce_fractions(
        scored.with_columns(
            pl.when(counts).then(pl.when(awarded).then(award_divisor).otherwise(met)).alias("denominator")
        )
    )


def _with_sums(listed: pl.DataFrame) -> pl.DataFrame:
    """Add the IMPs of each outcome against all outcomes of its group: `value`.

    Only different scores are compared, as equal ones earn nothing from each other: a large field has few of them.
    """
    scores = tally_outcomes(listed).select("group", "score_ns", "equal")
    met = scores.join(scores, on="group", suffix="_other")
    earned = imps(pl.col("score_ns") - pl.col("score_ns_other")) * pl.col("equal_other")
    sums = met.with_columns(earned.alias("value")).group_by("group", "score_ns").agg(pl.col("value").sum())
    return listed.join(sums, on=["group", "score_ns"])
