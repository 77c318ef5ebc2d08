"""Elements and their texts, as the template places them."""

from collections.abc import Iterable

from overtrick.notation import clean

Cells = list[tuple[str, str]]
"""Elements and their text, in order."""


def filled(cells: Iterable[tuple[str, str | None]]) -> Cells:
    """Leave out what is not known, and make the rest fit for XML."""
    return [(name, text) for name, value in cells if (text := clean(value))]


def decimal(value: float | None) -> str | None:
    """Write a number with no more decimals than it needs, four at most."""
    return None if value is None else f"{value:.4f}".rstrip("0").rstrip(".")
