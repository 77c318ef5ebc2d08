"""The auction, the contract and the play of an RBN record."""

import re
from dataclasses import dataclass, field
from typing import Final

from overtrick.bridge.calls import DOUBLE, PASS, REDOUBLE, bid
from overtrick.bridge.cards import RANKS, SEATS, STRAINS, UNKNOWN

_VULNERABLE: Final = {"Z": "None", "N": "NS", "E": "EW", "B": "All"}
_AUCTION: Final = re.compile(r"([NESW])([ZNEB?]):(.*)")
_CALL: Final = re.compile(r"([1-7])(NT|[CDHSN])|([PXRA])|([:\s]|[!?*]+\d*|\{[^}]*\})|(.)")
_CONTRACT: Final = re.compile(r"([1-7])(NT|[CDHSN])([XR]?):([NESW])")
_CARD: Final = re.compile(r"([CDHS])?([2-9TJQKA])|([!?*]+\d*|\{[^}]*\}|\s)|(.)")
_MARKS: Final = {"": 0, "X": 1, "R": 2}
_WORDS: Final = {"P": PASS, "X": DOUBLE, "R": REDOUBLE}


@dataclass
class Auction:
    """Calls as codes of `bridge.calls`; `odd` is the first character that is none."""

    dealer: str | None = None
    vulnerable: str | None = None
    calls: list[int] = field(default_factory=list)
    complete: bool = False
    odd: str | None = None


@dataclass(frozen=True)
class Contract:
    """The contract; all None where there is none, level 0 when the board was passed out."""

    level: int | None = None
    strain: str | None = None
    doubled: int | None = None
    declarer: str | None = None


@dataclass
class Play:
    """Cards as codes of `bridge.cards`, four a trick in columns from the opening leader's seat on; 255 for none."""

    leader: str
    cards: list[int] = field(default_factory=list)
    odd: str | None = None


def auction(text: str) -> Auction:
    """Read `WZ:1S2H2S4D:4SPP5H:XA`: dealer, vulnerability, calls; `A` stands for the passes that end it."""
    form = _AUCTION.fullmatch(text.strip())
    if not form:
        return Auction(odd=text.strip() or None)
    read = Auction(form.group(1), _VULNERABLE.get(form.group(2)))
    for level, strain, word, _, odd in _CALL.findall(form.group(3)):
        if level:
            read.calls.append(bid(int(level), STRAINS.index("NT" if strain == "N" else strain)))
        elif word == "A":
            read.calls += [PASS] * (3 if any(call != PASS for call in read.calls) else 4 - len(read.calls))
            read.complete = True
        elif word:
            read.calls.append(_WORDS[word])
        elif odd and read.odd is None:
            read.odd = odd
    read.complete = read.complete or (len(read.calls) > 3 and read.calls[-3:] == [PASS] * 3)
    return read


def contract(text: str) -> Contract:
    """Read `5HX:N`: the contract and its declarer; `P` for a board that was passed out."""
    value = text.strip()
    if value in {"P", "PASS"}:
        return Contract(level=0)
    form = _CONTRACT.fullmatch(value)
    if not form:
        return Contract()
    level, strain, mark, declarer = form.groups()
    return Contract(int(level), "NT" if strain == "N" else strain, _MARKS[mark], declarer)


def play(text: str, bid_for: Contract) -> Play | None:
    """Read `CK972:CQH483`: tricks in the order played; a card without suit is of the suit led.

    None without a play or without a contract, which tells who led and who won.
    """
    if not text.strip() or bid_for.declarer is None or bid_for.strain is None:
        return None
    first = (SEATS.index(bid_for.declarer) + 1) % 4
    read = Play(SEATS[first])
    leader = first
    for written in text.strip().split(":"):
        trick = _trick(written, read)
        if not trick:
            continue
        row = [UNKNOWN] * 4
        for place, card in enumerate(trick[:4]):
            row[(leader + place - first) % 4] = card
        read.cards += row
        if len(trick) == 4:
            leader = (leader + _winner(trick, bid_for.strain)) % 4
    return read


def _trick(written: str, read: Play) -> list[int]:
    cards: list[int] = []
    for suit, rank, _, odd in _CARD.findall(written):
        if odd and read.odd is None:
            read.odd = odd
        if rank and (suit or cards):
            led = cards[0] // 13 if cards else 0
            cards.append(13 * (STRAINS.index(suit) if suit else led) + RANKS.index(rank))
    return cards


def _winner(trick: list[int], strain: str) -> int:
    """Say which card of a trick wins, by its place."""
    trump, led = STRAINS.index(strain), trick[0] // 13
    return max(range(4), key=lambda place: (trick[place] // 13 == trump, trick[place] // 13 == led, trick[place] % 13))
