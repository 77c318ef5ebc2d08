"""Explanations of calls, alerts and the chat of vugraph, each with the call or card that it belongs to."""

import numpy as np
import numpy.typing as npt
import polars as pl

from overtrick.formats.lin.read.auctions import Called
from overtrick.formats.lin.read.boards import Boards
from overtrick.formats.lin.read.encoding import clean
from overtrick.formats.lin.read.plays import Played, Plays
from overtrick.frames import ANNOTATIONS, conform, empty

Places = npt.NDArray[np.signedinteger]


def remarks(boards: Boards, called: Called, read: Played, followed: Plays) -> pl.DataFrame:
    """Place what is said: an `an` with the call before it, an `nt` with the last card, else the last call.

    Returns:
        A frame of `frames.ANNOTATIONS`. An explanation before the first call belongs to nothing and is left out; chat
        before the first call has no index.
    """
    explained, chat = boards.played("an"), boards.played("nt", "at")
    if not len(explained) and not len(chat) and not len(called.alerts):
        return empty(ANNOTATIONS)
    explained = explained[boards.last_before(called.at, explained) >= 0]
    call, card = boards.last_before(called.at, chat), boards.last_before(read.at, chat)
    after_card = card >= 0
    place = followed.place[card[after_card], boards.record[chat[after_card]]].astype(np.int64)
    explanations = _said(boards, explained, "explanation", "auction", boards.last_before(called.at, explained))
    bare = pl.col("text").str.strip_chars() == "!"
    alerts = [
        explanations.filter(bare).with_columns(kind=pl.lit("alert"), text=pl.lit("!")),
        _said(boards, called.alerts, "alert", "auction", called.alerted).with_columns(text=pl.lit("!")),
    ]
    chats = [
        _said(boards, chat[after_card], "comment", "play", place),
        _said(boards, chat[~after_card], "comment", "auction", call[~after_card]),
    ]
    said = pl.concat([explanations.filter(~bare), *alerts, *chats]).sort("at", maintain_order=True)
    return conform(ANNOTATIONS, said.filter(pl.col("text").str.strip_chars() != ""))


def _said(boards: Boards, at: Places, kind: str, part: str, index: Places) -> pl.DataFrame:
    rows = boards.rows(at)
    return rows.with_columns(
        clean(rows["text"]).alias("text"),
        pl.Series("index", index, dtype=pl.Int64).replace(-1, None),
        kind=pl.lit(kind),
        part=pl.lit(part),
    )
