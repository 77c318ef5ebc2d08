"""The order that people put numbers and names in."""

import re


def natural(text: str | None) -> tuple[tuple[int, int, str], ...]:
    """Make a key that sorts texts as people do: none first, `2` before `10`, `A2` before `A10`, numbers first."""
    # Eighteen digits at a time: Python refuses to read a number of thousands of them.
    pieces = re.findall(r"([0-9]{1,18})|([^0-9]+)", text or "")
    return tuple((0, int(digits), "") if digits else (1, 0, other.casefold()) for digits, other in pieces)
