"""Rubber bridge (Laws of Contract Bridge 1993, 72-81): the first side with two games wins the rubber.

The winner of the rubber is not always the winner on points.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from overtrick.core.bridge.cards import SEATS
from overtrick.core.bridge.score import GAME
from overtrick.core.bridge.sheets import (
    SIDES,
    Deal,
    Entry,
    Sheet,
    Side,
    Worth,
    deal_entries,
    only_side,
    other_side,
    side_of,
    worths,
)

DEALS: Final = 4
GAMES: Final = (300, 500)
"""Bonus for a game, not vulnerable and vulnerable."""
DUPLICATE_PART_SCORE: Final = 50
LAST_PART_SCORE: Final = 100
"""Bonus for a part-score made on the fourth deal that leaves the game unfinished."""


@dataclass(frozen=True)
class Custom:
    """The rules that a table plays by.

    Attributes:
        style: "traditional" or "duplicate".
        middle: who is vulnerable on the second and third deal: the side of the "dealer", or the "opponents".
        first_dealer: who deals first, where the deals state no dealer.
        passed_out: a deal that is passed out is "redealt" by the same player, or "counts" as one of the four.
    """

    style: Literal["traditional", "duplicate"] = "traditional"
    middle: Literal["dealer", "opponents"] = "dealer"
    first_dealer: str = "N"
    passed_out: Literal["redealt", "counts"] = "redealt"


def chicago(deals: Sequence[Deal], custom: Custom) -> list[Sheet]:
    """Score deals in the order played: a sheet for each round of four, the last perhaps shorter.

    A passed-out deal is on the sheet and earns nothing; it is not one of the four where the same player deals again.

    Args:
        deals: in order. A stated dealer or vulnerability counts; else the deals rotate from the first dealer.
        custom: the rules of the table.

    Returns:
        The sheets, with deals numbered from 0 in each.
    """
    sheets: list[Sheet] = []
    start = turn = 0
    values = worths(deals)
    for place, deal in enumerate(deals):
        turn += deal.level > 0 or custom.passed_out == "counts"
        if turn == DEALS or place == len(deals) - 1:
            part = slice(start, place + 1)
            entries = _round(deals[part], values[part], custom)
            sheets.append(Sheet(tuple(entries), place + 1 - start, finished=turn == DEALS))
            start, turn = place + 1, 0
    return sheets


def vulnerable_sides(turn: int, dealer: str, middle: Literal["dealer", "opponents"] = "dealer") -> frozenset[Side]:
    """Return who is vulnerable on a turn, from 0: neither, twice the dealer's side (or its opponents), both."""
    if turn == 0:
        return frozenset()
    if turn == DEALS - 1:
        return frozenset(SIDES)
    return frozenset(side for side in SIDES if (side == side_of(dealer)) == (middle == "dealer"))


def _round(deals: Sequence[Deal], values: Sequence[tuple[Worth, Worth]], custom: Custom) -> Iterator[Entry]:
    """List the entries of one round."""
    below: Counter[Side] = Counter()
    turn = games = 0
    first = deals[0].dealer or custom.first_dealer
    for number, (deal, worth) in enumerate(zip(deals, values, strict=True)):
        dealer = deal.dealer or SEATS[(SEATS.index(first) + turn) % 4]
        side, stated = deal.side, _stated(deal)
        vulnerable = vulnerable_sides(turn, dealer, custom.middle) if stated is None else stated
        earned = worth[side in vulnerable]
        yield from _deal_entries(number, deal, earned, games, custom)
        if side is None:
            turn += custom.passed_out == "counts"
            continue
        if custom.style == "duplicate":
            below.clear()
        below[side] += earned.tricks
        if below[side] >= GAME:
            yield Entry(number, side, "game", GAMES[side in vulnerable], games)
            below.clear()
            games += 1
        elif earned.tricks and (bonus := _part_score_bonus(turn, custom)):
            yield Entry(number, side, "part-score", bonus, games)
        turn += 1


def _deal_entries(number: int, deal: Deal, earned: Worth, games: int, custom: Custom) -> Iterator[Entry]:
    """List the entries of a deal; in the duplicate style honours don't count."""
    entries = deal_entries(number, deal, earned, games)
    return (entry for entry in entries if custom.style == "traditional" or entry.kind != "honours")


def _part_score_bonus(turn: int, custom: Custom) -> int:
    if custom.style == "duplicate":
        return DUPLICATE_PART_SCORE
    return LAST_PART_SCORE if turn == DEALS - 1 else 0


def _stated(deal: Deal) -> frozenset[Side] | None:
    """Return the vulnerability that a deal states; None where it states none."""
    if deal.vulnerable is None:
        return None
    return frozenset(side for side in SIDES if deal.vulnerable in {side, "All"})


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
