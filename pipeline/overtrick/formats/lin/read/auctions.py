"""Auctions: the calls of each record, one to an `mb` or all in one, and the contract they end in."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
import polars as pl

from overtrick.bridge.calls import CALLS, DOUBLE, FIRST_BID, PASS, REDOUBLE
from overtrick.bridge.cards import SEATS, STRAINS, UNKNOWN
from overtrick.formats.lin.read.boards import Boards, within
from overtrick.formats.lin.read.spelling import spelled
from overtrick.frames import SEAT, STRAIN
from overtrick.problems import report

Codes = npt.NDArray[np.uint8]
Places = npt.NDArray[np.signedinteger]
Mask = npt.NDArray[np.bool_]

_ALERT: Final = 200
_NEVER: Final = 1 << 40
"""Later than any call."""
_LETTERS: Final = {"P": PASS, "D": DOUBLE, "X": DOUBLE, "R": REDOUBLE, "DBL": DOUBLE, "RDBL": REDOUBLE}
_WORDS: Final = {name.upper(): code for code, name in enumerate(CALLS)} | _LETTERS


@dataclass(frozen=True)
class Called:
    """The calls of a file, up to the end of each auction: arrays of equal length but for the alerts."""

    at: Places
    """The row of `Boards.tokens` of each call."""
    code: Codes
    record: Places
    index: Places
    """The place of each call in its auction, from 0."""
    ended: Mask
    """By record, whether the auction is over."""
    alerts: Places
    """The row of `Boards.tokens` of each `!`."""
    alerted: Places
    """The call before it that it marks, by its place in the auction; -1 for none."""
    problems: pl.DataFrame


@dataclass(frozen=True)
class Auctions:
    """The auctions of a file."""

    frame: pl.DataFrame
    """One row a record: `calls auction_start`, the contract `level strain doubled declarer`, and whether the auction is
    `over`. The contract is null where the auction does not say one."""
    called: Called


def called(boards: Boards) -> Called:
    """Read the calls of all records."""
    at, code, alerts, alerted = _spelled(boards)
    record = boards.record[at]
    index = within(record)
    over = _ends(code, record, index, len(boards.frame))
    late = index > over[record]
    said = late & (code != PASS)
    passed = late & ~np.isin(record, record[said])
    problems = [
        report("lin-bid-after-end", boards.rows(at[said]).unique("record", keep="first", maintain_order=True)),
        report("lin-calls-after-end", boards.rows(at[passed]).unique("record", keep="first", maintain_order=True)),
        report("lin-call-unknown", boards.rows(np.unique(at[(code == UNKNOWN) & ~late]))),
    ]
    on = ~late
    return Called(at[on], code[on], record[on], index[on], over < _NEVER, alerts, alerted, pl.concat(problems))


def auctions(read: Called, dealer: pl.Series) -> Auctions:
    """Say what the auctions of all records come to.

    Args:
        read: their calls.
        dealer: one seat a record, who calls first; without one nobody is declarer.
    """
    low = _insufficient(read.code, read.record)
    unclear = np.zeros(len(dealer), dtype=np.bool_)
    unclear[read.record[low | (read.code == UNKNOWN)]] = True
    frame = _contracts(read.code, read.record, read.index, read.ended, dealer).with_columns(
        pl.Series("over", read.ended), pl.Series("unclear", unclear)
    )
    contract = pl.when(~pl.col("unclear"))
    frame = frame.with_columns(contract.then(pl.col(name)) for name in ("level", "strain", "doubled", "declarer"))
    calls = pl.DataFrame({"record": read.record.astype(np.uint32), "calls": read.code})
    listed = calls.group_by("record", maintain_order=True).agg("calls")
    frame = frame.join(listed, on="record", how="left", maintain_order="left")
    return Auctions(frame.drop("record", "unclear").with_columns(dealer.alias("auction_start")), read)


def _spelled(boards: Boards) -> tuple[Places, Codes, Places, Places]:
    """Read the calls of all records in the order of the text, with the rows they stand in, and the alerts apart."""
    read = spelled(boards.tokens, boards.played("mb"), "auction", _code)
    at, alert = read.at, read.code == _ALERT
    calls = np.cumsum(~alert)
    first = np.searchsorted(boards.record[at], boards.record[at[alert]])
    alerted = calls[alert] - calls[first] + (~alert)[first] - 1
    return at[~alert], read.code[~alert], at[alert], alerted


def _code(kind: str, text: str) -> int | None:
    if kind == "CALL":
        word = text.upper()
        return _WORDS[word if word in _WORDS else f"{word}T"]
    return {"ALERT": _ALERT, "WORD": UNKNOWN}.get(kind)


def _ends(code: Codes, record: Places, index: Places, count: int) -> Places:
    """Give the place of the call that ends each record's auction: the third pass of three, fourth call or later."""
    passed = code == PASS
    third = passed & (index >= 3)
    for back in (1, 2):
        third[back:] &= passed[:-back]
    over = np.full(count, _NEVER, dtype=np.int64)
    np.minimum.at(over, record[third], index[third])
    return over


def _insufficient(code: Codes, record: Places) -> Mask:
    """Find bids that are not higher than the bid before; what is wrong with them is said when auctions are judged."""
    low = np.zeros(len(code), dtype=np.bool_)
    bids = np.flatnonzero((code >= FIRST_BID) & (code != UNKNOWN))
    follows = record[bids[1:]] == record[bids[:-1]]
    low[bids[1:]] = follows & (code[bids[1:]] <= code[bids[:-1]])
    return low


def _contracts(code: Codes, record: Places, index: Places, ended: Mask, dealer: pl.Series) -> pl.DataFrame:
    """Give the contract of each record by its last bid: declarer named its strain first for that side (Law 22)."""
    count = len(ended)
    bids = np.flatnonzero((code >= FIRST_BID) & (code != UNKNOWN))
    last = np.full(count, -1, dtype=np.int64)
    last[record[bids]] = bids
    bid = np.flatnonzero(last >= 0)
    step = code[last[bid]].astype(np.int64) - FIRST_BID
    level, strain, doubled, opener = (np.full(count, UNKNOWN, dtype=np.uint8) for _ in range(4))
    level[bid], strain[bid] = step // 5 + 1, step % 5
    after = (code == DOUBLE) | (code == REDOUBLE)
    after &= np.arange(len(code)) > last[record]
    doubled[bid] = 0
    np.maximum.at(doubled, record[after], np.where(last[record[after]] >= 0, code[after], 0).astype(np.uint8))
    key = (record[bids] * 5 + (code[bids].astype(np.int64) - FIRST_BID) % 5) * 2 + index[bids] % 2
    names, first = np.unique(key, return_index=True)
    place = np.searchsorted(names, (bid * 5 + strain[bid]) * 2 + index[last[bid]] % 2)
    seat = dealer.to_physical().cast(pl.Int64).fill_null(UNKNOWN).to_numpy()[bid]
    opener[bid] = np.where(seat == UNKNOWN, UNKNOWN, (seat + index[bids[first[place]]]) % 4)
    level[ended & (last < 0)] = 0
    doubled[last < 0] = UNKNOWN
    return pl.DataFrame(
        {
            "record": np.arange(count, dtype=np.uint32),
            "level": pl.Series(level).replace(UNKNOWN, None),
            "strain": pl.Series(strain).replace_strict(range(5), STRAINS, default=None, return_dtype=STRAIN),
            "doubled": pl.Series(doubled).replace(UNKNOWN, None),
            "declarer": pl.Series(opener).replace_strict(range(4), SEATS, default=None, return_dtype=SEAT),
        }
    )
