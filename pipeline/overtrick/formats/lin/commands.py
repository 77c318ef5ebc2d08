"""The commands of LIN, as the grammar has them, by the two characters that each is."""

from functools import cache
from itertools import product
from string import ascii_lowercase, digits
from typing import Final

import numpy as np
import numpy.typing as npt

from overtrick.grammar import matcher

Codes = npt.NDArray[np.uint8]

CARD: Final = 0x80
"""Added to the code of a command that is written as a card is."""


@cache
def commands() -> tuple[str, ...]:
    """List the commands of the grammar in small letters; the first stands for none."""
    letters = ascii_lowercase + digits + "#^<>"
    known = matcher("COMMAND", start="piece", language="lin")
    return ("", *(pair for pair in map("".join, product(letters, repeat=2)) if known.fullmatch(pair)))


@cache
def codes() -> Codes:
    """Give the place in `commands` by two bytes (256 times the first and the second), 0 for what is no command."""
    table = np.zeros((256, 256), dtype=np.uint8)
    like_a_card = matcher("CARD_COMMAND", start="piece", language="lin")
    for code, name in enumerate(commands()[1:], start=1):
        for one, other in product(*({letter, letter.upper()} for letter in name)):
            table[ord(one), ord(other)] = code | (CARD if like_a_card.fullmatch(one + other) else 0)
    return table.ravel()
