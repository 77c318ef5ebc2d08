"""Between files of deals and frames: what a file holds becomes a reading, what a session holds is ready to be written.

`Dealt` is for files that give the cards by number, `Listed` for texts that give each deal in letters, and `Deals` is
what all of them are written from.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Self

import numpy as np
import numpy.typing as npt
import polars as pl

from overtrick.core.bridge import cards
from overtrick.core.frames import ITEMS, RECORDS, Problems, Schema, Session, conform, empty
from overtrick.core.problems import Finding, report, report_findings
from overtrick.files.formats.base import Reading
from overtrick.files.formats.pbn.read.tag_columns import read_deals
from overtrick.files.formats.text import decode

DECK: Final = 52

FAULTY: Final = "deal-file-deal/cards"
_ITEM: Final = ("record", "line", "column", "kind", "name", "text")

Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Dealt:
    """Deals as a file holds them that gives the cards by number.

    Attributes:
        owner: seat by card, shape (deals, 52), as of `bridge.cards.owners`.
        boards: one row a deal: `board text`, and whichever is known of `line column byte`. `text` is what the file has
            of the deal, kept where it can't be read.
        faults: by row, what is wrong with a deal besides the size of its hands.
        extras: items that are not deals (`frames.ITEMS`).
        findings: other problems. A wrong check number leaves its record's deal out.
    """

    owner: cards.Bytes
    boards: pl.DataFrame
    faults: dict[int, str] = field(default_factory=dict)
    extras: pl.DataFrame = field(default_factory=lambda: empty(ITEMS))
    findings: Sequence[Finding] = ()

    def to_reading(self) -> Reading:
        """Return a record for each deal, whose deal is null if its cards are not a deal of 52."""
        boards = self.boards.with_row_index("record").with_columns(pl.col("board").cast(pl.String).alias("board_label"))
        faults = _hand_sizes(self.owner) | self.faults
        errors = [_report_fault(boards.row(row, named=True), fault) for row, fault in sorted(faults.items())]
        left_out = faults.keys() | {f.record for f in self.findings if f.code == "deal-file-deal/check-number"}
        whole = np.ones(len(boards), dtype=np.bool_)
        whole[[row for row in left_out if row is not None]] = False
        deals = np.full(len(boards), None, dtype=object)
        deals[whole] = cards.canonical(self.owner[whole]).to_list()
        records = boards.with_columns(pl.Series("deal", deals.tolist(), dtype=pl.String))
        unread = boards.filter(pl.Series(~whole)).with_columns(pl.lit("stray").alias("kind"))
        items = pl.concat([conform(ITEMS, self.extras), conform(ITEMS, unread)])
        blank = [Finding("file-no-games/text", line=1, column=1)] if boards.is_empty() else []
        problems = report_findings([*self.findings, *errors, *blank], "")
        in_order = problems.sort("record", "line", maintain_order=True, nulls_last=True)
        return Reading(listed=items, records=conform(RECORDS, records), problems=in_order)


def name_place(row: int, byte: int | None = None) -> str:
    """Return the name of a deal in a problem: its place in the file, and the byte in files without lines."""
    return f"deal {row + 1}" if byte is None else f"deal {row + 1} (byte {byte})"


def _report_fault(board: dict[str, int | str | None], fault: str) -> Finding:
    row, line, column, byte = (_whole(board.get(name)) for name in ("record", "line", "column", "byte"))
    label = board["board_label"]
    values = {"place": name_place(row or 0, byte), "fault": fault}
    return Finding(FAULTY, line, column, row, None if label is None else str(label), values=values)


def _whole(value: int | str | None) -> int | None:
    return value if isinstance(value, int) else None


def _hand_sizes(owner: cards.Bytes) -> dict[int, str]:
    sizes = np.stack([(owner == seat).sum(axis=1) for seat in range(4)], axis=1)
    unknown = (owner == cards.UNKNOWN).sum(axis=1)
    faults = {}
    for row in np.flatnonzero((sizes != 13).any(axis=1)).tolist():
        seat = int((sizes[row] != 13).argmax())
        lost = f"{unknown[row]} cards are not in any hand" if unknown[row] else ""
        faults[row] = lost or f"{cards.SEAT_NAMES[seat]} has {sizes[row, seat]} cards instead of 13"
    return faults


def owners_by_number(numbers: cards.Bytes) -> tuple[cards.Bytes, dict[int, str]]:
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
        int(r): f"{cards.CARDS[int(times[r].argmax())]} is dealt twice" for r in np.flatnonzero((times > 1).any(axis=1))
    }
    faults |= {
        int(r): f"{places} numbers of cards from 01 to 52 were expected" for r in np.flatnonzero(~known.all(axis=1))
    }
    return owner, faults


def reverse_deck(seats: cards.Bytes) -> cards.Bytes:
    """Turn seats by machine number, the spade ace first, into seats by card code, the club two first; or back."""
    return seats[:, ::-1]


@dataclass
class Listed:
    """The deals of a text, added in the order of the text, and what else it says.

    Attributes:
        content: the text; empty if the file is not one.
        findings: its problems; `to_reading` adds the deals that are wrong, and a text without deals.
        keeps_faulty: whether a deal that cannot be read becomes an item.
    """

    content: str
    findings: list[Finding]
    keeps_faulty: bool = False
    _rows: list[dict[str, object]] = field(default_factory=list)
    _places: list[Finding] = field(default_factory=list)
    _items: list[tuple[object, ...]] = field(default_factory=list)

    @classmethod
    def begin(cls, data: bytes, *, keeps_faulty: bool = False) -> Self:
        """Decode a file, with nothing added yet."""
        text = decode(data)
        if isinstance(text, Finding):
            return cls("", [text])
        return cls(text.content, [*text.findings], keeps_faulty)

    @property
    def count(self) -> int:
        """The number of deals so far."""
        return len(self._rows)

    def add(self, line: int, place: Finding | None = None, **columns: object) -> None:
        """Add a deal.

        Args:
            line: the line that it begins on.
            place: the problem if it cannot be read, without what is wrong; None names its place in the text.
            columns: `deal` as PBN writes it, and other columns of `frames.RECORDS`.
        """
        self._places.append(place or Finding(FAULTY, line, 1, self.count, values={"place": name_place(self.count)}))
        self._rows.append({"record": self.count, "line": line, **columns})

    def keep(self, line: int, name: str | None, text: str, record: int | None = None, kind: str = "tag") -> None:
        """Keep what the text says besides its deals as an item."""
        self._items.append((record, line, 1, kind, name, text))

    def keep_odd(self, line: int, text: str, record: int | None = None) -> None:
        """Keep a line that is not understood, and report it."""
        self.keep(line, None, text, record, "stray")
        self.report_odd(line, text, record)

    def report_odd(self, line: int, text: str, record: int | None = None) -> None:
        """Report a line that is not understood."""
        self.findings.append(Finding("line-unknown/deal-file", line, 1, record, values={"text": repr(text[:40])}))

    def to_reading(self) -> Reading:
        """Return a record for each deal, whose deal is null if it cannot be read."""
        records = _to_frame(RECORDS, self._rows, self._rows[0] if self._rows else ("deal",))
        deals, faults = read_deals(records["deal"])
        for row, (place, fault) in enumerate(zip(self._places, faults, strict=True)):
            if fault is not None:
                self.findings.append(replace(place, values={**place.values, "fault": fault}))
                if self.keeps_faulty:
                    self._items.append((row, place.line, None, "stray", None, self._rows[row]["deal"]))
        if self.content and not self._rows:
            self.findings.append(Finding("file-no-games/text", line=1, column=1))
        return Reading(
            listed=_to_frame(ITEMS, self._items, _ITEM),
            records=records.with_columns(deals),
            problems=report_findings(self.findings, "").sort("line", maintain_order=True, nulls_last=True),
        )


def _to_frame(schema: Schema, rows: Sequence[object], columns: Iterable[str]) -> pl.DataFrame:
    """Return rows of some columns of a schema as a frame of it."""
    return conform(schema, pl.DataFrame(rows, schema={name: schema[name].dtype for name in columns}, orient="row"))


@dataclass(frozen=True)
class Deals:
    """The deals of a session in the order of their boards, ready to be written.

    Attributes:
        boards: their numbers.
        seats: seat by machine number, shape (deals, 52): `seats[0, 0]` has the spade ace of the first deal.
        session: what they are from.
        problems: `frames.PROBLEMS`: boards that are left out or written once.
    """

    boards: list[int]
    seats: cards.Bytes
    session: Session
    problems: Problems

    @property
    def cards(self) -> Numbers:
        """Machine numbers of the cards, hand after hand from North, shape (deals, 52)."""
        return np.argsort(self.seats, axis=1, kind="stable") + 1

    @property
    def texts(self) -> list[str]:
        """The deals as PBN writes them, North first."""
        return cards.canonical(reverse_deck(self.seats)).to_list()

    @property
    def conditions(self) -> list[tuple[str, str]]:
        """Dealer and vulnerability of each deal: those that the session states, else those of the board's number."""
        columns = ("dealer", "vulnerable")
        known = self.session.records.drop_nulls("board").unique("board", keep="first").select("board", *columns)
        by_number = (cards.board_dealer(pl.col("board")), cards.board_vulnerability(pl.col("board")))
        numbered = pl.DataFrame({"board": self.boards}, schema={"board": pl.Int32})
        joined = numbered.join(known, on="board", how="left", maintain_order="left")
        pairs = zip(columns, by_number, strict=True)
        return joined.select(
            pl.coalesce(pl.col(name).cast(pl.String), number.cast(pl.String)).alias(name) for name, number in pairs
        ).rows()


def select_deals(session: Session, most: int | None = None) -> Deals:
    """Return the deals of a session that can be written.

    Args:
        session: each board is written once; one without a number or without four hands of thirteen is left out.
        most: the highest board number that the format has a place for.
    """
    records = session.records.with_columns(cards.is_complete(session.records["deal"]).alias("complete"))
    dealt = records.filter("complete", pl.col("board").is_not_null()).sort("board", maintain_order=True)
    once = dealt.unique("board", keep="first", maintain_order=True)
    fitting = once.filter(pl.col("board") <= most) if most else once
    absent = records.join(fitting.select("board"), on="board", how="anti", nulls_equal=False).unique(
        "board", keep="first", maintain_order=True
    )
    other = dealt.join(once.select("board", pl.col("deal").alias("first")), on="board").filter(
        pl.col("deal") != pl.col("first")
    )
    problems = [
        report("not-written/deal", absent.drop("board").rename({"board_label": "board"})),
        report("not-written/second-deal", other.unique("board").drop("board").rename({"board_label": "board"})),
    ]
    return Deals(fitting["board"].to_list(), reverse_deck(cards.owners(fitting["deal"])), session, pl.concat(problems))
