"""Cards, hands and contracts in bridge notation, for the eye and for screen readers."""

from functools import cache
from typing import Final

from overtrick.bridge import cards
from overtrick.render.context import Card, Contract, Hand, SuitHolding
from overtrick.render.text import signed

VOID: Final = "—"
_SYMBOLS: Final = {"clubs": "♣", "diamonds": "♦", "hearts": "♥", "spades": "♠", "notrump": "NT"}
_NAMES: Final = dict(zip(cards.STRAINS, _SYMBOLS, strict=True))
_SHOWN: Final = {rank: "10" if rank == "T" else rank for rank in cards.RANKS}
_SPOKEN: Final = dict(
    zip(
        cards.RANKS,
        ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"),
        strict=True,
    )
)
_DOUBLED: Final = (("", ""), ("X", " doubled"), ("XX", " redoubled"))

NO_CONTRACT: Final = Contract("", "", "", "", "", "")
PASSED_OUT: Final = Contract("Pass", "", "", "", "", "passed out")


@cache
def contract(level: int | None, strain: str | None, doubled: int | None) -> Contract:
    """Write a contract as results hold it: level 0 is passed out, None unknown; strain `C D H S NT`; doubled 0 to 2."""
    if level == 0:
        return PASSED_OUT
    if level is None or strain is None:
        return NO_CONTRACT
    suit = _NAMES[strain]
    mark, spoken = _DOUBLED[doubled or 0]
    symbol = _SYMBOLS[suit]
    said = suit.removesuffix("s") if level == 1 else suit
    return Contract(f"{level}{symbol}{mark}", str(level), suit, symbol, mark, f"{level} {said}{spoken}")


@cache
def card(text: str | None) -> Card | None:
    """Write a card given suit first, `DQ`, `HT`; None for what is no card."""
    if text not in cards.CARDS:
        return None
    suit, rank = _NAMES[text[0]], text[1]
    return Card(suit, _SYMBOLS[suit], _SHOWN[rank], f"{_SPOKEN[rank]} of {suit}")


@cache
def result(level: int | None, tricks: int | None) -> str:
    """Compare declarer's tricks with the contract: `=`, `+1`, `−2`; empty when passed out or unknown."""
    if not level or tricks is None:
        return ""
    over = tricks - level - 6
    return signed(over) if over else "="


def hands(deal: str | None) -> tuple[Hand, ...]:
    """Write out a canonical deal: North, East, South, West; empty without one."""
    if deal is None:
        return ()
    return tuple(_hand(seat, held) for seat, held in zip(cards.SEAT_NAMES, cards.hands(deal), strict=False))


def _hand(seat: str, held: list[int] | None) -> Hand:
    if held is None:
        return Hand(seat, (), None, f"{seat}: not known")
    suits = tuple(_holding(suit, held) for suit in (3, 2, 1, 0))
    points = sum(int(cards.HIGH_CARD_POINTS[code % 13]) for code in held) if len(held) == 13 else None
    spoken = "; ".join(f"{holding.suit} {holding.spoken}" for holding in suits)
    return Hand(seat, suits, points, f"{seat}: {spoken}")


def _holding(suit: int, held: list[int]) -> SuitHolding:
    ranks = [cards.RANKS[code % 13] for code in sorted(held, reverse=True) if code // 13 == suit]
    name = cards.SUIT_NAMES[suit]
    return SuitHolding(
        name,
        _SYMBOLS[name],
        " ".join(_SHOWN[rank] for rank in ranks) or VOID,
        " ".join(_SPOKEN[rank] for rank in ranks) or "void",
        "".join(ranks),
    )
