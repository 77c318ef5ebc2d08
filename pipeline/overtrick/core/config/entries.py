"""Entries written into the text of a corrections file, and taken out again; all other bytes stay as they are.

Text is put behind the last line and cut off from there, so a person's comments, blank lines and line ends survive.
"""

import datetime as dt
import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from overtrick.core.config.corrections import Entry
from overtrick.core.config.file import Place, SettingsFile
from overtrick.core.config.table import ConfigError

_HEADER: Final = "[[corrections]]"


def append_entry(file: SettingsFile, entry: Entry) -> str:
    """Return the text of a corrections file with one entry more.

    Args:
        file: the file with its line ends as they are; its text is empty if it does not exist yet.
        entry: the entry.

    Raises:
        ConfigError: the file is not TOML, or its entries are not under headers.
    """
    _check_headers(file)
    end = "\r\n" if "\r\n" in file.text else "\n"
    written = "".join(f"{line}{end}" for line in entry_lines(entry))
    # Without an end of the last line there is no blank line either: `remove_last` takes the file back to this.
    return f"{file.text}{end if file.text else ''}{written}"


def remove_last(file: SettingsFile) -> str:
    """Return the text of a corrections file without its last entry; empty if nothing but blanks is left.

    Comments on lines of their own stay.

    Raises:
        ConfigError: the file is not TOML, its entries are not under headers, or it has none.
    """
    return remove_entry(file, _count(file))


def remove_entry(file: SettingsFile, number: int) -> str:
    """Return the text of a corrections file without one of its entries, as `remove_last` without the last.

    Args:
        file: the file.
        number: the place of the entry among the others, from 1.

    Raises:
        ConfigError: as for `remove_last`, or the file lacks that entry.
    """
    count = _count(file)
    if not 1 <= number <= count:
        raise ConfigError(f"{file.path}: there is no entry {number if count else 'to remove'}")
    begin = file.places["corrections", number].key
    if number < count:
        end = file.places["corrections", number + 1].key
        return file.text[:begin] + "".join(_comments(file, begin, end)) + file.text[end:]
    head = file.text[:begin]
    comments = "".join(_comments(file, begin))
    if comments:
        return head + comments
    for line_end in ("\r\n", "\n"):
        if head.endswith(line_end):
            head = head.removesuffix(line_end)
            break
    return head if head.strip() else ""


def _count(file: SettingsFile) -> int:
    """Return the number of entries."""
    _check_headers(file)
    return len(file.data.get("corrections", []))


def entry_lines(entry: Entry) -> Iterator[str]:
    """Write an entry, a line for each key, in the order of `Entry`."""
    values = entry.model_dump(by_alias=True, exclude_unset=True)
    yield _HEADER
    yield from (f"{key} = {toml_value(value)}" for key, value in values.items())


def toml_value(value: object) -> str:
    """Write a value as TOML on one line."""
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{key} = {toml_value(item)}' for key, item in value.items())} }}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(toml_value, value))}]"
    if isinstance(value, dt.date | dt.time):
        return value.isoformat()
    # A text of JSON is one of TOML, but for the delete character.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _check_headers(file: SettingsFile) -> None:
    listed: Any = file.data.get("corrections", [])
    place: Place | None = file.places.get(("corrections",))
    if not isinstance(listed, list) or (place and not file.text.startswith("[[", place.key - 2)):
        raise ConfigError(f"{file.path}: write each entry under a header of its own, {_HEADER}")


def _comments(file: SettingsFile, begin: int, end: int | None = None) -> Iterator[str]:
    """Return the lines between two places that hold nothing but a comment."""
    values = [place for place in file.places.values() if place.start >= begin and place.start != place.key]
    at = begin
    for line in file.text[begin:end].splitlines(keepends=True):
        if line.lstrip().startswith("#") and not any(place.start < at < place.end for place in values):
            yield line
        at += len(line)
