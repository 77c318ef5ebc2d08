"""Random seasons: every place is that of a scorer that shares no line of code with ours."""

from datetime import date
from random import Random

import polars as pl
import pytest

from overtrick.core.config import Config
from overtrick.core.config.members import Member
from overtrick.core.notation import read_date
from overtrick.judge.people.evening import ENTRIES, LINES, Evening
from overtrick.judge.people.season import Season, gather
from overtrick.judge.people.series import Table, make_table
from tests.support.season_scorer import PEOPLE, Placed, draw_rules, play, score_series
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


@pytest.mark.parametrize("seed", sample(range(300), 100))
def test_every_place_is_that_of_an_independent_scorer(seed: int) -> None:
    played, handicaps = play(seed)
    members = tuple(Member(name, handicap=float(handicaps[name]), line=at) for at, name in enumerate(PEOPLE, 10))
    for series in range(8):
        rules = draw_rules(8 * seed + series)
        config = Config.model_validate({"series": [{"name": "Cup", **rules}]})
        config = config.model_copy(update={"people": config.people.with_members(members)})
        season = gather(note(played, Random(seed)), config)
        found = place(season, make_table(season, config.series[0]))
        assert sorted(score_series(played, rules, handicaps), key=str) == sorted(found, key=str), rules


def test_an_evening_without_a_day_comes_before_the_others() -> None:
    days: list[date] = [date(2026, 2, 3), date(2026, 1, 6)]
    evenings = note({day: [] for day in days}, Random(1))
    undated = Evening("later", "Cup", "some Tuesday", None, "MP", evenings[0].entries, evenings[0].lines)
    order = [evening.date for evening in gather([*evenings, undated], Config()).evenings]
    assert ["some Tuesday", "2026.01.06", "2026.02.03"] == order
