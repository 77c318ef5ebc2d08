"""The shape of the house: who may know whom, and how large a piece may be."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import overtrick

PACKAGE = Path(overtrick.__file__).parent
FILES = sorted(PACKAGE.rglob("*.py"))
GRAMMARS = sorted((PACKAGE.parent.parent / "grammars").glob("*.lark"))

ROOFS: dict[str, tuple[str, ...]] = {
    "core": (
        *(
            "version",
            "machine",
            "plugins",
            "near",
            "late",
            "bridge",
            "notebook",
            "frames",
            "words",
            "notation",
            "contestants",
            "problems",
            "config",
            "grammar",
        ),
        *("policies", "languages", "atomic_write"),
    ),
    "files": ("formats", "assemble", "correct", "mend"),
    "judge": ("validate", "score", "rank", "numbers", "analyse", "people", "privacy"),
    "show": ("views", "text", "history", "html", "pdf", "data", "publish"),
    "pipeline": (),
    "conversion": (),
    "apps": ("inbox", "evening", "deliver", "desk", "archive", "lsp", "cli"),
}
"""The roofs and their rooms, in the order in which a file becomes a bulletin.

A module imports from the roofs before its own, and under its own roof from the rooms before its own.
"""
APART = {("judge", "files")}
"""Roofs of which the first does not know the second, although it comes later."""
FACES = {"", "__main__", "api"}
"""The package from outside: it may import what it offers."""


def place(module: str) -> tuple[str, str]:
    """Return the roof and the room of a module; empty where there is none."""
    roof, _, rest = module.removeprefix("overtrick").lstrip(".").partition(".")
    return roof, rest.split(".")[0]


def may_import(module: str, other: str) -> bool:
    (roof, room), (other_roof, other_room) = place(module), place(other)
    if roof in FACES or other_roof == "":
        return True
    if roof != other_roof:
        order = list(ROOFS)
        return order.index(other_roof) < order.index(roof) and (roof, other_roof) not in APART
    rooms = ROOFS[roof]
    return not room or not other_room or rooms.index(other_room) <= rooms.index(room)


def module_name(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts).removesuffix(".__init__")


MODULES = {module_name(path): path for path in FILES}


@cache
def imports(module: str) -> frozenset[str]:
    """Name the modules of the package that a module imports, also inside functions and for type checking only."""
    return frozenset(_imports(module))


def _imports(module: str) -> Iterator[str]:
    path, ancestors = MODULES[module], {module, *_parents(module)}
    here = module if path.name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        for named in _named(node, here):
            found = named if named in MODULES else named.rpartition(".")[0]
            # To import a module is to import the packages that it is in.
            yield from {one for one in (found, *_parents(found)) if one in MODULES} - ancestors
            # A name of the package that it is in is another matter: that package may import it in turn.
            yield from {found} & ancestors - {module, named}


def _named(node: ast.AST, here: str) -> list[str]:
    """Return what an import names, with dots; a relative import is below the package `here`."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if not isinstance(node, ast.ImportFrom):
        return []
    base = ".".join(here.split(".")[: len(here.split(".")) - node.level + 1]) if node.level else ""
    whole = ".".join(part for part in (base, node.module) if part)
    return [f"{whole}.{alias.name}" for alias in node.names]


def _parents(module: str) -> list[str]:
    parts = module.split(".")
    return [".".join(parts[:count]) for count in range(1, len(parts))]


@pytest.mark.parametrize("module", MODULES)
def test_a_module_imports_only_from_the_roofs_and_rooms_before_its_own(module: str) -> None:
    assert [] == sorted(other for other in imports(module) if not may_import(module, other))


def test_every_roof_and_room_has_its_place() -> None:
    places = {place(module) for module in MODULES}
    assert set(ROOFS) == {roof for roof, _ in places} - FACES
    assert {(roof, room) for roof, rooms in ROOFS.items() for room in rooms} == {one for one in places if one[1]}


@pytest.mark.parametrize("path", [*FILES, *GRAMMARS], ids=lambda path: path.name)
def test_numbers_are_read_in_the_digits_0_to_9_alone(path: Path) -> None:
    r"""`\d` and `isdecimal` know the digits of every script, and what reads the number then may not."""
    if path.name != "notation.py":
        assert [] == re.findall(r"\\+[dD]\b|\.is(?:decimal|digit|numeric)\(", path.read_text("utf-8"))


def test_rows_are_replaced_without_scatter() -> None:
    """`formats.base.put_in` says what goes wrong with it."""
    assert [] == [path.name for path in FILES if ".scatter(" in path.read_text("utf-8")]


@pytest.mark.slow
def test_no_modules_import_each_other() -> None:
    """Take away modules that import nothing that is left, until none goes: what stays is in a circle."""
    left = {module: imports(module) - {module} for module in MODULES}
    while free := {module for module, needs in left.items() if not needs & left.keys()}:
        left = {module: needs for module, needs in left.items() if module not in free}
    assert {} == left


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_a_file_stays_under_500_lines_and_a_function_under_60(path: Path) -> None:
    text = path.read_text("utf-8")
    functions = [n for n in ast.walk(ast.parse(text)) if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef))]
    assert 500 > len(text.splitlines())
    assert [] == [n.name for n in functions if (n.end_lineno or n.lineno) - n.lineno >= 60]
