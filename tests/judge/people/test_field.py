"""The hardest contracts and the best leads of a season, against a computation by hand."""

from collections import defaultdict
from dataclasses import replace
from random import Random
from statistics import mean, stdev

import polars as pl
import pytest

from overtrick.core.config import Config
from overtrick.core.frames import ANALYSIS, Session, blank
from overtrick.judge.people.evening import Evening, note_evening, read_notes, write_notes
from overtrick.judge.people.performance import find_best_leaders, find_hardest
from overtrick.judge.people.season import Season, gather
from overtrick.pipeline import evaluate
from tests.support.pbn_texts import session

SEATS = "NESW"
NAMES = {1: ("Ann Ash", "Eve Elm", "Sue Sky", "Wim Wren"), 2: ("Nat Nut", "Ed Eel", "Sam Sun", "Wes Wolf")}
"""By table, the players from North on."""

TABLES = [
    (board, table, Random(board).choice(["1NT", "4S"]), SEATS[board % 4], 6 + board * table % 4)
    for board in range(1, 81)
    for table in NAMES
]
"""Board, table, contract, declarer and tricks."""

DOUBLE_DUMMY = [8 if contract == "1NT" else 10 for _, _, contract, _, _ in TABLES]
COSTS = [Random(number).choice([None, 0, 0, 1, 2]) for number in range(len(TABLES))]

GAME = """[Date "2026.03.02"]
[Board "{board}"]
[Table "{table}"]
[North "{names[0]}"]
[East "{names[1]}"]
[South "{names[2]}"]
[West "{names[3]}"]
[Dealer "N"]
[Vulnerable "None"]
[Contract "{contract}"]
[Declarer "{declarer}"]
[Result "{tricks}"]

"""


@pytest.fixture(scope="module")
def played() -> Session:
    texts = [
        GAME.format(board=board, table=table, names=NAMES[table], contract=contract, declarer=declarer, tricks=tricks)
        for board, table, contract, declarer, tricks in TABLES
    ]
    return evaluate(session("".join(texts)), Config())


def analysed(played: Session) -> Session:
    found = blank(ANALYSIS, len(TABLES)).with_columns(
        pl.Series("dd_tricks", DOUBLE_DUMMY, ANALYSIS["dd_tricks"].dtype),
        pl.Series("lead_cost", COSTS, ANALYSIS["lead_cost"].dtype),
    )
    return replace(played, analysis=found)


def noted(played: Session) -> Evening:
    return read_notes(write_notes(note_evening(played, "one", ["pair"] * played.standings.height)))


def season(played: Session) -> Season:
    return gather([noted(played)], Config())


def test_contracts_are_ordered_by_their_tricks_against_double_dummy(played: Session) -> None:
    against = defaultdict(list)
    for (_, _, contract, _, tricks), best in zip(TABLES, DOUBLE_DUMMY, strict=True):
        against[contract].append(tricks - best)
    expected = sorted((mean(values), len(values), stdev(values), name) for name, values in against.items())
    found = find_hardest(season(analysed(played)))
    assert [name for *_, name in expected] == [f"{level}{strain}" for level, strain, _ in found]
    assert [count for _, count, *_ in expected] == [interval.count for *_, interval in found]
    assert [against for against, *_ in expected] == pytest.approx([interval.mean for *_, interval in found])


def test_a_lead_counts_for_its_player_against_the_other_leads_of_the_deal(played: Session) -> None:
    won = defaultdict(list)
    for board in range(1, 81):
        here = [(row, cost) for row, cost in zip(TABLES, COSTS, strict=True) if row[0] == board and cost is not None]
        if len(here) == 2:
            for (_, table, _, declarer, _), cost in here:
                leader = NAMES[table][(SEATS.index(declarer) + 1) % 4]
                won[leader].append(mean(cost for _, cost in here) - cost)
    expected = {name: gains for name, gains in won.items() if len(gains) >= 10 and mean(gains) > 0}
    people = season(analysed(played))
    found = {people.show(key): one for key, one in find_best_leaders(people)}
    assert expected
    assert {name: len(gains) for name, gains in expected.items()} == {name: one.count for name, one in found.items()}
    assert {name: mean(gains) for name, gains in expected.items()} == pytest.approx(
        {name: one.mean for name, one in found.items()}
    )


def test_a_season_without_analysis_lists_nothing(played: Session) -> None:
    people = season(played)
    assert ([], []) == (find_hardest(people), [*find_best_leaders(people)])


def test_notes_without_these_columns_are_made_again(played: Session) -> None:
    old = noted(played)
    with pytest.raises(ValueError, match="other columns"):
        read_notes(write_notes(Evening(**{**vars(old), "lines": old.lines.drop("dd_tricks", "lead_gain")})))
