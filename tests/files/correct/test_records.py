"""Corrections, and what else states a result: game records, lists of contestants, lines and other evenings."""

from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from overtrick.core.config.corrections import parse_corrections
from overtrick.core.config.file import ConfigError, SettingsFile
from overtrick.core.frames import PROBLEMS, Session
from overtrick.files.assemble import read
from overtrick.files.assemble.beside import Found
from overtrick.files.correct import correct
from overtrick.files.correct.draft import CONTRACT, new_errors
from overtrick.files.correct.entry import put_again
from tests.files.correct.test_correct import MITCHELL, entry, found, messages, spring, table
from tests.support.builders import frame

GAME = '[Board "1"]\n[Dealer "N"]\n[Vulnerable "None"]\n[PairNS "1"]\n[PairEW "2"]\n'
RESULT = '[Declarer "N"]\n[Contract "3NT"]\n[Result "9"]\n'
ROWS = '[ScoreTable "PairId_NS\\2R;PairId_EW\\2R;Contract\\4L;Declarer\\1R;Result\\2R"]\n'


def game(folder: Path, text: str) -> Session:
    (folder / "a.pbn").write_text(text, "utf-8")
    return read([str(folder / "a.pbn")])


def tricks_of(session: Session) -> tuple[list[int], list[int]]:
    return session.records["tricks"].to_list(), session.results.sort("ns", "ew")["tricks"].to_list()


@pytest.mark.parametrize(
    ("pairs", "record", "results"), [(("1", "2"), 8, [8, 9, 9]), (("1", "4"), 9, [9, 8, 9]), (("3", "2"), 9, [9, 9, 8])]
)
def test_a_game_with_the_results_of_others_changes_only_with_its_own(
    pairs: tuple[str, str], record: int, results: list[int], tmp_path: Path
) -> None:
    rows = "".join(f" {ns}  {ew} 3NT  N  9\n" for ns, ew in (("1", "2"), ("1", "4"), ("3", "2")))
    session = game(tmp_path, GAME + RESULT + ROWS + rows)
    assert ([9], [9, 9, 9]) == tricks_of(session)
    number = next(at for at, row in enumerate(session.results.select("ns", "ew").rows()) if row == pairs)
    only = replace(session, results=session.results.with_columns(round=pl.Series(["x", "y", "z"])))
    after, _ = correct(only, found(entry(f'board = 1\npair = {pairs[0]}\nround = "{"xyz"[number]}"\ntricks = 8')))
    assert [] == messages(after)
    assert ([record], results) == tricks_of(after)


def test_a_game_that_states_only_its_score_has_the_corrected_one(tmp_path: Path) -> None:
    session = game(tmp_path, GAME + '[Score "NS 420"]\n')
    after, _ = correct(session, found(entry("board = 1\npair = 1\nscore = 450")))
    assert [450] == after.records["stated_score_ns"].to_list() == after.results["stated_score_ns"].to_list()
    assert after.records.select(pl.col(CONTRACT).is_null().all()).row(0) == (True,) * len(CONTRACT)


def test_a_pair_is_found_in_the_line_of_the_other_side(tmp_path: Path) -> None:
    """Pair 1 of the North-South line sits East-West on board 2, against pair 2."""
    session = table(tmp_path, MITCHELL)
    moved = pl.when(pl.col("board") == 2)
    turned = session.results.with_columns(
        ns=moved.then(pl.lit("2")).otherwise("ns"),
        ew=moved.then(pl.lit("1")).otherwise("ew"),
        listed_ew=moved.then(pl.lit("NS")).cast(session.results["listed_ew"].dtype),
    ).unique("board", keep="first", maintain_order=True)
    after, _ = correct(replace(session, results=turned), found(entry('board = 2\npair = "1 NS"\ntricks = 8')))
    assert [] == messages(after)
    assert [(1, 9), (2, 8)] == after.results.select("board", "tricks").rows()


def test_a_pair_without_a_list_gets_its_name(tmp_path: Path) -> None:
    session = table(tmp_path, MITCHELL)
    bare = replace(session, contestants=session.contestants.clear())
    after, _ = correct(bare, found(entry('pair = 2\ndirection = "EW"\nname = "Ada Quill - Bo Rook"')))
    assert [("2", "EW", "Ada Quill - Bo Rook")] == after.contestants.select("contestant", "direction", "names").rows()


def test_the_name_before_is_that_of_the_pair_itself() -> None:
    after, _ = correct(spring(), found(entry('pair = 2\nname = "Fay Reed - Gus Layne"')))
    assert [("Fay Reed - Gus Lane", "Fay Reed - Gus Layne")] == after.corrections.select("before", "after").rows()


def test_a_number_of_two_pairs_needs_its_line(tmp_path: Path) -> None:
    session = table(tmp_path, MITCHELL)
    after, _ = correct(session, found(entry("pair = 1\npenalty = { amount = 1 }")))
    assert [False] == after.corrections["applied"].to_list()
    after, _ = correct(session, found(entry('pair = 1\ndirection = "EW"\npenalty = { amount = 1 }')))
    assert [True] == after.corrections["applied"].to_list()


def test_entries_beside_a_file_are_about_its_results(tmp_path: Path) -> None:
    for name in ("monday", "tuesday"):
        (tmp_path / f"{name}.csv").write_text(MITCHELL, "utf-8")
    paths = [str(tmp_path / f"{name}.csv") for name in ("monday", "tuesday")]
    session = read(paths, "by-file")
    text = entry('board = 1\npair = 1\ndirection = "NS"\ntricks = 7')
    beside = Found(parse_corrections(SettingsFile(tmp_path / "x.toml", text), "x.toml"), frozenset({paths[1]}))
    after, _ = correct(session, [beside])
    assert [] == messages(after)
    assert {paths[0]: [9, 8, 10, 11], paths[1]: [7, 8, 10, 11]} == {
        path: after.results.filter(pl.col("source") == path)["tricks"].to_list() for path in paths
    }


@pytest.mark.parametrize("pair", ["7", "8"])
def test_an_entry_is_about_the_evening_in_which_its_pair_played(pair: str, tmp_path: Path) -> None:
    for name, text in (("monday", MITCHELL), ("tuesday", "board,ns,ew,contract,declarer,tricks\n1,7,8,3NT,N,9\n")):
        (tmp_path / f"{name}.csv").write_text(text, "utf-8")
    session = read([str(tmp_path / "monday.csv"), str(tmp_path / "tuesday.csv")], "by-file")
    after, _ = correct(session, found(entry(f"board = 1\npair = {pair}\ntricks = 8")))
    assert [str(tmp_path / "tuesday.csv")] == after.corrections["evening"].to_list()


def test_a_method_in_place_of_none_has_nothing_before_it(tmp_path: Path) -> None:
    after, rulings = correct(table(tmp_path, MITCHELL), found(entry('method = "butler"')))
    assert "butler" == rulings.method
    assert ("", "scored as butler") == after.corrections.select("before", "what").row(0)


def test_an_error_that_was_there_before_is_not_new() -> None:
    """Most errors are about no table, or about no record."""
    rows = [{"severity": "error", "code": code, "source": "a", "line": 1, "board": "1"} for code in ("x", "x", "y")]
    before = frame(PROBLEMS, rows[:2])
    assert ["y"] == new_errors(before, frame(PROBLEMS, rows))["code"].to_list()
    assert ["x", "y"] == new_errors(before.head(1), frame(PROBLEMS, rows))["code"].to_list()
    elsewhere = frame(PROBLEMS, [{**rows[0], "line": 2}])
    assert elsewhere.equals(new_errors(before, elsewhere))


def test_another_pair_is_told_with_both_results() -> None:
    after, _ = correct(spring(), found(entry("board = 1\npair = 2\nother_pair = 3")))
    (row,) = after.corrections.select("before", "after").rows()
    assert ("2 against 5", "3 against 5") == row


@pytest.mark.parametrize("name", ["FAY REED - GUS LAYNE", "fay reed - gus layne"])
def test_a_name_that_nobody_has_is_answered_with_a_near_one(name: str) -> None:
    after, _ = correct(spring(), found(entry(f'board = 1\npair = "{name}"\ntricks = 9')))
    assert ["did you mean Fay Reed - Gus Lane?"] == [text.rpartition("; ")[2] for text in messages(after)]


def test_entries_that_are_not_under_headers_cannot_be_put_again() -> None:
    text = 'corrections = [{ board = 1, pair = 1, tricks = 9, why = "x", taken_back = 2026-03-07T22:15:00Z }]\n'
    with pytest.raises(ConfigError, match="header"):
        put_again(SettingsFile(Path("x.toml"), text), 1)


SAID = (
    'contract = "4S"\nby = "N"\ntricks = 9',
    'by = "S"',
    "tricks = 7",
    'lead = "S2"',
    "score = 50",
    'award = ["60%", "40%"]',
)


@pytest.mark.parametrize("said", SAID)
def test_a_board_that_was_not_played_has_no_result_and_no_ruling(said: str, tmp_path: Path) -> None:
    """Whichever of the two entries comes first, the other one contradicts it."""
    where = 'board = 1\npair = 1\ndirection = "NS"\n'
    entries = [entry(f"{where}{what}") for what in (said, "not_played = true")]
    for one, other in (entries, entries[::-1]):
        after, _ = correct(table(tmp_path, MITCHELL), found(one + other))
        assert [True, False] == after.corrections["applied"].to_list()
        (code,) = after.problems.filter(pl.col("severity") == "error")["code"]
        assert code in (
            {"correction-contradicts"} if one == entries[0] else {"correction-contradicts", "correction-impossible"}
        )
