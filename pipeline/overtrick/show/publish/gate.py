"""The last look before anything is written, published or sent: whether it names somebody who is hidden.

`judge.privacy` takes the names out; this finds one that was overlooked. Then nothing is written.
"""

import io
import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from overtrick.core.config import Config
from overtrick.judge.people.identity import Wishes, fold_name
from overtrick.judge.privacy import Crowd
from overtrick.show.publish.address import LeakError

_PICTURES: Final = (".png", ".jpg", ".jpeg", ".webp", ".woff2", ".ico")
_STREAM: Final = re.compile(rb"stream\r?\n")
_CODES: Final = re.compile(rb"<([0-9A-Fa-f]{4})> ?<((?:[0-9A-Fa-f]{4})+)>")
_SHOWN: Final = re.compile(rb"\[((?:\((?:\\.|[^\\()])*\)|[^\]()])*)\]\s*TJ|(\((?:\\.|[^\\()])*\))\s*Tj", re.DOTALL)
_STRING: Final = re.compile(rb"\(((?:\\.|[^\\()])*)\)", re.DOTALL)
_ESCAPE: Final = re.compile(rb"\\([0-7]{1,3}|.)", re.DOTALL)
_ESCAPED: Final = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f"}
_SCRIPT_CODE: Final = re.compile(r"\\u([0-9a-fA-F]{4})")


def check_files(files: Mapping[str, bytes], crowd: Crowd, config: Config) -> None:
    """Search files, and their paths, for people who are not named in full.

    Args:
        files: contents by path.
        crowd: the people.
        config: the club's settings, whose own words are not names.

    Raises:
        LeakError: a file names somebody; the message says where.
    """
    if crowd.spellings:
        # The club's own words are on its pages whoever is hidden.
        ours = fold_name(config.model_dump_json(include={"club", "site", "series", "awards", "publish"}))
        for path, content in files.items():
            _check_texts(path, read_texts(path, content), crowd, ours)


def check_folder(folder: Path, config: Config) -> None:
    """Search a folder that was made before for the people who are hidden now.

    Who else has a surname is not known here, so first and last name have to stand together.

    Raises:
        LeakError: a file names somebody; the message says where.
    """
    crowd = Crowd(Wishes(config.privacy, config.people.register).hidden, ())
    for file in sorted(folder.rglob("*")) if crowd.spellings else ():
        if file.is_file():
            path = file.relative_to(folder).as_posix()
            _check_texts(path, read_texts(path, file.read_bytes()), crowd, None)


def _check_texts(path: str, texts: Iterator[str], crowd: Crowd, ours: str | None) -> None:
    """Search the texts of a file, and its path; without our own words for full names. Raises as `check_files`."""
    for number, text in enumerate((path, *texts)):
        found = crowd.find(text, ours or "", in_full=ours is None)
        if found is None:
            continue
        line = f", line {found[1]}" if number else " (the address)"
        advice = "Make the folder again" if ours is None else "Report this, or take the name out of the file"
        raise LeakError(f"{path}{line}: names {found[0]}, who is not named in full; nothing was published. {advice}")


def read_texts(path: str, content: bytes) -> Iterator[str]:
    """Yield the texts in a file: itself, those of a PDF's pages, and the files in an archive."""
    if path.lower().endswith(_PICTURES):
        return
    if content.startswith(b"%PDF"):
        yield from _read_pdf(content)
    elif content.startswith(b"PK\x03\x04"):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for name in archive.namelist():
                yield name
                yield from read_texts(name, archive.read(name))
    else:
        text = content.decode("utf-8", "replace") if _is_utf8(content) else content.decode("latin-1")
        yield _SCRIPT_CODE.sub(lambda code: chr(int(code[1], 16)), text) if "\\u" in text else text


def _is_utf8(content: bytes) -> bool:
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True


def _read_pdf(content: bytes) -> Iterator[str]:
    """Yield the text of a PDF's streams by each of its tables of glyphs, and all that is not a page."""
    streams = list(_unpack(content))
    tables = [_read_glyphs(stream) for stream in streams if b"beginbf" in stream]
    for stream in streams:
        shown = [_join_strings(found[1] or found[2]) for found in _SHOWN.finditer(stream)]
        if not shown:
            yield stream.decode("latin-1").replace("\0", "")
        for glyphs in tables if shown else ():
            yield "\n".join(
                "".join(glyphs.get(text[at : at + 2], " ") for at in range(0, len(text), 2)) for text in shown
            )


def _unpack(content: bytes) -> Iterator[bytes]:
    yield content[: content.find(b"stream")]
    for found in _STREAM.finditer(content):
        try:
            yield zlib.decompressobj().decompress(content[found.end() :])
        except zlib.error:
            continue


def _read_glyphs(stream: bytes) -> dict[bytes, str]:
    return {
        bytes.fromhex(code.decode()): bytes.fromhex(text.decode()).decode("utf-16-be", "replace")
        for code, text in _CODES.findall(stream)
    }


def _join_strings(shown: bytes) -> bytes:
    r"""Return the glyphs of `(\000\001)7(\000\002)`: the numbers between strings move them by a hair."""
    return b"".join(_ESCAPE.sub(_unescape, string) for string in _STRING.findall(shown))


def _unescape(found: re.Match[bytes]) -> bytes:
    code = found[1]
    return bytes([int(code, 8) & 255]) if code[:1] in b"01234567" else _ESCAPED.get(code, code)
