"""Score sheets of a session: rubber, Chicago and the four-hand match at the tables of a club."""

from collections.abc import Sequence
from typing import Any

import polars as pl
import pytest

from overtrick.core.config import Scoring
from overtrick.core.frames import Session
from overtrick.judge.rank import rank
from overtrick.judge.score import score
from tests.support.builders import Row, session
from tests.support.sheets import deal

PASSED: Row = {"level": 0, "status": "passed"}


def row(text: str, **columns: object) -> Row:
    """Write one deal of table 1, pair 1 against pair 2."""
    played = deal(text)
    contract = {name: getattr(played, name) for name in ("level", "strain", "doubled", "declarer", "tricks")}
    return {"table": "1", "ns": "1", "ew": "2", **contract, **columns}


def scored(method: str, rows: Sequence[Row], records: Sequence[Row] = (), **policies: Any) -> Session:
    scoring = Scoring.model_validate({"method": method, **policies})
    return rank(score(session(*rows, records=records), scoring), scoring)


def totals(result: Session) -> dict[str, float]:
    return dict(result.standings.select("contestant", "total").rows())


def test_a_deal_earns_what_it_puts_on_the_sheet() -> None:
    """Two hearts with an overtrick, three notrump by the others and the rubber broken off: 300 for the only game."""
    result = scored("rubber", [row("2H N 9"), row("3NT E 9")])
    assert [(90, 0), (0, 400)] == result.results.select("points_ns", "points_ew").rows()
    assert {"1": 90, "2": 400} == totals(result)
    assert ["all"] == result.standings["ranking"].unique().to_list()


def test_the_sheet_can_be_read_entry_by_entry() -> None:
    sheets = scored("rubber", [row("2H N 9", honours_ew=100), row("3NT E 9")]).sheets
    assert [
        (1, 1, "NS", "tricks", True, 60),
        (1, 1, "NS", "overtricks", False, 30),
        (1, 1, "EW", "honours", False, 100),
        (1, 2, "EW", "tricks", True, 100),
        (1, None, "EW", "game", False, 300),
    ] == sheets.select("sheet", "deal", "direction", "kind", "below", "points").rows()


def test_one_rubber_follows_another() -> None:
    rows = [row("3NT N 9"), row("4S N 10"), row("1NT E 7")]
    assert [1, 1, 1, 2, 2] == scored("rubber", rows).sheets["sheet"].to_list()


def test_each_table_has_its_own_sheets() -> None:
    other = row("3NT E 9", table="2", ns="3", ew="4")
    result = scored("rubber", [row("3NT N 9"), other, row("4S N 10")])
    assert {"1": 100 + 120 + 700, "2": 0, "3": 0, "4": 400} == totals(result)


def test_chicago_deals_are_vulnerable_by_their_turn() -> None:
    """South deals the third hand, so that N-S are vulnerable: five diamonds is 600."""
    rows = [row("4S N 10"), row("4H E 10"), row("5D N 11"), row("5C W 10")]
    assert {"1": 1120, "2": 620} == totals(scored("chicago-duplicate", rows))
    assert {"1": 920, "2": 420} == totals(scored("chicago-duplicate", rows, chicago_vulnerable="opponents"))


def test_a_vulnerability_that_a_record_states_counts() -> None:
    records = [{"record": 0, "vulnerable": "NS"}]
    assert {"1": 620, "2": 0} == totals(scored("chicago-duplicate", [row("4S N 10")], records))


def test_traditional_chicago_carries_part_scores() -> None:
    rows = [row("2H N 9"), row("1NT S 7"), row("4S W 9"), row("2D E 8")]
    assert {"1": 480, "2": 140} == totals(scored("chicago", rows))


def test_a_four_hand_match_counts_own_points_and_not_the_margin() -> None:
    rows = [row("2S N 9"), row("3NT E 9"), row("3H N 9"), row("2Hx E 6")]
    result = scored("alberta", rows)
    assert {"1": 780, "2": 600} == totals(result)
    assert result.problems.is_empty()


def test_a_tournament_adds_the_own_points_of_all_matches() -> None:
    """Pair 2 beats pair 1 in the second match and still has fewer points."""
    first = [row(text, round="1") for text in ("2S N 9", "3NT E 9", "3H N 9", "2Hx E 6")]
    second = [row(text, round="2", ns="2", ew="1") for text in ("1NT N 7", "1NT N 6", "1NT N 6", "1NT N 6")]
    assert {"1": 780 + 150, "2": 600 + 40 + 100} == totals(scored("alberta", [*first, *second]))


def test_a_hand_that_was_passed_out_is_on_the_sheet_and_reported() -> None:
    rows = [row("2S N 8"), row("1NT E 7"), {**row("1NT E 7"), **PASSED}, row("2H E 7")]
    result = scored("alberta", rows)
    assert {"1": 160, "2": 90} == totals(result)
    assert [
        (
            "1 against 2: the match does not have four hands that count (hands: 4, passed out: 1);"
            " overtrick scores all of them"
        )
    ] == result.problems["message"].to_list()
    counted = scored("alberta", rows, passed_out="counts")
    assert ([], {"1": 160, "2": 90}) == (counted.problems["code"].to_list(), totals(counted))


def test_a_deal_without_a_known_result_is_on_no_sheet_and_reported() -> None:
    result = scored("rubber", [row("3NT N 9", tricks=None, status="unknown"), row("2H E 8")])
    assert ["deal-off-sheet"] == result.problems["code"].to_list()
    assert [None, 0] == result.results["points_ns"].to_list()


def test_a_deal_that_earns_nothing_still_counts_as_played() -> None:
    result = scored("rubber", [{**row("3NT N 9"), **PASSED}])
    assert [(0, 0)] == result.results.select("points_ns", "points_ew").rows()
    assert [1, 1] == result.standings["boards"].to_list()


@pytest.mark.parametrize(("points", "policy"), [(0, "claimed"), (150, "held"), (0, "none")])
def test_honours_that_the_cards_show_count_where_the_club_says_so(points: int, policy: str) -> None:
    records: list[Row] = [{"record": 0, "deal": "N:A2.A2.A2.A765432 - - -"}]
    result = scored("rubber", [row("3NT E 8")], records, honours=policy)
    assert 50 + points == totals(result)["1"]


def test_claimed_honours_count_unless_the_club_plays_without() -> None:
    rows = [row("4S E 9", honours_ew=150, conduct_ns=100)]
    assert {"1": 50 - 100, "2": 150} == totals(scored("rubber", rows))
    assert {"1": 50 - 100, "2": 0} == totals(scored("rubber", rows, honours="none"))


@pytest.mark.parametrize("method", ["rubber", "chicago", "chicago-duplicate", "alberta"])
def test_a_session_without_deals_has_empty_sheets(method: str) -> None:
    result = scored(method, [])
    assert result.sheets.is_empty()
    assert result.standings.is_empty()


def test_other_methods_leave_no_sheets() -> None:
    assert scored("matchpoints", [{**row("3NT N 9"), "board": 1}]).sheets.is_empty()


def test_a_line_adds_up_to_what_its_entries_say() -> None:
    result = scored("rubber", [row("6NTxx N 13"), row("7C E 5"), row("2H W 8")])
    written = result.sheets.group_by("direction").agg(pl.col("points").sum()).sort("direction")["points"]
    assert written.to_list() == [result.results["points_ns"].sum(), result.results["points_ew"].sum()]


def test_a_match_that_a_pair_missed_in_a_round_robin_is_reported() -> None:
    hands = ("2S N 9", "3NT E 9", "3H N 9", "2Hx E 6")
    meetings = [("1", "2"), ("2", "3"), ("3", "1"), ("1", "4")]
    rows = [row(text, round=ns + ew, ns=ns, ew=ew) for ns, ew in meetings for text in hands]
    problems = scored("alberta", rows).problems
    assert {"matches-uneven"} == set(problems["code"])
    assert "4 has played fewer matches (1) than others (3); overtrick compares their points all the same" in (
        problems["message"].to_list()
    )
