"""What a file states against what is computed."""

from collections.abc import Sequence

import polars as pl

from overtrick.score.stated import MATCHPOINT_UNITS, differs


def different(
    stated: Sequence[float | None], computed: Sequence[float | None], units: Sequence[float] = (1.0,)
) -> list[bool]:
    return differs(pl.Series(stated, dtype=pl.Float64), pl.Series(computed, dtype=pl.Float64), units).to_list()


def test_numbers_rounded_to_the_decimals_shown_are_the_same() -> None:
    assert [False, False, False] == different([28.3, 13.7, 5], [28.3333333, 13.6666666, 5.0])


def test_a_tie_of_rounding_may_go_either_way() -> None:
    assert [False, False, False] == different([0.3, 0.2, 1.0], [0.25, 0.25, 1.0])


def test_a_tenth_more_is_a_difference_where_tenths_are_shown() -> None:
    assert [True, False] == different([28.4, 5.5], [28.3333333, 5.5])


def test_whole_numbers_agree_with_anything_that_rounds_to_them() -> None:
    assert [False, True] == different([28, 14], [28.4, 12.9])


def test_where_either_is_unknown_nothing_differs() -> None:
    assert [False, False] == different([None, 5], [5, None])


def test_a_file_may_count_half_matchpoints() -> None:
    assert [False, False, True] == different([2.5, 4, 1], [5, 8, 6], MATCHPOINT_UNITS)


def test_a_column_that_states_nothing_agrees() -> None:
    assert [False] == different([None], [3])
