"""Small LIN files that are read together mean what they mean apart."""

from pathlib import Path

import pytest

from overtrick.core.frames import Session
from overtrick.files.assemble import read
from overtrick.files.formats import base
from overtrick.files.formats.lin.read.small import are_boards, is_session, stands_alone
from tests.support.deals import random_boards
from tests.support.lin_boards import lin
from tests.support.lin_texts import HAND, HEADER, MD, ONE_NOTRUMP, OTHER_MD, PLAYERS, session

FRAMES = ("sources", "items", "records", "annotations", "results", "contestants")


BOARDS = [
    f"{MD}ah|Board 3|pn|A,B,C,D|mb|p|",
    f"pn|A,B,C,D,E,F,G,H|{MD}sv|n|",
    f"mb|1C|{MD}sv|b|",
    "pn|A,B,C,D|md||mb|1C|sv|n|",
    f"st||{MD}{MD}pn|I,J,K,L|",
]
"""Boards whose ends could belong to the next file, and whose beginnings to the one before."""

LESSON = f"%% Finesses\npn|A,B,C,D,E,F,G,H|bt||\n{HAND}at|Lead!|\n{MD}mb|1N|pg||st||ah|Next|"
LESSONS = [LESSON, f"{MD}lb|Why?|qq|1|", f"{MD}{MD}at||", "bt|a page", f"at|x|\nhello % {OTHER_MD}", LESSON]
"""What ends one could begin the next: a heading, names for all that follows, the same deal, an open text."""


def folder_of(texts: list[str], folder: Path) -> str:
    for number, text in enumerate(texts):
        (folder / f"{number:03}.lin").write_text(text, "utf-8")
    return str(folder)


def apart(folder: str, monkeypatch: pytest.MonkeyPatch) -> Session:
    monkeypatch.setattr(base, "LONGEST", -1)
    return read([folder])


@pytest.mark.slow
def test_a_folder_reads_the_same_as_its_files_one_by_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    boards = lin(random_boards(9)).splitlines(keepends=True)
    texts = [
        *boards[:4],
        f"{HAND}an|strong|mc|44|",
        session("1NN=", f"o1|{HAND}"),
        boards[4],
        session("1NN=,2HE-1,3NTS+1,PASS", f"o1|{HAND}", header=HEADER.replace("Cup", "Plate")),
        session("1NN=,2HE-1", f"c1|{MD}{ONE_NOTRUMP}"),
        f"pn|\xc5sa,B,C,D|\n{MD}mb|1N|mb|q|\n\nnt|hi|\n",
        "pn|A,B,C,D|pg||",
        "".join(boards[5:]),
        *BOARDS,
        *LESSONS,
        *BOARDS,
    ]
    folder = folder_of(texts, tmp_path)
    together = read([folder])
    one_by_one = apart(folder, monkeypatch)
    for name in FRAMES:
        assert getattr(one_by_one, name).equals(getattr(together, name)), name
    order = ["source", "line", "column", "code"]
    assert one_by_one.problems.sort(order).equals(together.problems.sort(order))


def test_lots_of_files_are_read_lot_by_lot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = folder_of(lin(random_boards(7)).splitlines(), tmp_path)
    monkeypatch.setattr(base, "MOST_TOGETHER", 3)
    assert list(range(1, 8)) == read([folder]).records["board"].to_list()


@pytest.mark.parametrize("text", [HAND, f"{HAND}\n", f" {HAND}mc|9|pg||\n"])
def test_a_board_with_its_names_stands_alone(text: str) -> None:
    assert stands_alone(text)


@pytest.mark.parametrize("text", [HAND, HAND + HAND, *BOARDS])
def test_boards_are_read_with_other_boards_whatever_their_order(text: str) -> None:
    assert are_boards(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hello",
        f"{HAND}pg|",
        f"{HAND}|",
        f"{HAND}xx||",
        f"{HAND}%|",
        f"qx|o1|{HAND}",
        HAND.partition("st")[2],
        f"{HAND}{OTHER_MD}",
        f"{HAND}ah|Board 6|",
        f"{PLAYERS}{MD}pg||",
        f"{HAND}{HAND}",
        "pn|A,B,C,D|pg||",
        HAND.replace("md|", "nt|hi|md|"),
    ],
)
def test_anything_else_is_not_a_board_that_stands_alone(text: str) -> None:
    assert not stands_alone(text)


SESSION = session("1NN=", f"o1|{MD}{ONE_NOTRUMP}nt|Good.\nReally.|pg||")


@pytest.mark.parametrize("text", [SESSION, f"{SESSION}\n{SESSION}", SESSION.upper()])
def test_a_session_with_its_players_ends_where_the_next_begins(text: str) -> None:
    assert is_session(text)
    assert not stands_alone(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        HAND,
        HAND + SESSION,
        SESSION.replace(PLAYERS, ""),
        SESSION.replace("Dot,Eve,Fay,Gus,Hal", "Dot"),
        session("1NN=", f"o1|{MD}{PLAYERS}").replace(PLAYERS, "", 1),
        SESSION.replace("Good.", "see http://example.org/?lin="),
        SESSION.removesuffix("|\n"),
        f"{SESSION}qx|o2",
        f"{SESSION}xx||",
    ],
)
def test_a_session_that_could_take_or_leave_something_is_read_by_itself(text: str) -> None:
    assert not is_session(text)
