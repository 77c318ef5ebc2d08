"""Intervals of means: wide for few boards, and as Student has them."""

from statistics import stdev

import polars as pl
import pytest

from overtrick.judge.people.performance import find_interval, quantile, summarize


@pytest.mark.parametrize(("freedom", "expected"), [(1, 12.706), (2, 4.303), (30, 2.042), (40, 2.021), (120, 1.980)])
def test_quantiles_are_those_of_printed_tables(freedom: int, expected: float) -> None:
    assert expected == pytest.approx(quantile(freedom), abs=0.0006)


def test_three_boards_do_not_look_like_a_truth() -> None:
    found = find_interval(3, 1.0, 1.0)
    assert found.margin == pytest.approx(4.303 / 3**0.5)


def test_a_single_board_has_no_interval() -> None:
    assert None is find_interval(1, 1.0, None).margin


def test_who_had_none_of_the_rare_mistakes_is_no_surer_than_the_others() -> None:
    """Of 40 leads of each player, one in twenty costs 50; Ann's cost nothing but a little."""
    little, much = [0.1 * (lead % 2) for lead in range(40)], [-50.0 * (lead % 20 == 0) for lead in range(40)]
    costs = {"Ann": little, "Bob": much, "Cy": much}
    rows = [{"who": who, "cost": cost} for who, values in costs.items() for cost in values]
    found = {row["who"]: row for row in summarize(pl.DataFrame(rows), "cost", ["who"]).to_dicts()}
    every = stdev([*little, *much, *much])
    assert every == pytest.approx(found["Ann"]["deviation"])
    assert stdev(much) == pytest.approx(found["Bob"]["deviation"])
    assert find_interval(40, found["Ann"]["mean"], found["Ann"]["deviation"]).margin > found["Ann"]["mean"]


def test_values_of_different_units_have_their_own_deviation() -> None:
    rows = [{"who": who, "unit": unit, "value": value} for who in "AB" for unit in "xy" for value in (0.0, 1.0, None)]
    rows = [{**row, "value": row["value"] and row["value"] * (100 if row["unit"] == "y" else 1)} for row in rows]
    found = summarize(pl.DataFrame(rows), "value", ["who", "unit"], among=["unit"])
    assert {2} == set(found["count"])
    assert {"x": pytest.approx(stdev([0, 1])), "y": pytest.approx(stdev([0, 100]))} == dict(
        found.select("unit", "deviation").iter_rows()
    )
