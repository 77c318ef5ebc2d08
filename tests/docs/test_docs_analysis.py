"""The example of docs/analysis.md has the numbers that overtrick computes."""

import re
import shlex
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import pytest

from overtrick.core.bridge.methods import MethodName
from overtrick.core.config import Config, Scoring
from overtrick.core.frames import Session
from overtrick.judge.analyse.explain import explain
from overtrick.pipeline import evaluate
from overtrick.show.data.downloads import list_analysis
from tests.support.commands import ROOT, run
from tests.support.pbn_texts import session
from tests.support.played_evening import played_evening

PAGE = (ROOT / "docs" / "analysis.md").read_text("utf-8")
DEAL = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"
TRICKS = bytes([0, 0, 0, 10, 9] * 4)
"""Stands in for the solver's table: ten tricks in spades and nine at notrump."""
METHODS: dict[str, MethodName] = {
    "matchpoints": "matchpoints",
    "Butler": "butler",
    "cross-IMPs": "cross-imps",
    "total points": "aggregate",
}


def rows(heading: str) -> list[list[str]]:
    """Return the rows of the table whose first heading is this."""
    (table,) = re.findall(rf"^\| {heading} \|.*\n\|[-:|]+\n((?:\|.*\n)+)", PAGE, re.MULTILINE)
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]


def number(text: str) -> Fraction:
    return Fraction(text.replace("−", "-"))


def judged(method: MethodName) -> Session:
    games = [
        f'[Board "1"]\n[Dealer "N"]\n[Vulnerable "None"]\n[Deal "{DEAL}"]\n[Table "{table}"]\n[PairNS "{table}"]\n'
        f'[PairEW "{int(table) + 10}"]\n[Contract "{contract.split()[0].replace("♠", "S")}"]\n'
        f'[Declarer "{contract.split()[1]}"]\n[Result "{tricks}"]\n[Play "E"]\nHA D{int(table) + 1} C2 S2\n*\n'
        for table, contract, tricks, *_ in rows("table")
    ]
    config = Config(scoring=Scoring(method=method))
    return evaluate(session("\n".join(games)), config, solver=lambda deals: dict.fromkeys(deals, TRICKS))


def solve(plays: Sequence[str]) -> dict[str, bytes]:
    """Stand in for the solver: dummy's diamond, the second card, names the table."""
    numbers = [bytes(map(int, row[-1].split())) for row in rows("table")]
    return {play: numbers[bytes.fromhex(play.split()[-1])[1] % 13] for play in plays}


NAMES = {"bidding": "expected", "swing": "swing"}
PARTS = ("bidding", "lead", "declarer", "defence", "unknown", "swing")


def explained(method: MethodName) -> list[dict[str, Fraction]]:
    found = explain(judged(method), Scoring(method=method), solve).analysis.to_dicts()
    return [
        {part: Fraction(row[NAMES.get(part, f"{part}_value")], row["denominator"]) for part in PARTS} for row in found
    ]


def test_the_parts_of_the_example_are_those_of_overtrick() -> None:
    shown = [{row[0]: number(row[table]) for row in rows("matchpoints")} for table in range(1, 5)]
    assert explained("matchpoints") == shown


@pytest.mark.parametrize("title", [title for title in METHODS if title != "matchpoints"])
def test_the_parts_by_other_methods_are_those_of_overtrick(title: str) -> None:
    (heads,) = re.findall(r"^\| table 2 \|(.*)\|$", PAGE, re.MULTILINE)
    column = [head.strip() for head in heads.split("|")].index(title) + 1
    shown = {row[0]: number(row[column]) for row in rows("table 2")}
    assert explained(METHODS[title])[1] == shown
    assert shown["swing"] == sum(shown.values()) - shown["swing"]


def test_the_command_of_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "evening.pbn").write_text(played_evening(1, 2, seed=1), "utf-8")
    (command,) = re.findall(r"^\$ overtrick (.*)$", PAGE, re.MULTILINE)
    ran = run(*shlex.split(command))
    assert 0 == ran.status
    assert '"causes"' in ran.out


def test_the_scores_of_the_example_are_those_of_the_contracts() -> None:
    assert judged("matchpoints").results["score_ns"].to_list() == [int(number(row[3])) for row in rows("table")]


def test_the_costs_of_the_example_lead_to_the_tricks_made() -> None:
    found = explain(judged("matchpoints"), Scoring(), solve).analysis.row(0, named=True)
    assert (10, 1) == (found["dd_tricks"], found["lead_cost"])
    assert [("E", 1), ("S", 2), ("W", 1)] == [(cost["seat"], cost["cost"]) for cost in found["costs"]]


def test_the_costs_against_double_dummy_are_those_of_each_side_before_anything_cancels() -> None:
    found = list_analysis(explain(judged("matchpoints"), Scoring(), solve)).struct.field("costs").to_list()
    assert [(1, 2, 1), (0, 1, 0), (1, 0, 0), (0, 0, 0)] == [
        (costs["lead"], costs["declarer"], costs["defence"]) for costs in found
    ]
    unplayed = list_analysis(explain(judged("matchpoints"), Scoring(), lambda _: {})).struct.field("costs").to_list()
    assert [None] * 4 == unplayed
