"""Files in any order, with any line ends, encoding or byte-order mark, are the same evening."""

import random
from itertools import permutations, product
from pathlib import Path

import polars as pl
import pytest

from tests.support import one_evening as one
from tests.support.everything import differences, put, read_all, text_files
from tests.support.sweeps import ALL

TEXTS = text_files()

WAYS = {
    "CRLF": ("\r\n", "utf-8"),
    "CR": ("\r", "utf-8"),
    "a mark": ("\n", "utf-8-sig"),
    "a mark and CRLF": ("\r\n", "utf-8-sig"),
    "Latin-1": ("\n", "latin-1"),
    "Windows": ("\r\n", "cp1252"),
    "UTF-16": ("\r\n", "utf-16-le"),
    "UTF-16 of another byte order": ("\n", "utf-16-be"),
}
"""Line end and encoding."""

MARKS = {"utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff"}


def in_bytes(text: str, way: str) -> bytes:
    end, encoding = WAYS[way]
    return MARKS.get(encoding, b"") + text.replace("\n", end).encode(encoding)


def fits(text: str, way: str) -> bool:
    try:
        text.encode(WAYS[way][1])
    except UnicodeEncodeError:
        return False
    return True


CASES = sorted((name, way) for name, text in TEXTS.items() for way in WAYS if fits(text, way))


@pytest.mark.parametrize(("name", "way"), CASES if ALL else random.Random(35).sample(CASES, 14))
def test_a_file_is_the_same_in_other_bytes(name: str, way: str, tmp_path: Path) -> None:
    text = TEXTS[name]
    expected = read_all(put(tmp_path / "a", {name: text.encode("utf-8")}))
    assert [] == differences(expected, read_all(put(tmp_path / "b", {name: in_bytes(text, way)})))


GROUPS = [
    (formats, by) for formats in product((".csv", ".pbn", ".xml", ".lin"), repeat=2) for by in ("board", "direction")
]


@pytest.mark.parametrize(("formats", "by"), GROUPS if ALL else random.Random(35).sample(GROUPS, 2))
def test_files_are_the_same_in_any_order(formats: tuple[str, str], by: str, tmp_path: Path) -> None:
    """The second file repeats three results of the first, one of them with other tricks; the third has the deals."""
    lines = one.play()
    first, second = one.split(lines, by)
    again = [*second, *first[:2], first[2]._replace(tricks=(first[2].tricks + 1) % 14)]
    parts = zip(("b", "a"), formats, (first, again), strict=True)
    files = [one.FORMATS[suffix](tmp_path / f"{name}{suffix}", part) for name, suffix, part in parts]
    files.append(one.write_deals(tmp_path / "c.pbn", lines))
    expected = read_all(files)
    assert ["result-differs"] == expected["problems"].filter(pl.col("severity") == "error")["code"].to_list()
    for order in permutations(files):
        assert [] == differences(expected, read_all(order))


def test_evenings_are_the_same_in_any_order(tmp_path: Path) -> None:
    monday = one.write_csv(tmp_path / "z.csv", one.play())
    tuesday = one.write_csv(tmp_path / "a.csv", one.play(8), date="2026.10.20")
    assert [] == differences(read_all([monday, tuesday]), read_all([tuesday, monday]))
