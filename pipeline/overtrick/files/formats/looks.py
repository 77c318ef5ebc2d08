"""What a file looks like that no reader knows, in words for its owner."""

import re
from typing import Final

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
