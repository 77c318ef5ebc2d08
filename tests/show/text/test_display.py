"""How values read: numbers, dates, names, files."""

import polars as pl
import pytest

from overtrick.core.notation import clean
from overtrick.show.text.display import (
    count_decimals,
    format_count,
    format_date,
    format_names,
    format_number,
    format_signed,
    shorten_paths,
)


@pytest.mark.parametrize(
    ("text", "value", "places"),
    [
        ("12", 12.0, 0),
        ("\u2212130", -130, 0),
        ("0", -0.2, 0),
        ("63.4", 63.35, 1),
        ("62.13", 62.12499999999999, 2),
        ("\u22120.5", -0.5, 1),
        ("?", float("nan"), 1),
        ("?", 1e300, 2),
    ],
)
def test_numbers_round_half_away_from_zero_and_have_a_true_minus_sign(text: str, value: float, places: int) -> None:
    assert text == format_number(value, places)


@pytest.mark.parametrize(("text", "value"), [("+620", 620), ("\u2212100", -100), ("0", 0), ("0", 0.3), ("?", 1e300)])
def test_a_signed_number_shows_a_plus_unless_it_is_nought(text: str, value: float) -> None:
    assert text == format_signed(value)


@pytest.mark.parametrize(
    ("places", "values"),
    [(0, [12, None, -3.0]), (1, [2.4, 12.0]), (2, [12.25]), (2, [1 / 3]), (0, []), (1, [0.1 + 0.2])],
)
def test_numbers_get_the_fewest_places_that_show_them_and_two_at_most(places: int, values: list[float | None]) -> None:
    assert places == count_decimals([pl.Series(values, dtype=pl.Float64)])


@pytest.mark.parametrize(
    ("iso", "text", "date"),
    [
        ("2026-03-01", "1 March 2026", "2026.03.01"),
        ("", "March 2026", "2026.03.??"),
        ("", "2026", "2026.??.??"),
        ("", "2026.13.01", "2026.13.01"),
        ("", "????.??.??", "????.??.??"),
        ("", "2-Aug-2023", "2-Aug-2023"),
        ("", "", None),
    ],
)
def test_a_date_is_read_out_as_far_as_it_is_known(iso: str, text: str, date: str | None) -> None:
    assert (iso, text) == format_date(date)


@pytest.mark.parametrize(
    ("shown", "text"),
    [
        ("Zoë O’Dell", "Zoë O’Dell"),
        ("a b", " a\t\n b\x00\x1b"),
        ("evil.exe", "evil\u202e.exe\u2069"),
        ("x", "x\ufffe\ud800\U0010ffff"),
        ("", None),
        ("", " \u200f "),
    ],
)
def test_strangers_texts_lose_what_has_no_place_on_a_page(shown: str, text: str | None) -> None:
    assert shown == clean(text)


def test_partners_are_joined_by_a_dash() -> None:
    assert "Ada Moss – Bo Lind-Ray" == format_names("Ada Moss - Bo Lind-Ray")


def test_files_are_named_without_the_folders_they_share() -> None:
    assert {
        "/home/ann/club/a.pbn": "a.pbn",
        "/home/ann/club/tuesday/b.pbn": "tuesday/b.pbn",
        "-": "standard input",
    } == shorten_paths(["/home/ann/club/a.pbn", "/home/ann/club/tuesday/b.pbn", "-"])


def test_one_file_is_named_without_any_folder() -> None:
    assert {"/home/ann/a.pbn": "a.pbn"} == shorten_paths(["/home/ann/a.pbn"])


@pytest.mark.parametrize(("text", "count"), [("1 board", 1), ("0 boards", 0), ("28 boards", 28)])
def test_a_count_agrees_with_its_noun(text: str, count: int) -> None:
    assert text == format_count(count, "board", "boards")
