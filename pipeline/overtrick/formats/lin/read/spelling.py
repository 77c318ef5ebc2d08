"""Values that hold several things, such as the calls of a compact auction: each distinct value is read once."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from overtrick.formats.lin.read.tokens import Tokens
from overtrick.grammar import tokens as read_tokens

Codes = npt.NDArray[np.uint8]
Places = npt.NDArray[np.signedinteger]


@dataclass(frozen=True)
class Spelled:
    """What values hold, one after the other."""

    at: Places
    """The row of the value that each stands in."""
    code: Codes


def spelled(tokens: Tokens, at: Places, language: str, code: Callable[[str, str], int | None]) -> Spelled:
    """Read values by a flat language of the grammar.

    Args:
        tokens: those of a file; it has few distinct values.
        at: the rows whose values are read.
        language: `auction` or `play`.
        code: gives the code of a token (its type and text), None for one that stands for nothing.
    """
    word = tokens.frame["word"].to_numpy()[at]
    is_used = np.zeros(len(tokens.words), dtype=np.bool_)
    is_used[word] = True
    used = np.flatnonzero(is_used)
    values = tokens.words[used]
    distinct = values.unique()
    read = [_codes(text, language, code) for text in distinct]
    place = np.zeros(len(is_used), dtype=np.int32)
    place[used] = values.cast(pl.Enum(distinct)).to_physical().to_numpy()
    if all(len(codes) == 1 for codes in read):
        of_word = np.array([codes[0] for codes in read], dtype=np.uint8)[place] if read else np.zeros(0, np.uint8)
        return Spelled(at, of_word[word])
    which = place[word]
    sizes = np.array([len(codes) for codes in read], dtype=np.int64)
    flat = np.array([code for codes in read for code in codes], dtype=np.uint8)
    first = np.repeat((np.cumsum(sizes) - sizes)[which], sizes[which])
    return Spelled(np.repeat(at, sizes[which]), flat[first + places_within(sizes[which])])


def places_within(sizes: Places) -> Places:
    """Count up from 0 within each group of these sizes."""
    starts = np.cumsum(sizes) - sizes
    within: Places = np.arange(int(sizes.sum())) - np.repeat(starts, sizes)
    return within


def _codes(text: str, language: str, code: Callable[[str, str], int | None]) -> Sequence[int]:
    found = (code(token.type, str(token)) for token in read_tokens(text, language, language="lin"))
    return [number for number in found if number is not None]
