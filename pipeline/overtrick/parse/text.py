"""Bytes to text, in one place for all formats: encodings, line ends, and what is no text at all."""

import codecs
import re
from dataclasses import dataclass
from typing import Final

from overtrick.problems import Finding

_BOMS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_DECLARED: Final = re.compile(rb"charset\s*=\s*[\"']?([A-Za-z0-9_.:-]{1,40})", re.IGNORECASE)
_EXTRA_OF_WINDOWS: Final = re.compile(rb"[\x80-\x9f]")
_LINE_ENDS: Final = re.compile(r"\r+\n?")
_CHARACTER_SETS: Final = ("iso8859", "cp125", "koi8", "mac-", "utf-16")
_HEAD: Final = 8192


@dataclass(frozen=True)
class Text:
    r"""A decoded file: its lines end in `\\n` alone, the last one too."""

    content: str
    encoding: str
    findings: tuple[Finding, ...] = ()


def decode(data: bytes) -> Text | Finding:
    """Read a file's bytes as text.

    A byte order mark decides; then UTF-8 where it fits, which other text hardly ever does by chance; then a declared
    `charset=`; then Windows-1252 where its extra characters occur; else ISO 8859-1, the character set of PBN 2.2.

    Returns:
        The text, or the finding `file-empty` or `file-binary` for what is none.
    """
    if not data.strip():
        return Finding("file-empty", line=1, column=1)
    mark = next((name for bom, name in _BOMS if data.startswith(bom)), None)
    if mark is None and _is_binary(data):
        return Finding("file-binary", line=1, column=1)
    content, encoding = _first_that_fits(data, [mark] if mark else ["utf-8", _declared(data)])
    findings = (Finding("pbn-byte-order-mark", line=1, column=1, values={"encoding": encoding}),) if mark else ()
    return Text(_with_plain_line_ends(content), encoding, findings)


def _is_binary(data: bytes) -> bool:
    head = data[:_HEAD]
    control = sum(head.count(code) for code in range(32) if code not in b"\t\n\v\f\r\x1a")
    return control * 50 > len(head)


def _declared(data: bytes) -> str | None:
    found = _DECLARED.search(data[:_HEAD])
    try:
        name = codecs.lookup(found.group(1).decode("ascii")).name if found else ""
    except LookupError:
        return None
    return name if name.startswith(_CHARACTER_SETS) else None


def _first_that_fits(data: bytes, encodings: list[str | None]) -> tuple[str, str]:
    for encoding in filter(None, encodings):
        try:
            return data.decode(encoding), encoding
        except UnicodeError:
            continue
    if _EXTRA_OF_WINDOWS.search(data):
        try:
            return data.decode("cp1252"), "cp1252"
        except UnicodeError:
            pass
    return data.decode("latin-1"), "latin-1"


def _with_plain_line_ends(content: str) -> str:
    if "\r" in content:
        content = _LINE_ENDS.sub("\n", content)
    return content if content.endswith("\n") else content + "\n"
