"""What a file states against what is computed."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import polars as pl
import pytest

from overtrick.core.config import Scoring
from overtrick.core.frames import CONTESTANTS, conform
from overtrick.judge.numbers import score_as_stated
from overtrick.judge.numbers.stated import MATCHPOINT_UNITS, account, differs
from overtrick.judge.rank import rank
from overtrick.judge.score import score
from overtrick.judge.score.matchpoints import round_fractions
from tests.support.builders import session, traveller


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


def test_further_decimals_of_a_program_are_its_own() -> None:
    assert [False, False, True] == different([62.01923, 50.5, 48.1], [62.0225, 50.5, 48.2])


def test_a_whole_number_is_wrong_where_it_is_half_a_matchpoint_away() -> None:
    assert [False, False, True, False] == different([3.5, 2.5, 4, 1], [7, 5, 7, 2], MATCHPOINT_UNITS)
    assert [False, True, False] == different([50, 61, 48], [100, 121, 96], MATCHPOINT_UNITS)


def test_victory_points_are_exact_to_the_hundredth() -> None:
    stated, computed = pl.Series([12.0, 10.0]), pl.Series([12.44, 10.0])
    assert [True, False] == differs(stated, computed, in_hundredths=True).to_list()


@pytest.mark.parametrize(("method", "points"), [("butler", 5.0), ("cross-imps", 3.0), ("matchpoints", 2.0)])
def test_a_board_with_one_result_has_nothing_to_compare(method: str, points: float) -> None:
    rows = traveller(1, [420])
    read = session({**rows[0], "stated_points_ns": points, "stated_points_ew": -points})
    assert [] == score_as_stated(read, Scoring.model_validate({"method": method})).problems["code"].to_list()


def test_imps_that_lines_state_choose_the_method() -> None:
    """Two scores: cross-IMPs are 10 and -10, Butler 6 and -6 from a datum of 190."""
    for points, method, said in ((10.0, "cross-imps", []), (6.0, "butler", ["numbers-policy"])):
        rows = [
            {**row, "stated_points_ns": sign * points, "stated_points_ew": -sign * points}
            for row, sign in zip(traveller(1, [420, -50]), (1, -1), strict=True)
        ]
        scored = score_as_stated(session(*rows), Scoring())
        assert (method, said) == (scored.facts.method, scored.problems["code"].to_list())


def test_each_side_of_a_line_may_be_rounded_half_up() -> None:
    """2.25 and 7.75 of 10 in steps of a half: towards the average 2.5 and 7.5, half up 2.5 and 8."""
    lines = pl.DataFrame({"numerator_ns": [9], "numerator_ew": [31], "denominator": [4], "top": [10]})
    for up, both in ((False, (5, 15)), (True, (5, 16))):
        rounded = round_fractions(lines, Fraction(1, 2), up=up)
        assert both == rounded.select("numerator_ns", "numerator_ew").row(0)


def test_only_what_is_stated_counts() -> None:
    ranked = rank(score(session(*traveller(1, [420, 430, -50])), Scoring()), Scoring())
    shares = pl.when(pl.int_range(pl.len()) == 0).then("percentage").alias("stated_percentage")
    named = conform(CONTESTANTS, ranked.standings.select("section", "direction", "contestant", shares))
    found = account(replace(ranked, contestants=named, standings=ranked.standings.with_columns(shares)))
    assert (6, 1, 0) == (ranked.standings.height, found.stated, found.misses)
