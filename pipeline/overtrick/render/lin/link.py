"""Links that show a board in the viewer of Bridge Base Online."""

from dataclasses import replace
from typing import Final
from urllib.parse import quote

import polars as pl

from overtrick.frames import Session
from overtrick.render.lin.boards import bodies
from overtrick.render.lin.lines import heading, spelled

_VIEWER: Final = "https://www.bridgebase.com/tools/handviewer.html?lin="


def handviewer_link(lin: str) -> str:
    """Give the address that shows a board: the text of its LIN, every sign of it encoded."""
    return _VIEWER + quote(lin, safe="")


def handviewer_links(session: Session) -> dict[int, str]:
    """Give the link of each record that shows all four hands, by `record`: its cards, and what was bid and played.

    Names, explanations and chat are those of the record, so a page that leaves names out must leave the links out too.
    """
    shown = session.records.filter(pl.col("deal").is_not_null() & ~pl.col("deal").str.contains(r"-")).sort("record")
    session = replace(session, records=shown)
    below = bodies(session).frame
    boards = spelled(shown.join(below, on="record", how="left", maintain_order="left"))
    lines = boards.select("record", line=pl.concat_str(heading(), "body"))
    return {record: handviewer_link(line) for record, line in lines.iter_rows()}
