"""One slip in a sound board is found by `overtrick check` where it stands, in PBN and in LIN."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from overtrick.core.bridge.auction import DOUBLE, FIRST_BID, PASS, REDOUBLE
from tests.support.commands import run
from tests.support.deals import Board, pbn, random_boards
from tests.support.lin_boards import lin

Slip = Callable[[Board, Random], tuple[Board, int] | None]
"""Makes a slip in a board, and says at which call or card; None where the board has no room for it."""
Place = tuple[str, int, int]

BOARDS = [board for board in random_boards(60, seed=5, claims=0.0) if board.contract]


def with_call(board: Board, at: int, call: int) -> tuple[Board, int]:
    return replace(board, calls=(*board.calls[:at], call, *board.calls[at + 1 :])), at


def bid_that_is_too_low(board: Board, rng: Random) -> tuple[Board, int] | None:
    bids = [at for at, call in enumerate(board.calls) if call >= FIRST_BID]
    if len(bids) < 2:
        return None
    before, at = bids[-2:]
    return with_call(board, at, rng.randint(FIRST_BID, board.calls[before]))


def double_raised(board: Board, _: Random) -> tuple[Board, int] | None:
    return with_call(board, board.calls.index(DOUBLE), REDOUBLE) if DOUBLE in board.calls else None


def double_of_nothing(board: Board, _: Random) -> tuple[Board, int]:
    return with_call(board, 0, DOUBLE)


def last_pass_dropped(board: Board, _: Random) -> tuple[Board, int]:
    return replace(board, calls=board.calls[:-1]), len(board.calls) - 2


def call_too_many(board: Board, rng: Random) -> tuple[Board, int]:
    return replace(board, calls=(*board.calls, rng.randrange(DOUBLE, FIRST_BID + 35))), len(board.calls)


def opening_pass_dropped(board: Board, _: Random) -> tuple[Board, int] | None:
    return (replace(board, calls=board.calls[1:]), 0) if board.calls[0] == PASS else None


def exchanged(board: Board, one: tuple[int, int], other: tuple[int, int]) -> tuple[Board, int]:
    """Exchange two cards, each named by its row and column; the slip is at the one in the earlier trick."""
    rows = [list(row) for row in board.rows]
    (a, b), (c, d) = sorted([one, other])
    rows[a][b], rows[c][d] = rows[c][d], rows[a][b]
    return replace(board, rows=tuple(map(tuple, rows))), 4 * a + b


def cards_of_two_hands_exchanged(board: Board, rng: Random) -> tuple[Board, int]:
    one, other = rng.sample(range(13), 2)
    column = rng.randrange(4)
    return exchanged(board, (one, column), (other, (column + rng.randint(1, 3)) % 4))


def revoke(board: Board, rng: Random) -> tuple[Board, int] | None:
    """Discard from the hand of a player who follows suit; the card that was due is played later."""
    leaders = [board.leader, *board.winners]
    chances = [
        ((trick, column), (later, column))
        for trick, row in enumerate(board.rows)
        for column in range(4)
        for later in range(trick + 1, 13)
        if row[column] // 13 == row[((leaders[trick] or 0) - (board.leader or 0)) % 4] // 13
        and (column + (board.leader or 0)) % 4 != leaders[trick]
        and board.rows[later][column] // 13 != row[column] // 13
    ]
    return exchanged(board, *rng.choice(chances)) if chances else None


def repeated_card(board: Board, rng: Random) -> tuple[Board, int]:
    trick, column = rng.randrange(1, 13), rng.randrange(4)
    rows = [list(row) for row in board.rows]
    rows[trick][column] = rows[rng.randrange(trick)][column]
    return replace(board, rows=tuple(map(tuple, rows))), 4 * trick + column


AUCTION: list[tuple[Slip, str, str]] = [
    (bid_that_is_too_low, "auction-illegal", "auction-illegal"),
    (double_raised, "auction-illegal", "auction-illegal"),
    (double_of_nothing, "auction-illegal", "auction-illegal"),
    (last_pass_dropped, "auction-unfinished", "auction-unfinished"),
    (call_too_many, "auction-after-end", "auction-after-end"),
]
PLAY: list[tuple[Slip, str]] = [
    (cards_of_two_hands_exchanged, "play-card-not-held"),
    (revoke, "play-revoke"),
    (repeated_card, "play-card-not-held"),
]


def slips(slip: Slip) -> tuple[list[Board], list[int]]:
    """Make the slip in all boards that have room for it."""
    rng = Random(7)
    made = [done for board in BOARDS for done in [slip(board, rng)] if done]
    assert made
    return [board for board, _ in made], [at for _, at in made]


def found(text: str, path: Path, about: str = "") -> list[list[Place]]:
    """List the problems of each game whose code begins so."""
    path.write_text(text, "utf-8")
    games: list[list[Place]] = [[] for _ in range(text.count("[Event ") + text.count("md|"))]
    for problem in json.loads(run("check", path, "--format", "json").out)["problems"]:
        if problem["code"].startswith(about):
            games[problem["record"]].append((problem["code"], problem["line"], problem["column"]))
    return games


def pbn_places(text: str, section: str) -> list[list[tuple[int, int]]]:
    """Give line and column of each call or card of each game, as the lines below the tag hold them."""
    games: list[list[tuple[int, int]]] = []
    inside = False
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith(f"[{section} "):
            games.append([])
            inside = True
        elif line.startswith("[") or not line:
            inside = False
        elif inside:
            games[-1] += [(number, word.start() + 1) for word in re.finditer(r"[^ ]+", line)]
    return games


def lin_places(text: str, command: str) -> list[list[tuple[int, int]]]:
    return [
        [(number, match.start() + 1) for match in re.finditer(rf"(?<=\|){command}\|", line)]
        for number, line in enumerate(text.splitlines(), 1)
    ]


def order_played(board: Board) -> list[int]:
    """Give the cards of the rows in the order in which they were played, by their place in the rows."""
    leaders = [board.leader or 0, *board.winners[:-1]]
    return [4 * trick + (leader + turn - leaders[0]) % 4 for trick, leader in enumerate(leaders) for turn in range(4)]


@pytest.mark.parametrize(("slip", "code"), [(slip, code) for slip, code, _ in AUCTION])
def test_a_slip_in_an_auction_is_found_at_its_call_in_pbn(slip: Slip, code: str, tmp_path: Path) -> None:
    boards, calls = slips(slip)
    text = pbn(boards)
    expected = [(code, *places[call]) for places, call in zip(pbn_places(text, "Auction"), calls, strict=True)]
    assert expected == [problems[0] for problems in found(text, tmp_path / "a.pbn", "auction")]


@pytest.mark.parametrize(("slip", "code"), [(slip, code) for slip, _, code in AUCTION])
def test_a_slip_in_an_auction_is_found_at_its_call_in_lin(slip: Slip, code: str, tmp_path: Path) -> None:
    boards, calls = slips(slip)
    text = lin(boards)
    expected = [(code, *places[call]) for places, call in zip(lin_places(text, "mb"), calls, strict=True)]
    assert expected == [problems[0] for problems in found(text, tmp_path / "a.lin", code)]


def test_a_call_that_was_dropped_moves_the_declarer(tmp_path: Path) -> None:
    boards, _ = slips(opening_pass_dropped)
    text = pbn(boards)
    declarers = [number for number, line in enumerate(text.split("\n"), 1) if line.startswith("[Declarer")]
    assert [[("contract-differs-from-auction", line, 1)] for line in declarers] == found(text, tmp_path / "a.pbn")
    leads = [("play-wrong-turn", *cards[0]) for cards in lin_places(lin(boards), "pc")]
    assert [[lead] for lead in leads] == found(lin(boards), tmp_path / "a.lin", "play-wrong")


@pytest.mark.parametrize(("slip", "code"), PLAY)
def test_a_slip_in_a_play_is_found_at_its_card_in_pbn(slip: Slip, code: str, tmp_path: Path) -> None:
    boards, cards = slips(slip)
    text = pbn(boards)
    expected = [(code, *places[card]) for places, card in zip(pbn_places(text, "Play"), cards, strict=True)]
    assert expected == [problems[0] for problems in found(text, tmp_path / "a.pbn", "play")]


@pytest.mark.parametrize(("slip", "code"), PLAY)
def test_a_slip_in_a_play_is_found_at_its_card_in_lin(slip: Slip, code: str, tmp_path: Path) -> None:
    boards, cards = slips(slip)
    text = lin(boards)
    expected = [
        (code, *places[order_played(board).index(card)])
        for board, places, card in zip(boards, lin_places(text, "pc"), cards, strict=True)
    ]
    assert expected == [problems[0] for problems in found(text, tmp_path / "a.lin", "play")]


def test_a_card_played_out_of_turn_is_found_in_lin(tmp_path: Path) -> None:
    lines = []
    for number, line in enumerate(lin(BOARDS).splitlines()):
        cards = re.findall(r"pc\|..\|", line)
        one, other = cards[4 * (number % 13) + number % 3 :][:2]
        lines.append(line.replace(one + other, other + one))
    text = "\n".join(lines)
    early = [places[4 * (number % 13) + number % 3] for number, places in enumerate(lin_places(text, "pc"))]
    assert [[("play-wrong-turn", *place)] for place in early] == found(text, tmp_path / "a.lin")
