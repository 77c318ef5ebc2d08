"""`[movement]` of `club.toml`: the movement that was played, by its kind, its first round, or a table in a file."""

import csv
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, Literal, Self, TypeVar

from pydantic import Field, ValidationInfo, field_validator, model_validator

from overtrick.core.bridge.movements import KNOWN, Cyclic, Sitting, cyclic, mitchell, switched, with_boards
from overtrick.core.config.file import Table
from overtrick.core.notation import is_number

_Value = TypeVar("_Value", int | None, bool, list[list[int]] | None, dict[str, list[int]] | None)

_OF_MITCHELL: Final = ("skip_after", "relay", "first_ew")
_SITTERS: Final = (("ns", "ew"), ("north", "south", "east", "west"))
_BOARDS: Final = re.compile(r"([0-9]{1,4})(?:-([0-9]{1,4}))?")
_MOST: Final = 200
"""The most boards of a set, tables or rounds; a larger number is a mistake."""


class Movement(Table):
    """`[movement]`: who sits where in each round and with which boards; `[[movement]]` for several sections.

    overtrick compares the results with it, instead of with a movement that it derives from them.
    Give `kind` or `file`; for a Mitchell with an even number of tables, give `skip_after` or `relay`.

    Attributes:
        section: the section that plays it. Left out: all sections.
        kind: "mitchell", "howell", "three-quarter-howell" or "individual".
        file: a table of the movement, in a file beside `club.toml`. Cells are separated by commas, semicolons or tabs.
            The first line holds the column names: round, table, ns and ew (or north, south, east and west), and set or
            boards (such as `5-8`). The number 0 is a sit-out.
        tables: the number of tables.
        boards: the number of boards in a set, that is of a table in one round.
        first_board: the first board of the first set.
        skip_after: the round after which E-W skip a table, in a Mitchell with an even number of tables.
        relay: whether such a Mitchell has a relay halfway, where boards wait, while the first and last table share
            boards.
        rounds: the number of rounds played. Left out: all rounds of this kind of movement.
        first_ew: the number of the E-W pair that starts a Mitchell at table 1. Left out: the number that most results
            support.
        start: the first round of a Howell or an individual, table by table: `[ns, ew, set]` or `[north, south, east,
            west, set]`. Not needed for 4 tables of a Howell, 8 of a three-quarter Howell and 2 of an individual.
        moving: how many pairs or players move by one each round, up or down as most results say; those with higher
            numbers stay. Left out: all but the last.
        turned: by table, the rounds in which its pairs sit the other way round: `{ 2 = [5, 6] }`. Left out: as most
            results say.
        switched: the arrow-switched rounds, in which N-S sat E-W.
        missing: the number of the missing pair or player, whose opponents sit out. If N-S and E-W have the same
            numbers, the missing pair is E-W.
    """

    section: str | None = None
    kind: Literal["mitchell", "howell", "three-quarter-howell", "individual"] | None = None
    file: str | None = None
    tables: int | None = Field(default=None, ge=2, le=_MOST)
    boards: int | None = Field(default=None, ge=1, le=_MOST)
    first_board: int = Field(default=1, ge=1)
    skip_after: int | None = Field(default=None, ge=1, le=_MOST)
    relay: bool = False
    rounds: int | None = Field(default=None, ge=1, le=_MOST)
    first_ew: int | None = Field(default=None, ge=1)
    start: list[list[int]] | None = Field(default=None, min_length=1, max_length=_MOST)
    moving: int | None = Field(default=None, ge=2, le=2 * _MOST)
    turned: dict[str, list[int]] | None = None
    switched: list[int] = Field(default_factory=list)
    missing: int | None = Field(default=None, ge=1)
    _table: tuple[Sitting, ...] = ()

    @field_validator("skip_after", "relay", "first_ew", "start", "moving", "turned")
    @staticmethod
    def _goes_with_the_kind(value: _Value, info: ValidationInfo) -> _Value:
        of_mitchell = info.field_name in _OF_MITCHELL
        if value and of_mitchell != (info.data.get("kind") == "mitchell"):
            raise ValueError(f"only a {'Mitchell' if of_mitchell else 'Howell or an individual'} has this key")
        return value

    @field_validator("skip_after", "relay")
    @staticmethod
    def _eases_even_tables(value: _Value, info: ValidationInfo) -> _Value:
        if value and (info.data.get("tables") or 0) % 2:
            raise ValueError("an odd number of tables needs neither skip_after nor relay")
        if value and info.data.get("skip_after"):
            raise ValueError("expected skip_after or relay, not both")
        return value

    @field_validator("rounds")
    @staticmethod
    def _no_more_than_sets(value: int | None, info: ValidationInfo) -> int | None:
        most = (info.data.get("tables") or _MOST) - (info.data.get("skip_after") is not None)
        if value and info.data.get("kind") == "mitchell" and value > most:
            raise ValueError(f"expected at most {most}")
        return value

    @field_validator("start")
    @staticmethod
    def _seats_everybody_once(value: list[list[int]] | None, info: ValidationInfo) -> list[list[int]] | None:
        if value is None:
            return None
        seats, who = (4, "players") if info.data.get("kind") == "individual" else (2, "pairs")
        if any(len(row) != seats + 1 or min(row) < 1 for row in value):
            raise ValueError(f"expected {seats + 1} numbers in each row: {seats} {who} and their set")
        if len({number for row in value for number in row[:-1]}) < seats * len(value):
            raise ValueError("expected each number at one table only")
        if info.data.get("tables") not in {None, len(value)}:
            raise ValueError(f"expected a row for each of {info.data['tables']} tables")
        return value

    @field_validator("turned")
    @staticmethod
    def _has_tables(value: dict[str, list[int]] | None, _: ValidationInfo) -> dict[str, list[int]] | None:
        if not all(map(is_number, value or {})):
            raise ValueError("expected the number of a table and its rounds, such as 2 = [5, 6]")
        return value

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        if (self.kind is None) == (self.file is None):
            raise ValueError("expected kind or file")
        if self.kind is not None and self.boards is None:
            raise ValueError("expected boards, the number of boards of a table in one round")
        if self.kind == "mitchell":
            self._check_mitchell()
        elif self.kind is not None and self.start is None:
            known = [tables for kind, tables in KNOWN if kind == self.kind]
            if self.tables not in known:
                raise ValueError(f"expected start, the first round, or tables = {' or '.join(map(str, known))}")
        return self

    def _check_mitchell(self) -> None:
        if self.tables is None:
            raise ValueError("expected tables, the number of tables")
        if self._repeats:
            raise ValueError("an even number of tables repeats boards: add skip_after or relay, or play fewer rounds")

    @property
    def _repeats(self) -> bool:
        tables = self.tables or 0
        return tables % 2 == 0 and not self.relay and self.skip_after is None and self._rounds > tables // 2

    @property
    def _cycle(self) -> Cyclic:
        if self.start is None:
            return next(known for (kind, tables), known in KNOWN.items() if (kind, tables) == (self.kind, self.tables))
        everybody = max(who for row in self.start for who in row[:-1])
        turned = {int(table): rounds for table, rounds in (self.turned or {}).items()}
        return Cyclic(self.start, self.moving or everybody - 1, turned)

    @property
    def turns_unknown(self) -> bool:
        """Whether only the first round is given, so that tables may turn round in any later one."""
        return self.start is not None and self.turned is None

    @property
    def _rounds(self) -> int:
        """The number of rounds played."""
        if self.rounds is not None:
            return self.rounds
        return (self.tables or 0) - (self.skip_after is not None) if self.kind == "mitchell" else self._cycle.moving

    def read_table(self, folder: Path) -> "Movement":
        """Return the movement with the table of `file`, read from this folder.

        Raises:
            OSError: the file can't be read.
            ValueError: the table has an error; the message says on which line.
        """
        if self.file is None:
            return self
        try:
            table = tuple(_read_rows(folder / self.file, self.boards, self.first_board))
        except csv.Error as error:
            raise ValueError(str(error)) from error
        given = self.model_copy()
        given._table = table  # noqa: SLF001 - its own
        return given

    def schedules(self, first_ew: int) -> list[list[Sitting]]:
        """Return who meets whom at each table of each round, in each way that the settings leave open.

        Args:
            first_ew: the E-W pair that starts a Mitchell at table 1, if the settings don't name it.
        """
        if self.file is not None:
            table = [sitting for sitting in self._table if self.rounds is None or sitting.round <= self.rounds]
            return [switched(table, self.switched)]
        ways = self._ways(first_ew)
        return [with_boards(switched(sets, self.switched), self.boards or 0, self.first_board) for sets in ways]

    def _ways(self, first_ew: int) -> list[list[Sitting]]:
        """Return the schedules with sets in place of boards."""
        if self.kind == "mitchell":
            first, tables = self.first_ew or first_ew, self.tables or 0
            return [mitchell(tables, self._rounds, skip_after=self.skip_after, relay=self.relay, first_ew=first)]
        up = self._cycle
        cycles = [up] if self.start is None else [up, up._replace(down=True)]
        return [cyclic(cycle, self._rounds) for cycle in cycles]


def _read_rows(path: Path, each: int | None, first_board: int) -> Iterator[Sitting]:
    """Read the rows of a movement's table."""
    text = path.read_text("utf-8-sig")
    heading = text.partition("\n")[0]
    between = max(",;\t", key=heading.count)
    rows = csv.DictReader(text.splitlines(), delimiter=between)
    rows.fieldnames = [name.strip().lower() for name in rows.fieldnames or ()]
    sitters, boards = _find_columns(set(rows.fieldnames))
    if boards == "set" and each is None:
        raise ValueError("expected boards, the number of boards in a set")
    for row in rows:
        sitting = _read_sitting(row, sitters, boards, rows.line_num)
        yield sitting if boards == "boards" else with_boards([sitting], each or 0, first_board)[0]


def _find_columns(columns: set[str]) -> tuple[tuple[str, ...], str]:
    """Return the columns of the contestants and that of their boards or set."""
    sitters = next((names for names in _SITTERS if columns.issuperset(names)), None)
    boards = next((name for name in ("boards", "set") if name in columns), None)
    if sitters is None or boards is None or not columns.issuperset(("round", "table")):
        raise ValueError("expected a first line with the column names round, table, ns, ew, and set or boards")
    return sitters, boards


def _read_sitting(row: Mapping[str, str | None], sitters: tuple[str, ...], boards: str, line: int) -> Sitting:
    number, table, *seats = (_read_number(row, name, line) for name in ("round", "table", *sitters))
    ranges = _BOARDS.findall(row[boards] or "")
    if not ranges:
        text = row[boards] or ""
        raise ValueError(f"line {line}: expected a number or a range such as 5-8 for {boards}, got '{text}'")
    each = tuple(board for low, high in ranges for board in range(int(low), int(high or low) + 1)[:_MOST])
    half = len(seats) // 2
    return Sitting(number, table, tuple(seats[:half]), tuple(seats[half:]), each)


def _read_number(row: Mapping[str, str | None], name: str, line: int) -> int:
    text = (row[name] or "").strip()
    if not re.fullmatch(r"[0-9]{1,6}", text):
        raise ValueError(f"line {line}: expected a whole number for {name}, got '{text}'")
    return int(text)
