"""The scale by which a file turns matches into victory points, found from the matches that it states."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from fractions import Fraction
from typing import Final

import polars as pl

from overtrick.bridge.victory_points import UNIT, ScaleName, scale_for
from overtrick.config import Scoring
from overtrick.config.scoring import HouseScale
from overtrick.frames import Contestants, Lines
from overtrick.score.match_boards import MATCH, add_boards
from overtrick.score.stated import differs

_SCALES: Final[tuple[ScaleName, ...]] = ("wbf", "wbf-discrete", "acbl-20", "acbl-30")
_MOST: Final = 0.9
"""The share of the stated matches that a scale must give."""

_FEWEST: Final = 3
"""The number of matches that a house scale can be learned from, where totals alone state them."""

_Stated = tuple[Fraction, Fraction, Fraction]
"""A match: the IMPs that a team won by, and the victory points stated for it and for its opponents."""


def settle_scale(lines: Lines, scoring: Scoring, contestants: Contestants) -> Scoring:
    """Set the scale that most stated matches follow: a published one, or a house scale learned from them.

    Args:
        lines: scored lines of matches of teams.
        scoring: a scale that the club has set stays.
        contestants: the teams; their stated totals show the scale where the matches do not.

    Returns:
        The settings; as they were where the file states no matches, or states them in IMPs, or by no scale.
    """
    totals = _stated_totals(contestants)
    if scoring.vp_scale is not None or (not totals and lines["stated_match_ns"].is_null().all()):
        return scoring
    played = add_boards(lines)
    if played.is_empty():
        return scoring
    boards = scoring.vp_boards or max(played["boards"].to_list())
    matches = _stated_matches(lines)
    if not matches or all(own - other == margin for margin, own, other in matches):
        name = _scale_of_totals(played, totals, boards)
        if name is not None:
            return scoring.model_copy(update={"vp_scale": name})
        matches = _matches_from_totals(played, totals)
    if not matches:
        return scoring
    for name in _SCALES:
        scale = scale_for(name, boards)
        agree = [scale is not None and scale.points(margin) == own * UNIT for margin, own, _ in matches]
        if sum(agree) >= _MOST * len(matches):
            return scoring.model_copy(update={"vp_scale": name})
    house = learn_scale(matches)
    return scoring if house is None else scoring.model_copy(update={"vp_scale": "house", "house_scale": house})


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


def _matches_from_totals(played: pl.DataFrame, totals: Mapping[str, float]) -> list[_Stated]:
    """Return what totals state of matches: where each team played one, its total is what the match earned."""
    margins = _margins(played)
    if played.height < _FEWEST or any(len(own) > 1 for own in margins.values()) or _are_imps(played, totals):
        return []
    both = [tuple(pair) for pair in played.select("team", "opponents").iter_rows()]
    return [
        (margins[team][0], Fraction(str(totals[team])), Fraction(str(totals[other])))
        for team, other in both
        if team in totals and other in totals and margins[team][0].denominator == 1
    ]


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
    """Return the scale of which the stated matches are examples; None if they contradict each other.

    A margin between two examples earns what the lower one does.
    """
    # Matches of 2, 7 and 11 IMPs, at 12-8, 15-5 and 17-3, and nothing known of a tie:
    #
    #     margins  0   2   7   11
    #     winner   10  12  15  17
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
