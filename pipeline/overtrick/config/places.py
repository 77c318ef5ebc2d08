"""Where the keys of a TOML file stand, for answers that point at them: tomllib reads what they say, and not where."""

import re
import tomllib
from collections import Counter
from dataclasses import dataclass
from typing import Final

Keys = tuple[str | int, ...]
"""What leads to a key or a value, from the top: names, and places in a list counted from 1."""

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


@dataclass(frozen=True)
class Place:
    """Where something stands, in characters from the beginning of the text.

    Attributes:
        key: where its key begins, or the value where it is one of a list.
        start: where the value begins; the key, for a table with a header of its own.
        end: behind the last character of the value.
        key_end: behind the last character of the key.
    """

    key: int
    start: int
    end: int
    key_end: int


def places(text: str) -> dict[Keys, Place]:
    """Find every key, table and value of a text that is TOML."""
    scan = _Scan([found for found in _TOKEN.finditer(text) if found["token"]])
    scan.document()
    return scan.found


class _Scan:
    """Goes over the tokens once; that they are TOML is known."""

    def __init__(self, tokens: list[re.Match[str]]) -> None:
        self._tokens = tokens
        self._at = 0
        self._tables: Counter[Keys] = Counter()
        self.found: dict[Keys, Place] = {}

    def document(self) -> None:
        table: Keys = ()
        while self._at < len(self._tokens):
            if self._word() == "[":
                table = self._header()
            elif self._word() == "\n":
                self._at += 1
            else:
                self._pair(table)

    def _word(self) -> str:
        return self._tokens[self._at][0] if self._at < len(self._tokens) else "\n"

    def _header(self) -> Keys:
        """Read `[table]` or `[[list of tables]]`."""
        start = self._tokens[self._at].start()
        self._at += 1
        of_list = self._word() == "["
        self._at += of_list
        keys = self._keys((), of_list=of_list)
        self._at += 1 + of_list
        end = self._tokens[self._at - 1].end()
        self.found[keys] = Place(start, start, end, end)
        return keys

    def _pair(self, table: Keys) -> None:
        """Read `key = value`."""
        keys = self._keys(table)
        self._at += 1
        key = self.found[keys]
        start, end = self._value(keys)
        self.found[keys] = Place(key.key, start, end, key.key_end)

    def _keys(self, table: Keys, *, of_list: bool = False) -> Keys:
        """Read names with dots between them; a list of tables has its last one under such a name, or gets another."""
        keys = table
        while True:
            token = self._tokens[self._at]
            keys = (*keys, _name(token[0]))
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

    def _value(self, keys: Keys) -> tuple[int, int]:
        """Read a value and what is in it; gives its begin and its end."""
        start = self._tokens[self._at].start()
        if self._word() in {"[", "{"}:
            self._inside(keys, "]" if self._word() == "[" else "}")
        else:
            # The dots of numbers and of times are tokens too.
            while self._word() not in {"\n", ",", "]", "}"}:
                self._at += 1
        return start, self._tokens[self._at - 1].end()

    def _inside(self, keys: Keys, close: str) -> None:
        """Read a list or a table that is written as a value."""
        self._at += 1
        count = 0
        while self._word() != close and self._at < len(self._tokens):
            if self._word() in {"\n", ","}:
                self._at += 1
            elif close == "}":
                self._pair(keys)
            else:
                count += 1
                start, end = self._value((*keys, count))
                self.found[*keys, count] = Place(start, start, end, end)
        self._at += 1


def _name(written: str) -> str:
    """Give the name that a key has without its quotes."""
    return next(iter(tomllib.loads(f"{written} = 0"))) if written[0] in "\"'" else written
