"""An evening without any file: a table of who meets whom on which board, whose results are typed from travellers.

The table is a CSV that every command reads. A line without a contract is a result that is still missing.
"""

import csv
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from io import StringIO
from pathlib import Path
from typing import Any, Final

from overtrick.apps.evening.edit import ChangedError, read_bytes
from overtrick.core.atomic_write import replace_file
from overtrick.core.bridge.movements import Sitting
from overtrick.core.config.movement import Movement
from overtrick.core.notation import BETWEEN, is_number
from overtrick.files.correct.entry import ShorthandError, read_shorthand

_FACTS: Final = ("event", "date", "scoring")
_WHERE: Final = ("round", "table", "board", "ns", "ew")
_PLAYED: Final = ("contract", "declarer", "tricks", "lead", "score_ns", "award_ns", "award_ew")
COLUMNS: Final = (*_FACTS, *_WHERE, *_PLAYED, "names_ns", "names_ew")

_PLAYERS: Final = ("player_n", "player_e", "player_s", "player_w")
"""Columns of an individual, beside `ns` and `ew` with both players of a side."""

_MOST_LINES: Final = 10_000


class SheetError(ValueError):
    """The sheet can't be made or read; the message says why."""


@dataclass(frozen=True)
class Line:
    """One result of a sheet.

    Attributes:
        number: its place among the lines, from 0.
        cells: its cells by column.
    """

    number: int
    cells: Mapping[str, str]

    @property
    def board(self) -> int:
        """The board; 0 if the cell is not a number."""
        text = self.cells["board"]
        return int(text) if is_number(text) else 0

    @property
    def text(self) -> str:
        """The result as a scorer types it; empty if it is missing."""
        contract, award = self.cells["contract"], self.cells["award_ns"]
        if award:
            return f"{award}/{self.cells['award_ew']}"
        if contract.casefold() == "pass":
            return "P"
        if contract:
            lead = f" {self.cells['lead']}" if self.cells["lead"] else ""
            return f"{contract.replace('NT', 'N')}{self.cells['declarer']}{self.cells['tricks']}{lead}"
        return self.cells["score_ns"]


@dataclass(frozen=True)
class Sheet:
    """A table of results as it was read.

    Attributes:
        path: the file.
        content: its bytes.
        columns: the names of its columns, in its order.
        lines: its lines.
    """

    path: Path
    content: bytes
    columns: tuple[str, ...]
    lines: tuple[Line, ...]

    @property
    def digest(self) -> str:
        """The SHA-256 of the file, in hexadecimal."""
        return sha256(self.content).hexdigest()

    @property
    def missing(self) -> list[Line]:
        """The lines without a result."""
        return [line for line in self.lines if not line.text]

    @property
    def boards(self) -> list[int]:
        """The boards, in order."""
        return sorted({line.board for line in self.lines})


def read_sheet(path: Path) -> Sheet | None:
    """Read a sheet; None if the file is not one."""
    content = read_bytes(path)
    try:
        rows = csv.reader(StringIO(content.decode("utf-8-sig"), newline=""))
        columns = tuple(next(rows, ()))
        if not set(COLUMNS) <= set(columns):
            return None
        lines = tuple(
            Line(number, dict(zip(columns, [*row, *[""] * (len(columns) - len(row))], strict=False)))
            for number, row in enumerate(row for row in rows if any(row))
        )
    except (UnicodeDecodeError, csv.Error):
        return None
    return Sheet(path, content, columns, lines)


def type_results(sheet: Sheet, typed: Mapping[int, str]) -> tuple[bytes, dict[int, str]]:
    """Return a sheet with results typed in, and by line what is wrong with a text, which then changes nothing.

    Args:
        sheet: the sheet as it was read.
        typed: by line, the result as `correct.shorthand` reads it; an empty text removes it.
    """
    changed: dict[int, Mapping[str, str]] = {}
    wrong: dict[int, str] = {}
    for line in sheet.lines:
        text = typed.get(line.number)
        if text is None or text.strip() == line.text:
            continue
        try:
            changed[line.number] = {**line.cells, **_cells(text)}
        except ShorthandError as error:
            wrong[line.number] = str(error)
    lines = [changed.get(line.number, line.cells) for line in sheet.lines]
    return write_lines(sheet.columns, lines), wrong


def save_sheet(sheet: Sheet, content: bytes) -> None:
    """Write a sheet if the file is still what was read.

    Raises:
        ChangedError: it is not; nothing is written.
        OSError: the file can't be written; the old content is unchanged.
    """
    if read_bytes(sheet.path) != sheet.content:
        raise ChangedError(f"{sheet.path}: changed meanwhile")
    if content != sheet.content:
        replace_file(sheet.path, content, durable=True)


def make_sheet(sittings: Sequence[Sitting], names: Mapping[str, str], facts: Mapping[str, str]) -> bytes:
    """Return an empty sheet.

    Args:
        sittings: who meets whom, with their boards.
        names: by contestant, its names: two players with ` - ` between them, or the player of an individual.
        facts: `event`, `date` and `scoring`.

    Raises:
        SheetError: nobody meets anybody, or there are too many lines.
    """
    lines = [
        {
            **dict.fromkeys(COLUMNS, ""),
            **facts,
            "round": str(sitting.round),
            "table": str(sitting.table),
            "board": str(board),
            **_seated(sitting, names),
        }
        for sitting in sittings
        for board in sitting.boards
    ]
    alone = any(len(sitting.ns) > 1 for sitting in sittings)
    if not lines or len(lines) > _MOST_LINES:
        raise SheetError(f"expected 1 to {_MOST_LINES} results, got {len(lines)}")
    return write_lines((*COLUMNS, *_PLAYERS) if alone else COLUMNS, lines)


def list_sittings(movement: Movement, *, together: bool = False) -> list[Sitting]:
    """Return who meets whom, without those that sit out.

    Args:
        movement: the movement; a Mitchell's pairs E-W have the numbers after those N-S if it does not say.
        together: whether all tables play the same boards in a round.
    """
    sittings = movement.schedules((movement.tables or 0) + 1)[0]
    if together:
        each, first = movement.boards or 1, movement.first_board
        starts = [first + (sitting.round - 1) * each for sitting in sittings]
        sittings = [
            sitting._replace(boards=tuple(range(start, start + each)))
            for sitting, start in zip(sittings, starts, strict=True)
        ]
    absent = {0, movement.missing}
    return [sitting for sitting in sittings if not absent & {*sitting.ns, *sitting.ew}]


def write_lines(columns: Sequence[str], lines: Iterable[Mapping[str, str]]) -> bytes:
    """Return a table with these columns."""
    text = StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([_harmless(line[name]) for name in columns] for line in lines)
    return text.getvalue().encode()


def _harmless(cell: str) -> str:
    """Keep a spreadsheet from running a text as a formula; tricks such as `+1` are numbers to it."""
    plain = " ".join(cell.split())
    return f"'{plain}" if plain[:1] in {"=", "@"} and len(plain) > 1 else plain


def _seated(sitting: Sitting, names: Mapping[str, str]) -> dict[str, str]:
    """Return the cells that say who sits where; both players of a side are `1+3`, as readers form it."""
    cells = {}
    for side, who in (("ns", sitting.ns), ("ew", sitting.ew)):
        numbers = [str(number) for number in who]
        named = [names.get(number, "") for number in numbers]
        cells[side] = "+".join(numbers)
        cells[f"names_{side}"] = BETWEEN.join(named) if all(named) else ""
        if len(numbers) == 2:
            cells |= {f"player_{seat}": number for seat, number in zip(side, numbers, strict=True)}
    return cells


def _cells(text: str) -> dict[str, str]:
    """Return the cells of a result as a scorer types it."""
    empty = dict.fromkeys(_PLAYED, "")
    if not text.strip():
        return empty
    given: dict[str, Any] = read_shorthand(text)
    if "award" in given:
        return empty | dict(zip(("award_ns", "award_ew"), given["award"], strict=True))
    if "score" in given:
        return empty | {"score_ns": f"{given['score']}"}
    if "not_played" in given:
        raise ShorthandError("leave a board that was not played empty")
    if given["contract"] == "Pass":
        return empty | {"contract": "Pass"}
    over = given["tricks"] - int(given["contract"][0]) - 6
    return empty | {
        "contract": given["contract"],
        "declarer": given["by"],
        "tricks": "=" if over == 0 else f"{over:+d}",
        "lead": given.get("lead", ""),
    }
