"""Seats, suits, cards and deals as numbers, so that a rule can be applied to all boards at once.

The codes, which all modules use:

- seat: 0 North, 1 East, 2 South, 3 West (clockwise)
- strain: 0 clubs, 1 diamonds, 2 hearts, 3 spades, 4 notrump (Law 18E, lowest to highest)
- card: `13 * suit + rank`, rank 0 for the two to 12 for the ace, so 0 is the club two and 51 the spade ace
- `UNKNOWN` (255) for a seat, a card or a call that is not known
- set of cards: a 64-bit number with bit `c` for the card with code `c`
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt
import polars as pl

Bytes = npt.NDArray[np.uint8]
Sets = npt.NDArray[np.uint64]

SEATS: Final = ("N", "E", "S", "W")
SIDE_OF_SEAT: Final = {"N": "NS", "S": "NS", "E": "EW", "W": "EW"}
SEAT_NAMES: Final = ("North", "East", "South", "West")
STRAINS: Final = ("C", "D", "H", "S", "NT")
STRAIN_SIGNS: Final = ("♣", "♦", "♥", "♠", "NT")
SUIT_NAMES: Final = ("clubs", "diamonds", "hearts", "spades")
RANKS: Final = "23456789TJQKA"
UNKNOWN: Final = 255

CARDS: Final = tuple(f"{suit}{rank}" for suit in STRAINS[:4] for rank in RANKS)
"""Names of the 52 cards by code, suit first as PBN writes them: `CARDS[51] == "SA"`."""

CARD_SIGNS: Final = tuple(f"{sign}{rank.replace('T', '10')}" for sign in STRAIN_SIGNS[:4] for rank in RANKS)
"""The 52 cards by code as a sentence writes them: `♠10`."""

HIGH_CARD_POINTS: Final = np.array([0] * 9 + [1, 2, 3, 4], dtype=np.uint8)
"""Points by rank: ace 4, king 3, queen 2, jack 1."""

COMPLETE_LENGTH: Final = 69
"""Bytes of a canonical deal of four hands of thirteen: all have the same length, so that many form a matrix."""

BETWEEN_HANDS: Final = (18, 35, 52)
"""The places of the spaces in such a deal."""

HAND_LENGTH: Final = 16
"""Bytes of a hand in such a deal."""

FULL_DECK: Final = (1 << 52) - 1
"""The set of all cards."""

_BYTE_OF_RANK: Final = np.frombuffer(RANKS.encode(), dtype=np.uint8)
_NO_RANK: Final = 200
"""Too large for a card, whatever the suit."""
_RANK_OF_BYTE: Final = bytes(RANKS.find(chr(byte)) % (_NO_RANK + 1) for byte in range(256))
_BYTE_FROM_ACE: Final = np.tile(_BYTE_OF_RANK[::-1], 4)
_DOTS_BEFORE: Final = np.repeat(np.arange(4), 13)
"""By card from the spade ace down: the byte of its rank, and the number of dots before it in its hand."""
_LOT: Final = 4096


def code(names: pl.Expr, of: Sequence[str]) -> pl.Expr:
    """Return the index of each name, text or Enum, in a list of names; null for any other name."""
    return names.cast(pl.Enum(of), strict=False).to_physical()


def held(deals: pl.Series) -> Sets:
    """Return the cards that each seat holds.

    Args:
        deals: canonical deals (`frames.RECORDS["deal"]`): first seat N, hands clockwise, `-` for an unknown hand.

    Returns:
        Shape (deals, 4): sets of cards, empty for a hand that is not shown. A card that two hands show belongs to the
        later of them (`validate.record` reports it). A null deal shows no hand.
    """
    sets = np.zeros((len(deals), len(SEATS)), dtype=np.uint64)
    complete = is_complete(deals)
    whole = complete.to_numpy()
    if whole.all():
        sets = _held_in_complete(deals)
    else:
        sets[whole] = _held_in_complete(deals.filter(complete))
    for row in np.flatnonzero(~whole & deals.is_not_null().to_numpy()).tolist():
        sets[row] = [sum({1 << card for card in cards or ()}) for cards in hands(deals[row])]
    taken = sets[:, 3].copy()
    for seat in (2, 1, 0):
        sets[:, seat] &= ~taken
        taken |= sets[:, seat]
    return sets


def owners(deals: pl.Series) -> Bytes:
    """Return who holds each card of canonical deals: `holders` of what is `held`."""
    return holders(held(deals))


def holders(sets: Sets) -> Bytes:
    """Return who holds each card.

    Args:
        sets: as `held` returns them.

    Returns:
        One row a deal, 52 columns, dtype uint8: the seat that holds the card, `UNKNOWN` where no hand shows it.
    """
    # Cards C2 C3 C4 C5 of one deal, in which N shows 2 and 5, E shows 3, and nobody shows 4:
    #
    #     N 0b1001  E 0b0010  S 0  W 0       sets, bit 0 for the C2
    #     N 1 0 0 1   E 0 1 0 0  ...         holds, unpacked from bit 0 on
    #     255 - 255 = 0 (N), 255 - 254 = 1 (E), 255, 0 (N)
    table = np.empty((len(sets), 52), dtype=np.uint8)
    for begin in range(0, len(sets), _LOT):
        octets = sets[begin : begin + _LOT].astype("<u8").view(np.uint8)
        holds = np.unpackbits(octets.reshape(-1), bitorder="little").reshape(-1, len(SEATS), 64)
        holder = np.full((len(holds), 64), UNKNOWN, dtype=np.uint8)
        for seat in range(len(SEATS)):
            holder -= holds[:, seat] * np.uint8(UNKNOWN - seat)
        table[begin : begin + _LOT] = holder[:, :52]
    return table


def canonical(owner: Bytes) -> pl.Series:
    """Write deals of 52 cards as text, the inverse of `owners`; the cards of a suit are written from the ace down.

    Args:
        owner: the matrix of `owners`, shape (deals, 52), thirteen cards for each seat in every row.

    Returns:
        Canonical deals (`frames.RECORDS["deal"]`), String.
    """
    text = np.full((len(owner), COMPLETE_LENGTH + 1), ord("."), dtype=np.uint8)
    text[:, :2] = np.frombuffer(b"N:", dtype=np.uint8)
    text[:, list(BETWEEN_HANDS)] = ord(" ")
    text[:, -1] = ord("\n")
    place = np.arange(52)
    for begin in range(0, len(owner), _LOT):
        # Hands are written by seat and from the spade ace down. Each card is a key, its seat above its index from the
        # spade ace; sorted, the low bytes are the cards in the order of the text. If E holds SA, N SK and N SQ:
        #
        #     keys  E 0, N 1, N 2, ...    sorted  N 1, N 2, ..., E 0, ...    order  1, 2, ..., 0, ...
        #
        # The text has a byte for each card, one for each dot before it, and four more (two dots to complete three, a
        # space) for each hand before it.
        lot = owner[begin : begin + _LOT, ::-1].astype(np.uint16) << 8 | np.arange(52, dtype=np.uint16)
        order = np.sort(lot, axis=1).astype(np.uint8)
        at = _DOTS_BEFORE.take(order) + (2 + place + 4 * (place // 13))
        at += text.shape[1] * np.arange(len(lot))[:, None]
        text[begin : begin + _LOT].reshape(-1)[at] = _BYTE_FROM_ACE.take(order)
    lines = text.tobytes().decode("ascii")[:-1]
    return pl.Series("deal", [lines]).str.split("\n").explode().head(len(owner))


def codes_of(column: pl.Series) -> Bytes:
    """Return a column of seats, strains or vulnerabilities as their codes; null becomes `UNKNOWN`."""
    codes: Bytes = column.to_physical().cast(pl.UInt8).fill_null(UNKNOWN).to_numpy()
    return codes


def is_complete(deals: pl.Series) -> pl.Series:
    """Return which canonical deals show four hands of thirteen; false for null."""
    deal = pl.col("deal")
    spaces = [deal.str.slice(place, 1) == " " for place in BETWEEN_HANDS]
    whole = pl.all_horizontal(deal.str.len_bytes() == COMPLETE_LENGTH, *spaces).fill_null(value=False)
    return deals.to_frame("deal").select(whole.alias("complete"))["complete"]


def letters_of(deals: pl.Series) -> Bytes:
    """Return deals of `COMPLETE_LENGTH` bytes as a matrix: one row a deal, with a blank after each hand.

    Args:
        deals: String, none of them null.

    Returns:
        Shape (deals, 70), dtype uint8: the first seat, the colon, and four times a hand and its blank.
    """
    text = f"{deals.str.join(' ').item()} ".encode() if len(deals) else b""
    return np.frombuffer(text, dtype=np.uint8).reshape(len(deals), COMPLETE_LENGTH + 1)


def _held_in_complete(deals: pl.Series) -> Sets:
    """Read deals of four hands of thirteen letter by letter, all deals at once: the matrix has one row a letter."""
    # The hand AK4.Q.5432.T8765 begins with spades, whose cards are 39 and up:
    #
    #     letter  A   K   4   .    Q   .    5   ...
    #     rank    12  11  2   200  10  200  3
    #     suit    39  39  39  39   26  26   13      13 less after each dot
    #     card    51  50  41  -    36  -    16      a bit of the hand's set; the bit of a dot is beyond the number
    letters = letters_of(deals)
    ranks = np.frombuffer(letters.tobytes().translate(_RANK_OF_BYTE), dtype=np.uint8).reshape(letters.shape)
    sets = np.empty((len(deals), len(SEATS)), dtype=np.uint64)
    for begin in range(0, len(deals), _LOT):
        lot = slice(begin, begin + _LOT)
        by_hand = (len(SEATS), HAND_LENGTH + 1, -1)
        rank = np.ascontiguousarray(ranks[lot, 2:].T).reshape(by_hand)
        dot = np.ascontiguousarray(letters[lot, 2:].T).reshape(by_hand) == ord(".")
        suit = np.full(rank[:, 0].shape, 39, dtype=np.uint8)
        cards = np.zeros(suit.shape, dtype=np.uint64)
        for place in range(HAND_LENGTH):
            cards |= np.uint64(1) << (rank[:, place] + suit).astype(np.uint64)
            suit -= dot[:, place] * np.uint8(13)
        sets[lot] = cards.T
    return sets


def hands(deal: str) -> list[list[int] | None]:
    """Split one canonical deal into its four hands, North first: card codes as written, None for an unknown hand."""
    return [hand_cards(text) for text in deal.partition(":")[2].split(" ")]


def hand_cards(text: str) -> list[int] | None:
    """Read one hand `S.H.D.C`: return its card codes in the order written, None for `-`."""
    if text == "-":
        return None
    return [
        13 * suit + RANKS.index(rank)
        for suit, ranks in zip((3, 2, 1, 0), text.split("."), strict=False)
        for rank in ranks
        if rank in RANKS
    ]


def high_card_points(owner: Bytes) -> Bytes:
    """Count the points of each hand.

    Args:
        owner: the matrix of `owners`, shape (deals, 52).

    Returns:
        Points by seat, shape (deals, 4), dtype uint8; a card that no hand shows counts for no one.
    """
    value = np.tile(HIGH_CARD_POINTS, 4)
    return np.stack([((owner == seat) * value).sum(axis=1, dtype=np.uint8) for seat in range(4)], axis=1)


VULNERABILITIES: Final = ("None", "NS", "EW", "All")

_PATTERN: Final = "ONEBNEBOEBONBONE"
_NAMES: Final = {"O": "None", "N": "NS", "E": "EW", "B": "All"}
_BY_BOARD: Final = [_NAMES[letter] for letter in _PATTERN]


def board_dealer(board: pl.Expr) -> pl.Expr:
    """Return the dealer of each board number (Law 2): `N E S W` in turn; null for a null number."""
    return _by_cycle(board, ["N", "E", "S", "W"])


def board_vulnerability(board: pl.Expr) -> pl.Expr:
    """Return the vulnerability of each board number (Law 2): `None NS EW All`; null for a null number."""
    return _by_cycle(board, _BY_BOARD)


def side_vulnerable(vulnerable: pl.Expr, seat: pl.Expr) -> pl.Expr:
    """Return whether the side of `seat` is vulnerable, as a boolean; null where either is unknown."""
    # The index of a vulnerability is two bits, 1 for N-S and 2 for E-W; the low bit of a seat's index is set for E-W.
    sides, of_ew = code(vulnerable, VULNERABILITIES), code(seat, SEATS) % 2
    return pl.when(of_ew == 0).then((sides & 1) == 1).when(of_ew == 1).then(sides >= 2)


def _by_cycle(board: pl.Expr, values: list[str]) -> pl.Expr:
    place = (board.cast(pl.Int64) - 1) % len(values)
    return pl.lit(pl.Series(values)).gather(place.cast(pl.UInt32))
