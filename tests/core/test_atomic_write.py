"""Writing files and folders as a whole, and never somebody else's."""

import json
import os
import shutil
import sys
from pathlib import Path

import pytest

from overtrick.core import atomic_write
from overtrick.core.atomic_write import MANIFEST, OutputError, replace_file, replace_folder, try_lock

PAGES = {"index.html": b"new", "board-1/index.html": b"one"}


def write(folder: Path, pages: dict[str, bytes] = PAGES) -> None:
    replace_folder(folder, pages, "overtrick 1.0")


def held(folder: Path) -> dict[str, bytes]:
    """List the files of a folder without the manifest."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != MANIFEST
    }


def test_a_file_is_replaced_and_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "a.pbn"
    path.write_bytes(b"old")
    path.chmod(0o600)
    replace_file(path, b"new")
    assert (b"new", 0o600) == (path.read_bytes(), path.stat().st_mode & 0o777)
    assert [path] == list(tmp_path.iterdir())


def test_a_link_to_a_file_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "a.pbn").write_bytes(b"old")
    link = tmp_path / "link.pbn"
    link.symlink_to("a.pbn")
    replace_file(link, b"new")
    assert link.is_symlink()
    assert b"new" == (tmp_path / "a.pbn").read_bytes()


def test_a_file_that_can_not_be_written_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError, match="folder"):
        replace_file(tmp_path / "folder", b"new")
    assert [tmp_path / "folder"] == list(tmp_path.iterdir())


def test_a_new_folder_is_made_with_its_parents(tmp_path: Path) -> None:
    write(tmp_path / "public" / "tuesday")
    assert PAGES == held(tmp_path / "public" / "tuesday")


def test_an_empty_folder_is_filled(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    write(tmp_path / "site")
    assert PAGES == held(tmp_path / "site")


def test_a_site_is_replaced_and_pages_that_are_no_more_go(tmp_path: Path) -> None:
    write(tmp_path / "site", {"index.html": b"old", "board-9/index.html": b"nine"})
    write(tmp_path / "site")
    assert PAGES == held(tmp_path / "site")
    assert [tmp_path / "site"] == list(tmp_path.iterdir())


def test_what_others_added_to_a_site_is_kept(tmp_path: Path) -> None:
    write(tmp_path / "site", {"index.html": b"old"})
    (tmp_path / "site" / "photos").mkdir()
    (tmp_path / "site" / "photos" / "winners.jpg").write_bytes(b"smile")
    write(tmp_path / "site")
    assert PAGES | {"photos/winners.jpg": b"smile"} == held(tmp_path / "site")


def test_a_folder_with_other_files_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "accounts.xls").write_bytes(b"1")
    with pytest.raises(OutputError, match="holds files that overtrick did not write; choose"):
        write(tmp_path)
    assert {"accounts.xls": b"1"} == held(tmp_path)


def test_a_file_in_the_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "site").write_bytes(b"1")
    with pytest.raises(OutputError, match="is a file"):
        write(tmp_path / "site")
    assert b"1" == (tmp_path / "site").read_bytes()


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"files": 3}', "\xff"])
def test_a_damaged_manifest_is_refused(tmp_path: Path, text: str) -> None:
    write(tmp_path / "site")
    (tmp_path / "site" / MANIFEST).write_text(text, "latin-1")
    with pytest.raises(OutputError, match="is damaged"):
        write(tmp_path / "site")
    assert PAGES == held(tmp_path / "site")


def test_a_link_to_a_folder_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "public").symlink_to("real", target_is_directory=True)
    write(tmp_path / "public")
    assert (tmp_path / "public").is_symlink()
    assert PAGES == held(tmp_path / "real")


def test_a_server_may_read_the_folder(tmp_path: Path) -> None:
    mask = os.umask(0o022)
    try:
        write(tmp_path / "site")
    finally:
        os.umask(mask)
    assert 0o755 == (tmp_path / "site").stat().st_mode & 0o777


def test_a_run_that_dies_while_writing_leaves_the_old_site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "site", {"index.html": b"old"})

    def die(_path: Path, _content: bytes) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "write_bytes", die)
    with pytest.raises(KeyboardInterrupt):
        write(tmp_path / "site")
    monkeypatch.undo()
    assert {"index.html": b"old"} == held(tmp_path / "site")
    assert [tmp_path / "site"] == list(tmp_path.iterdir())


def test_a_full_disk_is_reported_in_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "site", {"index.html": b"old"})

    def full(_path: Path, _content: bytes) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OutputError, match="site: can't be written: No space left on device"):
        write(tmp_path / "site")


def test_when_the_new_folder_can_not_take_the_name_the_old_one_comes_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "site", {"index.html": b"old"})
    rename = Path.rename

    def refuse_new(self: Path, target: Path) -> Path:
        if ".new-" in self.name:
            raise PermissionError(13, "Permission denied")
        return rename(self, target)

    monkeypatch.setattr(atomic_write, "_find_exchange", lambda: None)
    monkeypatch.setattr(Path, "rename", refuse_new)
    with pytest.raises(OutputError, match="Permission denied"):
        write(tmp_path / "site")
    assert {"index.html": b"old"} == held(tmp_path / "site")


def test_a_run_killed_between_the_two_renames_is_mended_by_the_next(tmp_path: Path) -> None:
    write(tmp_path / "site", {"index.html": b"old"})
    (tmp_path / "site" / "photo.jpg").write_bytes(b"smile")
    (tmp_path / "site").rename(tmp_path / ".site.old-0123abcd")
    write(tmp_path / "site")
    assert PAGES | {"photo.jpg": b"smile"} == held(tmp_path / "site")
    assert [tmp_path / "site"] == list(tmp_path.iterdir())


def test_leftovers_of_dead_runs_are_cleared(tmp_path: Path) -> None:
    for name in ("site", ".site.old-0123abcd", ".site.new-0123abcd", ".site.new-89abcdef"):
        write(tmp_path / name)
    (tmp_path / ".site.lock").touch()
    write(tmp_path / "site")
    assert [tmp_path / "site"] == list(tmp_path.iterdir())


def test_a_leftover_of_a_dead_run_beside_a_file_is_cleared_but_not_one_that_is_being_written(tmp_path: Path) -> None:
    dead, written, other = (tmp_path / f".a.pbn.new-{end}" for end in ("0123abcd", "89abcdef", "0123abc"))
    for path in (dead, written, other):
        path.touch()
    with written.open("r+b") as file:
        assert try_lock(file.fileno())
        replace_file(tmp_path / "a.pbn", b"new")
    assert {tmp_path / "a.pbn", written, other} == set(tmp_path.iterdir())


def test_a_second_run_waits_for_the_first_and_then_refuses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(atomic_write, "_PATIENCE", 0.2)
    with (
        atomic_write.only_run(tmp_path / "site", 0),
        pytest.raises(OutputError, match="another run is writing this folder"),
    ):
        write(tmp_path / "site")
    write(tmp_path / "site")
    assert [tmp_path / "site"] == list(tmp_path.iterdir())


@pytest.mark.parametrize("forged", [["photo.jpg", "../thesis.tex"], {"photo.jpg": "0" * 64, "../thesis.tex": None}])
def test_a_forged_manifest_deletes_nothing(tmp_path: Path, forged: object) -> None:
    write(tmp_path / "site")
    (tmp_path / "site" / "photo.jpg").write_bytes(b"smile")
    (tmp_path / "thesis.tex").write_bytes(b"1")
    (tmp_path / "site" / MANIFEST).write_text(json.dumps({"files": forged}), "utf-8")
    write(tmp_path / "site")
    assert PAGES | {"photo.jpg": b"smile"} == held(tmp_path / "site")
    assert b"1" == (tmp_path / "thesis.tex").read_bytes()


def test_a_page_that_somebody_changed_is_kept_when_the_site_no_longer_has_it(tmp_path: Path) -> None:
    write(tmp_path / "site", {"index.html": b"old", "board-8/index.html": b"8", "board-9/index.html": b"9"})
    (tmp_path / "site" / "board-9" / "index.html").write_bytes(b"9 with a photo")
    write(tmp_path / "site")
    assert PAGES | {"board-9/index.html": b"9 with a photo"} == held(tmp_path / "site")


def test_a_durable_site_is_on_the_disk_before_it_takes_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = tmp_path / "site"
    there: list[bool] = []
    monkeypatch.setattr(os, "fsync", lambda _: there.append(site.exists()))
    replace_folder(site, PAGES, "overtrick 1.0", durable=True)
    files, folders = len(PAGES) + 1, 2
    assert [*[False] * (files + folders), True] == there


def test_folders_that_only_look_like_leftovers_are_left_alone(tmp_path: Path) -> None:
    write(tmp_path / "site")
    (tmp_path / ".site.old-0123abcd").mkdir()
    (tmp_path / ".site.old-0123abcd" / "thesis.tex").write_bytes(b"1")
    write(tmp_path / "site")
    assert {"thesis.tex": b"1"} == held(tmp_path / ".site.old-0123abcd")


def test_readers_find_a_whole_site_at_every_moment_but_between_two_renames(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the system can't exchange two folders in one step."""
    monkeypatch.setattr(atomic_write, "_find_exchange", lambda: None)
    assert [{"index.html": b"old"}, {"index.html": b"old"}, PAGES, PAGES] == look_while_writing(tmp_path, monkeypatch)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux exchanges folders")
def test_readers_find_a_whole_site_at_every_moment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert [{"index.html": b"old"}, {"index.html": b"old"}, PAGES] == look_while_writing(tmp_path, monkeypatch)


def look_while_writing(base: Path, patch: pytest.MonkeyPatch) -> list[dict[str, bytes]]:
    """Replace a site, and return what a reader finds before each file is written and each folder is deleted."""
    write(base / "site", {"index.html": b"old"})
    seen = []
    write_bytes, rmtree = Path.write_bytes, shutil.rmtree

    def look(self: Path, content: bytes) -> int:
        seen.append(held(base / "site"))
        return write_bytes(self, content)

    def look_after(path: Path, *, ignore_errors: bool) -> None:
        seen.append(held(base / "site"))
        rmtree(path, ignore_errors=ignore_errors)

    patch.setattr(Path, "write_bytes", look)
    patch.setattr(shutil, "rmtree", look_after)
    write(base / "site")
    return seen
