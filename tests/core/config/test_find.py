"""Which `club.toml` holds for the files that are read."""

import os
from pathlib import Path

import pytest

from overtrick.core.config import ConfigError
from overtrick.core.config.find import SETTINGS, VARIABLE, find_settings


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make the home folder the edge of the search, and let no variable name settings."""
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    return tmp_path.resolve()


def put(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / SETTINGS
    path.write_text("", "utf-8")
    return path


def test_settings_lie_beside_the_file_or_in_the_nearest_folder_above(home: Path) -> None:
    evening = home / "club" / "2026" / "tuesday.pbn"
    evening.parent.mkdir(parents=True)
    evening.touch()
    assert find_settings([evening]) is None
    assert put(home) == find_settings([evening])
    assert put(home / "club") == find_settings([evening])
    assert put(home / "club" / "2026") == find_settings([evening])
    assert home / "club" / "2026" / SETTINGS == find_settings([evening.parent])


def test_a_file_that_is_not_there_has_the_settings_of_its_folder(home: Path) -> None:
    assert put(home / "club") == find_settings([home / "club" / "no.pbn"])


def test_what_the_user_names_wins_then_the_variable(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    beside = put(home / "club")
    monkeypatch.setenv(VARIABLE, "named.toml")
    assert Path("given.toml") == find_settings([beside.parent], "given.toml")
    assert Path("named.toml") == find_settings([beside.parent])
    monkeypatch.delenv(VARIABLE)
    assert beside == find_settings([beside.parent])


def test_a_relative_path_is_searched_from_where_it_leads(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "club" / "2026").mkdir(parents=True)
    monkeypatch.chdir(home / "club" / "2026")
    assert put(home / "club") == find_settings(["."]) == find_settings(["tuesday.pbn"])


def test_the_search_ends_with_the_home_folder(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(home)
    monkeypatch.setattr(Path, "home", lambda: home / "me")
    (home / "me" / "club").mkdir(parents=True)
    assert find_settings([home / "me" / "club"]) is None


def test_standard_input_has_no_folder(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(home)
    monkeypatch.chdir(home)
    assert find_settings(["-"]) is None


def test_files_under_two_settings_are_an_error_that_names_both(home: Path) -> None:
    here, there = put(home / "here"), put(home / "there")
    with pytest.raises(ConfigError) as error:
        find_settings([here.parent / "a.pbn", there.parent / "b.pbn"])
    assert str(here) in str(error.value)
    assert str(there) in str(error.value)
    assert here == find_settings([here.parent / "a.pbn", here.parent / "b.pbn"])


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="files have no owner here")
def test_settings_of_somebody_else_are_refused(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = put(home / "club")
    monkeypatch.setattr(os, "getuid", lambda: path.stat().st_uid + 1)
    with pytest.raises(ConfigError, match="another user"):
        find_settings([path.parent])
    assert path == find_settings([path.parent], path)
