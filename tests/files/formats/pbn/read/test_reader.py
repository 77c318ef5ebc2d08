"""Small PBN files that are read together mean what they mean apart."""

import shutil
from pathlib import Path

import pytest

from overtrick.core.frames import Session
from overtrick.files.assemble import read
from overtrick.files.formats import base
from overtrick.files.formats.pbn.read.reader import stands_alone
from tests.support.commands import ROOT
from tests.support.deals import pbn, random_boards

FRAMES = ("sources", "items", "records", "annotations", "results", "contestants")
FIXTURES = ROOT / "fixtures"

GAME = '[Event "Evening"]\n[Board "1"]\n[Dealer "N"]\n'
PLAYED = '[Contract "3NT"]\n[Declarer "S"]\n[Result "9"]\n'


def apart(folder: Path, monkeypatch: pytest.MonkeyPatch, *, verified: bool) -> Session:
    with monkeypatch.context() as patch:
        patch.setattr(base, "LONGEST", -1)
        return read([str(folder)], verified=verified)


def assert_same_apart(folder: Path, monkeypatch: pytest.MonkeyPatch, *, verified: bool) -> None:
    together = read([str(folder)], verified=verified)
    one_by_one = apart(folder, monkeypatch, verified=verified)
    for name in FRAMES:
        assert getattr(one_by_one, name).equals(getattr(together, name)), name
    order = ["source", "line", "column", "code", "message"]
    assert one_by_one.problems.sort(order).equals(together.problems.sort(order))


@pytest.mark.parametrize("verified", [False, True])
@pytest.mark.slow
@pytest.mark.sweep(2)
def test_a_folder_gives_what_its_files_give_one_by_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, verified: bool
) -> None:
    boards = pbn(random_boards(6)).split("\n\n")
    texts = [
        *boards[:3],
        GAME + PLAYED + "\n" + PLAYED,
        PLAYED,
        "% only a remark\n",
        "% PBN 2.1\n\n" + GAME + '[Note "1:x"]\n[Note "1:x"]\n[Odd "1"]\n[Odd "2"]',
        boards[3].replace("\n", "\r\n"),
        GAME + "{ not closed",
        GAME + '[Auction "N"]\n1C Pass zz\n[Play "E"]\nSA SA HH\n',
        f'{GAME}[North "\xc9va"]\n[Contract "8C"]\n',
        '[Event "#"]\n[Board "7"]\n',
        f'{GAME}[Own "1"]\n[own "2"]\n[Mode "X"]\n\n{GAME}[Own "1"]\n[Mode "X"]\n',
        f'{GAME}[Own "1"]\n[Mode "X"]\n[DealId "1"]\n[Deal "N:AK... - - -"]\n',
        f'{GAME}[DealId "1"]\n[Deal "N:AQ... - - -"]\n\n{GAME}[DealId "1"]\n[Deal "N:AK... - - -"]\n',
        f'{GAME}[OptimumResultTable "Declarer Suit"]\nN 8 8\n',
        f'{GAME}[OptimumResultTable "Declarer Suit"]\nN 8 8\n',
        f'{GAME}[ActionTable "Rank;Call"]\n1 8C\n\n{GAME}[ActionTable "Rank;Call"]\n1 8C\n2 8C\n',
        f'{GAME}[ActionTable "Rank;Call"]\n1 8C\n',
        f"{GAME}% EXPORT\n\n{GAME}",
        f"% PBN 2.1\r\n% EXPORT\r\n{GAME}",
        f'{GAME}[Site "\x7f{"x" * 300}"]\n',
        *boards[4:],
    ]
    for number, text in enumerate(texts):
        (tmp_path / f"{number:03}.pbn").write_text(text, "utf-8", newline="")
    assert_same_apart(tmp_path, monkeypatch, verified=verified)


@pytest.mark.parametrize("verified", [True, False])
@pytest.mark.slow
@pytest.mark.sweep(2)
def test_files_of_every_kind_give_what_they_give_one_by_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, verified: bool
) -> None:
    for path in FIXTURES.glob("*.[pl][bi]n"):
        shutil.copy(path, tmp_path)
    assert_same_apart(tmp_path, monkeypatch, verified=verified)


@pytest.mark.parametrize("text", [GAME, f"% PBN 2.1\n\n{GAME}", f"{GAME}{PLAYED}\n{PLAYED}", f"\n{GAME}"])
def test_games_in_plain_lines_stand_alone(text: str) -> None:
    assert stands_alone(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "% nothing else\n",
        PLAYED,
        f"{PLAYED} \n{GAME}",
        f'% [Board "1"]\n{PLAYED}',
        f"{GAME}{{ a comment }}\n",
        f"{GAME}; a comment\n",
        '[Event "#"]\n[Board "2"]\n',
        '[Event "##Evening"]\n[Board "2"]\n',
        f'{GAME}[ScoreTable "Rank;Names"]\n1 "A - B"\n',
        f'{GAME}[TotalScoreTable "Rank;Names"]\n1 "A - B"\n',
    ],
)
def test_anything_else_is_read_by_itself(text: str) -> None:
    assert not stands_alone(text)
