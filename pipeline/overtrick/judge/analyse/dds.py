"""Bo Haglund's double-dummy solver (DDS 2.9) through its C interface: the one module that loads the library.

Packages that carry the library are rows of `LIBRARIES`; the first that is installed is used. DDS takes arrays of 32-bit
numbers, so whole batches of deals are prepared and read back by numpy. Its own numbers differ from ours: suits count
down from spades 0 to clubs 3, ranks run from 2 to 14, and a holding has bit `rank` for each card. The seats agree.

DDS has one memory for the process and works on all cores by itself: one thread at a time may call it.
"""

import ctypes
import sys
import threading
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from overtrick.core.bridge.cards import RANKS, UNKNOWN, Bytes, Sets

LIBRARIES: Final = (("endplay", "_dds"), ("ddstable", "."))
"""The packages of the extra `dd` that carry the library, the fastest first, and the folder in them that holds it."""

BATCH: Final = 40
"""Deals whose tables DDS solves at a time; a batch takes about a second for each four cores."""

BOARDS: Final = 200
"""Most boards that DDS takes at a time."""

PLAYS: Final = 20
"""Most plays that every version of DDS takes at a time."""

_TOGETHER: Final = 1
"""Boards that a thread of DDS takes at a time."""

_BEST: Final = 2
_EVERY: Final = 3
"""Which cards DDS lists: those that win the most tricks, or all."""

_NAMES: Final = {"win32": "*dds*.dll", "darwin": "*dds*.dylib"}
_ALONE: Final = threading.Lock()
_FINE: Final = 1
_NO_PAR: Final = -1
_PAR_BYTES: Final = BATCH * (2 * 16 + 2 * 128)

Numbers = npt.NDArray[np.int32]


class SolverError(Exception):
    """DDS refuses its input, which only a programming error gives it."""


@cache
def library() -> Path | None:
    """Return the path of the library, None if no package of `LIBRARIES` with one for this machine is installed."""
    for package, folder in LIBRARIES:
        spec = find_spec(package)
        for place in (spec.submodule_search_locations or ()) if spec else ():
            found = sorted(Path(place, folder).glob(_NAMES.get(sys.platform, "*dds*.so")))
            if found and _opens(found[0]):
                return found[0]
    return None


def _opens(path: Path) -> bool:
    """Return whether the library is one for this processor."""
    try:
        ctypes.CDLL(str(path))
    except OSError:
        return False
    return True


@cache
def _dds() -> ctypes.CDLL:
    """Load the library, which makes its threads and tables: only what solves something pays for them."""
    path = library()
    if path is None:
        raise SolverError("the solver is not installed")
    # On 64-bit Windows the two calling conventions of C are one, so that this loads the library there too.
    dds = ctypes.CDLL(str(path))
    dds.SetMaxThreads(0)
    return dds


@cache
def limit_threads(count: int) -> None:
    """Limit the threads that the solver uses in this process, if it is installed."""
    if library():
        _dds().SetMaxThreads(count)


def solve_tables(hands: Sets) -> Bytes:
    """Return the tricks of each declarer in each strain.

    Args:
        hands: complete deals, shape (deals, 4), as `cards.held` returns them; at most `BATCH`.

    Returns:
        Shape (deals, 20), in the order of `frames.DOUBLE_DUMMY`.

    Raises:
        SolverError: a deal is not complete.
    """
    given = np.zeros(1 + BATCH * 5 * 16, np.int32)
    given[0] = len(hands)
    given[1 : 1 + 16 * len(hands)] = _holdings(hands).reshape(-1)
    found = np.zeros(1 + BATCH * 5 * 20, np.int32)
    all_strains = np.zeros(5, np.int32)
    _call("CalcAllTables", given, _NO_PAR, all_strains, found, np.zeros(_PAR_BYTES, np.uint8))
    # DDS has a row for each strain, from spades to clubs and then notrump, and a column for each declarer.
    by_strain = found[1 : 1 + 20 * len(hands)].reshape(-1, 5, 4)[:, [3, 2, 1, 0, 4]]
    return np.ascontiguousarray(by_strain.transpose(0, 2, 1)).reshape(-1, 20).astype(np.uint8)


def solve_cards(hands: Sets, strain: Bytes, turn: Bytes, trick: Bytes, *, only_best: bool = False) -> Bytes:
    """Return the tricks still to be won by the side whose turn it is, for each card that may be played.

    Args:
        hands: what each seat holds, without the cards of `trick`; shape (boards, 4).
        strain: 0 to 4.
        turn: the seat that led to the trick.
        trick: cards played to the trick so far, in order; shape (boards, 3), `UNKNOWN` for none.
        only_best: whether to find only the cards that win the most tricks, in about half the time.

    Returns:
        Shape (boards, 52); `UNKNOWN` for a card that may not be played, or is not one of the best.
    """
    tricks = np.full((len(hands), 52), UNKNOWN, np.uint8)
    for lot in _lots(len(hands), BOARDS):
        tricks[lot] = _solved_cards(hands[lot], strain[lot], turn[lot], trick[lot], _BEST if only_best else _EVERY)
    return tricks


def solve_plays(hands: Sets, strain: Bytes, leader: Bytes, cards: Bytes) -> Bytes:
    """Return the tricks that declarer's side makes double dummy at the start and after each card played.

    Args:
        hands: complete deals, shape (boards, 4).
        strain: 0 to 4.
        leader: the seat of the opening lead.
        cards: in the order played, shape (boards, 52), `UNKNOWN` after the last; each follows suit.

    Returns:
        Shape (boards, 53); `UNKNOWN` after the last card.

    Raises:
        SolverError: a play breaks a Law.
    """
    tricks = np.full((len(hands), 53), UNKNOWN, np.uint8)
    for lot in _lots(len(hands), PLAYS):
        tricks[lot] = _solved_plays(hands[lot], strain[lot], leader[lot], cards[lot])
    return tricks


def _solved_cards(hands: Sets, strain: Bytes, turn: Bytes, trick: Bytes, solutions: int) -> Bytes:
    count = len(hands)
    given = np.zeros(1 + BOARDS * (24 + 3), np.int32)
    given[0] = count
    suit, rank = _suits_and_ranks(trick)
    given[1 : 1 + 24 * BOARDS].reshape(BOARDS, 24)[:count] = np.hstack(
        [_strains(strain)[:, None], turn[:, None].astype(np.int32), suit, rank, _holdings(hands)]
    )
    target, mode = -1, 1
    given[1 + 24 * BOARDS :].reshape(3, BOARDS)[:] = np.array([[target], [solutions], [mode]])
    found = np.zeros(1 + BOARDS * 54, np.int32)
    _call("SolveAllChunksBin", given, found, _TOGETHER)
    return _tricks_of_cards(found[1:].reshape(BOARDS, 54)[:count])


# DDS lists the cards that may be played: `cards` of them, each with the lower cards that are as good as it is. For a
# hand with the DA, D7, D6 that leads, the first rows of suit, rank, equals (bits of ranks) and score are
#
#     nodes  cards  suit     rank      equals              score
#     9183   2      2, 2     14, 7     0, 1 << 6           5, 4       (suit 2: diamonds)
#
# and become DA 5, D7 4, D6 4.
def _tricks_of_cards(found: Numbers) -> Bytes:
    tricks = np.full((len(found), 52), UNKNOWN, np.uint8)
    suit, rank, equals, score = (found[:, 2 + 13 * n : 15 + 13 * n] for n in range(4))
    listed = np.arange(13) < found[:, 1:2]
    for number in range(len(RANKS)):
        here = listed & ((rank == number + 2) | ((equals >> (number + 2)) & 1).astype(np.bool_))
        board, place = np.nonzero(here)
        tricks[board, 13 * (3 - suit[board, place]) + number] = score[board, place]
    return tricks


def _solved_plays(hands: Sets, strain: Bytes, leader: Bytes, cards: Bytes) -> Bytes:
    count = len(hands)
    boards = np.zeros(1 + BOARDS * (24 + 3), np.int32)
    plays = np.zeros(1 + BOARDS * 105, np.int32)
    boards[0] = plays[0] = count
    none = np.zeros((count, 6), np.int32)
    boards[1 : 1 + 24 * BOARDS].reshape(BOARDS, 24)[:count] = np.hstack(
        [_strains(strain)[:, None], leader[:, None].astype(np.int32), none, _holdings(hands)]
    )
    played = (cards != UNKNOWN).sum(axis=1, dtype=np.int32)
    plays[1:].reshape(BOARDS, 105)[:count] = np.hstack([played[:, None], *_suits_and_ranks(cards)])
    found = np.zeros(1 + BOARDS * 54, np.int32)
    _call("AnalyseAllPlaysBin", boards, plays, found, _TOGETHER)
    solved = found[1:].reshape(BOARDS, 54)[:count]
    # DDS stops before the last trick, whose cards are forced: what it found last stays.
    last = np.maximum(solved[:, :1] - 1, 0)
    tricks = np.take_along_axis(solved[:, 1:], np.minimum(np.arange(53)[None], last), axis=1)
    return np.where(np.arange(53) <= played[:, None], tricks, UNKNOWN).astype(np.uint8)


def _lots(count: int, size: int) -> Iterator[slice]:
    return (slice(start, start + size) for start in range(0, count, size))


def _strains(strain: Bytes) -> Numbers:
    """Return the solver's numbers of strains: 0 spades to 3 clubs, 4 notrump."""
    return np.array([3, 2, 1, 0, 4], np.int32)[strain]


def _holdings(hands: Sets) -> Numbers:
    """Return the ranks that each seat holds in each suit from spades to clubs as bits 2 to 14; shape (boards, 16)."""
    suits = (hands[:, :, None] >> (13 * np.arange(3, -1, -1)).astype(np.uint64)) & np.uint64(0x1FFF)
    return (suits << np.uint64(2)).astype(np.int32).reshape(len(hands), 16)


def _suits_and_ranks(cards: Bytes) -> tuple[Numbers, Numbers]:
    """Return the solver's suits and ranks of cards; both are 0 for none."""
    known = cards != UNKNOWN
    return np.where(known, 3 - cards // 13.0, 0).astype(np.int32), np.where(known, cards % 13 + 2, 0).astype(np.int32)


def _call(name: str, *arguments: "npt.NDArray[np.generic] | int") -> None:
    """Call a function of the library; arrays are passed by their places in memory."""
    given = [argument if isinstance(argument, int) else ctypes.c_void_p(argument.ctypes.data) for argument in arguments]
    with _ALONE:
        status = getattr(_dds(), name)(*given)
    if status != _FINE:
        text = ctypes.create_string_buffer(80)
        _dds().ErrorMessage(status, text)
        raise SolverError(f"{name}: {text.value.decode('ascii', 'replace')}")
