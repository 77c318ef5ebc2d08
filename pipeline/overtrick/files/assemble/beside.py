"""Which settings and corrections belong to the files that are read: those beside them."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from overtrick.core.config.file import SETTINGS_FILE, ConfigError
from overtrick.core.problems import Finding
from overtrick.files.formats.looks import find_format, list_files, walk
from overtrick.files.formats.text import STDIN

if TYPE_CHECKING:
    from overtrick.core.config.corrections import Corrections

SUFFIX: Final = ".corrections.toml"
"""The end of the name of a corrections file. The part before it is the name of the evening's files."""


class Found(NamedTuple):
    """A corrections file and what it is about.

    Attributes:
        corrections: the file as it was read.
        sources: the files that it was found beside, as the frames name them; None if it is about the whole session.
    """

    corrections: "Corrections"
    sources: frozenset[str] | None = None


def find_settings(paths: Iterable[str | Path], named: Path | None = None) -> Path | None:
    """Return the settings of files: those that are named, else those of OVERTRICK_CONFIG, else `club.toml` near them.

    `club.toml` is beside the files or in a folder above them. The search ends at the home folder and at the edge of a
    file system. For standard input it begins in the working folder.

    Raises:
        ConfigError: the files are under two settings files, or theirs belongs to another user.
    """
    if stated := named or os.environ.get("OVERTRICK_CONFIG"):
        return Path(stated)
    folders = dict.fromkeys(folder for path in paths for folder in _list_folders(Path("." if path == STDIN else path)))
    found = list(dict.fromkeys(file for folder in folders if (file := _find_above(folder.resolve()))))
    if len(found) > 1:
        raise ConfigError(
            f"the files are under two settings files, {found[0]} and {found[1]}; name one of them with --config"
        )
    return found[0] if found else None


def _list_folders(path: Path) -> list[Path]:
    """Return the folders of the files at a path."""
    if not path.is_dir():
        return [path.parent]
    return sorted({file.parent for file in walk(path)[0] if find_format(file.suffix)}) or [path]


def _find_above(folder: Path) -> Path | None:
    """Return the settings file in a folder or in the nearest one above it; others may have put one further up."""
    for place in (folder, *folder.parents):
        file = place / SETTINGS_FILE
        if file.is_file():
            if hasattr(os, "geteuid") and file.stat().st_uid != os.geteuid():
                raise ConfigError(f"{file}: these settings belong to another user; name them with --config to use them")
            return file
        if place == Path(os.path.expanduser("~")).resolve() or os.path.ismount(place):  # noqa: PTH111 - without a home it raises nothing
            break
    return None


def is_corrections(path: str | Path) -> bool:
    """Return whether a path is that of a corrections file."""
    return str(path).lower().endswith(SUFFIX)


def corrections_path(path: Path) -> Path:
    """Return the path of the corrections file of a file or of a folder, whether or not it exists.

    That of `tuesday.pbn` is `tuesday.corrections.toml` in the same folder. That of a folder `tuesday` is
    `tuesday/tuesday.corrections.toml`, or the only corrections file in the folder if there is one.
    """
    if is_corrections(path):
        return path
    if not path.is_dir():
        return path.with_name(path.stem + SUFFIX)
    there = sorted(file for file in path.iterdir() if _is_visible(file.name))
    return there[0] if len(there) == 1 else path / (path.resolve().name + SUFFIX)


def list_inputs(paths: Sequence[str]) -> list[str]:
    """Return the paths without corrections files; a corrections file given alone stands for the files of its name."""
    read = [path for path in paths if not is_corrections(path)]
    if read or not paths:
        return read
    named = [str(file) for path in paths for file in files_named_like(Path(path))]
    return list(dict.fromkeys(named)) or list(paths)


def evening_paths(evening: Path) -> list[str]:
    """Return what to read for an evening that is named by one of its files or its folder.

    In a folder these are the files beside one another; those in folders below it, such as earlier versions, only if
    the folder has none itself.
    """
    if is_corrections(evening):
        return list_inputs([str(evening)])
    if not evening.is_dir():
        return [str(evening)]
    there = [str(file) for file in list_evening(evening)]
    walked = [file for file in list_files(str(evening)) if file in there]
    return walked or there or [str(evening)]


def find_for_evening(evening: Path, paths: Sequence[str]) -> list[Found]:
    """Read the corrections files of an evening: those in its folder if it is a folder, else those beside its files.

    Args:
        evening: the file or folder.
        paths: its `evening_paths`.
    """
    if not evening.is_dir() or list(paths) == [str(evening)]:
        return find_corrections(paths)
    named = sorted(file for file in evening.iterdir() if _is_visible(file.name))
    read = [Path(path) for path in paths]
    return [read_corrections(file, _in_folder(file, read, evening)) for file in named]


def with_changed(found: Iterable[Found], changed: "Corrections", paths: Iterable[str]) -> list[Found]:
    """Return corrections files with one of them changed, or added, as `find_corrections` would find it."""
    others = [file for file in found if file.corrections.source != changed.source]
    sources = {show_path(path) for path in paths if show_path(corrections_path(Path(path))) == changed.source}
    return sorted([*others, Found(changed, frozenset(sources) or None)], key=lambda file: file.corrections.source)


def find_among(files: Sequence[Path]) -> tuple[list[str], list[Found]]:
    """Part the files of one session, wherever they are, into those to read and corrections files, which are read.

    Corrections are about the files of their name, or if there are none about all of them.
    """
    named = [file for file in files if is_corrections(file)]
    read = [file for file in files if not is_corrections(file)]
    about = {file: [path for path in read if path.stem + SUFFIX == file.name] for file in named}
    found = [read_corrections(file, set(map(show_path, paths)) or None) for file, paths in about.items()]
    return list(map(str, read)), found


def describe_left_out(found: Found) -> Finding:
    """Report that corrections can't be applied because the files are read in parts."""
    names = ", ".join(sorted(found.sources)) if found.sources else "the session"
    return Finding("correction-left-out", 1, 1, values={"source_file": names})


def list_evening(evening: Path) -> list[Path]:
    """Return all files of an evening: those in its folder, or those beside a file that share its name."""
    if not evening.is_dir():
        return files_named_like(evening)
    return sorted(
        file
        for file in evening.iterdir()
        if find_format(file.suffix) and file.is_file() and not file.name.startswith(".")
    )


def files_named_like(path: Path) -> list[Path]:
    """Return the files in the folder of a file that share its name: `tuesday.pbn` and `tuesday.csv`."""
    stem = path.name[: -len(SUFFIX)] if is_corrections(path) else path.stem
    return sorted(
        file
        for file in path.parent.iterdir()
        if file.stem == stem and find_format(file.suffix) and not is_corrections(file) and file.is_file()
    )


def find_corrections(paths: Iterable[str]) -> list[Found]:
    """Read the corrections files beside files and in folders, in the order of their names.

    A file's corrections are in a file of its name beside it. Those in a folder that is read are about the files of
    their name, or if there are none about all files in their own folder.

    Args:
        paths: as for `assemble.read`; corrections files among them belong to the whole session if they are beside none
            of the others.
    """
    about: dict[Path, set[str] | None] = {}
    given = list(paths)
    for path in given:
        if path != STDIN and not is_corrections(path):
            for file, sources in _found_at(Path(path)):
                before = about.setdefault(file, set())
                about[file] = None if before is None or sources is None else before | sources
    for path in given:
        if is_corrections(path):
            about.setdefault(Path(path), None)
    return [read_corrections(file, sources) for file, sources in sorted(about.items())]


def read_corrections(file: Path, sources: Iterable[str] | None = None) -> Found:
    """Read a corrections file that is about these files, or about the whole session."""
    from overtrick.core.config.corrections import load_corrections  # noqa: PLC0415 - it brings pydantic

    return Found(load_corrections(file, show_path(file)), None if sources is None else frozenset(sources))


def show_path(path: Path | str) -> str:
    """Return the name of a file as the frames have it: a file name need not be Unicode, and a frame's text must be."""
    return str(path).encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _found_at(path: Path) -> list[tuple[Path, set[str] | None]]:
    if not path.is_dir():
        file = corrections_path(path)
        return [(file, {show_path(path)})] if file.is_file() else []
    named = sorted(file for file in walk(path)[0] if _is_visible(file.name))
    if not named:
        return []
    read = [Path(file) for file in list_files(str(path))]
    about = [(file, _in_folder(file, read, path)) for file in named]
    return [(file, sources) for file, sources in about if sources != set()]


def _in_folder(file: Path, read: list[Path], top: Path) -> set[str] | None:
    """Return the files that a corrections file in a folder is about: of its name, else all in its folder."""
    named = {show_path(path) for path in read if path.parent == file.parent and corrections_path(path) == file}
    if named or file.parent == top:
        return named or None
    return {show_path(path) for path in read if file.parent in path.parents}


def _is_visible(name: str) -> bool:
    return is_corrections(name) and not name.startswith(".")
