"""Seats, suits, cards and deals as numbers, so that a rule can be applied to all boards at once.

Codes used by the whole house:

- seat: 0 North, 1 East, 2 South, 3 West (clockwise)
- strain: 0 clubs, 1 diamonds, 2 hearts, 3 spades, 4 notrump (Law 18E, lowest to highest)
- card: `13 * suit + rank`, rank 0 for the two to 12 for the ace, so 0 is the club two and 51 the spade ace
- `UNKNOWN` (255) where a seat, a card or a call is not known
"""

from typing import Final

import numpy as np
import numpy.typing as npt
import polars as pl

Bytes = npt.NDArray[np.uint8]

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
"""The cards by code as a sentence has them: `♠10`."""

HIGH_CARD_POINTS: Final = np.array([0] * 9 + [1, 2, 3, 4], dtype=np.uint8)
"""Points by rank: ace 4, king 3, queen 2, jack 1."""

COMPLETE_LENGTH: Final = 69
"""Bytes of a canonical deal of four hands of thirteen, so that many of them are one matrix."""

BETWEEN_HANDS: Final = (18, 35, 52)
"""Where the spaces of such a deal stand."""

_BYTE_OF_RANK = np.frombuffer(RANKS.encode(), dtype=np.uint8)
_CARD_OF_BYTE = np.full((5, 256), 52, dtype=np.intp)
_CARD_OF_BYTE[:4, _BYTE_OF_RANK] = np.arange(52).reshape(4, 13)
_BYTE_FROM_ACE: Final = np.tile(_BYTE_OF_RANK[::-1], 4)
_DOTS_BEFORE: Final = np.repeat(np.arange(4), 13)
"""By card from the spade ace down: the byte of its rank, and the dots before it in its hand."""
_LOT: Final = 4096


def owners(deals: pl.Series) -> Bytes:
    """Say who holds each card.

    Args:
        deals: canonical deals (`frames.RECORDS["deal"]`): first seat N, hands clockwise, `-` for a hand not known.

    Returns:
        One row a deal, 52 columns, dtype uint8: the seat that holds the card, `UNKNOWN` where no hand shows it.
        A card that two hands show goes to the later of them (`validate.deal` reports it). A null deal is all unknown.
    """
    table = np.full((len(deals), 52), UNKNOWN, dtype=np.uint8)
    complete = is_complete(deals).to_numpy()
    if complete.any():
        table[complete] = _owners_of_complete(deals.filter(pl.Series(complete)))
    partial = np.flatnonzero(~complete & deals.is_not_null().to_numpy())
    for row in partial.tolist():
        for seat, cards in enumerate(hands(deals[row])):
            for card in cards or ():
                table[row, card] = seat
    return table


def canonical(owner: Bytes) -> pl.Series:
    """Write deals of 52 cards: what `owners` reads, cards from the ace down.

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
        # By seat, and from the spade ace down: the order in which hands are written.
        lot = owner[begin : begin + _LOT, ::-1].astype(np.uint16) << 8 | np.arange(52, dtype=np.uint16)
        order = np.sort(lot, axis=1).astype(np.uint8)
        at = _DOTS_BEFORE.take(order) + (2 + place + 4 * (place // 13))
        at += text.shape[1] * np.arange(len(lot))[:, None]
        text[begin : begin + _LOT].reshape(-1)[at] = _BYTE_FROM_ACE.take(order)
    lines = text.tobytes().decode("ascii")[:-1]
    return pl.Series("deal", [lines]).str.split("\n").explode().head(len(owner))


def is_complete(deals: pl.Series) -> pl.Series:
    """Say which canonical deals show four hands of thirteen; false for null."""
    deal = pl.col("deal")
    spaces = [deal.str.slice(place, 1) == " " for place in BETWEEN_HANDS]
    whole = pl.all_horizontal(deal.str.len_bytes() == COMPLETE_LENGTH, *spaces).fill_null(value=False)
    return deals.to_frame("deal").select(whole.alias("complete"))["complete"]


def _owners_of_complete(deals: pl.Series) -> Bytes:
    n = len(deals)
    text = np.frombuffer("".join(deals.to_list()).encode("ascii"), dtype=np.uint8).reshape(n, COMPLETE_LENGTH)[:, 2:]
    # A column more takes what is no card; a lot at a time fits beside the processor.
    table = np.full((n, 53), UNKNOWN, dtype=np.uint8)
    rows = 53 * np.arange(_LOT)[:, None]
    for begin in range(0, n, _LOT):
        lot = text[begin : begin + _LOT]
        seat = np.cumsum(lot == ord(" "), axis=1, dtype=np.uint8)
        suit = 3 - (np.cumsum(lot == ord("."), axis=1, dtype=np.uint8) - 3 * seat)
        card = _CARD_OF_BYTE[np.minimum(suit, 4), lot]
        table[begin : begin + _LOT].reshape(-1)[rows[: len(lot)] + card] = seat
    return np.ascontiguousarray(table[:, :52])


def hands(deal: str) -> list[list[int] | None]:
    """Split one canonical deal into its four hands, North first: card codes as written, None for a hand not known."""
    return [hand_cards(text) for text in deal.partition(":")[2].split(" ")]


def hand_cards(text: str) -> list[int] | None:
    """Read one hand `S.H.D.C`: its card codes in the order written, None for `-`."""
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
        Points by seat, shape (deals, 4), dtype uint8; cards that nobody shows count for nobody.
    """
    value = np.tile(HIGH_CARD_POINTS, 4)
    return np.stack([((owner == seat) * value).sum(axis=1, dtype=np.uint8) for seat in range(4)], axis=1)
