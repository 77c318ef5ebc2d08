"""The same words of the game, as the files of different programs spell them."""

import polars as pl
import pytest

from overtrick.core import notation


def read(texts: list[str | None], expression: pl.Expr) -> list[object]:
    return pl.DataFrame({"text": pl.Series(texts, dtype=pl.String)}).select(expression.alias("read"))["read"].to_list()


TEXT = pl.col("text")


def test_a_lead_is_a_suit_and_a_rank_in_any_case() -> None:
    assert ["DQ", "HT", "HT", None, None, None] == read(["dq", "H10", "ht", "QD", "S1", None], notation.lead(TEXT))


def test_some_formats_write_the_rank_of_a_lead_first() -> None:
    assert ["DQ", "HT", "SA"] == read(["qd", "10H", "SA"], notation.lead(TEXT, rank_first=True))


@pytest.mark.parametrize(
    ("level", "texts", "tricks"),
    [
        (4, ["=", "+1", "-2", "10", "+4", "14", "", None], [10, 11, 8, 10, None, None, None, None]),
        (0, ["=", "7"], [None, None]),
        (None, ["=", "7"], [None, 7]),
    ],
)
def test_tricks_are_counted_against_the_level_or_as_they_are(
    level: int | None, texts: list[str | None], tricks: list[int | None]
) -> None:
    assert tricks == read(texts, notation.tricks_against(TEXT, pl.lit(level, pl.UInt8)))


def test_where_a_format_writes_no_number_of_tricks_none_is_read() -> None:
    assert [None, 7] == read(["7", "="], notation.tricks_against(TEXT, pl.lit(1, pl.UInt8), made=False))


def test_an_award_is_an_average_or_a_percentage() -> None:
    awards = ["A", "A+", "A-", "60%", "62.125%", "A=", "60", "1.1234567%", None]
    assert [*awards[:5], None, None, None, None] == read(awards, notation.award(TEXT))


def test_whole_numbers_and_decimals_are_told_apart() -> None:
    assert [420, -50, 50, None, None] == read(["420", "-50", "+50", "1.5", "1234567"], notation.whole(TEXT))
    assert [1.5, -2.0, None] == read(["1.5", "-2.", ".5"], notation.number(TEXT))
    assert [0.5] == read([".5"], notation.number(TEXT, from_point=True))


def test_numbers_are_read_as_programs_write_them() -> None:
    scores = ["-150.0", "620.00", "1.400", "1 400", "1,400.00", "−50", "– 100", "+ 420", "7'600", "110,0"]
    assert [-150, 620, 1400, 1400, 1400, -50, -100, 420, 7600, 110] == read([*scores], notation.whole(TEXT))
    assert [None, None, None] == read(["1.40", "12.400", "4 20"], notation.whole(TEXT))
    assert [-7.5, 1400.25, 1.4, 2.0] == read(["−7,5", "1 400.25", "1.400", "+ 2"], notation.number(TEXT))


def test_the_first_status_that_holds_counts() -> None:
    said = {
        name: TEXT.str.contains(letter)
        for name, letter in (("adjusted", "a"), ("bye", "b"), ("passed", "0"), ("not_played", "n"), ("played", "p"))
    }
    assert ["adjusted", "bye", "passed", "not played", "played", "unknown", "unknown"] == read(
        ["apn", "bp", "0n", "np", "p", "?", None], notation.status(**said)
    )


def test_rubber_and_chicago_are_scored_on_sheets() -> None:
    assert [True, True, False, False] == read(["Rubber", "IMP;chicago", "MP", None], notation.scored_on_sheets(TEXT))
