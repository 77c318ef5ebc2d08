"""The style sheet: every text is readable on every background, light and dark (WCAG 2.2, 1.4.3)."""

import re
from itertools import product

import pytest

from overtrick.core.machine import resource

CSS = "".join(resource("templates", "html", name).read_text("utf-8") for name in ("tokens.css", "style.css"))
DAY = dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{3,6});", CSS.partition("@supports")[0]))
BOTH = {name: (day, night) for name, day, night in re.findall(r"--([a-z-]+): light-dark\((#\w+), (#\w+)\)", CSS)}

TEXTS = ("ink", "quiet", "accent", "red", "black")
GROUNDS = ("paper", "tint", "mine", "top", "bottom")


def luminance(colour: str) -> float:
    digits = colour[1:] if len(colour) == 7 else "".join(digit * 2 for digit in colour[1:])
    channels = [int(digits[place : place + 2], 16) / 255 for place in (0, 2, 4)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(weight * channel for weight, channel in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(text: str, ground: str) -> float:
    lighter, darker = sorted((luminance(text), luminance(ground)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("light", [0, 1], ids=["day", "night"])
@pytest.mark.parametrize(("text", "ground"), [*product(TEXTS, GROUNDS), ("on-felt", "felt")])
def test_texts_have_contrast_with_their_background(text: str, ground: str, light: int) -> None:
    assert contrast(BOTH[text][light], BOTH[ground][light]) >= 4.5


@pytest.mark.parametrize("light", [0, 1], ids=["day", "night"])
def test_a_vulnerable_seat_can_be_read(light: int) -> None:
    assert contrast("#ffffff", BOTH["vul"][light]) >= 4.5


def test_old_browsers_get_the_colours_of_the_day() -> None:
    assert {name: day for name, (day, _) in BOTH.items()} == {name: DAY[name] for name in BOTH}


def test_the_style_sheet_asks_nothing_of_other_servers() -> None:
    assert not re.search(r"@import|url\(", CSS)
