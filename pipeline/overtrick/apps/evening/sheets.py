"""An evening without any file: a table of who meets whom on which board, whose results are typed from travellers.

The table is a CSV that every command reads. A line without a contract is a result that is still missing.
"""

import csv
from codecs import BOM_UTF8
from collections.abc import Iterable, Mapping, Sequence
from io import StringIO
from typing import Final

from overtrick.core.bridge.movements import Sitting
from overtrick.core.config.movement import Movement
from overtrick.core.notation import BETWEEN
from overtrick.files.correct.entry import Given, read_shorthand, write_shorthand
from overtrick.files.formats.csv import find_separator, read_results_csv
from overtrick.files.formats.tables.typed import name_columns, split_line

_FACTS: Final = ("event", "date", "scoring")
_WHERE: Final = ("round", "table", "board", "ns", "ew")
COLUMNS: Final = (
    *(*_FACTS, *_WHERE, "contract", "declarer", "tricks", "lead", "score_ns", "award_ns", "award_ew"),
    *("names_ns", "names_ew"),
)
_PLAYED: Final = (
    *("contract", "declarer", "tricks", "lead", "score_ns", "score_ew", "award_ns", "award_ew"),
    *("points_ns", "points_ew", "percentage_ns", "percentage_ew"),
)
"""The columns that a result fills or empties."""

_PLAYERS: Final = ("player_n", "player_e", "player_s", "player_w")
"""Columns of an individual, beside `ns` and `ew` with both players of a side."""

_MOST_LINES: Final = 10_000


class SheetError(ValueError):
    """The sheet can't be made or read; the message says why."""


def type_results(content: bytes, typed: Mapping[int, Given]) -> bytes:
    """Return a table of results with results typed into its lines; all other lines keep their bytes.

    The new table is read again: it must give back what was typed, and everything else as before. So a word that means
    something else in the language of the table is refused, as is a line that another program would take for two.

    Args:
        content: the bytes of the table, a CSV in UTF-8.
        typed: by line of the file, the options of a result as `read_shorthand` returns them; none for a result that is
            missing.

    Raises:
        SheetError: it is not such a table, or it can't hold one of the results.
    """
    mark = BOM_UTF8 if content.startswith(BOM_UTF8) else b""
    try:
        lines = content.removeprefix(mark).decode().splitlines(keepends=True)
    except UnicodeDecodeError as error:
        raise SheetError("the table is not in UTF-8") from error
    top = next((at for at, line in enumerate(lines) if line.strip()), -1)
    separator = find_separator(lines[top].strip("\r\n")) if lines else None
    if separator is None:
        raise SheetError("the file is not a table of results")
    headers = _split_cells(lines[top], separator)
    headers += _find_lacking(name_columns(headers), typed.values())
    columns = name_columns(headers)
    lines[top] = _join_cells(headers, separator, lines[top])
    for number, given in typed.items():
        cells = _split_cells(lines[number - 1], separator) if top + 1 < number <= len(lines) else []
        if not cells:
            raise SheetError(f"line {number} of the table is not one of a result")
        cells += [""] * (len(columns) - len(cells))
        told = _cells(given, columns)
        cells[: len(columns)] = [told.get(name or "", cell) for name, cell in zip(columns, cells, strict=False)]
        lines[number - 1] = _join_cells(cells, separator, lines[number - 1])
    after = mark + "".join(lines).encode()
    _prove(content, after, typed)
    return after


def _split_cells(line: str, separator: str) -> list[str]:
    return split_line(line.strip("\r\n"), separator) or []


def _find_lacking(columns: Sequence[str | None], typed: Iterable[Given]) -> list[str]:
    """Return the columns that results need and a table does not have."""
    needed = ["contract", *(["score_ns"] if any("score" in given for given in typed) else [])]
    return [name for name in needed if name not in columns]


def _join_cells(cells: Iterable[str], separator: str, line: str) -> str:
    """Return a line with these cells, that ends as it ended."""
    text = StringIO(newline="")
    csv.writer(text, delimiter=separator, lineterminator=line[len(line.rstrip("\r\n")) :]).writerow(cells)
    return text.getvalue()


def _prove(before: bytes, after: bytes, typed: Mapping[int, Given]) -> None:
    """Check that a table gives back what was typed, and everything else as before.

    Raises:
        SheetError: it does not.
    """
    old, new = (read_results_csv(content).results for content in (before, after))
    others = [~frame["line"].is_in(list(typed)) for frame in (old, new)]
    if not old.filter(others[0]).equals(new.filter(others[1])):
        raise SheetError("the other lines of the table would mean something else")
    for row in new.filter(~others[1]).iter_rows(named=True):
        text = write_shorthand(row)
        if (read_shorthand(text) if text else {}) != typed[row["line"]]:
            raise SheetError(f"line {row['line']} of the table can't hold this result")


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


def _cells(given: Given, columns: Sequence[str | None]) -> dict[str, str]:
    """Return the cells of a result: in one column where the table has none for declarer, tricks or the lead."""
    empty = dict.fromkeys(_PLAYED, "")
    if "award" in given:
        return empty | {"contract": "/".join(given["award"])}
    if "score" in given:
        return empty | {"score_ns": f"{given['score']:+d}"}
    if "not_played" in given or not given:
        return empty | {"contract": "NP" if given else ""}
    if given["contract"] == "Pass":
        return empty | {"contract": "Pass"}
    over = given["tricks"] - int(given["contract"][0]) - 6
    parts = {
        "contract": given["contract"],
        "declarer": given["by"],
        "tricks": "=" if over == 0 else f"{over:+d}",
        "lead": given.get("lead", ""),
    }
    if all(name in columns for name, part in parts.items() if part):
        return empty | parts
    return empty | {"contract": " ".join(filter(None, parts.values()))}
