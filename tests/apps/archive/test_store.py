"""The archive's tables change together, or not at all."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from overtrick.apps.archive.store import Part, Store
from overtrick.apps.archive.tables import FRAMES
from overtrick.core.frames import empty

PROCESS = Path("/proc/self/io")


@pytest.fixture
def store(tmp_path: Path) -> Store:
    made = Store(str(tmp_path / "archive"))
    made.create()
    return made


def source(name: str, content: str) -> dict[str, object]:
    return {"source": name, "sha256": content, "records": 2}


def named(*rows: dict[str, object]) -> pl.DataFrame:
    return pl.concat([empty(FRAMES["sources"]), pl.DataFrame(list(rows))], how="diagonal_relaxed")


def rows(store: Store, *contents: str) -> list[Part]:
    """Return two records and a problem for each content."""
    recorded = pl.DataFrame({"sha256": [c for c in contents for _ in range(2)], "record": [0, 1] * len(contents)})
    problem = pl.DataFrame({"sha256": list(contents), "code": ["file-no-games"] * len(contents)})
    return [
        store.put("records", pl.concat([empty(FRAMES["records"]), recorded], how="diagonal_relaxed")),
        store.put("problems", pl.concat([empty(FRAMES["problems"]), problem], how="diagonal_relaxed")),
    ]


def put(store: Store, sources: pl.DataFrame, parts: list[Part]) -> None:
    assert [] == store.commit(sources, parts, {})


def held(store: Store, table: str = "records") -> list[str]:
    return sorted(store.scan()[table].collect()["sha256"].to_list())


def test_committed_files_are_in_all_tables(store: Store) -> None:
    put(store, named(source("one.pbn", "a"), source("two.pbn", "b")), rows(store, "a", "b"))
    assert ["a", "a", "b", "b"] == held(store)
    assert ["a", "b"] == held(store, "problems")
    assert ["one.pbn", "two.pbn"] == store.sources()["source"].sort().to_list()


def test_a_corrected_file_replaces_the_old_one_and_others_stay(store: Store) -> None:
    put(store, named(source("one.pbn", "a"), source("two.pbn", "b")), rows(store, "a", "b"))
    put(store, named(source("one.pbn", "c")), rows(store, "c"))
    assert ["b", "b", "c", "c"] == held(store)
    assert {("one.pbn", "c"), ("two.pbn", "b")} == set(store.sources().select("source", "sha256").iter_rows())


def test_bytes_that_another_file_still_has_stay(store: Store) -> None:
    put(store, named(source("one.pbn", "a"), source("copy.pbn", "a")), rows(store, "a"))
    put(store, named(source("one.pbn", "b")), rows(store, "b"))
    assert ["a", "a", "b", "b"] == held(store)


def test_two_files_that_change_names_keep_their_rows(store: Store) -> None:
    put(store, named(source("one.pbn", "a"), source("two.pbn", "b")), rows(store, "a", "b"))
    assert [] == store.commit(empty(FRAMES["sources"]), [], {"one.pbn": "b", "two.pbn": "a"})
    assert {("one.pbn", "b"), ("two.pbn", "a")} == set(store.sources().select("source", "sha256").iter_rows())
    assert ["a", "a", "b", "b"] == held(store)


def test_a_copy_of_bytes_that_are_gone_is_not_taken(store: Store) -> None:
    assert ["copy.pbn"] == store.commit(empty(FRAMES["sources"]), [], {"copy.pbn": "gone"})
    assert [] == store.sources()["source"].to_list()


def test_the_same_file_read_again_replaces_its_rows(store: Store) -> None:
    for _ in range(2):
        put(store, named(source("one.pbn", "a")), rows(store, "a"))
    assert ["a", "a"] == held(store)


def test_of_two_writers_with_the_same_bytes_one_adds_the_rows(store: Store) -> None:
    other = Store(store.uri)
    mine, theirs = rows(store, "a"), rows(other, "a")
    put(other, named(source("theirs.pbn", "a")), theirs)
    put(store, named(source("mine.pbn", "a")), mine)
    assert ["a", "a"] == held(store)
    assert ["mine.pbn", "theirs.pbn"] == store.sources()["source"].sort().to_list()


@pytest.mark.parametrize("last", [1, 2])
def test_changes_of_a_dead_writer_are_never_seen_and_taken_back(
    store: Store, last: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(store, named(source("one.pbn", "a")), rows(store, "a"))
    left = last

    def dying(*arguments: object) -> None:
        nonlocal left
        if left == 0:
            raise KeyboardInterrupt
        left -= 1
        commit(*arguments)  # type: ignore[arg-type]

    commit = Store._commit  # noqa: SLF001 - a death is between two commits
    monkeypatch.setattr(Store, "_commit", dying)
    with pytest.raises(KeyboardInterrupt):
        put(store, named(source("one.pbn", "b")), rows(store, "b"))
    monkeypatch.undo()
    reader = Store(store.uri)
    assert ["a", "a"] == held(reader)
    assert ["a"] == held(reader, "problems")
    # The dead writer's clock was a year ahead.
    monkeypatch.setattr("overtrick.apps.archive.store._age", lambda _: -31_536_000.0)
    monkeypatch.setattr("overtrick.apps.archive.store.LEASE", 0.0)
    monkeypatch.setattr("overtrick.apps.archive.store._PAUSE", 0.0)
    reader.local = False
    put(reader, named(source("two.pbn", "c")), rows(reader, "c"))
    assert ["a", "a", "c", "c"] == held(reader)
    assert ["a", "c"] == held(reader, "problems")


@pytest.mark.skipif(not PROCESS.exists(), reason="only Linux counts the bytes that a process reads")
@pytest.mark.parametrize("question", [pl.col("north") == "Ada 5", pl.col("board") == 5])
def test_a_question_by_player_or_board_reads_only_the_columns_it_needs(store: Store, question: pl.Expr) -> None:
    numbers = range(3000)
    calls = np.random.default_rng(1).integers(0, 38, (3000, 200)).tolist()
    played = {"sha256": ["a"] * 3000, "record": numbers, "north": [f"Ada {number}" for number in numbers]}
    rows = pl.DataFrame({**played, "board": numbers, "calls": calls})
    part = store.put("records", pl.concat([empty(FRAMES["records"]), rows], how="diagonal_relaxed"))
    put(store, named(source("one.pbn", "a")), [part])
    records = store.scan()["records"]
    before = bytes_read()
    assert [5] == records.filter(question).select("record").collect()["record"].to_list()
    assert bytes_read() - before < part.size / 2


def bytes_read() -> int:
    """Return how many bytes this process has read."""
    return int(PROCESS.read_text().split()[1])


def test_compacting_changes_no_row_and_leaves_one_data_file(store: Store) -> None:
    for content in "abc":
        put(store, named(source(f"{content}.pbn", content)), rows(store, content))
    store.compact()
    assert ["a", "a", "b", "b", "c", "c"] == held(store)
    assert 1 == len(store.tables()["records"].file_uris())
