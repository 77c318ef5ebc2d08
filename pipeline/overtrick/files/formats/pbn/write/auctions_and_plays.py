"""The sections Auction and Play in export form: four entries a line, with their annotations (PBN 3.5 to 3.9).

The sections of all games are written at once. A section is a run of pieces: words, marks and comments. Pieces are rows
of a frame, ordered by the `row` and `place` of their word and by their `turn` at it.
"""

import re
import unicodedata
from collections.abc import Callable
from enum import IntEnum
from typing import Final

import numpy as np
import numpy.typing as npt
import polars as pl

from overtrick.core.bridge.auction import CALLS, PASS
from overtrick.core.bridge.cards import CARDS, SEATS, UNKNOWN, owners
from overtrick.core.frames import Session
from overtrick.files.formats.base import put_in

LINE_LIMIT: Final = 253
"""Characters of a line without its end: 255 with the two of that (2.3)."""

FOREIGN: Final = r"[^\n -~\x{a0}-\x{ff}]"
"""A character that export form cannot hold: beyond ISO 8859-1, or one of its controls (2.2)."""

_TO_ESCAPE: Final = re.compile(r'"|\\(?=["\\]|\Z)')
_SPELLED: Final = str.maketrans(
    {
        **dict.fromkeys("\t\v\f", " "),
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033", "''"),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
        **dict(zip("♠♥♦♣♤♡♢♧", "SHDCSHDC", strict=True)),
        **dict(zip("łŁđĐıħĦŋŊŧŦ", "lLdDihHnNtT", strict=True)),
        "œ": "oe",
        "Œ": "OE",
        "€": "EUR",
        "•": "\xb7",
        "\ufeff": "",
    }
)


def map_texts(texts: pl.Series, pattern: str, change: Callable[[str], str]) -> pl.Series:
    """Change the texts that match `pattern`, each distinct one once; the others stay."""
    distinct = texts.filter(texts.str.contains(pattern)).unique()
    if distinct.is_empty():
        return texts
    return texts.replace(distinct, pl.Series([change(text) for text in distinct.to_list()], dtype=pl.String))


def escape(value: str) -> str:
    r"""Return the value of a tag as it is between quotes: `\"` for a quote."""
    return _TO_ESCAPE.sub(r"\\\g<0>", value)


def write_tags(names: pl.Series, values: pl.Series) -> pl.Series:
    r"""Write tags: `[Name "value"]`, with `\"` for a quote; a backslash is doubled where it would escape something."""
    escaped = map_texts(values, r'["\\]', escape)
    return pl.select(pl.format('[{} "{}"]', names, escaped)).to_series()


def respell(text: str) -> str:
    """Write a text in the characters of ISO 8859-1: `Kovář` as `Kovár`, one without a near letter as `U+4E2D`."""
    return "".join(char if _fits(char) else _near(char) for char in text.translate(_SPELLED))


def _fits(char: str) -> bool:
    return char == "\n" or " " <= char <= "~" or "\xa0" <= char <= "\xff"


def _near(char: str) -> str:
    if unicodedata.category(char) in {"Cc", "Cf", "Cs", "Mn"}:
        return ""
    near = "".join(part for part in unicodedata.normalize("NFKD", char) if _fits(part))
    return near or f"U+{ord(char):04X}"


def wrap(comment: str) -> str:
    """Break the long lines of a comment at blanks (2.3); a `;` comment continues as another one."""
    lead = "; " if comment.startswith(";") else ""
    lines = comment.split("\n")
    return "\n".join(piece for line in lines for piece in _broken(line, lead))


def _broken(line: str, lead: str) -> list[str]:
    pieces = []
    while len(line) > LINE_LIMIT:
        # Where a brace is never closed, the comment ends before a line that begins with a bracket.
        blanks = (match.start() for match in re.finditer(r"(?<=\S) (?![\[ ])", line[: LINE_LIMIT + 2]))
        at = max((blank for blank in blanks if len(lead) < blank <= LINE_LIMIT), default=0)
        if not at:
            break
        pieces.append(line[:at])
        line = lead + line[at + 1 :]
    return [*pieces, line]


_TRICKS: Final = 13
_COLUMNS: Final = np.arange(len(SEATS))

Codes = npt.NDArray[np.uint8]
Seats = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

_SUFFIXES: Final = ("!", "?", "!!", "??", "!?", "?!")
"""In the order of their NAGs: $1 to $6 for a call, $7 to $12 for a card (3.7)."""

_NO_SECTIONS: Final = pl.DataFrame(
    schema={"record": pl.UInt32, **dict.fromkeys(("name", "value", "text", "fault"), pl.String)}
)

_ORDER: Final = ("record", "row", "place", "turn", "size", "text_order", "order")


class _Turn(IntEnum):
    IRREGULARITY = 0
    WORD = 1
    NOTE = 2
    NAG = 3
    COMMENT = 4
    BEFORE_NOTHING = 5
    """An irregularity after the last word, which it does not belong to."""


_TURNS: Final = {
    "irregularity": _Turn.IRREGULARITY,
    "note": _Turn.NOTE,
    "nag": _Turn.NAG,
    "suffix": _Turn.NAG,
    "comment": _Turn.COMMENT,
    "alert": _Turn.COMMENT,
}


def write_auctions(session: Session, stated: pl.DataFrame, written: pl.DataFrame) -> pl.DataFrame:
    """Write auctions from the dealer on, `AP` spelled out (3.5).

    Args:
        session: its records and annotations.
        stated: record, text: the value of each Auction tag.
        written: record, text: the sections as they were, for those with unknown words.

    Returns:
        One row an auction: record, name, value (of the tag), text, and fault: why it had to stay as it was.
    """
    games = _games(session, stated, written, "call-unknown")
    if games.is_empty():
        return _NO_SECTIONS
    calls = games.filter(pl.col("kept").is_null()).explode("calls", empty_as_null=False, keep_nulls=False)
    index = pl.int_range(pl.len(), dtype=pl.Int64).over("record")
    words = calls.select("record", index=index, row=index // 4, place=index % 4, text=_named(calls["calls"], CALLS))
    passes = pl.col("calls").list.tail(3).list.eval(pl.element() == PASS).list.all()
    ended = (pl.col("calls").list.len() >= len(SEATS)) & passes
    end = pl.when(ended.fill_null(value=False)).then(pl.lit("")).otherwise(pl.col("auction_end").fill_null("*"))
    marks = session.annotations.filter(pl.col("part") == "auction")
    texts = _write_texts(words, marks, games.select("record", end=end), first_nag=1)
    begins = pl.col("auction_start").cast(pl.String)
    odd = (begins != pl.col("dealer").cast(pl.String)).fill_null(value=False)
    return games.with_columns(texts).select(
        "record",
        name=pl.lit("Auction"),
        value=pl.when(pl.col("kept").is_null()).then(begins.fill_null("?")).otherwise("value"),
        text=pl.coalesce("kept", "text"),
        fault=pl.when(pl.col("kept").is_not_null())
        .then(pl.lit("the auction holds words that are not calls"))
        .when(odd)
        .then(pl.lit("the first call is not the dealer's")),
    )


def write_plays(session: Session, stated: pl.DataFrame, written: pl.DataFrame) -> pl.DataFrame:
    """Write plays a trick a line, a column a seat, the opening leader's first (3.6).

    Each card goes to the column of the hand that holds it where the deal shows that, else it stays in its own. A play
    with a `+` for the next card stays as it was. Arguments and result as for `write_auctions`.
    """
    games = _games(session, stated, written, "card-unknown")
    if games.is_empty():
        return _NO_SECTIONS
    left_open = (pl.col("play_end") == "+").fill_null(value=False)
    games = games.with_columns(
        unread=pl.col("kept").is_not_null(), kept=pl.when(left_open).then("written").otherwise("kept")
    )
    declarer, start = (pl.col(name).to_physical().cast(pl.Int64) for name in ("declarer", "play_start"))
    leader = pl.coalesce((declarer + 1) % 4, start)
    games = games.with_columns(leader=leader, first=pl.coalesce(start, leader))
    # A row that is not full is filled with `-`: then the play is not whole, whatever comes before it.
    played = pl.col("cards").list.len()
    rows_full = (played >= _TRICKS * len(SEATS)) & (played % len(SEATS) == 0)
    whole = pl.col("cards").list.eval(pl.element() != UNKNOWN).list.all() & rows_full
    end = pl.when(whole.fill_null(value=False)).then(pl.lit("")).otherwise(pl.lit("*"))
    marks = session.annotations.filter(pl.col("part") == "play")
    texts = _write_texts(_cards(games), marks, games.select("record", end=end), first_nag=1 + len(_SUFFIXES))
    seat = pl.col("leader").replace_strict(dict(enumerate(SEATS)), default="?", return_dtype=pl.String)
    return games.with_columns(texts).select(
        "record",
        name=pl.lit("Play"),
        value=pl.when("unread").then("value").when(left_open).then(pl.col("value").str.to_uppercase()).otherwise(seat),
        text=pl.coalesce("kept", "text"),
        fault=pl.when("unread").then(pl.lit("the play holds words that are not cards")),
    )


def _games(session: Session, stated: pl.DataFrame, written: pl.DataFrame, code: str) -> pl.DataFrame:
    """Return the records with the section, its tag's `value`, its text as `written`, and `kept` where it stays so.

    A section stays as it was where a word in it was not understood.
    """
    odd = session.problems.filter(pl.col("code") == code)["record"].unique()
    tags = stated.select("record", value="text")
    texts = written.select("record", written="text")
    games = session.records.join(tags, on="record", how="inner", maintain_order="left")
    games = games.join(texts, on="record", how="left", maintain_order="left")
    return games.with_columns(kept=pl.when(pl.col("record").is_in(odd.implode())).then("written"))


def _named(code: pl.Series, names: tuple[str, ...]) -> pl.Series:
    return code.replace_strict(list(range(len(names))), list(names), default=None, return_dtype=pl.String)


def _cards(games: pl.DataFrame) -> pl.DataFrame:
    """List the words of plays, `-` for unknown cards and for seats that a last row does not reach."""
    games = games.filter(pl.col("kept").is_null(), pl.col("cards").list.len() > 0)
    sizes = games["cards"].list.len().to_numpy().astype(np.int64)
    tricks = -(-sizes // 4)
    game = np.repeat(np.arange(len(games)), tricks)
    row = np.arange(len(game)) - np.repeat(np.cumsum(tricks) - tricks, tricks)
    in_row = 4 * row[:, None] + _COLUMNS < sizes[game, None]
    code = np.full(in_row.shape, UNKNOWN, dtype=np.uint8)
    code[in_row] = games["cards"].explode().to_numpy()
    first, leader = (games[name].fill_null(0).to_numpy()[game, None] for name in ("first", "leader"))
    seat = _seats(code, in_row, owners(games["deal"])[game], (first + _COLUMNS) % 4)
    columns = pl.DataFrame(
        {
            "record": games["record"].gather(pl.Series(np.repeat(game, 4))),
            "index": pl.Series((4 * row[:, None] + _COLUMNS).ravel()).set(pl.Series(~in_row.ravel()), None),
            "row": np.repeat(row, 4),
            "place": ((seat - leader) % 4).ravel(),
        }
    )
    return columns.with_columns(_named(pl.Series(code.ravel()), CARDS).fill_null("-").alias("text"))


# A row `H3 SA S3 SK` whose columns are those of N E S W, and which the deal gives to E, N, W and S:
#
#     code    H3  SA  S3  SK
#     column  N   E   S   W
#     seats   E   N   W   S      each hand has one card of the row, so all four go there (`sound`)
#
# In `- C8 - -`, C8 being South's: `free` seats are those without a card of the row, N E W in the order of the columns,
# and go to the three `-` in that order. Two cards of one hand in a row, or a card that no hand has, keep the columns.
def _seats(code: Codes, in_row: Mask, holder: Codes, column: Seats) -> Seats:
    """Return the seat of each place of a row: the holder of its card, where each hand has at most one card of the row.

    Args:
        code: (rows, 4) the cards.
        in_row: (rows, 4) the places that were read; the others take the seats that are left.
        holder: (rows, 52) who holds each card, as `owners` returns it.
        column: (rows, 4) the seat of each place's column.
    """
    known = code != UNKNOWN
    holds = np.take_along_axis(holder, np.minimum(code, 51).astype(np.int64), axis=1)
    seats = np.where(known, holds, 0).astype(np.int64)
    bits = np.where(known, 1 << np.minimum(seats, 4), 0)
    taken = np.bitwise_or.reduce(bits, axis=1)
    sound = (taken == bits.sum(axis=1)) & (taken < 1 << 4)
    free = (taken[:, None] >> column) & 1 == 0
    # Free seats, those of places that were read first, go to the places without a card in their order.
    order = np.argsort(np.where(free, np.where(in_row, 0, 1), 2), axis=1, kind="stable")
    spare = np.take_along_axis(column, order, axis=1)
    rank = np.cumsum(~known, axis=1) - 1
    filled = np.where(known, seats, np.take_along_axis(spare, np.maximum(rank, 0), axis=1))
    return np.where(sound[:, None], filled, column)


def _write_texts(words: pl.DataFrame, marks: pl.DataFrame, ends: pl.DataFrame, first_nag: int) -> pl.Series:
    """Write sections, a row of words a line.

    Args:
        words: `record index row place text`: calls or cards; a null text is written as its marks alone.
        marks: `frames.ANNOTATIONS` of this part. Marks after the last word belong to it; marks before the first word,
            or in a section without words, get a line of their own.
        ends: `record end`, a row a section: its last line, empty where the words end it themselves.
        first_nag: the NAG that means `!` here.

    Returns:
        The texts, in the order of `ends`.
    """
    of_words = _pieces(words.drop_nulls("text"), pl.lit(int(_Turn.WORD)), pl.col("text"))
    pieces = pl.concat([of_words, _of_marks(words, marks, first_nag)]).sort(_ORDER, maintain_order=True)
    rows = _with_last_comments_below(pieces, ends).group_by("record", "row", maintain_order=True).agg("text")
    texts = rows.select("record", _lines(rows["text"])).group_by("record", maintain_order=True).agg("text")
    joined = ends.join(texts, on="record", how="left", maintain_order="left")
    body = pl.col("text").list.join("\n").fill_null("")
    gap = pl.when((body != "") & (pl.col("end") != "")).then(pl.lit("\n")).otherwise(pl.lit(""))
    return joined.select((body + gap + pl.col("end")).alias("text"))["text"]


def _pieces(frame: pl.DataFrame, turn: pl.Expr, text: pl.Expr) -> pl.DataFrame:
    nag = turn == int(_Turn.NAG)
    return frame.select(
        "record",
        "row",
        pl.col("place").cast(pl.Int64),
        turn.cast(pl.Int64).alias("turn"),
        text.alias("text"),
        # NAGs are ordered by their numbers, all else as it was written.
        pl.when(nag).then(text.str.len_bytes()).otherwise(0).alias("size"),
        pl.when(nag).then(text).otherwise(pl.lit("")).alias("text_order"),
        pl.int_range(pl.len()).alias("order"),
    )


def _of_marks(words: pl.DataFrame, marks: pl.DataFrame, first_nag: int) -> pl.DataFrame:
    """Place marks at their words; suffixes become NAGs, and no NAG is repeated."""
    last = words.group_by("record").agg(pl.col("index").max().alias("last"))
    of_part = marks.filter(pl.col("kind").is_in(list(_TURNS))).join(
        last, on="record", how="left", maintain_order="left"
    )
    index = pl.when(pl.col("last").is_not_null()).then(pl.col("index").cast(pl.Int64))
    placed = (
        of_part.sort("record", "index", nulls_last=False, maintain_order=True)
        .rename({"text": "written"})
        .with_columns(after=(index > pl.col("last")).fill_null(value=False), index=index.clip(upper_bound="last"))
        .join(
            words.select("record", "index", "row", "place"), on=["record", "index"], how="left", maintain_order="left"
        )
    )
    number = pl.int_range(pl.len(), dtype=pl.Int64)
    placed = placed.with_columns(pl.coalesce("row", number - len(placed)), pl.col("place").fill_null(0))
    turn = pl.col("kind").replace_strict(_TURNS, return_dtype=pl.Int64)
    lone = (turn == int(_Turn.IRREGULARITY)) & pl.col("after")
    turn = pl.when(lone).then(int(_Turn.BEFORE_NOTHING)).otherwise(turn)
    pieces = _pieces(placed, turn, _written(first_nag))
    is_nag = pl.col("turn") == int(_Turn.NAG)
    return pieces.filter(~is_nag | pl.struct("record", "row", "place", "turn", "text").is_first_distinct())


def _written(first_nag: int) -> pl.Expr:
    kind, text = pl.col("kind"), pl.col("written")
    nags = {suffix: str(first_nag + place) for place, suffix in enumerate(_SUFFIXES)}
    return (
        pl.when(kind == "irregularity")
        .then("^" + text)
        .when(kind == "note")
        .then("=" + pl.col("reference") + "=")
        .when(kind == "nag")
        .then("$" + text)
        .when(kind == "suffix")
        .then("$" + text.str.slice(0, 2).replace(nags))
        .when(kind == "alert")
        .then("{" + text + "}")
        .otherwise(text)
    )


def _with_last_comments_below(pieces: pl.DataFrame, ends: pl.DataFrame) -> pl.DataFrame:
    """Move comments after the last word to lines of their own, in a section that its words end.

    There nobody can take them for comments on that word.
    """
    closed = ends.filter(pl.col("end") == "")["record"]
    backward = pl.int_range(pl.len(), 0, -1, dtype=pl.Int64).over("record")
    in_last_row = pl.col("row") == pl.col("row").max().over("record")
    other = (pl.col("turn") != int(_Turn.COMMENT)) & in_last_row
    last_other = pl.when(other).then(backward).min().over("record")
    below = pl.col("record").is_in(closed.implode()) & in_last_row & (backward < last_other)
    return pieces.with_columns(pl.when(below).then(pl.col("row") + 1 - backward + last_other).otherwise("row"))


def _lines(rows: pl.Series) -> pl.Series:
    """Join the pieces of each row; rows that are too long or have a line break in them are written piece by piece."""
    joined = rows.list.join(" ")
    odd = joined.str.contains("[;%\n]") | (joined.str.len_chars() > LINE_LIMIT)
    at = odd.arg_true()
    written = pl.Series([_line(pieces) for pieces in rows.gather(at).to_list()], dtype=pl.String)
    return put_in(joined, at, written).alias("text")


def _line(pieces: list[str]) -> str:
    text = ""
    for piece in pieces:
        begin = text.rfind("\n") + 1
        room = LINE_LIMIT - (len(text) - begin) - 1
        fits = len(piece.partition("\n")[0]) <= room and not piece.startswith("%")
        text += ("" if len(text) == begin else " " if fits else "\n") + piece
        if piece.startswith((";", "%")):
            text += "\n"
    return text.removesuffix("\n")
