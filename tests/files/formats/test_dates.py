"""The dates of files: one form from where they are read, or a problem that names the line."""

from pathlib import Path

import pytest

from overtrick.core.config import Config, Tables
from overtrick.pipeline import read
from tests.support.commands import run

HEADER = "date,board,ns,ew,score_ns\n"


def dates(path: Path, order: str | None = None) -> tuple[list[str], list[tuple[str, int]]]:
    """Return the distinct dates of a file, and code and line of the problems with them."""
    config = Config(tables=Tables.model_validate({"dates": order}))
    session = read([str(path)], config)
    about = session.problems.filter(session.problems["code"].str.starts_with("date-"))
    return session.records["date"].unique(maintain_order=True).to_list(), about.select("code", "line").rows()


def table(folder: Path, name: str, *days: str) -> Path:
    path = folder / name
    path.write_text(HEADER + "".join(f"{day},{board},1,2,50\n" for board, day in enumerate(days, 1)))
    return path


@pytest.mark.slow
def test_every_format_gives_dates_in_one_form(tmp_path: Path) -> None:
    path = table(tmp_path, "typed.csv", "6.1.2026")
    for name in ("a.pbn", "b.xml", "c.csv", "d.lin", "e.json"):
        assert 0 == run("convert", path, tmp_path / name).status, name
        assert (["2026.01.06"], []) == dates(tmp_path / name), name


def test_a_date_that_could_be_two_is_reported_once_with_its_line(tmp_path: Path) -> None:
    path = table(tmp_path, "typed.csv", "1/3/2026", "1/3/2026")
    assert (["1/3/2026"], [("date-unsure", 2)]) == dates(path)


@pytest.mark.parametrize(("order", "day"), [("day-first", "2026.03.01"), ("month-first", "2026.01.03")])
def test_the_club_says_which_comes_first(tmp_path: Path, order: str, day: str) -> None:
    assert ([day], []) == dates(table(tmp_path, "typed.csv", "1/3/2026"), order)


def test_the_file_decides_before_the_club(tmp_path: Path) -> None:
    path = table(tmp_path, "typed.csv", "1/3/2026", "13/3/2026")
    assert (["2026.03.01", "2026.03.13"], []) == dates(path, "month-first")


def test_other_files_of_the_folder_decide(tmp_path: Path) -> None:
    path = table(tmp_path, "one.csv", "1/3/2026")
    table(tmp_path, "two.csv", "3/13/2026")
    assert (["2026.01.03"], []) == dates(path)


def test_files_of_a_folder_that_disagree_decide_nothing(tmp_path: Path) -> None:
    path = table(tmp_path, "one.csv", "1/3/2026")
    table(tmp_path, "two.csv", "3/13/2026")
    table(tmp_path, "three.csv", "13/3/2026")
    assert (["1/3/2026"], [("date-unsure", 2)]) == dates(path)


@pytest.mark.parametrize("text", ["6.1.26", "2026-02-30", "some Tuesday"])
def test_what_is_not_a_date_is_reported_and_stays(tmp_path: Path, text: str) -> None:
    assert ([text], [("date-unread", 2)]) == dates(table(tmp_path, "typed.csv", text))
