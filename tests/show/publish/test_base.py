"""Passwords, part files and folders, which all kinds of target share."""

from collections.abc import Callable, Iterator
from pathlib import Path

import keyring
import keyring.errors
import pytest
from keyring.backend import KeyringBackend

from overtrick.show.publish.address import PublishError
from overtrick.show.publish.targets.base import (
    VARIABLE,
    find_password,
    folders_above,
    join,
    part_name,
    replace_file,
    split_part,
)


def test_a_part_file_is_beside_its_place_and_known_by_its_name() -> None:
    part = part_name("board-7/index.html")
    assert part.startswith("board-7/index.html.")
    assert "board-7/index.html" == split_part(part)
    assert part != part_name("board-7/index.html")


@pytest.mark.parametrize("name", ["index.html", "index.html.part", "index.html.0123abcg.part", ".0123abcd.part"])
def test_other_names_are_not_parts(name: str) -> None:
    assert None is split_part(name)


def test_folders_of_a_file_are_listed_from_the_innermost_up() -> None:
    assert ["a/b", "a"] == folders_above("a/b/index.html")
    assert [] == folders_above("index.html")


def test_empty_parts_of_a_path_are_left_out() -> None:
    assert "a/index.html" == join("", "a", "", "index.html")


def rename_into_nothing(old: str, new: str) -> None:
    if Path(new).exists():
        raise FileExistsError(new)
    Path(old).rename(new)


def test_on_a_server_that_never_renames_onto_a_file_the_old_one_steps_aside(tmp_path: Path) -> None:
    part, place = tmp_path / "index.html.part", tmp_path / "index.html"
    part.write_text("new", "utf-8")
    place.write_text("old", "utf-8")
    replace_file(str(part), str(place), rename_into_nothing, lambda name: Path(name).unlink())
    assert "new" == place.read_text("utf-8")
    assert [place] == list(tmp_path.iterdir())


def test_the_old_file_returns_if_the_new_one_can_t_take_its_place(tmp_path: Path) -> None:
    place = tmp_path / "index.html"
    place.write_text("old", "utf-8")
    with pytest.raises(FileNotFoundError):
        replace_file(str(tmp_path / "none"), str(place), rename_into_nothing, lambda name: Path(name).unlink())
    assert "old" == place.read_text("utf-8")
    assert [place] == list(tmp_path.iterdir())


class Holding(KeyringBackend):
    """A keyring that holds one password."""

    priority = 1.0

    def get_password(self, service: str, username: str) -> str | None:
        return "stored" if (service, username) == ("overtrick", "club@host") else None

    def set_password(self, service: str, username: str, password: str) -> None:
        raise NotImplementedError


class Locked(Holding):
    """A keyring that is locked."""

    def get_password(self, service: str, username: str) -> str | None:
        raise keyring.errors.KeyringLocked(service, username)


def backend(kind: Callable[[], KeyringBackend]) -> KeyringBackend:
    return kind()


@pytest.fixture(autouse=True)
def _keyring(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv("OVERTRICK_PASSWORD", raising=False)
    before = keyring.get_keyring()
    keyring.set_keyring(backend(Holding))
    yield
    keyring.set_keyring(before)


def test_the_environment_comes_before_the_keyring(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "stored" == find_password("club", "host")
    monkeypatch.setenv("OVERTRICK_PASSWORD", "given")
    assert "given" == find_password("club", "host")


def test_another_login_has_another_password() -> None:
    assert None is find_password("club", "other")


def test_a_locked_keyring_has_no_password() -> None:
    keyring.set_keyring(backend(Locked))
    assert None is find_password("club", "host")


def test_no_message_shows_a_password_or_a_control_character(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server may repeat what it got, and colour it."""
    monkeypatch.setenv(VARIABLE, "a void in hearts")
    find_password("club", "host")
    message = str(PublishError("host refuses it: 500 'PASS a void in hearts' \x1b[31munknown\r\n" + "x" * 9999))
    assert message.startswith("host refuses it: 500 'PASS ***' \ufffd[31munknown xxx")
    assert len(message) < 600
