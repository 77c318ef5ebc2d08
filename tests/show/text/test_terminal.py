"""Text for a terminal."""

import polars as pl
import pytest

from overtrick.core.frames import PROBLEMS, STANDINGS, Facts, Session
from overtrick.judge.numbers.search import AUDIT
from overtrick.show.text.display import (
    Palette,
    format_audit,
    format_problems,
    format_standings,
    format_summary,
    format_table,
    make_printable,
    measure_width,
)
from tests.support.builders import Row, frame


def test_a_name_can_not_steer_the_terminal() -> None:
    assert "Ann�[2J�31m�" == make_printable("Ann\x1b[2J\x9b31m\x07")


def test_a_name_can_not_turn_the_line_around() -> None:
    assert "Ann�ylloM" == make_printable("Ann\u202eylloM")


def test_a_tab_takes_one_column_as_problems_count_it() -> None:
    assert "1D Pass" == make_printable("1D\tPass")


@pytest.mark.parametrize(("cells", "text"), [(3, "Ann"), (4, "王五"), (3, "Zoe\u0301"), (4, "♠AKQ")])
def test_width_is_what_the_terminal_shows(cells: int, text: str) -> None:
    assert cells == measure_width(text)


def test_a_palette_that_is_off_paints_nothing() -> None:
    assert "error" == Palette(on=False).paint("error", "error")
    assert "\x1b[1;31merror\x1b[0m" == Palette(on=True).paint("error", "error")


def test_a_ranking_shows_shared_places_and_lines_numbers_up() -> None:
    rows = [
        {
            "rank": 1,
            "rank_last": 1,
            "contestant": "7",
            "names": "Ann - Bo",
            "total": 104.5,
            "percentage": 62.5,
            "boards": 9,
        },
        {"rank": 2, "rank_last": 3, "contestant": "12", "names": "王 - 李", "total": 98, "percentage": 50, "boards": 9},
        {"rank": 2, "rank_last": 3, "contestant": "1", "names": None, "total": 98, "percentage": 50, "boards": 8},
    ]
    session = Session(
        standings=frame(STANDINGS, [{"ranking": "NS", **row} for row in rows]),
        facts=Facts(event="Club evening", date="2026.03.01", method="matchpoints"),
    )
    assert format_standings(session, PLAIN) == (
        "Club evening, 2026.03.01, matchpoints\n"
        "\n"
        "North-South\n"
        "place  contestant  names     total     %  boards\n"
        "   1   7           Ann - Bo  104.5  62.5       9\n"
        "   2=  12          王 - 李    98.0  50.0       9\n"
        "   2=  1                      98.0  50.0       8\n"
    )


def test_rankings_of_a_section_carry_its_name() -> None:
    rows = [{"ranking": name, "rank": 1, "rank_last": 1, "contestant": "1"} for name in ("Red NS", "Red EW", "all")]
    titles = format_standings(Session(standings=frame(STANDINGS, rows)), PLAIN).splitlines()[::4]
    assert ["Red North-South", "Red East-West", "All contestants"] == titles


def test_a_column_without_values_is_left_out() -> None:
    assert format_table(pl.DataFrame({"board": [1, 12], "lead": [None, None]})) == "board\n    1\n   12\n"


def test_nothing_to_list_is_no_table() -> None:
    assert format_table(pl.DataFrame({"board": []})) == ""
    assert format_standings(Session(), PLAIN) == "There is nothing to rank.\n"


def test_a_name_keeps_to_its_cell() -> None:
    table = format_table(pl.DataFrame({"names": ["Ann\nBerg\x1b[2J"], "board": [1]}))
    assert ["names         board", "Ann�Berg�[2J      1"] == table.splitlines()


PLAIN = Palette(on=False)


def problem(**columns: object) -> Row:
    usual = {"severity": "error", "code": "deal-card", "source": "a.pbn", "message": "no card", "hint": "Look."}
    return {**usual, **columns}


def report(*rows: Row, text: str = "") -> str:
    return format_problems(
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


def test_the_mark_is_below_its_character_whatever_its_width() -> None:
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
    assert "tag-unknown" not in format_problems(session, lambda _, __: {}, PLAIN, severities=("error",))


def test_the_summary_counts_worst_first() -> None:
    rows = [problem(), *[problem(severity="warning")] * 2, problem(severity="info")]
    assert "0 files, 0 games, 0 boards: 1 error, 2 warnings, 1 note\n" == format_summary(
        Session(problems=frame(PROBLEMS, rows)), PLAIN
    )


def test_the_summary_of_a_clean_session_says_so() -> None:
    assert "0 files, 0 games, 0 boards: no problems\n" == format_summary(Session(), PLAIN)


NOTHING = pl.DataFrame(schema=AUDIT)
ONE_LINE = pl.DataFrame([{"what": "line", "board": 3, "stated": "1 / 3", "explained_by": None}], schema=AUDIT)


def test_what_agrees_is_counted() -> None:
    assert "12 of 12 lines and 1 of 1 total match what the files state.\n" == format_audit(NOTHING, 12, 1, [])


def test_differences_come_first_then_what_explains_them() -> None:
    text = format_audit(ONE_LINE, 12, 8, [("datum = mean", 1, 0), ("field = all", 1, 4)])
    assert text.splitlines() == [
        "what  board  stated",
        "line      3  1 / 3",
        "",
        "datum = mean would explain 1 of 1.",
        "field = all would explain 1 of 1, but 4 others would then differ.",
        "",
        "11 of 12 lines and 8 of 8 totals match what the files state.",
    ]
