"""Game files of ACBLscore: results, names and masterpoints of pairs; other events are named."""

from pathlib import Path

import polars as pl
import pytest

from overtrick.core.config import Config, Scoring
from overtrick.core.config.scoring import Penalty
from overtrick.files.formats.acblscore_game import read_acblscore, read_acblscore_game
from overtrick.files.formats.base import Reading
from overtrick.files.formats.looks import recognise
from tests.support.acblscore import GameFile, Result
from tests.support.commands import FIXTURES, run
from tests.support.evaluating import evaluate
from tests.support.reading import codes

BOARDS: dict[int, list[Result]] = {
    1: [(1, 1, 1, 42, 1.5, 1, -42, 0.5), (2, 3, 3, 42, 1.5, 2, -42, 0.5), (3, 2, 2, -5, 0, 3, 5, 2)],
    2: [(1, 2, 2, 0, 0.25, 2, 0, 1.75), (2, 1, 1, 2060, 1.2, 3, 2040, 0.8), (3, 3, 3, 11, 1.75, 1, -11, 0.25)],
    3: [(1, 3, 3, 14, 1.75, 3, -14, 0.25), (2, 2, 2, 11, 0.25, 1, -11, 1.75), (3, 1, 1, 950, 0, 2, 950, 0)],
    4: [(1, 1, 1, 999, 0, 1, 999, 0)],
}


def read(game: GameFile) -> Reading:
    content = game.make()
    assert getattr(recognise(content), "name", None) == "acblscore game"
    return read_acblscore_game(content)


def test_results_have_scores_points_and_awards() -> None:
    reading = read(GameFile(BOARDS))
    columns = ("record", "round", "table", "ns", "ew", "stated_score_ns", "level", "award_ns", "award_ew", "status")
    assert [
        (0, "1", "1", "1", "1", 420, None, None, None, "played"),
        (0, "2", "3", "3", "2", 420, None, None, None, "played"),
        (0, "3", "2", "2", "3", -50, None, None, None, "played"),
        (1, "1", "2", "2", "2", None, 0, None, None, "passed"),
        (1, "2", "1", "1", "3", None, None, "A+", "A-", "adjusted"),
        (1, "3", "3", "3", "1", 110, None, None, None, "played"),
        (2, "1", "3", "3", "3", 140, None, None, None, "played"),
        (2, "2", "2", "2", "1", 110, None, None, None, "played"),
        (2, "3", "1", "1", "2", None, None, None, None, "not played"),
    ] == reading.results.select(*columns).rows()
    assert [] == codes(reading.problems)


def test_pairs_have_names_numbers_and_masterpoints() -> None:
    pairs = read(GameFile(BOARDS, stated=(1250, 6250))).contestants
    assert 6 == pairs.height
    columns = ("contestant", "direction", "names", "members", "stated_percentage", "stated_awards")
    expected = ("1", "NS", "Ann Quill - Bnn Moss", "1000000 - 1000001", 62.5, "0.57 black")
    assert expected == pairs.select(*columns).row(0)


def test_in_a_howell_pairs_have_one_number_each_also_after_a_change() -> None:
    reading = read(GameFile({1: [(1, 1, 1, 42, 1.0, 2, -42, 0.0)]}, howell=True, changed={2: 9}))
    assert [("1", None), ("9", None)] == reading.contestants.select("contestant", "direction").rows()[:2]
    assert ("1", "9") == reading.results.select("ns", "ew").row(0)


def test_a_number_that_was_changed_is_that_of_one_side() -> None:
    reading = read(GameFile({1: [(1, 2, 2, 42, 1.0, 2, -42, 0.0)]}, changed={2: 9}))
    listed = sorted(reading.contestants.select("direction", "contestant").rows())
    assert [("EW", "1"), ("EW", "2"), ("EW", "3"), ("NS", "1"), ("NS", "3"), ("NS", "9")] == listed
    assert ("9", "2") == reading.results.select("ns", "ew").row(0)


@pytest.mark.parametrize(("colour", "awards"), [(0, "0.57"), (2, "0.57 silver"), (5, "0.57 platinum"), (9, "0.57")])
def test_masterpoints_have_the_colour_that_the_file_names(colour: int, awards: str) -> None:
    assert {awards} == {*read(GameFile(BOARDS, colour=colour)).contestants["stated_awards"]}


def test_a_board_in_another_form_is_named() -> None:
    reading = read(GameFile({5: [(1, 1, 1, 42, 0, 1, -42, 0), (1, 2, 2, 4042, 0, 3, 3958, 0)]}))
    assert ["acblscore-fouled"] == codes(reading.problems)
    assert [420, 420] == reading.results["stated_score_ns"].to_list()


@pytest.mark.parametrize("kind", [1, 2, 3, 4, 77])
def test_events_of_other_kinds_are_named(kind: int) -> None:
    assert "acblscore-kind" in codes(read(GameFile(BOARDS, kind=kind)).problems)


def test_a_file_that_is_cut_off_or_damaged_gives_problems_and_never_raises() -> None:
    whole = GameFile(BOARDS).make()
    for end in range(0, len(whole), 1301):
        assert codes(read_acblscore_game(whole[:end]).problems)
    for at in range(0x1E, len(whole), 1301):
        read_acblscore_game(whole[:at] + b"\xff\xff\xff" + whole[at + 3 :])


def test_the_fixture_is_such_a_file() -> None:
    assert GameFile(BOARDS).make() == (FIXTURES / "acblscore-game.AC3").read_bytes()


@pytest.mark.parametrize(("adjusted", "correction"), [(-50, -1.0), (25, 0.5)])
def test_what_the_director_added_to_a_total_counts(tmp_path: Path, adjusted: int, correction: float) -> None:
    totals = []
    for added in (0, adjusted):
        file = tmp_path / f"{added}.AC3"
        file.write_bytes(GameFile(BOARDS, adjusted=added).make())
        standings = evaluate([str(file)], Config()).standings.sort("contestant", "direction")
        totals.append(standings["total"])
    assert [correction] * 6 == standings["correction"].to_list()
    assert [correction] * 6 == [round(after - before, 6) for before, after in zip(*totals, strict=True)]


def test_a_penalty_in_the_settings_takes_the_place_of_the_files(tmp_path: Path) -> None:
    file = tmp_path / "evening.AC3"
    file.write_bytes(GameFile(BOARDS, adjusted=-50).make())
    penalty = Penalty(contestant="1", direction="NS", amount=3)
    standings = evaluate([str(file)], Config(scoring=Scoring(penalties=[penalty]))).standings
    corrections = dict(zip(standings.select("contestant", "direction").rows(), standings["correction"], strict=True))
    assert {("1", "NS"): -3.0} == {who: by for who, by in corrections.items() if by != -1.0}


@pytest.mark.slow
def test_sections_that_the_file_joins_are_compared_with_each_other(tmp_path: Path) -> None:
    """Without points in the file, only its table of sections says so; the club may still say otherwise."""
    boards: dict[int, list[Result]] = {
        board: [(round_, table, ns, score, 0, ew, other, 0) for round_, table, ns, score, _, ew, other, _ in results]
        for board, results in BOARDS.items()
    }
    path = tmp_path / "together.AC3"
    path.write_bytes(GameFile(boards, together=True).make())
    evening = evaluate([str(path)], Config())
    assert ["A+B"] == evening.facts.policies["field_groups"]
    assert {5} == {*evening.results.filter(pl.col("board") == 1)["top"] // 2}
    assert 0 == run("convert", path, tmp_path / "again.pbn").status
    again = evaluate([str(tmp_path / "again.pbn")], Config())
    ranked = ["ranking", "contestant", "rank", "total"]
    assert evening.standings.sort(ranked).select(ranked).rows() == again.standings.sort(ranked).select(ranked).rows()
    apart = evaluate([str(path)], Config(scoring=Scoring.model_validate({"field_groups": ["A", "B"]})))
    assert {2} == {*apart.results.filter(pl.col("board") == 1)["top"] // 2}
    alone = evaluate([str(FIXTURES / "acblscore-game.AC3")], Config())
    assert not alone.facts.policies.get("field_groups")


@pytest.mark.parametrize(("at", "value"), [(0x10, 1), (0x10, 250), (0x10, 77), (0xF, 2)])
def test_a_damaged_table_of_sections_ends(at: int, value: int) -> None:
    data = bytearray(GameFile(BOARDS, together=True).make())
    data[0x13E + 22 + at] = value
    assert 18 == read_acblscore_game(bytes(data)).results.height


@pytest.mark.parametrize("word", [b" NP", b"LATE"])
def test_a_report_names_boards_that_were_not_played(word: bytes) -> None:
    report = (FIXTURES / "acblscore-report.txt").read_bytes().replace(b"   420 ", word.rjust(6) + b" ", 1)
    reading = read_acblscore(report)
    assert ("not played", None) == reading.results.select("status", "stated_score_ns").row(0)
    assert "value-unknown" not in codes(reading.problems)
