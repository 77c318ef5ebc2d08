"""Values that hold several things, such as the calls of a compact auction: each distinct value is read once."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from overtrick.grammar import tokens

Codes = npt.NDArray[np.uint8]
Places = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Spelled:
    """What values hold, one after the other."""

    owner: Places
    """The value that each belongs to, by its place."""
    code: Codes


def spelled(values: pl.Series, language: str, code: Callable[[str, str], int | None]) -> Spelled:
    """Read values by a flat language of the grammar.

    Args:
        values: texts; a file has few distinct ones.
        language: `auction` or `play`.
        code: gives the code of a token (its type and text), None for one that stands for nothing.
    """
    distinct = values.unique(maintain_order=True)
    read = [_codes(text, language, code) for text in distinct]
    which = values.cast(pl.Enum(distinct)).to_physical().to_numpy().astype(np.int64)
    if all(len(codes) == 1 for codes in read):
        return Spelled(np.arange(len(values)), np.array([codes[0] for codes in read], dtype=np.uint8)[which])
    sizes = np.array([len(codes) for codes in read], dtype=np.int64)
    flat = np.array([code for codes in read for code in codes], dtype=np.uint8)
    owner = np.repeat(np.arange(len(values)), sizes[which])
    first = np.repeat((np.cumsum(sizes) - sizes)[which], sizes[which])
    return Spelled(owner, flat[first + places_within(sizes[which])])


def places_within(sizes: Places) -> Places:
    """Count up from 0 within each group of these sizes."""
    starts = np.cumsum(sizes) - sizes
    within: Places = np.arange(int(sizes.sum())) - np.repeat(starts, sizes)
    return within


def _codes(text: str, language: str, code: Callable[[str, str], int | None]) -> Sequence[int]:
    found = (code(token.type, str(token)) for token in tokens(text, language, language="lin"))
    return [number for number in found if number is not None]
