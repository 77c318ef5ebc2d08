"""Plays for display: trick by trick, with who led and who won."""

from functools import cache
from typing import Final

import numpy as np

from overtrick.bridge.cards import CARDS, SEAT_NAMES, SEATS, UNKNOWN, Bytes
from overtrick.bridge.play import TRICKS, Plays
from overtrick.render.context_tables import Play, PlayedCard, Trick
from overtrick.render.notation import card

_COLUMNS: Final = (3, 0, 1, 2)
"""Seats from West, as books set tricks out."""


def cards_by_seat(cards: list[int], start: str | None, turns: Bytes) -> Bytes:
    """Lay the cards of a play out by trick and seat, North first.

    Args:
        cards: as in `frames.RECORDS["cards"]`, four a trick from the seat `start`.
        start: that seat; the cards of unknown players are unknown.
        turns: by how many seats each row is turned, shape (13,), as in `bridge.play.Plays`.

    Returns:
        Shape (13, 4), dtype uint8; `UNKNOWN` where no card is given.
    """
    table = np.full((TRICKS, 4), UNKNOWN, dtype=np.uint8)
    if start not in SEATS:
        return table
    first = SEATS.index(start)
    for place, code in enumerate(cards[: 4 * TRICKS]):
        trick, column = divmod(place, 4)
        table[trick, (first + column + int(turns[trick])) % 4] = code
    return table


def play(cards: list[int], start: str | None, played: Plays, row: int) -> Play | None:
    """Write out the play of one record; None when no card is known.

    Args:
        cards: as in `frames.RECORDS["cards"]`.
        start: as in `frames.RECORDS["play_start"]`.
        played: what the plays of all records come to.
        row: of this record in `played`.
    """
    table = cards_by_seat(cards, start, played.turns[row])
    shown = (table != UNKNOWN).any(axis=1)
    if not shown.any():
        return None
    last = int(np.flatnonzero(shown)[-1]) + 1
    won = played.won(0)[row], played.won(1)[row]
    tricks = tuple(
        _trick(number, table[number], int(played.leader[row, number]), int(played.winner[row, number]), won)
        for number in range(last)
    )
    finished = sum(bool(trick.winner) for trick in tricks)
    return Play(tricks, TRICKS - finished)


def _trick(number: int, cards: Bytes, leader: int, winner: int, won: tuple[Bytes, Bytes]) -> Trick:
    return Trick(
        number=str(number + 1),
        cards=tuple(_card(seat, int(cards[seat]), leads=seat == leader, wins=seat == winner) for seat in _COLUMNS),
        winner="" if winner == UNKNOWN else SEAT_NAMES[winner],
        won_ns=str(won[0][number]),
        won_ew=str(won[1][number]),
    )


@cache
def _card(seat: int, code: int, *, leads: bool, wins: bool) -> PlayedCard:
    text = CARDS[code] if code < len(CARDS) else ""
    return PlayedCard(SEAT_NAMES[seat], card(text), text, leads, wins)
