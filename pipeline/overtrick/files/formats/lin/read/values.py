"""Values of commands: lists of calls and cards, each distinct one read once; and texts that were encoded twice."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
import polars as pl

from overtrick.core.grammar import tokens as cut_by_grammar
from overtrick.files.formats.lin.read.tokens import Tokens
from overtrick.files.formats.lin.spelling import BROKEN_BY_RS

Codes = npt.NDArray[np.uint8]
Places = npt.NDArray[np.signedinteger]

_SUSPECT: Final = r"[\u{C2}-\u{F4}][^\x00-\x7F]"
"""What the first two bytes of a letter in UTF-8 become when they are read as Windows-1252."""
_UNASSIGNED: Final = "\x81\x8d\x8f\x90\x9d"
"""Bytes that Windows-1252 has no letter for."""


@dataclass(frozen=True)
class Entries:
    """Calls or cards, one after the other, in the order of the text."""

    at: Places
    """The row of the value that each is in."""
    code: Codes


def read_entries(tokens: Tokens, at: Places, language: str, read: Callable[[str, str], int | None]) -> Entries:
    """Read values that list calls or cards by a flat language of the grammar, each distinct value once.

    Worked example, the `mb` values of `mb|1C|mb|ppp|mb|1C|` in rows 4, 6 and 8:

        word      7  9  7      place in `tokens.words`
        distinct  1C, ppp      read: [3], [0, 0, 0]
        which     0  1  0      the distinct value of each row
        sizes     1  3  1
        first     0 1 1 1 0    where the codes of its value begin in [3, 0, 0, 0], once for each entry
        code      3 0 0 0 3    `first` plus 0, 0 1 2, 0
        at        4 6 6 6 8

    Args:
        tokens: those of a file; it has few distinct values.
        at: the rows whose values are read.
        language: `auction` or `play`.
        read: returns the code of a terminal and its text; None for one that is not an entry.
    """
    word = tokens.frame["word"].to_numpy()[at]
    is_used = np.zeros(len(tokens.words), dtype=np.bool_)
    is_used[word] = True
    used = np.flatnonzero(is_used)
    values = tokens.words[used]
    distinct = values.unique()
    codes = [_read_value(text, language, read) for text in distinct]
    place = np.zeros(len(is_used), dtype=np.int32)
    place[used] = values.cast(pl.Enum(distinct)).to_physical().to_numpy()
    if all(len(entries) == 1 for entries in codes):
        of_word = np.array([entries[0] for entries in codes], np.uint8)[place] if codes else np.zeros(0, np.uint8)
        return Entries(at, of_word[word])
    which = place[word]
    lengths = np.array([len(entries) for entries in codes], dtype=np.int64)
    flat = np.array([code for entries in codes for code in entries], dtype=np.uint8)
    sizes = lengths[which]
    first = np.repeat((np.cumsum(lengths) - lengths)[which], sizes)
    return Entries(np.repeat(at, sizes), flat[first + _count_within(sizes)])


def _count_within(sizes: Places) -> Places:
    """Count up from 0 within each group of these sizes."""
    starts = np.cumsum(sizes) - sizes
    within: Places = np.arange(int(sizes.sum())) - np.repeat(starts, sizes)
    return within


def _read_value(text: str, language: str, read: Callable[[str, str], int | None]) -> list[int]:
    codes = (read(token.type, str(token)) for token in cut_by_grammar(text, language, language="lin"))
    return [code for code in codes if code is not None]


def repair_texts(values: pl.Series) -> pl.Series:
    """Return names, chat and explanations as they were meant: encoded once, and whole where `rs` broke the line.

    Some sites read a value in UTF-8 as Windows-1252 and store it as UTF-8 again, beside sound values.
    """
    joined = values.str.replace(f"{BROKEN_BY_RS}$", "rs")
    suspect = joined.filter(joined.str.contains(_SUSPECT)).unique().to_list()
    return joined.replace(suspect, [_decode_again(text) for text in suspect]) if suspect else joined


def _decode_again(text: str) -> str:
    try:
        return b"".join(map(_encode_letter, text)).decode("utf-8")
    except UnicodeError:
        return text


def _encode_letter(letter: str) -> bytes:
    """Return the byte that was read as this letter; a byte without a letter stayed what it was."""
    return letter.encode("latin-1" if letter in _UNASSIGNED else "cp1252")
