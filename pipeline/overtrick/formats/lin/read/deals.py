"""Deals: values of `md`, of which one hand may be left out, to canonical deals. All of a file at once, byte by byte.

What each character means is said by the terminals of the grammar's `deal`.
"""

from dataclasses import dataclass
from functools import cache
from string import printable
from typing import Final

import numpy as np
import numpy.typing as npt
import polars as pl

from overtrick.bridge.cards import RANKS, SEATS, UNKNOWN, canonical
from overtrick.frames import SEAT
from overtrick.grammar import matcher

Bytes = npt.NDArray[np.uint8]
Places = npt.NDArray[np.signedinteger]

_ORDER: Final = (2, 3, 0, 1)
"""Seats in the order of their hands: South, West, North, East."""
_DEALERS: Final = {str(digit): SEATS[seat] for digit, seat in enumerate(_ORDER, start=1)}

_RANK, _SUIT, _COMMA, _PASSED_OVER, _SMALL, _ODD = range(6)
_NO_SUIT: Final = 4
_TERMINALS: Final = {"RANK": _RANK, "SUIT": _SUIT, "COMMA": _COMMA, "PASSED_OVER": _PASSED_OVER, "SMALL": _SMALL}


@dataclass(frozen=True)
class Deals:
    """The deals of a file, one row a value."""

    deal: pl.Series
    """Canonical (`frames.RECORDS["deal"]`); null where nothing can be read."""
    owner: Bytes
    """Who holds each card, (values, 52), as `bridge.cards.owners` gives it; the hand left out is filled in."""
    dealer: pl.Series
    """Seat, null where the digit is missing."""
    fault: pl.Series
    """What is wrong with a value, null where nothing is."""


@dataclass(frozen=True)
class _Cards:
    """Cards as they stand in the values: a row a card, in the order of the values."""

    row: Places
    seat: Bytes
    card: Bytes

    def put_into(self, owner: Bytes, row: Places) -> None:
        """Note who holds the cards of each deal, (deals, 52), in these rows."""
        owner.reshape(-1)[52 * row + self.card] = self.seat


def is_deal(value: pl.Series) -> pl.Series:
    """Say which values give a new deal: neither `0` and cards to move nor an empty table."""
    return ~value.str.contains(r"^\s*(?:0|[1-4]?[\s,]*$)")


def deals(value: pl.Series, edited: pl.Series, edits: pl.Series) -> Deals:
    """Read deals.

    Args:
        value: one value a deal; null or empty where there is none.
        edited: for each of `edits` the row of the deal that it changes.
        edits: values that begin with `0`: their cards are added, or moved from another hand.

    Returns:
        The deals. A hand that was left out holds the rest where the three others have thirteen cards each. A deal of
        the wrong number of cards is canonical too: checks come later.
    """
    text = value.fill_null("").str.strip_chars()
    cards, fault = _read(text)
    owner = np.full((len(text), 52), UNKNOWN, dtype=np.uint8)
    cards.put_into(owner, cards.row)
    twice = np.bincount(cards.row, minlength=len(text)) != (owner != UNKNOWN).sum(axis=1)
    _fill_in(owner)
    if len(edits):
        moved, _ = _read(edits.str.strip_chars())
        changed = edited.to_numpy().astype(np.int64)[moved.row]
        moved.put_into(owner, changed)
        twice[changed] = False
        _fill_in(owner)
    whole = (_sizes(owner) == 13).all(axis=1) & ~twice
    deal = pl.Series([None] * len(text), dtype=pl.String)
    if whole.any():
        written = canonical(owner[whole])
        deal = written if whole.all() else deal.scatter(np.flatnonzero(whole), written)
    partial = np.flatnonzero(~whole & ((owner != UNKNOWN).any(axis=1)) & fault.is_null().to_numpy())
    if len(partial):
        told = [_partial(cards, row) if twice[row] else _written(_hands(owner[row])) for row in partial.tolist()]
        deal = deal.scatter(partial, told)
    dealer = text.str.head(1).replace_strict(_DEALERS, default=None, return_dtype=SEAT)
    return Deals(deal.set(fault.is_not_null(), None), owner, dealer, fault)


@cache
def _meanings() -> tuple[Bytes, Bytes]:
    """Give for each byte which terminal it is, and its rank or suit as `bridge.cards` counts them."""
    meaning, number = np.full(256, _ODD, dtype=np.uint8), np.zeros(256, dtype=np.uint8)
    for letter in printable:
        for name, code in _TERMINALS.items():
            if matcher(name, start="deal", language="lin").fullmatch(letter):
                meaning[ord(letter)] = code
    for suit, letter in enumerate("CDHS"):
        number[[ord(letter), ord(letter.lower())]] = suit
    for rank, letter in enumerate(RANKS):
        number[[ord(letter), ord(letter.lower())]] = rank
    number[ord("1")] = RANKS.index("T")
    return meaning, number


def _read(text: pl.Series) -> tuple[_Cards, pl.Series]:
    """Read the hands of all values at once: their cards, and what is wrong with a value."""
    hands = text.str.strip_prefix("0").str.replace(r"^[1-4]", "")
    data = np.frombuffer("".join(hands.to_list()).encode(), dtype=np.uint8)
    sizes = hands.str.len_bytes().to_numpy()
    row = np.repeat(np.arange(len(hands), dtype=np.int32), sizes)
    meaning, number = (table.take(data) for table in _meanings())
    hand, suit = _hands_and_suits(meaning, number, row, sizes)
    is_rank = meaning == _RANK
    at = np.flatnonzero(is_rank & (suit < _NO_SUIT) & (hand < 4))
    cards = _Cards(row[at].astype(np.int64), np.array(_ORDER, np.uint8).take(hand[at]), 13 * suit[at] + number[at])
    faults = (
        (meaning == _SMALL, "it is a diagram with x for small cards"),
        (meaning == _ODD, "it contains something that is not a card"),
        (is_rank & (suit == _NO_SUIT), "a card has no suit"),
        (hand >= 4, "there are more than four hands"),
    )
    fault = pl.Series([None] * len(hands), dtype=pl.String)
    for found, sentence in faults:
        fault = fault.scatter(np.unique(row[found]), sentence) if found.any() else fault
    return cards, fault


def _hands_and_suits(meaning: Bytes, number: Bytes, row: Places, sizes: Places) -> tuple[Bytes, Bytes]:
    """Give for each character the hand in which it stands, from 0 to 4, and the suit whose letter came last there.

    Both change only at a comma, at the letter of a suit and where a value begins.
    """
    starts = np.cumsum(sizes, dtype=np.int64) - sizes
    marks = np.flatnonzero((meaning == _COMMA) | (meaning == _SUIT))
    comma = meaning[marks] == _COMMA
    first = np.searchsorted(marks, starts)
    commas = np.concatenate([[0], np.cumsum(comma)])
    hand = np.minimum(commas[1:] - commas[first][row[marks]], 4).astype(np.uint8)
    suit = np.where(comma, np.uint8(_NO_SUIT), number[marks])
    begins = np.append(np.insert(marks, first, starts), len(meaning))
    lengths = begins[1:] - begins[:-1]
    return np.repeat(np.insert(hand, first, 0), lengths), np.repeat(np.insert(suit, first, _NO_SUIT), lengths)


def _fill_in(owner: Bytes) -> None:
    """Give the cards that are left to the one hand that is empty where the three others have thirteen each."""
    sizes = _sizes(owner)
    rows = np.flatnonzero(((sizes == 13).sum(axis=1) == 3) & ((sizes == 0).sum(axis=1) == 1))
    part = owner[rows]
    empty = sizes[rows].argmin(axis=1).astype(np.uint8)
    owner[rows] = np.where(part == UNKNOWN, empty[:, None], part)


def _sizes(owner: Bytes) -> Bytes:
    """Count the cards of each hand, (deals, 4)."""
    counts = [(owner == seat).view(np.uint8).sum(axis=1, dtype=np.uint8) for seat in range(4)]
    return np.stack(counts, axis=1)


def _hands(owner: Bytes) -> list[list[int]]:
    return [sorted(np.flatnonzero(owner == seat).tolist(), reverse=True) for seat in range(4)]


def _partial(cards: _Cards, row: int) -> str:
    """Write a deal in which a card stands twice, as it stands."""
    of_row = slice(*np.searchsorted(cards.row, (row, row + 1)))
    seat, card = cards.seat[of_row], cards.card[of_row]
    return _written([sorted(card[seat == place].tolist(), reverse=True) for place in range(4)])


def _written(hands: list[list[int]]) -> str:
    """Write four hands, North first; an empty one is not known."""
    return "N:" + " ".join(
        ".".join("".join(RANKS[card % 13] for card in hand if card // 13 == suit) for suit in (3, 2, 1, 0))
        if hand
        else "-"
        for hand in hands
    )
