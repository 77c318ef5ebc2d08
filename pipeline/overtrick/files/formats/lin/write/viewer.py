"""Boards for the viewer of Bridge Base Online: each as a line of LIN, and the link that shows it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final
from urllib.parse import quote

import polars as pl

from overtrick.core.bridge import replays
from overtrick.core.bridge.play import Plays
from overtrick.core.frames import Session
from overtrick.core.problems import report
from overtrick.files.formats.base import Written
from overtrick.files.formats.lin.spelling import PLAYERS
from overtrick.files.formats.lin.write.board_lines import spell_headings, write_heading, write_line, write_texts

_VIEWER: Final = "https://www.bridgebase.com/tools/handviewer.html?lin="
_SHOWN: Final = ("note", "explanation", "alert", "irregularity")
"""Kinds of annotations that explain a call, or tell whose turn it was. Chat and comments are not for everybody."""
_SECTIONS: Final = ("Auction", "Play", "Note")


@dataclass(frozen=True)
class Viewed:
    """A board as the viewer takes it."""

    line: str
    """One line of LIN."""
    link: str
    """The address that shows it; empty where not all four hands are known."""


def write_link(lin: str) -> str:
    """Return the address that shows a board: the text of its LIN, with every sign encoded."""
    return _VIEWER + quote(lin, safe="")


def view_records(session: Session, played: Plays | None = None) -> dict[int, Viewed]:
    """Return each record with a deal as the viewer takes it, by `record`: its cards, and what was bid and played.

    Names and explanations are those of the session; chat and comments are left out.

    Args:
        session: `records` sorted by `record`.
        played: their `replays.plays`, if the caller has them.
    """
    if session.records.is_empty():
        return {}
    items = session.items.filter((pl.col("kind") == "tag") & pl.col("name").is_in(list(_SECTIONS)))
    shown = session.annotations.filter(pl.col("kind").is_in(list(_SHOWN)))
    session = replace(session, items=items, annotations=shown)
    played = played or replays.plays(session.records, shown)
    written = write_texts(session, replays.in_order(session.records, played))
    frame = session.records.join(written, on="record", how="left", maintain_order="left")
    frame = frame.with_columns(pl.col("body").fill_null("pg||"))
    return dict(_view(frame, "record", pl.concat_str(write_heading(), "body")))


def view_deals(boards: pl.DataFrame) -> dict[str, Viewed]:
    """Return each deal that nobody played as the viewer takes it, by `key`.

    Args:
        boards: `key`, and `board board_label deal dealer vulnerable` as in `frames.RECORDS`.
    """
    if boards.is_empty():
        return {}
    nobody = boards.with_columns(*(pl.lit(None, pl.String).alias(seat) for seat in PLAYERS), body=pl.lit(""))
    return dict(_view(nobody, "key", write_line().str.strip_suffix("\n")))


def _view(frame: pl.DataFrame, key: str, line: pl.Expr) -> Iterator[tuple[Any, Viewed]]:
    there = spell_headings(frame.filter(pl.col("deal").is_not_null()))
    for name, text, is_whole in there.select(key, line.alias("line"), ~pl.col("deal").str.contains("-")).iter_rows():
        yield name, Viewed(text, write_link(text) if is_whole else "")


def write_links(session: Session) -> Written:
    """Write the links that show the deals of a session, a line for each board whose four hands are known."""
    dealt = session.records.drop_nulls("deal").unique(["board_label", "deal"], keep="first", maintain_order=True)
    keyed = dealt.with_columns(pl.col("record").cast(pl.String).alias("key"))
    viewed = view_deals(keyed)
    hidden = keyed.filter(~pl.col("key").is_in([key for key, one in viewed.items() if one.link]))
    links = [one.link for key in keyed["key"] if (one := viewed.get(key)) and one.link]
    lost = report("link-not-written", hidden.with_columns(pl.col("board_label").alias("board")))
    return Written("".join(f"{link}\n" for link in links).encode(), lost)
