"""The score of one contract (Law 77), in points: of a duplicate board, the parts that other games add up, and IMPs."""

from functools import cache
from typing import Final

import numpy as np
import polars as pl

from overtrick.core.bridge.cards import SEATS, STRAINS, code, side_vulnerable

LOWER_BOUNDS: Final = (
    *(20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600),
    *(750, 900, 1100, 1300, 1500, 1750, 2000, 2250, 2500, 3000, 3500, 4000),
)
"""The smallest differences in points that earn 1, 2, ... 24 IMPs."""


def imps(difference: pl.Expr) -> pl.Expr:
    """Convert a difference in points to IMPs of the same sign, Int64; null for null.

    The scale is printed for multiples of ten. A difference between two of them earns the IMPs of the last lower bound
    that it reaches: 45 points are 1 IMP, as 40 are.
    """
    size = difference.abs()
    earned = pl.lit(pl.Series(LOWER_BOUNDS, dtype=pl.Float64)).search_sorted(size.cast(pl.Float64), side="right")
    return pl.when(difference.is_not_null()).then(difference.sign().cast(pl.Int64) * earned.cast(pl.Int64))


GAME: Final = 100
"""Trick points that make a game."""

_MAJORS: Final = STRAINS.index("H")
_NOTRUMP: Final = STRAINS.index("NT")


GAME_LEVEL: Final = (
    pl.col("strain").cast(pl.String).replace_strict({"NT": 3, "H": 4, "S": 4, "C": 5, "D": 5}, default=None)
)
"""The lowest level of a contract in a strain that is a game; null for another strain."""


def contract_score(level: pl.Expr, strain: pl.Expr, doubled: pl.Expr, vulnerable: pl.Expr, tricks: pl.Expr) -> pl.Expr:
    """Return declarer's score by Law 77; negative when the contract went down.

    Args:
        level: 1-7, or 0 for a passed-out board, which scores 0 whatever the other columns hold.
        strain: `C D H S NT`, text or Enum.
        doubled: 0, 1 doubled, 2 redoubled.
        vulnerable: whether declarer's side is.
        tricks: declarer's tricks, 0-13.

    Returns:
        Points, Int32; null where any of the five is null or out of its range.
    """
    odd, times, won = level.cast(pl.Int32), doubled.cast(pl.Int32), tricks.cast(pl.Int32)
    known = odd.is_between(1, 7) & times.is_between(0, 2) & won.is_between(0, 13)
    # The other two are null where they are not known, and so is the place.
    place = (((odd - 1) * 5 + code(strain, STRAINS)) * 3 + times) * 2 + vulnerable.cast(pl.Int32)
    score = pl.lit(_score_table()).gather(pl.when(known).then(place * 14 + won).cast(pl.UInt32))
    return pl.when(odd == 0).then(pl.lit(0, pl.Int32)).otherwise(score)


@cache
def _score_table() -> pl.Series:
    """Return the score of each contract and each number of tricks, in the order of the places in `contract_score`."""
    odd, strain, times, vulnerable, won = np.indices((7, len(STRAINS), 3, 2, 14)).reshape(5, -1)
    names = np.array(STRAINS)[strain]
    contracts = pl.DataFrame(
        {"odd": odd + 1, "strain": names, "times": times, "vul": vulnerable == 1, "over": won - odd - 7}
    )
    if_made = _made(*map(pl.col, contracts.columns))
    down = -undertrick_points(pl.col("times"), pl.col("vul"), -pl.col("over"))
    both = contracts.select("over", if_made.alias("made"), down.alias("down"))
    return both.select(pl.when(pl.col("over") >= 0).then("made").otherwise("down").cast(pl.Int32)).to_series()


@cache
def possible_scores(*, ns_vulnerable: bool, ew_vulnerable: bool) -> frozenset[int]:
    """Return all scores for N-S that a contract can have, when the sides are vulnerable or not."""
    scores = _score_table().to_numpy().reshape(-1, 2, 14)
    ours, theirs = (scores[:, int(vulnerable)].ravel().tolist() for vulnerable in (ns_vulnerable, ew_vulnerable))
    return frozenset([0, *ours, *(-points for points in theirs)])


def score_ns(score: pl.Expr, declarer: pl.Expr) -> pl.Expr:
    """Return declarer's score as points for N-S: the sign changes for East and West, and 0 needs no declarer.

    Null where the score is null, or is not 0 and the declarer is not known.
    """
    sign = 1 - 2 * (code(declarer, SEATS) % 2).cast(pl.Int8)
    return pl.when(score == 0).then(score).otherwise(score * sign)


def law_score(vulnerable: pl.Expr, tricks: pl.Expr) -> pl.Expr:
    """Return the points for N-S by Law 77, of rows with the columns `level strain doubled declarer`.

    Args:
        vulnerable: `None NS EW All`, text or Enum.
        tricks: declarer's tricks, 0-13.
    """
    side = side_vulnerable(vulnerable, pl.col("declarer"))
    score = contract_score(pl.col("level"), pl.col("strain"), pl.col("doubled"), side, tricks)
    return score_ns(score, pl.col("declarer"))


def trick_points(level: pl.Expr, strain: pl.Expr, doubled: pl.Expr) -> pl.Expr:
    """Return the points for the odd tricks bid, as doubled; they decide whether a contract is a game."""
    first = pl.when(code(strain, STRAINS) == _NOTRUMP).then(10).otherwise(0)
    return (level.cast(pl.Int32) * _odd_trick(strain) + first) * _by_doubling(doubled, 1, 2, 4)


def overtrick_points(strain: pl.Expr, doubled: pl.Expr, vulnerable: pl.Expr, over: pl.Expr) -> pl.Expr:
    """Return the points for a number of overtricks."""
    times = doubled.cast(pl.Int32)
    each = pl.when(times == 0).then(_odd_trick(strain)).otherwise(times * _by_vulnerability(vulnerable, 100, 200))
    return over * each


def slam_points(level: pl.Expr, vulnerable: pl.Expr) -> pl.Expr:
    """Return the bonus for a slam bid and made; 0 below the six level."""
    small = pl.when(level == 6).then(_by_vulnerability(vulnerable, 500, 750)).otherwise(0)
    return small + pl.when(level == 7).then(_by_vulnerability(vulnerable, 1000, 1500)).otherwise(0)


def doubled_points(doubled: pl.Expr) -> pl.Expr:
    """Return the bonus for making a doubled (50) or redoubled (100) contract."""
    return 50 * doubled.cast(pl.Int32)


def undertrick_points(doubled: pl.Expr, vulnerable: pl.Expr, down: pl.Expr) -> pl.Expr:
    """Return what the defenders score for a number of undertricks."""
    times = doubled.cast(pl.Int32)
    undoubled = down * _by_vulnerability(vulnerable, 50, 100)
    # Not vulnerable 100, 300, 500 and then 300 each; vulnerable 200 and then 300 each; redoubled twice that.
    steep = pl.when(down <= 3).then(200 * down - 100).otherwise(300 * down - 400)
    each = pl.when(vulnerable).then(300 * down - 100).otherwise(steep)
    return pl.when(times == 0).then(undoubled).otherwise(times * each)


def _made(odd: pl.Expr, strain: pl.Expr, times: pl.Expr, vulnerable: pl.Expr, over: pl.Expr) -> pl.Expr:
    points = trick_points(odd, strain, times)
    game = pl.when(points < GAME).then(50).otherwise(_by_vulnerability(vulnerable, 300, 500))
    bonuses = game + slam_points(odd, vulnerable) + doubled_points(times)
    return points + bonuses + overtrick_points(strain, times, vulnerable, over)


def _odd_trick(strain: pl.Expr) -> pl.Expr:
    return pl.when(code(strain, STRAINS) < _MAJORS).then(20).otherwise(30)


def _by_vulnerability(vulnerable: pl.Expr, no: int, yes: int) -> pl.Expr:
    return pl.when(vulnerable).then(yes).otherwise(no)


def _by_doubling(times: pl.Expr, undoubled: int, doubled: int, redoubled: int) -> pl.Expr:
    return pl.when(times == 2).then(redoubled).when(times == 1).then(doubled).otherwise(undoubled)
