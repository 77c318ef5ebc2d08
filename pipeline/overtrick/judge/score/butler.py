"""Butler (Law 78B): IMPs of each score against a datum, an average of the board's scores."""

from typing import Literal

import polars as pl

from overtrick.core.bridge.score import imps
from overtrick.core.config import Datum, Scoring
from overtrick.core.frames import Lines
from overtrick.judge.score import groups
from overtrick.judge.score.matchpoints import reduce_fractions


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
    once = pl.lit(1, dtype=pl.Int64)
    times, divisor, award_times, award_divisor = {
        "comparisons": (once, actual - 1, once, once),
        "scores": (once, actual, expected - 1, expected),
        "none": (expected - 1, actual - 1, expected - 1, once),
    }[scoring.cross_divisor or "comparisons"]
    whole = groups.count_parts(lines)
    placed = groups.add_outcomes(lines, whole, _with_sums)
    awarded = (pl.col("status") == "adjusted") & pl.col("earned_ns").is_null() & pl.col("group").is_not_null()
    earned = {
        f"numerator_{side}": pl.when(awarded)
        .then(groups.average_sign(pl.col(f"award_{side}")) * groups.IMPS_AVERAGE_PLUS * award_times)
        .otherwise(sign * pl.col(f"earned_{side}") * times)
        for side, sign in (("ns", 1), ("ew", -1))
    }
    met = pl.max_horizontal(divisor, once) * whole**2
    counts = pl.any_horizontal(pl.col(*earned).is_not_null())
    scored = placed.with_columns(**earned)
    return reduce_fractions(
        scored.with_columns(denominator=pl.when(counts).then(pl.when(awarded).then(award_divisor).otherwise(met)))
    )


def _with_sums(listed: pl.DataFrame) -> pl.DataFrame:
    """Add the IMPs of each outcome against all outcomes of its group: `value`.

    Only different scores are compared, as equal ones earn nothing from each other: a large field has few of them.
    """
    scores = groups.tally_outcomes(listed).select("group", "score_ns", "equal")
    met = scores.join(scores, on="group", suffix="_other")
    earned = imps(pl.col("score_ns") - pl.col("score_ns_other")) * pl.col("equal_other")
    sums = met.with_columns(value=earned).group_by("group", "score_ns").agg(pl.col("value").sum())
    return listed.join(sums, on=["group", "score_ns"])


def butler(lines: Lines, scoring: Scoring) -> Lines:
    """Compare each result with the datum of its group.

    Args:
        lines: the frame of `groups.assign_groups`.
        scoring: `datum`, `datum_rounding` and `datum_ties` are followed.

    Returns:
        The lines with `datum` (to the nearest point, where it is not rounded to a ten), and `numerator_ns numerator_ew
        denominator` filled where they earn something. Artificial and weighted scores are not part of the datum; average
        plus and minus are 3 IMPs.
    """
    # A board at five tables, by the usual rules: the mean of 430, 420, 420 and -50 is 305, and rounded away from zero
    # to a ten 310.
    #
    #     score_ns      ahead  IMPs of N-S
    #     430            120    3
    #     420            110    3
    #     420            110    3
    #     -50           -360   -8
    #     null, A+ A-           3   (and -3 for E-W)
    whole, against = groups.count_parts(lines), compute_datums(lines, scoring)

    def compared(listed: pl.DataFrame) -> pl.DataFrame:
        met = listed.join(against, on="group")
        ahead = pl.col("score_ns") * pl.col("count") - pl.col("total")
        # The bands of the scale begin at whole points, so that parts of a point change nothing.
        return met.with_columns(value=imps(ahead.sign() * (ahead.abs() // pl.col("count"))))

    shown = against.select("group", datum=_nearest(pl.col("total"), pl.col("count"), "away").cast(pl.Int32))
    placed = lines.drop("datum").join(shown, on="group", how="left", maintain_order="left")
    adjusted = (pl.col("status") == "adjusted") & pl.col("group").is_not_null()
    earned = {
        f"numerator_{side}": pl.coalesce(
            sign * pl.col(f"earned_{side}"),
            pl.when(adjusted).then(groups.average_sign(pl.col(f"award_{side}")) * groups.IMPS_AVERAGE_PLUS * whole),
        )
        for side, sign in (("ns", 1), ("ew", -1))
    }
    scored = groups.add_outcomes(placed, whole, compared).with_columns(**earned)
    counts = pl.any_horizontal(pl.col(*earned).is_not_null())
    return reduce_fractions(scored.with_columns(denominator=pl.when(counts).then(pl.lit(whole, pl.Int64))))


def compute_datums(lines: Lines, scoring: Scoring) -> pl.DataFrame:
    """Compute the datum of each group.

    Returns:
        `group total count`: the datum in points for N-S is total / count, both Int64. If leaving scores out would leave
        none, all count.
    """
    if scoring.datum == "stated":
        stated = lines.drop_nulls(["group", "stated_datum"]).group_by("group").agg(pl.first("stated_datum"))
        return stated.select("group", total=pl.col("stated_datum").cast(pl.Int64), count=pl.lit(1, dtype=pl.Int64))
    score, below, equal = pl.col("score_ns").cast(pl.Int64), pl.col("below"), pl.col("equal")
    tables = equal.sum().over("group")
    out = _left_out(tables, scoring.datum or "mean")
    inside = pl.min_horizontal(below + equal, tables - out) - pl.max_horizontal(below, out)
    counted = groups.tally(lines).with_columns(kept=pl.max_horizontal(inside, 0))
    means = counted.group_by("group").agg((score * pl.col("kept")).sum().alias("total"), pl.col("kept").sum())
    means = means.rename({"kept": "count"})
    if scoring.datum_rounding == "none":
        return means
    tens = 10 * _nearest(pl.col("total"), 10 * pl.col("count"), scoring.datum_ties)
    return means.select("group", total=tens, count=pl.lit(1, dtype=pl.Int64))


def _left_out(tables: pl.Expr, datum: Datum) -> pl.Expr:
    """Return how many scores are left out at each end; none where there are only one or two."""
    out = {
        "mean": pl.lit(0, dtype=pl.Int64),
        "mean-2": pl.lit(1, dtype=pl.Int64),
        "mean-5%": tables // 20,
        "mean-scaled": 1 + (tables + 4) // 15,
        "median": (tables - 1) // 2,
    }[datum]
    return pl.when(tables > 2).then(out).otherwise(0)


def _nearest(total: pl.Expr, count: pl.Expr, ties: Literal["away", "even", "up"]) -> pl.Expr:
    """Round total / count to a whole number, in integer arithmetic."""
    low, left = total.floordiv(count), 2 * (total % count)
    tie_goes_up = {"away": total > 0, "even": low % 2 == 1, "up": pl.lit(value=True)}[ties]
    return low + ((left > count) | ((left == count) & tie_goes_up)).cast(pl.Int64)
