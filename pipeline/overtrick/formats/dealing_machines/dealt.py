"""What all files of deals share: cards by their number, the check for 52 of them, and the frames they become."""

import re
from codecs import BOM_UTF8
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt
import polars as pl

from overtrick.bridge.cards import CARDS, SEAT_NAMES, UNKNOWN, Bytes, canonical
from overtrick.formats.base import Reading
from overtrick.frames import ITEMS, RECORDS, conform, empty
from overtrick.problems import Finding, report_findings

DECK: Final = 52
FAULTY: Final = "deal-file-cards"

_TOLERATED: Final = 50
"""One byte in so many may be wrong in a text of deals."""

_FILLING: Final = np.frombuffer(b"\x00\x1a ", dtype=np.uint8)

_Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Dealt:
    """Deals as a file holds them.

    Attributes:
        owner: seat by card, shape (deals, 52), as of `bridge.cards.owners`.
        boards: one row a deal: `board text`, and whichever is known of `board_label line column byte dealer vulnerable`
            and other columns of `frames.RECORDS`. `text` is what the file has of the deal, kept where it can't be read.
        faults: what is wrong with a deal beside the size of its hands, by row.
        extras: items that are no deal (`line column record name text`).
        findings: problems beside those of deals; one with a record leaves that record's deal out when it is an error.
    """

    owner: Bytes
    boards: pl.DataFrame
    faults: dict[int, str] = field(default_factory=dict)
    extras: pl.DataFrame = field(default_factory=lambda: empty(ITEMS))
    findings: Sequence[Finding] = ()


def owners_by_number(numbers: Bytes) -> tuple[Bytes, dict[int, str]]:
    """Deal cards out by their numbers.

    Args:
        numbers: machine numbers of the cards of North, East and South, shape (deals, 39), or of all hands in any order
            of seats with West last, shape (deals, 52): 1 the spade ace to 52 the club two.

    Returns:
        Seat by card, and what is wrong by row. Cards that nobody has are West's.
    """
    n, places = numbers.shape
    owner = np.full((n, DECK), 3, dtype=np.uint8)
    known = (numbers >= 1) & (numbers <= DECK)
    row, place = np.nonzero(known)
    card = DECK - numbers[row, place].astype(np.int64)
    owner[row, card] = place // 13
    times = np.zeros((n, DECK), dtype=np.uint8)
    np.add.at(times, (row, card), 1)
    faults = {
        int(r): f"{CARDS[int(times[r].argmax())]} is dealt twice" for r in np.flatnonzero((times > 1).any(axis=1))
    }
    faults |= {
        int(r): f"{places} numbers of cards from 01 to 52 were expected" for r in np.flatnonzero(~known.all(axis=1))
    }
    return owner, faults


def from_top(seats: Bytes) -> Bytes:
    """Turn seats by machine number, the spade ace first, into seats by card code, the club two first."""
    return seats[:, ::-1]


def is_mostly(head: bytes, begins: re.Pattern[bytes], deal: re.Pattern[bytes], foreign: re.Pattern[bytes]) -> bool:
    """Say whether a text begins with a deal, or has one and hardly a byte that is foreign to its format."""
    head = plain(head)
    if begins.match(head):
        return True
    return deal.search(head) is not None and _TOLERATED * len(foreign.findall(head)) <= len(head)


def plain(data: bytes) -> bytes:
    """Take from a file of text what editors put before it and old systems behind it, to fill a block of the disk."""
    return data.removeprefix(BOM_UTF8).rstrip(b"\x00\x1a")


@dataclass(frozen=True)
class Blocks:
    """A file of blocks of one size, a deal each."""

    rows: Bytes
    """Shape (deals, size)."""
    starts: _Numbers
    """The byte that each begins at, from 0."""
    rest: pl.DataFrame
    """What is left at the end and is no block: no item, or one."""
    findings: list[Finding]


def blocks(data: bytes, size: int, skip: int = 0) -> Blocks:
    """Cut a file into blocks behind its first `skip` bytes; blocks at its end that nothing was written to are none."""
    count, rest = divmod(max(len(data) - skip, 0), size)
    end = skip + count * size
    rows = np.frombuffer(data[skip:end], dtype=np.uint8).reshape(count, size)
    filled = np.flatnonzero(~np.isin(rows, _FILLING).all(axis=1))
    rows = rows[: filled[-1] + 1 if len(filled) else 0]
    starts = skip + np.arange(len(rows)) * size
    # Some programs end a file with a single end-of-file mark.
    if not data[end:].strip(b"\x00\x1a\r\n "):
        return Blocks(rows, starts, empty(ITEMS), [])
    left = pl.DataFrame({"kind": ["stray"], "text": [data[end:].decode("cp437")]})
    cut = Finding("deal-file-cut", values={"size": rest, "byte": end})
    return Blocks(rows, starts, conform(ITEMS, left), [cut])


def holds_block(head: bytes, size: int, pattern: re.Pattern[bytes]) -> bool:
    """Say whether any of the first blocks is as it should be: one that is damaged must not hide what file it is."""
    return any(pattern.match(head, start) for start in range(0, len(head), size))


def block_boards(bytes_at: _Numbers, texts: Sequence[str], first: int = 1) -> pl.DataFrame:
    """Give `Dealt.boards` of blocks that bear no number: they count from `first`."""
    return pl.DataFrame(
        {"board": np.arange(len(bytes_at)) + first, "byte": bytes_at, "text": texts},
        schema={"board": pl.Int32, "byte": pl.Int64, "text": pl.String},
    )


def texts(block: Bytes) -> list[str]:
    """Give each row of bytes as a text of code page 437, in which these programs grew up."""
    return [row.tobytes().decode("cp437") for row in block]


def reading(dealt: Dealt) -> Reading:
    """Turn deals into frames: a record each, whose deal is null where the cards are no deal of 52."""
    boards = _placed(dealt)
    faults = _hand_sizes(dealt.owner) | dealt.faults
    errors = [_finding(boards.row(row, named=True), row, fault) for row, fault in sorted(faults.items())]
    left_out = faults.keys() | {f.record for f in dealt.findings if f.code == "deal-file-check-number"}
    whole = np.ones(len(boards), dtype=np.bool_)
    whole[[row for row in left_out if row is not None]] = False
    deals = np.full(len(boards), None, dtype=object)
    deals[whole] = canonical(dealt.owner[whole]).to_list()
    records = boards.with_columns(pl.Series("deal", deals.tolist(), dtype=pl.String))
    unread = boards.filter(pl.Series(~whole)).with_columns(pl.lit("stray").alias("kind"))
    items = pl.concat([conform(ITEMS, dealt.extras), conform(ITEMS, unread)])
    found = [*dealt.findings, *errors]
    if boards.is_empty():
        found.append(Finding("file-no-games", line=1, column=1))
    problems = report_findings(found, "").sort("record", "line", maintain_order=True, nulls_last=True)
    return Reading(items=items, records=conform(RECORDS, records), problems=problems)


def place_of(row: int, board: dict[str, object]) -> str:
    """Name a deal in a problem: by its place in the file, and by the byte where there are no lines."""
    byte = board.get("byte")
    return f"deal {row + 1}" if byte is None else f"deal {row + 1} (byte {byte})"


def _placed(dealt: Dealt) -> pl.DataFrame:
    boards = dealt.boards.with_row_index("record")
    if "board_label" not in boards.columns:
        boards = boards.with_columns(pl.col("board").cast(pl.String).alias("board_label"))
    absent = {"line": pl.UInt32, "column": pl.UInt32, "byte": pl.Int64}
    return boards.with_columns(
        pl.lit(None, dtype).alias(name) for name, dtype in absent.items() if name not in boards.columns
    )


def _hand_sizes(owner: Bytes) -> dict[int, str]:
    sizes = np.stack([(owner == seat).sum(axis=1) for seat in range(4)], axis=1)
    unknown = (owner == UNKNOWN).sum(axis=1)
    faults = {}
    for row in np.flatnonzero((sizes != 13).any(axis=1)).tolist():
        seat = int((sizes[row] != 13).argmax())
        lost = f"{unknown[row]} cards are with nobody" if unknown[row] else ""
        faults[row] = lost or f"{SEAT_NAMES[seat]} has {sizes[row, seat]} cards instead of 13"
    return faults


def _finding(board: dict[str, object], row: int, fault: str) -> Finding:
    line, column, label = board["line"], board["column"], board["board_label"]
    return Finding(
        FAULTY,
        line=line if isinstance(line, int) else None,
        column=column if isinstance(column, int) else None,
        record=row,
        board=None if label is None else str(label),
        values={"place": place_of(row, board), "fault": fault},
    )
