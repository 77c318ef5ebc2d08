"""Section text to calls and cards: the sections Auction (PBN 3.5) and Play (PBN 3.6).

All sections of a file are cut into tokens at once, as arrays over their bytes. A section that holds anything but known
words between blanks (comments, glued marks, odd words) goes through the grammar's `auction` or `play` instead. Both
ways end in the same token arrays, so `_assemble` alone decides what a token means.
"""

from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from overtrick.core.bridge.auction import CALLS, PASS
from overtrick.core.bridge.cards import CARDS, UNKNOWN
from overtrick.core.grammar import matcher, tokens
from overtrick.core.words import ENGLISH, Dialect

if TYPE_CHECKING:
    from lark import Token

# Codes of tokens that are neither a call nor a card; those below _FIRST_MARK take a place in the sequence.
_ALL_PASS, _PADDING, _MISSING, _NEXT, _SKIPPED = range(200, 205)
_FIRST_MARK: Final = 210
_END, _CONTINUE, _NOTE, _NAG, _SUFFIX, _IRREGULARITY, _REMARK, _ALERT = range(_FIRST_MARK, 218)

_ENDS: Final = {_END: "*", _CONTINUE: "+", _NEXT: "+"}
_END_SIGN: Final = pl.Series([_ENDS.get(code) for code in range(256)], dtype=pl.String)
"""By code: how it ends a section."""
_MARKS: Final = {
    _NOTE: "note",
    _NAG: "nag",
    _SUFFIX: "suffix",
    _IRREGULARITY: "irregularity",
    _SKIPPED: "irregularity",
    _REMARK: "comment",
    _ALERT: "alert",
}
_FINE: Final = {"ALL_PASS": _ALL_PASS, "END": _END, "NOTE": _NOTE, "NAG": _NAG, "SUFFIX": _SUFFIX} | {
    "IRREGULARITY": _IRREGULARITY,
    "REMARK": _REMARK,
}
"""By terminal of the grammar, for tokens that are none of the words below."""

Part = Literal["auction", "play"]
Codes = npt.NDArray[np.uint8]
Places = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


@cache
def _words(part: Part, dialect: Dialect) -> dict[str, int]:
    """Return the code of each word, in capitals."""
    notes = {f"={index}=": _NOTE for index in range(1, 33)} | {f"${number}": _NAG for number in range(256)}
    notes |= dict.fromkeys(("!", "?", "!!", "??", "!?", "?!"), _SUFFIX)
    notes |= dict.fromkeys(("^I", "^R", "^L"), _IRREGULARITY)
    if part == "play":
        spelled = product(dialect.words("strain").items(), dialect.words("rank").items())
        cards = {
            suit + rank: CARDS.index(one + other) for (suit, one), (rank, other) in spelled if one + other in CARDS
        }
        return notes | cards | {"-": _MISSING, "*": _END, "+": _NEXT}
    named = product("1234567", dialect.words("strain").items())
    bids = {level + word: CALLS.index(level + strain) for level, (word, strain) in named}
    others = {word: CALLS.index(call) for word, call in dialect.words("call").items()}
    return notes | bids | others | {"AP": _ALL_PASS, "-": _PADDING, "*": _END, "+": _CONTINUE, "^S": _SKIPPED}


MOST_FINE: Final = 1 << 18
"""Characters of a section that go through the grammar, which takes a thousand times as long as the arrays."""
_SHOWN: Final = 60

_LONGEST_WORD: Final = 8
"""Letters of a word that the arrays know; longer ones go through the grammar."""

_ALL_CODES: Final = np.arange(256)
_MOST_FILLING: Final = 8
"""How many times the codes a matrix of sections may hold; one huge section among many small ones makes it more."""

_IS_END: Final[Mask] = np.isin(_ALL_CODES, list(_ENDS))
_IS_MARK: Final[Mask] = np.isin(_ALL_CODES, list(_MARKS))
_IS_BLANK: Final[Mask] = np.isin(_ALL_CODES, [ord(character) for character in " \t\f\v\n"])
"""By byte: what the grammar calls a blank."""
_TAKES_PLACE: Final[Mask] = (_ALL_CODES < _FIRST_MARK) | (_ALL_CODES == UNKNOWN)
_ENTRY: Final = np.where(_ALL_CODES < _ALL_PASS, _ALL_CODES, np.where(_ALL_CODES == _ALL_PASS, PASS, UNKNOWN)).astype(
    np.uint8
)
"""By code: the kind of a token, and the entry that it makes in the sequence."""


_WORD: Final = {"section": pl.Int64, "text": pl.String, "line": pl.UInt32, "column": pl.UInt32}
_NO_WORDS: Final = pl.DataFrame(schema=_WORD)
_NO_MARKS: Final = pl.DataFrame(schema={**_WORD, "index": pl.UInt32, "kind": pl.String})
"""`Bodies.unknown` and `Bodies.marks` where there are none."""


class Bodies(NamedTuple):
    """Sections of one name, decoded."""

    entries: pl.DataFrame
    """section, codes (List of UInt8), padding (`-` before the first), end (`*`, `+` or null): one row a section."""
    marks: pl.DataFrame
    """section, index, kind, text, line, column: annotations, each with the place in `codes` it belongs to."""
    unknown: pl.DataFrame
    """section, text, line, column: words that are neither calls, cards nor annotations."""


class _Tokens(NamedTuple):
    """Tokens as arrays of equal length: section, code, and place in the section's text."""

    section: Places
    code: Codes
    start: Places
    length: Places

    @classmethod
    def of(cls, rows: list[tuple[int, int, int, int]]) -> "_Tokens":
        """Make arrays of rows."""
        section, code, start, length = np.array(rows, dtype=np.int64).reshape(-1, 4).T
        return cls(section, code.astype(np.uint8), start, length)

    def where(self, chosen: Mask | Places) -> "_Tokens":
        return _Tokens(self.section[chosen], self.code[chosen], self.start[chosen], self.length[chosen])

    def join(self, others: "_Tokens") -> "_Tokens":
        """Put other tokens between these, each in its place."""
        if not len(others.code):
            return self
        both = _Tokens(
            np.concatenate([self.section, others.section]),
            np.concatenate([self.code, others.code]),
            np.concatenate([self.start, others.start]),
            np.concatenate([self.length, others.length]),
        )
        return both.where(np.lexsort((both.start, both.section)))


def read_auctions(sections: pl.DataFrame, dialect: Dialect = ENGLISH) -> Bodies:
    """Read Auction sections: codes of `bridge.calls`, `AP` spelled out, 255 for a skipped player and an unknown word.

    Args:
        sections: `Games.sections` of that name: `line`, `column`, `text`, `mixed`.
        dialect: what the words mean.
    """
    return _read(sections, "auction", dialect)


def read_plays(sections: pl.DataFrame, dialect: Dialect = ENGLISH) -> Bodies:
    """Read Play sections: codes of `bridge.cards` in the order of the rows, 255 for `-`, `+` and an unknown word."""
    texts = sections["text"].to_list()
    if not texts:
        return _read(sections, "play", dialect)
    regular, in_columns = _cards_in_columns(texts, dialect)
    if regular.all():
        return Bodies(in_columns, _NO_MARKS, _NO_WORDS)
    rest = np.flatnonzero(~regular)
    others = _read(sections[rest], "play", dialect)
    number = pl.Series(rest)[others.entries["section"]].alias("section")
    entries = pl.concat([in_columns, others.entries.with_columns(number)]).sort("section")
    marks, unknown = (
        frame.with_columns(pl.Series("section", rest[frame["section"].to_numpy()]))
        for frame in (others.marks, others.unknown)
    )
    return Bodies(entries, marks, unknown)


# Two texts, `SK H3 - \nS3 *` and `SA SQ`, and their cells of three bytes (`_` for a blank):
#
#     cell    SK_  H3_  -__  S3_  *__  |  SA_  SQ_
#     code    50   27   -    40   end  |  51   49     looked up by the first two bytes
#     sound   yes  yes  yes  yes  yes  |  yes  yes    a blank at the end, a card or `-` before it
#     last    .    .    .    .    x    |  .    x
#     entry   50   27   255  40   .    |  51   49     all but a `*` in the last cell
#
# A text is regular when all its cells are sound; `SK  H3` is not, for its second cell is `_H3`.
def _cards_in_columns(texts: list[str], dialect: Dialect) -> tuple[Mask, pl.DataFrame]:
    """Read the texts that most programs write: each card is followed by one blank, each `-` by two.

    Returns:
        Which texts have this form, and their `Bodies.entries`. A `*` may end them.
    """
    size = np.array([(len(text) + 2) // 3 for text in texts], dtype=np.int64)
    filled = "".join([text + " " * (-len(text) % 3) for text in texts])
    cells = np.frombuffer(filled.encode("ascii", "replace"), dtype=np.uint8).reshape(-1, 3)
    blank = _IS_BLANK[cells]
    code = _of_pairs(cells[:, 0], np.where(blank[:, 1], 0, cells[:, 1]), "play", dialect)
    missing = code == _MISSING
    last = np.cumsum(size) - 1
    ended = code[last] == _END
    is_entry = np.ones(len(code), dtype=np.bool_)
    is_entry[last[ended]] = False
    sound = blank[:, 2] & (cells[:, 1] > 0) & ((code < len(CARDS)) | missing | ~is_entry)
    code[missing] = UNKNOWN
    regular = np.logical_and.reduceat(sound, last + 1 - size)
    codes = code[is_entry & np.repeat(regular, size)]
    entries = pl.DataFrame(
        {
            "section": np.flatnonzero(regular),
            "codes": _lists(codes, (size - ended)[regular]),
            "padding": np.zeros(int(regular.sum()), dtype=np.int64),
            "end": _END_SIGN.gather(pl.Series(code[last[regular]])),
        }
    )
    return regular, entries


def _read(sections: pl.DataFrame, part: Part, dialect: Dialect) -> Bodies:
    texts = sections["text"].to_list()
    plain, remarks = _blank_remarks(texts, sections["mixed"])
    found = _quick_tokens(plain, part, dialect).join(remarks)
    odd = sorted({*np.unique(found.section[found.code == UNKNOWN]).tolist(), *_list_odd(plain)})
    return _assemble(_with_fine(found, odd, texts, part, dialect) if odd else found, sections, texts)


def _list_odd(texts: list[str]) -> Iterator[int]:
    """Yield the bodies that hold more than ASCII. The tables of words are made of bytes that are not zero."""
    return (number for number, text in enumerate(texts) if not text.isascii() or "\0" in text)


def _blank_remarks(texts: list[str], mixed: pl.Series) -> tuple[list[str], "_Tokens"]:
    """Overwrite comments and escape lines with blanks; return the texts, and what was overwritten."""
    plain, rows, pattern = list(texts), [], matcher("REMARK")
    for number in mixed.arg_true():
        rows += [(number, _REMARK, remark.start(), len(remark[0])) for remark in pattern.finditer(texts[number])]
        plain[number] = pattern.sub(lambda remark: " " * len(remark[0]), texts[number])
    return plain, _Tokens.of(rows)


# Two texts, `1C =1= Pass` and `2d AP`, joined with a line end after each:
#
#     buffer   1 C _ = 1 = _ P a s s n 2 d _ A P n     (`_` a blank, `n` a line end)
#     start    0     3       7         12    15        where a blank is followed by another byte
#     length   2     3       4         2     2
#     section  0     0       0         1     1
#     code     1C    note    Pass      2D    AP        from `_look_up`
def _quick_tokens(texts: list[str], part: Part, dialect: Dialect) -> _Tokens:
    """Cut texts at their blanks and look every word up, all at once; an unknown word gets `UNKNOWN`."""
    buffer = np.frombuffer(("\n".join(texts) + "\n").encode("ascii", "replace"), dtype=np.uint8)
    blank = _IS_BLANK[buffer]
    edge = np.diff(blank.astype(np.int8), prepend=np.int8(1))
    start = np.flatnonzero(edge == -1)
    length = np.flatnonzero(edge == 1) - start
    sizes = np.array([len(text) + 1 for text in texts], dtype=np.int64)
    origin = np.cumsum(sizes) - sizes
    words_before = np.searchsorted(start, origin)
    section = np.repeat(np.arange(len(texts)), np.diff(np.append(words_before, len(start))))
    code = _look_up(buffer, start, length, part, dialect)
    return _Tokens(section, code, start - origin[section], length)


def _look_up(buffer: Codes, start: Places, length: Places, part: Part, dialect: Dialect) -> Codes:
    """Return the code of each word by its bytes, small letters as capitals.

    Words of one or two letters, nearly all of them, are looked up in a table of all pairs of bytes; longer ones by
    their first eight bytes, packed into one number.
    """
    second = np.where(length > 1, buffer[np.minimum(start + 1, len(buffer) - 1)], 0)
    code = _of_pairs(buffer[start], second, part, dialect)
    longer = length > 2
    code[longer] = _look_up_long(buffer, start[longer], length[longer], part, dialect)
    return code


def _of_pairs(first: Codes, second: Codes, part: Part, dialect: Dialect) -> Codes:
    """Look up words of two letters, and of one before a zero byte; all others get `UNKNOWN`."""
    code: Codes = _pairs(part, dialect).take(first.astype(np.uint16) << 8 | second)
    return code


@cache
def _pairs(part: Part, dialect: Dialect) -> Codes:
    """Make the table of all pairs of bytes."""
    table = np.full((256, 256), UNKNOWN, dtype=np.uint8)
    for word, meaning in _words(part, dialect).items():
        if not word.isascii():
            continue
        for form in {word, word.lower(), word[:1] + word[1:].lower(), word[:1].lower() + word[1:]}:
            if len(form) <= 2:
                table[ord(form[0]), ord(form[1]) if len(form) == 2 else 0] = meaning
    return table


def _look_up_long(buffer: Codes, start: Places, length: Places, part: Part, dialect: Dialect) -> Codes:
    known = {
        word: code for word, code in _words(part, dialect).items() if word.isascii() and len(word) <= _LONGEST_WORD
    }
    longest = max(map(len, known))
    packed = np.zeros(len(start), dtype=np.uint64)
    for offset in range(longest):
        byte = np.where(length > offset, buffer[np.minimum(start + offset, len(buffer) - 1)], 0)
        byte = np.where((byte >= ord("a")) & (byte <= ord("z")), byte - 32, byte)
        packed |= byte.astype(np.uint64) << np.uint64(8 * offset)
    keys = np.array([int.from_bytes(word.encode(), "little") for word in known], dtype=np.uint64)
    values = np.array(list(known.values()), dtype=np.uint8)
    order = keys.argsort()
    at: Places = np.minimum(np.searchsorted(keys[order], packed), len(keys) - 1)
    code: Codes = values[order][at]
    code[(keys[order][at] != packed) | (length > longest)] = UNKNOWN
    return code


def _with_fine(found: _Tokens, fine: list[int], texts: list[str], part: Part, dialect: Dialect) -> _Tokens:
    """Replace the tokens of some sections by those of the grammar; each distinct text is read once."""
    read: dict[str, list[tuple[int, int, int]]] = {}
    rows: list[tuple[int, int, int, int]] = []
    for number in fine:
        text = texts[number]
        if text not in read:
            read[text] = _fine_tokens(text, part, dialect)
        rows.extend((number, *row) for row in read[text])
    return found.where(~np.isin(found.section, fine)).join(_Tokens.of(rows))


def _fine_tokens(text: str, part: Part, dialect: Dialect) -> list[tuple[int, int, int]]:
    """Cut one section by the grammar: code, place and length. Text beyond any section's length is one odd word."""
    known = _words(part, dialect)
    read = [
        (_code(token, known), token.start_pos or 0, len(token))
        for token in tokens(text[:MOST_FINE], part, dialect=dialect)
    ]
    return [*read, (UNKNOWN, MOST_FINE, _SHOWN)] if len(text) > MOST_FINE else read


def _code(token: "Token", known: dict[str, int]) -> int:
    """Return the code of a token: `*` alerts in one place and ends a section in another."""
    return _ALERT if token.type == "ALERT" else known.get(token.upper(), _FINE.get(token.type, UNKNOWN))


# The auction `- - 1C =1= AP`, its seats before the dealer filled with `-`:
#
#     token        -        -        1C   =1=   AP
#     leading      yes      yes      .    .     .
#     takes_place  no       no       yes  no    yes    annotations take none
#     times        0        0        1    0     3      three passes follow a bid
#     place        0        0        0    1     1      entries of the section before the token
#     codes                          1C         Pass Pass Pass
#
# `padding` is 2, and the note belongs to entry 0, the one before its place.
def _assemble(found: _Tokens, sections: pl.DataFrame, texts: list[str]) -> Bodies:
    first = np.searchsorted(found.section, np.arange(len(texts)))
    leading = _leading_padding(found, first)
    takes_place = _TAKES_PLACE[found.code] & ~leading
    times = takes_place.astype(np.int64)
    times[takes_place] = _times(found.section[takes_place], found.code[takes_place])
    size = np.bincount(found.section, weights=times, minlength=len(texts)).astype(np.int64)
    closing = found.where(_IS_END[found.code])
    end = np.zeros(len(texts), dtype=np.uint8)
    end[closing.section] = closing.code
    entries = pl.DataFrame(
        {
            "section": np.arange(len(texts)),
            "codes": _lists(np.repeat(_ENTRY[found.code], times), size),
            "padding": np.bincount(found.section[leading], minlength=len(texts)),
            "end": _END_SIGN.gather(pl.Series(end)),
        }
    )
    before = np.cumsum(times) - times
    place = before - before[np.minimum(first, len(before) - 1)][found.section] if len(before) else before
    odd = (found.code == UNKNOWN) | ((found.code == _PADDING) & ~leading)
    return Bodies(entries, _marks(found, place, sections, texts), _placed(found.where(odd), sections, texts))


def _lists(codes: Codes, size: Places) -> pl.Series:
    """Cut codes into lists of the given sizes.

    Sizes 2 and 3 put `1C Pass 1S X Pass` into a matrix of two rows, `1C Pass .` and `1S X Pass`; the rows become lists
    of those sizes. A matrix that would be much larger than the codes is not made; they are grouped instead.
    """
    width = int(size.max(initial=0))
    if width * len(size) > _MOST_FILLING * max(len(codes), 1):
        owner = np.repeat(np.arange(len(size)), size)
        grouped = pl.DataFrame({"owner": owner, "codes": codes}).group_by("owner", maintain_order=True).agg("codes")
        every = pl.DataFrame({"owner": np.arange(len(size))})
        listed = every.join(grouped, on="owner", how="left", maintain_order="left")["codes"]
        return listed.fill_null([])
    matrix = np.zeros((len(size), width), dtype=np.uint8)
    matrix[np.arange(width) < size[:, None]] = codes
    rows = pl.DataFrame({"row": pl.Series(matrix, dtype=pl.Array(pl.UInt8, width)), "size": size})
    return rows.select(pl.col("row").arr.to_list().list.head("size"))["row"]


def _leading_padding(found: _Tokens, first: Places) -> Mask:
    """Mark each `-` before the first call of an auction: seats before the dealer's (3.5)."""
    dash: Mask = found.code == _PADDING
    if not dash.any():
        return dash
    call = ~dash & _TAKES_PLACE[found.code]
    before: Places = np.cumsum(call, dtype=np.int64) - call.astype(np.int64)
    leading: Mask = dash & (before == before[first[found.section]])
    return leading


def _times(section: Places, code: Codes) -> Places:
    """Count the calls of each entry: `AP` is three after a bid and four at the start, less the passes before it.

    In `1C Pass AP` it is two: `trailing` counts the one pass before it, and `opened` is true, since more entries than
    these passes stand before it.
    """
    times = np.ones(len(code), dtype=np.int64)
    at = np.flatnonzero(code == _ALL_PASS)
    if not len(at):
        return times
    trailing = np.zeros(len(at), dtype=np.int64)
    unbroken = np.ones(len(at), dtype=np.bool_)
    for back in (1, 2, 3):
        previous = np.maximum(at - back, 0)
        unbroken &= (at >= back) & (section[previous] == section[at]) & (code[previous] == PASS)
        trailing += unbroken
    opened = at - np.searchsorted(section, section[at]) > trailing
    times[at] = np.maximum(np.where(opened, 3, 4) - trailing, 0)
    return times


def _marks(found: _Tokens, place: Places, sections: pl.DataFrame, texts: list[str]) -> pl.DataFrame:
    """List annotations: an irregularity belongs to the entry after it, all others to the one before (3.5.1, 3.9).

    A comment before the first entry has no index.
    """
    mask = _IS_MARK[found.code]
    if not mask.any():
        return _NO_MARKS
    kinds = found.code[mask]
    ahead = (kinds == _IRREGULARITY) | (kinds == _SKIPPED)
    index = place[mask] - ~ahead
    comment = pl.col("kind") == "comment"
    return (
        _placed(found.where(mask), sections, texts)
        .with_columns(
            pl.Series("index", index), pl.Series("kind", [_MARKS[code] for code in kinds.tolist()], dtype=pl.String)
        )
        .with_columns(
            pl.when(pl.col("index") >= 0)
            .then("index")
            .otherwise(pl.when(~comment).then(0))
            .cast(pl.UInt32)
            .alias("index"),
            pl.when(comment).then("text").otherwise(pl.col("text").str.strip_chars("=$^")).alias("text"),
        )
    )


def _placed(found: _Tokens, sections: pl.DataFrame, texts: list[str]) -> pl.DataFrame:
    """Return each token's text, line and column in the file."""
    if not len(found.code):
        return _NO_WORDS
    lines, columns = sections["line"].to_list(), sections["column"].to_list()
    rows = []
    before, at, breaks = -1, 0, 0
    for section, start, length in zip(*(a.tolist() for a in (found.section, found.start, found.length)), strict=True):
        text = texts[section]
        if section != before:
            before, at, breaks = section, 0, 0
        breaks += text.count("\n", at, start)
        at = start
        column = start - text.rfind("\n", 0, start) if breaks else columns[section] + start
        rows.append((section, text[start : start + length], lines[section] + breaks, column))
    return pl.DataFrame(rows, schema=_NO_WORDS.schema, orient="row")
