"""`docs/settings.md` lists the settings of the package.

`OVERTRICK_UPDATE_GOLDEN=1` writes the page again.
"""

import datetime as dt
import inspect
import json
import re
from collections.abc import Iterator
from types import NoneType
from typing import Annotated, Any, Literal, get_args, get_origin

from pydantic.fields import FieldInfo

from overtrick.core.config import Config
from overtrick.core.config.file import Table
from overtrick.core.config.scoring import OF_ONE_EVENING, OfContestant, Scoring
from overtrick.core.config.site import Site, list_languages
from tests.support.commands import ROOT
from tests.support.golden import assert_as_before

LIST = ROOT / "docs" / "settings.md"

INTRODUCTION = """# Settings

All keys of `club.toml`, table by table.
`overtrick init` writes a file to start from; the [guide](guide.md#settings) shows a longer one.
`overtrick config schema` prints a JSON Schema, with which editors complete and check the file.
Every command uses the file that `--config` names, before or after the command,
else that of the environment variable `OVERTRICK_CONFIG`,
else `club.toml` beside the files or in the nearest folder above them.
The search ends at your home folder and at the edge of the file system.
The command writes the path of the settings to standard error; `--no-config` uses none.
It refuses settings of another user, and files under two different `club.toml`, unless you name the settings.
`overtrick config check club.toml` lists the errors in your own.
"""

KINDS = {str: "text", int: "a whole number", float: "a number", bool: "true or false", dt.date: "a date"}


def parts(kind: Any) -> Iterator[Any]:
    """List the types of a value, without annotations and without None."""
    if get_origin(kind) is Annotated:
        yield from parts(get_args(kind)[0])
    elif get_origin(kind) in {None, Literal, list, dict}:
        yield from [kind] if kind is not NoneType else []
    else:
        for part in get_args(kind):
            yield from parts(part)


def tables_in(kind: Any) -> Iterator[tuple[type[Table], bool]]:
    """List the tables in a type, and whether the type is a list of them."""
    for part in parts(kind):
        if get_origin(part) is list:
            yield from ((table, True) for table, _ in tables_in(get_args(part)[0]))
        elif isinstance(part, type) and issubclass(part, Table):
            yield part, False


def values(kind: Any) -> list[str]:
    """List the kinds of value, in plain words."""
    named: list[str] = []
    for part in parts(kind):
        if get_origin(part) is Literal:
            named += map(json.dumps, get_args(part))
        elif get_origin(part) is list:
            each = " or ".join(values(get_args(part)[0])).removeprefix("a ").replace("text", "text value")
            many = each.replace("list", "lists") if "list" in each else f"{each}s"
            named.append(f"a list with any of {each.replace(' or ', ', ')}" if each[-1] == '"' else f"a list of {many}")
        elif get_origin(part) is dict:
            named += values(get_args(part)[1])
        elif part in KINDS:
            named.append(KINDS[part])
    return [one for one in dict.fromkeys(named) if (one, "a number" in named) != (KINDS[int], True)]


def value(field: FieldInfo) -> str:
    """Describe the value of a key, with its limits and its default."""
    words = {"gt": "more than", "ge": "at least", "le": "at most"}
    limits = [
        f"{words[name]} {getattr(rule, name):,}" for rule in field.metadata for name in words if hasattr(rule, name)
    ]
    named = ", ".join([*values(field.annotation), *limits])
    if field.is_required():
        return f"{named}; required"
    default = field.get_default(call_default_factory=True)
    return named if default in (None, [], {}) else f"{named}; default {json.dumps(default)}"


def described(table: type[Table]) -> tuple[str, dict[str, str]]:
    """Return the description of a table and of its keys; entries about contestants share some of these."""
    text, _, keys = inspect.cleandoc(table.__doc__ or "").partition("\nAttributes:\n")
    found = re.findall(r"^    (\w+): (.*(?:\n(?:     .*)?)*)", keys, re.MULTILINE)
    above = described(OfContestant)[1] if issubclass(table, OfContestant) and table is not OfContestant else {}
    return re.sub(r"^`[^`]*`: ", "", text).strip(), {**above, **{key: inspect.cleandoc(said) for key, said in found}}


def section(heading: str, name: str, table: type[Table]) -> Iterator[str]:
    about, keys = described(table)
    yield f"## {heading}\n\n{about[:1].upper()}{about[1:]}\n"
    left_out = OF_ONE_EVENING if table is Scoring else ()
    fields = {key: field for key, field in table.model_fields.items() if key not in left_out}
    for key, field in fields.items():
        inside = list(tables_in(field.annotation))
        said = keys.get(key, "").replace("\n", "\n  ")
        own = "" if inside else value(field)
        if (table, key) == (Site, "language"):
            own = own.replace("text", ", ".join(map(json.dumps, list_languages())))
        yield f"- `{key}`: " + "  \n  ".join(filter(None, (said, own and f"*{own}*")))
    yield ""
    for key, field in fields.items():
        for inner, listed in tables_in(field.annotation):
            yield from section(f"`[[{name}.{key}]]`" if listed else f"`[{name}.{key}]`", f"{name}.{key}", inner)


def lines() -> Iterator[str]:
    yield INTRODUCTION
    for name, field in Config.model_fields.items():
        for table, listed in tables_in(field.annotation):
            # A single movement needs no list.
            heading = f"`[[{name}]]`" if listed and name != "movement" else f"`[{name}]`"
            yield from section(heading, name, table)


def test_the_list_of_settings_is_complete() -> None:
    listed = "\n".join(lines()).rstrip() + "\n"
    assert_as_before(LIST, listed)
