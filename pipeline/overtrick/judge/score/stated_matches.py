"""The scale by which a file turns matches into victory points, found from the matches that it states."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from operator import itemgetter
from typing import Final

import polars as pl

from overtrick.core.bridge.methods import Method
from overtrick.core.bridge.victory_points import UNIT, ScaleName, scale_for
from overtrick.core.config import Scoring
from overtrick.core.config.scoring import HouseScale
from overtrick.core.frames import PROBLEMS, Contestants, Lines, Problems, Results, empty
from overtrick.core.problems import report
from overtrick.judge.score.matchpoints import MATCH, add_boards

MATCHPOINT_UNITS: Final = (1.0, 0.5)
"""Files count 2 for a pair beaten and 1 for a tie as overtrick does, or 1 and a half (Law 78A)."""

_MOST_DECIMALS: Final = 2
"""Further decimals that a program writes, as in 62.01923, come from its own arithmetic."""
_SLACK: Final = 1e-9


def differs(
    stated: pl.Series, computed: pl.Series, units: Sequence[float] = (1.0,), *, in_hundredths: bool = False
) -> pl.Series:
    """Return where a stated number differs from the computed one, rounded in any way to the column's decimals.

    Args:
        stated: as the file prints them, Float64; null where it prints none.
        computed: by overtrick, Float64, of the same length.
        units: the values that a computed point may have in the file; the unit that fits most rows is taken for all.
            Nobody rounds by more than half a unit.
        in_hundredths: whether the numbers are counted in hundredths, as victory points: a whole number is then exact.

    Returns:
        Booleans; false where either number is null.
    """
    # The file shows one decimal and counts 1 for a pair beaten: in units of a half, no more than 0.05 away.
    #
    #     stated  computed  differs by units of 1  of 1/2
    #     3.9     7.75      true                   false   (3.875)
    #     2.0     4.0       true                   false
    #     1.9     4.0       true                   true
    #     0.1     0.25      true                   false   (0.125)
    #     null    4.0       false                  false
    if stated.null_count() == len(stated):
        return stated.is_not_null()
    decimals = _MOST_DECIMALS if in_hundredths else _decimals(stated)
    gaps = [min(10.0**-decimals, unit) / 2 + _SLACK for unit in units]
    apart = [
        ((computed * unit - stated).abs() > gap).fill_null(value=False) for unit, gap in zip(units, gaps, strict=True)
    ]
    return min(apart, key=lambda different: int(different.sum()))


def lines_differ(lines: Results, method: Method) -> pl.Series:
    """Return which lines have other points than the file states, for one side or both."""
    units = MATCHPOINT_UNITS if method.unit == "matchpoints" else (1.0,)
    apart = differs(lines["stated_points_ns"], lines["points_ns"], units) | differs(
        lines["stated_points_ew"], lines["points_ew"], units
    )
    return apart & ~stand_alone(lines, method)


def stand_alone(lines: Results, method: Method) -> pl.Series:
    """Return which lines have nothing to compare: the only result of their board, where results are compared.

    Args:
        lines: results; `actual` counts those that are compared, where `score.groups` has added it.
        method: what results are compared with.
    """
    if method.compared not in {"results", "datum"}:
        return pl.repeat(False, lines.height, dtype=pl.Boolean, eager=True)
    scored = pl.col("score_ns").is_not_null() | pl.col("weights").is_not_null()
    tables = pl.col("actual") if "actual" in lines.columns else scored.sum().over("board")
    return lines.select(alone=(pl.col("status") != "adjusted") & (tables.fill_null(0) <= 1))["alone"]


def states_imps(results: Results) -> bool:
    """Return whether the points that a file states can only be IMPs: some are negative, which no matchpoints are."""
    points = pl.concat([results["stated_points_ns"], results["stated_points_ew"]])
    return bool((points < 0).any())


def _decimals(numbers: pl.Series) -> int:
    """Count the decimals that a column of numbers needs."""
    for decimals in range(_MOST_DECIMALS):
        if ((numbers - numbers.round(decimals)).abs() < _SLACK).all():
            return decimals
    return _MOST_DECIMALS


_SCALES: Final[tuple[ScaleName, ...]] = ("wbf", "wbf-discrete", "acbl-20", "acbl-30")
_MOST: Final = 0.9
"""The share of the stated matches that a scale must give."""

_FEWEST: Final = 3
"""The number of matches that a house scale can be learned from, where totals alone state them."""

_MOST_NAMED: Final = 5
"""The most margins that a message names."""

_Stated = tuple[Fraction, Fraction, Fraction]
"""A match: the IMPs that a team won by, and the victory points stated for it and for its opponents."""

_Margins = Mapping[str, Sequence[Fraction]]
"""By team, the IMPs that it won each of its matches by."""


def settle_scale(lines: Lines, scoring: Scoring, contestants: Contestants) -> tuple[Scoring, Problems]:
    """Set the scale that most stated matches follow: a published one, or a house scale learned from them.

    Args:
        lines: scored lines of matches of teams.
        scoring: a scale that the club has set stays.
        contestants: the teams; their stated totals show the scale where the matches do not.

    Returns:
        The settings; as they were where the file states no matches, or states them in IMPs, or by no scale. And
        `vp-scale-open` or `vp-scale-contradicted` where totals are in victory points and do not show their scale.
    """
    totals = dict(contestants.select("contestant", "stated_total").drop_nulls().iter_rows())
    states_any = bool(totals) or lines["stated_match_ns"].is_not_null().any()
    played = add_boards(lines) if scoring.vp_scale is None and states_any else pl.DataFrame()
    if played.is_empty():
        return scoring, empty(PROBLEMS)
    boards = scoring.vp_boards or max(played["boards"].to_list())
    matches = _stated_matches(lines)
    if any(points - others != margin for margin, points, others in matches):
        return _with_scale_of(matches, boards, scoring), empty(PROBLEMS)
    margins = _list_margins(played)
    if name := _scale_of_totals(margins, totals, boards):
        return scoring.model_copy(update={"vp_scale": name}), empty(PROBLEMS)
    matches, code, unsettled = _find_matches(margins, totals)
    problem = lines.select("source", margins=pl.lit(unsettled)).head(1)
    return _with_scale_of(matches, boards, scoring), report(code, problem) if code else empty(PROBLEMS)


def _with_scale_of(matches: Sequence[_Stated], boards: int, scoring: Scoring) -> Scoring:
    """Set the scale that some matches follow, if any."""
    if name := _scale_of_matches(matches, boards):
        return scoring.model_copy(update={"vp_scale": name})
    house = learn_scale(matches)
    return scoring.model_copy(update={"vp_scale": "house", "house_scale": house}) if house else scoring


def _scale_of_matches(matches: Sequence[_Stated], boards: int) -> ScaleName | None:
    """Return the published scale that gives most of some matches; None for no matches."""
    for name in _SCALES:
        scale = scale_for(name, boards)
        agree = [scale is not None and scale.points(margin) == points * UNIT for margin, points, _ in matches]
        if matches and sum(agree) >= _MOST * len(matches):
            return name
    return None


def _list_margins(played: pl.DataFrame) -> _Margins:
    """Return by team what it won each of its matches by, in IMPs; `played` are the rows of `add_boards`."""
    margins: dict[str, list[Fraction]] = defaultdict(list)
    for row in played.iter_rows(named=True):
        margins[row["team"]].append(Fraction(row["numerator"], row["denominator"]))
        margins[row["opponents"]].append(Fraction(row["numerator_opponents"], row["denominator"]))
    return margins


def _are_imps(margins: _Margins, totals: Mapping[str, float]) -> bool:
    """Return whether most stated totals are the teams' IMPs, those of the opponents taken off."""
    apart = [abs(totals[team] - sum(won, Fraction(0))) for team, won in margins.items() if team in totals]
    return sum(by < 1 for by in apart) >= _MOST * len(apart)


def _scale_of_totals(margins: _Margins, totals: Mapping[str, float], boards: int) -> ScaleName | None:
    """Return the published scale by which the matches add up to most stated totals; None if these are IMPs.

    Args:
        margins: of the matches.
        totals: by team.
        boards: of a whole match.
    """
    teams = [team for team in totals if team in margins]
    if len(teams) < 2 or _are_imps(margins, totals):
        return None
    stated = pl.Series([totals[team] for team in teams], dtype=pl.Float64)
    for name in _SCALES:
        if scale := scale_for(name, boards):
            earned = [float(sum(map(scale.points, margins[team]))) / UNIT for team in teams]
            wrong = differs(stated, pl.Series(earned, dtype=pl.Float64), in_hundredths=True)
            if wrong.sum() <= (1 - _MOST) * len(teams):
                return name
    return None


def _find_matches(margins: _Margins, totals: Mapping[str, float]) -> tuple[list[_Stated], str, str]:
    """Return an example of each margin, with the victory points that the totals leave no choice about.

    Each total is an equation: what the team's wins are worth, and for each loss the share of both less what that win is
    worth. The totals must settle every margin, and one total more must confirm them.

    Returns:
        The examples; none if the totals are not victory points, or leave something open. And the code and the margins
        of the problem that reports why; both empty where there is none.
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
    shared = sum(known.values(), Fraction(0)) / count
    if not _may_share(shared, margins, known) or _are_imps(margins, totals):
        return [], "", ""
    whole = {team: [int(by) for by in margins[team]] for team in known}
    sizes = sorted({abs(by) for each in whole.values() for by in each} - {0})
    rows = _eliminate([_equation(whole[team], sizes, shared, total) for team, total in known.items()])
    if any(row[-1] and not any(row[:-1]) for row in rows):
        return [], "vp-scale-contradicted", ""
    worth = _list_settled(rows, sizes)
    if missing := [str(size) for size in sizes if size not in worth or count < _FEWEST]:
        return [], "vp-scale-open", ", ".join([*missing[:_MOST_NAMED], *["..."] * (len(missing) > _MOST_NAMED)])
    matches = [(Fraction(size), points, shared - points) for size, points in sorted(worth.items())]
    return (matches, "", "") if learn_scale(matches) else ([], "vp-scale-contradicted", "")


def _may_share(points: Fraction, margins: _Margins, totals: Mapping[str, Fraction]) -> bool:
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
    # The equations of `_find_matches`, the first unknown taken out of all but one, then the second:
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


def learn_scale(matches: Sequence[_Stated]) -> HouseScale | None:
    """Return the scale of which the stated matches are examples; None without any, or if they contradict each other.

    A margin between two examples earns what the lower one does.
    """
    # Matches of 2, 7, 9 and 11 IMPs, at 12-8, 15-5, 15-5 and 17-3, and nothing known of a tie:
    #
    #     margins  0   2   7   11
    #     winner   10  12  15  17
    if not matches:
        return None
    total, times = Counter(points + others for _, points, others in matches).most_common(1)[0]
    won = {(int(abs(margin)), points if margin >= 0 else others) for margin, points, others in matches}
    if times < _MOST * len(matches) or len(dict(won)) < len(won):
        return None
    bands = {0: total / 2} | dict(sorted(won))
    starts = [next(band)[0] for _, band in groupby(bands.items(), key=itemgetter(1))]
    try:
        return HouseScale(total=float(total), margins=starts, winner=[float(bands[margin]) for margin in starts])
    except ValueError:
        return None


def _stated_matches(lines: Lines) -> list[_Stated]:
    """Return the matches that the file states for both teams."""
    stated = (
        lines.drop_nulls(["one_team", "stated_match_ns", "stated_match_ew"])
        .group_by(MATCH, maintain_order=True)
        .agg(pl.first("team_ns", "stated_match_ns", "stated_match_ew"))
    )
    by_match = {tuple(row[name] for name in MATCH): row for row in stated.iter_rows(named=True)}
    found = []
    for match in add_boards(lines).iter_rows(named=True):
        row = by_match.get(tuple(match[name] for name in MATCH))
        margin = Fraction(match["numerator"], match["denominator"])
        if row is not None and margin.denominator == 1:
            sides = ("ns", "ew") if row["team_ns"] == match["team"] else ("ew", "ns")
            points, others = (Fraction(str(row[f"stated_match_{side}"])) for side in sides)
            found.append((margin, points, others))
    return found
