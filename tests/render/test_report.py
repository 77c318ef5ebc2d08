"""Problems as text for people."""

from overtrick.frames import PROBLEMS, Session
from overtrick.render.report import problem_report, summary
from overtrick.render.terminal import Palette
from tests.support.builders import Row, frame

PLAIN = Palette(on=False)


def problem(**columns: object) -> Row:
    usual = {"severity": "error", "code": "deal-card", "source": "a.pbn", "message": "no card", "hint": "Look."}
    return {**usual, **columns}


def report(*rows: Row, text: str = "") -> str:
    return problem_report(
        Session(problems=frame(PROBLEMS, rows)), lambda _, __: dict(enumerate(text.split("\n"), 1)), PLAIN
    )


def test_a_problem_shows_its_place_its_line_and_what_to_do() -> None:
    text = '[Board "3"]\n[Deal "N:AKQ1..."]'
    assert report(problem(line=2, column=13, board="3", table="7"), text=text) == (
        "a.pbn:2:13: error deal-card no card (board 3, table 7)\n"
        '    [Deal "N:AKQ1..."]\n'
        "                ^\n"
        "    hint: Look.\n"
    )


def test_a_problem_of_a_whole_file_shows_no_line() -> None:
    assert "a.pbn: error deal-card no card\n    hint: Look.\n" == report(problem(), text="[Event]")


def test_a_problem_of_no_file_is_one_of_the_session() -> None:
    assert "session: error deal-card no card\n    hint: Look.\n" == report(problem(source=None))


def test_repeats_of_a_code_are_folded_file_by_file() -> None:
    rows = [problem(source=source, line=line) for source in ("a.pbn", "b.pbn") for line in range(1, 9)]
    lines = report(*rows).splitlines()
    assert [f"a.pbn:{line}: error deal-card no card" for line in range(1, 6)] == [x for x in lines if x[0] == "a"]
    assert 2 == lines.count("    hint: Look.")
    assert 2 == lines.count("    and 3 more like this")


def test_the_mark_stands_below_its_character_whatever_its_width() -> None:
    *_, line, mark, _ = report(problem(line=1, column=7), text='王\t李 "x"').splitlines()
    assert ('    王 李 "x"', "    " + " " * 8 + "^") == (line, mark)


def test_a_long_line_is_cut_around_the_column() -> None:
    *_, line, mark, _ = report(problem(line=1, column=5001), text="." * 5000 + "X" + "." * 5000).splitlines()
    assert 104 == len(line)
    assert "X" == line[mark.index("^")]


def test_a_column_past_the_end_of_its_line_is_marked_at_the_end() -> None:
    assert "        ^" in report(problem(line=1, column=99), text="[Ev]").splitlines()


def test_a_line_past_the_end_of_the_file_shows_none() -> None:
    assert "a.pbn:9:1: error deal-card no card\n    hint: Look.\n" == report(problem(line=9, column=1), text="x")


def test_what_a_file_holds_can_not_steer_the_terminal() -> None:
    text = report(problem(line=1, column=1, source="\x1b[2J.pbn", message="'\x1b]0;x\x07'"), text="\x1b[31m")
    assert "\x1b" not in text


def test_only_the_severities_asked_for_are_listed() -> None:
    session = Session(problems=frame(PROBLEMS, [problem(), problem(severity="info", code="tag-unknown")]))
    assert "tag-unknown" not in problem_report(session, lambda _, __: {}, PLAIN, severities=("error",))


def test_the_summary_counts_worst_first() -> None:
    rows = [problem(), *[problem(severity="warning")] * 2, problem(severity="info")]
    assert "0 files, 0 games, 0 boards: 1 error, 2 warnings, 1 note\n" == summary(
        Session(problems=frame(PROBLEMS, rows)), PLAIN
    )


def test_the_summary_of_a_clean_session_says_so() -> None:
    assert "0 files, 0 games, 0 boards: no problems\n" == summary(Session(), PLAIN)
