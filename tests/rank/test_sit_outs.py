"""Contestants that sat out."""

from fractions import Fraction

import pytest

from overtrick.config import Scoring
from overtrick.rank.sit_outs import evened, sit_out_policies
from overtrick.score.totals import Total, Totals, Who

FULL, SHORT = (None, None, "1"), (None, None, "2")
TOTALS: Totals = {FULL: Total(Fraction(30), 48, 24), SHORT: Total(Fraction(22), 32, 16)}


@pytest.mark.parametrize(
    ("full", "short", "policy"),
    [
        (Fraction(30), Fraction(22), "as-earned"),
        (Fraction(30), Fraction(33), "prorate"),
        (Fraction(30, 24), Fraction(22, 16), "mean"),
    ],
)
def test_what_sixteen_of_twenty_four_boards_are_worth(full: Fraction, short: Fraction, policy: str) -> None:
    result = evened(TOTALS, Scoring.model_validate({"sit_outs": policy}))
    assert (full, short) == (result[FULL].points, result[SHORT].points)
    assert (TOTALS[FULL].share, TOTALS[SHORT].share) == (result[FULL].share, result[SHORT].share)


def test_nobody_played_nobody_is_brought_anywhere() -> None:
    nobody: dict[Who, Total] = {}
    assert nobody == evened(nobody, Scoring(sit_outs="prorate"))


def test_the_rule_is_said() -> None:
    assert {"sit-outs": "totals as they are"} == sit_out_policies(Scoring())
    assert {"sit-outs": "ranked by the mean of a board"} == sit_out_policies(Scoring(sit_outs="mean"))
