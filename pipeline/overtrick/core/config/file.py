"""A settings file: its text, its data, the place of each key, which tomllib does not report, and what a table is."""

import re
import tomllib
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel, ConfigDict

SETTINGS_FILE: Final = "club.toml"

Keys = tuple[str | int, ...]
"""The path to a key or value from the top: names, and positions in lists, counted from 1."""


class ConfigError(Exception):
    """`club.toml` has errors. The message lists each one with its place, its key and what was expected."""


class Table(BaseModel):
    """A table of a file: unknown keys are errors, values are not converted, and instances never change."""

    # pydantic prepares its checks of a table when it first has values to check: most runs need only the defaults.
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False, defer_build=True)


def exact(number: float) -> Fraction:
    """Return a number exactly as the file writes it: 0.1 becomes 1/10."""
    return Fraction(str(number))


_TOKEN: Final = re.compile(
    r"[ \t\r]+|#[^\n]*"
    r'|(?P<token>"""(?:\\.|[^\\])*?"{3,5}'
    r"|'''.*?'{3,5}"
    r'|"(?:\\.|[^"\\\n])*"'
    r"|'[^'\n]*'"
    r"|[\[\]{}=,.\n]"
    r"|[^\s\[\]{}=,.#\"']+)",
    re.DOTALL,
)


_AT: Final = re.compile(r"(.*) \(at line ([0-9]+), column ([0-9]+)\)", re.DOTALL)
"""A message of tomllib with its position."""


@dataclass(frozen=True)
class Place:
    """The position of a key and its value, as offsets in characters from the start of the text.

    Attributes:
        key: the start of the key; of an item in a list, the start of the value.
        start: the start of the value; of a table with a header of its own, the start of the header.
        end: the end of the value, after its last character.
        key_end: the end of the key, after its last character.
    """

    key: int
    start: int
    end: int
    key_end: int


@dataclass(frozen=True)
class SettingsFile:
    """The text of a settings file."""

    path: Path
    text: str

    @cached_property
    def data(self) -> dict[str, Any]:
        """The tables and values.

        Raises:
            ConfigError: the text is not TOML.
        """
        try:
            return tomllib.loads(self.text)
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            stated = _AT.fullmatch(str(error))
            place, reason = (f":{stated[2]}:{stated[3]}", stated[1]) if stated else ("", error)
            raise ConfigError(f"{self.path}{place}: not a TOML file: {reason}") from error

    @cached_property
    def places(self) -> dict[Keys, Place]:
        """The place of every key and value of a text that is TOML."""
        return find_places(self.text)

    def position(self, offset: int) -> tuple[int, int]:
        """Return line and column of an offset in the text, both from 1."""
        return self.text.count("\n", 0, offset) + 1, offset - self.text.rfind("\n", 0, offset)


def read_file(path: Path) -> SettingsFile:
    """Read a settings file.

    Raises:
        ConfigError: the file can't be opened, or is not UTF-8 text.
    """
    try:
        return SettingsFile(path, path.read_text("utf-8-sig"))
    except OSError as error:
        raise ConfigError(f"{path}: can't be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: not a TOML file: {error}") from error


def find_places(text: str) -> dict[Keys, Place]:
    """Return the place of every key, table and value of a valid TOML text."""
    scan = _Scan([found for found in _TOKEN.finditer(text) if found["token"]])
    scan.read_document()
    return scan.found


class _Scan:
    """One pass over the tokens of a text that is valid TOML."""

    def __init__(self, tokens: list[re.Match[str]]) -> None:
        self._tokens = tokens
        self._at = 0
        self._tables: Counter[Keys] = Counter()
        self.found: dict[Keys, Place] = {}

    def read_document(self) -> None:
        table: Keys = ()
        while self._at < len(self._tokens):
            if self._word() == "[":
                table = self._read_header()
            elif self._word() == "\n":
                self._at += 1
            else:
                self._read_pair(table)

    def _word(self) -> str:
        return self._tokens[self._at][0] if self._at < len(self._tokens) else "\n"

    def _read_header(self) -> Keys:
        """Read `[table]` or `[[list of tables]]`."""
        start = self._tokens[self._at].start()
        self._at += 1
        of_list = self._word() == "["
        self._at += of_list
        keys = self._read_keys((), of_list=of_list)
        self._at += 1 + of_list
        end = self._tokens[self._at - 1].end()
        self.found[keys] = Place(start, start, end, end)
        return keys

    def _read_pair(self, table: Keys) -> None:
        """Read `key = value`."""
        keys = self._read_keys(table)
        self._at += 1
        key = self.found[keys]
        start, end = self._read_value(keys)
        self.found[keys] = Place(key.key, start, end, key.key_end)

    def _read_keys(self, table: Keys, *, of_list: bool = False) -> Keys:
        """Read names with dots between them.

        A name of a list of tables means its last table; in the header of such a list, the last name adds a table.
        """
        keys = table
        while True:
            token = self._tokens[self._at]
            keys = (*keys, _unquoted(token[0]))
            place = Place(token.start(), token.start(), token.end(), token.end())
            self.found.setdefault(keys, place)
            self._at += 1
            more = self._word() == "."
            if of_list and not more:
                self._tables[keys] += 1
            if self._tables[keys]:
                keys = (*keys, self._tables[keys])
                self.found.setdefault(keys, place)
            if not more:
                return keys
            self._at += 1

    def _read_value(self, keys: Keys) -> tuple[int, int]:
        """Read a value and the values in it; return its start and end."""
        start = self._tokens[self._at].start()
        if self._word() in {"[", "{"}:
            self._read_inside(keys, "]" if self._word() == "[" else "}")
        else:
            # The dots in numbers and times are tokens too.
            while self._word() not in {"\n", ",", "]", "}"}:
                self._at += 1
        return start, self._tokens[self._at - 1].end()

    def _read_inside(self, keys: Keys, close: str) -> None:
        """Read an inline list or table."""
        self._at += 1
        count = 0
        while self._word() != close and self._at < len(self._tokens):
            if self._word() in {"\n", ","}:
                self._at += 1
            elif close == "}":
                self._read_pair(keys)
            else:
                count += 1
                start, end = self._read_value((*keys, count))
                self.found[*keys, count] = Place(start, start, end, end)
        self._at += 1


def _unquoted(name: str) -> str:
    """Return a key's name without quotes."""
    return next(iter(tomllib.loads(f"{name} = 0"))) if name[0] in "\"'" else name
