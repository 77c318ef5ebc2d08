"""Intervals of means: wide for few boards, and as Student has them."""

import pytest

from overtrick.judge.people.performance import find_interval, quantile


@pytest.mark.parametrize(("freedom", "expected"), [(1, 12.706), (2, 4.303), (30, 2.042), (40, 2.021), (120, 1.980)])
def test_quantiles_are_those_of_printed_tables(freedom: int, expected: float) -> None:
    assert expected == pytest.approx(quantile(freedom), abs=0.0006)


def test_three_boards_do_not_look_like_a_truth() -> None:
    found = find_interval(3, 1.0, 1.0)
    assert found.margin == pytest.approx(4.303 / 3**0.5)


def test_a_single_board_has_no_interval() -> None:
    assert None is find_interval(1, 1.0, None).margin
