"""Problems told as a club wants them."""

import polars as pl

from overtrick.frames import PROBLEMS
from overtrick.problems import CODES, Finding, apply_checks, apply_strict, match_codes, report, report_findings
from tests.support.builders import frame

TOLD = ("board-dealer", "board-vulnerability", "play-revoke", "deal-hand-size")


def problems(*codes: str) -> pl.DataFrame:
    return frame(PROBLEMS, [{"code": code, "severity": CODES[code].severity, "line": 1} for code in codes])


def left(only: list[str] | None = None, silence: tuple[str, ...] = ()) -> list[str]:
    return apply_checks(problems(*TOLD), only, silence, {})["code"].to_list()


def test_every_problem_is_told_unless_a_club_says_otherwise() -> None:
    assert list(TOLD) == left()


def test_silenced_problems_are_not_told() -> None:
    assert ["play-revoke", "deal-hand-size"] == left(silence=("board-*",))
    assert ["board-vulnerability", "deal-hand-size"] == left(silence=("board-dealer", "play-revoke"))


def test_only_some_problems_are_told_and_losses_always() -> None:
    assert ["play-revoke", "deal-hand-size"] == left(only=["play-*"])
    assert ["deal-hand-size"] == left(only=["*"], silence=("*",))


def test_severity_is_changed_by_the_last_pattern_that_fits() -> None:
    changed = apply_checks(problems(*TOLD), None, (), {"board-*": "info", "board-dealer": "error", "deal-*": "info"})
    assert ["error", "info", "warning", "error"] == changed["severity"].to_list()


def test_a_club_s_severity_goes_before_strictness() -> None:
    refused = apply_strict(problems("play-revoke"))
    assert ["error"] == refused["severity"].to_list()
    assert ["info"] == apply_checks(refused, None, (), {"play-*": "info"})["severity"].to_list()


def test_a_pattern_stands_for_the_codes_that_fit_it() -> None:
    assert ["board-dealer", "board-vulnerability"] == match_codes("board-[dv]*")
    assert [] == match_codes("boards")


def test_a_value_that_is_not_known_reads_as_a_question_mark() -> None:
    rows = pl.DataFrame({"board": ["7"], "stated": ["N"], "expected": [None]}, schema_overrides={"expected": pl.String})
    assert ["board 7: the file says that N deals, by its number it is ?; the file's dealer counts"] == (
        report("board-dealer", rows)["message"].to_list()
    )


def test_what_is_left_of_rows_that_were_put_together_is_told() -> None:
    tricks = pl.concat([pl.Series("trick", [trick]) for trick in (2, 3, 5)], rechunk=False)
    rows = pl.DataFrame({"whole": [False, True, True], "player": "West", "due": "East"}).with_columns(tricks)
    told = report("lin-trick-turned", rows.filter("whole"))["message"]
    assert ["trick 3", "trick 5"] == told.str.head(7).to_list()


def test_a_message_quotes_the_beginning_of_a_long_value() -> None:
    told = report("pbn-stray-text", pl.DataFrame({"line": [1], "text": ["x" * 100_000]}))
    same = report_findings([Finding("pbn-stray-text", 1, values={"text": "x" * 100_000})], None)
    assert told["message"].to_list() == same["message"].to_list()
    assert told["message"][0].endswith(": " + "x" * 200 + "...")
