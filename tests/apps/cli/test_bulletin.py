"""`overtrick bulletin`."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from overtrick.judge.analyse import solver
from tests.apps.cli.test_check import TWO_ACES
from tests.support.commands import EVENING, FIXTURES, run


@pytest.mark.slow
def test_the_path_of_the_first_page_is_printed(tmp_path: Path) -> None:
    ran = run("bulletin", EVENING, "--out", tmp_path / "site", "--no-dd")
    assert (0, f"{tmp_path / 'site' / 'index.html'}\n") == (ran.status, ran.out)
    assert (tmp_path / "site" / "index.html").is_file()
    assert [] != list((tmp_path / "site").rglob("*.pdf"))


@pytest.mark.parametrize("options", [("--no-pdf",), ("--no-pdf", "--no-dd")])
@pytest.mark.slow
def test_the_pdf_can_be_left_out(tmp_path: Path, options: tuple[str, ...]) -> None:
    assert 0 == run("bulletin", EVENING, "--out", tmp_path / "site", *options).status
    assert [] == list((tmp_path / "site").rglob("*.pdf"))


@pytest.mark.slow
def test_the_website_goes_to_the_folder_site_by_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    ran = run("bulletin", EVENING, "--no-pdf")
    assert (0, f"{Path('site', 'index.html')}\n") == (ran.status, ran.out)
    assert (tmp_path / "site" / "index.html").is_file()


def test_a_folder_with_other_files_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "accounts.xls").write_text("1", "utf-8")
    ran = run("bulletin", EVENING, "--out", tmp_path, "--no-pdf", "--verbose")
    assert (2, "") == (ran.status, ran.out)
    # Nobody waits for deals to be solved first.
    assert "Scoring" not in ran.err
    assert [tmp_path / "accounts.xls"] == list(tmp_path.iterdir())


def test_a_draw_that_people_type_needs_no_boards_and_misses_no_results(tmp_path: Path) -> None:
    played = (FIXTURES / "team-match.csv").read_text("utf-8")
    (tmp_path / "swiss.csv").write_text(f"{played}2,1,,Larks,Owls,,,\n", "utf-8")
    ran = run("bulletin", tmp_path / "swiss.csv", "--method", "teams", "--no-pdf", "--out", tmp_path / "site")
    front = (tmp_path / "site" / "index.html").read_text("utf-8")
    assert "no problems" in ran.err
    assert "<h2><bdi>Draw, Round 2</bdi></h2>" in front
    assert "missing" not in front
    assert {f"board-{number}" for number in range(1, 7)} == {path.name for path in (tmp_path / "site").glob("board-*")}


@pytest.mark.parametrize(
    ("name", "status", "said"),
    [
        ("missing.pbn", 2, "there is no such file or folder"),
        ("empty.pbn", 1, "no deals and no results"),
        ("nothing", 1, "no deals and no results"),
    ],
)
@pytest.mark.slow
def test_the_old_bulletin_stays_if_there_are_neither_deals_nor_results(
    tmp_path: Path, name: str, status: int, said: str
) -> None:
    (tmp_path / "empty.pbn").touch()
    (tmp_path / "nothing").mkdir()
    run("bulletin", EVENING, "--out", tmp_path / "site", "--no-pdf", "--no-dd")
    ran = run("bulletin", tmp_path / name, "--out", tmp_path / "site")
    assert (status, "") == (ran.status, ran.out)
    assert said in ran.err
    assert (tmp_path / "site" / "board-24").is_dir()


@pytest.mark.slow
def test_a_session_with_errors_still_gets_its_bulletin(tmp_path: Path) -> None:
    path = tmp_path / "fouled.pbn"
    path.write_bytes(TWO_ACES)
    ran = run("bulletin", path, EVENING, "--out", tmp_path / "site", "--no-pdf")
    assert 1 == ran.status
    assert (tmp_path / "site" / "index.html").is_file()
    assert f"{path}:4:" in ran.err


@pytest.mark.parametrize(("options", "asked"), [((), [24]), (("--no-dd",), [])])
def test_deals_are_solved_unless_the_user_says_no_dd(
    options: tuple[str, ...], asked: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    batches: list[int] = []

    def solve(deals: Sequence[str], **_: object) -> Mapping[str, bytes]:
        batches.append(len(deals))
        return dict.fromkeys(deals, bytes(20))

    monkeypatch.setattr(solver, "solve", solve)
    assert 0 == run("bulletin", EVENING, "--out", tmp_path / "site", "--no-pdf", *options).status
    assert asked == batches


def test_several_evenings_are_no_single_bulletin_unless_asked(tmp_path: Path) -> None:
    lines = "event,date,board,ns,ew,contract,declarer,tricks\nClub,2026.01.0{},1,1,2,4S,N,{}\n"
    files = [tmp_path / f"evening{day}.csv" for day in (1, 2)]
    for day, file in enumerate(files, start=1):
        file.write_text(lines.format(day, 9 + day))
    refused = run("bulletin", *files, "--out", tmp_path / "site", "--no-pdf", "--no-dd")
    assert 2 == refused.status
    assert "2 evenings: evening1, evening2" in refused.err
    assert not (tmp_path / "site").exists()
    added = run("bulletin", *files, "--out", tmp_path / "site", "--no-pdf", "--no-dd", "--total")
    assert 0 == added.status
    assert (tmp_path / "site" / "index.html").is_file()


def test_a_name_that_is_near_a_hidden_one_is_hidden_and_asked_about(tmp_path: Path) -> None:
    (tmp_path / "club.toml").write_text('[privacy.players]\n"Pria Raman" = "hidden"\n"Nobody Atall" = "hidden"\n')
    ran = run("bulletin", EVENING, "--out", tmp_path / "site", "--no-pdf", "--config", tmp_path / "club.toml")
    assert 1 == ran.err.count("warning:")
    assert 'warning: "Priya Raman" may be Pria Raman' in ran.err
    assert "Raman" not in (tmp_path / "site" / "index.html").read_text("utf-8")


@pytest.mark.slow
def test_pages_appear_before_their_analysis_and_are_completed(tmp_path: Path) -> None:
    pytest.importorskip("endplay", reason="the extra `dd` is not installed")
    site = tmp_path / "site"
    ran = run("bulletin", FIXTURES / "two-rooms.lin", "--out", site, "--analyse", "--no-pdf")
    assert (0, f"{site / 'index.html'}\n") == (ran.status, ran.out)
    assert "the analysis follows" in ran.err
    card = (site / "pair-heron" / "index.html").read_text("utf-8")
    assert "Where the points went" in card
    assert 'data-cause="' in card
    assert "Nobody at the table sees them" in card
    again = run("bulletin", FIXTURES / "two-rooms.lin", "--out", site, "--analyse", "--no-pdf")
    assert "the analysis follows" not in again.err
    assert card == (site / "pair-heron" / "index.html").read_text("utf-8")


@pytest.mark.slow
def test_without_the_solver_a_sentence_says_what_it_would_add(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver, "is_installed", lambda: False)
    plain = run("bulletin", EVENING, "--out", tmp_path / "plain", "--no-pdf", "--no-dd")
    ran = run("bulletin", EVENING, "--out", tmp_path / "site", "--no-pdf", "--analyse")
    assert plain.status == ran.status
    assert "pip install 'overtrick[dd]'" in ran.err
    assert not (tmp_path / "site" / "analysis").exists()


@pytest.mark.parametrize("verb", ["bulletin", "season"])
def test_an_analysis_needs_solved_deals(verb: str, tmp_path: Path) -> None:
    ran = run(verb, EVENING, "--out", tmp_path / "site", "--analyse", "--no-dd")
    assert 2 == ran.status
    assert "--no-dd" in ran.err


@pytest.mark.parametrize("verb", ["bulletin", "season"])
def test_without_solving_the_club_s_analysis_is_left_out(verb: str, tmp_path: Path) -> None:
    settings = tmp_path / "club.toml"
    settings.write_text("[site]\nanalyse = true\n")
    ran = run(verb, EVENING, "--out", tmp_path / "out", "--no-pdf", "--no-dd", "--config", settings)
    assert 0 == ran.status, ran.err
    assert [*(tmp_path / "out").rglob("board-1/index.html")]
    assert not [*(tmp_path / "out").rglob("analysis")]
