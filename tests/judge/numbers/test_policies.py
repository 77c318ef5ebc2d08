"""The numbers of a file decide the rules of scoring, and never by a minority."""

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import polars as pl
import pytest

from overtrick.core.config import Scoring
from overtrick.core.frames import Session
from overtrick.judge.numbers import count_once, score_as_stated, turn_scores
from overtrick.judge.rank import rank
from overtrick.judge.score import score
from tests.support.builders import Row, session

SCORES = (620, 650, 170, 140, -50, -100, 110, -110, 420, 430, -420, 50, 100, 400, -620, 600)


def evening(seed: int, sections: Sequence[str] = ("A",), tables: int = 5, *, whole: bool = False) -> list[Row]:
    """Twelve boards in each section; unless they are whole, a table has no result on some."""
    chance = random.Random(seed)
    return [
        {
            "section": section,
            "board": board,
            "table": str(table),
            "ns": str(table),
            "ew": str(100 + table),
            "stated_score_ns": chance.choice(SCORES),
        }
        for section in sections
        for board in range(1, 13)
        for table in range(1, tables + 1)
        if chance.random() > 0.1 or whole
    ]


def ranked(rows: Sequence[Row], club: Scoring, **more: Any) -> Session:
    return rank(score_as_stated(session(*rows, **more), club), club)


def stating(
    rows: Sequence[Row], scored: Session, change: Callable[[float], float] = lambda points: points
) -> list[Row]:
    """Let lines state the points that a session has, to the hundredth."""
    pairs = scored.results.select("points_ns", "points_ew").rows()
    return [
        {**row, "stated_points_ns": change(round(ns, 2)), "stated_points_ew": change(round(ew, 2))}
        for row, (ns, ew) in zip(rows, pairs, strict=True)
    ]


def by_rules(rows: Sequence[Row], **settings: Any) -> Session:
    scoring = Scoring.model_validate(settings)
    return rank(score(session(*rows), scoring), scoring)


def places(ranked: Session) -> list[tuple[object, ...]]:
    return ranked.standings.select("ranking", "contestant", "rank", pl.col("total").round(6)).rows()


POLICIES: dict[str, tuple[Mapping[str, Any], Mapping[str, Any]]] = {
    "all sections": ({"method": "matchpoints"}, {"field": "all"}),
    "own top": ({"method": "matchpoints"}, {"short_boards": "own-top"}),
    "tenths": ({"method": "matchpoints"}, {"line_rounding": 0.1}),
    "tenths, half up": ({"method": "matchpoints"}, {"line_rounding": 0.1, "line_ties": "up"}),
    "without extremes": ({"method": "butler"}, {"datum": "mean-2"}),
    "median": ({"method": "butler"}, {"datum": "median"}),
    "exact datum": ({"method": "butler"}, {"datum_rounding": "none"}),
    "by scores": ({"method": "cross-imps"}, {"cross_divisor": "scores"}),
    "undivided": ({"method": "cross-imps"}, {"cross_divisor": "none"}),
    "cross-IMPs for Butler": ({"method": "butler"}, {"method": "cross-imps"}),
}


def asked(settings: Mapping[str, Any]) -> str:
    """Return the [Scoring] of a file that leaves all else open."""
    return {"matchpoints": "MP", "butler": "IMP;Butler", "cross-imps": "IMP;Cross2"}[settings["method"]]


@pytest.mark.parametrize("name", POLICIES)
@pytest.mark.parametrize("wrong", [0, 1])
def test_a_policy_that_the_numbers_follow_is_found_also_beside_a_wrong_number(name: str, wrong: int) -> None:
    usual, policy = POLICIES[name]
    rows = evening(3, ("A", "B") if "field" in policy else ("A",), whole="field" in policy)
    want = by_rules(rows, **{**usual, **policy})
    lines = stating(rows, want)
    lines[:wrong] = [{**row, "stated_points_ns": 77.0} for row in lines[:wrong]]
    found = ranked(lines, Scoring(), scoring=asked(usual))
    assert places(want) == places(found)
    codes = found.problems.filter(pl.col("code").str.contains("numbers|mismatch"))["code"].to_list()
    assert ["numbers-policy", *["number-mismatch"] * wrong] == codes
    key, value = next(iter({**policy}.items()))
    assert f"{key} = " in found.problems.filter(pl.col("code") == "numbers-policy")["message"].item()
    assert str(value).lower() in found.problems.filter(pl.col("code") == "numbers-policy")["message"].item()


@pytest.mark.slow
@pytest.mark.parametrize("scoring", ["MP", "IMP;Butler", "IMP;Cross2"])
@pytest.mark.parametrize("wrong", [0, 1, 2])
def test_a_wrong_number_or_two_change_no_ranking_and_are_told(scoring: str, wrong: int) -> None:
    rows = evening(5)
    usual = rank(score(session(*rows, scoring=scoring), Scoring()), Scoring())
    lines = stating(rows, usual)
    lines[:wrong] = [{**row, "stated_points_ns": 30.0 + n} for n, row in enumerate(lines[:wrong])]
    found = ranked(lines, Scoring(), scoring=scoring)
    assert places(usual) == places(found)
    assert ["number-mismatch"] * wrong == found.problems["code"].to_list()


def test_numbers_that_no_policy_explains_are_one_problem_and_change_nothing() -> None:
    rows = evening(7)
    usual = by_rules(rows, method="matchpoints")
    chance = random.Random(1)
    lines = stating(rows, usual, lambda points: points + chance.choice([-1.5, 0, 2.3]))
    found = ranked(lines, Scoring(), scoring="MP")
    assert places(usual) == places(found)
    assert ["numbers-mismatch"] == found.problems["code"].to_list()
    assert found.problems["message"].item().count("explains") == 2


@pytest.mark.slow
def test_sections_that_were_compared_in_groups_are_found() -> None:
    rows = evening(11, "ABCD", tables=4, whole=True)
    want = by_rules(rows, method="matchpoints", field_groups=["A+B", "C+D"])
    assert {"A+B NS", "C+D EW"} <= {*want.standings["ranking"]}
    found = ranked(stating(rows, want), Scoring(), scoring="MP")
    assert places(want) == places(found)
    assert 'field_groups = ["A+B", "C+D"]' in found.problems["message"].item()


@pytest.mark.slow
def test_where_numbers_decide_and_no_totals_are_stated_lines_add_up_as_they_are_shown() -> None:
    rows = evening(3, ("A", "B"))
    want = by_rules(rows, method="matchpoints", field="all", line_rounding=0.01)
    found = ranked(stating(rows, want), Scoring(), scoring="MP")
    assert places(want) == places(found)
    exact = by_rules(rows, method="matchpoints", field="all")
    totals = [
        dict(zip(("contestant", "direction", "section", "stated_total"), row, strict=True))
        for row in exact.standings.select("contestant", "direction", "section", "total").rows()
    ]
    found = ranked(stating(rows, exact), Scoring(), scoring="MP", contestants=totals)
    assert places(exact) == places(found)


def test_points_from_the_other_sides_view_are_found() -> None:
    rows = evening(13)
    usual = by_rules(rows, method="butler")
    other = [
        {**row, "stated_points_ns": row["stated_points_ew"], "stated_points_ew": row["stated_points_ns"]}
        for row in stating(rows, usual)
    ]
    found = ranked(other, Scoring(), scoring="IMP;Butler")
    assert places(usual) == places(found)
    assert 'stated_view = "points-ew"' in found.problems["message"].item()


@pytest.mark.slow
def test_totals_of_contestants_with_fewer_boards_decide_how_these_count() -> None:
    rows = [row for row in evening(17, tables=6) if row["table"] != "6" or int(str(row["board"])) > 4]
    for sit_outs in ("prorate", "mean"):
        want = by_rules(rows, method="cross-imps", sit_outs=sit_outs)
        listed = [
            {"contestant": row["contestant"], "stated_total": round(row["total"], 2)}
            for row in want.standings.to_dicts()
        ]
        found = ranked(rows, Scoring(), scoring="IMP;Cross2", contestants=listed)
        assert places(want) == places(found)
        assert f'sit_outs = "{sit_outs}"' in found.problems["message"].item()


def test_a_setting_of_the_club_is_followed_and_the_numbers_that_disagree_are_one_warning() -> None:
    rows = evening(3, ("A", "B"))
    lines = stating(rows, by_rules(rows, method="matchpoints", field="all"))
    found = ranked(lines, Scoring(field="section"), scoring="MP")
    assert places(by_rules(rows, method="matchpoints")) == places(found)
    assert ["numbers-mismatch"] == found.problems["code"].to_list()


def test_places_alone_show_that_sections_are_one_field() -> None:
    rows = [
        {**row, "ns": f"{row['section']}{row['ns']}", "ew": f"{row['section']}{row['ew']}"} for row in evening(3, "AB")
    ]
    want = by_rules(rows, method="matchpoints", field="all")
    listed = [{"contestant": row["contestant"], "stated_rank": row["rank"]} for row in want.standings.to_dicts()]
    found = ranked(rows, Scoring(), scoring="MP", contestants=listed)
    assert places(want) == places(found)


def test_more_wrong_numbers_than_three_are_told_together() -> None:
    rows = evening(19, [*"ABCDEFGH"])
    lines = stating(rows, by_rules(rows, method="matchpoints"))
    lines[::90] = [{**row, "stated_points_ns": 55.5} for row in lines[::90]]
    found = ranked(lines, Scoring(), scoring="MP")
    assert ["number-mismatch", "number-mismatch", "number-mismatch"] == found.problems["code"].to_list()
    assert f"{len(lines[::90]) - 2} more" in found.problems["message"][-1]


def other_side(turned: int, contracts: int = 6) -> Session:
    """Make a file of contracts, the first of which have their scores from E-W's side."""
    scores = {"N": 420, "S": 420, "E": -420, "W": -420}
    rows: list[Row] = [
        {
            "board": 1,
            "ns": str(n),
            "ew": str(100 + n),
            "vulnerable": "None",
            "level": 4,
            "strain": "S",
            "doubled": 0,
            "declarer": "NESW"[n % 4],
            "tricks": 10,
            "stated_score_ns": scores["NESW"[n % 4]] * (-1 if n < turned else 1),
            "stated_points_ns": 1.0,
        }
        for n in range(contracts)
    ]
    return session(*rows)


@pytest.mark.parametrize(
    ("turned", "said"), [(6, ["scores-turned"]), (5, ["scores-turned"]), (3, []), (1, []), (0, [])]
)
def test_the_scores_of_a_file_are_turned_where_nearly_all_are_from_the_other_side(turned: int, said: list[str]) -> None:
    result = turn_scores(other_side(turned), None)
    assert said == result.problems["code"].to_list()
    same = [n for n in range(6) if result.results["stated_score_ns"][n] == (420 if n % 2 == 0 else -420)]
    assert [n for n in range(6) if (n < turned) == bool(said)] == same
    assert [None if said else 1.0] * 6 == result.results["stated_points_ns"].to_list()


def test_the_club_says_from_which_side_scores_are() -> None:
    assert other_side(6).results.equals(turn_scores(other_side(6), "ns").results)
    assert ["numbers-mismatch"] == turn_scores(other_side(6), "ns").problems["code"].to_list()
    assert (other_side(0).results["stated_score_ns"] * -1).equals(
        turn_scores(other_side(0), "ew").results["stated_score_ns"]
    )


def test_results_that_are_all_listed_twice_count_once() -> None:
    rows = evening(23)
    once = count_once(session(*rows, *rows), None)
    assert len(rows) == once.results.height
    assert ["results-repeated"] == once.problems["code"].to_list()
    assert places(by_rules(rows, method="matchpoints")) == places(
        rank(score(once, Scoring(method="matchpoints")), Scoring(method="matchpoints"))
    )
    assert 2 * len(rows) == count_once(session(*rows, *rows), "all").results.height


def test_a_few_results_that_are_listed_twice_are_kept_unless_the_club_says_otherwise() -> None:
    rows = evening(23)
    assert len(rows) + 1 == count_once(session(*rows, rows[0]), None).results.height
    assert len(rows) == count_once(session(*rows, rows[0]), "once").results.height


@pytest.mark.slow
@pytest.mark.parametrize("with_them", [True, False])
def test_totals_may_be_stated_with_or_without_penalties_and_handicaps(*, with_them: bool) -> None:
    rows = evening(29)
    club = Scoring.model_validate(
        {
            "method": "matchpoints",
            "penalties": [{"contestant": "1", "amount": 3}],
            "handicaps": [{"contestant": str(n), "amount": n} for n in range(1, 6)],
        }
    )
    scored = rank(score(session(*rows), club), club).standings
    plain = by_rules(rows, method="matchpoints").standings
    shown = scored.filter(pl.col("ranking").str.contains("handicap")) if with_them else plain
    listed = [
        {"contestant": who, "stated_total": round(total, 2), "stated_percentage": round(share, 2)}
        for who, total, share in shown.select("contestant", "total", "percentage").iter_rows()
    ]
    assert [] == ranked(rows, club, contestants=listed).problems["code"].to_list()
    listed[0]["stated_total"] = 200.0
    assert ["number-mismatch"] == ranked(rows, club, contestants=listed).problems["code"].to_list()
