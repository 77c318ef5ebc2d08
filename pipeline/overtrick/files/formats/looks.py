"""Words for the owner of a file that no reader knows: the kind of file that it looks like."""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from errno import ENOENT
from functools import cache
from operator import attrgetter
from pathlib import Path
from typing import Final

from overtrick.core.atomic_write import MANIFEST, RECORD
from overtrick.core.config.file import SETTINGS_FILE
from overtrick.core.config.members import MEMBERS_FILE
from overtrick.core.machine import Show, show_nothing
from overtrick.core.near import find_near
from overtrick.core.plugins import Fault, explain, find
from overtrick.core.problems import Finding
from overtrick.files.formats.base import Reading, nothing_but
from overtrick.files.formats.form import Format
from overtrick.files.formats.registry import FORMATS, PBN
from overtrick.files.formats.text import STDIN, in_utf8
from overtrick.files.formats.zips import HEAD as HEAD_OF_ZIP
from overtrick.files.formats.zips import ZipError, is_zip, read_start, walk_zip

HEAD: Final = 8192
"""The number of bytes at the start of a file that are enough to recognise its format."""


@cache
def plugin_formats() -> tuple[tuple[Format, ...], tuple[Fault, ...]]:
    """Return the formats of plugins (`overtrick.formats`), and the plugins that cannot be used.

    A plugin cannot take the name or the suffix of another format. Errors in its functions are those of one file.
    """
    found = find("overtrick.formats")
    formats: list[Format] = []
    faults = list(found.faults)
    for name, known in found.loaded:
        others = [*FORMATS, *formats]
        if not isinstance(known, Format) or (known.read is None and known.write is None):
            faults.append(Fault(f"overtrick.formats:{name}", "expected a Format that reads or writes"))
        elif any(known.name == other.name or {*known.suffixes} & {*other.suffixes} for other in others):
            faults.append(Fault(f"overtrick.formats:{name}", "another format has its name or its suffix"))
        else:
            formats.append(_guarded(known))
    return tuple(formats), tuple(faults)


def _guarded(known: Format) -> Format:
    """Return a format whose reader and recogniser never raise."""

    def recognises(head: bytes) -> bool:
        try:
            return bool(known.recognises(head))
        except Exception:  # noqa: BLE001 - whatever another package does
            return False

    def read(data: bytes) -> Reading:
        try:
            reading = known.read(data) if known.read else None
            if isinstance(reading, Reading):
                return reading
            reason = "expected a Reading"
        except Exception as error:  # noqa: BLE001 - whatever another package does
            reason = explain(error)
        values = {"format": known.title, "reason": reason}
        return nothing_but([Finding("file-plugin-failed", 1, 1, values=values)])

    return known._replace(recognises=recognises, read=read if known.read else None, read_text=None, together=None)


def all_formats() -> tuple[Format, ...]:
    """Return the formats of overtrick, then those of plugins."""
    return tuple(_each_format())


def _each_format() -> Iterator[Format]:
    """Yield the formats of overtrick, then those of plugins, which are looked for only when it comes to them."""
    yield from FORMATS
    yield from plugin_formats()[0]


def recognise(data: bytes, *, packed: bool = False) -> Format | None:
    """Return the format of a file's bytes; None for what no format recognises.

    Args:
        data: its bytes, or their beginning.
        packed: whether it is an archive: only formats whose files are archives are then tried.
    """
    head = data[:HEAD]
    if packed:
        return _first(filter(attrgetter("packed"), FORMATS), head)
    found = _first(_each_format(), head)
    plain = None if found else _plain_text(head)
    return found if plain is None else _first(FORMATS, plain)


def _first(formats: Iterable[Format], head: bytes) -> Format | None:
    return next((known for known in formats if known.recognises(head)), None)


def _plain_text(head: bytes) -> bytes | None:
    """Return the beginning of a text in UTF-8, without blank lines before it and with newlines; None if it is so."""
    text = in_utf8(head).removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    plain = text.replace(b"\x1a", b"").lstrip()
    return None if plain == head or b"\0" in plain else plain


@cache
def get_format(name: str) -> Format:
    """Return the format of this name; a name that is not listed (an archive's, none at all) counts as PBN."""
    return next((known for known in _each_format() if known.name == name), PBN)


@cache
def walked_suffixes() -> tuple[str, ...]:
    """Return the suffixes of the files that are read when a folder is given; a file given by name needs none."""
    return tuple(suffix for known in all_formats() if known.in_folders for suffix in known.suffixes)


def find_format(suffix: str) -> Format | None:
    """Return the format of files whose names end in this suffix, in capitals or not; None for a suffix of no format."""
    return next((known for known in _each_format() if suffix.lower() in known.suffixes), None)


PACKED: Final = (
    (b"PK\x03\x04", "a zip archive"),
    (b"PK\x05\x06", "an empty zip archive"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ\x00", "an xz archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (b"Rar!\x1a\x07", "a RAR archive"),
)
"""The first bytes of archives, which may hold the text of a known file unchanged."""

_INSIDE_ZIP: Final = (
    (rb"xl/(?:workbook|worksheets|_rels|styles|theme|sharedStrings)", "an Excel workbook"),
    (rb"word/(?:document|_rels|styles)", "a Word document"),
    (rb"mimetypeapplication/vnd\.oasis\.opendocument\.spreadsheet", "an OpenDocument spreadsheet"),
    (rb"mimetypeapplication/vnd\.oasis\.opendocument\.text", "an OpenDocument text"),
)

_BINARY: Final = (
    (b"%PDF-", "a PDF document"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an Excel or Word file of the old kind"),
    (b"SQLite format 3\x00", "an SQLite database"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"GIF8", "a picture"),
    (b"MZ", "a program"),
    (b"{\\rtf", "a formatted text (RTF)"),
)

_TEXT: Final = (
    (r"<(?:!doctype\s+html|html|head|body)\b", "a web page"),
    (r"(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*|<!DOCTYPE[^>]*>\s*)*<(?P<root>[A-Za-z_][\w.:-]*)[\s/>]", "an XML file"),
    (r"[{\[]\s*(?:[\"{\[0-9]|\Z)", "a JSON file"),
    (r"[^\n]*\bACBLscore\b", "a report of ACBLscore"),
    (r"(?:From|Received|Return-Path|MIME-Version|Delivered-To): ", "an email"),
)

_SHOWN: Final = 60
_LEAST_COLUMNS: Final = 3
_LONGEST_WORDS: Final = 200


def is_packed(head: bytes) -> bool:
    """Return whether a file is an archive, by its first bytes."""
    return any(head.startswith(mark) for mark, _ in PACKED)


def is_of_other_program(head: bytes) -> bool:
    """Return whether a file is of a known kind that no reader reads, by its first bytes."""
    return any(head.startswith(mark) for mark, _ in _BINARY)


def looks_like(head: bytes) -> str | None:
    """Return what a file looks like by its first bytes: `a zip archive`, `plain text that begins "Pair 1"`.

    None for bytes that are neither text nor of a known kind.
    """
    for mark, words in PACKED:
        if head.startswith(mark):
            inside = (known for pattern, known in _INSIDE_ZIP if re.search(pattern, head))
            return next(inside, words) if mark.startswith(b"PK") else words
    for mark, words in _BINARY:
        if head.startswith(mark):
            return words
    text = _text(head)
    return None if text is None else _looks_like_text(text)


def _text(head: bytes) -> str | None:
    """Return the beginning of a text without blanks before it; None for what is not a text."""
    encoding = "utf-16" if head.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    text = head[:8192].decode(encoding, "replace")
    odd = sum(not char.isprintable() and not char.isspace() for char in text)
    return None if 20 * odd > len(text) else text.lstrip()


def _looks_like_text(text: str) -> str:
    for pattern, words in _TEXT:
        found = re.match(pattern, text, re.IGNORECASE | re.DOTALL)
        if found and "root" in found.groupdict():
            return f"{words} with the root element <{found['root'][:_SHOWN]}>"
        if found:
            return words
    first = text.partition("\n")[0].strip()
    for separator in ("\t", ";", ","):
        if first.count(separator) + 1 >= _LEAST_COLUMNS and len(first) < _LONGEST_WORDS:
            return "a table without the columns board, ns and ew"
    shown = " ".join("".join(char if char.isprintable() else " " for char in first).split())
    return f'plain text that begins "{shown[:_SHOWN]}"' if shown else "an empty text"


LOOK: Final = 1 << 18
"""The number of bytes at the start of a file that show whether it holds an evening; a page may begin with much else."""
_LINKED: Final = re.compile(rb"[?&;]lin=|hv_popuplin|(?:\||%7C)md(?:\||%7C)", re.IGNORECASE)
_PAGES: Final = frozenset({".html", ".htm"})
"""The suffixes of web pages: those of an evening are known by their first bytes."""
DELIVERED: Final = ".delivered"
"""The end of the name of a folder with what was delivered of an evening: nothing in it is an input."""
_NO_EVENINGS: Final = frozenset({"earlier", "rejected", SETTINGS_FILE, MEMBERS_FILE})
"""Names of files that are not evenings, and of the folders of an inbox or the desk with files that count no more."""
_MADE: Final = frozenset({MANIFEST, RECORD, "_delta_log"})
"""What a website, a season, and a table of an archive hold: overtrick made these folders."""
_KILOBYTES: Final = 10_000_000
"""Bytes that are counted in kilobytes; more are counted in megabytes."""


def list_files(path: str) -> list[str]:
    """Return the files of a path: of a folder, or of a zip, as `evening.zip/results.csv`.

    A folder or a zip that cannot be opened, or holds no file that is read, is returned itself.
    """
    if path == STDIN or not (Path(path).is_dir() or is_zip_file(Path(path))):
        return [path]
    try:
        files, closed = walk(path)
    except ZipError:
        # What can't be unpacked is reported when it is read.
        return [path]
    return sorted(map(str, [*choose_read(files), *closed])) or [path]


def is_zip_file(path: Path) -> bool:
    """Return whether there is a zip of files at a path; workbooks and documents are none."""
    # What is read of a pipe is gone.
    if not path.is_file():
        return False
    try:
        with path.open("rb") as file:
            head = file.read(HEAD_OF_ZIP)
    except OSError:
        return False
    return is_packed(head) and is_zip(head)


def choose_read(files: Iterable[Path]) -> list[Path]:
    """Return which files of a folder are read.

    A table of results is, as each result counts once, and so is a saved page; other tables, such as rankings, are not,
    unless there is nothing else.
    """
    there = [file for file in files if may_be_file(file)]
    known = walked_suffixes()
    read = [file for file in there if file.suffix.lower() in known or is_evening(file)]
    return read or [file for file in there if find_format(file.suffix)]


def may_be_file(file: Path) -> bool:
    """Return whether a path is of a file. A lost file and a link to nothing are reported when they are read."""
    return file.is_file() or not file.exists()


def is_evening(file: Path) -> bool:
    """Return whether a file whose name alone does not say what it holds has an evening in it."""
    if not is_told_by_content(file.name) or not may_be_file(file):
        return False
    try:
        return holds_evening(file.name, read_start(file, LOOK))
    except OSError:
        return True


def is_told_by_content(name: str) -> bool:
    """Return whether the name of a file is that of tables or web pages, of which only those of results are read."""
    named = find_format(Path(name).suffix)
    return Path(name).suffix.lower() in _PAGES if named is None else not named.in_folders


def holds_evening(name: str, head: bytes) -> bool:
    """Return whether a file that is told by its content, and begins so, is a table or a saved page of results."""
    named = find_format(Path(name).suffix)
    if named is None:
        return _is_page_of_results(head)
    return not named.in_folders and named.recognises(head[:HEAD])


def _is_page_of_results(head: bytes) -> bool:
    """Return whether a page begins as those of a reader; of other pages with links, few hold deals."""
    known = recognise(head)
    return known is not None and (not known.suffixes or _LINKED.search(head) is not None)


def list_each_file_once(paths: Iterable[str]) -> list[str]:
    """Return the files of paths (`list_files`), each once, whatever paths lead to it, in the order of their full names.

    The order in which somebody names them says nothing: in any order they are the same evening.
    """
    found: dict[str, str] = {}
    for path in paths:
        for file in list_files(path):
            found.setdefault(file if file == STDIN else os.path.realpath(file), file)
    return [found[name] for name in sorted(found)]


def walk(folder: str | Path) -> tuple[list[Path], list[Path]]:
    """Walk a folder, or a zip as the folder that it holds.

    Returns:
        The files below it that evenings may need, and the folders that cannot be opened.

    Raises:
        ZipError: the zip can't be unpacked.
    """
    closed: list[Path] = []
    files: list[Path] = []
    levels = os.walk(folder, onerror=lambda error: closed.append(Path(error.filename)))
    for place, folders, names in levels if Path(folder).is_dir() else walk_zip(Path(folder)):
        folders[:], inside = _of_evenings(folders, names)
        files += [Path(place, name) for name in inside]
    return files, closed


def list_places(folder: Path) -> tuple[list[Path], list[Path]]:
    """Return the files in a folder that may be of evenings, and the folders that are an evening each.

    Those of an inbox are the folders in its folder `done`.
    """
    _, folders, names = next(os.walk(folder), ("", [], []))
    inside, files = _of_evenings(folders, names)
    done = list_places(folder / "done")[1] if "done" in inside else []
    places = [folder / name for name in inside if name != "done"] + done
    return (
        sorted(file for name in files if is_input(file := folder / name)),
        sorted(place for place in places if any(map(is_input, walk(place)[0]))),
    )


def _of_evenings(folders: list[str], names: list[str]) -> tuple[list[str], list[str]]:
    """Return the folders and files that evenings may be in: none in what overtrick made, and none that is hidden."""
    if not _MADE.isdisjoint([*folders, *names]):
        return [], []
    inside, files = ([*filter(may_be_of_evening, listed)] for listed in (folders, names))
    return [name for name in inside if not name.endswith(DELIVERED)], files


def may_be_of_evening(name: str) -> bool:
    """Return whether a file or folder of a name may be of an evening: it is not hidden, and no other part of a club."""
    return not name.startswith((".", "~")) and name not in _NO_EVENINGS


def is_input(path: Path) -> bool:
    """Return whether a file is one of an evening: its name or its first bytes are those of a format."""
    if path.suffix.lower() in walked_suffixes():
        return True
    try:
        with path.open("rb") as file:
            return path.suffix.lower() != ".toml" and recognise(file.read(HEAD)) is not None
    except OSError:
        return False


def refuse_missing(paths: Iterable[str | Path]) -> None:
    """Do nothing if there is something at each path, or it is standard input.

    Raises:
        FileNotFoundError: there is nothing at one of them; the message names the file that it may be.
    """
    for path in map(Path, paths):
        if str(path) == STDIN or path.exists():
            continue
        there = [file.name for file in path.parent.iterdir()] if path.parent.is_dir() else []
        near = find_near(path.name, there)
        hint = f"; did you mean {path.parent / near}?" if near else ""
        raise FileNotFoundError(ENOENT, f"there is no such file or folder{hint}", str(path))


def choose_unit(size: int) -> tuple[int, str]:
    """Return the unit in which bytes are counted for people, if there are that many, and its name."""
    return (1000, "kB") if size < _KILOBYTES else (1_000_000, "MB")


def count_bytes(paths: Sequence[str], show: Show, words: str) -> Callable[[int], None] | None:
    """Return what counts the bytes of files that were read, and shows them; None if nobody looks on."""
    if show is show_nothing:
        return None
    files = [Path(file) for file in list_each_file_once(paths)]
    total = sum(file.stat().st_size for file in files if file.is_file())
    unit, name = choose_unit(total)
    done = 0

    def count(read: int) -> None:
        nonlocal done
        done += read
        show(f"{words} ({name})", done // unit, -(-total // unit))

    count(0)
    return count
