"""From PBN to LIN and back, from LIN to PBN and back: what both can hold is kept."""

import re
import tempfile
from collections.abc import Sequence
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from overtrick.core.bridge.auction import CALLS
from overtrick.core.bridge.cards import CARDS, SEATS
from overtrick.core.frames import Session
from overtrick.files.assemble import read
from overtrick.files.formats.lin.write import write_lin
from overtrick.files.formats.lin.write.board_lines import find_remarks
from overtrick.files.formats.pbn.write import export_pbn
from tests.support import lin_boards
from tests.support.deals import Board, free_pbn, random_boards
from tests.support.lin_texts import PLAYERS
from tests.support.sweeps import some

HELD = (
    *("board", "north", "east", "south", "west", "dealer", "vulnerable", "deal"),
    *("level", "strain", "doubled", "declarer", "tricks", "calls", "cards"),
)
ROOMS = ("event", "round", "room", "home_team", "visit_team", "scoring")

PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .:;!?+-/()@^*<>&'%#=~_\xe9\xf6\xdf"
"""No two letters of it that can be one letter encoded twice."""
names = st.text(PLAIN.translate({ord(sign): None for sign in "#?-;%"}), min_size=1, max_size=20).map(
    lambda text: f"A{text}".strip()
)
sayings = st.text(PLAIN, min_size=1, max_size=60).map(lambda text: " ".join(f"S{text}".split()))
cards_played = st.just(52) | st.integers(0, 51)
"""A claim may come in the middle of a trick, and before the first one."""
boards = st.builds(
    lambda seed, claims: random_boards(3, seed, claims=claims), st.integers(0, 10**6), st.sampled_from([0.0, 1.0])
)


def session(text: str, form: str) -> Session:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"a.{form}"
        path.write_bytes(text.encode())
        return read([str(path)])


def as_lin(read_as_pbn: Session) -> Session:
    return session(write_lin(read_as_pbn).content.decode(), "lin")


def in_pbn(read_as_lin: Session) -> Session:
    return session(export_pbn(read_as_lin).content.decode("latin-1"), "pbn")


def held(of: Session, name: str) -> list[object]:
    """Return a column of the records, with a play without a card as no play."""
    return [None if value == [] else value for value in of.records[name].to_list()]


def said(of: Session) -> list[tuple[object, ...]]:
    """Return alerts, explanations and chat with the call or card they belong to."""
    return find_remarks(of).select("record", "part", "index", "kind", "text").sort(pl.all(), nulls_last=False).rows()


def assert_kept(before: Session, after: Session, columns: Sequence[str] = HELD) -> None:
    for name in columns:
        assert held(before, name) == held(after, name), name
    assert said(before) == said(after)


@st.composite
def annotated_pbn(draw: st.DrawFn) -> str:
    """Write PBN games with players, notes, comments and, some of them, teams and rooms."""
    dealt = draw(boards)
    teams = draw(st.none() | st.tuples(names, names, names))
    return "\n".join(_game(draw, board, teams) for board in dealt)


def _game(draw: st.DrawFn, board: Board, teams: tuple[str, str, str] | None) -> str:
    said_of_call = draw(st.dictionaries(st.integers(0, len(board.calls) - 1), sayings, max_size=3))
    tags = {
        "Board": str(board.number),
        **{player: draw(names) for player in ("West", "North", "East", "South")},
        "Dealer": SEATS[board.dealer],
        "Vulnerable": draw(st.sampled_from(["None", "NS", "EW", "All"])),
        "Deal": "N:" + " ".join(lin_boards.pbn_hand(hand) for hand in board.hands),
        "Declarer": SEATS[board.contract.declarer] if board.contract else "",
        "Contract": str(board.contract or "Pass"),
        "Result": "" if board.tricks is None else str(board.tricks),
    }
    if teams:
        tags |= dict(zip(("Event", "HomeTeam", "VisitTeam"), teams, strict=True)) | {"Scoring": "IMP", "Room": "Closed"}
    lines = [f'[{name} "{value}"]' for name, value in tags.items()]
    lines.append(f'[Auction "{SEATS[board.dealer]}"]')
    notes = list(said_of_call)
    for index, call in enumerate(board.calls):
        note = f" ={notes.index(index) + 1}=" if index in said_of_call else ""
        alert = draw(st.sampled_from(["", "", " {!}"]))
        lines.append(CALLS[call] + note + alert + draw(st.just("") | sayings.map(" {{{}}}".format)))
    lines += [f'[Note "{number}:{said_of_call[index]}"]' for number, index in enumerate(notes, start=1)]
    if board.leader is not None:
        lines.append(f'[Play "{SEATS[board.leader]}"]')
        left = draw(cards_played)
        for number, row in enumerate(board.rows[: -(-left // 4)]):
            played = left - 4 * number
            # After a trick that was not played out, a remark belongs to the last column instead of the last card.
            comment = draw(st.just("") | sayings.map(" {{{}}}".format)) if played >= 4 else ""
            lines.append(" ".join(_trick(board, number, row, played)) + comment)
        lines.append("*" if min(left, 4 * len(board.rows)) < 52 else "")
    return "\n".join(filter(None, lines)) + "\n"


def _trick(board: Board, number: int, row: tuple[int, ...], played: int) -> list[str]:
    """Write the cards of a trick that were played, by seat from the opening leader."""
    first = ((board.leader, *board.winners)[number] or 0) - (board.leader or 0)
    return [CARDS[card] if (column - first) % 4 < played else "-" for column, card in enumerate(row)]


@pytest.mark.slow
@given(annotated_pbn())
@settings(max_examples=some(25), deadline=None)
def test_pbn_goes_to_lin_and_back(text: str) -> None:
    before = session(text, "pbn")
    middle = as_lin(before)
    assert_kept(before, middle)
    assert_kept(before, in_pbn(middle))


@st.composite
def annotated_lin(draw: st.DrawFn) -> str:
    """Write boards as the site does, with alerts, explanations and chat, alone or in the rooms of a match."""
    dealt = draw(boards)
    match = draw(st.booleans())
    texts = []
    for board, line in zip(dealt, lin_boards.lin(dealt).splitlines(), strict=True):
        commands = []
        for command in line.split("|pg||")[0].split("|mb|")[1:]:
            alert, explanation, chat = (
                draw(st.sampled_from(["", "!"])),
                draw(st.just("") | sayings),
                draw(st.just("") | sayings),
            )
            commands += [
                f"mb|{command}{alert}|",
                f"an|{explanation}|" if explanation else "",
                f"nt|{chat}|pg||" if chat else "",
            ]
        play = _played(line.partition("|pg||")[2], board, draw(cards_played))
        play = play.replace("|pc|", f"|nt|{draw(sayings)}|pc|", 1)
        heading = line.split("mb|")[0].replace("sv|", f"sv|{draw(st.sampled_from('oneb'))}|nt||sv|")
        heading = heading.replace("Dinis,Ada", ",".join(draw(st.tuples(names, names))))
        room = f"qx|{draw(st.sampled_from('oc'))}{board.number}|" if match else ""
        texts.append(room + heading + "".join(commands) + "pg||" + play + "\n")
    header = f"vg|{draw(names)},{draw(names)},I,1,{len(dealt)},Reds,,Blues,|\n{PLAYERS}" if match else ""
    return header + "".join(texts)


def _played(play: str, board: Board, cards: int) -> str:
    """Cut a play short by a claim; one that a claim ends already stays."""
    commands = re.findall(r"[a-z]{2}\|[^|]*\|", play)
    played = [place for place, command in enumerate(commands) if command.startswith("pc|")]
    if len(played) < 52 or cards == 52:
        return play
    return "".join(commands[: played[cards]]) + f"mc|{board.tricks}|\n"


@given(annotated_lin())
@settings(max_examples=some(25), deadline=None)
@pytest.mark.slow
def test_lin_goes_to_pbn_and_back(text: str) -> None:
    before = session(text, "lin")
    middle = in_pbn(before)
    assert_kept(before, middle, (*HELD, *ROOMS))
    assert_kept(before, as_lin(middle), (*HELD, *ROOMS))


@pytest.mark.slow
def test_many_boards_in_free_form_go_to_lin_and_back() -> None:
    before = session(free_pbn(random_boards(300, seed=5), seed=6), "pbn")
    middle = as_lin(before)
    for name in HELD[5:]:
        assert held(before, name) == held(middle, name), name
    assert middle.records.select(HELD).equals(in_pbn(middle).records.select(HELD))
