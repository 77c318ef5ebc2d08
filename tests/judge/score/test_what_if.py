"""What a result would have earned with another score: the same as scoring the session again with it."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from overtrick.core.config import Scoring
from overtrick.judge.score import score
from overtrick.judge.score.what_if import compared_lines, value_scores
from tests.support.builders import Row, session, traveller
from tests.support.sweeps import some

SCORES = st.sampled_from([-800, -420, -50, 0, 50, 140, 420, 620])
FIELDS = st.lists(st.lists(SCORES, min_size=2, max_size=5), min_size=1, max_size=3)


def earned(rows: Sequence[Row], rules: Scoring, result: int) -> Fraction:
    line = score(session(*rows), rules).results.row(result, named=True)
    return Fraction(line["numerator_ns"], line["denominator"])


def asked(rows: Sequence[Row], rules: Scoring, questions: Sequence[tuple[int, int]]) -> dict[tuple[int, int], Fraction]:
    scored = score(session(*rows), rules)
    found = compared_lines(scored, rules)
    assert found
    frame = pl.DataFrame(questions, schema={"result": pl.UInt32, "score": pl.Int32}, orient="row")
    answers = value_scores(*found, frame)
    return {(result, new): Fraction(top, bottom) for result, new, top, bottom in answers.iter_rows()}


@pytest.mark.slow
@pytest.mark.parametrize("method", ["matchpoints", "butler", "cross-imps"])
@given(field=FIELDS, new=SCORES, data=st.data())
@settings(max_examples=some(60), deadline=None)
def test_another_score_earns_what_the_session_scored_again_gives(
    method: Any, field: list[list[int]], new: int, data: st.DataObject
) -> None:
    rows = [row for board, scores in enumerate(field, 1) for row in traveller(board, scores)]
    result = data.draw(st.integers(0, len(rows) - 1))
    changed = [{**row, "stated_score_ns": new} if at == result else row for at, row in enumerate(rows)]
    rules = Scoring(method=method)
    assert asked(rows, rules, [(result, new)]) == {(result, new): earned(changed, rules, result)}


def test_one_of_several_tables_with_a_result_gets_the_other_score() -> None:
    rows = [*traveller(1, [420], multiplicity=3), *traveller(1, [50, 450])[1:]]
    # 620 beats 420 at the two other tables and 450 at a third.
    assert asked(rows, Scoring(method="matchpoints"), [(0, 620)]) == {(0, 620): Fraction(6)}


def test_questions_about_equal_scores_of_a_board_have_one_answer_each() -> None:
    rows = traveller(1, [420, 420, -50])
    answers = asked(rows, Scoring(method="matchpoints"), [(0, -100), (1, -100), (2, 430)])
    assert answers == {(0, -100): Fraction(0), (1, -100): Fraction(0), (2, 430): Fraction(4)}
