"""Problems that few files draw, each at its line and column, as `check`, `evaluate` and `convert` report it."""

import re
import sys
from io import BytesIO
from pathlib import Path

import polars as pl
import pytest
from xlsxwriter import Workbook

import overtrick as ot
from tests.support.commands import FIXTURES

HEAD = "board,ns,ew,contract,declarer,tricks\n"
DEAL = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"
LESSON = "md|3SAKQJT98765432,HAKQJT98765432,DAKQJT98765432|sv|o|ah|Board 1|\nmb|7s|mb|p|mb|p|mb|p|\n"


def board(number: int, deal: str = DEAL) -> str:
    return f'[Event "Practice"]\n[Board "{number}"]\n[Deal "{deal}"]\n\n'


def sheet() -> bytes:
    content = BytesIO()
    with Workbook(content) as book:
        book.add_worksheet().write_row(0, 0, ("coffee", "tea"))
    return content.getvalue()


def found(problems: pl.DataFrame, code: str) -> list[tuple[str, int | None, int | None]]:
    return problems.filter(code=code).select("message", "line", "column").rows()


@pytest.mark.parametrize(
    ("file", "code", "words", "place"),
    [
        (("a.csv", f"{HEAD}1,1,2,4S,N,=\n2,1,2,3NT,S,1\n"), "table-tricks-relative", "1 is +1", (1, 1)),
        (("a.xlsx", sheet()), "table-header", "names the columns of a table of results", (1, 1)),
        (("a.html", '<table class="bbo_t_l"><tr><td>Ada</td></tr></table>'), "bbo-ranking", "the ranking", (1, 1)),
        (("a.xml", "<USEBIO><EVENT>Cup & Plate</EVENT></USEBIO>"), "xml-ampersand", "this & is not valid", (1, 20)),
        (("a.xml", '<!DOCTYPE a [<!ENTITY x "y">]><USEBIO/>'), "file-refused", "refuses to read", (1, 25)),
    ],
    ids=lambda value: value if isinstance(value, str) and len(value) < 30 else "",
)
def test_a_file_draws_its_problem(
    file: tuple[str, str | bytes], code: str, words: str, place: tuple[int, int], tmp_path: Path
) -> None:
    name, content = file
    (tmp_path / name).write_bytes(content.encode() if isinstance(content, str) else content)
    ((message, *at),) = found(ot.check(tmp_path / name), code)
    assert words in message
    assert place == tuple(at)


@pytest.mark.parametrize(
    ("file", "target", "code", "words", "line"),
    [
        (("a.lin", f"{LESSON}ht|z|\n"), "a.pbn", "not-written", "PBN cannot store these LIN commands: ht", 3),
        (("a.lin", LESSON.replace("mb|7s|", "nt|a {b} c|mb|7s|")), "a.pbn", "pbn-braces", "writes brackets instead", 2),
        (("a.pbn", board(3, "N:AKQJT98765432... - - -")), "a.links", "not-written", "board 3: a link shows", 1),
        (("a.pbn", board(1) + board(4)), "a.dlm", "written-changed", "boards 2, 3 do not have a deal", None),
        (("a.pbn", board(3) + board(4)), "a.bri", "written-changed", "boards 3, 4 become 1, 2", None),
    ],
    ids=lambda value: value if isinstance(value, str) and len(value) < 30 else "",
)
def test_a_conversion_names_what_its_target_cannot_store(  # noqa: PLR0917 - the cells of a row
    file: tuple[str, str], target: str, code: str, words: str, line: int | None, tmp_path: Path
) -> None:
    name, content = file
    (tmp_path / name).write_text(content)
    ((message, at, _),) = found(ot.convert(tmp_path / name, tmp_path / target).problems, code)
    assert words in message
    assert line == at


def test_spreadsheets_need_their_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.xlsx").write_bytes(sheet())
    monkeypatch.setitem(sys.modules, "python_calamine", None)
    ((message, *at),) = found(ot.check(tmp_path / "a.xlsx"), "sheets-missing")
    assert message.startswith("overtrick needs another package")
    assert [1, 1] == at


def test_too_much_for_one_session_is_checked_in_parts_and_without_corrections(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("overtrick.files.formats.read.TOGETHER", 1)
    for name, content in (("a.pbn", board(1)), ("b.lin", LESSON), ("c.csv", f"{HEAD}1,1,2,4S,N,10\n")):
        (tmp_path / name).write_text(content)
    (tmp_path / "a.corrections.toml").write_text('[[corrections]]\ntitle = "Cup"\nwhy = "it was left out"\n')
    problems = ot.check(tmp_path)
    assert [("check-in-parts", None)] == problems.filter(code="check-in-parts").select("code", "line").rows()
    ((message, *at),) = found(problems, "correction-left-out")
    assert "a.pbn is too large" in message
    assert [1, 1] == at


def test_a_stated_place_that_differs_is_named_where_no_totals_are_stated(tmp_path: Path) -> None:
    evening = (FIXTURES / "butler-evening.pbn").read_text("utf-8").replace("TotalScoreIMP\\3R;", "")
    placed = re.sub(r'(?m)^( *\d+ +[-\d]+ +\d+ +\d+ +"[NE]-[SW]" +)-?\d+( +")', r"\1\2", evening)
    (tmp_path / "evening.pbn").write_text(placed.replace(' 4  -  4 4 "N-S"', ' 8  -  4 4 "N-S"'), "utf-8")
    ((message, _, _),) = found(ot.evaluate(tmp_path / "evening.pbn").problems, "number-mismatch")
    assert "4: the place in the file is 8, but overtrick ranks it 4" == message


@pytest.mark.parametrize(
    ("code", "line"),
    [
        ("pbn-spelling", '[Contract "1N"]'),
        ("pbn-tag-unquoted", "[Event Random Deal]"),
        ("pbn-value", '[Date "2-Aug-2023"]'),
    ],
)
def test_what_most_games_of_a_file_have_is_one_note(code: str, line: str, tmp_path: Path) -> None:
    games = [f"{board(number).rstrip()}\n{line}\n" for number in range(1, 7)]
    (tmp_path / "all.pbn").write_text("\n".join(games))
    (tmp_path / "few.pbn").write_text("\n".join([*games[:3], *(board(number) for number in range(4, 10))]))
    noted = ot.check(tmp_path / "all.pbn").filter(code=code)
    assert ["info"] == noted["severity"].to_list()
    assert "6 of 6" in noted["message"][0]
    assert 3 == ot.check(tmp_path / "few.pbn").filter(code=code).height
