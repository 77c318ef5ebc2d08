"""The scoring stage."""

from dataclasses import replace

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from overtrick.core.bridge.methods import METHODS
from overtrick.core.config import Scoring
from overtrick.core.frames import RESULTS, SOURCES, Session, dtypes
from overtrick.judge.score import score
from tests.support.builders import Row, frame, session, traveller

FOUR_SPADES: Row = {"level": 4, "strain": "S", "doubled": 0, "declarer": "E", "tricks": 10, "vulnerable": "EW"}


def scored(*rows: Row, **policies: object) -> pl.DataFrame:
    return score(session(*rows), Scoring.model_validate(policies)).results


def test_a_result_without_a_stated_score_is_scored_by_law_77() -> None:
    lines = scored({"board": 3, **FOUR_SPADES})
    assert [(-620, -620)] == lines.select("law_score_ns", "score_ns").rows()


def test_a_stated_score_wins_and_the_law_is_kept_beside_it() -> None:
    lines = scored({"board": 3, **FOUR_SPADES, "stated_score_ns": -420})
    assert [(-620, -420)] == lines.select("law_score_ns", "score_ns").rows()


@pytest.mark.parametrize("unknown", ["tricks", "declarer", "vulnerable", "level"])
def test_a_result_of_which_something_is_unknown_has_no_score_and_no_points(unknown: str) -> None:
    lines = scored({"board": 3, **FOUR_SPADES, unknown: None}, *traveller(3, [50]))
    assert (None, None) == lines.select("score_ns", "points_ns").row(0)


def test_an_assigned_score_is_compared_like_any_other() -> None:
    assigned: Row = {"board": 1, "status": "adjusted", "stated_score_ns": 620}
    assert [0, 2] == scored(*traveller(1, [170]), assigned)["points_ns"].to_list()


def test_an_artificial_score_replaces_the_result_at_the_table() -> None:
    both: Row = {"board": 1, "status": "adjusted", "award_ns": "A", "award_ew": "A", "stated_score_ns": 620}
    lines = scored(*traveller(1, [170]), both)
    assert (None, 1) == lines.select("score_ns", "points_ns").row(1)


def test_the_session_says_how_it_was_scored() -> None:
    facts = score(session(*traveller(1, [50, 420]), scoring="IMP;Butler-2;Mean"), Scoring()).facts
    assert facts.method == "butler"
    assert {
        "field": "section",
        "datum": "mean-2",
        "average_imps": None,
        "datum_rounding": "ten",
        "datum_ties": "away",
    } == facts.policies


@pytest.mark.parametrize(
    ("formats", "stated", "rule"),
    [
        (["lin", "lin links"], {}, "own-top"),
        (["lin"], {"short_boards": "neuberg"}, "neuberg"),
        (["lin", "pbn"], {}, "neuberg"),
        (["pbn"], {}, "neuberg"),
        ([], {}, "neuberg"),
    ],
)
def test_short_boards_of_lin_files_keep_their_own_top_as_on_the_site(
    formats: list[str], stated: dict[str, str], rule: str
) -> None:
    read = replace(session(*traveller(1, [50, 420])), sources=frame(SOURCES, [{"format": name} for name in formats]))
    assert rule == score(read, Scoring.model_validate(stated)).facts.policies["short_boards"]


def test_a_scoring_that_can_not_be_done_leaves_scores_without_points() -> None:
    done = score(session(*traveller(1, [50, 420]), scoring="IMP"), Scoring())
    assert [(50, None), (420, None)] == done.results.select("score_ns", "points_ns").rows()
    assert ["scoring-unsupported"] == done.problems["code"].to_list()
    assert done.facts.method is None


def test_earlier_problems_are_kept() -> None:
    before = score(session(*traveller(1, [50]), scoring="IMP"), Scoring())
    assert before.problems.height + 1 == score(before, Scoring()).problems.height


@pytest.mark.parametrize("method", METHODS)
def test_a_session_without_results_can_be_scored(method: str) -> None:
    assert score(Session(), Scoring(method=method)).results.is_empty()


@pytest.mark.parametrize("method", METHODS)
def test_results_keep_their_order_and_their_columns(method: str) -> None:
    lines = scored(*traveller(2, [50, "A+ A-", 420]), *traveller(1, ["not played", -50, -50]), method=method)
    assert [1, 2, 3, 4, 5, 6] == lines["line"].to_list()
    assert dtypes(RESULTS) == dict(lines.schema)


@pytest.mark.parametrize("method", METHODS)
@given(
    scores=st.lists(st.sampled_from([-420, -50, 0, 50, 110, 420, 620]), min_size=1, max_size=8), turn=st.integers(0, 7)
)
def test_points_do_not_depend_on_the_order_of_the_rows(method: str, scores: list[int], turn: int) -> None:
    rows = traveller(1, scores)
    turned = [*rows[turn:], *rows[:turn]]
    columns = ("table", "numerator_ns", "numerator_ew", "denominator", "top", "datum")
    one, other = (scored(*order, method=method).select(columns).sort("table").rows() for order in (rows, turned))
    assert one == other
