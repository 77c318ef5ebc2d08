"""Error messages for `club.toml`: the place, the key, the value, and what was expected."""

import json
import re
from dataclasses import dataclass, field, replace
from typing import Any, Final, get_args

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from overtrick.core.config.file import Keys, SettingsFile, Table
from overtrick.core.near import find_meant, find_near

_NUMBER: Final = "a number"
_KINDS: Final = {
    "model_type": "a table",
    "list_type": "a list in brackets",
    "dict_type": "a table",
    "string_type": "a text in quotes",
    "string_too_short": "a text that is not empty",
    "float_type": _NUMBER,
    "int_type": "a whole number",
    "bool_type": "true or false",
}
"""Plain words for pydantic's error types."""

_PASSWORD: Final = re.compile(r"(//[^/@:\s]*:).*@")
"""The part of an address that may be a password; messages show `***` instead."""

_QUITE_NEAR: Final = 0.8
"""The similarity from which a key of another table is suggested, as `find_near` takes it."""

_MEANT: Final = {
    "accent in [site]": "color colour colors colours theme brand",
    "logo in [site]": "picture image icon",
    "templates in [site], which may hold a style sheet": "font fonts css style typeface",
    "the table [privacy.players]": "hide hidden anonymous anonymise anonymize private gdpr",
    "OVERTRICK_PASSWORD in the environment, or the keyring": "password passwd secret token",
    "target in [publish]": "website url ftp sftp upload host server",
    "name in [club]": "title clubname club_name organisation organization",
    "language in [site]": "lang locale language",
    "footer in [site]": "foot imprint",
}
"""By what can be meant: keys that people try for it."""

_FEW: Final = 20
"""The most names that a message lists."""

_INDENT: Final = "    "
_EXPECTED: Final = "expected "


@dataclass
class _Complaint:
    """The error of one key.

    Attributes:
        keys: the path to the key, or to the table that lacks it.
        about: the message up to what was expected.
        expected: what the key accepts. A value that may be of several kinds fails each of them, and all are listed.
        value: the wrong value; None if the key itself is wrong.
    """

    keys: Keys
    about: str
    expected: list[str] = field(default_factory=list)
    value: object = None

    def __str__(self) -> str:
        """Return the message."""
        # A whole number is a number: one of the two is enough.
        kinds = [kind for kind in self.expected if kind != _KINDS["int_type"] or _NUMBER not in self.expected]
        expected = f": expected {' or '.join(kinds)}" if kinds else ""
        right = re.findall(r"'([^']+)'", expected) if isinstance(self.value, str) else []
        near = find_near(str(self.value), right)
        return self.about + expected + (f"; did you mean '{near}'?" if near else "")


def explain_errors(error: ValidationError, model: type[Table], file: SettingsFile) -> str:
    """Return a message for each wrong key, in the order of the file: place, reason, and its line with a mark below."""
    return "\n".join(_entry(complaint, file) for complaint in _complaints(error, model, file))


def locate_errors(error: ValidationError, model: type[Table], file: SettingsFile) -> list[tuple[int, int, str]]:
    """Return line, column and message of each wrong key, in the order of the file."""
    complaints = _complaints(error, model, file)
    return [(*file.position(_start(complaint, file)), str(complaint)) for complaint in complaints]


def _complaints(error: ValidationError, model: type[Table], file: SettingsFile) -> list[_Complaint]:
    by_keys: dict[Keys, _Complaint] = {}
    for detail in error.errors():
        complaint = _complaint(detail, model, file.data)
        lacks = detail["loc"][-1:] if detail["type"] == "missing" else ()
        by_keys.setdefault((*complaint.keys, *lacks), replace(complaint, expected=[])).expected += complaint.expected
    # An entry of tie_breaks is a text or a table. A wrong table fails as a text too, and only what is wrong inside it
    # helps: of nested complaints keep the innermost.
    outer = {keys[:length] for keys in by_keys for length in range(len(keys))}
    innermost = [by_keys[keys] for keys in by_keys.keys() - outer]
    return sorted(innermost, key=lambda complaint: file.places[complaint.keys].key)


def explain_refusal(reason: str, keys: Keys, file: SettingsFile) -> str:
    """Return the message for one key of the file that can't be used; it leaves out the value, which may be secret."""
    return _entry(_Complaint(keys, f"{_named(keys)}: {reason}"), file)


def suggest(name: str, known: list[str]) -> str:
    """Return a suggestion for an unknown name: the most similar known one, else a short list of them."""
    if near := find_near(name, known):
        return f"did you mean {near}?"
    return f"expected one of: {', '.join(known)}" if len(known) <= _FEW else "no similar name is known"


def _complaint(error: ErrorDetails, model: type[Table], data: dict[str, Any]) -> _Complaint:
    keys = _keys(error["loc"], data)
    if error["type"] == "extra_forbidden":
        return _Complaint(keys, f"{_named(keys)}: unknown key; {_meant(keys, model)}")
    if error["type"] == "missing":
        return _Complaint(keys, f"{_named((*keys, error['loc'][-1]))}: missing")
    is_key = error["loc"][-1] == "[key]"
    value = None if is_key else error["input"]
    about = _named(keys) if is_key or isinstance(value, dict) else f"{_named(keys)} = {_shown(value)}"
    if error["type"] != "value_error":
        return _Complaint(keys, about, [_kind(error, keys, model)], value)
    reason = str(error["ctx"]["error"])
    if not reason.startswith(_EXPECTED):
        return _Complaint(keys, f"{about}: {reason}", value=value)
    return _Complaint(keys, about, [reason.removeprefix(_EXPECTED)], value)


def _kind(error: ErrorDetails, keys: Keys, model: type[Table]) -> str:
    """Return what the key accepts."""
    if error["type"] == "string_pattern_mismatch":
        return f"a text like {_table_around(keys, model).model_fields[str(keys[-1])].examples[0]}"
    expected = error["msg"].removeprefix("Input should be ")
    return _KINDS.get(error["type"], "true" if expected == "True" else expected)


def _keys(location: tuple[int | str, ...], data: dict[str, Any]) -> Keys:
    """Return the path in the file of pydantic's location, which also names the kinds of value that it tried.

    With `tie_breaks = ["lots"]`, pydantic's ("scoring", "tie_breaks", 0, "TieBreak") becomes ("scoring", "tie_breaks",
    1).
    """
    keys: list[str | int] = []
    node: Any = data
    for part in location:
        if isinstance(node, dict) and part in node:
            keys.append(part)
            node = node[part]
        elif isinstance(node, list) and isinstance(part, int):
            keys.append(part + 1)
            node = node[part]
    return tuple(keys)


def _named(keys: Keys) -> str:
    *tables, key = (name if str(name).isprintable() else json.dumps(name) for name in keys)
    if isinstance(key, int):
        key = f"{tables.pop()}, item {key}"
    return f"[{'.'.join(map(str, tables))}] {key}" if tables else str(key)


def _shown(value: object) -> str:
    return _PASSWORD.sub(r"\1***@", json.dumps(value, ensure_ascii=False, default=str))


def _meant(keys: Keys, model: type[Table]) -> str:
    """Suggest the most similar key of the same table, else what is meant elsewhere."""
    key, known = str(keys[-1]), _names(_table_around(keys, model))
    meant = None if find_near(key, known, _QUITE_NEAR) else find_setting(key, model)
    return f"did you mean {meant}?" if meant else suggest(key, known)


def find_setting(word: str, model: type[Table]) -> str | None:
    """Return the setting that a word means or is like: `accent in [site]` for `colours`; None if there is none."""
    tables = [(name, table) for name, field in model.model_fields.items() if (table := _table(field.annotation))]
    near = ((find_near(word, _names(table), _QUITE_NEAR), name) for name, table in tables)
    return find_meant(word, _MEANT) or " or ".join(f"{found} in [{name}]" for found, name in near if found) or None


def _names(table: type[Table]) -> list[str]:
    """Return the keys of a table as a file writes them."""
    return [field.alias or name for name, field in table.model_fields.items()]


def _table_around(keys: Keys, model: type[Table]) -> Any:  # noqa: ANN401 - a model class named by an annotation
    """Return the table that holds a key."""
    around: Any = model
    for table in keys[:-1]:
        if isinstance(table, str):
            around = _table(around.model_fields[table].annotation)
    return around


def _table(annotation: Any) -> Any:  # noqa: ANN401 - an annotation has any type
    """Return the table class in a key's annotation, which may also be of a list of tables, a union, or optional."""
    if isinstance(annotation, type) and issubclass(annotation, Table):
        return annotation
    return next((found for part in get_args(annotation) if (found := _table(part))), None)


def _start(complaint: _Complaint, file: SettingsFile) -> int:
    """Return the offset of the error: that of the value if it is wrong, otherwise that of the key."""
    place = file.places[complaint.keys]
    return place.start if complaint.value is not None else place.key


def _entry(complaint: _Complaint, file: SettingsFile) -> str:
    """Return `file:line:column: message`, and below it the line up to the error with a mark under the error."""
    place, at = file.places[complaint.keys], _start(complaint, file)
    is_value = at != place.key
    line, column = file.position(at)
    begin = at - column + 1
    # Show nothing but the error itself: the text beside it, and the value of an unknown key, may be a password.
    shows_value = is_value and _PASSWORD.search(str(complaint.value)) is None
    end = place.end if shows_value else max(at, place.key_end)
    start = max(place.key, begin)
    excerpt = file.text[start:end].partition("\n")[0].rstrip()
    mark = " " * (at - start) + "^" * max(len(excerpt) - (at - start), 1)
    return f"{file.path}:{line}:{column}: {complaint}\n{_INDENT}{excerpt}\n{_INDENT}{mark}"
