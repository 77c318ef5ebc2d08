"""Files and containers, some of them malicious."""

import io
import os
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from overtrick.apps.archive import inputs
from overtrick.apps.archive.inputs import Piece, Place, Unread, carry_contents, find_pieces, list_files, open_piece

GAME = b'[Board "1"]\n[Result "9"]\n'


def zipped(path: Path, **members: bytes) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as container:
        for name, content in members.items():
            container.writestr(name, content)
    return path


def tarred(path: Path, *entries: tuple[tarfile.TarInfo, bytes]) -> Path:
    with tarfile.open(path, "w") as container:
        for entry, content in entries:
            entry.size = len(content)
            container.addfile(entry, io.BytesIO(content))
    return path


def names(file: Path) -> list[str]:
    return [piece.source.removeprefix(f"{file}/") for piece in find_pieces(file)]


def codes(file: Place) -> list[str]:
    return [piece.finding.code for piece in find_pieces(file) if isinstance(piece, Unread)]


def test_a_member_that_is_gone_when_it_is_read_has_changed(tmp_path: Path) -> None:
    file = zipped(tmp_path / "a.zip", **{"a.pbn": GAME, "b.pbn": GAME * 2})
    wanted = {piece.source: piece for piece in find_pieces(file) if isinstance(piece, Piece)}
    zipped(file, **{"a.pbn": GAME})
    *_, gone = carry_contents([file], wanted)
    assert isinstance(gone, Unread)
    assert (f"{file}/b.pbn", "ingest-changed") == (gone.source, gone.finding.code)


def test_folders_are_walked_in_the_order_of_names_and_each_file_is_listed_once(tmp_path: Path) -> None:
    for name in ("b.pbn", "a.lin", "notes.txt", "c.zip"):
        (tmp_path / name).write_bytes(GAME)
    found, _ = list_files([str(tmp_path), str(tmp_path / "b.pbn")])
    assert ["a.lin", "b.pbn", "c.zip"] == [file.name for file in found]


def test_a_folder_that_vanishes_is_reported_and_the_others_are_walked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("gone", "there"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.pbn").write_bytes(GAME)
    look_into = os.scandir

    def scandir(path: str) -> Iterator[os.DirEntry[str]]:
        if path.endswith("gone"):
            Path(path, "a.pbn").unlink()
            Path(path).rmdir()
        return look_into(path)

    monkeypatch.setattr(os, "scandir", scandir)
    found, _ = list_files([str(tmp_path)])
    assert [tmp_path / "gone", tmp_path / "there" / "a.pbn"] == found
    assert ["file-unreadable"] == codes(found[0])


@pytest.mark.parametrize("name", ["../../etc/one.pbn", "/etc/one.pbn", "..\\etc\\one.pbn", "./etc//one.pbn"])
def test_a_name_inside_a_container_stays_below_it(tmp_path: Path, name: str) -> None:
    assert ["etc/one.pbn"] == names(zipped(tmp_path / "a.zip", **{name: GAME}))


def test_names_that_are_not_text_stay_different(tmp_path: Path) -> None:
    files = [tmp_path / os.fsdecode(name) for name in (b"n\xfe.pbn", b"n\xff.pbn", b"n\n.pbn")]
    for file in files:
        file.write_bytes(GAME)
    shown = [piece.source.removeprefix(f"{tmp_path}/") for file in files for piece in find_pieces(file)]
    assert [r"n\xfe.pbn", r"n\xff.pbn", r"n\n.pbn"] == shown


def test_two_members_with_one_name_are_two_files(tmp_path: Path) -> None:
    file = tarred(tmp_path / "a.tar", (tarfile.TarInfo("one.pbn"), GAME), (tarfile.TarInfo("./one.pbn"), GAME + GAME))
    assert ["one.pbn", "one.pbn+"] == names(file)


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE])
def test_links_and_devices_are_left_alone(tmp_path: Path, kind: bytes) -> None:
    entry = tarfile.TarInfo("secret.pbn")
    entry.type, entry.linkname = kind, "/etc/passwd"
    assert [] == list(find_pieces(tarred(tmp_path / "a.tar", (entry, b""))))


@pytest.mark.parametrize("suffix", ["zip", "tar.gz"])
def test_a_bomb_is_not_unpacked(tmp_path: Path, suffix: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inputs, "ALWAYS", 1000)
    file = tmp_path / f"a.{suffix}"
    if suffix == "zip":
        zipped(file, **{"one.pbn": b" " * 1_000_000})
    else:
        with tarfile.open(file, "w:gz") as container:
            entry = tarfile.TarInfo("one.pbn")
            entry.size = 1_000_000
            container.addfile(entry, io.BytesIO(b" " * entry.size))
    assert ["ingest-bomb"] == codes(file)


def test_a_container_in_a_container_is_opened(tmp_path: Path) -> None:
    inner = zipped(tmp_path / "week.zip", **{"one.pbn": GAME})
    middle = tarred(tmp_path / "month.tar", (tarfile.TarInfo("week.zip"), inner.read_bytes()))
    file = zipped(tmp_path / "year.zip", **{"month.tar": middle.read_bytes(), "two.pbn": GAME})
    assert ["month.tar/week.zip/one.pbn", "two.pbn"] == names(file)


def test_a_broken_inner_container_costs_only_itself(tmp_path: Path) -> None:
    file = zipped(tmp_path / "a.zip", **{"b.zip": GAME, "one.pbn": GAME})
    assert ["b.zip", "one.pbn"] == names(file)
    assert ["file-damaged/packed"] == codes(file)


def test_the_depth_of_containers_is_limited(tmp_path: Path) -> None:
    content = GAME
    for name in ["one.pbn", *(f"{depth}.zip" for depth in range(9))]:
        content = zipped(tmp_path / "a.zip", **{name: content}).read_bytes()
    assert ["8.zip/7.zip/6.zip/5.zip"] == names(tmp_path / "a.zip")
    assert ["ingest-nested"] == codes(tmp_path / "a.zip")


def test_inner_containers_count_towards_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inputs, "ALWAYS", 1000)
    inner = zipped(tmp_path / "inner.zip", **{"one.pbn": b" " * 1_000_000})
    assert ["ingest-bomb"] == codes(zipped(tmp_path / "a.zip", **{"inner.zip": inner.read_bytes()}))


@pytest.mark.parametrize("suffix", ["zip", "tar", "tar.gz", "tar.xz"])
def test_a_damaged_container_is_reported(tmp_path: Path, suffix: str) -> None:
    (tmp_path / f"a.{suffix}").write_bytes(b"PK\x03\x04 and no more than that")
    assert ["file-damaged/packed"] == codes(tmp_path / f"a.{suffix}")


def test_an_encrypted_member_is_reported(tmp_path: Path) -> None:
    file = zipped(tmp_path / "a.zip", **{"one.pbn": GAME})
    content = bytearray(file.read_bytes())
    content[content.index(b"PK\x01\x02") + 8] |= 1
    content[6] |= 1
    file.write_bytes(bytes(content))
    assert ["file-damaged/packed"] == codes(file)


def test_a_missing_file_is_reported(tmp_path: Path) -> None:
    assert ["file-unreadable"] == codes(tmp_path / "gone.pbn")


@pytest.mark.parametrize("kind", ["fifo", "endless", "folder"])
def test_only_plain_files_are_opened(tmp_path: Path, kind: str) -> None:
    place = tmp_path / "one.pbn"
    if kind == "fifo":
        os.mkfifo(place)
    elif kind == "folder":
        place.mkdir()
    else:
        place.symlink_to("/dev/zero")
    assert ([], []) == list_files([str(tmp_path)])


def test_a_link_to_nothing_is_reported_unless_an_editor_left_it(tmp_path: Path) -> None:
    for name in ("one.pbn", ".#two.pbn"):
        (tmp_path / name).symlink_to("nowhere")
    (found,), links = list_files([str(tmp_path)])
    assert (["file-unreadable"], []) == (codes(found), links)


@pytest.mark.parametrize("carried", [8, 8_000])
def test_a_member_is_read_again_unchanged(tmp_path: Path, carried: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inputs, "CARRIED", carried)
    file = tarred(tmp_path / "a.tar", (tarfile.TarInfo("x.txt"), b"x"), (tarfile.TarInfo("one.pbn"), GAME))
    (piece,) = find_pieces(file)
    assert isinstance(piece, Piece)
    with open_piece(piece) as again:
        again.seek(0)
        assert GAME == again.read()


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_links_that_lead_out_of_the_folder_are_named_and_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret.pbn").write_bytes(b"1")
    folder = tmp_path / "inbox"
    folder.mkdir()
    (folder / "a.pbn").write_bytes(b"1")
    (folder / "inside.pbn").symlink_to("a.pbn")
    (folder / "outside.pbn").symlink_to(tmp_path / "secret.pbn")
    (folder / "a.corrections.toml").symlink_to(tmp_path / "secret.pbn")
    found, links = list_files([str(folder)])
    assert [folder / "a.pbn", folder / "inside.pbn"] == found
    assert [(str(folder / "outside.pbn"), "ingest-link")] == [(link.source, link.finding.code) for link in links]
    pieces = [*find_pieces(folder / "a.pbn")]
    assert ["ingest-link"] == [piece.finding.code for piece in pieces if isinstance(piece, Unread)]
    assert [None] == [piece.corrections for piece in pieces if not isinstance(piece, Unread)]
