"""Which rankings a session has."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import polars as pl
import pytest

from overtrick.core.config import Scoring
from overtrick.core.config.scoring import Penalty
from overtrick.core.frames import Session
from overtrick.judge.rank import rank
from overtrick.judge.rank.match_totals import _count_byes, split_rankings, with_stated_adjustments
from overtrick.judge.score import score
from tests.support.builders import Row, session, traveller

HOWELL: list[Row] = [
    {"board": 1, "ns": "4", "ew": "1"},
    {"board": 1, "ns": "2", "ew": "3"},
    {"board": 2, "ns": "4", "ew": "2"},
    {"board": 2, "ns": "3", "ew": "1"},
    {"board": 3, "ns": "4", "ew": "3"},
    {"board": 3, "ns": "1", "ew": "2"},
]
SAME_NUMBERS_BOTH_WAYS: list[Row] = [
    {"board": board, "ns": ns, "ew": ew}
    for board, ns, ew in [(1, "1", "1"), (2, "2", "2"), (3, "3", "3"), (1, "2", "3"), (2, "3", "1"), (3, "1", "2")]
]


def fields(rows: Sequence[Row], contestants: Sequence[Row] = (), **policies: Any) -> dict[str, pl.DataFrame]:
    return dict(split_rankings(session(*rows, contestants=contestants), Scoring(**policies)))


def test_pairs_that_keep_their_direction_have_two_winners() -> None:
    assert ["NS", "EW"] == list(fields(traveller(1, [420, 50])))


def test_pairs_that_change_direction_have_one_winner() -> None:
    howell = fields(HOWELL)
    assert ["all"] == list(howell)
    assert ([None] * 12, 4) == (howell["all"]["direction"].to_list(), howell["all"]["contestant"].n_unique())


def test_numbers_used_both_ways_have_two_winners() -> None:
    mitchell = fields(SAME_NUMBERS_BOTH_WAYS)
    assert ["NS", "EW"] == list(mitchell)
    assert [{"1", "2", "3"}] * 2 == [set(lines["contestant"]) for lines in mitchell.values()]


def test_a_list_of_contestants_can_tell_that_numbers_are_used_both_ways() -> None:
    """From these two results alone pair 1 could have changed its direction."""
    rows: list[Row] = [{"board": 1, "ns": "1", "ew": "2"}, {"board": 2, "ns": "2", "ew": "1"}]
    listed: list[Row] = [{"contestant": number, "direction": side} for number in "12" for side in ("NS", "EW")]
    assert (["all"], ["NS", "EW"]) == (list(fields(rows)), list(fields(rows, listed)))


def test_the_club_may_want_one_winner_or_two() -> None:
    assert ["NS", "EW"] == list(fields(HOWELL, winners=2))
    assert ["all"] == list(fields(traveller(1, [420, 50]), winners=1))


def test_with_one_winner_equal_numbers_are_still_two_pairs() -> None:
    lines = fields(SAME_NUMBERS_BOTH_WAYS, winners=1)["all"]
    assert lines.select("direction", "contestant").n_unique() == 6


def test_each_section_has_its_own_rankings() -> None:
    rows = [*traveller(1, [420, 50], section="10"), *({**row, "section": "9"} for row in HOWELL)]
    assert ["9 all", "10 NS", "10 EW"] == list(fields(rows))


def test_one_section_or_one_field_has_no_section_before_its_name() -> None:
    assert ["NS", "EW"] == list(fields(traveller(1, [420], section="A")))
    both = [*traveller(1, [420], section="A"), *traveller(2, [420], section="B")]
    assert ["NS", "EW"] == list(fields(both, field="all"))


def test_results_without_a_section_are_ranked_before_those_with_one() -> None:
    rows = [*traveller(1, [420], section="A"), *traveller(1, [420], section="B"), *traveller(1, [50])]
    assert ["NS", "EW", "A NS", "A EW", "B NS", "B EW"] == list(fields(rows))


def test_a_section_is_named_only_where_numbers_begin_again() -> None:
    alike = [*traveller(1, [420], section="A"), *traveller(1, [420], section="B")]
    assert {"A", "B"} == set(pl.concat(fields(alike).values())["section"])
    apart: list[Row] = [{"section": section, "board": 1, "ns": f"{section}1", "ew": f"{section}9"} for section in "AB"]
    assert {None} == set(pl.concat(fields(apart).values())["section"])


def test_a_result_that_names_no_pair_ranks_nobody() -> None:
    rows: list[Row] = [{"board": 1, "ns": "1", "stated_score_ns": 420}]
    assert {"NS": 1, "EW": 0} == {name: lines.height for name, lines in fields(rows).items()}


def _in_two_sections(ranks: Sequence[int]) -> Session:
    """Return two sections of two tables each, with pairs 1 to 8, ranked as the file says."""
    rows = [
        {**row, "section": section, "ns": str(first + table), "ew": str(first + table + 2)}
        for section, first in (("A", 1), ("B", 5))
        for table, row in enumerate(traveller(1, [420, 450]))
    ]
    listed = [{"contestant": str(number), "stated_rank": rank} for number, rank in enumerate(ranks, start=1)]
    return session(*rows, contestants=listed)


@pytest.mark.parametrize(
    ("ranks", "policies", "expected"),
    [
        ((1, 2, 3, 4, 5, 6, 7, 8), {}, ["field-sections"]),
        ((1, 2, 3, 4, 1, 2, 3, 4), {}, []),
        ((1, 1, 3, 4, 5, 6, 7, 8), {}, []),
        ((1, 2, 3, 4, 2, 3, 4, 4), {}, []),
        ((1, 2, 3, 4, 5, 6, 7, 8), {"field": "all"}, []),
        ((1, 2, 3, 4, 5, 6, 7, 8), {"field": "section"}, []),
    ],
)
def test_sections_of_one_ranking_may_be_one_field(
    ranks: Sequence[int], policies: dict[str, Any], expected: list[str]
) -> None:
    scoring = Scoring(method="matchpoints", **policies)
    found = rank(score(_in_two_sections(ranks), scoring), scoring).problems
    assert expected == [code for code in found["code"] if code == "field-sections"]


def test_a_winner_by_the_number_of_boards_is_told_with_the_winner_by_the_mean() -> None:
    """Pair 1 has 12 and 10 IMPs on two boards, pair 2 has 17 on its only one."""
    rows = [
        *traveller(1, [620, 0], section=None),
        {"board": 2, "ns": "1", "ew": "103", "stated_score_ns": 430},
        {"board": 2, "ns": "3", "ew": "104", "stated_score_ns": 0},
        {"board": 3, "ns": "5", "ew": "105", "stated_score_ns": 1430},
        {"board": 3, "ns": "6", "ew": "101", "stated_score_ns": 0},
    ]

    def warned(listed: list[Row] = [], **settings: Any) -> list[str]:  # noqa: B006 - never changed
        club = Scoring.model_validate({"method": "cross-imps", "winners": 2, **settings})
        problems = rank(score(session(*rows, contestants=listed), club), club).problems
        return problems.filter(pl.col("code") == "sit-outs-winner")["message"].to_list()

    (said,) = warned()
    assert "from 1 to 2 boards" in said
    assert "in NS 1 leads as earned, and 5 by the mean of a board" in said
    assert [] == warned(sit_outs="as-earned") == warned(sit_outs="mean")
    assert [] == warned([{"contestant": "1", "stated_total": 22.0}])


def test_sections_that_number_their_pairs_through_are_said_where_no_places_are_stated() -> None:
    scoring = Scoring(method="matchpoints")
    unranked = _in_two_sections(())
    assert ["field-sections"] == rank(score(unranked, scoring), scoring).problems["code"].to_list()
    again = replace(unranked, results=unranked.results.with_columns(ns=pl.lit("1")))
    assert [] == rank(score(again, scoring), scoring).problems["code"].to_list()


def test_what_the_director_added_or_took_counts_unless_the_settings_say_something_of_it() -> None:
    """Pair 1 in both sections gains 2 and loses 3; the settings know of a penalty of pair 4 in section A only."""
    stated = [("1", "A", 2.0), ("1", "B", -3.0), ("2", "A", 0.0), ("4", "A", -5.0), ("4", "B", -6.0)]
    listed = [
        {"contestant": contestant, "section": section, "stated_adjustment": points}
        for contestant, section, points in stated
    ]
    known = Penalty(contestant="4", section="A", amount=1)
    counted = with_stated_adjustments(session(contestants=listed), Scoring(penalties=[known]))
    assert [("4", "A", 1), ("1", "B", 3), ("4", "B", 6)] == [
        (each.contestant, each.section, each.amount) for each in counted.penalties
    ]
    assert [("1", "A", 2)] == [(each.contestant, each.section, each.points) for each in counted.carry_overs]


@pytest.mark.parametrize(
    ("rounds", "compared", "byes"),
    [
        (["ABCD", "AB"], "1", {}),
        (["ABCD", "AB", "ABCD"], "123", {"C": 1, "D": 1}),
        (["ABC", "AB"], "12", {"C": 1}),
        (["AB", "CD"], "12", {"A": 1, "B": 1, "C": 1, "D": 1}),
        (["ABCD", "AB"], "12", {}),
        (["AB", "ABCD", "CD"], "13", {"C": 1, "D": 1}),
    ],
    ids=["not compared", "a later round", "one is left", "as many as before", "may yet meet", "the last is open"],
)
def test_a_bye_is_settled_when_those_without_a_result_cannot_meet_any_more(
    rounds: list[str], compared: str, byes: dict[str, int]
) -> None:
    teams = {str(number): set(playing) for number, playing in enumerate(rounds, start=1)}
    assert byes == _count_byes(teams, compared)
