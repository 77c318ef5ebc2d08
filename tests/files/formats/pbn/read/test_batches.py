"""A file's text in batches of whole games."""

from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from overtrick.core.frames import Session
from overtrick.files.assemble import assemble, read
from overtrick.files.formats import text
from overtrick.files.formats.base import Reading
from overtrick.files.formats.pbn.read import games
from overtrick.files.formats.pbn.read.reader import read_pbn
from overtrick.files.formats.read import group_parts, read_files
from overtrick.files.formats.text import TextBlock, text_blocks
from tests.support.pbn_texts import odd_texts
from tests.support.reading import FIXTURES, pbn

FRAMES = ("items", "records", "annotations", "results", "problems")


def blocks(content: str, size: int) -> Iterator[TextBlock]:
    """Cut a text at the ends of lines into blocks of about that size."""
    while content:
        end = content.find("\n", min(size, len(content) - 1)) + 1
        yield TextBlock(content[:end])
        content = content[end:]


def joined(readings: list[Reading], frame: str) -> pl.DataFrame:
    """Put one frame of all readings together, records numbered on."""
    parts, offset = [], 0
    for reading in readings:
        part: pl.DataFrame = getattr(reading, frame)
        parts.append(part.with_columns(pl.col("record") + offset) if offset else part)
        offset += len(reading.records)
    return pl.concat(parts)


def assert_same_in_blocks(content: str, size: int) -> None:
    whole, parts = pbn(content), list(read_pbn(blocks(content, size)))
    for frame in FRAMES:
        expected, read_in_blocks = getattr(whole, frame), joined(parts, frame)
        assert expected.sort("line", maintain_order=True).equals(read_in_blocks.sort("line", maintain_order=True)), (
            frame
        )


@pytest.mark.parametrize("path", sorted(FIXTURES.glob("*.pbn")), ids=lambda path: path.stem)
@pytest.mark.slow
@pytest.mark.sweep(3)
def test_a_file_reads_the_same_however_it_comes_in_blocks(path: Path) -> None:
    content = text.decode(path.read_bytes())
    if isinstance(content, text.Text):
        for size in (500, 5000) if len(content.content) > 3000 else (1, 500, 5000):
            assert_same_in_blocks(content.content, size)


def test_an_escape_line_above_a_play_reads_the_same_however_it_comes_in_blocks() -> None:
    assert_same_in_blocks('[Board "1"] [Dealer "N"]\n\n% hidden\n[Play "W"]\nSA\n', 1)


@given(content=odd_texts(), size=st.integers(1, 2000))
@pytest.mark.slow
def test_any_text_reads_the_same_however_it_comes_in_blocks(content: str, size: int) -> None:
    assert_same_in_blocks(content if content.endswith("\n") else content + "\n", size)


def test_the_last_game_is_found_however_far_from_the_end_it_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "_LAST_ENTRIES", 1)
    assert_same_in_blocks((FIXTURES / "club-evening.pbn").read_text("utf-8")[:6000] + "\n", 2000)


INHERITING = """\
[Event "##Cup"]
[Board "1"]
[Site "Here"]

[Site "#"]
[Board "2"]
[Deal "N:AKQJT98765432 - - -"]

[Contract "1NT"]
[Declarer "N"]
[Result "7"]
"""


@pytest.mark.parametrize(("column", "expected"), [("event", "Cup"), ("site", "Here"), ("board", 2)])
def test_what_a_game_inherits_comes_from_an_earlier_batch_too(column: str, expected: object) -> None:
    records = joined(list(read_pbn(blocks(INHERITING, 1))), "records")
    assert 3 == len(list(read_pbn(blocks(INHERITING, 1))))
    assert expected == records[column][1 if column == "site" else 2]


def test_a_comment_that_holds_tags_is_not_cut_in_two() -> None:
    content = '{ begins\n\n[Event "no tag"]\n\nends }\n[Board "1"]\n\n[Board "2"]\n'
    assert [1, 2] == joined(list(read_pbn(blocks(content, 1))), "records")["board"].to_list()


def test_a_game_without_end_is_cut_and_said_to_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "LONGEST_GAME", 20)
    content = '[Board "1"]\n' * 5
    problems = joined(list(read_pbn(blocks(content, 1))), "problems")
    assert [3, 5] == problems.filter(pl.col("code") == "file-too-long")["line"].to_list()


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text, "BLOCK", 2000)
    monkeypatch.setattr("overtrick.files.formats.text.BLOCK", 2000)
    monkeypatch.setattr("overtrick.files.formats.base.LONGEST", 0)


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.slow
def test_parts_hold_together_what_the_whole_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("overtrick.files.formats.read.TOGETHER", 4000)
    paths = [str(FIXTURES / "club-evening.pbn"), str(FIXTURES / "bye.pbn")]
    parts, whole = [assemble(group, "together") for group in group_parts(read_files(paths))], read(paths, "together")
    assert len(parts) > 2
    assert whole.sources.equals(pl.concat(part.sources for part in parts).drop_nulls("size"))
    assert whole.records.drop("record").equals(pl.concat(part.records for part in parts).drop("record"))
    assert (len(whole.items), len(whole.problems)) == (total(parts, "items"), total(parts, "problems"))


@pytest.mark.usefixtures("small_blocks")
def test_what_stands_before_the_first_game_is_kept_however_long_it_is(tmp_path: Path) -> None:
    path = tmp_path / "remarks.pbn"
    path.write_text("% a remark\n\n" * 1000 + '[Board "1"]\n', "utf-8")
    assert {"escape": 1000, "tag": 1} == dict(read([str(path)]).items["kind"].value_counts().iter_rows())


def total(parts: list[Session], frame: str) -> int:
    return sum(len(getattr(part, frame)) for part in parts)


def test_a_line_that_ends_otherwise_is_named_where_it_stands() -> None:
    blocks = text_blocks([b'[Board "1"]\r\n\r\n[Board "2"]\n'], "ascii")
    problems = [reading.problems for reading in read_pbn(blocks, verified=True)]
    assert [("pbn-line-ends", 3)] == pl.concat(problems).select("code", "line").rows()
