"""Files for dealing machines: DUP, BRI, DGE, DLM, BER and BHG, as `parse.dealing_machines` describes them.

Cards are numbered from the spade ace, 1, down to the club two, 52.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from operator import xor
from typing import Final

import numpy as np
import numpy.typing as npt
import polars as pl

from overtrick import __version__
from overtrick.bridge.cards import Bytes, is_complete, owners
from overtrick.frames import Session
from overtrick.problems import report

Numbers = npt.NDArray[np.int64]

_SUIT_SIGNS: Final = b"\x06\x03\x04\x05"
_RANKS: Final = b"AKQJT98765432"
_LETTERS: Final = np.frombuffer(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", dtype=np.uint8)
_MOST_BOARDS_DLM: Final = 99
_BLANK_DLM: Final = b"aaaaaabffffffkkkkkklpppppp"


@dataclass(frozen=True)
class Deals:
    """What is written: board numbers in order, and for each the seats by number of the card, 0 for the spade ace."""

    boards: list[int]
    seats: Bytes

    @property
    def cards(self) -> Numbers:
        """Numbers of the cards from 1 on, hand after hand from North, shape (deals, 52)."""
        return np.argsort(self.seats, axis=1, kind="stable") + 1


@dataclass(frozen=True)
class WrittenDeals:
    """A file's bytes, and a problem for each board or number that it can't hold."""

    content: bytes
    problems: pl.DataFrame


def write_deals(session: Session, form: str) -> WrittenDeals:
    """Write the deals of a session for a dealing machine, in the order of their board numbers.

    Args:
        session: each board is written once; without a number or four hands of thirteen it is left out, and reported.
        form: a name of `WRITERS`.
    """
    records = session.records.with_columns(is_complete(session.records["deal"]).alias("complete"))
    dealt = records.filter("complete", pl.col("board").is_not_null()).sort("board", maintain_order=True)
    once = dealt.unique("board", keep="first", maintain_order=True)
    most = _MOST_BOARDS_DLM if form == "dlm" else None
    held = once.filter(pl.col("board") <= most) if most else once
    boards = held["board"].to_list()
    absent = records.join(held.select("board"), on="board", how="anti", nulls_equal=False).unique(
        "board", keep="first", maintain_order=True
    )
    other = dealt.join(once.select("board", pl.col("deal").alias("first")), on="board").filter(
        pl.col("deal") != pl.col("first")
    )
    problems = [
        report("deal-not-written", absent.drop("board").rename({"board_label": "board"})),
        report("deal-written-once", other.unique("board").drop("board").rename({"board_label": "board"})),
    ]
    first = boards[0] if boards and form == "dup" else 1
    if form != "dlm" and boards != list(range(first, first + len(boards))):
        renumbered = pl.DataFrame({"boards": [_shown(boards)], "numbers": [_shown(range(first, first + len(boards)))]})
        problems.append(report("deal-numbers-not-written", renumbered))
    deals = Deals(boards, owners(held["deal"])[:, ::-1])
    return WrittenDeals(WRITERS[form](deals), pl.concat(problems))


def bri(deals: Deals) -> bytes:
    """Write 128 bytes a deal: the numbers of North's, East's and South's cards, 32 blanks and 18 zero bytes."""
    return b"".join(numbers + b" " * 32 + bytes(18) for numbers in _numbers(deals))


def dge(deals: Deals) -> bytes:
    """Write 128 bytes a deal: four hands behind the suit signs of DOS, and 60 zero bytes."""
    return b"".join(hands + bytes(60) for hands in _hands(deals))


def dup(deals: Deals) -> bytes:
    """Write 156 bytes a deal: numbers, hands, and the settings: random hands, forwards, the range, no copies."""
    if not deals.boards:
        return b""
    first = deals.boards[0]
    last = first + len(deals.boards) - 1
    settings = f"YN{first:<3}0 {last:<3}".encode()
    return b"".join(numbers + hands + settings for numbers, hands in zip(_numbers(deals), _hands(deals), strict=True))


def ber(deals: Deals) -> bytes:
    """Write a digit a card, 1 for North to 4 for West, with nothing between the deals."""
    return (deals.seats + ord("1")).astype(np.uint8).tobytes()


def bhg(deals: Deals) -> bytes:
    """Write a line of letters a deal, the dealer's hand first, below an empty line."""
    n = len(deals.boards)
    seat = (np.arange(4) + np.arange(n)[:, None]) % 4
    cards = deals.cards.reshape(n, 4, 13)[np.arange(n)[:, None], seat].reshape(n, 52)
    return b"\r\n" + b"".join(row.tobytes() + b"\r\n" for row in _LETTERS[cards - 1])


def dlm(deals: Deals) -> bytes:
    """Write keys and values with their check numbers; all 99 boards, blanks for those that there are none of."""
    pairs = deals.seats[:, ::2] * 4 + deals.seats[:, 1::2] + ord("a")
    letters = dict(zip(deals.boards, (row.astype(np.uint8).tobytes() for row in pairs), strict=True))
    first, last = (deals.boards[0], deals.boards[-1]) if deals.boards else (1, _MOST_BOARDS_DLM)
    lines = [
        "[Document]",
        f"Headline=overtrick {__version__}",
        "Status=Show",
        "Duplicates=0",
        f"From board={first}",
        f"To board={last}",
        "Next board to duplimate=0",
        "PrintOuts=0",
        "Crypto key=0",
        f"Checksum={first ^ last ^ 1}",
    ]
    for board in range(1, _MOST_BOARDS_DLM + 1):
        held = letters.get(board, _BLANK_DLM)
        lines += [f"Duplicates {board:02}=0", f"Board {board:02}={held.decode()}{reduce(xor, held, board):03}"]
    return "".join(f"{line}\r\n" for line in lines).encode()


WRITERS: Final[dict[str, Callable[[Deals], bytes]]] = {
    "dup": dup,
    "bri": bri,
    "dge": dge,
    "dlm": dlm,
    "ber": ber,
    "bhg": bhg,
}


def _numbers(deals: Deals) -> list[bytes]:
    return ["".join(f"{number:02}" for number in row).encode() for row in deals.cards[:, :39].tolist()]


def _hands(deals: Deals) -> list[bytes]:
    """Write each deal as the screen shows it: four hands of 17 bytes, the suit signs of DOS before the ranks."""
    return [
        b"".join(
            _SUIT_SIGNS[suit : suit + 1] + bytes(_RANKS[(card - 1) % 13] for card in hand if (card - 1) // 13 == suit)
            for hand in (row[13 * seat : 13 * seat + 13] for seat in range(4))
            for suit in range(4)
        )
        for row in deals.cards.tolist()
    ]


def _shown(boards: list[int] | range) -> str:
    """Write a list of board numbers, shortened if long."""
    numbers = [str(board) for board in boards]
    return ", ".join(numbers if len(numbers) <= 8 else [*numbers[:4], "...", numbers[-1]])
