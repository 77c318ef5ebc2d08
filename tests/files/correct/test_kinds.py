"""Each kind of correction on each kind of file: rankings, travellers and scorecards follow; undo leaves no trace."""

import shlex
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from overtrick.core.config import Config
from overtrick.core.frames import Session
from overtrick.show.html.session_page import SessionPage
from tests.support.commands import run
from tests.support.evaluating import evaluate
from tests.support.evenings import KINDS, NAMES, Evening
from tests.support.public import make_session_page
from tests.support.sweeps import sample

Holds = Callable[[Session, Session, Evening], bool]


def result(session: Session, evening: Evening, board: int, ns: str, ew: str | None = None) -> dict[str, object]:
    """Return the result of an N-S pair on a board; empty if there is none."""
    found = session.results.filter(pl.col("board") == board, pl.col("ns") == evening.called.get(ns, ns))
    if ew is not None:
        found = found.filter(pl.col("ew") == evening.called.get(ew, ew))
    return found.row(0, named=True) if found.height == 1 else {}


def totals(session: Session) -> list[tuple[object, ...]]:
    return session.standings.select("ranking", "rank", "contestant", "names", pl.col("total").round(6)).rows()


def names(session: Session) -> set[str]:
    return {name for text in session.contestants["names"].drop_nulls() for name in text.split(" - ")}


def moved(before: Session, after: Session) -> bool:
    return totals(before) != totals(after)


WAYS: dict[str, tuple[str, Holds]] = {
    "contract": (
        "--board 1 --pair {2} --contract 4H --by N --tricks 10",
        lambda b, a, e: result(a, e, 1, "2")["score_ns"] == 420 and moved(b, a),
    ),
    "tricks": (
        "--board 1 --pair {2} --tricks 13",
        lambda b, a, e: result(a, e, 1, "2")["tricks"] == 13 and moved(b, a),
    ),
    "lead": (
        "--board 1 --pair {2} --lead H10",
        lambda b, a, e: result(a, e, 1, "2")["lead"] == "HT" and not moved(b, a),
    ),
    "score": ("--board 1 --pair {2} --score -800", lambda _, a, e: result(a, e, 1, "2")["score_ns"] == -800),
    "swap": (
        "--board 1 --pair {3} --swap",
        lambda b, a, e: result(a, e, 1, "6", "3") != {} and result(a, e, 1, "3") == {} and moved(b, a),
    ),
    "other pair": (
        "--board 2 --pair {1} --other-pair {2}",
        lambda b, a, e: result(a, e, 2, "2", "4") != {} and moved(b, a),
    ),
    "add": (
        "--add --board 2 --pair {1} --other-pair {6} --contract 2H --by S --tricks 9",
        lambda b, a, e: result(a, e, 2, "1", "6")["score_ns"] == 140 and a.results.height == b.results.height + 1,
    ),
    "delete": ("--board 2 --pair {1} --delete", lambda b, a, e: result(a, e, 2, "1") == {} and moved(b, a)),
    "not played": (
        "--board 2 --pair {1} --not-played",
        lambda b, a, e: result(a, e, 2, "1")["status"] == "not played" and moved(b, a),
    ),
    "award": (
        "--board 1 --pair {1} --award 100% 0%",
        lambda b, a, e: result(a, e, 1, "1")["award_ns"] == "100%" and moved(b, a),
    ),
    "split": (
        "--board 1 --pair {1} --split 1100 -1100",
        lambda b, a, e: result(a, e, 1, "1")["status"] == "adjusted" and moved(b, a),
    ),
    "weighted": (
        "--board 1 --pair {1} --weighted 60:1100,40:-50",
        lambda b, a, e: result(a, e, 1, "1")["weights"] is not None and moved(b, a),
    ),
    "assigned": ("--board 1 --pair {1} --assigned -1100", lambda _, a, e: result(a, e, 1, "1")["score_ns"] == -1100),
    "fouled": ("--board 1 --fouled {1}", lambda b, a, _: "board-fouled" in a.problems["code"] and moved(b, a)),
    "penalty": ("--pair {2} --penalty 50 percent", lambda b, a, _: moved(b, a)),
    "carry-over": ("--pair {2} --carry-over 3", lambda b, a, _: moved(b, a)),
    "handicap": ("--pair {2} --handicap 3", lambda _b, a, _e: any("handicap" in str(row[0]) for row in totals(a))),
    "name": ("--pair {2} --name 'Fay Reid - Gus Lane'", lambda b, a, _: "Fay Reid" in names(a) and moved(b, a)),
    "player": ("--player 'Gus Lane' 'Gus Layne'", lambda b, a, _: "Gus Layne" in names(a) and moved(b, a)),
    "substitute": ("--substitute 'Gus Lane' 'Sue Park'", lambda _b, a, _e: "Sue Park" in names(a)),
    "title": ("--title 'Spring Final'", lambda _b, a, _e: a.facts.event == "Spring Final"),
    "date": ("--date 2026-03-08", lambda _b, a, _e: a.facts.date == "2026.03.08"),
    "club": ("--club 'Lantern Street'", lambda _b, a, _e: a.facts.site == "Lantern Street"),
    "method": ("--method butler", lambda _b, a, _e: a.facts.method == "butler"),
}


QUICK = ("contract",)
"""Ways that are tried with every kind of file each time."""

MORE = [(kind, way) for way in WAYS if way not in QUICK for kind in KINDS if kind != "csv"]
"""Other ways than the quick ones, with other files than CSV."""

BOTH = [
    *((kind, way) for kind in KINDS for way in WAYS if kind == "csv" or way in QUICK),
    *(pytest.param(*both, marks=pytest.mark.slow) for both in sample(MORE, 6)),
]


def words(line: str, evening: Evening) -> list[str]:
    """Return the words of a command line, with the pairs as the file calls them."""
    return [word.format("", *(evening.called[str(pair)] for pair in range(1, 7))) for word in shlex.split(line)]


def pages(session: Session) -> SessionPage:
    return make_session_page(session, Config())


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "way"), BOTH)
@pytest.mark.sweep(2)
def test_a_correction_counts_everywhere_and_is_undone_without_a_trace(
    kind: str, way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening = KINDS[kind](tmp_path, monkeypatch)
    raw, there = evening.path.read_bytes(), sorted(tmp_path.iterdir())
    line, holds = WAYS[way]
    before = evaluate([str(evening.path)], Config())
    done = run("correct", evening.path, *words(line, evening), "--why", "the reason why")
    assert 0 == done.status, done.err
    after = evaluate([str(evening.path)], Config())
    assert holds(before, after, evening)
    assert [True] == after.corrections["applied"].to_list()
    shown = pages(after)
    assert any("the reason why" in change.text for change in shown.changes)
    lines = sum(len(board.rows) for board in shown.boards)
    assert after.results.filter(pl.col("status") != "bye").height == lines
    assert 0 == run("correct", evening.path, "--undo").status
    assert (raw, there) == (evening.path.read_bytes(), sorted(tmp_path.iterdir()))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.slow
def test_travellers_and_scorecards_show_the_corrected_result(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening = KINDS[kind](tmp_path, monkeypatch)
    line, _ = WAYS["contract"]
    run("correct", evening.path, *words(line, evening), "--why", "entered wrongly")
    shown = pages(evaluate([str(evening.path)], Config()))
    row = next(row for row in shown.boards[0].rows if NAMES["2"].replace(" - ", " – ") in row.ns.names)
    assert ("4", "♥", "=") == (row.contract.level, row.contract.symbol, row.result)
    card = next(card for card in shown.scorecards if NAMES["2"].replace(" - ", " – ") in card.contestant.names)
    assert "♥" in {line.contract.symbol for line in card.rows}
