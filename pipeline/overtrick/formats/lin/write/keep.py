"""LIN as it was read: every command, comment and stray text in its place."""

from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from hashlib import sha256
from itertools import product
from typing import Final

import polars as pl

from overtrick.frames import Session

_MARKED: Final = {
    "utf-8-sig": ((BOM_UTF8, "utf-8"),),
    "utf-16": ((BOM_UTF16_LE, "utf-16-le"), (BOM_UTF16_BE, "utf-16-be")),
}
"""By encoding, the marks that a file may begin with, each with the encoding of what follows."""


def keep_lin(session: Session) -> bytes:
    """Write what was read from one LIN file, or from a page of links, a line for the text of each link.

    Commands are written in small letters and with the pipes they should have, values as they were. Lines break where
    they did, and the columns stay the same. A file of sound commands in small letters comes back byte for byte, except
    for spaces at the end of a line.
    """
    source = session.sources.row(0, named=True)
    text, encoding = _join_items(session), source["encoding"] or "utf-8"
    codings = _MARKED.get(encoding, ((b"", encoding),))
    for (mark, coding), line_end in product(codings, ("\n", "\r\n")):
        written = mark + text.replace("\n", line_end).encode(coding)
        end = line_end.encode(coding)
        # Items do not show line ends and empty lines at the file's end. Its size and its hash do.
        ends, rest = divmod(source["size"] - len(written), len(end))
        whole: bytes = written + end * ends
        if rest == 0 and sha256(whole).hexdigest() == source["sha256"]:
            return whole
    mark, coding = codings[0]
    return mark + (text + "\n").encode(coding) if text else b""


def _join_items(session: Session) -> str:
    """Join items, with line breaks and spaces between them that put each in its place.

    Worked example, `st||` in line 1, column 1, `mb|p|` in column 6 and `nt|a⏎b|` in line 2, column 1:

        written        st||  mb|p|  nt|a⏎b|
        line_before    1     1      1           where the item before ends
        column_before  1     5      11
        down           0     0      1           line breaks before it
        right          0     1      0           spaces before it
        result         st|| mb|p|⏎nt|a⏎b|
    """
    items = session.items
    if items.is_empty():
        return ""
    if (session.sources["format"] == "lin links").any():
        items = _place_links_on_lines(items)
    command = pl.col("kind") == "tag"
    written = items.with_columns(
        pl.when(command).then(pl.format("{}|{}|", pl.col("name").fill_null(""), "text")).otherwise("text").alias("text")
    )
    breaks = pl.col("text").str.count_matches("\n", literal=True)
    last = pl.col("text").str.extract(r"([^\n]*)\z").str.len_chars().cast(pl.Int64)
    begin = pl.when(breaks == 0).then(pl.col("column").cast(pl.Int64)).otherwise(1)
    placed = written.with_columns(
        (pl.col("line") + breaks).shift(1, fill_value=1).cast(pl.Int64).alias("line_before"),
        (begin + last).shift(1, fill_value=1).alias("column_before"),
    )
    down = (pl.col("line").cast(pl.Int64) - pl.col("line_before")).clip(0)
    start = pl.when(down == 0).then("column_before").otherwise(1)
    right = (pl.col("column").cast(pl.Int64) - start).clip(0)
    gap = [pl.lit(sign).repeat_by(count).list.join("") for sign, count in (("\n", down), (" ", right))]
    return "".join(placed.select(pl.concat_str(*gap, "text")).to_series().to_list())


def _place_links_on_lines(items: pl.DataFrame) -> pl.DataFrame:
    """Place the items of each link of a page on a line of their own."""
    again = (pl.col("line") == pl.col("line").shift(1)) & (pl.col("column") == pl.col("column").shift(1))
    number = (~again.fill_null(value=False)).cast(pl.UInt32).cum_sum()
    return items.with_columns(number.alias("line"), pl.lit(1, pl.UInt32).alias("column"))
