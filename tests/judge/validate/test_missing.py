"""Results that are not there, and the matches that go on."""

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from overtrick.core.config import Config
from overtrick.judge.validate.movement_given import find_in_play
from tests.support.builders import session
from tests.support.evaluating import evaluate
from tests.support.public import make_session_page

ROUNDS = ((("Ash", "Birch"), ("Oak", "Elm")), (("Ash", "Oak"), ("Birch", "Elm")), (("Ash", "Elm"), ("Birch", "Oak")))
Row = dict[str, object]


def play(seed: int) -> list[Row]:
    """Return the results of three rounds of two matches, three boards each, in the order in which they come in."""
    rng, rows = Random(seed), list[Row]()
    for number, matches in enumerate(ROUNDS, start=1):
        tables: list[Row] = [
            {"round": str(number), "board": board, "team_ns": ns, "team_ew": ew, "ns": ns, "ew": ew}
            for one, other in matches
            for board in (1, 2, 3)
            for ns, ew in ((one, other), (other, one))
        ]
        rows += rng.sample(tables, len(tables))
    return rows


@pytest.mark.parametrize("seed", range(5))
def test_line_by_line_the_teams_are_known_that_still_play(seed: int) -> None:
    rows = play(seed)
    for count in range(len(rows) + 1):
        here = rows[:count]
        last = max((str(row["round"]) for row in here), default="")
        tables = Counter(
            (row["board"], *sorted((str(row["team_ns"]), str(row["team_ew"])))) for row in here if row["round"] == last
        )
        expected = {team for (_, *teams), number in tables.items() if number == 1 for team in teams}
        assert expected == find_in_play(session(*here))


def test_an_earlier_round_is_over_whatever_it_lacks() -> None:
    first, second = [row for row in play(1) if row["round"] == "1"], [row for row in play(1) if row["round"] == "2"]
    assert find_in_play(session(*first[1:]))
    assert not find_in_play(session(*first[1:], *second))


def test_pairs_and_a_match_without_rounds(tmp_path: Path) -> None:
    assert not find_in_play(session({"board": 1, "ns": "1", "ew": "2"}))
    path = tmp_path / "match.csv"
    lines = ["1,Ash,Oak,Ash,Oak,420", "1,Oak,Ash,Oak,Ash,-50", "2,Ash,Oak,Ash,Oak,110"]
    path.write_text("board,ns,ew,team_ns,team_ew,score_ns\n" + "\n".join(lines) + "\n")
    page = make_session_page(evaluate([str(path)], Config()), Config())
    assert {row.contestant.page for row in page.rankings[0].rows} == page.in_play
