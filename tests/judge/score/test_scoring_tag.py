"""What files ask for in [Scoring]."""

from dataclasses import replace

import polars as pl
import pytest

from overtrick.core.config import Scoring
from overtrick.core.frames import Session
from overtrick.judge.score.scoring_tag import read_scoring, settle_scoring
from tests.support.builders import Row, session, traveller

BUTLER_2 = Scoring(method="butler", datum="mean-2")


@pytest.mark.parametrize(
    ("rules", "text"),
    [
        (Scoring(method="matchpoints"), "MP"),
        (Scoring(method="matchpoints"), "MatchPoints;MP1"),
        (Scoring(method="matchpoints"), "Matchpoints"),
        (Scoring(method="matchpoints"), " mp ; MP2 "),
        (Scoring(method="butler", datum="mean"), "IMP;Butler"),
        (BUTLER_2, "IMP;Butler-2;Mean"),
        (Scoring(method="butler", datum="median"), "IMP;Butler;Median"),
        (Scoring(method="butler", datum="stated"), "IMP;Experts"),
        (Scoring(method="cross-imps", cross_divisor="none"), "IMP;Cross"),
        (Scoring(method="cross-imps", cross_divisor="scores"), "IMP;Cross1"),
        (Scoring(method="cross-imps", cross_divisor="comparisons"), "IMP;Cross2"),
        (Scoring(method="matchpoints", pair_rounds="matches"), "MP;VPS"),
        (Scoring(method="matchpoints", field_groups=["A+b", "C+D"]), "MP;Across A+b; across C+D"),
        (Scoring(method="bam"), "BAM"),
        (Scoring(method="rubber"), "Rubber"),
        (Scoring(method="chicago"), "Chicago"),
        *((Scoring(method="matchpoints"), word) for word in ("Pairs", "MPs", "Match points")),
        *((Scoring(method="cross-imps"), word) for word in ("XIMP", "X-IMPs", "Cross-IMPs", "IMP;XIMP")),
        *((Scoring(method="bam"), word) for word in ("bam", "Board-a-match")),
        (Scoring(method="aggregate"), "Total points"),
        (Scoring(method="matchpoints", pair_rounds="matches"), "MP;VP"),
        (Scoring(), ""),
        (Scoring(), "?"),
    ],
)
def test_a_scoring_that_is_known(rules: Scoring, text: str) -> None:
    assert rules == read_scoring(text)


@pytest.mark.parametrize(
    "text", ["IMP", "Cavendish", "Instant", "MP;Ascherman", "IMP;IMP_1948;Cross", "620", "MP;Across "]
)
def test_a_scoring_that_would_have_to_be_guessed(text: str) -> None:
    assert read_scoring(text) is None


def test_imps_of_teams_are_those_between_their_two_tables() -> None:
    assert Scoring(method="teams") == read_scoring("IMP", of_teams=True)
    assert BUTLER_2 == read_scoring("IMP;Butler-2;Mean", of_teams=True)


def asked(*scorings: str | None, facts: str | None = None) -> Session:
    """One result in each record, which asks for that scoring."""
    records: list[Row] = [{"record": n, "scoring": text, "line": 10 * n} for n, text in enumerate(scorings)]
    rows = [row for n in range(len(scorings)) for row in traveller(n + 1, [420], record=n)]
    return session(*rows, scoring=facts, records=records)


def test_the_file_says_how_it_is_scored() -> None:
    rules, problems = settle_scoring(asked("IMP;Butler-2;Mean"), Scoring())
    assert (BUTLER_2, 0) == (rules, problems.height)


@pytest.mark.parametrize(("scores", "method"), [([50, 420, -50], "cross-imps"), ([50, 420], None), ([50], None)])
def test_imps_are_counted_against_each_other_where_a_board_has_three_results(
    scores: list[int], method: str | None
) -> None:
    evening = session(*traveller(1, scores), *traveller(2, [110]), scoring="IMP")
    rules, problems = settle_scoring(evening, Scoring())
    assert (method, [] if method else ["scoring-unsupported"]) == (rules.method, problems["code"].to_list())
    assert "butler" == settle_scoring(evening, Scoring(method="butler"))[0].method


def test_results_are_matchpointed_where_no_one_asks_for_a_method() -> None:
    rules, problems = settle_scoring(asked(None, "?", ""), Scoring())
    assert (Scoring(method="matchpoints"), 0) == (rules, problems.height)


def test_a_scoring_said_once_for_the_session_counts_where_its_records_have_none() -> None:
    assert BUTLER_2 == settle_scoring(asked(None, facts="IMP;Butler-2"), Scoring())[0]


def test_the_clubs_own_settings_win_and_the_file_fills_what_they_leave_open() -> None:
    rules, _ = settle_scoring(asked("IMP;Butler-2"), Scoring(datum_ties="even"))
    assert ("butler", "mean-2", "even") == (rules.method, rules.datum, rules.datum_ties)
    assert settle_scoring(asked("IMP;Butler-2"), Scoring(datum="median"))[0].datum == "median"
    assert settle_scoring(asked("IMP;Butler-2"), Scoring(method="cross-imps"))[0].method == "cross-imps"


def test_an_unsupported_scoring_is_reported_once_and_leaves_the_method_open() -> None:
    rules, problems = settle_scoring(asked("IMP", "IMP"), Scoring())
    assert rules.method is None
    assert [("warning", "scoring-unsupported", 0)] == problems.select("severity", "code", "index").rows()
    assert '[Scoring "IMP"]' in problems["message"][0]
    assert "--method" in problems["hint"][0]


def test_a_method_chosen_by_the_user_needs_no_leave_of_the_file() -> None:
    rules, problems = settle_scoring(asked("IMP"), Scoring(method="butler"))
    assert ("butler", 0) == (rules.method, problems.height)


def test_of_several_scorings_the_most_frequent_is_taken_and_said() -> None:
    rules, problems = settle_scoring(asked("MP", "IMP;Butler", "IMP;Butler"), Scoring())
    assert rules.method == "butler"
    assert [
        "the session asks for several scoring methods (IMP;Butler, MP); overtrick scores all of it as IMP;Butler"
    ] == problems["message"].to_list()


def test_two_names_of_one_scoring_are_not_several() -> None:
    assert settle_scoring(asked("MP", "MatchPoints;MP1", ""), Scoring())[1].is_empty()


def test_without_results_nothing_is_asked_for() -> None:
    assert settle_scoring(session(scoring="Rubber"), Scoring())[1].is_empty()


def test_results_that_name_teams_are_imps_where_nobody_says_how_they_are_scored() -> None:
    named = asked("?")
    teams = named.results.with_columns(team_ns=pl.lit("Reds"), team_ew=pl.lit("Blues"))
    assert "teams" == settle_scoring(replace(named, results=teams), Scoring())[0].method


def test_imps_that_a_file_states_are_cross_imps_at_first() -> None:
    stated = asked("IMP")
    lines = stated.results.with_columns(stated_points_ns=pl.lit(-4.0))
    assert "cross-imps" == settle_scoring(replace(stated, results=lines), Scoring())[0].method
