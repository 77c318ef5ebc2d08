"""`overtrick verify`: whole places are called whole, and each kind of damage is named with its file."""

from pathlib import Path

import pytest

from tests.support import servers
from tests.support.commands import FIXTURES, run


def make_site(place: Path) -> Path:
    assert 0 == run("bulletin", FIXTURES / "spring-pairs.csv", "--out", place, "--no-pdf", "--no-dd").status
    return place


def make_season(place: Path) -> Path:
    evenings = [FIXTURES / "spring-pairs.csv", FIXTURES / "butler-evening.pbn"]
    assert 0 == run("season", *evenings, "--out", place, "--no-pdf").status
    return place


def make_published(place: Path) -> Path:
    assert 0 == run("publish", make_site(place.with_name("made")), place).status
    return place


def make_evening(place: Path) -> Path:
    place.mkdir()
    (place / "tuesday.csv").write_bytes((FIXTURES / "spring-pairs.csv").read_bytes())
    assert 0 == run("correct", place, "--board", "1", "--pair", "1", "--not-played", "--why", "late").status
    return place


MAKE = {"site": make_site, "season": make_season, "published": make_published, "evening": make_evening}


@pytest.mark.slow
@pytest.mark.parametrize("kind", MAKE)
def test_what_was_just_written_is_whole(kind: str, tmp_path: Path) -> None:
    place = MAKE[kind](tmp_path / "place")
    done = run("verify", place)
    assert (0, "", f"{place}: whole\n") == (done.status, done.out, done.err.removeprefix("Settings"))


@pytest.mark.parametrize("kind", ["site", "season", "published"])
def test_every_page_that_is_cut_or_gone_is_named_and_no_other(kind: str, tmp_path: Path) -> None:
    place = MAKE[kind](tmp_path / "place")
    pages = sorted(path for path in place.rglob("index.html") if path.parent != place or kind != "season")
    cut, gone = pages[len(pages) // 2], pages[-1]
    assert cut != gone
    cut.write_bytes(cut.read_bytes()[:-200])
    gone.unlink()
    done = run("verify", place)
    assert 1 == done.status
    lines = done.out.splitlines()
    assert f"{cut.relative_to(place).as_posix()}: is not as overtrick wrote it" in lines
    assert f"{gone.relative_to(place).as_posix()}: is missing" in lines
    assert 2 == len(lines)


@pytest.mark.slow
def test_a_link_that_leads_nowhere_is_named_with_its_page(tmp_path: Path) -> None:
    place = make_season(tmp_path / "season")
    index = place / "index.html"
    index.write_text(index.read_text("utf-8").replace("</main>", '<a href="none/">x</a></main>'), "utf-8")
    done = run("verify", place)
    assert (1, "index.html: links to none, which is missing\n") == (done.status, done.out)


@pytest.mark.slow
def test_a_website_is_verified_where_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not servers.sshd_path():
        pytest.skip("there is no sshd")
    site = make_site(tmp_path / "made")
    (tmp_path / "server").mkdir()
    with servers.sftp_server(tmp_path / "server") as server:
        for name, value in server.environment.items():
            monkeypatch.setenv(name, value)
        assert 0 == run("publish", site, f"{server.url}/site").status
        assert 0 == run("verify", f"{server.url}/site").status
        next((tmp_path / "server").rglob("board-1/index.html")).write_text("x")
        done = run("verify", f"{server.url}/site")
        assert (1, "board-1/index.html: is not as overtrick wrote it\n") == (done.status, done.out)


def test_a_correction_that_does_not_fit_and_what_a_killed_run_left_are_named(tmp_path: Path) -> None:
    place = make_evening(tmp_path / "evening")
    with (place / "tuesday.corrections.toml").open("a", encoding="utf-8") as file:
        file.write('\n[[corrections]]\nboard = 99\npair = "1"\nnot_played = true\nwhy = "no such board"\n')
    (place / ".tuesday.csv.new-0123abcd").write_bytes(b"half")
    done = run("verify", place)
    assert 1 == done.status
    first, second = done.out.splitlines()
    assert "99" in first
    assert second.startswith(str(place / ".tuesday.csv.new-0123abcd"))


@pytest.mark.slow
def test_a_data_file_of_an_archive_that_is_damaged_is_named_by_its_table(tmp_path: Path) -> None:
    archive = tmp_path / "archive"
    assert 0 == run("ingest", FIXTURES / "spring-pairs.csv", "--archive", archive).status
    assert 0 == run("verify", archive).status
    part = next((archive / "results").glob("*.parquet"))
    part.write_bytes(part.read_bytes()[:-50])
    done = run("verify", archive)
    assert (1, 1) == (done.status, len(done.out.splitlines()))
    assert done.out.startswith(f"{archive / 'results'}: can't be read")


@pytest.mark.parametrize("text", ["{", '{"files": {"../x": "0"}}', '{"files": {"x": "no digest"}}'])
def test_a_damaged_list_is_a_sentence(text: str, tmp_path: Path) -> None:
    (tmp_path / "overtrick-site.json").write_text(text, "utf-8")
    done = run("verify", tmp_path)
    assert (3, "overtrick: overtrick-site.json: is damaged\n") == (done.status, done.err)


def test_a_place_of_no_kind_is_wrong_usage(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear club", "utf-8")
    done = run("verify", tmp_path)
    assert 2 == done.status
    assert "neither a website, nor an archive, nor an evening" in done.err
