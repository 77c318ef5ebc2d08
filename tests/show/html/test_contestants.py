"""Contestants: numbers that repeat in both directions or in several sections, and numbers that no list has."""

from dataclasses import replace

import polars as pl

from overtrick.core.config import Config
from overtrick.core.frames import CONTESTANTS, STANDINGS, Session
from overtrick.show.html.contestants import NOBODY, Anchors, ContestantRef, Contestants
from overtrick.show.html.html import render_site
from tests.support.builders import Row, frame, results, traveller
from tests.support.public import make_session_page
from tests.support.render_sample import evening

NO_PLAYERS = dict.fromkeys(("player_n", "player_e", "player_s", "player_w"))


def session(*lines: Row, contestants: tuple[Row, ...] = (), standings: tuple[Row, ...] = ()) -> Session:
    return replace(
        Session(),
        results=results(*lines),
        contestants=frame(CONTESTANTS, contestants),
        standings=frame(STANDINGS, standings),
    )


def slugs(everyone: Contestants) -> list[str]:
    return [one.slug for one in everyone]


def test_a_pair_is_named_by_its_players_and_its_number() -> None:
    everyone = Contestants(session(contestants=({"contestant": "7", "names": "Ada Moss - Bo Lind"},)))
    ref = everyone.link(everyone.find("7", "NS", None))
    assert ContestantRef("7", "Ada Moss – Bo Lind", "pair-7/index.html") == ref
    assert "7" == ref.number


def test_a_pair_without_names_is_named_by_its_number_alone() -> None:
    everyone = Contestants(session(*traveller(1, [100])))
    ref = everyone.link(everyone.find("101", "EW", None))
    assert ("101", "") == (ref.names, ref.number)


def test_the_same_number_in_both_directions_is_two_pairs_when_both_are_ranked() -> None:
    ranked = tuple({"ranking": seats, "contestant": "3", "direction": seats} for seats in ("NS", "EW"))
    listed = tuple({"contestant": "3", "direction": seats, "names": f"{seats} pair"} for seats in ("NS", "EW"))
    everyone = Contestants(session(*traveller(1, [100]), contestants=listed, standings=ranked))
    assert ["pair-1", "pair-ew-3", "pair-ns-3", "pair-101"] == slugs(everyone)
    assert "EW pair" == everyone.link(everyone.find("3", "EW", None)).names


def test_the_same_number_in_two_sections_is_two_pairs() -> None:
    listed = tuple({"contestant": "1", "section": section, "names": f"of {section}"} for section in ("A", "B"))
    everyone = Contestants(session(contestants=listed))
    assert ["pair-a-1", "pair-b-1"] == slugs(everyone)
    assert "of B" == everyone.link(everyone.find("1", "NS", "B")).names


def test_sections_with_rankings_of_their_own_have_pairs_of_their_own() -> None:
    ranked = tuple({"ranking": f"{section} all", "contestant": "1"} for section in ("A", "B"))
    assert ["pair-a-1", "pair-b-1"] == slugs(Contestants(session(standings=ranked)))


def test_a_pair_of_a_one_winner_field_is_one_however_it_sat() -> None:
    listed: Row = {"contestant": "1", "direction": "NS", "names": "Ada Moss - Bo Lind"}
    everyone = Contestants(session(contestants=(listed,), standings=({"ranking": "all", "contestant": "1"},)))
    assert ["pair-1"] == slugs(everyone)
    assert everyone.find("1", "NS", None) == everyone.find("1", "EW", "A")
    assert "Ada Moss – Bo Lind" == everyone.link(everyone.find("1", "EW", None)).names


def test_an_unknown_number_is_nobody() -> None:
    everyone = Contestants(session())
    assert everyone.find("9", "NS", None) is None
    assert everyone.find(None, "NS", None) is None
    assert everyone.link(None) == NOBODY


def test_pairs_come_in_the_order_of_their_numbers() -> None:
    listed = tuple({"contestant": number} for number in ("10", "2", "1"))
    assert ["pair-1", "pair-2", "pair-10"] == slugs(Contestants(session(contestants=listed)))


def test_a_page_links_to_a_contestant_once() -> None:
    everyone = Contestants(session(contestants=({"contestant": "7"},)))
    anchors = Anchors()
    seven = everyone.find("7", "NS", None)
    assert ["pair-7", "", ""] == [anchors.take(seven), anchors.take(seven), anchors.take(None)]


def test_a_substitute_is_named_in_the_ranking_and_on_the_scorecard() -> None:
    first = pl.when(pl.col("contestant") == "1").then(pl.lit("Zed Yang - Bo Lind"))
    noted = evening().contestants.with_columns(first.alias("substitutes"))
    site = render_site(make_session_page(replace(evening(), contestants=noted), Config()))
    assert b"Substitute: Zed Yang for Bo Lind" in site["index.html"]
    assert b"Substitute: Zed Yang for Bo Lind" in site["pair-1/index.html"]


def test_one_number_in_two_sections_has_the_names_of_each() -> None:
    listed = tuple(
        {"contestant": "1", "section": section, "names": names}
        for section, names in (("A", "Ada - Bo"), ("B", "Cy - Di"))
    )
    lines = [{"section": section, "ns": "1", "ew": "2", **NO_PLAYERS} for section in "AB"]
    assert {"A|ns|1": "Ada – Bo", "B|ns|1": "Cy – Di"} == Contestants(session(contestants=listed)).name_sides(lines)
