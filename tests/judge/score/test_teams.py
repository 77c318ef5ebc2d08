"""Teams: IMPs between the two tables of a match, victory points, and board-a-match."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overtrick.core.config import Scoring
from overtrick.core.config.scoring import CarryOver, HouseScale
from overtrick.core.frames import Session
from overtrick.judge.rank import rank
from overtrick.judge.score import score
from tests.support.builders import Row, session

HOUSE = HouseScale(margins=[0, 1, 2, 3, 5, 7, 9, 11, 14, 19, 21], winner=list(range(10, 21)))


def table(board: int, points: int | str, *, home: bool = True, **columns: Any) -> Row:
    """Write one result of a match of Larks against Owls; the Larks are at home, and sit N-S in the open room."""
    teams = ("Larks", "Owls") if home else ("Owls", "Larks")
    outcome: Row = {"stated_score_ns": points}
    if isinstance(points, str):
        ns, ew = points.split()
        outcome = {"status": "adjusted", "award_ns": ns, "award_ew": ew}
    return {"board": board, "team_ns": teams[0], "team_ew": teams[1], **outcome, **columns}


def boards(*scores: tuple[int | str, int | str], **columns: Any) -> list[Row]:
    """Write boards 1, 2, 3 ... of the match, each with its score in the open and in the closed room."""
    rows: list[Row] = []
    for board, (first, second) in enumerate(scores, start=1):
        rows += [table(board, first, **columns), table(board, second, home=False, **columns)]
    return rows


def scored(rows: Sequence[Row], **policies: Any) -> Session:
    scoring = Scoring(**{"method": "teams", **policies})
    return rank(score(session(*rows), scoring), scoring)


def totals(result: Session) -> list[tuple[str, float]]:
    return result.standings.select("contestant", "total").rows()


def test_a_board_is_imped_between_the_two_tables() -> None:
    """Both tables show what their N-S team won on the board."""
    result = scored(boards((-460, -450), (-140, -500), (200, 450)))
    assert [0, 0, 8, -8, -6, 6] == result.results["points_ns"].to_list()
    assert [0, 0, -8, 8, 6, -6] == result.results["points_ew"].to_list()


def test_a_match_adds_its_boards_and_becomes_victory_points_by_the_clubs_own_scale() -> None:
    result = scored(boards((-460, -450), (-140, -500), (200, 450)), vp_scale="house", house_scale=HOUSE)
    assert [("Larks", "Owls", 3, 2, -2, 1200, 800)] == result.matches.select(
        *("team", "opponents", "boards", "points", "points_opponents", "victory_points", "victory_points_opponents")
    ).rows()
    assert [("Larks", 12), ("Owls", 8)] == totals(result)


def test_without_a_scale_teams_are_ranked_by_imps() -> None:
    assert [("Larks", 2), ("Owls", -2)] == totals(scored(boards((-460, -450), (-140, -500), (200, 450))))


def test_contestants_are_teams_where_no_teams_are_named() -> None:
    rows: list[Row] = [
        {"board": 1, "round": "1", "ns": "1", "ew": "2", "stated_score_ns": 620},
        {"board": 1, "round": "1", "ns": "2", "ew": "1", "stated_score_ns": 170},
    ]
    assert [("1", 10), ("2", -10)] == totals(scored(rows))


def test_the_match_of_each_round_is_one_of_its_own() -> None:
    result = scored([*boards((420, 170), round="1"), *boards((50, 170), round="2")], vp_scale="wbf", vp_boards=8)
    assert [6, -3] == result.matches["points"].to_list()
    assert 2 == result.standings.height


def test_a_match_that_lost_a_board_takes_the_scale_of_a_whole_match() -> None:
    long = boards(*[(420, 420)] * 8, round="1")
    short = boards(*[(420, 420)] * 6, (420, 170), round="2")
    result = scored([*long, *short], vp_scale="wbf")
    assert [(8, 1000), (7, 1242)] == result.matches.select("boards", "victory_points").rows()


def test_a_scale_that_does_not_fit_the_length_is_reported_and_imps_stay() -> None:
    result = scored(boards((420, 170)), vp_scale="acbl-20")
    assert ["vp-scale-unfit"] == result.problems["code"].to_list()
    assert [("Larks", 6), ("Owls", -6)] == totals(result)


def test_average_plus_is_three_imps_whatever_happened_at_the_other_table() -> None:
    result = scored(boards(("A+ A-", 620), ("A+ A+", "A+ A+"), ("A A", 50)))
    assert [(3, -3), (-3, 3), (3, 3), (3, 3), (0, 0), (0, 0)] == result.results.select("points_ns", "points_ew").rows()
    assert [("Larks", 6), ("Owls", 0)] == totals(result)


def test_both_sides_have_the_victory_points_of_their_own_imps() -> None:
    result = scored(boards(("A+ A+", 620)), vp_scale="house", house_scale=HOUSE)
    assert [("Larks", 13), ("Owls", 13)] == totals(result)


def test_a_board_with_one_table_does_not_count_and_is_reported() -> None:
    result = scored([*boards((420, 170)), table(2, 620)])
    assert ["board-one-table"] == result.problems["code"].to_list()
    assert [6, -6, None] == result.results["points_ns"].to_list()


@pytest.mark.parametrize("vulnerable", ["None", "All"])
def test_a_board_with_one_table_in_each_of_two_matches_is_reported_for_both(vulnerable: str) -> None:
    """Other matches may have played other cards."""
    rows = [table(1, 620, record=0), table(1, 170, record=1, team_ns="Robins", team_ew="Wrens")]
    records = [{"record": 0, "vulnerable": "None"}, {"record": 1, "vulnerable": vulnerable}]
    told = score(session(*rows, records=records), Scoring(method="teams")).problems.select("code", "message").rows()
    assert ["board-one-table"] * 2 == [code for code, _ in told]
    assert [(True, False), (False, True)] == [("Larks" in message, "Robins" in message) for _, message in told]


def test_a_team_that_sat_the_same_way_twice_has_nothing_to_compare() -> None:
    result = scored([table(1, 420), table(1, 170)])
    assert ["board-not-compared"] == result.problems["code"].to_list()
    assert result.standings.is_empty()


def test_a_result_of_no_known_team_is_not_compared() -> None:
    result = scored([*boards((420, 170)), {"board": 1, "stated_score_ns": 420}])
    assert ["board-not-compared"] == result.problems["code"].to_list()
    assert [("Larks", 6), ("Owls", -6)] == totals(result)


def test_tables_that_played_other_cards_are_not_compared() -> None:
    vulnerable = [{"record": 0, "vulnerable": "None"}, {"record": 1, "vulnerable": "All"}]
    scoring = Scoring(method="teams")
    rows = [table(1, 420), table(1, 620, home=False, record=1)]
    assert ["board-not-compared"] == score(session(*rows, records=vulnerable), scoring).problems["code"].to_list()


def test_teams_of_eight_compare_every_table_with_both_others() -> None:
    """The Larks' 620 and 170 N-S meet 650 and -100 E-W: -1 +12, -10 +7."""
    rows = [table(1, 620), table(1, 170), table(1, 650, home=False), table(1, -100, home=False)]
    assert [("Larks", 8), ("Owls", -8)] == totals(scored(rows))


def test_a_match_may_be_counted_in_points() -> None:
    assert [("Larks", 250), ("Owls", -250)] == totals(scored(boards((420, 170)), team_points="total-points"))


POINTS = st.sampled_from([-1100, -620, -100, 0, 50, 140, 420, 650, 1430])


@given(st.lists(st.tuples(POINTS, POINTS), min_size=1, max_size=8), st.randoms())
@pytest.mark.slow
def test_one_team_wins_what_the_other_loses_whatever_the_order_of_results(
    scores: list[tuple[int, int]], order: Any
) -> None:
    rows = boards(*scores)
    order.shuffle(rows)
    result = scored(rows, vp_scale="wbf", vp_boards=8)
    assert 2000 == sum(result.matches.select("victory_points", "victory_points_opponents").row(0))
    assert 0 == sum(result.matches.select("points", "points_opponents").row(0))
    assert sorted(totals(scored(boards(*scores), vp_scale="wbf", vp_boards=8))) == sorted(totals(result))


def test_a_file_that_names_teams_and_scores_by_imps_is_a_team_match() -> None:
    result = score(session(*boards((420, 170)), scoring="IMP"), Scoring())
    assert ("teams", 6) == (result.facts.method, result.results["points_ns"][0])


def test_pairs_keep_their_names_beside_their_teams() -> None:
    result = scored(boards((420, 170), ns="A - B", ew="C - D"))
    assert {"A - B"} == set(result.results["ns"])
    assert {"Larks", "Owls"} == set(result.standings["contestant"])


def test_a_session_without_matches_has_no_ranking() -> None:
    assert scored([]).standings.is_empty()


def test_a_lead_from_before_the_match_is_carried_over() -> None:
    """The match itself is what was won in it."""
    assert [("Owls", 3.0), ("Larks", -3.0)] == totals(carried(6, 19))
    assert (10.0, -10.0) == carried(6, 19).matches.select("points", "points_opponents").row(0)


def test_of_the_parts_of_a_match_the_first_carries() -> None:
    """The second part carries what the first one won, which is counted already."""
    assert [("Owls", 3.0), ("Larks", -3.0)] == totals(carried(16, 19, 6, 19))


def test_settings_come_before_what_files_carry_over() -> None:
    assert [("Larks", 17.0), ("Owls", -10.0)] == totals(
        carried(6, 19, carry_overs=[CarryOver(contestant="Larks", points=7)])
    )


def test_victory_points_carry_no_imps() -> None:
    assert [0.0, 0.0] == [
        standing["correction"] or 0.0 for standing in carried(6, 19, vp_scale="wbf").standings.to_dicts()
    ]


def carried(*imps: int, **policies: Any) -> Session:
    """Score a board that the Larks win by 10 IMPs in a match of parts that state these IMPs, home team first."""
    parts = [
        {"record": part, "home_team": "Larks", "visit_team": "Owls", "home_carry": home, "visit_carry": away}
        for part, (home, away) in enumerate(zip(imps[::2], imps[1::2], strict=True))
    ]
    scoring = Scoring(**{"method": "teams", **policies})
    return rank(score(session(*boards((430, -50)), records=parts), scoring), scoring)


BOARD_A_MATCH = Scoring(method="bam")


def board_a_match(rows: Sequence[Row]) -> Session:
    return rank(score(session(*rows), BOARD_A_MATCH), BOARD_A_MATCH)


def test_a_board_is_won_tied_or_lost_whatever_the_margin() -> None:
    lines = board_a_match(boards((420, 430), (170, -800), (50, 50))).results
    assert [(0, 2), (2, 0), (2, 0), (0, 2), (1, 1), (1, 1)] == lines.select("points_ns", "points_ew").rows()
    assert [2] * 6 == lines["top"].to_list()


def test_a_match_of_six_boards_shares_twelve_points() -> None:
    result = board_a_match(boards((420, 430), (170, 180), (50, 100), (0, 10), (-50, 0), (620, 170)))
    assert [("Owls", 10, 6), ("Larks", 2, 6)] == result.standings.select("contestant", "total", "boards").rows()
    assert 100 * 10 / 12 == result.standings["percentage"][0]


def test_an_adjusted_board_is_a_share_of_two() -> None:
    result = board_a_match(boards(("A+ A-", 620)))
    assert [("Larks", 1.2), ("Owls", 0.8)] == result.standings.select("contestant", "total").rows()


@given(st.lists(st.tuples(POINTS, POINTS), min_size=1, max_size=10))
def test_both_teams_share_two_points_a_board(scores: list[tuple[int, int]]) -> None:
    assert 2 * len(scores) == board_a_match(boards(*scores)).standings["total"].sum()
