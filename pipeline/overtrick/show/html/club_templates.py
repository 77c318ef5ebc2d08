"""The club's own templates: run in a sandbox, checked before they are used, with errors that give file and line."""

import traceback
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from typing import Final

from jinja2 import Environment, TemplateError, TemplateNotFound, TemplateSyntaxError, meta, nodes

from overtrick.core.atomic_write import OutputError

OURS: Final = "ours/"
"""In a club's template, the prefix of overtrick's own."""

_KINDS: Final = (".html", ".xml", ".css", ".js")
_FAULTS: Final = (
    *(TemplateError, TypeError, ValueError, ArithmeticError, LookupError, AttributeError, OSError),
    *(RuntimeError, MemoryError),
)
"""What a slip in a template may raise."""


class ClubTemplateError(OutputError):
    """A template of the club can't be used; the message gives its file and line."""


def check_templates(environment: Environment, folder: Path, known: AbstractSet[str]) -> None:
    """Check the templates in a club's folder: their syntax, and the names of files and blocks.

    Args:
        environment: opens the templates.
        folder: the club's.
        known: the names of overtrick's templates, which those of the club replace.

    Raises:
        ClubTemplateError: one of them has an error, replaces a template or a block that there is not, or the folder
            can't be read.
    """
    if not folder.is_dir():
        raise ClubTemplateError(f"{folder}: this is not a folder; correct `templates` in the table [site]")
    names = sorted(
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.suffix in _KINDS and path.is_file() and not path.name.startswith(".")
    )
    parsed = {name: _parse(environment, folder / name) for name in names if not name.endswith((".css", ".js"))}
    there = known | set(names) | {f"{OURS}{name}" for name in known}
    used = set()
    for name, tree in parsed.items():
        for found in meta.find_referenced_templates(tree):
            if found is not None and found not in there:
                _refuse(folder / name, _line_of(tree, found), f"there is no template {found}", found, there)
            used.add(found)
        _check_blocks(environment, folder / name, tree)
    for name in names:
        if name not in known | used and None not in used:
            _refuse(folder / name, 1, f"overtrick has no template {name}, and no template includes it", name, known)


def _parse(environment: Environment, path: Path) -> nodes.Template:
    try:
        return environment.parse(path.read_text("utf-8"), filename=str(path))
    except TemplateSyntaxError as error:
        raise _error(path, error.lineno, error.message or "syntax error") from error
    except (OSError, UnicodeDecodeError) as error:
        raise ClubTemplateError(f"{path}: can't be read: {error}") from error


def _line_of(tree: nodes.Template, name: str) -> int:
    kinds = (nodes.Extends, nodes.Include, nodes.Import, nodes.FromImport)
    return next((node.lineno for node in tree.find_all(kinds) if name in _constants(node)), 1)


def _constants(node: nodes.Node) -> set[object]:
    return {constant.value for constant in node.find_all(nodes.Const)}


def _check_blocks(environment: Environment, path: Path, tree: nodes.Template) -> None:
    """Check that the template that this one extends has its blocks. A block inside another one may be new."""
    parent = tree.find(nodes.Extends)
    if parent is None or not isinstance(parent.template, nodes.Const):
        return
    try:
        known = set(_list_blocks(environment, str(parent.template.value)))
    except TemplateError:
        # The other template has its own message.
        return
    for node in tree.body:
        if isinstance(node, nodes.Block) and node.name not in known:
            _refuse(path, node.lineno, f"{parent.template.value} has no block {node.name}", node.name, known)


def _list_blocks(environment: Environment, name: str) -> Iterator[str]:
    """Yield the blocks of a template and of those that it extends."""
    seen: set[str] = set()
    while name not in seen and environment.loader:
        seen.add(name)
        tree = environment.parse(environment.loader.get_source(environment, name)[0])
        yield from (block.name for block in tree.find_all(nodes.Block))
        parent = tree.find(nodes.Extends)
        if parent is None or not isinstance(parent.template, nodes.Const):
            return
        name = str(parent.template.value)


@contextmanager
def explain_slips(folder: Path | None) -> Iterator[None]:
    """Turn what a slip in a club's templates raises into `ClubTemplateError`; without such templates it is a bug."""
    try:
        yield
    except ClubTemplateError:
        raise
    except TemplateNotFound as error:
        if folder is None:
            raise
        raise ClubTemplateError(f"{folder}: there is no template {error.name}") from error
    except _FAULTS as error:
        place = _find_place(error, folder)
        if place is None:
            raise
        raise _error(*place, str(error) or type(error).__name__) from error


def _find_place(error: BaseException, folder: Path | None) -> tuple[Path, int] | None:
    """Return the innermost file and line of the club's templates on the way to an error."""
    if folder is None:
        return None
    if isinstance(error, TemplateSyntaxError):
        return Path(error.filename or folder), error.lineno
    frames = [(Path(frame.filename), frame.lineno or 1) for frame in traceback.extract_tb(error.__traceback__)]
    return next((place for place in reversed(frames) if place[0].is_relative_to(folder)), None)


def _refuse(path: Path, line: int, reason: str, name: str, known: AbstractSet[str]) -> None:
    near = get_close_matches(name, sorted(known), n=1)
    raise _error(path, line, f"{reason}; did you mean {near[0]}?" if near else reason)


def _error(path: Path, line: int, reason: str) -> ClubTemplateError:
    """Return an error with its place, and the line of the file below."""
    try:
        text = path.read_text("utf-8").splitlines()[line - 1].strip()
    except (OSError, ValueError, IndexError):
        text = ""
    return ClubTemplateError(f"{path}:{line}: {reason}" + (f"\n    {text}" if text else ""))
