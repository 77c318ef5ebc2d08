"""A build hook that keeps the wheel small: it leaves out the comments and docstrings of the package's inner modules.

The modules in `READ` keep their docstrings: people, `--help` and the list of settings show them. Lines keep their
numbers, so that a traceback from an installed wheel points at the right lines of the repository.
"""

import ast
import io
import tokenize
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

READ = (
    *("__init__.py", "api.py", "cli/", "config/", "frames.py", "notebook.py"),
    # Plugins are written with these.
    *("plugins.py", "formats/base.py", "formats/form.py", "formats/registry.py"),
    *("problems/__init__.py", "problems/code.py"),
)
"""Where docstrings of public names are kept."""


class SmallerWheel(BuildHookInterface[Any]):
    """Puts the smaller modules in place of the package's own ones."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the modules to a folder, and have the builder take them from there."""
        if version != "standard":
            return
        package = Path(self.root, "pipeline", "overtrick")
        self.folder = folder = Path(mkdtemp(prefix="overtrick-wheel-"))
        for module in sorted(package.rglob("*.py")):
            name = module.relative_to(package)
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(make_smaller(module.read_text("utf-8"), name.as_posix()), "utf-8", newline="\n")
            build_data["force_include"][str(target)] = f"overtrick/{name.as_posix()}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Delete the folder."""
        del build_data, artifact_path
        if version == "standard":
            rmtree(self.folder)


def make_smaller(source: str, name: str) -> str:
    """Return a module without its comments and inner docstrings, with the same line numbers."""
    read = name.startswith(READ)
    lines = source.splitlines(keepends=True)
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            lines[row - 1] = lines[row - 1][:column].rstrip() + "\n"
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and len(node.body) > 1:
            private = getattr(node, "name", "").startswith("_")
            for text in (one for one in node.body if _is_text(one) and (private or not read)):
                lines[text.lineno - 1 : text.end_lineno] = ["\n"] * ((text.end_lineno or text.lineno) - text.lineno + 1)
    smaller = "".join(lines)
    if _statements(smaller) != _statements(source):
        raise ValueError(f"{name}: the smaller module does something else")
    return smaller


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _statements(source: str) -> str:
    """Return what a module does, with the lines of each statement but without docstrings."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            node.body = [one for one in node.body if not _is_text(one)]
        # A class can end with the docstring of an attribute.
        if hasattr(node, "end_lineno"):
            node.end_lineno = node.end_col_offset = None
    return ast.dump(tree, include_attributes=True)
