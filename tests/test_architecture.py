"""The shape of the house: who may know whom, and how large a piece may be."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import overtrick

PACKAGE = Path(overtrick.__file__).parent
FILES = sorted(PACKAGE.rglob("*.py"))

GROUND = {
    "bridge",
    "cores",
    "config",
    "decisions",
    "config_site",
    "evenings",
    "frames",
    "grammar",
    "inheritance",
    "order",
    "problems",
    "replays",
    "resources",
    "stated",
    "totals",
}
STAGES = {"analyse", "parse", "validate", "score", "rank", "render"}
KNOWS = {
    "__init__": set(),
    "inheritance": set(),
    "bridge": set(),
    "grammar": {"resources"},
    "cores": set(),
    "order": set(),
    "replays": {"bridge", "cores", "frames"},
    "resources": set(),
    "stated": set(),
    "totals": set(),
    "frames": {"bridge"},
    "problems": {"frames"},
    "config": {"bridge", "config_site", "decisions", "problems"},
    "config_site": set(),
    "decisions": {"bridge"},
    "evenings": {"config", "frames", "problems"},
    **dict.fromkeys(STAGES, GROUND),
    "render": GROUND | {"__init__"},
    "audit": GROUND | {"score", "rank"},
    "pipeline": GROUND | STAGES | {"audit"},
    "archive": GROUND | {"parse", "validate", "score"},
    "publish": set(),
    "inbox": GROUND | {"parse", "pipeline", "publish", "render"},
    "cli": GROUND | {"__init__", "archive", "inbox", "pipeline", "publish", "render"},
}
"""By layer, the layers it may import besides itself."""


def layer(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported(path: Path) -> Iterator[str]:
    """Name the layers of the package that a file imports, inside functions too."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import hides its layer"
            module = node.module or ""
            names = [f"{module}.{alias.name}" for alias in node.names] if module == "overtrick" else [module]
        for name in names:
            if name.split(".")[0] == "overtrick":
                part = name.removeprefix("overtrick").lstrip(".").split(".")[0]
                yield part if (PACKAGE / part).is_dir() or (PACKAGE / f"{part}.py").exists() else "__init__"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_a_layer_imports_only_the_layers_below_it(path: Path) -> None:
    assert set() == set(imported(path)) - {layer(path)} - KNOWS[layer(path)]


def test_every_layer_has_its_place() -> None:
    assert {layer(path) for path in FILES} == set(KNOWS)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_a_file_stays_under_500_lines_and_a_function_under_60(path: Path) -> None:
    text = path.read_text("utf-8")
    functions = [n for n in ast.walk(ast.parse(text)) if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef))]
    assert 500 > len(text.splitlines())
    assert [] == [n.name for n in functions if (n.end_lineno or n.lineno) - n.lineno >= 60]
