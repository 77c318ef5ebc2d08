"""Whom a text means that a person wrote."""

import polars as pl
import pytest

from overtrick.core.contestants import find_contestants, is_told_apart
from overtrick.core.frames import CONTESTANTS, conform

LISTED = conform(
    CONTESTANTS,
    pl.DataFrame(
        {
            "contestant": ["3", "3", "4", "12"],
            "section": ["A", "A", "A", "B"],
            "direction": ["NS", "EW", "NS", None],
            "names": ["Ada Quill - Bo Moss", "Cy Dunn - Di Quill", "Éva Reed - Bo Quinn", None],
        }
    ),
)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("3 NS", ["3 NS"]),
        ("NS3", ["3 NS"]),
        ("ew 3", ["3 EW"]),
        ("3EW", ["3 EW"]),
        ("3 N-S", ["3 NS"]),
        ("A3 EW", ["3 EW"]),
        ("a 3 ns", ["3 NS"]),
        ("B12", ["12"]),
        ("12 NS", ["12"]),
        ("3", ["3 NS", "3 EW"]),
        ("4 EW", []),
        ("5", []),
        ("bo moss", ["3 NS"]),
        ("Quill", ["3 NS", "3 EW"]),
        ("eva", ["4 NS"]),
        ("Bo Q", ["4 NS"]),
        ("Moss Ada", ["3 NS"]),
        ("Zed", []),
        ("", []),
    ],
)
def test_a_text_means_those_whom_it_fits(text: str, meant: list[str]) -> None:
    found = find_contestants(text, LISTED).select("contestant", pl.col("direction").cast(pl.String))
    assert meant == [" ".join(filter(None, row)) for row in found.rows()]


def test_lines_that_share_a_number_tell_it_apart() -> None:
    assert is_told_apart(LISTED, "direction")
    assert not is_told_apart(LISTED, "section")
