"""The commands of LIN, from the grammar, by the two characters that each consists of."""

from functools import cache
from itertools import product
from string import ascii_lowercase, digits
from typing import Final

import numpy as np
import numpy.typing as npt

from overtrick.grammar import matcher

Codes = npt.NDArray[np.uint8]

CARD: Final = 0x80
"""Added to the code of a command that is written as a card is: `SA` has it, `sa` has not."""


@cache
def list_commands() -> tuple[str, ...]:
    """List the commands of the grammar in small letters. The code of a command is its place; 0 means no command."""
    letters = ascii_lowercase + digits + "#^<>"
    known = matcher("COMMAND", language="lin")
    return ("", *(pair for pair in map("".join, product(letters, repeat=2)) if known.fullmatch(pair)))


@cache
def tabulate_codes() -> Codes:
    """Return the code of each two bytes, at 256 times the first plus the second; 0 for two that are not a command."""
    table = np.zeros((256, 256), dtype=np.uint8)
    like_a_card = matcher("CARD_COMMAND", language="lin")
    for code, name in enumerate(list_commands()[1:], start=1):
        for one, other in product(*({letter, letter.upper()} for letter in name)):
            table[ord(one), ord(other)] = code | (CARD if like_a_card.fullmatch(one + other) else 0)
    return table.ravel()
