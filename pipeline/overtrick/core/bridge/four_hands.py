"""The four-hand match of the Alberta 55 Plus games: rubber scoring, but each game is paid at once."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from overtrick.core.bridge.score import GAME
from overtrick.core.bridge.sheets import SIDES, Deal, Entry, Sheet, Side, deal_entries, worths

HANDS: Final = 4
FAST_GAME: Final = 500
"""Bonus for a game whose last deal alone earned 100 below the line."""
SLOW_GAME: Final = 300
"""Bonus for any other game."""
ONLY_LEG: Final = 100
"""Bonus at the end for the only side with a part-score ("leg") that is not yet a game."""
BOTH_LEGS: Final = 50
"""Bonus at the end for each side, where both have a leg."""


def four_hands(deals: Sequence[Deal]) -> Sheet:
    """Score one match, all its deals in order.

    A game makes its side vulnerable for the rest of the match and cuts off the legs of both sides; a further game earns
    the same bonus again. A deal that is passed out earns nothing, and the next player deals.

    Args:
        deals: of one match; contract, declarer, tricks, honours and conduct are used.

    Returns:
        The sheet; finished when at least four deals were played or passed out.
    """
    entries: list[Entry] = []
    games: Counter[Side] = Counter()
    legs: Counter[Side] = Counter()
    for number, (deal, worth) in enumerate(zip(deals, worths(deals), strict=True)):
        side, played = deal.side, games.total()
        earned = worth[side is not None and games[side] > 0]
        entries += deal_entries(number, deal, earned, played)
        if side is None:
            continue
        legs[side] += earned.tricks
        if legs[side] >= GAME:
            bonus = FAST_GAME if earned.tricks >= GAME else SLOW_GAME
            entries.append(Entry(number, side, "game", bonus, played))
            games[side] += 1
            legs.clear()
    return Sheet((*entries, *_legs(legs, games.total())), len(deals), finished=len(deals) >= HANDS)


def _legs(legs: Counter[Side], games: int) -> Iterator[Entry]:
    """List what part-scores earn at the end."""
    on = [side for side in SIDES if legs[side]]
    for side in on:
        yield Entry(None, side, "part-score", ONLY_LEG if len(on) == 1 else BOTH_LEGS, games)
