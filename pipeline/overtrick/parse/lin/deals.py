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

from overtrick.bridge.cards import BETWEEN_HANDS, COMPLETE_LENGTH, RANKS, SEATS, UNKNOWN
from overtrick.frames import SEAT
from overtrick.grammar import matcher

Bytes = npt.NDArray[np.uint8]
Places = npt.NDArray[np.int64]

_ORDER: Final = (2, 3, 0, 1)
"""Seats in the order of their hands: South, West, North, East."""
_DEALERS: Final = {str(digit): SEATS[seat] for digit, seat in enumerate(_ORDER, start=1)}

_RANK, _SUIT, _COMMA, _PASSED_OVER, _SMALL, _ODD = range(6)
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
    """Cards as they stand in the values: a row a card."""

    row: Places
    seat: Bytes
    card: Bytes


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
    owner[cards.row, cards.card] = cards.seat
    twice = np.bincount(cards.row, minlength=len(text)) != (owner != UNKNOWN).sum(axis=1)
    _fill_in(owner)
    if len(edits):
        moved, _ = _read(edits.str.strip_chars())
        changed = edited.to_numpy().astype(np.int64)[moved.row]
        owner[changed, moved.card] = moved.seat
        twice[changed] = False
        _fill_in(owner)
    whole = (_sizes(owner) == 13).all(axis=1) & ~twice
    deal = pl.Series([None] * len(text), dtype=pl.String)
    if whole.any():
        deal = deal.scatter(np.flatnonzero(whole), _complete(owner[whole]))
    partial = np.flatnonzero(~whole & ((owner != UNKNOWN).any(axis=1)) & fault.is_null().to_numpy())
    for row in partial.tolist():
        deal[row] = _partial(cards, row) if twice[row] else _written(_hands(owner[row]))
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
    sizes = hands.str.len_bytes().to_numpy().astype(np.int64)
    row = np.repeat(np.arange(len(hands)), sizes)
    meaning, number = (table[data] for table in _meanings())
    first = np.concatenate([[0], np.cumsum(sizes)[:-1]]) if len(sizes) else np.zeros(0, np.int64)
    commas = np.cumsum(meaning == _COMMA)
    place = commas - (commas - (meaning == _COMMA))[np.minimum(first, max(len(data) - 1, 0))][row] if len(data) else row
    suit = _suits(meaning, number, row, place)
    is_rank = meaning == _RANK
    good = is_rank & (suit < 4) & (place < 4)
    cards = _Cards(
        row[good], np.array(_ORDER, np.uint8)[place[good]], (13 * suit[good] + number[good]).astype(np.uint8)
    )
    faults = (
        (meaning == _SMALL, "it is a diagram in which x stands for small cards"),
        (meaning == _ODD, "it holds what is no card"),
        (is_rank & (suit >= 4), "a card has no suit"),
        (place >= 4, "there are more than four hands"),
    )
    fault = pl.Series([None] * len(hands), dtype=pl.String)
    for at, sentence in faults:
        fault = fault.scatter(np.unique(row[at]), sentence) if at.any() else fault
    return cards, fault


def _suits(meaning: Bytes, number: Bytes, row: Places, place: Places) -> Places:
    """Give for each character the suit whose letter came last in its hand, 4 for none."""
    at = np.maximum.accumulate(np.where(meaning == _SUIT, np.arange(len(meaning)), -1)) if len(meaning) else row
    same = (at >= 0) & (row[at] == row) & (place[at] == place)
    return np.where(same, number[at], 4).astype(np.int64)


def _fill_in(owner: Bytes) -> None:
    """Give the cards that are left to the one hand that is empty where the three others have thirteen each."""
    sizes = _sizes(owner)
    rows = np.flatnonzero(((sizes == 13).sum(axis=1) == 3) & ((sizes == 0).sum(axis=1) == 1))
    part = owner[rows]
    part[part == UNKNOWN] = np.repeat(sizes[rows].argmin(axis=1).astype(np.uint8), 13)
    owner[rows] = part


def _sizes(owner: Bytes) -> Places:
    """Count the cards of each hand, (deals, 4)."""
    hand = np.minimum(owner, 4) + 5 * np.arange(len(owner))[:, None]
    sizes: Places = np.bincount(hand.ravel(), minlength=5 * len(owner)).reshape(-1, 5)[:, :4]
    return sizes


def _complete(owner: Bytes) -> pl.Series:
    """Write deals of four hands of thirteen."""
    from_ace = np.arange(51, -1, -1)
    by_hand = from_ace[np.argsort(owner[:, from_ace], axis=1, kind="stable")]
    suit, rank = by_hand // 13, by_hand % 13
    text = np.full((len(owner), COMPLETE_LENGTH + 1), ord("."), dtype=np.uint8)
    text[:, :2] = [ord("N"), ord(":")]
    text[:, list(BETWEEN_HANDS)] = ord(" ")
    text[:, -1] = ord("\n")
    hand, place = np.divmod(np.arange(52), 13)
    at = 2 + 17 * hand + place + (3 - suit)
    np.put_along_axis(text, at, np.frombuffer(RANKS.encode(), dtype=np.uint8)[rank], axis=1)
    return pl.Series([text.tobytes().decode()[:-1]]).str.split("\n").explode()


def _hands(owner: Bytes) -> list[list[int]]:
    return [sorted(np.flatnonzero(owner == seat).tolist(), reverse=True) for seat in range(4)]


def _partial(cards: _Cards, row: int) -> str:
    """Write a deal in which a card stands twice, as it stands."""
    of_row = cards.row == row
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
