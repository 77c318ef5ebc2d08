"""Sound games with something knocked off, put in or swapped: all ways of reading see the same in them."""

import random
from functools import cache

import pytest

from overtrick.files.formats.text import Text, decode
from tests.support.deals import pbn as written
from tests.support.deals import random_boards
from tests.support.reading import FIXTURES, differing
from tests.support.sweeps import sample

GAMES = 20_000
TOGETHER = 100
"""Games that are read as one text: a call costs more than a game."""

SEEDS = [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in sample(range(1, 20), 19))]

PIECES = [
    *('"', "[", "]", "{", "}", ";", "%", "\\", "\n", "\n\n", "\t", " ", "\x00", "\x1c", "\x85", "\u2028", "é"),
    *("=1=", "$5", "^R ", "^S ", "*", "+", "-", "AP", "X", "?", "!", "#", "##", "10", "x", '"]\n', "{a\n\nb}"),
]


@cache
def games() -> list[str]:
    texts = [decode(path.read_bytes()) for path in sorted(FIXTURES.glob("*.pbn"))]
    sound = [text.content for text in texts if isinstance(text, Text)] + [written(random_boards(100))]
    return [f"{game}\n\n" for text in sound for game in text.split("\n\n") if "[" in game]


def mutated(game: str, chance: random.Random) -> str:
    for _ in range(chance.choice([1, 1, 2, 3, 6])):
        at, length = chance.randrange(len(game) + 1), chance.choice([1, 1, 1, 2, 5, 30])
        other = chance.randrange(len(game) + 1)
        piece = chance.choice(["", chance.choice(PIECES), game[other : other + length], chr(chance.randrange(1, 256))])
        game = game[:at] + piece + game[at + chance.choice([0, length]) :]
    return game


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_mutated_games_read_the_same_on_both_roads(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(GAMES // 20 // TOGETHER):
        broken = [mutated(chance.choice(games()), chance) for _ in range(TOGETHER)]
        if differing("".join(broken)):
            assert not [game for game in broken if differing(game)]
            pytest.fail(f"different together: {''.join(broken)!r}")
