"""What of an evening is on the website, and the version before."""

from pathlib import Path

import pytest

from overtrick.apps.evening.edit import open_evening
from overtrick.apps.evening.published import (
    Publication,
    can_undo,
    digest_inputs,
    make_pages,
    plan_pages,
    publish_pages,
    read_publication,
    undo_publication,
)
from overtrick.apps.evening.shelf import Shelved, find_shelved
from overtrick.core.config import Config
from overtrick.show.publish.address import PublishError
from tests.support.commands import FIXTURES, run
from tests.support.sites import differing, read_folder


def published(folder: Path, target: Path) -> Publication:
    shelved = find(folder)
    evening = open_evening(shelved.place, Config())
    pages = make_pages(folder, shelved, evening.session, Config(), pdf=False)
    inputs = digest_inputs(shelved, evening, b"")
    return publish_pages(folder, shelved, pages, Publication("", str(target), inputs, final=False))


def find(folder: Path) -> Shelved:
    found = find_shelved(folder, "tuesday")
    assert found
    return found


@pytest.fixture
def club(tmp_path: Path) -> Path:
    folder = tmp_path / "club"
    folder.mkdir()
    (folder / "tuesday.csv").write_bytes((FIXTURES / "spring-pairs.csv").read_bytes())
    return folder


@pytest.mark.slow
def test_pages_go_where_the_command_puts_them(club: Path, tmp_path: Path) -> None:
    published(club, tmp_path / "www")
    run("bulletin", club / "tuesday.csv", "--out", tmp_path / "site", "--no-pdf", "--no-dd")
    (tmp_path / "twin").mkdir()
    assert 0 == run("publish", tmp_path / "site", tmp_path / "twin" / "tuesday").status
    ours, twin = tmp_path / "www" / "tuesday", tmp_path / "twin" / "tuesday"
    assert [] == differing(read_folder(ours), read_folder(twin))


@pytest.mark.slow
def test_the_version_before_comes_back_and_goes_again(club: Path, tmp_path: Path) -> None:
    index = tmp_path / "www" / "tuesday" / "index.html"
    published(club, tmp_path / "www")
    first = index.read_bytes()
    assert not can_undo(club, find(club))
    run("correct", club / "tuesday.csv", "--title", "Second", "--why", "x")
    published(club, tmp_path / "www")
    second = index.read_bytes()
    assert first != second
    undo_publication(club, find(club))
    assert first == index.read_bytes()
    stated = read_publication(club, find(club))
    assert stated
    assert stated.undone
    undo_publication(club, find(club))
    assert second == index.read_bytes()


def test_what_would_be_done_is_listed_and_nothing_is(club: Path, tmp_path: Path) -> None:
    shelved = find(club)
    pages = make_pages(club, shelved, open_evening(shelved.place, Config()).session, Config(), pdf=False)
    todo = plan_pages(pages, str(tmp_path / "www"), shelved)
    assert "index.html" in todo.add
    assert not (tmp_path / "www").exists()


def test_without_a_version_before_nothing_is_undone(club: Path) -> None:
    with pytest.raises(PublishError, match="no version before"):
        undo_publication(club, find(club))
