"""Which values of a record count, and what they say: calls and cards by their words, and texts as they were meant."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
import numpy.typing as npt
import polars as pl

from overtrick.core.bridge.auction import CALLS
from overtrick.core.bridge.cards import CARDS, UNKNOWN
from overtrick.core.words import ENGLISH, Dialect, Form
from overtrick.files.formats.lin.read.boards import PLAY, Boards
from overtrick.files.formats.lin.read.evening import Places
from overtrick.files.formats.lin.read.tokens import Tokens
from overtrick.files.formats.lin.spelling import BROKEN_BY_RS, LONGEST, cut_entries

Codes = npt.NDArray[np.uint8]

Language = Literal["auction", "play"]

ALERT: Final = 200
"""The code of a `!` in an auction."""

_LISTED: Final[dict[Language, tuple[str, Form, Sequence[str]]]] = {
    "auction": ("CALL", "call", CALLS),
    "play": ("CARD", "card", CARDS),
}
"""By language, the terminal of what it lists, its form, and the names by code."""

_SUSPECT: Final = r"[\u{C2}-\u{F4}][^\x00-\x7F]"
"""The first two bytes of a letter in UTF-8, read as Windows-1252."""

_UNASSIGNED: Final = "\x81\x8d\x8f\x90\x9d"
"""Bytes that Windows-1252 has no letter for."""


@dataclass(frozen=True)
class Entries:
    """Calls or cards, one after the other, in the order of the text."""

    at: Places
    """The row of the value that each is in."""
    code: Codes


def read_entries(tokens: Tokens, at: Places, language: Language) -> Entries:
    """Read values that list calls or cards by a flat language of the grammar, each distinct value once.

    They are read in English, and if that leaves something unread, in the dialect of the whole text.

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
        language: what they list.
    """
    word = tokens.frame["word"].to_numpy()[at]
    is_used = np.zeros(len(tokens.words), dtype=np.bool_)
    is_used[word] = True
    used = np.flatnonzero(is_used)
    values = tokens.words[used]
    distinct = values.unique()
    codes = [_read_value(text, language, ENGLISH) for text in distinct]
    if any(UNKNOWN in entries for entries in codes):
        codes = [_read_value(text, language, tokens.dialect) for text in distinct]
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


def count_within(record: Places) -> Places:
    """Count up from 0 within each record; rows of a record follow each other."""
    first = np.flatnonzero(np.diff(record, prepend=-2)).astype(np.int32)
    return np.arange(len(record), dtype=np.int32) - np.repeat(first, np.diff(first, append=len(record)))


def _count_within(sizes: Places) -> Places:
    """Count up from 0 within each group of these sizes."""
    starts = np.cumsum(sizes) - sizes
    within: Places = np.arange(int(sizes.sum())) - np.repeat(starts, sizes)
    return within


def _read_value(text: str, language: Language, dialect: Dialect) -> list[int]:
    terminal, form, names = _LISTED[language]
    others = {"WORD": UNKNOWN, "ALERT": ALERT} if language == "auction" else {"WORD": UNKNOWN}
    codes = [
        names.index(str(dialect.read(form, token))) if token.type == terminal else others[token.type]
        for token in cut_entries(text, language, dialect)
        if token.type == terminal or token.type in others
    ]
    return [*codes, UNKNOWN] if len(text) > LONGEST else codes


def respell(values: pl.Series, dialect: Dialect) -> pl.Series:
    """Return results as English lists them, `4SXW-1` for `4P* O -1`; one that cannot be read stays as it is."""
    read = {text: dialect.read("contract", text) for text in values.unique()}
    return values.replace({text: result.replace(" ", "") for text, result in read.items() if result is not None})


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


def find_fullest(boards: Boards) -> tuple[Places, Places]:
    """For each record the rows between which its auction and play are; -1 and the end for nearly all.

    Where a record is dealt again, these are the rows after the deal with the most text of calls, cards and claims,
    the last of equals. Worked example, `qx md md mb` of record 0 and `qx md` of record 1 in rows 0 to 5:

        deals     1  2  5       record  0  0  1
        play      3             deal    1         `mb` follows the second deal
        sizes     0  2  0                         by deal, characters that follow it
        fullest   1  2                            by record, its fullest deal
        first     2 -1 -1                         by record; the last one is for tokens of no record
        last      5  6  6                         where the next deal begins, else the end
    """
    first = np.full(boards.count + 1, -1, dtype=np.int64)
    last = np.full(boards.count + 1, len(boards.tokens), dtype=np.int64)
    record = boards.record[boards.deals]
    again = np.flatnonzero(np.bincount(record) > 1)
    if not len(again):
        return first, last
    play = boards.find(*PLAY)
    deal = np.searchsorted(boards.deals, play) - 1
    dealt = (deal >= 0) & (record[deal] == boards.record[play])
    size = boards.tokens.get_texts(play[dealt]).str.len_chars().to_numpy()
    sizes = np.bincount(deal[dealt], size, minlength=len(record))
    fullest = np.zeros(len(first), dtype=np.int64)
    order = np.lexsort((np.arange(len(record)), sizes, record))
    fullest[record[order]] = order
    first[again] = boards.deals[fullest[again]]
    last[again] = np.append(boards.deals, len(boards.tokens))[fullest[again] + 1]
    return first, last


def find_counted(boards: Boards, *names: str) -> Places:
    """Find the rows that are one of these commands of a record; where it is dealt again, in its fullest part."""
    at = boards.find(*names)
    first, last = find_fullest(boards)
    record = boards.record[at]
    if (first < 0).all():
        return at if (record >= 0).all() else at[record >= 0]
    return at[(record >= 0) & (at > first[record]) & (at < last[record])]


def find_left_out(boards: Boards) -> pl.DataFrame:
    """Find the first call, card or claim of each record outside its fullest part, as `Boards.get_rows` returns it."""
    first, last = find_fullest(boards)
    at = boards.find(*PLAY)[: 0 if (first < 0).all() else None]
    record = boards.record[at]
    return boards.get_first_of(at[(record >= 0) & ((at < first[record]) | (at > last[record]))])
