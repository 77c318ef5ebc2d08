"""Solved tables are kept from one run to the next, and a cache that can't be used does no harm."""

import sqlite3
import sys
from pathlib import Path

import pytest

from overtrick.judge.analyse.cache import TableCache, user_cache

TABLE = bytes(range(10)) * 2


def test_the_next_run_finds_a_table_that_was_kept(tmp_path: Path) -> None:
    TableCache(tmp_path / "new" / "tables.sqlite").keep({"N:one": TABLE})
    assert {"N:one": TABLE} == TableCache(tmp_path / "new" / "tables.sqlite").known(["N:one", "N:two"])


def test_the_oldest_go_first(tmp_path: Path) -> None:
    cache = TableCache(tmp_path / "tables.sqlite", most=2)
    for deal in ("one", "two", "three", "two"):
        cache.keep({deal: TABLE})
    assert ["two", "three"] == list(cache.known(["one", "two", "three"]))


@pytest.mark.parametrize("content", [b"something else", b"SQLite format 3\0" + b"\xff" * 2000])
def test_a_damaged_cache_is_made_anew(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "tables.sqlite"
    path.write_bytes(content)
    cache = TableCache(path)
    assert {} == cache.known(["N:one"])
    cache.keep({"N:one": TABLE})
    assert {"N:one": TABLE} == cache.known(["N:one"])


@pytest.mark.parametrize("tricks", [b"", bytes([14]) * 20, "text", None])
def test_an_entry_that_is_not_a_table_is_ignored(tmp_path: Path, tricks: object) -> None:
    path = tmp_path / "tables.sqlite"
    TableCache(path).keep({})
    with sqlite3.connect(path) as tables:
        tables.execute("INSERT INTO tables (deal, tricks) VALUES ('N:one', coalesce(?, 0))", (tricks,))
    assert {} == TableCache(path).known(["N:one"])


def test_where_nothing_can_be_written_nothing_is_kept(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    cache = TableCache(tmp_path / "file" / "tables.sqlite")
    cache.keep({"N:one": TABLE})
    assert {} == cache.known(["N:one"])


def test_the_user_says_where_caches_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert tmp_path / "overtrick" / "double-dummy.sqlite" == user_cache()


@pytest.mark.skipif(sys.platform != "linux", reason="other systems keep caches elsewhere")
def test_else_they_are_where_the_system_keeps_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert tmp_path / ".cache" / "overtrick" / "double-dummy.sqlite" == user_cache()


def test_a_user_without_a_home_has_no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> Path:
        raise RuntimeError

    monkeypatch.setattr("platformdirs.user_cache_path", fail)
    store = TableCache(user_cache())
    store.keep({"N:one": TABLE})
    assert {} == store.known(["N:one"])
