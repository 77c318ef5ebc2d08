"""A LIN file's text in batches of whole sessions or boards."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from overtrick.files.assemble import read
from overtrick.files.formats.lin.read import archive
from overtrick.files.formats.text import TextBlock
from tests.support.deals import random_boards
from tests.support.lin_boards import lin
from tests.support.lin_texts import HAND, PLAYERS, session

SESSION = session("1NN=,1NN+1", f"o1|{HAND}", f"c1|{HAND}")
DEALS = "".join(f"qx|o{number}|{HAND.replace('Board 5', f'Board {number}')}\n" for number in range(1, 5))


def blocks(content: str, lines: int) -> Iterator[TextBlock]:
    whole = content.splitlines(keepends=True)
    for start in range(0, len(whole), lines):
        yield TextBlock("".join(whole[start : start + lines]))


@pytest.mark.parametrize("content", [SESSION * 3, PLAYERS + DEALS, DEALS, lin(random_boards(6)), "\n" * 9])
@pytest.mark.parametrize("lines", [1, 3])
def test_batches_together_are_the_text(content: str, lines: int) -> None:
    cut = list(archive.cut_batches(blocks(content, lines)))
    assert content == "".join(batch.text for batch in cut)
    assert [batch.lines_before for batch in cut] == [
        "".join(before.text for before in cut[:number]).count("\n") for number in range(len(cut))
    ]


def test_a_session_stays_together() -> None:
    assert [SESSION] * 3 == [batch.text for batch in archive.cut_batches(blocks(SESSION * 3, 1))]


def test_boards_stay_with_the_players_that_are_named_for_all() -> None:
    assert 1 == len(list(archive.cut_batches(blocks(PLAYERS + DEALS, 1))))


def test_a_session_without_end_is_cut_and_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "LONGEST_SESSION", len(SESSION) // 2)
    cut = list(archive.cut_batches(blocks(SESSION, 1)))
    assert SESSION == "".join(batch.text for batch in cut)
    assert {"lin-session-cut"} == {finding.code for batch in cut for finding in batch.findings}


SLIPS = f"{PLAYERS}{HAND.replace('pc|', 'pc|SZ|pc|', 1)} a remark\n"
FRAMES = ("items", "records", "annotations", "results", "contestants")


@pytest.mark.parametrize(
    "content", [lin(random_boards(5)), lin(random_boards(1)) + "qx|o3|pn|odd\n" + SLIPS, SESSION * 4]
)
def test_a_file_reads_the_same_in_blocks_as_whole(
    content: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "boards.lin"
    path.write_text(content, "utf-8")
    whole = read([str(path)])
    monkeypatch.setattr("overtrick.files.formats.base.LONGEST", 0)
    monkeypatch.setattr("overtrick.files.formats.text.BLOCK", 1000)
    parts = read([str(path)])
    for name in FRAMES:
        assert getattr(whole, name).equals(getattr(parts, name)), name
    places = ["code", "line", "column", "message"]
    assert sorted(whole.problems.select(places).rows()) == sorted(parts.problems.select(places).rows())


def test_the_last_header_of_a_long_text_is_found_wherever_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "_LAST_PART", 10)
    assert [SESSION] * 3 == [batch.text for batch in archive.cut_batches(blocks(SESSION * 3, 2))]
