"""JSON that other programs or people wrote: whatever it holds, it becomes values that a reader can test one by one."""

import json
import math
import re
from collections.abc import Callable
from typing import Final

from overtrick.core.problems import Finding
from overtrick.files.formats.base import Reading, nothing_but
from overtrick.files.formats.text import Text, decode

_SHOWN: Final = 40
_LONGEST_NUMBER: Final = 15
"""Digits of a number; a longer text of digits is not a score or a board, and becomes a text."""
_HALVES: Final = re.compile(
    r"(?P<kept>\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\[^u])|\\u[dD][89a-fA-F][0-9a-fA-F]{2}"
)
"""A character in two halves, or any other escape; else a half alone, which is not a character."""


def read_json(data: bytes, read: Callable[[object, Text, list[Finding]], Reading]) -> Reading:
    """Read a file of JSON.

    Numbers that are too long, infinite or NaN become texts, which no column of numbers takes. Half of a character
    becomes the sign for an unknown one.

    Args:
        data: its bytes.
        read: returns what the file holds, from its value, its text, and a list to which it adds findings.
    """
    text = decode(data)
    if isinstance(text, Finding):
        return nothing_but([text])
    line, column = 1, 1
    try:
        content = _HALVES.sub(lambda found: found["kept"] or "\\ufffd", text.content.rstrip("\x1a\n"))
        value = json.loads(content, parse_int=_whole, parse_float=_decimal, parse_constant=str)
    except json.JSONDecodeError as error:
        line, column, reason = error.lineno, error.colno, error.msg
    except RecursionError:
        reason = "too many brackets"
    else:
        return read(value, text, [*text.findings])
    return nothing_but([*text.findings, Finding("json-broken", line, column, values={"reason": reason})])


def _whole(digits: str) -> int | str:
    return int(digits) if len(digits) <= _LONGEST_NUMBER else digits


def _decimal(digits: str) -> float | str:
    value = float(digits)
    return value if math.isfinite(value) else digits


def report_value(place: str, expected: str, value: object, line: int = 1) -> Finding:
    """Return the finding about a value of a wrong kind."""
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)[:_SHOWN]
    except RecursionError:
        text = "too many brackets"
    return Finding("json-schema", line, 1, values={"place": place, "expected": expected, "text": text})
