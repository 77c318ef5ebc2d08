"""The formats that are told apart by what a file holds, whatever its name: a line here for each, and a reader.

A file that none of them knows is read as PBN, which needs no head.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from overtrick.parse.lin.links import is_page, read_page
from overtrick.parse.lin.reader import is_lin, read_lin_file
from overtrick.parse.reading import Reading

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
    """

    name: str
    suffixes: tuple[str, ...]
    recognises: Callable[[bytes], bool]
    read: Callable[[bytes], Reading]


FORMATS: Final = (
    Format("lin", (".lin",), is_lin, read_lin_file),
    Format("lin links", (), is_page, read_page),
)


def recognised(data: bytes) -> Format | None:
    """Give the format of a file's bytes, None for PBN and for what is not known."""
    head = data[:HEAD]
    return next((known for known in FORMATS if known.recognises(head)), None)
