"""The hardest contracts and the best leads of a season, against a computation by hand."""

from collections import defaultdict
from dataclasses import replace
from random import Random
from statistics import mean, stdev

import polars as pl
import pytest

from overtrick.core.config import Config
from overtrick.core.frames import ANALYSIS, Session, blank
from overtrick.judge.people.performance import ENOUGH_BOARDS, SLICES, find_best_leaders, find_hardest, measure
from overtrick.judge.people.season import Evening, Season, gather, note_evening, read_notes, write_notes
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


VALUES = ("expected", "lead_value", "declarer_value", "defence_value")
PARTS = [{name: Random(f"{name} {number}").randint(-9, 9) for name in VALUES} for number in range(len(TABLES))]
"""Of each table, what the contract, the lead, declarer and the defenders brought N-S, in sixths of a matchpoint."""


def parted(played: Session) -> Session:
    """Return the session with these parts, and every card known."""
    found = analysed(played).analysis
    return replace(
        played,
        analysis=found.with_columns(
            *(pl.Series(name, [row[name] for row in PARTS], ANALYSIS[name].dtype) for name in VALUES),
            swing=pl.Series([sum(row.values()) for row in PARTS], dtype=pl.Int64),
            swing_ew=pl.Series([-sum(row.values()) for row in PARTS], dtype=pl.Int64),
            unknown_value=pl.lit(0, pl.Int64),
            denominator=pl.lit(6, pl.Int64),
            costs=pl.lit([], ANALYSIS["costs"].dtype),
            lead_cost=pl.lit(0, pl.UInt8),
        ),
    )


def list_by_hand(name: str) -> list[tuple[dict[str, str], dict[str, float]]]:
    """Return each board of a player: what it is told apart by, and its parts in per cent of the top of 2."""
    boards = []
    for (_, table, contract, declarer, _), row in zip(TABLES, PARTS, strict=True):
        if name in NAMES[table]:
            seat = SEATS[NAMES[table].index(name)]
            sign = 50 / 6 if seat in "NS" else -50 / 6
            declares = (seat in "NS") == (declarer in "NS")
            defence = row["lead_value"] + row["defence_value"]
            cards, others = (row["declarer_value"], defence) if declares else (defence, row["declarer_value"])
            of = {"strain": contract[1:], "bonus": "games" if contract == "4S" else "part scores", "seat": seat}
            parts = {"total": sum(row.values()), "bidding": row["expected"], "cards": cards, "opponents": others}
            boards.append((of, {part: value * sign for part, value in parts.items()}))
    return boards


@pytest.mark.parametrize("name", [*NAMES[1], *NAMES[2]])
def test_the_parts_of_a_season_are_told_apart_by_strain_level_seat_and_partner(name: str, played: Session) -> None:
    people = season(parted(played))
    (key,) = (key for key, person in people.identities.people.items() if person.name == name)
    found = {(one.by, one.name): one.parts for one in measure(people, "person")[key].slices}
    boards, everybody = list_by_hand(name), [*NAMES[1], *NAMES[2]]
    expected: dict[tuple[str, str], list[dict[str, float]]] = defaultdict(list)
    for of, parts in boards:
        for by, value in of.items():
            expected[by, value].append(parts)
    (partner,) = (key for by, key in found if by == "partner")
    here = next(players for players in NAMES.values() if name in players)
    assert here[(here.index(name) + 2) % 4] == people.identities.people[partner].name
    expected["partner", partner] = [parts for _, parts in boards]
    enough = {at: rows for at, rows in expected.items() if len(rows) >= ENOUGH_BOARDS}
    assert enough.keys() == found.keys()
    assert set(SLICES) == {by for by, _ in found}
    for at, rows in enough.items():
        for part, interval in found[at].items():
            values = [row[part] for row in rows]
            assert len(values) == interval.count
            assert interval.mean == pytest.approx(mean(values))
            assert interval.margin is not None
            of_all = stdev(parts[part] for who in everybody for _, parts in list_by_hand(who))
            deviation = max(stdev(values), of_all)
            assert 1.9 < interval.margin * len(values) ** 0.5 / deviation < 2.1


def test_a_partnership_has_neither_a_seat_nor_a_partner(played: Session) -> None:
    slices = [one.by for found in measure(season(parted(played)), "pair").values() for one in found.slices]
    assert {"strain", "bonus"} == set(slices)


def test_few_boards_say_nothing_of_a_player(played: Session) -> None:
    few = parted(played)
    few = replace(
        few, results=few.results.head(2 * ENOUGH_BOARDS - 2), analysis=few.analysis.head(2 * ENOUGH_BOARDS - 2)
    )
    assert all(not one.slices and not one.figures for one in measure(season(few), "person").values())


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


def test_the_evenings_against_an_opponent_are_known(played: Session) -> None:
    first = noted(played)
    later = replace(first, folder="two", date="2026.03.09")
    for evenings, numbers in (([first], (0,)), ([later, first], (0, 1))):
        found = measure(gather(evenings, Config()), "person")
        assert {numbers} == {tuple(met) for one in found.values() for met in one.met.values()}
        assert all(one.met.keys() == one.rivals.keys() for one in found.values())


def test_a_season_without_analysis_lists_nothing(played: Session) -> None:
    people = season(played)
    assert ([], []) == (find_hardest(people), [*find_best_leaders(people)])


def test_notes_without_these_columns_are_made_again(played: Session) -> None:
    old = noted(played)
    with pytest.raises(ValueError, match="other columns"):
        read_notes(write_notes(Evening(**{**vars(old), "lines": old.lines.drop("dd_tricks", "lead_gain")})))
