"""How files of PBN begin. Nothing here imports polars: the registry of formats imports it."""

import re
from typing import Final

_BEGINS_AS_PBN: Final = re.compile(rb"(?:\xef\xbb\xbf)?(?:[%;][^\n]*\n|\s)*+\[[A-Za-z0-9_]+[ \t]*+\"")
_MAY_BE_PBN: Final = re.compile(
    rb"\[\s*[A-Za-z][A-Za-z0-9_]*\s*\"|^[^\S\n]*\[[A-Za-z][A-Za-z0-9_]*(?:[ \t]|$)|\A\s*(?:[%;]|\Z)", re.MULTILINE
)
"""A tag anywhere, if need be a broken one; else an escape line or a comment at the start, or nothing at all."""


def begins_as_pbn(head: bytes) -> bool:
    """Report whether a file begins as PBN."""
    return _BEGINS_AS_PBN.match(head) is not None


def may_be_pbn(text: bytes) -> bool:
    """Report whether a text in UTF-8 that no format recognises can be read as PBN: a tag, or nothing but comments."""
    return _MAY_BE_PBN.search(text.removeprefix(b"\xef\xbb\xbf").replace(b"\x00", b"")) is not None
