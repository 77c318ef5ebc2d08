"""PBN of what an archive gives back: the frames of the file that was taken in, though not its every letter."""

from dataclasses import replace

import polars as pl

from overtrick.formats.pbn.write.export import exported_games
from overtrick.formats.pbn.write.foreign import as_pbn
from overtrick.formats.pbn.write.keep import document, laid
from overtrick.frames import TAGS_OF_RECORDS, Session


def pbn_again(session: Session) -> str:
    r"""Write a file again from its rows in an archive.

    Args:
        session: of one file, as `archive.tables.as_stated` gives it. A game of which the archive keeps all items is
            written as it was read, any other in export form: such a game says the same in it.

    Returns:
        The text, lines ending in `\n`; UTF-8 holds all of it. Reading it gives the same records, annotations and
        results but for their places.
    """
    whole = session.items.filter(pl.col("name").is_in(TAGS_OF_RECORDS))["record"].drop_nulls().unique().implode()
    as_read = session.items.filter(pl.col("record").is_null() | pl.col("record").is_in(whole))
    followed = ~pl.col("record").is_in(whole)
    told = as_pbn(session)
    games = exported_games(
        replace(
            told,
            records=told.records.filter(followed),
            items=told.items.filter(followed),
            annotations=told.annotations.filter(followed),
        )
    ).with_columns(pl.col("text").str.replace_all("\r\n", "\n", literal=True))
    placed = games.join(session.records.select("record", "line"), on="record", how="left", maintain_order="left")
    parts = [
        laid(as_read.sort("line", "column", maintain_order=True)).select("line", "text"),
        placed.select("line", ("\n\n" + pl.col("text")).alias("text")),
    ]
    return document(pl.concat(parts).sort("line", maintain_order=True)["text"])
