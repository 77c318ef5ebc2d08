"""Text for a terminal: colour where it is wanted, strangers' characters made harmless, widths as they show."""

import unicodedata
from dataclasses import dataclass
from typing import Final, Literal

from overtrick.notation import UNSAFE

Style = Literal["error", "warning", "info", "strong", "faint"]

_CODES: Final[dict[Style, str]] = {"error": "1;31", "warning": "1;33", "info": "36", "strong": "1", "faint": "2"}


@dataclass(frozen=True)
class Palette:
    """Colours for one stream; a palette that is off paints nothing."""

    on: bool = False

    def paint(self, style: Style, text: str) -> str:
        """Wrap a text in the style's colour."""
        return f"\x1b[{_CODES[style]}m{text}\x1b[0m" if self.on else text


def printable(text: str) -> str:
    """Make a stranger's text safe to print: a tab becomes a space, any other control or direction mark `�`.

    Each character stays one character, so that columns counted in the text still point at the same place.
    """
    return UNSAFE.sub("\ufffd", text.replace("\t", " "))


def display_width(text: str) -> int:
    """Count the cells that a text takes on a terminal: two for a wide East Asian character, none for an accent."""
    if text.isascii():
        return len(text)
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)
