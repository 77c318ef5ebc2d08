"""The files to read: random legal boards with auction and play, as PBN and as LIN."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from overtrick.core.bridge.auction import CALLS
from overtrick.core.bridge.cards import CARDS, RANKS
from tests.support.deals import Board, pbn, random_boards

DIFFERENT: Final = 10_000
"""The number of different boards; larger files repeat them with other players."""

_DEALERS: Final = "3412"
_VULNERABLE: Final = {"None": "o", "NS": "n", "EW": "e", "All": "b"}


def write_boards(folder: Path, form: str, count: int) -> Path:
    """Write one file of `count` boards, `pbn` or `lin`."""
    path = folder / f"boards-{count}.{form}"
    with path.open("w", encoding="utf-8") as file:
        file.writelines(texts(form, count))
    return path


def texts(form: str, count: int) -> Iterator[str]:
    """Yield `count` boards as text in pieces; no two pieces are equal."""
    boards = random_boards(min(count, DIFFERENT))
    # bridgebots stops reading at a passed-out board.
    boards = [board if board.rows else boards[0] for board in boards] if form == "lin" else boards
    text = pbn(boards) if form == "pbn" else lin(boards)
    for piece in range(-(-count // DIFFERENT)):
        kept = text if (piece + 1) * DIFFERENT <= count else _of(form, boards[: count - piece * DIFFERENT])
        yield kept.replace("Ada", f"Ada {piece}") + ("\n" if form == "pbn" else "")


def _of(form: str, boards: list[Board]) -> str:
    return pbn(boards) if form == "pbn" else lin(boards)


def lin(boards: list[Board]) -> str:
    """Write each board on a line, as a site exports hands."""
    return "".join(f"{_hand(board)}\n" for board in boards)


def _hand(board: Board) -> str:
    hands = ",".join(_cards(board.hands[seat]) for seat in (2, 3, 0))
    calls = "".join(f"mb|{CALLS[call].replace('NT', 'N').replace('Pass', 'p')}|" for call in board.calls)
    played = "".join(f"pc|{CARDS[card]}|" for card in _in_turn(board))
    claim = f"mc|{board.tricks}|" if board.contract and len(board.rows) < 13 else ""
    head = f"pn|Dinis,Ada,Bo,Celia|st||md|{_DEALERS[board.dealer]}{hands},|rh||ah|Board {board.number}|"
    return f"{head}sv|{_VULNERABLE[board.vulnerable]}|{calls}pg||{played}{claim}pg||"


def _cards(hand: tuple[int, ...]) -> str:
    return "".join(
        "SHDC"[3 - suit] + "".join(RANKS[card % 13] for card in hand if card // 13 == suit) for suit in (3, 2, 1, 0)
    )


def _in_turn(board: Board) -> Iterator[int]:
    """Yield the cards in the order played; the rows of a board have a column for each seat."""
    if board.leader is None:
        return
    leader = board.leader
    for row, winner in zip(board.rows, board.winners, strict=True):
        first = (leader - board.leader) % 4
        yield from (row[(first + turn) % 4] for turn in range(4))
        leader = winner
