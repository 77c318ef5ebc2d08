"""Chicago: rounds of four deals, the vulnerability fixed by the deal, games paid at once and no rubber.

Two families are played. In the traditional game part-scores count towards game, as at rubber bridge, and honours count.
In the duplicate style each deal is scored by itself, by Law 77.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from overtrick.core.bridge.cards import SEATS
from overtrick.core.bridge.score import GAME
from overtrick.core.bridge.sheets import SIDES, Deal, Entry, Sheet, Side, Worth, deal_entries, side_of, worths

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
        side, vulnerable = deal.side, _stated(deal) or vulnerable_sides(turn, dealer, custom.middle)
        earned = worth[side in vulnerable]
        entries = deal_entries(number, deal, earned, games)
        yield from (entry for entry in entries if custom.style == "traditional" or entry.kind != "honours")
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
        elif earned.tricks and custom.style == "duplicate":
            yield Entry(number, side, "part-score", DUPLICATE_PART_SCORE, games)
        elif earned.tricks and turn == DEALS - 1:
            yield Entry(number, side, "part-score", LAST_PART_SCORE, games)
        turn += 1


def _stated(deal: Deal) -> frozenset[Side] | None:
    """Return the vulnerability that a deal states; None where it states none."""
    if deal.vulnerable is None:
        return None
    return frozenset(side for side in SIDES if deal.vulnerable in {side, "All"})
