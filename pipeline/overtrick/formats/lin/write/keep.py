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
"""By encoding, the marks that a file may begin with and how what follows is encoded."""


def keep_lin(session: Session) -> bytes:
    """Write what was read from one LIN file, or from a page of links: the hands of a link then share a line.

    Commands are written in small letters and with the pipes that are due, values as they were; lines break where they
    did, and what shared a line stands at the same distance. A file of sound commands in small letters comes back to the
    byte, but for blanks at the end of a line.
    """
    source = session.sources.row(0, named=True)
    text, encoding = _text(session), source["encoding"] or "utf-8"
    codings = _MARKED.get(encoding, ((b"", encoding),))
    for (mark, coding), line_end in product(codings, ("\n", "\r\n")):
        written = mark + text.replace("\n", line_end).encode(coding)
        end = line_end.encode(coding)
        # Items say nothing of line ends and of empty lines at the file's end: its size and its hash do.
        ends, rest = divmod(source["size"] - len(written), len(end))
        whole: bytes = written + end * ends
        if rest == 0 and sha256(whole).hexdigest() == source["sha256"]:
            return whole
    mark, coding = codings[0]
    return mark + (text + "\n").encode(coding) if text else b""


def _text(session: Session) -> str:
    items = session.items
    if items.is_empty():
        return ""
    if (session.sources["format"] == "lin links").any():
        items = _a_line_a_link(items)
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


def _a_line_a_link(items: pl.DataFrame) -> pl.DataFrame:
    """Give what stands in one link of a page a line of its own."""
    again = (pl.col("line") == pl.col("line").shift(1)) & (pl.col("column") == pl.col("column").shift(1))
    number = (~again.fill_null(value=False)).cast(pl.UInt32).cum_sum()
    return items.with_columns(number.alias("line"), pl.lit(1, pl.UInt32).alias("column"))
