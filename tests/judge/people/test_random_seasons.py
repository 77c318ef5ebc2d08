"""Random seasons: every place is that of a scorer that shares no line of code with ours."""

from collections.abc import Mapping
from datetime import date
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import polars as pl
import pytest

from overtrick.core.config import Config
from overtrick.core.config.members import Member
from overtrick.core.notation import read_date
from overtrick.judge.people.outlook import look_ahead
from overtrick.judge.people.season import ENTRIES, LINES, Evening, Season, gather
from overtrick.judge.people.series import Table, make_table
from tests.support.season_scorer import PEOPLE, Placed, draw_rules, play, score_further, score_series
from tests.support.season_scorer import Season as Played
from tests.support.sweeps import sample

FORMS = ("%Y.%m.%d", "%Y-%m-%d", "%Y%m%d", "%d.%m.%Y", "%d %B %Y", "%Y/%m/%d")


def note(season: Played, lot: Random) -> list[Evening]:
    """Return the notes of the evenings, their dates written in any form."""
    evenings = []
    for day, lines in season.items():
        rows = []
        for number, line in enumerate(lines):
            better = sum(other.percentage > line.percentage for other in lines)
            equal = sum(other.percentage == line.percentage for other in lines)
            rows.append({
                "entry": number, "ranking": "all", "rank": better + 1, "rank_last": better + equal,
                "field": len(lines), "total": 0.0, "percentage": float(line.percentage), "boards": 24, "club": None,
                "page": f"pair-{number}", "kind": "pairs", "awards": None, "names": [line.first, line.second],
                "numbers": ["", ""],
            })  # fmt: skip
        frames = pl.DataFrame(rows, ENTRIES), pl.DataFrame(schema=LINES)
        evenings.append(
            Evening(f"{lot.random()}", "Cup", read_date(day.strftime(lot.choice(FORMS))), None, "MP", *frames)
        )
    return evenings


def place(season: Season, table: Table) -> list[Placed]:
    """Return the rows of a table as the independent scorer has them."""
    return [
        Placed(
            tuple(sorted(season.person(key).name for key in row.keys)), row.rank, row.rank_last, row.total
        )
        for row in table.rows
    ]  # fmt: skip


def gathered(seed: int, handicaps: Mapping[str, int], rules: Mapping[str, Any]) -> tuple[Season, Config]:
    played, _ = play(seed)
    members = tuple(Member(name, handicap=float(handicaps[name]), line=at) for at, name in enumerate(PEOPLE, 10))
    config = Config.model_validate({"series": [{"name": "Cup", **rules}]})
    config = config.model_copy(update={"people": config.people.with_members(members)})
    return gather(note(played, Random(seed)), config), config


@pytest.mark.parametrize("seed", sample(range(300), 100))
def test_every_place_is_that_of_an_independent_scorer(seed: int) -> None:
    played, handicaps = play(seed)
    for series in range(8):
        rules = draw_rules(8 * seed + series)
        season, config = gathered(seed, handicaps, rules)
        found = place(season, make_table(season, config.series[0]))
        assert sorted(score_series(played, rules, handicaps), key=str) == sorted(found, key=str), rules


@pytest.mark.parametrize("seed", sample(range(1000, 1100), 25))
def test_what_is_needed_is_what_the_next_evening_shows(seed: int) -> None:
    """Each score that is asked for brings its place, and the next lower one does not."""
    played, handicaps = play(seed)
    for series in range(6):
        rules = draw_rules(6 * seed + series, scoring=("percentage", "points")[series % 2])
        season, config = gathered(seed, handicaps, rules)
        table = make_table(season, config.series[0])
        scores = [Fraction(at) for at in (0, 3, 6, 10)]
        if rules["scoring"] == "percentage":
            scores = [Fraction(at, 100) for at in range(10001)]
        for row in table.rows if table.left != 0 else ():
            who = tuple(sorted(season.person(key).name for key in row.keys))

            def place(score: Fraction, who: tuple[str, ...] = who, rules: Mapping[str, Any] = rules) -> int | None:
                return score_further(played, rules, handicaps, {who: [score]})[who].rank

            needs = look_ahead(table, season)[row.key].needs
            assert (needs[0].place if needs else None) == place(scores[-1]), rules
            for need, better in zip(needs, [None, *needs], strict=False):
                lowest = scores[0] if need.score is None else need.score
                assert need.place == place(lowest), rules
                if better is not None and better.score is not None:
                    assert need.place == place(scores[scores.index(better.score) - 1]), rules
            assert not needs or needs[-1].score is None


@pytest.mark.slow
@pytest.mark.parametrize("seed", sample(range(2000, 2100), 25))
def test_nobody_catches_up_with_those_of_whom_it_is_said(seed: int) -> None:
    """With nothing, 0 or 100 on each evening left, no contestant below comes level, and elsewhere one does."""
    played, handicaps = play(seed)
    rules = draw_rules(seed, scoring="percentage", of=len(played) + 1 + seed % 2, minimum=3)
    season, config = gathered(seed, handicaps, rules)
    table = make_table(season, config.series[0])
    names = [tuple(sorted(season.person(key).name for key in row.keys)) for row in table.rows]
    futures = [*product((None, Fraction(0), Fraction(100)), repeat=int(table.left or 0))]
    for at, row in enumerate(table.rows):
        caught = row.rank is None or row is table.rows[-1]
        for rival, mine, theirs in product(names[at + 1 :], futures, futures):
            after = score_further(played, rules, handicaps, {names[at]: mine, rival: theirs})
            own, other = after[names[at]], after[rival]
            caught |= own.rank is None or (other.rank is not None and other.total >= own.total)
        assert caught != look_ahead(table, season)[row.key].is_safe, rules


def test_an_evening_without_a_day_comes_before_the_others() -> None:
    days: list[date] = [date(2026, 2, 3), date(2026, 1, 6)]
    evenings = note({day: [] for day in days}, Random(1))
    undated = Evening("later", "Cup", "some Tuesday", None, "MP", evenings[0].entries, evenings[0].lines)
    order = [evening.date for evening in gather([*evenings, undated], Config()).evenings]
    assert ["some Tuesday", "2026.01.06", "2026.02.03"] == order
