"""Section text to calls and cards: the bodies of Auction (PBN 3.5) and Play (PBN 3.6).

All sections of a file are cut into tokens at once, as arrays over their bytes. A section that holds anything but tokens
between blanks (comments, glued marks, words) goes through the grammar's `auction` or `play` instead. Both ways end in
the same token arrays, so what a token means is said once, in `_assemble`.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
import polars as pl

from overtrick.bridge.calls import CALLS, DOUBLE, PASS, REDOUBLE
from overtrick.bridge.cards import CARDS, UNKNOWN
from overtrick.grammar import tokens

# Codes of tokens that are no call and no card; those below _FIRST_MARK take a place in the sequence.
_ALL_PASS: Final = 200
_PADDING: Final = 201
_MISSING: Final = 202
_NEXT: Final = 203
_SKIPPED: Final = 204
_FIRST_MARK: Final = 210
_END: Final = 210
_CONTINUE: Final = 211
_NOTE: Final = 212
_NAG: Final = 213
_SUFFIX: Final = 214
_IRREGULARITY: Final = 215
_REMARK: Final = 216

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
}
_FINE: Final = {
    "ALL_PASS": _ALL_PASS,
    "END": _END,
    "NOTE": _NOTE,
    "NAG": _NAG,
    "SUFFIX": _SUFFIX,
    "IRREGULARITY": _IRREGULARITY,
    "REMARK": _REMARK,
}

_NOTES: Final = {f"={index}=": _NOTE for index in range(1, 33)}
_CALL_WORDS: Final = {
    **_NOTES,
    **{name.upper(): code for code, name in enumerate(CALLS)},
    **{f"{level}N": CALLS.index(f"{level}NT") for level in range(1, 8)},
    "P": PASS,
    "D": DOUBLE,
    "DBL": DOUBLE,
    "R": REDOUBLE,
    "RDBL": REDOUBLE,
    "AP": _ALL_PASS,
    "-": _PADDING,
    "*": _END,
    "+": _CONTINUE,
    "^S": _SKIPPED,
}
_CARD_WORDS: Final = {
    **_NOTES,
    **{name: code for code, name in enumerate(CARDS)},
    **{f"{suit}10": CARDS.index(f"{suit}T") for suit in "SHDC"},
    "-": _MISSING,
    "*": _END,
    "+": _NEXT,
}

Codes = npt.NDArray[np.uint8]
Places = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


_MOST_FINE: Final = 1 << 18
"""Characters of a section that go through the grammar, which takes a thousand times as long as the arrays."""
_SHOWN: Final = 60

_ALL_CODES: Final = np.arange(256)
_MOST_FILLING: Final = 8
"""A matrix of sections may be this many times what they hold; one huge section among many small ones is more."""

_IS_END: Final[Mask] = np.isin(_ALL_CODES, list(_ENDS))
_IS_MARK: Final[Mask] = np.isin(_ALL_CODES, list(_MARKS))
_IS_BLANK: Final[Mask] = np.isin(_ALL_CODES, [ord(character) for character in " \t\f\v\n"])
"""By byte: what the grammar calls a blank."""
_TAKES_PLACE: Final[Mask] = (_ALL_CODES < _FIRST_MARK) | (_ALL_CODES == UNKNOWN)
_ENTRY: Final = np.where(_ALL_CODES < _ALL_PASS, _ALL_CODES, np.where(_ALL_CODES == _ALL_PASS, PASS, UNKNOWN)).astype(
    np.uint8
)
"""By code: what kind of token it is, and the entry that it makes in the sequence."""


_NO_WORDS: Final = pl.DataFrame(schema={"section": pl.Int64, "text": pl.String, "line": pl.UInt32, "column": pl.UInt32})
_NO_MARKS: Final = _NO_WORDS.with_columns(index=pl.lit(None, pl.UInt32), kind=pl.lit(None, pl.String))
"""`Bodies.unknown` and `Bodies.marks` where there are none."""


@dataclass(frozen=True)
class Bodies:
    """The bodies of one kind of section."""

    entries: pl.DataFrame
    """section, codes (List of UInt8), padding (`-` before the first), end (`*`, `+` or null): one row a section."""
    marks: pl.DataFrame
    """section, index, kind, text, line, column: annotations, each with the place in `codes` it belongs to."""
    unknown: pl.DataFrame
    """section, text, line, column: words that are neither."""


@dataclass(frozen=True)
class _Tokens:
    """Tokens as arrays of equal length: the section, the code, and the place in the section's text."""

    section: Places
    code: Codes
    start: Places
    length: Places

    def where(self, mask: Mask) -> "_Tokens":
        return _Tokens(self.section[mask], self.code[mask], self.start[mask], self.length[mask])


def auctions(sections: pl.DataFrame, *, shortcut: bool = True) -> Bodies:
    """Read Auction sections: codes of `bridge.calls`, `AP` spelled out, 255 for a skipped player and for no call.

    Args:
        sections: `Games.sections` of that name: `line`, `column`, `text`, `mixed`.
        shortcut: false sends every section through the grammar; the result is the same.
    """
    return _read(sections, "auction", _CALL_WORDS, shortcut=shortcut)


def plays(sections: pl.DataFrame, *, shortcut: bool = True) -> Bodies:
    """Read Play sections: codes of `bridge.cards` in the order of the rows, 255 for `-`, `+` and no card."""
    texts = sections["text"].to_list()
    if not shortcut or not texts:
        return _read(sections, "play", _CARD_WORDS, shortcut=shortcut)
    regular, in_columns = _cards_in_columns(texts)
    if regular.all():
        return Bodies(in_columns, _NO_MARKS, _NO_WORDS)
    rest = np.flatnonzero(~regular)
    others = _read(sections[rest], "play", _CARD_WORDS, shortcut=shortcut)
    number = pl.Series(rest)[others.entries["section"]].alias("section")
    entries = pl.concat([in_columns, others.entries.with_columns(number)]).sort("section")
    marks, unknown = (
        frame.with_columns(pl.Series("section", rest[frame["section"].to_numpy()]))
        for frame in (others.marks, others.unknown)
    )
    return Bodies(entries, marks, unknown)


def _cards_in_columns(texts: list[str]) -> tuple[Mask, pl.DataFrame]:
    """Read the texts in which each card, or `-` and a blank, is followed by one blank, as most programs write them.

    Returns:
        Which texts are so, and their `Bodies.entries`. A `*` may end them.
    """
    size = np.array([(len(text) + 2) // 3 for text in texts], dtype=np.int64)
    filled = "".join([text + " " * (-len(text) % 3) for text in texts])
    cells = np.frombuffer(filled.encode("ascii", "replace"), dtype=np.uint8).reshape(-1, 3)
    blank = _IS_BLANK[cells]
    code = _of_pairs(cells[:, 0], np.where(blank[:, 1], 0, cells[:, 1]), _CARD_WORDS)
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


def _read(sections: pl.DataFrame, start: str, words: dict[str, int], *, shortcut: bool) -> Bodies:
    texts = sections["text"].to_list()
    # The tables of words are made of bytes that are not zero.
    fine = [
        not shortcut or mixed or not text.isascii() or "\0" in text
        for text, mixed in zip(texts, sections["mixed"], strict=True)
    ]
    quick = _quick_tokens(["" if skip else text for text, skip in zip(texts, fine, strict=True)], words)
    fine_set = {i for i, skip in enumerate(fine) if skip} | set(
        np.unique(quick.section[quick.code == UNKNOWN]).tolist()
    )
    found = quick if not fine_set else _with_fine(quick, sorted(fine_set), texts, start, words)
    return _assemble(found, sections, texts)


def _quick_tokens(texts: list[str], words: dict[str, int]) -> _Tokens:
    """Cut texts at their blanks and look every word up, all at once; a word that is not known gets `UNKNOWN`."""
    buffer = np.frombuffer(("\n".join(texts) + "\n").encode("ascii"), dtype=np.uint8)
    blank = _IS_BLANK[buffer]
    edge = np.diff(blank.astype(np.int8), prepend=np.int8(1))
    start = np.flatnonzero(edge == -1)
    length = np.flatnonzero(edge == 1) - start
    sizes = np.array([len(text) + 1 for text in texts], dtype=np.int64)
    origin = np.cumsum(sizes) - sizes
    words_before = np.searchsorted(start, origin)
    section = np.repeat(np.arange(len(texts)), np.diff(np.append(words_before, len(start))))
    code = _look_up(buffer, start, length, words)
    return _Tokens(section, code, start - origin[section], length)


def _look_up(buffer: Codes, start: Places, length: Places, words: dict[str, int]) -> Codes:
    """Find the code of each word by its bytes, small letters as capitals.

    Words of one or two letters, nearly all of them, are one look-up in a table of all pairs of bytes; longer ones are
    found by their first four bytes packed into one number.
    """
    second = np.where(length > 1, buffer[np.minimum(start + 1, len(buffer) - 1)], 0)
    code = _of_pairs(buffer[start], second, words)
    longer = length > 2
    code[longer] = _look_up_long(buffer, start[longer], length[longer], words)
    return code


def _of_pairs(first: Codes, second: Codes, words: dict[str, int]) -> Codes:
    """Look up words of two letters, and of one before a zero byte; what is none gets `UNKNOWN`."""
    code: Codes = _pairs(words).take(first.astype(np.uint16) << 8 | second)
    return code


def _pairs(words: dict[str, int]) -> Codes:
    """Make the table of all pairs of bytes."""
    table = np.full((256, 256), UNKNOWN, dtype=np.uint8)
    for word, meaning in words.items():
        for form in {word, word.lower(), word[:1] + word[1:].lower(), word[:1].lower() + word[1:]}:
            if len(form) <= 2:
                table[ord(form[0]), ord(form[1]) if len(form) == 2 else 0] = meaning
    return table


def _look_up_long(buffer: Codes, start: Places, length: Places, words: dict[str, int]) -> Codes:
    packed = np.zeros(len(start), dtype=np.uint32)
    for offset in range(4):
        byte = np.where(length > offset, buffer[np.minimum(start + offset, len(buffer) - 1)], 0)
        byte = np.where((byte >= ord("a")) & (byte <= ord("z")), byte - 32, byte)
        packed |= byte.astype(np.uint32) << np.uint32(8 * offset)
    keys = np.array([int.from_bytes(word.encode(), "little") for word in words], dtype=np.uint32)
    values = np.array(list(words.values()), dtype=np.uint8)
    order = keys.argsort()
    at: Places = np.minimum(np.searchsorted(keys[order], packed), len(keys) - 1)
    code: Codes = values[order][at]
    code[(keys[order][at] != packed) | (length > 4)] = UNKNOWN
    return code


def _with_fine(quick: _Tokens, fine: list[int], texts: list[str], start: str, words: dict[str, int]) -> _Tokens:
    """Replace the tokens of some sections by those of the grammar, each distinct text read once."""
    read: dict[str, list[tuple[int, int, int]]] = {}
    rows: list[tuple[int, int, int, int]] = []
    for number in fine:
        text = texts[number]
        if text not in read:
            read[text] = _fine_tokens(text, start, words)
        rows.extend((number, *row) for row in read[text])
    extra = np.array(rows, dtype=np.int64).reshape(-1, 4)
    kept = quick.where(~np.isin(quick.section, fine))
    section = np.concatenate([kept.section, extra[:, 0]])
    order = section.argsort(kind="stable")
    return _Tokens(
        section[order],
        np.concatenate([kept.code, extra[:, 1].astype(np.uint8)])[order],
        np.concatenate([kept.start, extra[:, 2]])[order],
        np.concatenate([kept.length, extra[:, 3]])[order],
    )


def _fine_tokens(text: str, start: str, words: dict[str, int]) -> list[tuple[int, int, int]]:
    """Cut one section by the grammar: code, place and length. What no section is long enough for is one odd word."""
    read = [(_fine_code(t.type, t, words), t.start_pos or 0, len(t)) for t in tokens(text[:_MOST_FINE], start)]
    return [*read, (UNKNOWN, _MOST_FINE, _SHOWN)] if len(text) > _MOST_FINE else read


def _fine_code(kind: str, text: str, words: dict[str, int]) -> int:
    return words.get(text.upper(), _FINE.get(kind, UNKNOWN))


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
    """Cut codes into lists of the given sizes, by way of a matrix where that is not much larger than they are."""
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
    """Mark each `-` before the first call of an auction: the seats before the dealer (3.5)."""
    dash: Mask = found.code == _PADDING
    if not dash.any():
        return dash
    call = ~dash & _TAKES_PLACE[found.code]
    before: Places = np.cumsum(call, dtype=np.int64) - call.astype(np.int64)
    leading: Mask = dash & (before == before[first[found.section]])
    return leading


def _times(section: Places, code: Codes) -> Places:
    """Count the calls that each entry stands for: `AP` three after a bid, four at the start, less passes before it."""
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

    A comment may stand before the first entry and has no index then.
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
            pl.Series("index", index),
            pl.Series("kind", [_MARKS[code] for code in kinds.tolist()], dtype=pl.String),
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
    """Give each token its text, line and column in the file."""
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
