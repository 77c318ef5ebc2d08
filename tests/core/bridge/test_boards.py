"""Law 2: dealer and vulnerability by board number."""

from collections.abc import Sequence

import polars as pl
import pytest

from overtrick.core.bridge.cards import board_dealer, board_vulnerability, side_vulnerable


def of_boards(numbers: Sequence[int | None]) -> list[tuple[str | None, str | None]]:
    board = pl.DataFrame({"board": pl.Series(numbers, dtype=pl.Int32)})
    return board.select(
        board_dealer(pl.col("board")).alias("dealer"), board_vulnerability(pl.col("board")).alias("vulnerable")
    ).rows()


@pytest.mark.parametrize(
    ("vulnerable", "boards"),
    [("None", [1, 8, 11, 14]), ("NS", [2, 5, 12, 15]), ("EW", [3, 6, 9, 16]), ("All", [4, 7, 10, 13])],
)
def test_each_vulnerability_has_four_boards_of_sixteen(vulnerable: str, boards: list[int]) -> None:
    assert [vulnerable] * 4 == [side for _, side in of_boards(boards)]


def test_the_deal_passes_clockwise_from_north() -> None:
    assert ["N", "E", "S", "W", "N"] == [dealer for dealer, _ in of_boards([1, 2, 3, 4, 5])]


def test_boards_repeat_every_sixteen() -> None:
    assert of_boards([1, 16, 7]) == of_boards([17, 32, 1607])


def test_a_board_without_a_number_has_neither() -> None:
    assert [(None, None)] == of_boards([None])


@pytest.mark.parametrize(("vulnerable", "seats"), [("None", ""), ("NS", "NS"), ("EW", "EW"), ("All", "NESW")])
def test_partners_are_vulnerable_together(vulnerable: str, seats: str) -> None:
    table = pl.DataFrame({"vulnerable": vulnerable, "seat": list("NESW")})
    sides = table.select(side_vulnerable(pl.col("vulnerable"), pl.col("seat")).alias("side"))["side"]
    assert [seat in seats for seat in "NESW"] == sides.to_list()


@pytest.mark.parametrize(("vulnerable", "seat"), [(None, "N"), ("All", None)])
def test_vulnerability_is_unknown_where_either_is(vulnerable: str | None, seat: str | None) -> None:
    table = pl.DataFrame(
        {"vulnerable": [vulnerable], "seat": [seat]}, schema={"vulnerable": pl.String, "seat": pl.String}
    )
    assert [None] == table.select(side_vulnerable(pl.col("vulnerable"), pl.col("seat")).alias("side"))["side"].to_list()
