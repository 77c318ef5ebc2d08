"""PBN as it was read: every tag, comment, escape line and section in its place, games an empty line apart."""

from dataclasses import replace
from typing import Final

import polars as pl

from overtrick.core.frames import Session
from overtrick.files.formats.pbn.tags import names
from overtrick.files.formats.pbn.write import syntax
from overtrick.files.formats.pbn.write.export import export_games
from overtrick.files.formats.pbn.write.foreign import as_pbn

_EXPORT: Final = r"(?i)^%\s*EXPORT\s*$"


def text_as_read(session: Session) -> str:
    r"""Return the text of what was read, from `session.items` alone.

    Tags and comments are spelled in one way, and closed where they were not; games are one empty line apart. All else
    is as written: items that shared a line share it again, at the same distance.

    Args:
        session: read from one file. `#` and `##` would refer to other games if several files were joined.

    Returns:
        The text, lines ending in `\n`, and in CR LF where it declares export form (2.3). Reading it gives the same
        items but for their lines and columns, and writing those gives the same text.
    """
    text = _join(_lay_out(session.items)["text"])
    declared = session.items.select((_is("escape") & pl.col("text").str.contains(_EXPORT)).any()).item()
    return text.replace("\n", "\r\n") if declared else text


def text_again(session: Session) -> str:
    r"""Return the text of a file from its rows in an archive.

    Args:
        session: one file's, as `archive.tables.as_stated` returns it. A game that the archive keeps all items of is
            written as it was read, any other in export form, which says the same.

    Returns:
        The text, lines ending in `\n`; UTF-8 holds all of it. Reading it gives the same records, annotations and
        results but for their places.
    """
    stated = pl.col("name").is_in(names(in_record=True))
    whole = session.items.filter(stated)["record"].drop_nulls().unique().implode()
    as_read = session.items.filter(pl.col("record").is_null() | pl.col("record").is_in(whole))
    others = ~pl.col("record").is_in(whole)
    pbn = as_pbn(session)
    games = export_games(
        replace(
            pbn,
            records=pbn.records.filter(others),
            items=pbn.items.filter(others),
            annotations=pbn.annotations.filter(others),
        )
    ).with_columns(pl.col("text").str.replace_all("\r\n", "\n", literal=True))
    placed = games.join(session.records.select("record", "line"), on="record", how="left", maintain_order="left")
    parts = [
        _lay_out(as_read.sort("line", "column", maintain_order=True)).select("line", "text"),
        placed.select("line", ("\n\n" + pl.col("text")).alias("text")),
    ]
    return _join(pl.concat(parts).sort("line", maintain_order=True)["text"])


def _join(texts: pl.Series) -> str:
    """Join texts that each begin with their gap to the one before."""
    whole = "".join(texts.to_list()).lstrip("\n")
    return f"{whole}\n" if whole else ""


# Four items read from `[Board "1"]  ; first`, an empty line, `[Board "2"]` and `[Dealer "N"]`, and their gaps:
#
#     line  column  text           line_before  column_before  gap
#     1     1       [Board "1"]    null         null           (none: `_join` takes new lines off the beginning)
#     1     14      ; first        1            12             two blanks: the same line, two columns further on
#     3     1       [Board "2"]    1            21             an empty line: another game
#     4     1       [Dealer "N"]   3            12             a new line
def _lay_out(items: pl.DataFrame) -> pl.DataFrame:
    """Write items, each with its gap to the one before: their frame with that `text`."""
    written = items.with_columns(_spell(items)).with_columns(_ends()).with_columns(_gap().alias("gap"))
    return written.with_columns((pl.col("gap") + pl.col("text")).alias("text")).select(items.columns)


def _spell(items: pl.DataFrame) -> pl.Series:
    closed = pl.when(_is("comment") & pl.col("text").str.starts_with("{") & ~pl.col("text").str.ends_with("}"))
    texts = items.select(closed.then(pl.col("text").str.strip_chars_end("\n") + "}").otherwise("text"))["text"]
    return texts.zip_with(items["kind"] != "tag", syntax.write_tags(items["name"], texts)).alias("text")


def _is(*kinds: str) -> pl.Expr:
    return pl.col("kind").is_in(kinds)


def _ends() -> list[pl.Expr]:
    """Return where the item before ends: its last line in the file that was read, and the first free column there."""
    breaks = pl.col("text").str.count_matches("\n", literal=True)
    last = pl.col("text").str.extract(r"([^\n]*)\z").str.len_chars()
    column = pl.when(breaks == 0).then(pl.col("column")).otherwise(1)
    return [
        (pl.col("line") + breaks).shift(1).alias("line_before"),
        (column.cast(pl.Int64) + last).shift(1).alias("column_before"),
    ]


def _gap() -> pl.Expr:
    """Return the gap before an item: an empty line, a new line, or blanks on the line of the item before."""
    body = _is("section", "stray")
    # A `%` that begins a line would hide it: section text that begins with one had something before it.
    together = (pl.col("line") == pl.col("line_before")) | (body & pl.col("text").str.starts_with("%"))
    # Text has its own blanks; stray brackets have none, and would run together, as would lines that an empty one parts.
    strays = (_is("stray") & (pl.col("kind").shift() == "stray")).fill_null(value=False)
    apart = (pl.col("record").is_null() | strays) & (pl.col("line") > pl.col("line_before") + 1)
    new_game = pl.col("record").ne_missing(pl.col("record").shift(1)) | apart
    start = pl.when(together).then("column_before").otherwise(1)
    beside = strays & (pl.col("line") == pl.col("line_before"))
    blanks = pl.when(body & ~beside).then(0).otherwise((pl.col("column").cast(pl.Int64) - start).clip(0))
    line_end = pl.when(together).then(pl.lit("")).when(new_game).then(pl.lit("\n\n")).otherwise(pl.lit("\n"))
    return line_end + pl.lit(" ").repeat_by(blanks).list.join("")
