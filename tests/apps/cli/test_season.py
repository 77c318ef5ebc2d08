"""`overtrick season`: evenings added, removed and renamed."""

from pathlib import Path

import pytest

from tests.support.commands import FIXTURES, run
from tests.support.pages import parse, text_of

EVENING = (FIXTURES / "spring-pairs.csv").read_text("utf-8")


@pytest.fixture
def season(tmp_path: Path) -> tuple[Path, Path]:
    files, out = tmp_path / "files", tmp_path / "out"
    files.mkdir()
    for day in ("03", "10"):
        (files / f"march-{day}.csv").write_text(EVENING.replace("2026.03.07", f"2026.03.{day}"), "utf-8")
    assert 0 == run("season", files, "--out", out, "--no-pdf").status
    return files, out


def index(out: Path) -> str:
    return text_of(parse((out / "index.html").read_bytes()))


def test_an_evening_is_removed_and_stays_out(season: tuple[Path, Path]) -> None:
    files, out = season
    ran = run("season", "--out", out, "--remove", "march-03")
    assert (0, f"{out / 'index.html'}\n") == (ran.status, ran.out)
    assert not (out / "march-03").exists()
    assert "3 March 2026" not in index(out)
    ran = run("season", files, "--out", out, "--no-pdf")
    assert "march-03: was removed from the season" in ran.err
    assert not (out / "march-03").exists()
    assert 0 == run("season", files / "march-03.csv", "--out", out, "--no-pdf").status
    assert "3 March 2026" in index(out)
    assert "2 unchanged" in run("season", files, "--out", out, "--no-pdf").err


def test_the_pages_of_players_forget_a_removed_evening(season: tuple[Path, Path]) -> None:
    _, out = season
    page = out / "people" / "ada-quill" / "index.html"
    assert "march-03" in page.read_text("utf-8")
    run("season", "--out", out, "--remove", "march-03")
    assert "march-03" not in page.read_text("utf-8")
    assert "march-10" in page.read_text("utf-8")


def test_an_evening_is_renamed_and_keeps_its_name(season: tuple[Path, Path]) -> None:
    files, out = season
    ran = run("season", "--out", out, "--rename", "march-03", "Spring Final")
    assert (0, f"{out / 'spring-final' / 'index.html'}\n") == (ran.status, ran.out)
    assert 'href="spring-final/index.html"' in (out / "index.html").read_text("utf-8")
    assert "spring-final" in (out / "people" / "ada-quill" / "index.html").read_text("utf-8")
    assert 0 == run("season", files, "--out", out, "--no-pdf").status
    assert not (out / "march-03").exists()
    assert (out / "spring-final").is_dir()


def test_unknown_and_taken_names_are_refused(season: tuple[Path, Path]) -> None:
    _, out = season
    for options in (("--remove", "april"), ("--rename", "april", "may"), ("--rename", "march-03", "march-10")):
        ran = run("season", "--out", out, *options)
        assert 2 == ran.status
    assert "the evenings are: march-03, march-10" in run("season", "--out", out, "--remove", "april").err
    assert 2 == run("season", "--out", out, "--rename", "march-03", "people").status
    assert 2 == run("season", "--out", out).status


def test_the_index_has_months_weekdays_and_a_search(season: tuple[Path, Path]) -> None:
    _, out = season
    page = (out / "index.html").read_text("utf-8")
    assert page.index("10 March 2026") < page.index("3 March 2026")
    assert "<h3>March</h3>" in page
    assert 'data-day="2"' in page
    assert 'id="seek-text"' in page


def test_an_evening_may_not_take_the_place_of_the_pages_of_players(season: tuple[Path, Path]) -> None:
    files, out = season
    (files / "people.csv").write_text(EVENING, "utf-8")
    assert 0 == run("season", files, "--out", out, "--no-pdf").status
    assert (out / "people-2" / "session.json").is_file()


def test_a_title_that_names_a_hidden_player_is_told(tmp_path: Path) -> None:
    (tmp_path / "cup.csv").write_text(EVENING.replace("Spring Pairs", "Ada Quill Cup"), "utf-8")
    (tmp_path / "club.toml").write_text('[privacy]\nplayers = { "Ada Quill" = "hidden" }\n', "utf-8")
    ran = run("season", tmp_path / "cup.csv", "--out", tmp_path / "season", "--no-pdf")
    assert 'The title "Ada Quill Cup" names somebody who is not named in full; it stays as it is.' in ran.err
