"""Auctions replayed, all calls of all boards at once (Laws 17 to 22).

Each call is judged by the calls before it as they are written: a call that is not allowed counts as accepted (Laws
27A, 29A and 32), so that one slip makes one fault. A call then depends only on the last bid, the last call other than a
pass, and the passes since, and no state has to be carried from call to call.
"""

from collections.abc import Sequence
from enum import IntEnum
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from overtrick.core.bridge.cards import SEATS, STRAIN_SIGNS, STRAINS, UNKNOWN, Bytes
from overtrick.core.bridge.par import evaluated

BETWEEN: Final = " / "
"""Separates bids that the card names for the same hand."""

_NO_BID: Final = pl.lit(None, pl.String)


def note_openings(deals: pl.Series) -> pl.DataFrame:
    """Note the opening bid of each hand.

    Args:
        deals: canonical deals (`frames.RECORDS["deal"]`).

    Returns:
        One row a deal; by seat (`n e s w`) `opening_n`, String: a bid such as `1NT`, or several as `1H / 1S`; null if
        the card names none, or the hand is not shown with all thirteen cards.
    """
    hands = evaluated(deals)
    return hands.select(_opening(seat.lower()).alias(f"opening_{seat.lower()}") for seat in SEATS)


def _opening(seat: str) -> pl.Expr:
    points = pl.col(f"points_{seat}")
    balanced = pl.col(f"balanced_{seat}")
    lengths = pl.col(f"lengths_{seat}").str.split("=")
    spades, hearts, diamonds, clubs = (lengths.list.get(place).cast(pl.UInt8) for place in range(4))
    suits = {"C": clubs, "D": diamonds, "H": hearts, "S": spades}
    notrump = (
        pl.when(points.is_between(15, 17))
        .then(pl.lit("1NT"))
        .when(points.is_between(20, 21))
        .then(pl.lit("2NT"))
        .when(points.is_between(25, 27))
        .then(pl.lit("3NT"))
    )
    return (
        pl.when(balanced & notrump.is_not_null())
        .then(notrump)
        .when(points >= 22)
        .then(pl.lit("2C"))
        .when(points >= 13)
        .then(_one_of_a_suit(spades, hearts, diamonds, clubs))
        .when(points.is_between(6, 10) & (pl.max_horizontal(*suits.values()) >= 7))
        .then(_preempt(suits))
        .when(points.is_between(5, 11))
        .then(_bids(2, {name: length == 6 for name, length in suits.items() if name != "C"}))
        .otherwise(_NO_BID)
    )


def _one_of_a_suit(spades: pl.Expr, hearts: pl.Expr, diamonds: pl.Expr, clubs: pl.Expr) -> pl.Expr:
    majors = _bids(1, {"H": (hearts >= 5) & (hearts >= spades), "S": (spades >= 5) & (spades >= hearts)})
    diamond = (diamonds >= 4) | (clubs < 3)
    club = (clubs >= 3) & ((diamonds < 4) | (clubs > diamonds))
    return pl.coalesce(majors, _bids(1, {"C": club, "D": diamond}))


def _preempt(suits: dict[str, pl.Expr]) -> pl.Expr:
    longest = pl.max_horizontal(*suits.values())
    preempts = [_bids(level, {name: length == longest for name, length in suits.items()}) for level in (3, 4)]
    minors = _bids(5, {name: suits[name] == longest for name in "CD"})
    return pl.when(longest == 7).then(preempts[0]).when(longest == 8).then(preempts[1]).when(longest == 9).then(minors)


def _bids(level: int, suits: dict[str, pl.Expr]) -> pl.Expr:
    """Return the bids in the suits whose condition is true, null for none."""
    bids = pl.concat_str(
        [pl.when(fits).then(pl.lit(f"{level}{name}")) for name, fits in suits.items()],
        separator=BETWEEN,
        ignore_nulls=True,
    )
    return pl.when(bids != "").then(bids)


PASS: Final = 0
DOUBLE: Final = 1
REDOUBLE: Final = 2
FIRST_BID: Final = 3

CALLS: Final = ("Pass", "X", "XX", *[f"{level}{strain}" for level in range(1, 8) for strain in STRAINS])
"""Names of the 38 calls by code, as PBN writes them."""

CALL_SIGNS: Final = (
    "pass",
    "double",
    "redouble",
    *(f"{level}{sign}" for level in range(1, 8) for sign in STRAIN_SIGNS),
)
"""The 38 calls by code as a sentence writes them: `1♣`."""


def bid(level: int, strain: int) -> int:
    """Return the code of a bid: `bid(1, 0)` is one club, 3."""
    return FIRST_BID + 5 * (level - 1) + strain


Mask = npt.NDArray[np.bool_]
Places = npt.NDArray[np.int64]
InRow = npt.NDArray[np.int32]
"""Places in the row of all calls of a lot of auctions; 32 bits are enough for a lot, and half as much to read."""

SKIPPED: Final = 254
"""The call of a player who was skipped because a call out of turn was accepted (PBN 3.9)."""

_STRAINS: Final = 5
_NONE: Final = -1
_BIDS: Final[Mask] = np.isin(np.arange(256), range(FIRST_BID, len(CALLS)))
_DOUBLES: Final[Mask] = np.arange(256) == DOUBLE


class CallFault(IntEnum):
    """The ways in which a call breaks a Law."""

    INSUFFICIENT = 0
    """Not higher than the last bid (Law 18)."""
    DOUBLE = 1
    """The last call other than a pass was not a bid by an opponent (Law 19A)."""
    REDOUBLE = 2
    """The last call other than a pass was not a double by an opponent (Law 19B)."""
    AFTER_END = 3
    """The first call after the passes that ended the auction (Law 22)."""


class CallFaults(NamedTuple):
    """Calls that are not allowed, auction by auction and call by call: arrays of equal length."""

    auction: Places
    place: Places
    """Of the call in its auction, from 0."""
    call: Bytes
    fault: Bytes
    """A `CallFault`."""
    after: Places
    """The place of the call that it had to beat (the last bid) or answer (the last call other than a pass), or -1."""
    after_call: Bytes
    """That call; `UNKNOWN` where there is none."""


class Auctions(NamedTuple):
    """The results of auctions: arrays with one element an auction, dtype uint8 except `closed`.

    `UNKNOWN` means that no call decides it, or that it depends on an unknown call.
    """

    closed: Mask
    """Ended by three passes after a bid, or by four opening passes (Law 22)."""
    level: Bytes
    """1 to 7; 0 when all four passed. The level so far, if the auction is not closed."""
    strain: Bytes
    doubled: Bytes
    """0, 1 doubled, 2 redoubled."""
    declarer: Bytes
    """The player of the side of the last bid who first named its strain (Law 22A)."""
    faults: CallFaults


class _Calls(NamedTuple):
    """The calls of all auctions in one row, and for each the places in that row that it depends on; -1 for none."""

    code: Bytes
    auction: InRow
    begin: InRow
    """Of each auction."""
    size: InRow
    place: InRow
    last_bid: InRow
    """Up to and including this call."""
    last_said: InRow
    """The last call other than a pass, up to and including this one; an unknown call counts."""
    passes: InRow
    """Passes since then, or since the beginning; up to and including this one."""


def replay_auctions(calls: Bytes, sizes: Places, first: Bytes) -> Auctions:
    """Replay auctions.

    Args:
        calls: codes of `bridge.calls`, auction after auction in one row; `SKIPPED`, and `UNKNOWN` for a text that is
            not a call.
        sizes: calls of each auction.
        first: the seat that makes the first call of each auction, `UNKNOWN` where that is not known.

    Returns:
        The result of each auction, and the calls that are not allowed. What depends on an unknown call is not judged.
    """
    row = _dependencies(calls, sizes)
    end = _ends(row)
    return Auctions(end != _NONE, *_contracts(row, end, first), faults=_faults(row, end))


def join_lots(lots: Sequence[Auctions], size: int) -> Auctions:
    """Join the auctions of several lots; all lots but the last have this size."""
    if len(lots) == 1:
        return lots[0]
    faults = CallFaults._make(map(np.concatenate, zip(*(lot.faults for lot in lots), strict=True)))
    faults.auction[:] += size * np.repeat(np.arange(len(lots)), [len(lot.faults.auction) for lot in lots])
    *columns, _ = zip(*lots, strict=True)
    return Auctions._make([*map(np.concatenate, columns), faults])


def _dependencies(calls: Bytes, sizes: Places) -> _Calls:
    """Find what each call depends on, by running maxima and sums over the row of all calls."""
    # Two auctions, the second with an insufficient bid:
    #
    #     place  call  auction  last_bid  last_said  passes
    #     0      1S    0        0         0          0
    #     1      Pass  0        0         0          1
    #     2      3S    0        2         2          0
    #     3      X     0        2         3          0
    #     4-6    Pass  0        2         3          1, 2, 3     the third pass closes the auction (`_ends`)
    #     7      1D    1        7         7          0
    #     8      1C    1        8         8          0           the bid before it, at 7, is higher (`_faults`)
    #
    # Auction 0 is 3S doubled: `last_bid` and `last_said` where it closes. Declarer is whoever called at place 0, the
    # first spade bid with the parity of place 2 (`_declarers`).
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
    """Return the last place where the mask holds, up to each place and not before its auction's start."""
    latest = np.maximum.accumulate(np.where(mask, place, np.int32(_NONE))) if len(place) else place
    return np.where(latest < start, np.int32(_NONE), latest)


def _ends(row: _Calls) -> InRow:
    """Return the place of the pass that closes each auction, -1 where none does."""
    due = np.where(row.last_said == _NONE, 4, 3)
    closing = _places((row.code == PASS) & (row.passes == due))
    return _first_of(row.auction[closing], closing, len(row.size))


def _first_of(auction: InRow, place: InRow, auctions: int) -> InRow:
    """Return the first of the places of each auction; both are in order."""
    found = np.full(auctions, _NONE, dtype=np.int32)
    found[auction[::-1]] = place[::-1]
    return found


def _contracts(row: _Calls, end: InRow, first: Bytes) -> tuple[Bytes, Bytes, Bytes, Bytes]:
    """Return level, strain, doubling and declarer when each auction closes, or so far."""
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
    """Return the auctions with an unknown call after the last bid: it may have been a higher bid."""
    unknown = np.cumsum(row.code == UNKNOWN)
    open_: Mask = (bid != _NONE) & (unknown[said] != unknown[bid])
    return open_


def _declarers(row: _Calls, bid: InRow, known: Mask, first: Bytes) -> Bytes:
    """Find who of the side of the last bid first named its strain; unknown after an unknown call."""
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
    """List the calls that are not allowed; of the calls after the end only the first."""
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
    """Return what `latest` was before each of these calls."""
    return np.where(at == row.begin[row.auction[at]], np.int32(_NONE), latest[at - 1])


def _wrong_answer(row: _Calls, at: InRow, last_said: InRow, answers: Mask) -> Mask:
    """Return the calls whose last call before them, other than a pass, is not one that they may answer."""
    said = row.code[last_said]
    allowed = ((at - last_said) % 2 == 1) & answers[said]
    wrong: Mask = (last_said == _NONE) | ~(allowed | (said == UNKNOWN))
    return wrong
