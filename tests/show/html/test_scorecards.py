"""Scorecards: every board of a pair from its own side."""

from dataclasses import replace

import polars as pl
import pytest

from overtrick.core.config import Config
from overtrick.core.frames import CONTESTANTS, Session
from overtrick.show.html.scorecards import Scorecard
from tests.support.builders import frame, results
from tests.support.public import make_session_page
from tests.support.render_sample import bid, evening, line, points


def card(pair: str, session: Session | None = None) -> Scorecard:
    cards = make_session_page(session or evening(), Config()).scorecards
    return next(one for one in cards if one.contestant.id == pair)


def marks(session: Session, side: str) -> list[str]:
    """Return the marks of the pairs 1, 2, 3 ... of a side on the one board of a session."""
    first = 1 if side == "NS" else 101
    return [card(str(number), session).rows[0].mark for number in range(first, first + session.results.height)]


def board(*points: float | None) -> Session:
    """Make a session of one board on which N-S pairs 1, 2, 3 ... earned these points of ten."""
    lines = [
        line(1, n, str(n), str(100 + n), points_ns=p, points_ew=None if p is None else 10 - p)
        | bid("4S", "N", 10, 420)
        | ({"status": "not played"} if p is None else {})
        for n, p in enumerate(points, start=1)
    ]
    return Session(results=results(*lines))


def test_scores_are_seen_from_the_pairs_own_side() -> None:
    assert ["+400", "A+", "+980", ""] == [row.score for row in card("3").rows]
    assert ["\u2212420", "A\u2212", ""] == [row.score for row in card("11").rows]


def test_boards_come_in_the_order_of_rounds_then_numbers() -> None:
    first_round = evening().results.with_columns(
        round=pl.when(pl.col("board") == 3).then(pl.lit("2")).otherwise(pl.lit("10"))
    )
    assert ["3", "1", "2", "4"] == [row.board for row in card("3", replace(evening(), results=first_round)).rows]


def test_a_scorecard_links_to_boards_and_opponents() -> None:
    row = card("3").rows[0]
    assert ("board-1/index.html", "Kay Wells – Leo Stone", "pair-13/index.html") == (
        *(row.board_page, row.opponents.names, row.opponents.page),
    )


def test_a_bye_has_no_opponents() -> None:
    bye = card("2").rows[2]
    assert ("3", "Bye", "") == (bye.board, bye.remark, bye.opponents.id)


def test_total_and_place_are_those_of_the_standings() -> None:
    one = card("3")
    assert ("2=", "4.4", "44.00", "3", "N-S") == (one.rank, one.total, one.percentage, one.boards, one.direction)


def test_one_best_and_one_worst_line_of_a_board_are_marked() -> None:
    assert ["top", "", "bottom"] == marks(board(9, 5, 1), "NS")
    assert ["bottom", "", "top"] == marks(board(9, 5, 1), "EW")


@pytest.mark.parametrize(
    "points", [(5, 5, 5), (9, 9, 1, 1), (9, 1), (9, 1, None)], ids=["flat", "shared", "two tables", "two played"]
)
def test_nothing_is_marked_without_a_single_best_or_worst_result(points: tuple[float | None, ...]) -> None:
    assert {""} == set(marks(board(*points), "NS"))


def test_an_artificial_score_is_no_top() -> None:
    awarded = [{"status": "adjusted", "award_ns": "A+", "points_ns": 10.0}]
    session = board(9, 5, 1)
    session = replace(session, results=results(*session.results.to_dicts(), line(1, 4, "4", "104", **awarded[0])))
    assert ["top", "", "bottom", ""] == marks(session, "NS")


def individual() -> Session:
    """Make an individual: four players change partners over two boards."""
    seats = ("player_n", "player_e", "player_s", "player_w")
    turns = (("1", "2", "3", "4"), ("1", "3", "2", "4"))
    return Session(
        results=results(
            *(
                line(
                    n,
                    1,
                    f"{turn[0]}-{turn[2]}",
                    f"{turn[1]}-{turn[3]}",
                    **bid("4S", "N", 10, 420),
                    **dict(zip(seats, turn, strict=True)),
                    **points(3),
                )
                for n, turn in enumerate(turns, start=1)
            )
        )
    )


def test_a_player_of_an_individual_has_a_card_with_every_partner() -> None:
    three = card("3", individual())
    assert [("N-S", "1", "2 \u2013 4"), ("E-W", "4", "1 \u2013 2")] == [
        (row.direction, row.partner.id if row.partner else "", row.opponents.names) for row in three.rows
    ]


def test_a_player_of_an_individual_sees_how_it_went_with_each_partner() -> None:
    three = card("3", individual())
    assert [one.names for one in dict.fromkeys(row.partner for row in three.rows if row.partner)] == [
        one.partner.names for one in three.partners
    ]
    assert ["1"] * len(three.partners) == [one.boards for one in three.partners]


def test_a_player_of_an_individual_sees_how_it_went_against_each_opponent() -> None:
    three = card("3", individual())
    met = {player.names for row in three.rows for player in row.opponents.players}
    assert met == {one.partner.names for one in three.opponents}


def test_only_the_players_of_an_individual_have_cards() -> None:
    assert ["1", "2", "3", "4"] == [one.contestant.id for one in make_session_page(individual(), Config()).scorecards]


def test_a_team_s_card_has_both_tables_and_counts_a_board_once() -> None:
    teams = [{"team_ns": "Reds", "team_ew": "Blues"}, {"team_ns": "Blues", "team_ew": "Reds"}]
    points = [{"points_ns": 10.0, "points_ew": -10.0}, {"points_ns": -10.0, "points_ew": 10.0}]
    lines = [
        line(1, n, f"{n}", f"{10 + n}", **bid("4S", "N", 10, 420), **teams[n - 1], **points[n - 1]) for n in (1, 2)
    ]
    reds = card("Reds", Session(results=results(*lines), contestants=frame(CONTESTANTS, [{"contestant": "Reds"}])))
    assert [("N-S", ""), ("E-W", "10")] == [(row.direction, row.points) for row in reds.rows]


def test_a_percentage_below_nought_is_shown_with_its_sign() -> None:
    """A pair whose penalties exceed its score has one."""
    card = make_session_page(evening(), Config()).scorecards[0]
    assert "−50" in replace(card, percentage="−50.00").percentage_short
