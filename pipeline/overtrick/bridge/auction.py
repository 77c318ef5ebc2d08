"""Auctions replayed, all calls of all boards at once (Laws 17 to 22).

A call is judged by the calls before it as they stand: one that is not allowed counts as accepted (Laws 27A, 29A and
32), so one slip makes one fault. Then all that a call depends on is the last bid, the last call but pass and the passes
since, and no state has to be carried from call to call.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

import numpy as np
import numpy.typing as npt

from overtrick.bridge.calls import CALLS, DOUBLE, FIRST_BID, PASS, REDOUBLE
from overtrick.bridge.cards import UNKNOWN, Bytes

Mask = npt.NDArray[np.bool_]
Places = npt.NDArray[np.int64]
InRow = npt.NDArray[np.int32]
"""Places in the row of all calls of a lot of auctions: half as much to go through."""

SKIPPED: Final = 254
"""In place of the call of a player whom an accepted call out of turn has skipped (PBN 3.9)."""

_STRAINS: Final = 5
_NONE: Final = -1
_BIDS: Final[Mask] = np.isin(np.arange(256), range(FIRST_BID, len(CALLS)))
_DOUBLES: Final[Mask] = np.arange(256) == DOUBLE


class CallFault(IntEnum):
    """What can be wrong with a call."""

    INSUFFICIENT = 0
    """Not higher than the last bid (Law 18)."""
    DOUBLE = 1
    """Not of an opponent's bid that was the last call but passes (Law 19A)."""
    REDOUBLE = 2
    """Not of an opponent's double that was the last call but passes (Law 19B)."""
    AFTER_END = 3
    """The first call after the passes that ended the auction (Law 22)."""


@dataclass(frozen=True)
class CallFaults:
    """Calls that are not allowed, auction by auction and call by call: arrays of equal length."""

    auction: Places
    place: Places
    """Of the call in its auction, from 0."""
    call: Bytes
    fault: Bytes
    """A `CallFault`."""
    after: Places
    """The place of the call that it should have beaten (the last bid) or answered (the last call but pass), or -1."""
    after_call: Bytes
    """That call; `UNKNOWN` where there is none."""


@dataclass(frozen=True)
class Auctions:
    """What auctions come to: arrays with one element an auction, dtype uint8 but `closed`.

    `UNKNOWN` stands for what no call says or a call that is not known leaves open.
    """

    closed: Mask
    """Ended by three passes, or by four that opened it (Law 22)."""
    level: Bytes
    """1 to 7; 0 when all four passed. Of an auction that is not closed: so far."""
    strain: Bytes
    doubled: Bytes
    """0, 1 doubled, 2 redoubled."""
    declarer: Bytes
    """Of the side of the last bid, the player who first named its strain (Law 22A)."""
    faults: CallFaults


@dataclass(frozen=True)
class _Calls:
    """Calls of all auctions in a row, and of each the place in that row of what it depends on; -1 where none is."""

    code: Bytes
    auction: InRow
    begin: InRow
    """Of each auction."""
    size: InRow
    place: InRow
    last_bid: InRow
    """Up to this call, and it too."""
    last_said: InRow
    """The last call but pass, up to this one, and it too; a call that is not known is one."""
    passes: InRow
    """That follow it, or open the auction; up to this one, and it too."""


def replay_auctions(calls: Bytes, sizes: Places, first: Bytes) -> Auctions:
    """Replay auctions.

    Args:
        calls: codes of `bridge.calls`, auction after auction in one row; `SKIPPED`, and `UNKNOWN` for what is no call.
        sizes: calls of each auction.
        first: the seat that makes the first call of each auction, `UNKNOWN` where no one knows.

    Returns:
        What each comes to, and the calls that are not allowed. What depends on an unknown call is not judged.
    """
    row = _dependencies(calls, sizes)
    end = _ends(row)
    return Auctions(end != _NONE, *_contracts(row, end, first), faults=_faults(row, end))


def joined(lots: Sequence[Auctions], size: int) -> Auctions:
    """Put auctions of several lots together, lots of this size but for the last."""
    if len(lots) == 1:
        return lots[0]
    faults = {
        name: np.concatenate([vars(lot.faults)[name] for lot in lots]) for name in CallFaults.__dataclass_fields__
    }
    faults["auction"] += size * np.repeat(np.arange(len(lots)), [len(lot.faults.auction) for lot in lots])
    columns = {
        name: np.concatenate([vars(lot)[name] for lot in lots])
        for name in Auctions.__dataclass_fields__
        if name != "faults"
    }
    return Auctions(**columns, faults=CallFaults(**faults))


def _dependencies(calls: Bytes, sizes: Places) -> _Calls:
    begin = (np.cumsum(sizes) - sizes).astype(np.int32)
    auction = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
    place = np.arange(len(calls), dtype=np.int32)
    start = np.repeat(begin, sizes)
    is_pass = calls == PASS
    last_bid = _latest(_BIDS[calls], place, start)
    last_said = _latest(~is_pass & (calls != SKIPPED), place, start)
    passed = np.cumsum(is_pass, dtype=np.int32)
    before = np.append(np.int32(0), passed)[np.where(last_said == _NONE, start, last_said)]
    return _Calls(calls, auction, begin, sizes.astype(np.int32), place, last_bid, last_said, passed - before)


def _latest(mask: Mask, place: InRow, start: InRow) -> InRow:
    """Give the last place where the mask holds, up to each place and not before its auction's start."""
    latest = np.maximum.accumulate(np.where(mask, place, np.int32(_NONE))) if len(place) else place
    return np.where(latest < start, np.int32(_NONE), latest)


def _ends(row: _Calls) -> InRow:
    """Give the place of the pass that closes each auction, -1 where none does."""
    due = np.where(row.last_said == _NONE, 4, 3)
    closing = _places((row.code == PASS) & (row.passes == due))
    return _first_of(row.auction[closing], closing, len(row.size))


def _first_of(auction: InRow, place: InRow, auctions: int) -> InRow:
    """Give the first of the places of each auction; both are in order."""
    found = np.full(auctions, _NONE, dtype=np.int32)
    found[auction[::-1]] = place[::-1]
    return found


def _contracts(row: _Calls, end: InRow, first: Bytes) -> tuple[Bytes, Bytes, Bytes, Bytes]:
    """Give level, strain, doubling and declarer that stand when an auction closes, or so far."""
    empty = row.size == 0
    stop = np.where(end == _NONE, row.begin + row.size - 1, end)
    stop[empty] = 0
    if not len(row.code):
        nothing = np.full(len(stop), UNKNOWN, dtype=np.uint8)
        return nothing, nothing, nothing, nothing
    bid = np.where(empty, _NONE, row.last_bid[stop])
    said = np.where(empty, _NONE, row.last_said[stop])
    last = np.where(said == _NONE, PASS, row.code[said])
    known = (bid != _NONE) & (last != UNKNOWN)
    known &= ~_unknown_between(row, bid, said)
    passed_out = (end != _NONE) & (said == _NONE)
    number = np.where(known, row.code[bid].astype(np.int64) - FIRST_BID, 0)
    level = np.where(known, number // _STRAINS + 1, np.where(passed_out, 0, UNKNOWN))
    doubled = np.where(known | passed_out, np.where(last >= FIRST_BID, 0, last), UNKNOWN)
    strain = np.where(known, number % _STRAINS, UNKNOWN)
    declarer = _declarers(row, bid, known, first)
    return _bytes(level), _bytes(strain), _bytes(doubled), declarer


def _bytes(values: npt.NDArray[np.generic]) -> Bytes:
    return values.astype(np.uint8)


def _unknown_between(row: _Calls, bid: InRow, said: InRow) -> Mask:
    """Say in which auctions a call that is not known stands after the last bid: it may have been another."""
    unknown = np.cumsum(row.code == UNKNOWN)
    open_: Mask = (bid != _NONE) & (unknown[said] != unknown[bid])
    return open_


def _declarers(row: _Calls, bid: InRow, known: Mask, first: Bytes) -> Bytes:
    """Find who of the side of the last bid first named its strain; unknown after a call that is not known."""
    bids = _places(row.last_bid == row.place)
    last = bid[row.auction[bids]]
    same = (bids <= last) & ((last - bids) % 2 == 0) & (_strain(row.code[bids]) == _strain(row.code[last]))
    named = bids[same]
    namer = _first_of(row.auction[named], named, len(row.size))
    unknown = np.cumsum(row.code == UNKNOWN) - (row.code == UNKNOWN)
    sure = known & (first != UNKNOWN) & (unknown[namer] == unknown[np.minimum(row.begin, len(unknown) - 1)])
    return np.where(sure, (first + namer - row.begin) % 4, UNKNOWN).astype(np.uint8)


def _strain(bids: Bytes) -> Bytes:
    return (bids - np.uint8(FIRST_BID)) % np.uint8(_STRAINS)


def _faults(row: _Calls, end: InRow) -> CallFaults:
    """List the calls that are not allowed; of those after the end the first, which is all that is known of them."""
    closing = np.repeat(end, row.size)
    in_time = (closing == _NONE) | (row.place <= closing)
    said = _places(in_time & (row.code != PASS) & (row.code < len(CALLS)))
    code = row.code[said]
    last_bid, last_said = (_before(row, latest, said) for latest in (row.last_bid, row.last_said))
    kind = np.full(len(said), UNKNOWN, dtype=np.uint8)
    kind[_BIDS[code] & (last_bid != _NONE) & (code <= row.code[last_bid])] = CallFault.INSUFFICIENT
    kind[(code == DOUBLE) & _wrong_answer(row, said, last_said, _BIDS)] = CallFault.DOUBLE
    kind[(code == REDOUBLE) & _wrong_answer(row, said, last_said, _DOUBLES)] = CallFault.REDOUBLE
    against = np.where(kind == CallFault.INSUFFICIENT, last_bid, last_said)
    late = _places(~in_time & (row.code < len(CALLS)))
    extra = _first_of(row.auction[late], late, len(row.size))
    extra = extra[extra != _NONE]
    wrong = kind != UNKNOWN
    at = np.concatenate([said[wrong], extra])
    kind = np.concatenate([kind[wrong], np.full(len(extra), CallFault.AFTER_END, dtype=np.uint8)])
    against = np.concatenate([against[wrong], _before(row, row.last_said, extra)])
    order = at.argsort()
    return _listed(row, at[order], kind[order], against[order])


def _listed(row: _Calls, at: InRow, kind: Bytes, against: InRow) -> CallFaults:
    auction = row.auction[at]
    begin = row.begin[auction]
    none = against == _NONE
    after_call = np.where(none, UNKNOWN, row.code[against]).astype(np.uint8)
    after = np.where(none, _NONE, against - begin).astype(np.int64)
    return CallFaults(auction.astype(np.int64), (at - begin).astype(np.int64), row.code[at], kind, after, after_call)


def _places(mask: Mask) -> InRow:
    return np.flatnonzero(mask).astype(np.int32)


def _before(row: _Calls, latest: InRow, at: InRow) -> InRow:
    """Give what `latest` was before some calls."""
    return np.where(at == row.begin[row.auction[at]], np.int32(_NONE), latest[at - 1])


def _wrong_answer(row: _Calls, at: InRow, last_said: InRow, answers: Mask) -> Mask:
    """Find the calls that don't answer, pass aside, a call of an opponent that they may answer."""
    said = row.code[last_said]
    allowed = ((at - last_said) % 2 == 1) & answers[said]
    wrong: Mask = (last_said == _NONE) | ~(allowed | (said == UNKNOWN))
    return wrong
