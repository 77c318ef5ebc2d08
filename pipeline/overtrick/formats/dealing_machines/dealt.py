"""What all files of deals share: cards by number, the check for 52 of them, the frames, and the deals to write."""

import re
from codecs import BOM_UTF8
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt
import polars as pl

from overtrick.bridge.cards import CARDS, SEAT_NAMES, UNKNOWN, Bytes, canonical, is_complete, owners
from overtrick.formats.base import Reading, Written
from overtrick.formats.pbn.read.deals import read_deals
from overtrick.frames import ITEMS, RECORDS, Problems, Session, conform, empty
from overtrick.problems import Finding, report, report_findings

DECK: Final = 52
FAULTY: Final = "deal-file-cards"

_TOLERATED: Final = 50
"""One byte in this many may be foreign in a text of deals."""

_FILLING: Final = np.frombuffer(b"\x00\x1a ", dtype=np.uint8)

_Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Dealt:
    """Deals as a file holds them.

    Attributes:
        owner: seat by card, shape (deals, 52), as of `bridge.cards.owners`.
        boards: one row a deal: `board text`, and whichever is known of `board_label line column byte dealer vulnerable`
            and other columns of `frames.RECORDS`. `text` is what the file has of the deal, kept where it can't be read.
        faults: by row, what is wrong with a deal besides the size of its hands.
        extras: items that are not deals (`line column record name text`).
        findings: other problems; one with a record leaves that record's deal out if it is an error.
    """

    owner: Bytes
    boards: pl.DataFrame
    faults: dict[int, str] = field(default_factory=dict)
    extras: pl.DataFrame = field(default_factory=lambda: empty(ITEMS))
    findings: Sequence[Finding] = ()


def owners_by_number(numbers: Bytes) -> tuple[Bytes, dict[int, str]]:
    """Return who has each card, from the numbers of the cards.

    Args:
        numbers: machine numbers of the cards of North, East and South, shape (deals, 39), or of all hands in any order
            of seats with West last, shape (deals, 52): 1 the spade ace to 52 the club two.

    Returns:
        Seat by card, and by row what is wrong. Cards that nobody has are West's.
    """
    # A row that begins `01 14 27` has the aces of spades, hearts and diamonds in North's hand: `row` is 0 0 0, `place`
    # 0 1 2, `card` 51 38 25 by the codes of `bridge.cards`, and `place // 13` is 0, North, for each.
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


def reverse_deck(seats: Bytes) -> Bytes:
    """Turn seats by machine number, the spade ace first, into seats by card code, the club two first; or back."""
    return seats[:, ::-1]


def is_mostly(head: bytes, begins: re.Pattern[bytes], deal: re.Pattern[bytes], foreign: re.Pattern[bytes]) -> bool:
    """Report whether a text begins with a deal, or has one and hardly a byte that is foreign to its format."""
    head = strip_filling(head)
    if begins.match(head):
        return True
    return deal.search(head) is not None and _TOLERATED * len(foreign.findall(head)) <= len(head)


def strip_filling(data: bytes) -> bytes:
    """Return a text file without the mark that editors put before it and the filling that old systems put after it."""
    return data.removeprefix(BOM_UTF8).rstrip(b"\x00\x1a")


@dataclass(frozen=True)
class Blocks:
    """A file of blocks of one size, one for each deal."""

    rows: Bytes
    """Shape (deals, size)."""
    starts: _Numbers
    """The byte at which each begins, from 0."""
    rest: pl.DataFrame
    """The bytes at the end that are not a whole block: no item, or one."""
    findings: list[Finding]


def cut_blocks(data: bytes, size: int, skip: int = 0) -> Blocks:
    """Cut a file into blocks after its first `skip` bytes; empty blocks at its end are left out."""
    count, rest = divmod(max(len(data) - skip, 0), size)
    end = skip + count * size
    rows = cut_rows(data[skip:], size)
    starts = skip + np.arange(len(rows)) * size
    # Some programs end a file with a single end-of-file mark.
    if not data[end:].strip(b"\x00\x1a\r\n "):
        return Blocks(rows, starts, empty(ITEMS), [])
    left = pl.DataFrame({"kind": ["stray"], "text": [data[end:].decode("cp437")]})
    cut = Finding("deal-file-cut", values={"size": rest, "byte": end})
    return Blocks(rows, starts, conform(ITEMS, left), [cut])


def cut_rows(data: bytes, size: int) -> Bytes:
    """Return the whole blocks of a file, shape (deals, size), without empty ones at its end."""
    count = len(data) // size
    rows = np.frombuffer(data[: count * size], dtype=np.uint8).reshape(count, size)
    filled = np.flatnonzero(~np.isin(rows, _FILLING).all(axis=1))
    return rows[: filled[-1] + 1 if len(filled) else 0]


def holds_block(head: bytes, size: int, pattern: re.Pattern[bytes]) -> bool:
    """Report whether any of the first blocks matches: a damaged one must not hide the format of the file."""
    return any(pattern.match(head, start) for start in range(0, len(head), size))


def number_blocks(bytes_at: _Numbers, texts: Sequence[str], first: int = 1) -> pl.DataFrame:
    """Return `Dealt.boards` for blocks without board numbers: they count from `first`."""
    return pl.DataFrame(
        {"board": np.arange(len(bytes_at)) + first, "byte": bytes_at, "text": texts},
        schema={"board": pl.Int32, "byte": pl.Int64, "text": pl.String},
    )


def decode_rows(block: Bytes) -> list[str]:
    """Return each row of bytes as a text in code page 437, which these programs use."""
    return [row.tobytes().decode("cp437") for row in block]


def make_reading(dealt: Dealt) -> Reading:
    """Turn deals into frames: a record each, whose deal is null if its cards are not a deal of 52."""
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
    findings = [*dealt.findings, *errors]
    if boards.is_empty():
        findings.append(Finding("file-no-games", line=1, column=1))
    problems = report_findings(findings, "").sort("record", "line", maintain_order=True, nulls_last=True)
    return Reading(items=items, records=conform(RECORDS, records), problems=problems)


def read_listed(
    rows: Sequence[Mapping[str, object]], kept: Sequence[tuple[object, ...]], findings: Sequence[Finding]
) -> Reading:
    """Return the reading of a text that lists deals line by line.

    Args:
        rows: the deals in the order of the text: `record line deal` and other columns of `frames.RECORDS`.
        kept: `record line column kind name text` of what else the text says.
        findings: what is wrong with it so far; deals that are wrong, and a text without deals, are added.
    """
    columns = rows[0] if rows else ("record", "line", "deal")
    records = conform(RECORDS, pl.DataFrame(rows, schema={name: RECORDS[name].dtype for name in columns}))
    read, faults = read_deals(records["deal"])
    faulty = [
        Finding(FAULTY, line, 1, record, values={"place": f"deal {record + 1}", "fault": fault})
        for record, (line, fault) in enumerate(zip(records["line"], faults, strict=True))
        if fault is not None
    ]
    blank = [] if rows else [Finding("file-no-games", line=1, column=1)]
    items = pl.DataFrame(kept, schema=["record", "line", "column", "kind", "name", "text"], orient="row")
    return Reading(
        items=conform(ITEMS, items),
        records=records.with_columns(read),
        problems=report_findings([*findings, *faulty, *blank], "").sort("line", maintain_order=True),
    )


def name_place(row: int, board: dict[str, object]) -> str:
    """Return the name of a deal in a problem: its place in the file, and the byte in files without lines."""
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
        lost = f"{unknown[row]} cards are not in any hand" if unknown[row] else ""
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
        values={"place": name_place(row, board), "fault": fault},
    )


@dataclass(frozen=True)
class Deals:
    """The deals of a session in the order of their boards, ready to be written.

    Attributes:
        boards: their numbers.
        seats: seat by machine number, shape (deals, 52): `seats[0, 0]` has the spade ace of the first deal.
        problems: `frames.PROBLEMS`: boards that are left out or written once.
    """

    boards: list[int]
    seats: Bytes
    problems: Problems

    @property
    def cards(self) -> _Numbers:
        """Machine numbers of the cards, hand after hand from North, shape (deals, 52)."""
        return np.argsort(self.seats, axis=1, kind="stable") + 1

    def to_file(self, content: bytes, first: int | None = 1) -> Written:
        """Return what a format makes of the deals.

        Args:
            content: the file.
            first: the number of its first board, for formats that count the boards on from it; None for one that keeps
                board numbers.
        """
        if first is None or self.boards == list(range(first, first + len(self.boards))):
            return Written(content, self.problems)
        counted = range(first, first + len(self.boards))
        numbers = pl.DataFrame({"boards": [_shown(self.boards)], "numbers": [_shown(counted)]})
        return Written(content, pl.concat([self.problems, report("deal-numbers-not-written", numbers)]))


def select_deals(session: Session, most: int | None = None) -> Deals:
    """Return the deals of a session that can be written.

    Args:
        session: each board is written once; one without a number or without four hands of thirteen is left out.
        most: the highest board number that the format has a place for.
    """
    records = session.records.with_columns(is_complete(session.records["deal"]).alias("complete"))
    dealt = records.filter("complete", pl.col("board").is_not_null()).sort("board", maintain_order=True)
    once = dealt.unique("board", keep="first", maintain_order=True)
    held = once.filter(pl.col("board") <= most) if most else once
    absent = records.join(held.select("board"), on="board", how="anti", nulls_equal=False).unique(
        "board", keep="first", maintain_order=True
    )
    other = dealt.join(once.select("board", pl.col("deal").alias("first")), on="board").filter(
        pl.col("deal") != pl.col("first")
    )
    problems = [
        report("deal-not-written", absent.drop("board").rename({"board_label": "board"})),
        report("deal-written-once", other.unique("board").drop("board").rename({"board_label": "board"})),
    ]
    return Deals(held["board"].to_list(), reverse_deck(owners(held["deal"])), pl.concat(problems))


def _shown(boards: Sequence[int]) -> str:
    """Return a list of board numbers, shortened if it is long."""
    numbers = [str(board) for board in boards]
    return ", ".join(numbers if len(numbers) <= 8 else [*numbers[:4], "...", numbers[-1]])
