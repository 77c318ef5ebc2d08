"""Deals: values of `md`, of which one hand may be left out, to canonical deals. All of a file at once, byte by byte.

The terminals of the grammar's `deal` define what each character means; `words.toml` has the letters of other dialects.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain, islice, product
from string import printable
from typing import Final

import numpy as np
import polars as pl

from overtrick.core.bridge.cards import RANKS, STRAINS, UNKNOWN, canonical
from overtrick.core.grammar import matcher
from overtrick.core.words import Dialect, plain
from overtrick.files.formats.base import put_in
from overtrick.files.formats.lin.read.evening import Bytes, Places
from overtrick.files.formats.lin.spelling import ORDER, get_pattern, read_dealer

_RANK, _SUIT, _COMMA, _SMALL, _IGNORED, _ODD = range(6)
_NO_SUIT: Final = 4
DIAGRAM: Final = "it shows x for small cards"
"""The fault of a deal that was never to be played."""
_DIGITS: Final = frozenset("01234")
_LONGEST_DEAL: Final = 120
"""Characters of a deal that is respelt."""
_MOST_READINGS: Final = 64
_MOST_COMPARED: Final = 8
"""Readings of a hand that are looked at, and those that are compared with the readings of the other hands."""
_TERMINALS: Final = {"HELD": _RANK, "HOLDING": _SUIT, "COMMA": _COMMA, "SMALL": _SMALL, "IGNORED": _IGNORED}


@dataclass(frozen=True)
class Deals:
    """The deals of a file, one row a value."""

    deal: pl.Series
    """Canonical (`frames.RECORDS["deal"]`); null where nothing can be read."""
    owner: Bytes
    """Who holds each card, (values, 52), as `bridge.cards.owners` returns it; the hand left out is filled in."""
    dealer: pl.Series
    """Seat, null where the digit is missing."""
    fault: pl.Series
    """The fault of a value, null for a sound one."""


@dataclass(frozen=True)
class _Cards:
    """The cards in the values: a row a card, in the order of the values."""

    row: Places
    seat: Bytes
    card: Bytes

    def put_into(self, owner: Bytes, row: Places) -> None:
        """Note who holds the cards of each deal, (deals, 52), in these rows."""
        owner.reshape(-1)[52 * row + self.card] = self.seat


def mark_deals(value: pl.Series) -> pl.Series:
    """Mark the values that deal anew, which neither `0` and cards to move nor an empty table does."""
    return value.str.contains(f"^{get_pattern('NEW_DEAL')}")


def mark_changes(value: pl.Expr) -> pl.Expr:
    """Mark the values that begin with `0`: their cards are added to a deal, or move in it."""
    return value.str.contains(f"^{get_pattern('CHANGED_DEAL')}")


def read_deals(value: pl.Series, changed: pl.Series, changes: pl.Series) -> Deals:
    """Read deals.

    Args:
        value: one value a deal; null or empty where there is none.
        changed: for each of `changes` the row of the deal that it changes.
        changes: values that begin with `0`.

    Returns:
        The deals. A hand that was left out holds the rest where the three others have thirteen cards each. A deal of
        the wrong number of cards is canonical too: checks come later.
    """
    text = value.fill_null("").str.strip_chars()
    cards, fault = _read_cards(text)
    owner = np.full((len(text), 52), UNKNOWN, dtype=np.uint8)
    cards.put_into(owner, cards.row)
    shown = owner != UNKNOWN
    twice = np.zeros(len(text), dtype=np.bool_)
    if np.count_nonzero(shown) != len(cards.row):
        twice = np.bincount(cards.row, minlength=len(text)) != shown.sum(axis=1)
    _fill_in(owner)
    if len(changes):
        moved, _ = _read_cards(changes.str.strip_chars())
        into = changed.to_numpy().astype(np.int64)[moved.row]
        moved.put_into(owner, into)
        twice[into] = False
        _fill_in(owner)
    whole = (_count_cards(owner) == 13).all(axis=1) & ~twice
    deal = pl.Series([None] * len(text), dtype=pl.String)
    if whole.any():
        written = canonical(owner[whole])
        deal = written if whole.all() else put_in(deal, np.flatnonzero(whole), written)
    partial = np.flatnonzero(~whole & ((owner != UNKNOWN).any(axis=1)) & fault.is_null().to_numpy())
    if len(partial):
        rows = partial.tolist()
        as_is = [_write_as_is(cards, row) if twice[row] else _write(_list_hands(owner[row])) for row in rows]
        deal = put_in(deal, partial, as_is)
    return Deals(deal.set(fault.is_not_null(), None), owner, read_dealer(text), fault)


def respell_deals(value: pl.Series, dialect: Dialect) -> pl.Series:
    """Return deals with the letters of English; one that can be read in several ways or in none stays as it is.

    In many dialects a letter is a suit and a rank: the German `K` is diamonds and a king. So each suit comes once in a
    hand at most, and its ranks fall: `PAKHKB9` is the ace and king of spades and the king, jack and nine of hearts.
    """
    return value.replace({text: _respell_deal(text, dialect) for text in value.drop_nulls().unique()})


def _respell_deal(text: str, dialect: Dialect) -> str:
    dealer, hands = (text[:1], text[1:]) if text[:1] in _DIGITS else ("", text)
    if len(hands) > _LONGEST_DEAL:
        return text
    read = [_choose_readings(hand, dialect) for hand in plain(hands).split(",")]
    fits = [deal for deal in product(*read) if len({*chain(*deal)}) == sum(map(len, deal))]
    return dealer + ",".join(map("".join, fits[0])) if len(fits) == 1 else text


def _choose_readings(hand: str, dialect: Dialect) -> list[tuple[str, ...]]:
    """Return the readings of a hand with thirteen cards, else all: `PAKD2` has four cards, or the three `SA DQ D2`."""
    found = list(islice(_list_readings(hand, dialect), _MOST_READINGS))
    return ([cards for cards in found if len(cards) == 13] or found)[:_MOST_COMPARED]


def _list_readings(hand: str, dialect: Dialect) -> Iterator[tuple[str, ...]]:
    """Yield the readings of a hand, each as its cards: `SA SK` for `PAK`."""
    suits = {word: suit for word, suit in dialect.words("strain").items() if suit != "NT"}
    ranks = {word: RANKS.index(rank) for word, rank in dialect.words("rank").items()}
    longest = max(map(len, (*suits, *ranks)))
    begun: list[tuple[int, str, int, tuple[str, ...]]] = [(0, "", 0, ())]
    while begun:
        at, held, above, cards = begun.pop()
        if at == len(hand):
            yield cards
        for end in range(at + 1, min(at + longest, len(hand)) + 1):
            suit, rank = suits.get(hand[at:end]), ranks.get(hand[at:end], len(RANKS))
            if suit and suit not in held:
                begun.append((end, held + suit, len(RANKS), cards))
            if rank < above:
                begun.append((end, held, rank, (*cards, held[-1] + RANKS[rank])))


@cache
def _tabulate_bytes() -> tuple[Bytes, Bytes]:
    """Return for each byte which terminal it is, and its rank or suit as `bridge.cards` counts them."""
    meaning, number = np.full(256, _ODD, dtype=np.uint8), np.zeros(256, dtype=np.uint8)
    for letter in printable:
        for name, code in _TERMINALS.items():
            if matcher(name, language="lin").fullmatch(letter):
                meaning[ord(letter)] = code
    for letters in (STRAINS[:4], RANKS):
        for place, letter in enumerate(letters):
            number[[ord(letter), ord(letter.lower())]] = place
    number[ord("1")] = RANKS.index("T")
    return meaning, number


def _read_cards(text: pl.Series) -> tuple[_Cards, pl.Series]:
    """Read the hands of all values at once: their cards, and what is wrong with a value."""
    hands = text.str.strip_prefix("0").str.replace(r"^[1-4]", "")
    data = np.frombuffer("".join(hands.to_list()).encode(), dtype=np.uint8)
    sizes = hands.str.len_bytes().to_numpy()
    row = np.repeat(np.arange(len(hands), dtype=np.int32), sizes)
    meaning, number = (table.take(data) for table in _tabulate_bytes())
    hand, suit = _find_hands_and_suits(meaning, number, row, sizes)
    is_rank = meaning == _RANK
    at = np.flatnonzero(is_rank & (suit < _NO_SUIT) & (hand < 4))
    cards = _Cards(row[at].astype(np.int64), np.array(ORDER, np.uint8).take(hand[at]), 13 * suit[at] + number[at])
    faults = (
        (meaning == _SMALL, DIAGRAM),
        (meaning == _ODD, "it contains something that is not a card"),
        (is_rank & (suit == _NO_SUIT), "a card has no suit"),
        ((hand >= 4) & (is_rank | (meaning == _SUIT)), "there are more than four hands"),
    )
    fault = pl.Series([None] * len(hands), dtype=pl.String)
    for where, sentence in faults:
        if where.any():
            faulty = np.unique(row[where])
            fault = put_in(fault, faulty, [sentence] * len(faulty))
    return cards, fault


def _find_hands_and_suits(meaning: Bytes, number: Bytes, row: Places, sizes: Places) -> tuple[Bytes, Bytes]:
    """Return for each character its hand, from 0 to 4, and the suit whose letter came last in that hand.

    Both change only at a comma, at the letter of a suit and where a value begins. Worked example of the values
    `SA,HK` and `D2`, characters 0 to 4 and 5 to 6, with `-` for no suit (4) and suits by their letters:

        marks    0  2  3  5       S , H D
        comma    no yes no no
        starts   0  5             where values begin; `first` 0 and 3 are the marks there
        commas   0  0  1  1  1    commas before each mark, and before the end
        hand     0  1  1  0       by mark: commas up to it, less those before its value
        suit     S  -  H  D       by mark
        begins   0 0 2 3 5 5 7    the marks with a start before the first of each value, and the end
        lengths  0 2 1 2 0 2      how many characters each hand and suit is for
        result   hand 0 0 1 1 1 0 0, suit S S - H H D D
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
    """Deal the cards that are left to the one empty hand where the three others have thirteen each."""
    sizes = _count_cards(owner)
    rows = np.flatnonzero(((sizes == 13).sum(axis=1) == 3) & ((sizes == 0).sum(axis=1) == 1))
    part = owner[rows]
    empty = sizes[rows].argmin(axis=1).astype(np.uint8)
    owner[rows] = np.where(part == UNKNOWN, empty[:, None], part)


def _count_cards(owner: Bytes) -> Bytes:
    """Count the cards of each hand, (deals, 4)."""
    counts = [(owner == seat).view(np.uint8).sum(axis=1, dtype=np.uint8) for seat in range(4)]
    return np.stack(counts, axis=1)


def _list_hands(owner: Bytes) -> list[list[int]]:
    return [sorted(np.flatnonzero(owner == seat).tolist(), reverse=True) for seat in range(4)]


def _write_as_is(cards: _Cards, row: int) -> str:
    """Write a deal with the same card twice, as the value has it."""
    of_row = slice(*np.searchsorted(cards.row, (row, row + 1)))
    seat, card = cards.seat[of_row], cards.card[of_row]
    return _write([sorted(card[seat == place].tolist(), reverse=True) for place in range(4)])


def _write(hands: list[list[int]]) -> str:
    """Write four hands, North first; an empty one is not known."""
    return "N:" + " ".join(
        ".".join("".join(RANKS[card % 13] for card in hand if card // 13 == suit) for suit in (3, 2, 1, 0))
        if hand
        else "-"
        for hand in hands
    )
