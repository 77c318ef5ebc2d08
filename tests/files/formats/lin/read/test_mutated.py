"""Sound boards with something removed, inserted or swapped: both ways of reading see the same in them."""

import random
import re
from dataclasses import fields
from functools import cache

import pytest

from overtrick.core.late import get_frame
from overtrick.files.formats.base import Reading
from overtrick.files.formats.text import Text, decode
from tests.support.deals import random_boards
from tests.support.fuzz_lin import PIECES, WHOLE
from tests.support.lin_boards import lin as written
from tests.support.reading import FIXTURES, lin, lin_archive
from tests.support.sweeps import sample

BOARDS = 20_000
TOGETHER = 100
"""Boards that are read as one text: a call costs more than a board."""

SEEDS = [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in sample(range(1, 20), 19))]

SLIPS = [
    *("|", "|", "||", " ", "\n", "\t", "\x1c", "\x85", "\u2028", "\xa0", "|\n", "| |"),
    *("q\nx|o1|", "m b|p|", "a b|c|", "mb||p|", "qx||o2|", "pg|||", "mbp|", "pcSA|", "mb|p mb|1C|", "mb|2D!an|weak|"),
    *("o33|", " C7\n|", "zq|1|", "SA|", "sk|", "HT|x|", "pc|ST|SK|", "% a remark\n", "% with a | pipe\n"),
    *("nt|see ?lin=pn|A,B|md|1S|", "nt|see ?lin=st||md|1S|pg|||pg||\n", "&lin="),
    *("\nrs", "rs|", "\N{LATIN SMALL LETTER LONG S}t|", "s\N{KELVIN SIGN}|"),
]


@cache
def boards() -> list[str]:
    texts = [decode(path.read_bytes()) for path in sorted(FIXTURES.glob("*.lin"))]
    sound = [text.content for text in texts if isinstance(text, Text)] + [WHOLE, written(random_boards(100))]
    return [board for text in sound for board in re.split(r"^(?=qx|pn|md)", text, flags=re.MULTILINE) if board]


def mutated(board: str, chance: random.Random) -> str:
    for _ in range(chance.choice([1, 1, 2, 3, 6])):
        at, length = chance.randrange(len(board) + 1), chance.choice([1, 1, 1, 2, 5, 30])
        if chance.random() < 0.5:
            # Slips are mended where a command or a value begins, so half of all changes are beside a pipe.
            at = max(0, board.find("|", at) + chance.choice([0, 1]))
        other = chance.randrange(len(board) + 1)
        piece = chance.choice(
            [
                "",
                chance.choice(SLIPS),
                chance.choice(PIECES),
                board[other : other + length],
                chr(chance.randrange(1, 256)),
            ]
        )
        board = board[:at] + piece + board[at + chance.choice([0, length]) :]
    return board


def differing(text: str) -> list[str]:
    evening, archive = lin(text), lin_archive(text)
    names = [field.name for field in fields(Reading)]
    return [name for name in names if not get_frame(getattr(evening, name)).equals(get_frame(getattr(archive, name)))]


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_mutated_boards_read_the_same_by_both_ways(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(BOARDS // 20 // TOGETHER):
        broken = [mutated(chance.choice(boards()), chance) for _ in range(TOGETHER)]
        if differing("".join(broken)):
            assert not [board for board in broken if differing(board)]
            pytest.fail(f"different together: {''.join(broken)!r}")
