"""The club's own look: its templates, logo and colour, on pages and documents alike."""

import hashlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from overtrick.core.config.site import Site

_PAPERS: Final = {
    "day": ("#fdfdfb", "#f5f4ef", "#fdf0c4", "#e3f5e6", "#fbe7e5"),
    "night": ("#121212", "#1b1a19", "#3d330f", "#15301d", "#3a1a18"),
}
"""Grounds of texts in `templates/html/tokens.css`, by day and by night."""
_READABLE: Final = 4.5
"""Least contrast of a text with its ground (WCAG 2.2, 1.4.3)."""
_STEPS: Final = 40

Colour = tuple[float, float, float]
"""Red, green and blue, 0 to 255."""


@dataclass(frozen=True)
class Look:
    """What a club changes of the look of its pages and documents."""

    templates: Path | None = None
    """Folder of its own templates."""
    logo: str = ""
    """File name of the logo in a site; it holds a hash of the content. Empty without one."""
    image: bytes = field(default=b"", repr=False)
    """The logo."""
    accent: str = ""
    """`#14532d`; empty for overtrick's own."""
    paper: str = "a4"

    @property
    def css(self) -> str:
        """The rule that sets the colours; empty without an accent."""
        if not self.accent:
            return ""
        day, night = (adjust_colour(self.accent, _PAPERS[time], lighter=time == "night") for time in _PAPERS)
        both = f"--accent: light-dark({day}, {night}); --felt: {day}; --bar: light-dark({day}, {night});"
        plain = f"--accent: {day}; --felt: {day}; --bar: {day};"
        return f":root {{ {plain} }}\n@supports (color: light-dark(#000, #fff)) {{ :root {{ {both} }} }}\n"


def open_look(site: Site) -> Look:
    """Return the look that the settings describe.

    Raises:
        OSError: the logo can't be read.
    """
    image = Path(site.logo).read_bytes() if site.logo else b""
    suffix = Path(site.logo or "").suffix.lower()
    return Look(
        templates=Path(site.templates) if site.templates else None,
        logo=f"logo.{hashlib.sha256(image).hexdigest()[:10]}{suffix}" if image else "",
        image=image,
        accent=site.accent or "",
        paper=site.paper,
    )


def adjust_colour(colour: str, grounds: tuple[str, ...], *, lighter: bool) -> str:
    """Return a colour that can be read on all grounds: the nearest to it on the way to white, or to black."""
    start, end = _parse(colour), 255.0 if lighter else 0.0
    for step in range(_STEPS + 1):
        red, green, blue = (part + (end - part) * step / _STEPS for part in start)
        text = f"#{round(red):02x}{round(green):02x}{round(blue):02x}"
        if all(compute_contrast(text, ground) >= _READABLE for ground in grounds):
            return text
    return "#ffffff" if lighter else "#000000"


def compute_contrast(one: str, other: str) -> float:
    """Return the contrast of two colours by WCAG 2.2: 1 to 21."""
    low, high = sorted((_luminance(_parse(one)), _luminance(_parse(other))))
    return (high + 0.05) / (low + 0.05)


def _parse(colour: str) -> Colour:
    red, green, blue = (int(colour[place : place + 2], 16) for place in (1, 3, 5))
    return red, green, blue


def _luminance(colour: Colour) -> float:
    red, green, blue = (part / 3294.6 if part <= 10 else ((part / 255 + 0.055) / 1.055) ** 2.4 for part in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
