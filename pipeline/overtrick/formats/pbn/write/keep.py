"""PBN as it was read: every tag, comment, escape line and section in its place, games an empty line apart."""

from typing import Final

import polars as pl

from overtrick.formats.pbn.write import syntax
from overtrick.frames import Session

_EXPORT: Final = r"(?i)^%\s*EXPORT\s*$"


def write_pbn(session: Session) -> str:
    r"""Write what was read, from `session.items` alone.

    Tags are spelled in one way and closed where they were not, as are comments; games stand one empty line apart. All
    else is as written: what shared a line shares it again, at the same distance.

    Args:
        session: read from one file. `#` and `##` would mean other games if several files were run together.

    Returns:
        The text, lines ending in `\n`, and in CR LF where it declares export form (2.3). Reading it gives the same
        items but for their lines and columns, and writing those gives the same text.
    """
    text = document(laid(session.items)["text"])
    declared = session.items.select((_is("escape") & pl.col("text").str.contains(_EXPORT)).any()).item()
    return text.replace("\n", "\r\n") if declared else text


def laid(items: pl.DataFrame) -> pl.DataFrame:
    """Write items, each with what stands before it: their frame with that `text`."""
    written = items.with_columns(_written(items)).with_columns(_ends()).with_columns(_gap().alias("gap"))
    return written.with_columns((pl.col("gap") + pl.col("text")).alias("text")).select(items.columns)


def document(texts: pl.Series) -> str:
    """Put texts together that each begin with what parts them from the one before."""
    whole = "".join(texts.to_list()).lstrip("\n")
    return f"{whole}\n" if whole else ""


def _written(items: pl.DataFrame) -> pl.Series:
    closed = pl.when(_is("comment") & pl.col("text").str.starts_with("{") & ~pl.col("text").str.ends_with("}"))
    texts = items.select(closed.then(pl.col("text").str.strip_chars_end("\n") + "}").otherwise("text"))["text"]
    return texts.zip_with(items["kind"] != "tag", syntax.tags(items["name"], texts)).alias("text")


def _is(*kinds: str) -> pl.Expr:
    return pl.col("kind").is_in(kinds)


def _ends() -> list[pl.Expr]:
    """Say where an item ends, in the lines of the file that was read and in the first free column of the last one."""
    breaks = pl.col("text").str.count_matches("\n", literal=True)
    last = pl.col("text").str.extract(r"([^\n]*)\z").str.len_chars()
    column = pl.when(breaks == 0).then(pl.col("column")).otherwise(1)
    return [
        (pl.col("line") + breaks).shift(1).alias("line_before"),
        (column.cast(pl.Int64) + last).shift(1).alias("column_before"),
    ]


def _gap() -> pl.Expr:
    """Write what stands before an item: an empty line, a new line, or blanks on the line of the item before."""
    body = _is("section", "stray")
    # A `%` that begins a line would hide it: where section text begins with one, something stood before it.
    together = (pl.col("line") == pl.col("line_before")) | (body & pl.col("text").str.starts_with("%"))
    apart = pl.col("record").is_null() & (pl.col("line") > pl.col("line_before") + 1)
    new_game = pl.col("record").ne_missing(pl.col("record").shift(1)) | apart
    start = pl.when(together).then("column_before").otherwise(1)
    # Text has its own blanks; brackets that belong nowhere have none, and would run together.
    strays = (_is("stray") & (pl.col("kind").shift() == "stray")).fill_null(value=False)
    beside = strays & (pl.col("line") == pl.col("line_before"))
    blanks = pl.when(body & ~beside).then(0).otherwise((pl.col("column").cast(pl.Int64) - start).clip(0))
    line_end = pl.when(together).then(pl.lit("")).when(new_game).then(pl.lit("\n\n")).otherwise(pl.lit("\n"))
    return line_end + pl.lit(" ").repeat_by(blanks).list.join("")
