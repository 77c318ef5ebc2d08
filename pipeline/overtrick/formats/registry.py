"""The formats that are told apart by what a file holds, whatever its name.

A file that none of them knows is read as PBN, which needs no head. The others stand in `parse.readers`.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from overtrick.formats.base import Reading
from overtrick.formats.text import TextBlock

_BEGINS_AS_PBN: Final = re.compile(rb"(?:\xef\xbb\xbf)?(?:[%;][^\n]*\n|\s)*+\[[A-Za-z0-9_]+[ \t]*+\"")

HEAD: Final = 8192
"""Bytes from a file's beginning that are enough to know its format."""


@dataclass(frozen=True)
class Format:
    """How files of one format are named, known and read.

    Attributes:
        name: as in `frames.SOURCES["format"]`.
        suffixes: of the names that a walked folder gives up.
        recognises: says whether a file's first `HEAD` bytes are of this format.
        read: reads all of its bytes; whatever they are, nothing raises.
        read_text: in its place, reads a text of any length block by block.
    """

    name: str
    suffixes: tuple[str, ...]
    recognises: Callable[[bytes], bool]
    read: Callable[[bytes], Reading] | None = None
    read_text: Callable[[Iterable[TextBlock]], Iterator[Reading]] | None = None


def formats() -> tuple[Format, ...]:
    """Give all formats but PBN; their readers are loaded for it."""
    from overtrick.formats.readers import FORMATS  # noqa: PLC0415 - most files are PBN, and need none of them

    return FORMATS


@cache
def suffixes() -> tuple[str, ...]:
    """Give the names that a walked folder gives up; a file that is named itself is read whatever its name."""
    return (".pbn", *(suffix for known in formats() for suffix in known.suffixes))


def recognised(data: bytes) -> Format | None:
    """Give the format of a file's bytes, None for PBN and for what is not known."""
    head = data[:HEAD]
    if _BEGINS_AS_PBN.match(head):
        return None
    return next((known for known in formats() if known.recognises(head)), None)
