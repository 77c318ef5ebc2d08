"""Rubber bridge (Laws of Contract Bridge 1993, 72-81): the first side with two games wins the rubber.

The winner of the rubber is not always the winner on points.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from overtrick.core.bridge.score import GAME
from overtrick.core.bridge.sheets import SIDES, Deal, Entry, Sheet, Side, deal_entries, only_side, other_side, worths

RUBBER_IN_TWO: Final = 700
RUBBER_IN_THREE: Final = 500
ONLY_GAME: Final = 300
"""Bonus for the only side with a game in a rubber that is not finished."""
ONLY_PART_SCORE: Final = 100
"""Bonus for the only side with a part-score in the game that is not finished."""


def rubbers(deals: Sequence[Deal]) -> list[Sheet]:
    """Score deals in the order played as rubbers; the last rubber may be unfinished.

    A side with a game is vulnerable. A game is 100 points below the line, in one deal or several; it cuts off the
    part-scores of both sides. Passed-out deals earn nothing, and the next player deals. An unfinished rubber is settled
    after its last deal: 300 for the only game and 100 for the only part-score, which need not be the same side's.

    Args:
        deals: in order; contract, declarer, tricks and honours are used, a stated dealer or vulnerability is ignored.

    Returns:
        One sheet a rubber, with deals numbered from 0 in each.
    """
    sheets: list[Sheet] = []
    entries: list[Entry] = []
    games: Counter[Side] = Counter()
    below: Counter[Side] = Counter()
    start = 0
    for place, (deal, worth) in enumerate(zip(deals, worths(deals), strict=True)):
        number, side, played = place - start, deal.side, games.total()
        earned = worth[side is not None and games[side] > 0]
        entries += deal_entries(number, deal, earned, played)
        if side is None:
            continue
        below[side] += earned.tricks
        if below[side] >= GAME:
            games[side] += 1
            below.clear()
        if games[side] == 2:
            bonus = RUBBER_IN_THREE if games[other_side(side)] else RUBBER_IN_TWO
            sheets.append(Sheet((*entries, Entry(number, side, "rubber", bonus, played)), number + 1, finished=True))
            entries, games, start = [], Counter(), place + 1
    if start < len(deals):
        end = _unfinished(games, below)
        sheets.append(Sheet((*entries, *end), len(deals) - start, finished=False))
    return sheets


def _unfinished(games: Counter[Side], below: Counter[Side]) -> Iterator[Entry]:
    """List the bonuses of a rubber that is not finished."""
    ahead = only_side(side for side in SIDES if games[side])
    if ahead is not None:
        yield Entry(None, ahead, "game", ONLY_GAME, games.total())
    part = only_side(side for side in SIDES if below[side])
    if part is not None:
        yield Entry(None, part, "part-score", ONLY_PART_SCORE, games.total())
