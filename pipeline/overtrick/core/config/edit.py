"""Keys of `club.toml` as fields of a form, and the text of the file with other values; comments in it stay."""

import inspect
import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import NoneType
from typing import Annotated, Any, Final, Literal, TypeGuard, get_args, get_origin

import tomlkit
from tomlkit.exceptions import TOMLKitError

from overtrick.core.config import Config
from overtrick.core.config.file import ConfigError, Table
from overtrick.core.config.site import Site, list_languages

_KEYS: Final = re.compile(r"^    (\w+): (.*(?:\n(?:     .*)?)*)", re.MULTILINE)

Kind = Literal["choice", "number", "text", "toml"]


@dataclass(frozen=True)
class SettingField:
    """A key of `club.toml`.

    Attributes:
        table: the table that has it.
        key: its name.
        about: what it means.
        kind: a choice of a few values, a number, a text, or anything else, written as TOML.
        choices: the values to choose from; of a list in TOML those that it may hold.
        value: its value in the file, as a person types it; empty if the file does not set it.
        default: what counts otherwise; empty for nothing.
    """

    table: str
    key: str
    about: str
    kind: Kind
    choices: tuple[str, ...]
    value: str
    default: str

    @property
    def place(self) -> str:
        """Its table and its name: `site.logo`."""
        return f"{self.table}.{self.key}"


def list_fields(data: Mapping[str, Any]) -> Iterator[tuple[str, str, list[SettingField]]]:
    """Yield each table of `club.toml` with what it is about and its keys; not lists of tables, which are text.

    Args:
        data: the tables of the file.
    """
    for name, setting in Config.model_fields.items():
        table = setting.annotation
        if _is_table(table):
            about, keys = _describe(table)
            found = data.get(name)
            values = found if isinstance(found, dict) else {}
            yield name, about, [field for key in table.model_fields for field in _field(name, table, key, keys, values)]


def set_values(text: str, given: Mapping[tuple[str, str], str]) -> str:
    """Return the text of a `club.toml` with other values; a key with an empty value is taken out.

    Args:
        text: the text of the file; empty without one.
        given: values as a person types them, by table and key.

    Raises:
        ConfigError: the text is not TOML, or a value is not one. `config.parse_config` checks the rest.
    """
    try:
        document = tomlkit.parse(text)
    except TOMLKitError as error:
        raise ConfigError(f"club.toml: not a TOML file: {error}") from error
    known = {(field.table, field.key): field for _, _, fields in list_fields(document.unwrap()) for field in fields}
    for place, value in given.items():
        if place in known and value.strip() != known[place].value:
            _set(document, known[place], value.strip())
    return tomlkit.dumps(document)


def _set(document: Any, field: SettingField, value: str) -> None:  # noqa: ANN401 - a document of tomlkit
    if field.table not in document:
        if not value:
            return
        if document.as_string().strip():
            document.add(tomlkit.nl())
        document.add(field.table, tomlkit.table())
    table = document[field.table]
    if value:
        table[field.key] = _read(field, value)
    elif field.key in table:
        table.remove(field.key)


def _read(field: SettingField, value: str) -> object:
    """Return a value as a person types it."""
    if field.kind == "text" or (field.kind == "choice" and value not in {"true", "false"}):
        return value
    try:
        return tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        expected = "a number" if field.kind == "number" else 'TOML, such as ["a", "b"] or { a = "b" }'
        raise ConfigError(f"[{field.table}] {field.key} = {value}: expected {expected}") from None


def _field(
    name: str, table: type[Table], key: str, keys: Mapping[str, str], values: Mapping[str, Any]
) -> Iterator[SettingField]:
    field = table.model_fields[key]
    types = list(_types(field.annotation))
    if any(map(_is_table, types)):
        return
    kind, choices = _kind(types)
    if (table, key) == (Site, "language"):
        kind, choices = "choice", tuple(list_languages())
    default = None if field.is_required() else field.get_default(call_default_factory=True)
    shown = "" if default in (None, [], {}) else _shown(default, kind)
    yield SettingField(name, key, keys.get(key, ""), kind, choices, _shown(values.get(key), kind), shown)


def _shown(value: object, kind: Kind) -> str:
    if value is None:
        return ""
    if isinstance(value, str) and kind != "toml":
        return value
    if isinstance(value, list):
        return tomlkit.item(value, _sort_keys=False).as_string()
    if isinstance(value, dict):
        table = tomlkit.inline_table()
        table.update(value)
        return table.as_string()
    return json.dumps(value, ensure_ascii=False)


def _kind(types: Sequence[Any]) -> tuple[Kind, tuple[str, ...]]:
    """Return the kind of a field whose value has one of these types, and its choices; of a list those of each value."""
    if types == [bool]:
        return "choice", ("true", "false")
    of_each = [get_args(kind)[0] if get_origin(kind) is list else kind for kind in types]
    is_chosen = all(get_origin(kind) is Literal for kind in of_each)
    choices = tuple(str(value) for kind in of_each for value in get_args(kind)) if is_chosen else ()
    if choices and of_each == types:
        return "choice", choices
    if {*types} <= {int, float}:
        return "number", ()
    return ("text" if types == [str] else "toml"), choices


def _is_table(kind: object) -> TypeGuard[type[Table]]:
    return isinstance(kind, type) and issubclass(kind, Table)


def _types(annotation: object) -> Iterator[Any]:
    """Yield the types of a value, without annotations and without None."""
    origin = get_origin(annotation)
    if origin is Annotated:
        yield from _types(get_args(annotation)[0])
    elif origin is list:
        yield annotation
        inside = [*_types(get_args(annotation)[0])]
        # A list of tables is `[[...]]`, which is edited as text; one that may hold tables is a list of its own.
        if all(map(_is_table, inside)):
            yield from inside
    elif origin is None or origin in {Literal, dict}:
        if annotation is not NoneType:
            yield annotation
    else:
        for part in get_args(annotation):
            yield from _types(part)


def _describe(table: type[Table]) -> tuple[str, dict[str, str]]:
    """Return what a table and its keys are about, from its description."""
    text, _, keys = inspect.cleandoc(table.__doc__ or "").partition("\nAttributes:\n")
    about = re.sub(r"^`[^`]*`: ", "", text).strip()
    plain = {key: " ".join(said.replace("`", "").split()) for key, said in _KEYS.findall(keys)}
    return f"{about[:1].upper()}{about[1:]}".replace("`", "").partition("\n\n")[0], plain
