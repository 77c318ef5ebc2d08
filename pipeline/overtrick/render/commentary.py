r"""What the author of a file has written about its boards.

Files hold comments of every kind: what programs note for themselves, what was said at the table, and what an author
wrote to be read. Only the last is published: text in braces of RBN, which has no other, and comments of PBN games that
name their author in `[Annotator]`. Chat is never among them.
"""

import re
from typing import Final

import polars as pl

from overtrick.frames import Session
from overtrick.render.auctions import explained

_BARE: Final = r"(?s)^(?:\{(.*?)\}?|;(.*))$"
_NOBODY: Final = ("", "?", "-")
_MARKUP: Final = re.compile(r"</?[biu]>", re.IGNORECASE)
_BREAK: Final = re.compile(r"\n\s*\n|<br */?>|\\n", re.IGNORECASE)


def commentary(session: Session) -> dict[int, tuple[str, ...]]:
    """Give the paragraphs that were written about each record, in their order; records without any are left out."""
    games = session.items.drop_nulls("record").join(session.sources.select("source", "format"), on="source")
    inherited = pl.col("text").str.replace("^##", "").replace("#", None).forward_fill().over("source")
    named = games.filter(pl.col("kind") == "tag", pl.col("name") == "Annotator").with_columns(inherited)
    authors = named.filter(~pl.col("text").str.strip_chars().is_in(_NOBODY))
    authored = pl.concat([authors, games.filter(pl.col("format") == "rbn")]).select("record").unique()
    place = ("record", "line", "column", "text")
    written = pl.concat(
        [
            frame.filter(pl.col("kind").cast(pl.String) == "comment").select(place)
            for frame in (games, session.annotations)
        ]
    )
    bare = pl.col("text").str.replace(_BARE, "${1}${2}")
    texts = written.join(authored, on="record").sort(place[:3], nulls_last=False).with_columns(bare)
    told: dict[int, list[str]] = {}
    for record, text in texts.select("record", "text").iter_rows():
        paragraphs = (explained(_MARKUP.sub("", part)) for part in _BREAK.split(text))
        told.setdefault(record, []).extend(filter(None, paragraphs))
    return {record: tuple(dict.fromkeys(paragraphs)) for record, paragraphs in told.items() if paragraphs}
