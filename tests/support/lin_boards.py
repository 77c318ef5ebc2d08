"""The random boards of `tests.support.deals` as LIN, a line a board, as the site writes them."""

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Final

from overtrick.core.bridge.auction import CALLS, DOUBLE, PASS, REDOUBLE
from overtrick.core.bridge.cards import CARDS, RANKS, STRAINS
from tests.support.deals import Board

_ORDER: Final = (2, 3, 0, 1)
"""Seats in the order of LIN: South, West, North, East."""
_CALLS: Final = {PASS: "p", DOUBLE: "d", REDOUBLE: "r"}
_VULNERABLE: Final = {"None": "o", "NS": "n", "EW": "e", "All": "b"}


def lin(boards: Iterable[Board]) -> str:
    """Write boards; a play that ended in a claim states its tricks."""
    return "".join("".join(f"{name}|{value}|" for name, value in _commands(board)) + "\n" for board in boards)


def _commands(board: Board) -> Iterator[tuple[str, str]]:
    hands = ",".join(_hand(board.hands[seat]) for seat in _ORDER[:3])
    yield "pn", "Dinis,Ada,Bo,Celia"
    yield "st", ""
    yield "md", f"{_ORDER.index(board.dealer) + 1}{hands},"
    yield "rh", ""
    yield "ah", f"Board {board.number}"
    yield "sv", _VULNERABLE[board.vulnerable]
    for call in board.calls:
        yield "mb", _CALLS.get(call, CALLS[call][:2])
    yield "pg", ""
    if board.leader is not None:
        leaders = (board.leader, *board.winners)
        for row, (leader, _) in zip(board.rows, pairwise(leaders), strict=True):
            for turn in range(4):
                yield "pc", CARDS[row[(leader + turn - board.leader) % 4]]
            yield "pg", ""
        if len(board.rows) < 13:
            yield "mc", str(board.tricks)


def _hand(cards: tuple[int, ...]) -> str:
    return "".join(
        STRAINS[suit] + "".join(RANKS[card % 13] for card in cards if card // 13 == suit) for suit in (3, 2, 1, 0)
    )


def pbn_hand(cards: tuple[int, ...]) -> str:
    """Write a hand as PBN does: `S.H.D.C`."""
    return ".".join(
        "".join(RANKS[card % 13] for card in reversed(cards) if card // 13 == suit) for suit in (3, 2, 1, 0)
    )
