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

LAYERS = (
    ("__init__",),
    ("machine", "plugins", "late"),
    ("bridge",),
    ("notebook",),
    ("frames", "grammar"),
    ("notation",),
    ("problems",),
    ("config",),
    ("formats",),
    ("assemble",),
    ("correct",),
    ("validate",),
    ("mend",),
    ("score",),
    ("rank",),
    ("analyse",),
    ("people",),
    ("render",),
    ("publish", "archive"),
    ("deliver",),
    ("pipeline", "conversion"),
    ("api",),
    ("inbox", "lsp"),
    ("evening",),
    ("desk",),
    ("cli",),
)
"""From the ground up. A module may import from the layers below its own and from its own, never from one above."""
FLOOR = {name: floor for floor, names in enumerate(LAYERS) for name in names}


def layer(module: str) -> str:
    return module.removeprefix("overtrick").lstrip(".").split(".")[0] or "__init__"


def module_name(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts).removesuffix(".__init__")


MODULES = {module_name(path): path for path in FILES}


@cache
def imports(module: str) -> frozenset[str]:
    """Name the modules of the package that a module imports, also inside functions and for type checking only."""
    return frozenset(_imports(ast.parse(MODULES[module].read_text("utf-8"))))


def _imports(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in MODULES)
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, "a relative import hides its layer"
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                if full in MODULES or node.module in MODULES:
                    yield full if full in MODULES else str(node.module)


@pytest.mark.parametrize("module", MODULES)
def test_a_module_imports_only_from_the_layers_below_it(module: str) -> None:
    own = FLOOR[layer(module)]
    above = {name for name in imports(module) if FLOOR[layer(name)] > own}
    beside = {name for name in imports(module) if FLOOR[layer(name)] == own and layer(name) != layer(module)}
    assert set() == above | beside


def test_every_layer_has_its_place() -> None:
    assert set(FLOOR) == {layer(module) for module in MODULES}


@pytest.mark.parametrize("path", [*FILES, *GRAMMARS], ids=lambda path: path.name)
def test_numbers_are_read_in_the_digits_0_to_9_alone(path: Path) -> None:
    r"""`\d` and `isdecimal` know the digits of every script, and what reads the number then may not."""
    if path.name != "notation.py":
        assert [] == re.findall(r"\\+[dD]\b|\.is(?:decimal|digit|numeric)\(", path.read_text("utf-8"))


def test_rows_are_replaced_without_scatter() -> None:
    """`formats.base.put_in` says what goes wrong with it."""
    assert [] == [path.name for path in FILES if ".scatter(" in path.read_text("utf-8")]


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
