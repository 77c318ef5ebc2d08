"""The scale by which a file turns matches into victory points, found from the matches that it states."""

from collections import Counter
from fractions import Fraction
from typing import Final

import polars as pl

from overtrick.bridge.victory_points import UNIT, ScaleName, scale_for
from overtrick.config import Scoring
from overtrick.config.scoring import HouseScale
from overtrick.frames import Lines
from overtrick.score.match_boards import MATCH, add_boards

_SCALES: Final[tuple[ScaleName, ...]] = ("wbf", "wbf-discrete", "acbl-20", "acbl-30")
_MOST: Final = 0.9
"""The share of the stated matches that a scale must give."""

_Stated = tuple[Fraction, Fraction, Fraction]
"""A match: the IMPs that a team won by, and the victory points stated for it and for its opponents."""


def settle_scale(lines: Lines, scoring: Scoring) -> Scoring:
    """Set the scale that most stated matches follow: a published one, or a house scale learned from them.

    Args:
        lines: scored lines of matches of teams.
        scoring: a scale that the club has set stays.

    Returns:
        The settings; as they were where the file states no matches, or states them in IMPs, or by no scale.
    """
    if scoring.vp_scale is not None or lines["stated_match_ns"].is_null().all():
        return scoring
    matches = _stated_matches(lines)
    if not matches or all(own - other == margin for margin, own, other in matches):
        return scoring
    boards = scoring.vp_boards or max(add_boards(lines)["boards"].to_list())
    for name in _SCALES:
        scale = scale_for(name, boards)
        agree = [scale is not None and scale.points(margin) == own * UNIT for margin, own, _ in matches]
        if sum(agree) >= _MOST * len(matches):
            return scoring.model_copy(update={"vp_scale": name})
    house = learn_scale(matches)
    return scoring if house is None else scoring.model_copy(update={"vp_scale": "house", "house_scale": house})


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
