"""`members.csv`: the club's members, with the numbers and spellings under which files name them."""

import csv
import io
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, get_args

from overtrick.core.config.file import ConfigError
from overtrick.core.config.site import EMAIL, Naming
from overtrick.core.machine import explain_failure
from overtrick.core.near import find_near

MEMBERS_FILE: Final = "members.csv"
COLUMNS: Final = ("number", "name", "aliases", "privacy", "handicap", "grade", "left")
"""The columns that overtrick uses besides those of `NATIONAL` and `MAILED`."""

MAILED: Final = ("email", "scorecard")
"""The columns of members who want their scorecards by e-mail: the address, and "yes" from those who agreed."""

NATIONAL: Final = (
    *("abf", "acbl", "aeb", "cbai", "cbf", "dbf", "dbv", "ebu", "ffb", "figb", "fpb", "msz", "nbb", "nbf", "nibu"),
    *("nzb", "nzbridge", "owba", "pzbs", "sbf", "sbl", "sbu", "wbf", "wbu", "national"),
)
"""Columns with the number that another body gave the member."""

BETWEEN_ALIASES: Final = ";"


@dataclass(frozen=True)
class Member:
    """A row of `members.csv`.

    Attributes:
        number: the membership number in the club; empty if the member has none.
        name: the name on pages.
        aliases: other spellings of the name in files.
        privacy: how pages name the member; None for the club's usual way.
        handicap: percent at matchpoints, otherwise points; None if not stated.
        grade: the stratum, such as `A`; empty if not stated.
        left: when the member left the club, as written; empty for a member who is still there.
        national: numbers of national bodies.
        line: of the file, from 1.
        bodies: the column of each of the `national` numbers.
        email: the e-mail address; empty if not stated, or if it can't be one. No message shows it.
        scorecard: whether the member agreed to get scorecards by e-mail.
    """

    name: str
    number: str = ""
    aliases: tuple[str, ...] = ()
    privacy: Naming | None = None
    handicap: float | None = None
    grade: str = ""
    left: str = ""
    national: tuple[str, ...] = ()
    line: int = 0
    bodies: tuple[str, ...] = ()
    email: str = field(default="", repr=False)
    scorecard: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """All spellings of the name."""
        return (self.name, *self.aliases)

    @property
    def numbers(self) -> tuple[str, ...]:
        """All numbers: the club's, then those of national bodies."""
        return tuple(filter(None, (self.number, *self.national)))

    def number_with(self, body: str) -> str:
        """Return the number that a body gave the member, as "ebu" in the column of this name; empty if none."""
        return next((number for name, number in zip(self.bodies, self.national, strict=False) if name == body), "")


def read_members(path: Path) -> tuple[Member, ...]:
    """Read `members.csv`: a header line, then a line for each member; cells between commas, semicolons or tabs.

    Raises:
        ConfigError: the file can't be read, has no names, or has a cell or a column that can't be used.
    """
    with explain_failure(path, ConfigError, "can't be read"):
        content = path.read_bytes()
    return tuple(_read_rows(path, decode_members(content)))


def decode_members(content: bytes) -> str:
    """Return the text of a member list: UTF-8, else as Windows writes it in western Europe."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")


def split_columns(text: str) -> tuple[str, list[str]]:
    """Return the sign between the cells of a member list, and the names of its columns in lower case."""
    header = text.partition("\n")[0]
    between = max(",;\t", key=header.count)
    return between, [name.strip().casefold() for name in next(csv.reader([header.strip("\r")], delimiter=between), [])]


def _read_rows(path: Path, text: str) -> Iterator[Member]:
    between, columns = split_columns(text)
    _check_columns(path, columns)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=between)
    next(reader, None)
    line = reader.line_num + 1
    for cells in reader:
        row = dict.fromkeys((*COLUMNS, *MAILED), "")
        row |= {name: cell.strip() for name, cell in zip(columns, cells, strict=False)}
        if any(row.values()):
            yield _make_member(path, line, columns, row)
        line = reader.line_num + 1


def _check_columns(path: Path, columns: list[str]) -> None:
    """Refuse a misspelt column: with a wrong `privacy` column, names would be published that should not be."""
    if "name" not in columns:
        raise ConfigError(f"{path}:1: expected a column 'name'; the columns are: {', '.join(columns) or 'none'}")
    for at, name in enumerate(columns):
        if name not in COLUMNS and (near := find_near(name, COLUMNS, 0.75)):
            raise ConfigError(f"{path}:1: column {at + 1}, {name!r}: unknown column; did you mean {near!r}?")
        if name in {*COLUMNS, *MAILED} and columns.index(name) != at:
            raise ConfigError(f"{path}:1: column {at + 1}: a second column {name!r}")


def _make_member(path: Path, line: int, columns: list[str], row: Mapping[str, str]) -> Member:
    def refuse(column: str, expected: str) -> ConfigError:
        return ConfigError(f"{path}:{line}: column {columns.index(column) + 1}, {column} = {row[column]!r}: {expected}")

    if not row["name"]:
        raise ConfigError(f"{path}:{line}: a member without a name")
    privacy = row["privacy"].casefold() or None
    if privacy not in {None, *get_args(Naming)}:
        raise refuse("privacy", f"expected {', '.join(get_args(Naming))} or nothing")
    try:
        handicap = _read_number(row["handicap"])
    except ValueError:
        raise refuse("handicap", "expected a number") from None
    bodies = tuple(filter(row.get, (name for name in columns if name in NATIONAL)))
    aliases = (" ".join(alias.split()) for alias in row["aliases"].split(BETWEEN_ALIASES))
    return Member(
        name=" ".join(row["name"].split()),
        number=row["number"],
        aliases=tuple(filter(None, aliases)),
        privacy=privacy,  # type: ignore[arg-type] # checked above
        handicap=handicap,
        grade=row["grade"],
        left=row["left"],
        national=tuple(row[name] for name in bodies),
        bodies=bodies,
        email=row["email"] if re.fullmatch(EMAIL, row["email"]) else "",
        scorecard=_read_consent(path, line, columns, row),
        line=line,
    )


def _read_number(cell: str) -> float | None:
    number = float(cell.replace(",", ".").removesuffix("%")) if cell else None
    if number is not None and not math.isfinite(number):
        raise ValueError(f"not a number of points: {cell}")
    return number


def _read_consent(path: Path, line: int, columns: list[str], row: Mapping[str, str]) -> bool:
    """Return whether a member agreed to scorecards by e-mail. The cell is not quoted: it may hold an address."""
    cell = row["scorecard"].casefold()
    if cell not in {"", "yes", "no"}:
        at = columns.index("scorecard") + 1
        raise ConfigError(f"{path}:{line}: column {at}, scorecard: expected yes, no or nothing")
    return cell == "yes"
