"""The text of a JSON file as a value, and the finding for a value of a wrong kind."""

import json
from typing import Any

from overtrick.formats.text import Text, decode
from overtrick.problems import Finding

_SHOWN = 40
"""Characters of a wrong value that a message shows."""


def load_json(data: bytes) -> tuple[Any, Text] | list[Finding]:
    """Return the value of a file and its text; the findings alone if it is not JSON."""
    text = decode(data)
    if isinstance(text, Finding):
        return [text]
    try:
        return json.loads(text.content), text
    except json.JSONDecodeError as error:
        return [*text.findings, Finding("json-broken", error.lineno, error.colno, values={"reason": error.msg})]
    except RecursionError:
        return [*text.findings, Finding("json-broken", 1, 1, values={"reason": "too many brackets"})]


def wrong_value(place: str, expected: str, value: object, line: int = 1) -> Finding:
    """Return the finding for a value of a wrong kind at a place such as `results[3].tricks`."""
    text = json.dumps(value, ensure_ascii=False, default=str)[:_SHOWN]
    return Finding("json-schema", line, 1, values={"place": place, "expected": expected, "text": text})
