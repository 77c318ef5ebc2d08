"""The scale by which a file turns matches into victory points, found from the matches that it states."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import floor
from typing import Final

import polars as pl

from overtrick.core.bridge.methods import Method
from overtrick.core.bridge.victory_points import UNIT, ScaleName, scale_for
from overtrick.core.config import Scoring
from overtrick.core.config.scoring import HouseScale
from overtrick.core.frames import PROBLEMS, Contestants, Lines, Problems, Results, empty
from overtrick.core.problems import report
from overtrick.judge.score.match_results import MATCH, add_boards

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
        computed: ours, Float64, of the same length.
        units: what one of ours may count in the file; the unit that fits most rows is taken for all. Nobody rounds by
            more than half a unit.
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
    return lines.select(((pl.col("status") != "adjusted") & (tables.fill_null(0) <= 1)).alias("alone"))["alone"]


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
    nothing = empty(PROBLEMS)
    totals = _stated_totals(contestants)
    if scoring.vp_scale is not None or (not totals and lines["stated_match_ns"].is_null().all()):
        return scoring, nothing
    played = add_boards(lines)
    if played.is_empty():
        return scoring, nothing
    boards = scoring.vp_boards or max(played["boards"].to_list())
    matches, missed = _stated_matches(lines), None
    name = None
    if not matches or all(own - other == margin for margin, own, other in matches):
        name = _scale_of_totals(played, totals, boards)
        matches, missed = _matches_from_totals(played, totals) if name is None else ([], None)
    if missed is not None:
        code, margins = missed
        return scoring, report(code, lines.select("source", margins=pl.lit(margins)).head(1))
    name = name or _scale_of_matches(matches, boards)
    if name is not None:
        return scoring.model_copy(update={"vp_scale": name}), nothing
    house = learn_scale(matches)
    return scoring if house is None else scoring.model_copy(update={"vp_scale": "house", "house_scale": house}), nothing


def _scale_of_matches(matches: Sequence[_Stated], boards: int) -> ScaleName | None:
    """Return the published scale that gives most of some matches; None for no matches."""
    for name in _SCALES:
        scale = scale_for(name, boards)
        agree = [scale is not None and scale.points(margin) == own * UNIT for margin, own, _ in matches]
        if matches and sum(agree) >= _MOST * len(matches):
            return name
    return None


def _stated_totals(contestants: Contestants) -> dict[str, float]:
    """Return the stated total of each contestant."""
    return dict(contestants.select("contestant", "stated_total").drop_nulls().iter_rows())


def _scale_of_totals(played: pl.DataFrame, totals: Mapping[str, float], boards: int) -> ScaleName | None:
    """Return the published scale by which the matches add up to most stated totals; None if these are IMPs.

    Args:
        played: the matches, as `add_boards` returns them.
        totals: by team.
        boards: of a whole match.
    """
    margins = _margins(played)
    teams = [team for team in totals if team in margins]
    if len(teams) < 2 or _are_imps(played, totals):
        return None
    stated = pl.Series([totals[team] for team in teams], dtype=pl.Float64)
    for name in _SCALES:
        scale = scale_for(name, boards)
        if scale is None:
            continue
        earned = [float(sum(scale.points(margin) for margin in margins[team])) / UNIT for team in teams]
        wrong = differs(stated, pl.Series(earned, dtype=pl.Float64), in_hundredths=True)
        if wrong.sum() <= (1 - _MOST) * len(teams):
            return name
    return None


def _matches_from_totals(
    played: pl.DataFrame, totals: Mapping[str, float]
) -> tuple[list[_Stated], tuple[str, str] | None]:
    """Return an example of each margin, with the victory points that the totals leave no choice about.

    Each total is an equation: what the team's wins are worth, and for each loss the share of both less what that win is
    worth. The totals must settle every margin, and one total more must confirm them.

    Returns:
        The examples; none if the totals are not victory points, or leave something open. And the code and the values of
        the problem that tells so.
    """
    margins = {
        team: [floor(abs(one)) * (1 if one > 0 else -1) for one in own] for team, own in _margins(played).items()
    }
    known = {team: Fraction(str(total)) for team, total in totals.items() if team in margins}
    shared = sum(known.values(), Fraction(0)) / played.height
    within = all(0 <= total <= shared * len(margins[team]) for team, total in known.items())
    if known.keys() != margins.keys() or shared.denominator > 1 or not within or _are_imps(played, totals):
        return [], None
    sizes = sorted({abs(one) for own in margins.values() for one in own} - {0})
    worth = _settle([_equation(margins[team], sizes, shared, total) for team, total in known.items()], len(sizes))
    if worth is None:
        return [], ("vp-scale-contradicted", "")
    few = played.height < _FEWEST
    missing = [str(size) for size, points in zip(sizes, worth, strict=True) if points is None or few]
    if missing:
        named = ", ".join([*missing[:_MOST_NAMED], *(["..."] if len(missing) > _MOST_NAMED else [])])
        return [], ("vp-scale-open", named)
    matches = [(Fraction(size), own, shared - own) for size, own in zip(sizes, worth, strict=True) if own is not None]
    return (matches, None) if learn_scale(matches) else ([], ("vp-scale-contradicted", ""))


def _equation(margins: Sequence[int], sizes: Sequence[int], shared: Fraction, total: Fraction) -> list[Fraction]:
    """Return how often a team won less how often it lost by each size, and what its wins less its losses earned."""
    without = sum((shared if one < 0 else shared / 2 if one == 0 else Fraction(0) for one in margins), Fraction(0))
    times = Counter(margins)
    return [*(Fraction(times[size] - times[-size]) for size in sizes), total - without]


def _settle(equations: list[list[Fraction]], unknowns: int) -> list[Fraction | None] | None:
    """Solve equations exactly.

    Returns:
        Each unknown, None where the equations leave it open. None for equations that contradict each other.
    """
    # Gauss-Jordan. Ash beat Oak by 5 and lost to Elm by 5, Oak beat Elm by 2; totals of 20, 18 and 22, with 20 shared:
    #
    #            2   5
    #     Ash    0   0   0      1  -1  -2     so 5 is worth 2 more than 2, and both stay open
    #     Oak    1  -1  -2      0   0   0
    #     Elm   -1   1   2      0   0   0
    rows = [row[:] for row in equations]
    leading: list[int] = []
    for column in range(unknowns):
        place = len(leading)
        found = next((at for at in range(place, len(rows)) if rows[at][column]), None)
        if found is None:
            continue
        rows[place], rows[found] = rows[found], rows[place]
        rows[place] = [value / rows[place][column] for value in rows[place]]
        for at, row in enumerate(rows):
            if at != place and row[column]:
                rows[at] = [own - row[column] * value for own, value in zip(row, rows[place], strict=True)]
        leading.append(column)
    spare = rows[len(leading) :]
    if any(row[-1] for row in spare):
        return None
    settled: list[Fraction | None] = [None] * unknowns
    for row, column in zip(rows, leading, strict=False):
        if sum(map(bool, row[:-1])) == 1:
            settled[column] = row[-1]
    return settled


def _margins(played: pl.DataFrame) -> dict[str, list[Fraction]]:
    """Return by team what it won each of its matches by, in IMPs."""
    margins: dict[str, list[Fraction]] = defaultdict(list)
    for row in played.iter_rows(named=True):
        margins[row["team"]].append(Fraction(row["numerator"], row["denominator"]))
        margins[row["opponents"]].append(Fraction(row["numerator_opponents"], row["denominator"]))
    return margins


def _are_imps(played: pl.DataFrame, totals: Mapping[str, float]) -> bool:
    """Return whether most stated totals are the teams' IMPs, those of the opponents taken off."""
    known = [(totals[team], sum(own, Fraction(0))) for team, own in _margins(played).items() if team in totals]
    return sum(abs(total - own) < 1 for total, own in known) >= _MOST * len(known)


def learn_scale(matches: list[_Stated]) -> HouseScale | None:
    """Return the scale of which the stated matches are examples; None without any, or if they contradict each other.

    A margin between two examples earns what the lower one does.
    """
    # Matches of 2, 7 and 11 IMPs, at 12-8, 15-5 and 17-3, and nothing known of a tie:
    #
    #     margins  0   2   7   11
    #     winner   10  12  15  17
    if not matches:
        return None
    total, times = Counter(own + other for _, own, other in matches).most_common(1)[0]
    if times < _MOST * len(matches):
        return None
    won = {abs(margin): own if margin >= 0 else other for margin, own, other in matches}
    if any(won[abs(margin)] != (own if margin >= 0 else other) for margin, own, other in matches):
        return None
    bands = {0: total / 2} | {int(margin): won[margin] for margin in sorted(won)}
    starts = [
        margin for place, margin in enumerate(bands) if not place or bands[margin] != list(bands.values())[place - 1]
    ]
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
            own, other = (Fraction(str(row[f"stated_match_{side}"])) for side in sides)
            found.append((margin, own, other))
    return found
