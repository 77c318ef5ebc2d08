"""Files beside the pages: the session and each of its boards as PBN and LIN, results as CSV.

They are written from the frames and not copied from what was read: what files hold beside the session, such as chat,
membership numbers and addresses, is not published.
"""

from collections import defaultdict
from dataclasses import replace
from typing import Final

import polars as pl

from overtrick.formats.pbn.write import as_pbn, export_games
from overtrick.frames import ITEMS, Session, conform, empty
from overtrick.render.context import SessionPage
from overtrick.render.csv import csv_document
from overtrick.render.lines import board_key
from overtrick.render.rows import results_rows

_HEADER: Final = "% PBN 2.1\r\n% EXPORT\r\n\r\n"
_KEPT: Final = ("Note", "OptimumScore", "DoubleDummyTricks", "OptimumResultTable")
"""What a file states, the frames do not hold, and is worth reading."""
_ORDER: Final = ("Auction", "Note", "Play", "ScoreTable", "TotalScoreTable", *_KEPT[1:])


def downloads(session: Session, page: SessionPage) -> dict[str, bytes]:
    """Write the files of a session, by path: `session.pbn .lin .csv`, and `board-7/board-7.pbn .lin`.

    Args:
        session: as it may be published.
        page: its pages.
    """
    games = _games(session)
    at_board: dict[str, list[str]] = defaultdict(list)
    for key, game in games:
        at_board[key].append(game)
    files = {
        "session.pbn": _pbn([game for _, game in games]),
        "session.lin": "".join(board.lin for board in page.boards).encode(),
        "session.csv": csv_document(results_rows(session)).encode() if len(session.results) else b"",
    }
    for board in page.boards:
        files[f"{board.slug}/{board.slug}.pbn"] = _pbn(at_board[board.key])
        files[f"{board.slug}/{board.slug}.lin"] = board.lin.encode()
    return {path: content for path, content in files.items() if content}


def _pbn(games: list[str]) -> bytes:
    return (_HEADER + "".join(f"{game}\r\n\r\n" for game in games)).encode("latin-1") if games else b""


def _games(session: Session) -> list[tuple[str, str]]:
    """Write every record as PBN, with the key of its board."""
    rebuilt = replace(
        session,
        sources=session.sources.with_columns(
            pl.when(pl.col("format").is_not_null()).then(pl.lit("frames")).alias("format")
        ),
        records=session.records.sort("record"),
        annotations=session.annotations.filter(pl.col("kind") == "note"),
        items=empty(ITEMS),
    )
    written = as_pbn(rebuilt)
    items = pl.concat([written.items, conform(ITEMS, _kept(session.items))])
    games = export_games(replace(written, items=items.sort(*_place(), maintain_order=True)))
    keys = board_key(written.records)["key"]
    return list(zip(keys, games["text"].str.replace_all("\n", "\r\n", literal=True), strict=True))


def _kept(items: pl.DataFrame) -> pl.DataFrame:
    """Keep what `_KEPT` names; notes stand with the auction or play that they stood below."""
    below = pl.when(pl.col("name") != "Note").then(pl.col("name")).forward_fill().over("record")
    kinds = pl.col("kind").cast(pl.String).is_in(["tag", "section"])
    return items.filter(kinds).with_columns(below.alias("below")).filter(pl.col("name").is_in(_KEPT))


def _place() -> tuple[pl.Expr, pl.Expr]:
    """Order items by record, then as a game has them; tags before the auction come first."""
    return pl.col("record"), pl.col("name").replace_strict(_ORDER, range(1, len(_ORDER) + 1), default=0)
