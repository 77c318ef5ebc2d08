"""Calls and cards as lines of text, with what is said of them (PBN 3.5 to 3.9), the sections of all games at once.

A section is a run of pieces: words, marks and comments. Pieces are rows of a frame, put in order by the `row` and the
`place` of their word, and by `turn` (what stands first at a word).
"""

from enum import IntEnum
from typing import Final

import polars as pl

from overtrick.formats.pbn.write.syntax import LINE_LIMIT

SUFFIXES: Final = ("!", "?", "!!", "??", "!?", "?!")
"""In the order of their glyphs: $1 to $6 on a call, $7 to $12 on a card (3.7)."""

_ORDER: Final = ("record", "row", "place", "turn", "size", "text_order", "order")


class _Turn(IntEnum):
    IRREGULARITY = 0
    WORD = 1
    NOTE = 2
    GLYPH = 3
    COMMENT = 4
    BEFORE_NOTHING = 5
    """An irregularity behind the last word, which it does not tell of."""


_TURNS: Final = {
    "irregularity": _Turn.IRREGULARITY,
    "note": _Turn.NOTE,
    "nag": _Turn.GLYPH,
    "suffix": _Turn.GLYPH,
    "comment": _Turn.COMMENT,
}


def section_texts(words: pl.DataFrame, marks: pl.DataFrame, ends: pl.DataFrame, first_glyph: int) -> pl.Series:
    """Write sections, a row of words a line.

    Args:
        words: `record index row place text`: calls or cards; a null text is written as its marks alone.
        marks: `frames.ANNOTATIONS` of this part. What stands behind the last word belongs to it; what stands before
            the first, or where there is none, has a line of its own.
        ends: `record end`, a row a section: what its last line is, nothing where the words end it themselves.
        first_glyph: the NAG that means `!` here.

    Returns:
        The texts, in the order of `ends`.
    """
    pieces = pl.concat([_of_words(words), _of_marks(words, marks, first_glyph)]).sort(_ORDER, maintain_order=True)
    rows = _with_last_comments_below(pieces, ends).group_by("record", "row", maintain_order=True).agg("text")
    texts = rows.select("record", _lines(rows["text"])).group_by("record", maintain_order=True).agg("text")
    joined = ends.join(texts, on="record", how="left", maintain_order="left")
    body = pl.col("text").list.join("\n").fill_null("")
    gap = pl.when((body != "") & (pl.col("end") != "")).then(pl.lit("\n")).otherwise(pl.lit(""))
    return joined.select((body + gap + pl.col("end")).alias("text"))["text"]


def _pieces(frame: pl.DataFrame, turn: pl.Expr, text: pl.Expr) -> pl.DataFrame:
    glyph = turn == int(_Turn.GLYPH)
    return frame.select(
        "record",
        "row",
        pl.col("place").cast(pl.Int64),
        turn.cast(pl.Int64).alias("turn"),
        text.alias("text"),
        # Glyphs stand in the order of their numbers, all else as it was written.
        pl.when(glyph).then(text.str.len_bytes()).otherwise(0).alias("size"),
        pl.when(glyph).then(text).otherwise(pl.lit("")).alias("text_order"),
        pl.int_range(pl.len()).alias("order"),
    )


def _of_words(words: pl.DataFrame) -> pl.DataFrame:
    return _pieces(words.drop_nulls("text"), pl.lit(int(_Turn.WORD)), pl.col("text"))


def _of_marks(words: pl.DataFrame, marks: pl.DataFrame, first_glyph: int) -> pl.DataFrame:
    """Put marks to their words, suffixes as glyphs, none twice."""
    last = words.group_by("record").agg(pl.col("index").max().alias("last"))
    of_part = marks.filter(pl.col("kind").is_in(list(_TURNS))).join(
        last, on="record", how="left", maintain_order="left"
    )
    index = pl.when(pl.col("last").is_not_null()).then(pl.col("index").cast(pl.Int64))
    placed = (
        of_part.sort("record", "index", nulls_last=False, maintain_order=True)
        .rename({"text": "written"})
        .with_columns(behind=(index > pl.col("last")).fill_null(value=False), index=index.clip(upper_bound="last"))
        .join(
            words.select("record", "index", "row", "place"), on=["record", "index"], how="left", maintain_order="left"
        )
    )
    number = pl.int_range(pl.len(), dtype=pl.Int64)
    placed = placed.with_columns(pl.coalesce("row", number - len(placed)), pl.col("place").fill_null(0))
    turn = pl.col("kind").replace_strict(_TURNS, return_dtype=pl.Int64)
    lone = (turn == int(_Turn.IRREGULARITY)) & pl.col("behind")
    turn = pl.when(lone).then(int(_Turn.BEFORE_NOTHING)).otherwise(turn)
    pieces = _pieces(placed, turn, _written(first_glyph))
    is_glyph = pl.col("turn") == int(_Turn.GLYPH)
    return pieces.filter(~is_glyph | pl.struct("record", "row", "place", "turn", "text").is_first_distinct())


def _written(first_glyph: int) -> pl.Expr:
    kind, text = pl.col("kind"), pl.col("written")
    glyphs = {suffix: str(first_glyph + place) for place, suffix in enumerate(SUFFIXES)}
    return (
        pl.when(kind == "irregularity")
        .then("^" + text)
        .when(kind == "note")
        .then("=" + text + "=")
        .when(kind == "nag")
        .then("$" + text)
        .when(kind == "suffix")
        .then("$" + text.str.slice(0, 2).replace(glyphs))
        .otherwise(text)
    )


def _with_last_comments_below(pieces: pl.DataFrame, ends: pl.DataFrame) -> pl.DataFrame:
    """Give the comments behind the last word of a section that ends by itself lines of their own.

    So they stand where nobody can say that they belong to it.
    """
    closed = ends.filter(pl.col("end") == "")["record"]
    backward = pl.int_range(pl.len(), 0, -1, dtype=pl.Int64).over("record")
    in_last_row = pl.col("row") == pl.col("row").max().over("record")
    other = (pl.col("turn") != int(_Turn.COMMENT)) & in_last_row
    last_other = pl.when(other).then(backward).min().over("record")
    below = pl.col("record").is_in(closed.implode()) & in_last_row & (backward < last_other)
    return pieces.with_columns(pl.when(below).then(pl.col("row") + 1 - backward + last_other).otherwise("row"))


def _lines(rows: pl.Series) -> pl.Series:
    """Join the pieces of each row; rows with a break in them, or too long, are written piece by piece."""
    joined = rows.list.join(" ")
    odd = joined.str.contains("[;%\n]") | (joined.str.len_chars() > LINE_LIMIT)
    at = odd.arg_true()
    written = pl.Series([_line(pieces) for pieces in rows.gather(at).to_list()], dtype=pl.String)
    return joined.scatter(at, written).alias("text")


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
