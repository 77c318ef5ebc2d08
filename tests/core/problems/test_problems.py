"""Reporting problems, and the club's settings that silence them or change their severity."""

import polars as pl
import pytest

from overtrick.core.frames import PROBLEMS, RECORDS, dtypes
from overtrick.core.problems import (
    CODES,
    FINDINGS,
    Finding,
    apply_checks,
    apply_strict,
    concat_problems,
    fold_habits,
    leave_to_kinds,
    match_codes,
    report,
    report_findings,
)
from tests.support.builders import frame

REPORTED = ("board-dealer", "board-vulnerability", "play-revoke", "deal-hand-size")


def problems(*codes: str) -> pl.DataFrame:
    return frame(PROBLEMS, [{"code": code, "severity": CODES[code].severity, "line": 1} for code in codes])


def left(only: list[str] | None = None, silence: tuple[str, ...] = ()) -> list[str]:
    return apply_checks(problems(*REPORTED), only, silence, {})["code"].to_list()


def test_all_problems_stay_unless_a_club_says_otherwise() -> None:
    assert list(REPORTED) == left()


def test_silenced_problems_are_left_out() -> None:
    assert ["play-revoke", "deal-hand-size"] == left(silence=("board-*",))
    assert ["board-vulnerability", "deal-hand-size"] == left(silence=("board-dealer", "play-revoke"))


def test_only_chosen_problems_stay_and_losses_always() -> None:
    assert ["play-revoke", "deal-hand-size"] == left(only=["play-*"])
    assert ["deal-hand-size"] == left(only=["*"], silence=("*",))


def test_the_last_pattern_that_matches_sets_the_severity() -> None:
    changed = apply_checks(
        problems(*REPORTED), None, (), {"board-*": "info", "board-dealer": "error", "deal-*": "info"}
    )
    assert ["error", "info", "warning", "error"] == changed["severity"].to_list()


def test_a_club_s_severity_goes_before_strictness() -> None:
    refused = apply_strict(problems("play-revoke"))
    assert ["error"] == refused["severity"].to_list()
    assert ["info"] == apply_checks(refused, None, (), {"play-*": "info"})["severity"].to_list()


def test_a_pattern_matches_codes_like_file_names() -> None:
    assert ["board-dealer", "board-vulnerability"] == match_codes("board-[dv]*")
    assert [] == match_codes("boards")


def test_a_message_shows_a_question_mark_for_an_unknown_value() -> None:
    rows = pl.DataFrame({"board": ["7"], "text": [None]}, schema_overrides={"text": pl.String})
    assert ['"?" is not a card'] == report("card-unknown/lin", rows)["message"].to_list()
    found = report_findings([Finding("card-unknown/lin", values={"text": None})], None)
    assert ['"?" is not a card'] == found["message"].to_list()


def test_findings_of_several_codes_keep_their_order() -> None:
    found = [Finding("deal-file-encrypted", 3), Finding("file-binary", 1), Finding("deal-file-encrypted", 2)]
    told = report_findings(found, "a.pbn").select("code", "line", "source", "severity").rows()
    assert [(one.code, one.line, "a.pbn", CODES[one.code].severity) for one in found] == told


def test_a_finding_s_place_is_not_a_value_of_its_sentence() -> None:
    (row,) = report_findings(
        [Finding("bws-missing", values={"board": "7", "round": 2, "at": "", "pairs": "3"})], "a"
    ).to_dicts()
    assert (None, "board 7, round 2") == (row["board"], row["message"][:16])


def test_a_finding_says_what_it_is_about_and_a_problem_with_a_place_does_not() -> None:
    rows = pl.DataFrame({"record": [4], "index": [2], "line": [7]})
    finding, placed = report("file-no-games/text", rows, "records.calls"), report("file-no-games/text", rows)
    assert [dtypes(FINDINGS), dtypes(PROBLEMS)] == [dict(finding.schema), dict(placed.schema)]
    together = concat_problems([placed.clear(), placed, finding])
    assert [(4, None, None), (4, "records.calls", 2)] == together.select("record", "part", "index").rows()
    assert dtypes(PROBLEMS) == dict(concat_problems([finding.clear()]).schema)


def test_rows_of_several_chunks_are_reported_after_a_filter() -> None:
    tricks = pl.concat([pl.Series("trick", [trick]) for trick in (2, 3, 5)], rechunk=False)
    rows = pl.DataFrame({"whole": [False, True, True], "player": "West", "due": "East"}).with_columns(tricks)
    messages = report("play-rows-turned/lin", rows.filter("whole"))["message"]
    assert ["trick 3", "trick 5"] == messages.str.head(7).to_list()


def test_a_message_quotes_the_beginning_of_a_long_value() -> None:
    reported = report("stray-text/lin", pl.DataFrame({"line": [1], "text": ["x" * 100_000]}))
    same = report_findings([Finding("stray-text/lin", 1, values={"text": "x" * 100_000})], None)
    assert reported["message"].to_list() == same["message"].to_list()
    assert reported["message"][0].endswith(": " + "x" * 200 + "...")


def test_of_each_code_a_number_is_listed_and_the_rest_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("overtrick.core.problems.MOST_LISTED", 2)
    found = report_findings(
        [*(Finding("file-no-games/text", line) for line in (1, 2, 3, 4)), Finding("file-binary", 9)], "a"
    )
    assert ["file-no-games", "file-no-games", "file-binary", "file-problems-cut"] == found["code"].to_list()
    last = found.row(-1, named=True)
    assert (3, True) == (last["line"], "file-no-games (not listed: 2)" in last["message"])


def of_boards(*codes: str, boards: int, source: str = "a.pbn") -> pl.DataFrame:
    rows = [
        {"code": code, "severity": "warning", "record": board, "line": 10 * board, "source": source, "message": code}
        for board in range(boards)
        for code in codes
    ]
    return frame(PROBLEMS, rows)


@pytest.mark.parametrize(("boards", "of", "folded"), [(6, 10, True), (5, 9, True), (5, 10, False), (4, 4, False)])
def test_what_most_boards_of_a_file_have_is_one_note(boards: int, of: int, folded: bool) -> None:
    found = of_boards("board-dealer", "deal-hand-size", boards=boards)
    records = frame(RECORDS, [{"record": record, "source": "a.pbn"} for record in range(of)])
    left = fold_habits(found, records)
    assert left.filter(code="deal-hand-size").equals(found.filter(code="deal-hand-size"))
    dealers = left.filter(code="board-dealer")
    if not folded:
        assert dealers.equals(found.filter(code="board-dealer"))
    else:
        expected = (
            f"the dealers do not follow the board numbers in {boards} of {of} boards; overtrick uses the file's dealers"
        )
        assert [("info", expected, 0)] == dealers.select("severity", "message", "line").rows()


def test_results_that_name_nobody_stay_a_warning() -> None:
    records = frame(RECORDS, [{"record": record, "source": "a.pbn"} for record in range(6)])
    left = fold_habits(of_boards("result-no-pair", boards=6), records)
    assert [("warning", "the results of 6 of 6 games do not name who played, so nobody gets their points")] == (
        left.select("severity", "message").rows()
    )


def test_each_file_has_habits_of_its_own() -> None:
    found = pl.concat([of_boards("board-dealer", boards=6), of_boards("board-dealer", boards=2, source="b.pbn")])
    files = [("a.pbn", record) for record in range(6)] + [("b.pbn", record) for record in range(2)]
    left = fold_habits(found, frame(RECORDS, [{"record": record, "source": source} for source, record in files]))
    assert [("a.pbn", "info"), ("b.pbn", "warning"), ("b.pbn", "warning")] == left.select("source", "severity").rows()


def test_a_problem_is_left_out_of_the_kinds_of_files_that_it_does_not_name() -> None:
    found = of_boards("board-dealer", "deal-hand-size", boards=1)
    assert ["deal-hand-size"] == leave_to_kinds(found, {"a.pbn": "practice"})["code"].to_list()
    assert found.equals(leave_to_kinds(found, {"a.pbn": "session", "b.pbn": "practice"}))
