"""Auctions by hand: a referee who takes one call after the other, and auctions made up call by call."""

from collections.abc import Sequence

import numpy as np
from hypothesis import strategies as st

from overtrick.core.bridge.auction import CALLS, DOUBLE, FIRST_BID, PASS, REDOUBLE, Auctions, CallFault, replay_auctions
from overtrick.core.bridge.cards import SEATS

Fault = tuple[int, CallFault]


def codes(text: str) -> list[int]:
    """Read calls: `1C P 1NT X`."""
    names = {**{name: code for code, name in enumerate(CALLS)}, "P": PASS}
    return [names[word] for word in text.split()]


def replayed(*auctions: Sequence[int], first: str = "N") -> Auctions:
    """Replay auctions that one seat opens."""
    calls = np.array([call for auction in auctions for call in auction], dtype=np.uint8)
    sizes = np.array([len(auction) for auction in auctions], dtype=np.int64)
    return replay_auctions(calls, sizes, np.full(len(auctions), SEATS.index(first), dtype=np.uint8))


def faults(auctions: Auctions, number: int = 0) -> list[Fault]:
    """List place and fault of each call of one auction that is not allowed."""
    found = auctions.faults
    mine = found.auction == number
    return [(int(p), CallFault(f)) for p, f in zip(found.place[mine], found.fault[mine], strict=True)]


def is_over(calls: Sequence[int]) -> bool:
    """Say whether the calls are a whole auction (Law 22)."""
    passes = len(calls) - max((place + 1 for place, call in enumerate(calls) if call != PASS), default=0)
    return passes >= (4 if passes == len(calls) else 3)


def verdict(calls: Sequence[int], call: int) -> CallFault | None:
    """Judge the next call as a director would, with the calls before it on the table."""
    bids = [earlier for earlier in calls if earlier >= FIRST_BID]
    said = [(place, earlier) for place, earlier in enumerate(calls) if earlier != PASS]
    last = said[-1] if said else None
    by_opponent = last is not None and (len(calls) - last[0]) % 2 == 1
    if call >= FIRST_BID and bids and call <= bids[-1]:
        return CallFault.INSUFFICIENT
    if call == DOUBLE and not (by_opponent and last and last[1] >= FIRST_BID):
        return CallFault.DOUBLE
    if call == REDOUBLE and not (by_opponent and last and last[1] == DOUBLE):
        return CallFault.REDOUBLE
    return None


def referee(calls: Sequence[int]) -> list[Fault]:
    """Judge all calls of an auction, one after the other; each wrong one stands."""
    wrong: list[Fault] = []
    for place, call in enumerate(calls):
        if is_over(calls[:place]):
            return [*wrong, (place, CallFault.AFTER_END)]
        fault = verdict(calls[:place], call)
        if fault is not None:
            wrong.append((place, fault))
    return wrong


@st.composite
def legal_auctions(draw: st.DrawFn) -> list[int]:
    """Whole auctions in which every call is allowed."""
    calls: list[int] = []
    while not is_over(calls):
        allowed = [call for call in range(len(CALLS)) if verdict(calls, call) is None]
        calls.append(draw(st.one_of(st.just(PASS), st.sampled_from(allowed[:9]))))
    return calls


def any_calls() -> st.SearchStrategy[list[int]]:
    """Calls in any order, mostly low ones, so that many orders of the same few meet."""
    call = st.one_of(st.sampled_from([PASS, PASS, DOUBLE, REDOUBLE]), st.integers(FIRST_BID, FIRST_BID + 6))
    return st.lists(call, max_size=14)
