"""Auctions: the calls of each record, one to an `mb` or all in one, and the contract they end in."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import polars as pl

from overtrick.core.bridge.auction import DOUBLE, FIRST_BID, PASS, REDOUBLE
from overtrick.core.bridge.cards import SEATS, STRAINS, UNKNOWN
from overtrick.core.frames import SEAT, STRAIN
from overtrick.core.problems import report
from overtrick.files.formats.lin.read.boards import Boards
from overtrick.files.formats.lin.read.entries import ALERT, count_within, find_counted, read_entries
from overtrick.files.formats.lin.read.evening import Bytes, Mask, Places

_NEVER: Final = 1 << 40
"""Later than any call."""


@dataclass(frozen=True)
class Calls:
    """The calls of a file, up to the end of each auction: arrays of equal length but for the alerts."""

    at: Places
    """The row of `Boards.tokens` of each call."""
    code: Bytes
    record: Places
    index: Places
    """The place of each call in its auction, from 0."""
    ended: Mask
    """By record, whether the auction is over."""
    alerts: Places
    """The row of `Boards.tokens` of each `!`."""
    alerted: Places
    """The call before each `!`, by its place in the auction; -1 for none."""
    problems: pl.DataFrame


def read_calls(boards: Boards) -> Calls:
    """Read the calls of all records."""
    at, code, alerts, alerted = _separate_alerts(boards)
    record = boards.record[at]
    index = count_within(record)
    over = _find_ends(code, record, index, boards.count)
    late = index > over[record]
    more = late & (code != PASS)
    passed = late & ~np.isin(record, record[more])
    problems = [
        report("auction-after-end/lin", boards.get_first_of(at[more])),
        report("lin-calls-after-end", boards.get_first_of(at[passed])),
        report("call-unknown/lin", boards.get_rows(np.unique(at[(code == UNKNOWN) & ~late]))),
    ]
    counts = ~late
    ended = over < _NEVER
    return Calls(at[counts], code[counts], record[counts], index[counts], ended, alerts, alerted, pl.concat(problems))


def judge_auctions(calls: Calls, dealer: pl.Series) -> pl.DataFrame:
    """Find the contracts that the auctions of all records end in.

    Args:
        calls: the calls of a file.
        dealer: one seat a record, who calls first; where it is null, so is declarer.

    Returns:
        One row a record: `calls auction_start`, the contract `level strain doubled declarer`, and whether the auction
        is `over`. The contract is null where a bid is insufficient or a call unknown.
    """
    low = _mark_insufficient(calls.code, calls.record)
    unclear = np.zeros(len(dealer), dtype=np.bool_)
    unclear[calls.record[low | (calls.code == UNKNOWN)]] = True
    frame = _find_contracts(calls, dealer).with_columns(pl.Series("over", calls.ended), pl.Series("unclear", unclear))
    contract = pl.when(~pl.col("unclear"))
    frame = frame.with_columns(contract.then(pl.col(name)) for name in ("level", "strain", "doubled", "declarer"))
    of_record = pl.DataFrame({"record": calls.record.astype(np.uint32), "calls": calls.code})
    listed = of_record.group_by("record", maintain_order=True).agg("calls")
    frame = frame.join(listed, on="record", how="left", maintain_order="left")
    return frame.drop("record", "unclear").with_columns(dealer.alias("auction_start"))


def _separate_alerts(boards: Boards) -> tuple[Places, Bytes, Places, Places]:
    """Return the calls of all records in the order of the text, with their rows, and the alerts with theirs.

    Worked example, `mb|1C!p|mb|2D!|` in rows 3 and 4 of one record:

        at       3   3  3  4   4
        code     1C  !  p  2D  !
        calls    1   1  2  3   3     calls so far
        alerted      0         2     for each alert, calls so far less those before the record, from 0
    """
    entries = read_entries(boards.tokens, find_counted(boards, "mb"), "auction")
    at, alert = entries.at, entries.code == ALERT
    calls = np.cumsum(~alert)
    first = np.searchsorted(boards.record[at], boards.record[at[alert]])
    alerted = calls[alert] - calls[first] + (~alert)[first] - 1
    return at[~alert], entries.code[~alert], at[alert], alerted


def _find_ends(code: Bytes, record: Places, index: Places, count: int) -> Places:
    """Return the place of the call that ends each record's auction: the third pass of three, fourth call or later.

    Worked example, one record with a pass too many:

        index   0   1     2     3     4
        code    1C  pass  pass  pass  pass
        third   no  no    no    yes   yes    index 3 or more, and it and the two before are passes
        over    3                            the first of them
    """
    passed = code == PASS
    third = passed & (index >= 3)
    for back in (1, 2):
        third[back:] &= passed[:-back]
    over = np.full(count, _NEVER, dtype=np.int64)
    np.minimum.at(over, record[third], index[third])
    return over


def _mark_insufficient(code: Bytes, record: Places) -> Mask:
    """Mark bids that are not higher than the bid before; the check of auctions reports what is wrong with them."""
    low = np.zeros(len(code), dtype=np.bool_)
    bids = np.flatnonzero((code >= FIRST_BID) & (code != UNKNOWN))
    follows = record[bids[1:]] == record[bids[:-1]]
    low[bids[1:]] = follows & (code[bids[1:]] <= code[bids[:-1]])
    return low


def _find_contracts(calls: Calls, dealer: pl.Series) -> pl.DataFrame:
    """Return the contract of each record by its last bid; declarer named its strain first for that side (Law 22).

    Worked example, one record, North deals:

        index    0     1    2     3   4      5     6     7
        code     pass  1S   pass  4S  double pass  pass  pass
        bids           1          3
        last     3                               the last bid; `step` 18 is level 4, strain 3
        doubled  1                               the highest double or redouble after it
        key            7          7              by record, strain and side: (0 * 5 + 3) * 2 + 1
        opener   1                               the first bid with the key of the last one
        declarer East                            dealer and opener
    """
    code, record, index = calls.code, calls.record, calls.index
    count = len(calls.ended)
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
    keys, first = np.unique(key, return_index=True)
    place = np.searchsorted(keys, (bid * 5 + strain[bid]) * 2 + index[last[bid]] % 2)
    seat = dealer.to_physical().cast(pl.Int64).fill_null(UNKNOWN).to_numpy()[bid]
    opener[bid] = np.where(seat == UNKNOWN, UNKNOWN, (seat + index[bids[first[place]]]) % 4)
    level[calls.ended & (last < 0)] = 0
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
