"""Rankings as tables."""

from dataclasses import replace

import pytest

from overtrick.core.frames import STANDINGS, Session
from overtrick.show.html.contestants import Contestants
from overtrick.show.html.ranking_tables import Ranking, make_rankings, match_standings
from overtrick.show.html.result_lines import choose_points_form
from tests.support.builders import frame
from tests.support.pdf_sample import sample_page
from tests.support.render_sample import FACTS, evening


def tables(session: Session) -> tuple[Ranking, ...]:
    everyone = Contestants(session)
    return make_rankings(match_standings(session, everyone), everyone, choose_points_form(session))


def titles(*names: str) -> list[str]:
    rows = [{"ranking": name, "rank": 1, "contestant": str(n), "total": 0} for n, name in enumerate(names)]
    return [table.title for table in tables(Session(standings=frame(STANDINGS, rows)))]


def test_two_winners_are_two_tables_in_the_order_of_the_standings() -> None:
    assert [("NS", ["1", "3", "2"]), ("EW", ["12", "13", "11"])] == [
        (table.name, [row.contestant.id for row in table.rows]) for table in tables(evening())
    ]


def test_shared_places_are_marked() -> None:
    assert ["1", "2=", "2="] == [row.rank for row in tables(evening())[0].rows]


def test_totals_show_as_many_places_as_they_need_and_percentages_two() -> None:
    assert [("6.0", "75.00"), ("4.0", "50.13"), ("1.6", "20.00")] == [
        (row.total, row.percentage) for row in tables(evening())[1].rows
    ]


def test_imps_have_a_sign_and_no_percentage() -> None:
    rows = [
        {"ranking": "all", "rank": n, "contestant": str(n), "total": total}
        for n, total in enumerate((12, 0, -7), start=1)
    ]
    butler = Session(standings=frame(STANDINGS, rows), facts=replace(FACTS, method="butler"))
    assert [("+12", ""), ("0", ""), ("\u22127", "")] == [(row.total, row.percentage) for row in tables(butler)[0].rows]


@pytest.mark.parametrize(
    ("headings", "names"),
    [
        (["Ranking"], ["all"]),
        (["North-South", "East-West"], ["NS", "EW"]),
        (["Section A, North-South", "Section B"], ["A NS", "B all"]),
        (["Ladies"], ["Ladies"]),
    ],
)
def test_rankings_have_readable_titles(headings: list[str], names: list[str]) -> None:
    assert headings == titles(*names)


def test_a_pair_that_is_ranked_twice_is_linked_to_once() -> None:
    rows = [{"ranking": name, "rank": 1, "contestant": "7"} for name in ("all", "Ladies")]
    assert ["pair-7", ""] == [table.rows[0].anchor for table in tables(Session(standings=frame(STANDINGS, rows)))]


def test_pairs_that_share_the_first_place_are_all_winners() -> None:
    ranking = sample_page(boards=0, tables=3).rankings[0]
    shared = tuple(replace(row, rank=rank) for row, rank in zip(ranking.rows, ("1=", "1=", "3"), strict=True))
    assert shared[:2] == replace(ranking, rows=shared).winners


def test_nobody_wins_where_nobody_is_ranked() -> None:
    ranking = sample_page(boards=0, tables=2).rankings[0]
    assert () == replace(ranking, rows=tuple(replace(row, rank="") for row in ranking.rows)).winners
    assert () == replace(ranking, rows=()).winners
