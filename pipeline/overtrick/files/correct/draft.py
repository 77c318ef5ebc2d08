"""A session while its corrections are applied, one entry after the other, and what a correction changes."""

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

import polars as pl

from overtrick.core.config.corrections import Entry, PlacedEntry
from overtrick.core.frames import RECORDS, RESULTS, Session, conform, dtypes
from overtrick.core.late import change
from overtrick.core.problems import Finding

CONTRACT: Final = ("level", "strain", "doubled", "declarer", "tricks")
"""The columns of a game record that state its own result."""

_ROW: Final = pl.UInt32


class UnappliedError(Exception):
    """An entry that cannot be applied.

    Attributes:
        finding: the problem that says why.
    """

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.code)
        self.finding = finding


@dataclass(frozen=True)
class Change:
    """The change that an entry made.

    Attributes:
        what: in plain words.
        before: what the file says.
        after: what counts instead.
        found: the board, section, pair, round and table that the entry turned out to be about.
        scored: the board whose comparison changes; 0 for all boards; None if no comparison changes.
        is_none: whether the file said so before.
    """

    what: str
    before: str = ""
    after: str = ""
    found: Mapping[str, Any] = field(default_factory=dict)
    scored: int | None = None
    is_none: bool = False


_KEYS: Final = {**dict.fromkeys(CONTRACT, "contract"), "declarer": "by", "tricks": "tricks", "stated_score_ns": "score"}
"""By column, the key of an entry that sets it, where that is called otherwise."""


@dataclass
class Draft:
    """The session as it is after the entries so far.

    Attributes:
        session: its frames. `results` has a column `row` more, a number that a result keeps whatever changes in it.
        placed: the entry that is being applied.
        sources: the files that it may be about; None for all.
        names: by contestant that was renamed, its new identity.
        adjusted: results with the entry that gives each an adjusted score.
        set_by: as in `Facts`, what entries set.
    """

    session: Session
    placed: PlacedEntry
    sources: frozenset[str] | None = None
    names: dict[str, str] = field(default_factory=dict)
    adjusted: list[tuple[int, PlacedEntry]] = field(default_factory=list)
    set_by: dict[tuple[object, ...], tuple[str, int, int]] = field(default_factory=dict)
    _claims: dict[Hashable, tuple[PlacedEntry, str]] = field(default_factory=dict)
    _next: int = 0

    @staticmethod
    def begin(session: Session, first: PlacedEntry) -> "Draft":
        """Return a draft in which nothing has changed yet."""
        numbered = session.results.with_row_index("row")
        return Draft(replace(session, results=numbered), first, _next=numbered.height)

    def copy(self) -> "Draft":
        """Return another draft of the same, in which an entry can be tried."""
        other = replace(self, names=dict(self.names), adjusted=list(self.adjusted))
        return replace(other, set_by=dict(self.set_by), _claims=dict(self._claims))

    @property
    def entry(self) -> Entry:
        """The statements of the present entry."""
        return self.placed.entry

    @property
    def results(self) -> pl.DataFrame:
        """The results that the entry may be about: those of its files, if they have any."""
        return self._own(self.session.results)

    @property
    def records(self) -> pl.DataFrame:
        """The game records that the entry may be about."""
        return self._own(self.session.records)

    def _own(self, frame: pl.DataFrame) -> pl.DataFrame:
        if self.sources is None:
            return frame
        rows = frame.filter(pl.col("source").is_in(list(self.sources)))
        return frame if rows.is_empty() else rows

    def claim(self, says: Mapping[Any, str], against: Iterable[Hashable] = ()) -> None:
        """Note what the entry sets.

        Args:
            says: by what is set, how a message says so: `sets the tricks`.
            against: keys that can't be set too.

        Raises:
            UnappliedError: an earlier entry set the same, or what can't go with it.
        """
        for key in (*says, *against):
            if key in self._claims:
                earlier, said = self._claims[key]
                of = "" if earlier.source == self.placed.source else f" of {earlier.source}"
                other = f"{earlier.line}{of}"
                raise self.refusal("correction-contradicts", number=earlier.number, other=other, says=said)
        self._claims |= {key: (self.placed, said) for key, said in says.items()}

    def refusal(self, code: str, key: str | None = None, **values: object) -> "UnappliedError":
        """Return what to raise where the entry cannot be applied; the arguments are those of `finding`."""
        return UnappliedError(self.finding(code, key, **values))

    def finding(self, code: str, key: str | None = None, **values: object) -> Finding:
        """Report a problem of the entry, at one of its keys."""
        line, column = self.placed.position(key)
        board = None if self.entry.board is None else str(self.entry.board)
        return Finding(code, line, column, board=board, values={"named": named(self.entry), **values})

    def row(self, number: int) -> dict[str, Any]:
        """Return a result by its number."""
        return self.session.results.row(by_predicate=pl.col("row") == number, named=True)

    def set_row(self, number: int, **values: object) -> dict[str, Any]:
        """Change columns of a result, and of its game record if that states the same result; return the new row."""
        before = self.row(number)
        record = self._own_record(before)
        here, types = pl.col("row") == number, dtypes(RESULTS)
        self.update(results=lambda frame: frame.with_columns(_set(here, values, types)))
        self._note(values, before["source"], before["line"])
        stated = {name: value for name, value in values.items() if name in (*CONTRACT, "stated_score_ns")}
        stated |= dict.fromkeys(("stated_points_ns", "stated_percentage_ns")) if "stated_points_ns" in values else {}
        if record is not None and stated:
            self.set_record(record, **stated)
        return self.row(number)

    def set_record(self, record: int, **values: object) -> None:
        """Change columns of a game record."""
        here, types = pl.col("record") == record, dtypes(RECORDS)
        self._note(values, record)
        self.update(records=lambda frame: frame.with_columns(_set(here, values, types)))

    def _note(self, names: Iterable[str], *where: object) -> None:
        """Note that the entry sets columns of a record, or of the results of a line of a file."""
        for name in names:
            self.set_by[*where, name] = self.placed.source, *self.placed.position(_KEYS.get(name, name))

    def _own_record(self, row: Mapping[str, Any]) -> int | None:
        """Return the record of a result that states the same result in its own tags, not in a table of many."""
        if row["record"] is None:
            return None
        record = self.record(row["record"])
        if record["level"] is None and record["stated_score_ns"] is None:
            return None
        alone = self.session.results.filter(pl.col("record") == row["record"]).height == 1
        seated = record["pair_ns"] is not None and (record["pair_ns"], record["pair_ew"]) == (row["ns"], row["ew"])
        same = all(record[name] == row[name] for name in CONTRACT)
        return int(row["record"]) if same and (alone or seated) else None

    def own_record(self, number: int) -> int | None:
        """Return the game record that states the same as a result, and nothing else; None if there is none."""
        return self._own_record(self.row(number))

    def record(self, number: int) -> dict[str, Any]:
        """Return a game record by its number."""
        return self.session.records.row(by_predicate=pl.col("record") == number, named=True)

    def add_row(self, **values: object) -> int:
        """Add a result; return its number."""
        number, self._next = self._next, self._next + 1
        added = conform(RESULTS, pl.DataFrame([values], infer_schema_length=None))
        numbered = added.select(pl.lit(number, _ROW).alias("row"), pl.all())
        self.update(results=lambda frame: pl.concat([frame, numbered], rechunk=True))
        return number

    def add_record(self, **values: object) -> int:
        """Add a game record; return its number."""
        records = self.session.records
        number = int(records.select((pl.col("record").max().cast(pl.Int64) + 1).fill_null(0)).item())
        added = conform(RECORDS, pl.DataFrame([{**values, "record": number}], infer_schema_length=None))
        self.update(records=lambda frame: pl.concat([frame, added], rechunk=True))
        return number

    def remove_row(self, number: int) -> None:
        """Remove a result, and from its game record what that states of it."""
        record = self.own_record(number)
        self.update(results=lambda frame: frame.filter(pl.col("row") != number))
        if record is not None:
            stated = (*CONTRACT, "stated_score_ns", "stated_points_ns", "stated_percentage_ns")
            self.set_record(record, **dict.fromkeys(stated))

    def update(self, **changes: Callable[[pl.DataFrame], pl.DataFrame]) -> None:
        """Change frames of the session by name."""
        changed: dict[str, Any] = {name: change(getattr(self.session, name), work) for name, work in changes.items()}
        self.session = replace(self.session, **changed)


def named(entry: Entry) -> str:
    """Return what an entry is about: `board 6, pair 3`; `the session` if it names nothing."""
    keys = ("board", "pair", "section", "round", "table", "direction")
    parts = [f"{key} {value}" for key in keys if (value := getattr(entry, key)) is not None]
    return ", ".join(parts) or "the session"


def _set(here: pl.Expr, values: Mapping[str, object], types: Mapping[str, Any]) -> list[pl.Expr]:
    return [
        pl.when(here).then(pl.lit(value, dtype=types[name])).otherwise(pl.col(name)).alias(name)
        for name, value in values.items()
    ]


_WHO: Final = ("ranking", "section", "direction", "contestant")
_SHOWN: Final = ("rank", "names", "total", "percentage", "boards")
_PLACE: Final = ("code", "source", "line", "record", "board", "table")


def ranking_changes(before: pl.DataFrame, after: pl.DataFrame) -> pl.DataFrame:
    """Return the contestants whose place, names, total or boards changed, in the order of the new ranking.

    Args:
        before: `frames.STANDINGS`.
        after: the same after the correction.

    Returns:
        `ranking section direction contestant`, and of each of `rank names total percentage boards` the column with the
        new value and one that ends in `_before` with the old one. A contestant that left or joined the ranking has null
        in one of the two.
    """
    key = list(_WHO)
    old, new = (frame.select(*key, *_SHOWN) for frame in (before, after))
    old = old.with_columns(pl.col("direction").cast(pl.String))
    new = new.with_columns(pl.col("direction").cast(pl.String)).with_row_index("at")
    both = new.join(old, on=key, how="full", coalesce=True, nulls_equal=True, suffix="_before")
    changed = pl.any_horizontal(~pl.col(name).eq_missing(pl.col(f"{name}_before")) for name in _SHOWN)
    return both.filter(changed).sort("at", nulls_last=True).drop("at")


def new_errors(before: pl.DataFrame, after: pl.DataFrame) -> pl.DataFrame:
    """Return the errors of an evaluation that the one before did not have, by their codes and places.

    Args:
        before: `frames.PROBLEMS`.
        after: the same after the correction.
    """
    nth = pl.int_range(pl.len()).over(_PLACE).alias("nth")
    old, new = (frame.filter(pl.col("severity") == "error").with_columns(nth) for frame in (before, after))
    return new.join(old, on=[*_PLACE, "nth"], how="anti", nulls_equal=True, maintain_order="left").drop("nth")
