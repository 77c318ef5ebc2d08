"""`overtrick correct`: it writes, shows what changes, refuses, lists and undoes."""

import os
import shutil
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.support.commands import FIXTURES, run

RIGHT = ("--board", "1", "--pair", "2", "--contract", "4S", "--by", "n", "--tricks", "10", "--why", "entered wrongly")


@pytest.fixture
def evening(tmp_path: Path) -> Path:
    shutil.copy(FIXTURES / "spring-pairs.csv", tmp_path / "tuesday.csv")
    return tmp_path / "tuesday.csv"


@pytest.fixture
def corrections(evening: Path) -> Path:
    return evening.with_name("tuesday.corrections.toml")


def test_the_entry_is_written_and_its_effect_shown(evening: Path, corrections: Path) -> None:
    done = run("correct", evening, *RIGHT, "--who", "N. Park")
    assert 0 == done.status
    assert done.out.startswith(
        "Board 1, 4♠ by N: 10 tricks in place of 9 (entered wrongly)\n"
        "  before: 2 against 5: 4♠ by N, 9 tricks\n"
        "  after: 2 against 5: 4♠ by N, 10 tricks\n"
    )
    assert "    2  2           Fay Reed - Gus Lane   3.5 → 5.5  43.75 → 68.75  2\n" in done.out
    assert f"{corrections}: written\n" == done.err
    *lines, when = corrections.read_text("utf-8").splitlines()
    assert [
        "[[corrections]]",
        "board = 1",
        'pair = "2"',
        'contract = "4S"',
        'by = "N"',
        "tricks = 10",
        'why = "entered wrongly"',
        'who = "N. Park"',
    ] == lines
    assert when.startswith("when = 20")


def test_nothing_but_the_corrections_file_is_written(evening: Path, corrections: Path) -> None:
    raw = evening.read_bytes()
    run("correct", evening, *RIGHT)
    assert raw == evening.read_bytes()
    assert {evening, corrections} == set(evening.parent.iterdir())


def test_a_change_that_moves_nobody_says_so(evening: Path) -> None:
    assert "The ranking stays the same.\n" in run("correct", evening, "--title", "Final", "--why", "x").out


@pytest.mark.slow
def test_scores_of_nothing_and_less_are_numbers(evening: Path, corrections: Path) -> None:
    assert 0 == run("correct", evening, "--board", "2", "--pair", "1", "--score", "0", "--why", "x").status
    assert 0 == run("correct", evening, "--board", "1", "--pair", "3", "--score", "-100", "--why", "x").status
    assert 0 == run("correct", evening, "--board", "1", "--pair", "1", "--tricks", "0", "--why", "x").status
    text = corrections.read_text("utf-8")
    assert all(line in text for line in ("score = 0\n", "score = -100\n", "tricks = 0\n"))


@pytest.mark.parametrize(
    ("line", "options"),
    [
        ('fouled = ["1", "2"]', ["--board", "1", "--fouled", "1, 2"]),
        ("split = { ns = 420, ew = -450 }", ["--board", "1", "--pair", "1", "--split", "420", "-450"]),
        (
            "weighted = [{ weight = 60, score = 420 }, { weight = 40, score = -50 }]",
            ["--board", "1", "--pair", "1", "--weighted", "60:420,40:-50"],
        ),
        ('penalty = { amount = 25, unit = "percent" }', ["--pair", "1", "--penalty", "25", "%"]),
        (
            'penalty = { amount = 0.5, unit = "top", law = "91" }',
            ["--pair", "1", "--penalty", "0.5", "top", "--disciplinary"],
        ),
        ("carry_over = { points = 3 }", ["--pair", "1", "--carry-over", "3"]),
        ("carry_over = { score = 60.5, top = 100 }", ["--pair", "1", "--carry-over", "60.5/100"]),
        ("handicap = 2.5", ["--pair", "1", "--handicap", "2.5"]),
        ('player = { from = "Ben Moss", to = "B. Moss" }', ["--player", "Ben Moss", "B. Moss"]),
        (
            'substitute = { for = "Ben Moss", player = "Sue", boards = [1, 2] }',
            ["--substitute", "Ben Moss", "Sue", "--boards", "1,2"],
        ),
        ('date = "2026-03-08"', ["--date", "2026-03-08"]),
    ],
)
def test_options_of_several_words_become_one_key(
    line: str, options: list[str], evening: Path, corrections: Path
) -> None:
    done = run("correct", evening, *options, "--why", "x")
    assert 0 == done.status, done.err
    assert line in corrections.read_text("utf-8").splitlines()


@pytest.mark.parametrize(
    ("message", "options"),
    [
        (
            "error correction-unmatched board 99, pair 2: no result is on this board",
            ["--board", "99", "--pair", "2", "--swap"],
        ),
        ("there is no contestant 22; did you mean 2?", ["--pair", "22", "--name", "A - B"]),
        ("4♠ needs by and tricks too", ["--board", "2", "--pair", "2", "--contract", "4S"]),
        ("1 is not tied with anybody", ["--tie", "1"]),
    ],
)
def test_what_would_make_an_error_is_not_written(message: str, options: list[str], evening: Path) -> None:
    done = run("correct", evening, *options, "--why", "x")
    assert (1, "") == (done.status, done.out)
    assert message in done.err
    assert done.err.endswith("overtrick: nothing is written\n")
    assert [evening] == list(evening.parent.iterdir())


def test_an_error_shows_the_line_that_would_be_written(evening: Path) -> None:
    done = run("correct", evening, "--board", "99", "--pair", "2", "--swap", "--why", "x")
    assert "    board = 99\n    ^\n" in done.err


@pytest.mark.parametrize(
    ("message", "options"),
    [
        ("say what is right, such as --contract 4S --by N --tricks 10; or --list, or --undo", []),
        ("say what is right", ["--why", "x"]),
        ("say why, such as --why 'typed wrongly'", ["--title", "Final"]),
        (
            'contract = "8S": expected a contract such as 4S, 3NTX or Pass',
            ["--board", "1", "--pair", "2", "--contract", "8S", "--why", "x"],
        ),
        ("swap needs one result", ["--board", "1", "--swap", "--why", "x"]),
        ("swap and delete can't be in one entry", ["--board", "1", "--pair", "1", "--swap", "--delete", "--why", "x"]),
        ("expected a whole number, got '60%'", ["--board", "1", "--pair", "1", "--weighted", "60%", "--why", "x"]),
        ("expected a number, got 'much'", ["--pair", "1", "--carry-over", "much", "--why", "x"]),
        ("there is no entry to remove", ["--undo"]),
    ],
)
def test_options_that_make_no_entry_are_wrong_usage(message: str, options: list[str], evening: Path) -> None:
    done = run("correct", evening, *options)
    assert 2 == done.status
    assert message in done.err


def test_an_evening_that_is_not_there_is_wrong_usage(tmp_path: Path) -> None:
    assert 2 == run("correct", tmp_path / "monday.csv", *RIGHT).status


@pytest.mark.slow
def test_the_list_tells_the_story_in_order(evening: Path) -> None:
    assert "There are no corrections.\n" == run("correct", evening, "--list").out
    run("correct", evening, *RIGHT, "--who", "N. Park")
    run("correct", evening, "--pair", "3", "--penalty", "1", "points", "--why", "slow")
    first, about, second, _ = run("correct", evening, "--list").out.splitlines()
    assert "1. Board 1, 4♠ by N: 10 tricks in place of 9 (entered wrongly)" == first
    assert about.startswith("   entered wrongly, Law 79C, N. Park, 20")
    assert "2. Pair 3 loses 1 point (slow)" == second


def test_the_list_reports_an_entry_that_does_not_fit(evening: Path, corrections: Path) -> None:
    corrections.write_text('[[corrections]]\nboard = 9\npair = 1\nswap = true\nwhy = "x"\n', "utf-8")
    done = run("correct", evening, "--list")
    assert 1 == done.status
    assert "1. Board 9, swap, not applied (x)\n" in done.out
    assert f"{corrections}:2:1: error correction-unmatched" in done.err


@pytest.mark.slow
def test_undo_removes_the_last_entry_and_then_the_file(evening: Path, corrections: Path) -> None:
    run("correct", evening, *RIGHT)
    one = corrections.read_bytes()
    run("correct", evening, "--title", "Final", "--why", "x")
    assert run("correct", evening, "--undo").out.startswith("Removed: Title: Final in place of Spring Pairs (x)\n")
    assert one == corrections.read_bytes()
    done = run("correct", evening, "--undo")
    assert "5.5 → 3.5" in done.out
    assert f"{corrections}: removed, since nothing else is in it\n" == done.err
    assert not corrections.exists()


def test_a_persons_comments_order_and_line_ends_stay(evening: Path, corrections: Path) -> None:
    text = '# table 3 first\n[[corrections]]\nclub = "X"   # as on the slip\nwhy = "y"\n\n# to ask: board 2\n'
    mine = b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode()
    corrections.write_bytes(mine)
    assert 0 == run("correct", evening, *RIGHT).status
    assert corrections.read_bytes().startswith(mine + b"\r\n[[corrections]]\r\nboard = 1\r\n")
    run("correct", evening, "--undo")
    assert mine == corrections.read_bytes()


def test_a_comment_keeps_the_file(evening: Path, corrections: Path) -> None:
    corrections.write_text("# mine\n", "utf-8")
    run("correct", evening, *RIGHT)
    run("correct", evening, "--undo")
    assert "# mine\n" == corrections.read_text("utf-8")


def test_a_file_that_is_not_toml_is_left_alone(evening: Path, corrections: Path) -> None:
    corrections.write_text("board = x\n", "utf-8")
    done = run("correct", evening, *RIGHT)
    assert 1 == done.status
    assert "not a TOML file" in done.err
    assert "board = x\n" == corrections.read_text("utf-8")


def test_a_correction_corrects_a_session_that_has_errors_already(evening: Path, corrections: Path) -> None:
    corrections.write_text('[[corrections]]\nboard = 9\npair = 1\nswap = true\nwhy = "x"\n', "utf-8")
    assert 0 == run("correct", evening, *RIGHT).status


def test_a_disk_that_fails_leaves_the_old_file(
    evening: Path, corrections: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("correct", evening, "--title", "Final", "--why", "x")
    old = corrections.read_bytes()

    def fail(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    done = run("correct", evening, *RIGHT)
    assert (2, old) == (done.status, corrections.read_bytes())
    assert "can't be written: No space left on device" in done.err
    assert {evening, corrections} == set(evening.parent.iterdir())


def test_an_evening_may_be_named_by_its_folder_or_its_corrections(evening: Path, corrections: Path) -> None:
    assert 0 == run("correct", evening.parent, *RIGHT).status
    own = evening.parent / f"{evening.parent.name}.corrections.toml"
    assert own.exists()
    own.rename(corrections)
    assert "1. Board 1" in run("correct", corrections, "--list").out
    run("correct", evening.parent, "--title", "Final", "--why", "x")
    assert 2 == corrections.read_text("utf-8").count("[[corrections]]")


def test_a_file_of_deals_takes_the_results_of_its_name(evening: Path) -> None:
    deals = evening.with_suffix(".dup")
    shutil.copy(FIXTURES / "spring-pairs.dup", deals)
    assert "4♠ by N: 10 tricks in place of 9" in run("correct", deals, *RIGHT).out


def test_cards_are_corrected_in_the_file_that_has_them(evening: Path) -> None:
    shutil.copy(FIXTURES / "spring-pairs.dup", evening.with_suffix(".dup"))
    done = run("correct", evening, "--board", "1", "--cards", "SA", "SQ", "--why", "misprinted")
    assert "Board 1, cards: ♠A to East and ♠Q to North (misprinted)" in done.out
    assert "The ranking stays the same." in done.out


@pytest.mark.slow
def test_corrections_may_be_in_a_file_of_another_name(evening: Path) -> None:
    other = evening.with_name("other.corrections.toml")
    assert 0 == run("correct", evening, *RIGHT, "--corrections", other).status
    assert "Spring" in run("score", evening).out
    assert "Gus Lane,5.5" not in run("score", evening, "--format", "csv").out
    for command in ("--format", "csv"), ("--audit", "--format", "json"):
        assert 0 == run("score", evening, *command, "--corrections", other).status
    assert "Gus Lane,5.5" in run("score", evening, "--format", "csv", "--corrections", other).out


def test_the_settings_of_the_club_decide_how_it_is_scored(evening: Path) -> None:
    settings = evening.with_name("club.toml")
    settings.write_text('[scoring]\nmethod = "aggregate"\n', "utf-8")
    assert "→ 420" in run("correct", evening, *RIGHT, "--config", settings).out


def test_check_reports_what_is_wrong_with_the_corrections(evening: Path, corrections: Path) -> None:
    corrections.write_text('[[corrections]]\ntitel = "x"\nwhy = "y"\n', "utf-8")
    done = run("check", evening)
    assert 1 == done.status
    assert (
        f"{corrections}:2:1: error correction-invalid [corrections.1] titel: unknown key; did you mean title?"
        in done.out
    )


def test_a_shell_pattern_that_names_the_corrections_too_is_understood(evening: Path) -> None:
    run("correct", evening, *RIGHT)
    both = sorted(evening.parent.iterdir())
    assert run("score", evening, "--format", "csv").out == run("score", *both, "--format", "csv").out


@pytest.mark.parametrize(
    "words",
    [
        ["--contract", "4S", "--by", "N", "--tricks", "+1"],
        ["--contract", "4♠", "--by", "north", "--tricks", "11"],
        ["--contract", "4S+1", "--by", "N"],
        ["--contract", "4S+1 N"],
        ["--contract", "4SN+1"],
    ],
)
def test_a_result_may_be_given_as_players_write_it(evening: Path, corrections: Path, words: list[str]) -> None:
    assert 0 == run("correct", evening, "--board", "1", "--pair", "2", *words, "--why", "x").status
    written = list_entries(corrections)[0]
    assert ("4S", "N", 11) == tuple(written[key] for key in ("contract", "by", "tricks"))


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--score", "625"], "no contract scores +625 for N-S on this board; possible is +620 and +630"),
        (["--contract", "7N", "--by", "N", "--tricks", "+1"], "expected 0 to 13 tricks, got 14: 7NT can be -13 to ="),
        (["--tricks", "+1"], "tricks = '+1' counts from a contract; set contract too, or 0 to 13 tricks"),
        (["--contract", "4S+1 N", "--by", "S"], "contract = '4S+1 N' says N too; leave by out"),
    ],
)
def test_what_cannot_be_is_refused_with_what_can(
    evening: Path, corrections: Path, words: list[str], expected: str
) -> None:
    done = run("correct", evening, "--board", "2", "--pair", "1", *words, "--why", "x")
    assert 0 != done.status
    assert expected in done.err
    assert not corrections.exists()


@pytest.mark.slow
def test_an_entry_is_replaced_and_removed_by_its_number(evening: Path, corrections: Path) -> None:
    for board in ("1", "2"):
        run("correct", evening, "--board", board, "--pair", "2", "--score", "-100", "--why", f"board {board}")
    again = ["--board", "1", "--pair", "2", "--score", "-200", "--why", "again"]
    assert "entry 1 on line 1 already sets the score" in run("correct", evening, *again).err
    assert 0 == run("correct", evening, *again, "--replace", "1").status
    assert ["again", "board 2"] == [entry["why"] for entry in list_entries(corrections)]
    assert 2 == run("correct", evening, "--undo", "3").status
    assert run("correct", evening, "--undo", "1").out.startswith("Removed: Board 1")
    assert ["board 2"] == [entry["why"] for entry in list_entries(corrections)]
    run("correct", evening, "--undo")
    assert not corrections.exists()


@pytest.mark.slow
def test_a_replaced_entry_has_the_line_ends_of_its_file(evening: Path, corrections: Path) -> None:
    for board in ("1", "2"):
        run("correct", evening, "--board", board, "--pair", "2", "--score", "-100", "--why", f"board {board}")
    corrections.write_bytes(corrections.read_bytes().replace(b"\n", b"\r\n"))
    run("correct", evening, "--board", "1", "--pair", "2", "--score", "-200", "--why", "again", "--replace", "1")
    content = corrections.read_bytes()
    assert b"again" in content
    assert content.count(b"\n") == content.count(b"\r\n")


def list_entries(corrections: Path) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = tomllib.loads(corrections.read_text("utf-8"))["corrections"]
    return listed
