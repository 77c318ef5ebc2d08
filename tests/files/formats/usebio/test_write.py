"""USEBIO as national bodies take it: what is written, and that it reads back to the same session."""

from dataclasses import replace

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from overtrick.core.bridge.methods import MethodName
from overtrick.core.config import Config, Scoring
from overtrick.core.frames import RESULTS, Session, conform
from overtrick.files.assemble.gather import gather
from overtrick.files.formats.usebio.reader import read_usebio
from overtrick.files.formats.usebio.write import write_usebio
from overtrick.judge.rank import rank
from overtrick.judge.score import score
from tests.support.builders import Row, session, traveller
from tests.support.commands import FIXTURES
from tests.support.evaluating import evaluate
from tests.support.machine_files import SUIT_EACH
from tests.support.reading import codes

PLAYED = "section board ns ew level strain doubled declarer tricks lead score_ns points_ns points_ew".split()


def scored(plain: Session, method: MethodName | None = None) -> Session:
    rules = Scoring(method=method)
    return rank(score(plain, rules), rules)


def again(written: bytes) -> Session:
    """Read what was written as if it stood in a file."""
    read = read_usebio(written)
    assert [] == codes(read.problems)
    return scored(gather(Session(records=read.records, results=read.results, contestants=read.contestants)))


def listed(of: Session) -> list[tuple[object, ...]]:
    return of.results.select(PLAYED).sort(PLAYED).rows()


def standings(of: Session) -> list[tuple[object, ...]]:
    ours = of.standings.select(pl.exclude("^stated_.*$"))
    return ours.sort("ranking", "rank", "contestant").rows()


@pytest.mark.parametrize(
    "name", ["club-evening.pbn", "butler-evening.pbn", "adjusted-scores.pbn", "passed-out-board.pbn"]
)
def test_an_evening_reads_back_to_the_same_session(name: str) -> None:
    first = evaluate([str(FIXTURES / name)], Config())
    second = again(write_usebio(first).content)
    held = first.results.filter(~pl.col("status").is_in(["not played", "bye"]))
    assert listed(Session(results=held)) == listed(second)
    assert standings(first) == standings(second)
    assert (first.facts.event, first.facts.date) == (second.facts.event, second.facts.date)


RESULT = st.tuples(
    st.integers(1, 7),
    st.sampled_from(["C", "D", "H", "S", "NT"]),
    st.integers(0, 2),
    st.sampled_from("NESW"),
    st.integers(0, 13),
)


@pytest.mark.parametrize("method", ["matchpoints", "cross-imps", "aggregate"])
@given(boards=st.lists(st.lists(RESULT, min_size=3, max_size=3), min_size=1, max_size=3))
@pytest.mark.slow
def test_any_results_read_back(method: MethodName, boards: list[list[tuple[int, str, int, str, int]]]) -> None:
    rows: list[Row] = [
        {
            "record": n,
            "board": n + 1,
            "ns": str(table),
            "ew": str(10 + table),
            "level": level,
            "strain": strain,
            "doubled": doubled,
            "declarer": declarer,
            "tricks": tricks,
        }
        for n, tables in enumerate(boards)
        for table, (level, strain, doubled, declarer, tricks) in enumerate(tables)
    ]
    records: list[Row] = [{"record": n, "board": n + 1, "board_label": str(n + 1)} for n in range(len(boards))]
    first = scored(gather(session(*rows, records=records)), method)
    second = again(write_usebio(first).content)
    assert listed(first) == listed(second)
    assert [row[3:] for row in standings(first)] == [row[3:] for row in standings(second)]


def test_members_keep_their_numbers_and_names_nothing_dangerous() -> None:
    people: list[Row] = [{"contestant": "1", "names": "Ann <Berg> & co - ?", "members": "12 - 34"}]
    text = write_usebio(scored(session(*traveller(1, [420, 450]), contestants=people))).content.decode()
    assert "Ann &lt;Berg&gt; &amp; co" in text
    assert [("1", "Ann <Berg> & co - ?", "12 - 34")] == (
        read_usebio(text.encode()).contestants.select("contestant", "names", "members").drop_nulls().rows()
    )


@pytest.mark.parametrize("names", ["? - Ann Berg", "Ann Berg - ?"])
def test_an_unknown_player_keeps_the_place_beside_the_known_one(names: str) -> None:
    people: list[Row] = [{"contestant": "1", "names": names}]
    written = write_usebio(scored(session(*traveller(1, [420, 450]), contestants=people))).content
    assert [names] == read_usebio(written).contestants["names"].drop_nulls().to_list()


def test_places_that_are_shared_are_marked() -> None:
    assert 4 == write_usebio(scored(session(*traveller(1, [420, 420])))).content.decode().count("<PLACE>1=</PLACE>")


def test_masterpoints_that_a_file_states_are_written_back() -> None:
    first = evaluate([str(FIXTURES / "spring-pairs.xml")], Config())
    stated = pl.Series("stated_awards", ["17 green; 5 black", *[None] * (first.contestants.height - 1)], pl.String)
    written = write_usebio(replace(first, contestants=first.contestants.with_columns(stated))).content
    assert ["17 green; 5 black"] == read_usebio(written).contestants["stated_awards"].drop_nulls().to_list()


def test_sections_stand_by_themselves() -> None:
    rows = [row for section in "AB" for row in traveller(1, [420, 450], section=section)]
    text = write_usebio(scored(session(*rows))).content.decode()
    assert ["A", "B"] == sorted(read_usebio(text.encode()).records["section"].to_list())


def test_hands_are_written_with_their_board() -> None:
    records: list[Row] = [{"record": 0, "board": 1, "board_label": "1", "deal": SUIT_EACH}]
    text = write_usebio(scored(session(*traveller(1, [420, 450]), records=records))).content.decode()
    assert [SUIT_EACH] == read_usebio(text.encode()).records["deal"].to_list()


def players(*numbers: int) -> Row:
    return {f"player_{seat}": str(number) for seat, number in zip("nesw", numbers, strict=True)}


def test_a_match_has_its_two_teams_and_how_they_sat() -> None:
    rows: list[Row] = [
        {"board": 1, "round": "1", "ns": "11", "ew": "22", "team_ns": "A", "team_ew": "B", "stated_score_ns": 420},
        {"board": 1, "round": "1", "ns": "21", "ew": "12", "team_ns": "B", "team_ew": "A", "stated_score_ns": 170},
        {"board": 2, "round": "2", "ns": "A", "ew": "C", "team_ns": "A", "team_ew": "C", "stated_score_ns": 50},
    ]
    text = write_usebio(scored(session(*rows, contestants=[{"contestant": "A", "names": "Aces"}]))).content.decode()
    assert 'EVENT_TYPE="SWISS_TEAMS"' in text
    read = read_usebio(text.encode())
    assert [("1", "11", "22", "A", "B"), ("1", "21", "12", "B", "A"), ("2", "A", "C", "A", "C")] == (
        read.results.select("round", "ns", "ew", "team_ns", "team_ew").rows()
    )
    assert ("A", "Aces") in read.contestants.select("contestant", "names").rows()


def test_an_individual_has_players_in_place_of_pairs() -> None:
    rows: list[Row] = [
        {"board": 1, "ns": "1+2", "ew": "3+4", "stated_score_ns": 420, **players(1, 3, 2, 4)},
        {"board": 1, "ns": "5+6", "ew": "7+8", "stated_score_ns": 450, **players(5, 7, 6, 8)},
    ]
    text = write_usebio(scored(session(*rows, contestants=[{"contestant": "1", "names": "Ann"}]))).content.decode()
    assert 'EVENT_TYPE="INDIVIDUAL"' in text
    read = read_usebio(text.encode())
    assert [("1", "3", "2", "4"), ("5", "7", "6", "8")] == (
        read.results.select("player_n", "player_e", "player_s", "player_w").rows()
    )
    assert {str(number): "Ann" if number == 1 else None for number in range(1, 9)} == dict(
        read.contestants.select("contestant", "names").rows()
    )


def test_what_usebio_cannot_hold_is_named() -> None:
    rows: list[Row] = [
        {"board": 1, "ns": "1", "ew": "2", "stated_score_ns": 420, "vulnerable": "All"},
        {"board": 1, "ns": "3", "ew": "4", "status": "not played"},
        {"board": 2, "ns": "5", "ew": "6", "status": "adjusted", "award_ns": "66.5%", "award_ew": "33.5%"},
    ]
    written = write_usebio(scored(session(*rows)))
    assert ["format-not-written", "written-changed", "written-changed"] == codes(written.problems)


def test_a_session_without_results_is_written_too() -> None:
    assert ["file-no-games"] == codes(
        read_usebio(write_usebio(Session(results=conform(RESULTS, pl.DataFrame()))).content).problems
    )
