"""What is wrong with a file of settings, for a club: the place, the key, the value, and what was expected."""

import json
import re
import tomllib
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import Any, Final, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from overtrick.config import ConfigError
from overtrick.config.places import Keys, Place, places

_NUMBER: Final = "a number"
_KINDS: Final = {
    "model_type": "a table with keys below it",
    "list_type": "a list in brackets",
    "dict_type": "a table with keys below it",
    "string_type": "a text in quotes",
    "float_type": _NUMBER,
    "int_type": "a whole number",
    "bool_type": "true or false",
}
"""What pydantic's kinds of value are called in an answer to a club."""

_PASSWORD: Final = re.compile(r"(//[^/@:\s]*:).*@")
"""What may be a password in an address; what an answer shows of it is its place."""

_NEAR: Final = 0.6
"""How like a name one of the same table has to be to be what was meant, 1 for the same (as difflib measures it)."""

_QUITE_NEAR: Final = 0.8
"""And one of another table."""

_FEW: Final = 20
"""As many names as an answer lists."""

_AT: Final = re.compile(r"(.*) \(at line (\d+), column (\d+)\)", re.DOTALL)
"""Where tomllib says that it is."""

_INDENT: Final = "    "
_EXPECTED: Final = "expected "


@dataclass(frozen=True)
class Written:
    """A file of settings as it was read."""

    path: Path
    text: str

    @cached_property
    def data(self) -> dict[str, Any]:
        """What it says.

        Raises:
            ConfigError: it is no TOML.
        """
        try:
            return tomllib.loads(self.text)
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            told = _AT.fullmatch(str(error))
            place, reason = (f":{told[2]}:{told[3]}", told[1]) if told else ("", error)
            raise ConfigError(f"{self.path}{place}: not a TOML file: {reason}") from error


def written(path: Path) -> Written:
    """Read a file of settings.

    Raises:
        ConfigError: it can't be opened, or is no text.
    """
    try:
        return Written(path, path.read_text("utf-8-sig"))
    except OSError as error:
        raise ConfigError(f"{path}: can't be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: not a TOML file: {error}") from error


@dataclass
class _Complaint:
    """What is wrong with one key.

    Attributes:
        keys: what leads to it, or to the table that lacks it.
        about: the message up to what was expected.
        expected: what would be right; a value of several allowed kinds fails each of them, and all are named.
        value: the value, where it is that and not the key.
    """

    keys: Keys
    about: str
    expected: list[str] = field(default_factory=list)
    value: object = None

    def __str__(self) -> str:
        """Give the message."""
        # A whole number is a number.
        kinds = [kind for kind in self.expected if kind != _KINDS["int_type"] or _NUMBER not in self.expected]
        expected = f": expected {' or '.join(kinds)}" if kinds else ""
        right = re.findall(r"'([^']+)'", expected) if isinstance(self.value, str) else []
        near = get_close_matches(str(self.value), right, n=1)
        return self.about + expected + (f"; did you mean '{near[0]}'?" if near else "")


def explained(error: ValidationError, model: type[BaseModel], file: Written) -> str:
    """Say what is wrong with the settings: for each wrong key its place, the reason, and its line with a mark below."""
    told: dict[Keys, _Complaint] = {}
    for detail in error.errors():
        complaint = _complaint(detail, model, file.data)
        lacks = detail["loc"][-1:] if detail["type"] == "missing" else ()
        told.setdefault((*complaint.keys, *lacks), replace(complaint, expected=[])).expected += complaint.expected
    # A table that may be a text as well is no text; what is wrong is inside it.
    outer = {keys[:length] for keys in told for length in range(len(keys))}
    known = places(file.text)
    complaints = sorted((told[keys] for keys in told.keys() - outer), key=lambda one: known[one.keys].key)
    return "\n".join(_entry(complaint, known, file) for complaint in complaints)


def refused(reason: str, keys: Keys, file: Written) -> str:
    """Say why the value of one key, which is there, can't be used; the value itself is not told."""
    return _entry(_Complaint(keys, f"{_named(keys)}: {reason}"), places(file.text), file)


def nearest(name: str, known: list[str]) -> str:
    """Name the one of some names that was most likely meant."""
    near = _near(name, known)
    if near:
        return f"did you mean {near}?"
    return f"known here: {', '.join(known)}" if len(known) <= _FEW else "no such name is known"


def _near(name: str, known: list[str], likeness: float = _NEAR) -> str | None:
    plain = {each.replace("-", "_"): each for each in known}
    near = get_close_matches(name.lower().replace("-", "_"), plain, n=1, cutoff=likeness)
    return plain[near[0]] if near else None


def _complaint(error: ErrorDetails, model: type[BaseModel], data: dict[str, Any]) -> _Complaint:
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


def _kind(error: ErrorDetails, keys: Keys, model: type[BaseModel]) -> str:
    """Say what would be right."""
    if error["type"] == "string_pattern_mismatch":
        return f"a text like {_around(keys, model).model_fields[str(keys[-1])].examples[0]}"
    return _KINDS.get(error["type"], error["msg"].removeprefix("Input should be "))


def _keys(location: tuple[int | str, ...], data: dict[str, Any]) -> Keys:
    """Keep what are keys in the file; pydantic puts what kind it tried between and behind them."""
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
        key = f"{tables.pop()}, no. {key}"
    return f"[{'.'.join(map(str, tables))}] {key}" if tables else str(key)


def _shown(value: object) -> str:
    return _PASSWORD.sub(r"\1***@", json.dumps(value, ensure_ascii=False, default=str))


def _meant(keys: Keys, model: type[BaseModel]) -> str:
    """Name the key of the same table that is nearest, else such a key of another table."""
    key = str(keys[-1])
    known = list(_around(keys, model).model_fields)
    tables = {name: _table(field.annotation) for name, field in model.model_fields.items()}
    elsewhere = [
        f"{near} in [{name}]"
        for name, table in tables.items()
        if (near := _near(key, list(table.model_fields), _QUITE_NEAR))
    ]
    if elsewhere and not _near(key, known):
        return f"did you mean {' or '.join(elsewhere)}?"
    return nearest(key, known)


def _around(keys: Keys, model: type[BaseModel]) -> Any:  # noqa: ANN401 - a table that an annotation names
    """Give the table that a key stands in."""
    around: Any = model
    for table in keys[:-1]:
        if isinstance(table, str):
            around = _table(around.model_fields[table].annotation)
    return around


def _table(annotation: Any) -> Any:  # noqa: ANN401 - an annotation is of any type
    """Find the kind of table in the annotation of a key: a table, a list of tables, or either or nothing."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((found for part in get_args(annotation) if (found := _table(part))), None)


def _entry(complaint: _Complaint, known: dict[Keys, Place], file: Written) -> str:
    """Write `file:line:column: message`, and below it the line up to the fault with a mark under it."""
    place = known[complaint.keys]
    is_value = complaint.value is not None and place.start != place.key
    at = place.start if is_value else place.key
    line, begin = file.text.count("\n", 0, at) + 1, file.text.rfind("\n", 0, at) + 1
    # No more than the fault itself: beside it, and behind a key that is not known, a password may stand.
    told = is_value and _PASSWORD.search(str(complaint.value)) is None
    end = place.end if told else max(at, place.key_end)
    start = max(place.key, begin)
    excerpt = file.text[start:end].partition("\n")[0].rstrip()
    mark = " " * (at - start) + "^" * max(len(excerpt) - (at - start), 1)
    return f"{file.path}:{line}:{at - begin + 1}: {complaint}\n{_INDENT}{excerpt}\n{_INDENT}{mark}"
