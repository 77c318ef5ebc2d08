"""Cards, hands and contracts: with suit symbols for the eye, in words for screen readers."""

from dataclasses import dataclass
from typing import Final

from overtrick.core.bridge import cards
from overtrick.show.text.display import format_signed

VOID: Final = "—"
SEAT_WORDS: Final = dict(zip(cards.SEATS, cards.SEAT_NAMES, strict=True))
"""Seats in words, by letter."""

_SYMBOLS: Final = {"clubs": "♣", "diamonds": "♦", "hearts": "♥", "spades": "♠", "notrump": "NT"}
_NAMES: Final = dict(zip(cards.STRAINS, _SYMBOLS, strict=True))
_RANKS: Final = {rank: "10" if rank == "T" else rank for rank in cards.RANKS}
_RANK_WORDS: Final = "two three four five six seven eight nine ten jack queen king ace".split()
_SPOKEN_RANKS: Final = dict(zip(cards.RANKS, _RANK_WORDS, strict=True))
_DOUBLED: Final = (("", ""), ("X", " doubled"), ("XX", " redoubled"))


@dataclass(frozen=True)
class SuitHolding:
    """One suit of one hand."""

    suit: str
    """`spades hearts diamonds clubs`."""
    symbol: str
    """The suit's character."""
    ranks: str
    """Ranks as people read them, `A Q 10 4`; `—` for a void."""
    spoken: str
    """For screen readers: `ace queen ten four`; `void`."""
    codes: str = ""
    """Ranks as files write them, `AQT4`; empty for a void."""


@dataclass(frozen=True)
class Hand:
    """One of the four hands."""

    seat: str
    """`North East South West`."""
    suits: tuple[SuitHolding, ...]
    """Spades, hearts, diamonds, clubs; empty when the hand is not known."""
    points: int | None
    """High-card points; None unless thirteen cards are known."""
    spoken: str
    """One sentence for screen readers."""
    shape: str = ""
    """Cards by suit, the longest first, `5431`; empty unless thirteen cards are known."""
    short_points: int | None = None
    """Points for short suits, 3 for a void, 2 for a singleton and 1 for a doubleton; None unless thirteen are known."""
    long_points: int | None = None
    """Points for long suits, 1 for each card after the fourth of a suit."""
    opening: str = ""
    """The opening bids that the Standard American card names, `1♥ / 1♠`; empty for none, or where pages show none."""


@dataclass(frozen=True)
class Contract:
    """A contract; all texts are empty when it is unknown."""

    text: str
    """All of it as plain text: `4♠X`, `3NT`, `Pass`."""
    level: str
    suit: str
    """`spades` ... `clubs`, `notrump`; empty when passed out."""
    symbol: str
    """The strain: a suit's character or `NT`."""
    doubled: str
    """Empty, `X` or `XX`."""
    spoken: str
    """`4 spades doubled`, `passed out`."""


@dataclass(frozen=True)
class Card:
    """A card, such as the opening lead."""

    suit: str
    symbol: str
    rank: str
    spoken: str


NO_CONTRACT: Final = Contract("", "", "", "", "", "")
PASSED_OUT: Final = Contract("Pass", "", "", "", "", "passed out")


def make_contract(level: int | None, strain: str | None, doubled: int | None) -> Contract:
    """Return a contract from the columns of results: level 0 is passed out, None unknown; `doubled` is 0, 1 or 2."""
    if level == 0:
        return PASSED_OUT
    if level is None or strain is None:
        return NO_CONTRACT
    suit = _NAMES[strain]
    mark, spoken = _DOUBLED[doubled or 0]
    symbol = _SYMBOLS[suit]
    said = suit.removesuffix("s") if level == 1 else suit
    return Contract(f"{level}{symbol}{mark}", str(level), suit, symbol, mark, f"{level} {said}{spoken}")


def make_card(text: str | None) -> Card | None:
    """Return a card from its name, suit first: `DQ`, `HT`; None for a text that is not a card."""
    if text not in cards.CARDS:
        return None
    suit, rank = _NAMES[text[0]], text[1]
    return Card(suit, _SYMBOLS[suit], _RANKS[rank], f"{_SPOKEN_RANKS[rank]} of {suit}")


def format_result(level: int | None, tricks: int | None) -> str:
    """Return declarer's tricks against the contract: `=`, `+1`, `−2`; empty when passed out or unknown."""
    if not level or tricks is None:
        return ""
    over = tricks - level - 6
    return format_signed(over) if over else "="


def make_hands(deal: str | None) -> tuple[Hand, ...]:
    """Return the hands of a canonical deal, North, East, South, West; empty without a deal."""
    if deal is None:
        return ()
    return tuple(
        _make_hand(seat, cards_held) for seat, cards_held in zip(cards.SEAT_NAMES, cards.hands(deal), strict=False)
    )


def _make_hand(seat: str, cards_held: list[int] | None) -> Hand:
    if cards_held is None:
        return Hand(seat, (), None, f"{seat}: not known")
    suits = tuple(_make_holding(suit, cards_held) for suit in (3, 2, 1, 0))
    points = sum(int(cards.HIGH_CARD_POINTS[code % 13]) for code in cards_held) if len(cards_held) == 13 else None
    spoken = "; ".join(f"{holding.suit} {holding.spoken}" for holding in suits)
    return Hand(seat, suits, points, f"{seat}: {spoken}")


def _make_holding(suit: int, cards_held: list[int]) -> SuitHolding:
    ranks = [cards.RANKS[code % 13] for code in sorted(cards_held, reverse=True) if code // 13 == suit]
    name = cards.SUIT_NAMES[suit]
    return SuitHolding(
        name,
        _SYMBOLS[name],
        " ".join(_RANKS[rank] for rank in ranks) or VOID,
        " ".join(_SPOKEN_RANKS[rank] for rank in ranks) or "void",
        "".join(ranks),
    )
