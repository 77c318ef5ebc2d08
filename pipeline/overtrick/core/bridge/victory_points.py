"""Victory points: what a margin is worth to the winner of a match, by published scales or a club's own.

A scale is data: what the winner earns at each margin, and what winner and loser share. The WBF scales follow from a
formula and the number of boards; the ACBL's scales, and the one for matchpoints, are printed. Margins are IMPs; at
matchpoints they are hundredths of a per cent above 50. A club's own scale can be learned from matches, or from totals.
"""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal, localcontext
from fractions import Fraction
from functools import cache
from itertools import groupby, pairwise
from math import floor, isqrt
from operator import itemgetter
from typing import Final, Literal, NamedTuple

UNIT: Final = 100
"""Victory points are counted in hundredths."""

ScaleName = Literal["wbf", "wbf-discrete", "acbl-20", "acbl-30", "percent"]

ACBL_20: Final = {
    (6, 8): (1, 3, 5, 8, 11, 14, 17, 20, 24, 28),
    (9, 11): (1, 3, 6, 10, 14, 18, 22, 26, 31, 36),
    (12, 15): (1, 4, 7, 11, 15, 20, 25, 30, 36, 42),
    (16, 20): (2, 5, 9, 14, 19, 25, 32, 39, 47, 56),
    (21, 27): (3, 7, 12, 18, 25, 33, 42, 51, 61, 72),
    (28, 36): (4, 9, 15, 22, 30, 39, 49, 60, 72, 85),
}
"""By the boards of a match, the smallest margins that earn 11, 12, ... 20 of 20; a smaller margin earns 10."""

ACBL_30: Final = {
    (6, 8): (1, 2, 3, 4, 5, 7, 9, 11, 14, 17, 20, 24, 28),
    (9, 11): (1, 2, 3, 5, 7, 9, 12, 15, 18, 22, 26, 31, 36),
}
"""The same for 18, 19, ... 30 of 30; a tie is 15, and 16 and 17 do not occur."""

PERCENT: Final = {
    (2, 4): (92, 280, 471, 670, 880, 1108, 1363, 1661, 2036, 2595),
    (5, 6): (78, 239, 402, 572, 751, 945, 1162, 1417, 1737, 2213),
    (7, 9): (65, 198, 333, 474, 623, 783, 964, 1175, 1440, 1835),
    (10, 13): (54, 165, 278, 395, 519, 653, 804, 980, 1201, 1530),
    (14, 19): (45, 138, 232, 330, 434, 545, 671, 818, 1003, 1278),
    (20, 27): (38, 116, 194, 277, 363, 457, 562, 685, 840, 1071),
    (28, 39): (32, 97, 163, 232, 304, 383, 471, 574, 704, 897),
    (40, 55): (27, 81, 137, 195, 256, 321, 395, 482, 591, 753),
}
"""By the boards of a match, the hundredths of a per cent above 50 that earn 11, 12, ... 20 of 20 at matchpoints."""

_PRINTED: Final[Mapping[ScaleName, tuple[int, Mapping[tuple[int, int], Sequence[int]]]]] = {
    "acbl-20": (20, ACBL_20),
    "acbl-30": (30, ACBL_30),
    "percent": (20, PERCENT),
}
"""By scale, the victory points that winner and loser share, and the bounds by the boards of a match."""

WHOLE_SHARE: Final = 10_000
"""All the matchpoints of a match, in the unit of the margins of `PERCENT`."""

_DIGITS: Final = 40
_CENT: Final = Decimal("0.01")


class Scale(NamedTuple):
    """A scale for matches of one length.

    Attributes:
        name: as it is published.
        total: what winner and loser have together, in hundredths.
        earned: what the winner earns at a margin of 0, 1, 2, ..., in hundredths; the last for any larger margin.
        between: returns what the winner earns at a margin that is not whole; None: as at the whole margin below.
    """

    name: str
    total: int
    earned: tuple[int, ...]
    between: Callable[[Fraction], int] | None = None

    def points(self, margin: Fraction | int) -> int:
        """Return the hundredths that a side earns by its margin, which is negative for the loser."""
        if margin < 0:
            return self.total - self.points(-margin)
        whole = floor(margin)
        if whole == margin or self.between is None or whole >= len(self.earned) - 1:
            return self.earned[min(whole, len(self.earned) - 1)]
        return self.between(Fraction(margin))


def scale_for(name: ScaleName, boards: int) -> Scale | None:
    """Return a published scale for matches of that many boards; None where it was not published for that length."""
    if boards < 1:
        return None
    if name == "wbf":
        return wbf_continuous(boards)
    if name == "wbf-discrete":
        return wbf_discrete(boards)
    total, ranges = _PRINTED[name]
    bounds = next((found for (least, most), found in ranges.items() if least <= boards <= most), None)
    if bounds is None:
        return None
    return from_bounds(name, total, [0, *bounds], [total // 2, *range(total + 1 - len(bounds), total + 1)])


def from_bounds(
    name: str, total: int | Fraction, bounds: Sequence[int], victory_points: Sequence[int | Fraction]
) -> Scale:
    """Make a scale of bands.

    Args:
        name: of the scale.
        total: victory points that winner and loser have together.
        bounds: the smallest margin of each band: from 0, ascending.
        victory_points: what the winner earns in each band: at most half of the total in the first, never falling, with
            two decimals at most.

    Raises:
        ValueError: the bands do not make a scale; the message says why.
    """
    shared, *cents = (Fraction(points) * UNIT for points in (total, *victory_points))
    _check_bands(shared, bounds, cents)
    # The last band has no end: one margin stands for all of it.
    widths = [*(high - low for low, high in pairwise(bounds)), 1]
    earned = [int(value) for value, width in zip(cents, widths, strict=True) for _ in range(width)]
    return Scale(name, int(shared), tuple(earned))


def _check_bands(shared: Fraction, bounds: Sequence[int], cents: Sequence[Fraction]) -> None:
    """Refuse margins and hundredths of victory points that are not a scale."""
    if len(bounds) != len(cents) or not bounds:
        raise ValueError("expected as many margins as victory points")
    if bounds[0] != 0 or [*bounds] != sorted({*bounds}):
        raise ValueError("expected margins that begin at 0 and ascend")
    if any(value.denominator != 1 for value in (*cents, shared)):
        raise ValueError("expected victory points of two decimals at most")
    if 2 * cents[0] > shared or [*cents] != sorted(cents):
        raise ValueError("expected victory points that never fall, and at margin 0 no more than half of the total")
    if cents[-1] > shared:
        raise ValueError("expected victory points up to the total")


@cache
def wbf_continuous(boards: int) -> Scale:
    """Compute the WBF scale of 2013: 20.00 shared, by the formula, with the concavity that its regulation asks for.

    Rounded to hundredths, the formula's steps sometimes grow again by one; the value in between is then raised, so that
    no IMP is ever worth more than the one before. A margin that is not whole has the formula's value, rounded.
    """
    earned = [_rounded(_curve(margin, boards)) for margin in range(_least_blitz(boards) + 1)]
    raised = True
    while raised:
        raised = False
        for i in range(1, len(earned) - 1):
            if earned[i + 1] - earned[i] > earned[i] - earned[i - 1]:
                earned[i] += 1
                raised = True
    return Scale("wbf", 20 * UNIT, tuple(earned), lambda margin: _rounded(_curve(margin, boards)))


@cache
def wbf_discrete(boards: int) -> Scale:
    """Compute the whole-number scale from the same curve: a band ends where the curve rounds up to the next number.

    Bands never shrink as victory points grow, where the band of the tie counts on both sides: a band that rounding down
    to whole IMPs would make wider than the next ends earlier.
    """
    curve = [_curve(margin, boards) for margin in range(_least_blitz(boards) + 1)]
    ends = [bisect_right(curve, Decimal(2 * k + 21) / 2) - 1 for k in range(10)]
    shrunk = True
    while shrunk:
        shrunk = False
        widths = [2 * ends[0] + 1, *(high - low for low, high in pairwise(ends))]
        for k, (width, following) in enumerate(pairwise(widths)):
            if width > following:
                ends[k] -= 1
                shrunk = True
                break
    return from_bounds("wbf-discrete", 20, [0, *(end + 1 for end in ends)], list(range(10, 21)))


def _least_blitz(boards: int) -> int:
    """Return the smallest whole margin that earns everything: 15 times the root of the boards, rounded up."""
    root = isqrt(225 * boards)
    return root if root * root == 225 * boards else root + 1


def _curve(margin: int | Fraction, boards: int) -> Decimal:
    """Return the winner's victory points before rounding."""
    with localcontext() as context:
        context.prec = _DIGITS
        size = Decimal(margin.numerator) / Decimal(margin.denominator)
        blitz = 15 * Decimal(boards).sqrt()
        if size >= blitz:
            return Decimal(20)
        ratio = ((Decimal(5).sqrt() - 1) / 2) ** 3
        return 10 + 10 * (1 - ratio ** (size / blitz)) / (1 - ratio)


def _rounded(points: Decimal) -> int:
    return int((points.quantize(_CENT, ROUND_HALF_UP)) * UNIT)


_MOST: Final = 0.9
"""The share of the examples that must agree with what is learned."""

_FEWEST: Final = 3
"""The number of matches that a scale can be learned from, where totals alone state them."""

_MOST_NAMED: Final = 5
"""The most margins that a message names."""

StatedMatch = tuple[Fraction, Fraction, Fraction]
"""A match: the IMPs that a team won by, and the victory points stated for it and for its opponents."""

Margins = Mapping[str, Sequence[Fraction]]
"""By team, the IMPs that it won each of its matches by."""


class Bands(NamedTuple):
    """A club's scale as `[scoring.house_scale]` has it."""

    total: float
    margins: list[int]
    winner: list[float]


def are_imps(margins: Margins, totals: Mapping[str, float]) -> bool:
    """Return whether most stated totals are the teams' IMPs, those of the opponents taken off."""
    apart = [abs(totals[team] - sum(won, Fraction(0))) for team, won in margins.items() if team in totals]
    return sum(by < 1 for by in apart) >= _MOST * len(apart)


def learn_from_totals(margins: Margins, totals: Mapping[str, float]) -> tuple[Bands | None, str, str]:
    """Return the scale that totals of victory points leave no choice about.

    Each total is an equation: what the team's wins are worth, and for each loss the share of both less what that win is
    worth. The totals must settle every margin, and one total more must confirm them.

    Returns:
        The scale; None if the totals are not victory points, or leave something open. And the code and the margins of
        the problem that reports why; both empty where there is none.
    """
    # Ash beat Oak by 5 IMPs and Elm by 2, and Oak beat Elm by 2, with totals of 25, 17 and 18. All are 60, so that the
    # two teams of a match share 20:
    #
    #           wins less losses by 2, by 5    total less 20 for each loss
    #     Ash           1    1                 25
    #     Oak           1   -1                 17 - 20 =  -3
    #     Elm          -2    0                 18 - 40 = -22
    #
    # Ash and Oak settle that 2 earn 11 and 5 earn 14, and Elm confirms it.
    known = {team: Fraction(str(total)) for team, total in totals.items() if team in margins}
    count = sum(map(len, margins.values())) // 2
    shared = sum(known.values(), Fraction(0)) / max(count, 1)
    if not _may_share(shared, margins, known) or are_imps(margins, totals):
        return None, "", ""
    whole = {team: [int(by) for by in margins[team]] for team in known}
    sizes = sorted({abs(by) for each in whole.values() for by in each} - {0})
    rows = _eliminate([_equation(whole[team], sizes, shared, total) for team, total in known.items()])
    if any(row[-1] and not any(row[:-1]) for row in rows):
        return None, "vp-scale-open/contradicted", ""
    worth = _list_settled(rows, sizes)
    if missing := [str(size) for size in sizes if size not in worth or count < _FEWEST]:
        named = [*missing[:_MOST_NAMED], *["..."] * (len(missing) > _MOST_NAMED)]
        return None, "vp-scale-open/unknown", ", ".join(named)
    learned = learn_scale([(Fraction(size), points, shared - points) for size, points in sorted(worth.items())])
    return (learned, "", "") if learned else (None, "vp-scale-open/contradicted", "")


def _may_share(points: Fraction, margins: Margins, totals: Mapping[str, Fraction]) -> bool:
    """Return whether the two teams of each match may share some points: all totals are known, and none is too high."""
    within = all(0 <= total <= points * len(margins[team]) for team, total in totals.items())
    return within and points.denominator == 1 and totals.keys() == margins.keys()


def _list_settled(rows: Sequence[list[Fraction]], sizes: Sequence[int]) -> dict[int, Fraction]:
    """Return by size what a win is worth, where an equation has that unknown alone."""
    alone = [row for row in rows if sum(map(bool, row[:-1])) == 1]
    return {sizes[row.index(Fraction(1))]: row[-1] for row in alone}


def _equation(margins: Sequence[int], sizes: Sequence[int], shared: Fraction, total: Fraction) -> list[Fraction]:
    """Return how often a team won less how often it lost by each size, and what its wins less its losses earned."""
    times = Counter(margins)
    losses = sum(by < 0 for by in margins)
    return [*(Fraction(times[size] - times[-size]) for size in sizes), total - shared * losses - shared * times[0] / 2]


def _eliminate(equations: Sequence[list[Fraction]]) -> list[list[Fraction]]:
    """Solve equations exactly, by Gauss and Jordan; the last number of each is its right side.

    Returns:
        Equations with the same solutions. One with a single unknown settles it, and one without any is a contradiction
        unless its right side is 0.
    """
    # The equations of `learn_from_totals`, the first unknown taken out of all but one, then the second:
    #
    #     1   1   25      1   1   25      1   0   11
    #     1  -1   -3      0  -2  -28      0   1   14
    #    -2   0  -22      0   2   28      0   0    0
    rows = list(equations)
    leading: list[list[Fraction]] = []
    for column in range(len(rows[0]) - 1):
        if found := [row for row in rows if row[column]]:
            first = found[0]
            rows.remove(first)
            unit = [value / first[column] for value in first]
            rows, leading = ([_take_out(column, unit, row) for row in part] for part in (rows, leading))
            leading.append(unit)
    return [*leading, *rows]


def _take_out(column: int, unit: Sequence[Fraction], row: Sequence[Fraction]) -> list[Fraction]:
    """Subtract from a row as many times another, which has 1 in a column, as leaves 0 there."""
    return [value - row[column] * other for value, other in zip(row, unit, strict=True)]


def learn_scale(matches: Sequence[StatedMatch]) -> Bands | None:
    """Return the scale of which the stated matches are examples; None without any, or if they contradict each other.

    A margin between two examples earns what the lower one does, and one with several examples what most of these say.
    """
    # Matches of 2, 7, 9 and 11 IMPs, at 12-8, 15-5, 15-5 and 17-3, and nothing known of a tie:
    #
    #     margins  0   2   7   11
    #     winner   10  12  15  17
    if not matches:
        return None
    total, times = Counter(points + others for _, points, others in matches).most_common(1)[0]
    said: dict[int, Counter[Fraction]] = defaultdict(Counter)
    for margin, points, others in matches:
        said[int(abs(margin))][points if margin >= 0 else others] += 1
    if times < _MOST * len(matches) or any(2 * max(each.values()) <= each.total() for each in said.values()):
        return None
    bands = {0: total / 2} | {margin: said[margin].most_common(1)[0][0] for margin in sorted(said)}
    starts = [next(band)[0] for _, band in groupby(bands.items(), key=itemgetter(1))]
    try:
        from_bounds("house", total, starts, [bands[margin] for margin in starts])
    except ValueError:
        return None
    return Bands(float(total), starts, [float(bands[margin]) for margin in starts])
