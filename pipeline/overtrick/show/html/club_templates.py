"""The club's own templates: run in a sandbox, checked before they are used, with errors that give file and line."""

import hashlib
import traceback
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from jinja2 import Environment, TemplateError, TemplateNotFound, TemplateSyntaxError, meta, nodes
from jinja2.bccache import Bucket, BytecodeCache, FileSystemBytecodeCache

from overtrick.core.atomic_write import OutputError
from overtrick.core.config.site import Site
from overtrick.core.machine import cache_folder
from overtrick.core.near import ask_near
from overtrick.core.version import __version__

_PAPERS: Final = {
    "day": ("#fdfdfb", "#f5f4ef", "#fdf0c4", "#e3f5e6", "#fbe7e5"),
    "night": ("#121212", "#1b1a19", "#3d330f", "#15301d", "#3a1a18"),
}
"""Grounds of texts in `templates/html/tokens.css`, by day and by night."""
_READABLE: Final = 4.5
"""Least contrast of a text with its ground (WCAG 2.2, 1.4.3)."""
_STEPS: Final = 40

Colour = tuple[float, float, float]
"""Red, green and blue, 0 to 255."""


@dataclass(frozen=True)
class Look:
    """A club's changes to the look of its pages and documents."""

    templates: Path | None = None
    """Folder of its own templates."""
    logo: str = ""
    """File name of the logo in a site; it holds a hash of the content. Empty without one."""
    image: bytes = field(default=b"", repr=False)
    """The logo."""
    accent: str = ""
    """`#14532d`; empty for overtrick's own."""
    paper: str = "a4"

    @property
    def css(self) -> str:
        """The rule that sets the colours; empty without an accent."""
        if not self.accent:
            return ""
        day, night = (adjust_colour(self.accent, _PAPERS[time], lighter=time == "night") for time in _PAPERS)
        both = f"--accent: light-dark({day}, {night}); --felt: {day}; --bar: light-dark({day}, {night});"
        plain = f"--accent: {day}; --felt: {day}; --bar: {day};"
        return f":root {{ {plain} }}\n@supports (color: light-dark(#000, #fff)) {{ :root {{ {both} }} }}\n"


def open_look(site: Site) -> Look:
    """Return the look that the settings describe.

    Raises:
        OSError: the logo can't be read.
    """
    image = Path(site.logo).read_bytes() if site.logo else b""
    suffix = Path(site.logo or "").suffix.lower()
    return Look(
        templates=Path(site.templates) if site.templates else None,
        logo=f"logo.{hashlib.sha256(image).hexdigest()[:10]}{suffix}" if image else "",
        image=image,
        accent=site.accent or "",
        paper=site.paper,
    )


def adjust_colour(colour: str, grounds: tuple[str, ...], *, lighter: bool) -> str:
    """Return a colour that can be read on all grounds: the nearest to it on the way to white, or to black."""
    start, end = _parse_colour(colour), 255.0 if lighter else 0.0
    for step in range(_STEPS + 1):
        red, green, blue = (part + (end - part) * step / _STEPS for part in start)
        text = f"#{round(red):02x}{round(green):02x}{round(blue):02x}"
        if all(compute_contrast(text, ground) >= _READABLE for ground in grounds):
            return text
    return "#ffffff" if lighter else "#000000"


def compute_contrast(colour: str, other: str) -> float:
    """Return the contrast of two colours by WCAG 2.2: 1 to 21."""
    low, high = sorted((_luminance(_parse_colour(colour)), _luminance(_parse_colour(other))))
    return (high + 0.05) / (low + 0.05)


def _parse_colour(colour: str) -> Colour:
    red, green, blue = (int(colour[place : place + 2], 16) for place in (1, 3, 5))
    return red, green, blue


def _luminance(colour: Colour) -> float:
    red, green, blue = (part / 3294.6 if part <= 10 else ((part / 255 + 0.055) / 1.055) ** 2.4 for part in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


class _CompiledTemplates(FileSystemBytecodeCache):
    """Compiled templates in a folder, which may be full, and whose files may be damaged."""

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep a compiled template if there is a place for it."""
        with suppress(OSError):
            super().dump_bytecode(bucket)

    def load_bytecode(self, bucket: Bucket) -> None:
        """Load a compiled template; one that can't be read is compiled again."""
        try:
            super().load_bytecode(bucket)
        except Exception:  # noqa: BLE001 - a damaged file may raise anything
            bucket.reset()


def keep_compiled(kind: str, code: str) -> BytecodeCache | None:
    """Return where an environment keeps its compiled templates; None if there can't be a folder for them.

    Jinja computes filters of constants when it compiles, so what is kept depends on the language and on the release.

    Args:
        kind: the environment; each kind has options of its own.
        code: the language.
    """
    folder = cache_folder() / "templates"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError:
        return None
    return _CompiledTemplates(str(folder), f"{kind}-{code}-{__version__}-%s.cache")


OURS: Final = "ours/"
"""In a club's template, the prefix of overtrick's own."""

_KINDS: Final = (".html", ".xml", ".css", ".js")
_FAULTS: Final = (
    *(TemplateError, TypeError, ValueError, ArithmeticError, LookupError, AttributeError, OSError),
    *(RuntimeError, MemoryError),
)
"""The exceptions that a slip in a template may raise."""


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
    named = ((node, constant.value) for node in tree.find_all(kinds) for constant in node.find_all(nodes.Const))
    return next((node.lineno for node, value in named if value == name), 1)


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
    raise _error(path, line, reason + ask_near(name, sorted(known)))


def _error(path: Path, line: int, reason: str) -> ClubTemplateError:
    """Return an error with its place, and the line of the file below."""
    try:
        text = path.read_text("utf-8").splitlines()[line - 1].strip()
    except (OSError, ValueError, IndexError):
        text = ""
    return ClubTemplateError(f"{path}:{line}: {reason}" + (f"\n    {text}" if text else ""))
