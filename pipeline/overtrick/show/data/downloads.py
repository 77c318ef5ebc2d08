"""Files beside the pages: the session and each of its boards as PBN and LIN, its results as CSV.

They are written from the frames, not copied from the files that were read: what those hold besides the session, such
as chat, membership numbers and addresses, is not published.
"""

from collections import defaultdict
from dataclasses import replace
from typing import Final

import polars as pl

from overtrick.core.frames import ITEMS, Session, conform, empty
from overtrick.files.formats.pbn.write import as_pbn, export_games
from overtrick.files.formats.session_rows import list_results, write_csv
from overtrick.show.html.result_lines import add_board_keys
from overtrick.show.html.session_page import SessionPage

_HEADER: Final = "% PBN 2.1\r\n% EXPORT\r\n\r\n"
_KEPT: Final = ("Note", "OptimumScore", "DoubleDummyTricks", "OptimumResultTable")
"""Tags that the frames do not hold, but readers want."""
_ORDER: Final = ("Auction", "Note", "Play", "ScoreTable", "TotalScoreTable", *_KEPT[1:])


def write_downloads(session: Session, page: SessionPage) -> dict[str, bytes]:
    """Return the files of a session, by path: `session.pbn .lin .csv`, and `board-7/board-7.pbn .lin`.

    Args:
        session: after `privacy.apply_privacy`.
        page: what its pages show.
    """
    games = _write_games(session)
    at_board: dict[str, list[str]] = defaultdict(list)
    for key, game in games:
        at_board[key].append(game)
    files = {
        "session.pbn": _write_pbn([game for _, game in games]),
        "session.lin": "".join(board.lin for board in page.boards).encode(),
        "session.csv": write_csv(list_results(session)).encode() if len(session.results) else b"",
    }
    for board in page.boards:
        files[f"{board.slug}/{board.slug}.pbn"] = _write_pbn(at_board[board.key])
        files[f"{board.slug}/{board.slug}.lin"] = board.lin.encode()
    return {path: content for path, content in files.items() if content}


def _write_pbn(games: list[str]) -> bytes:
    return (_HEADER + "".join(f"{game}\r\n\r\n" for game in games)).encode("latin-1") if games else b""


def _write_games(session: Session) -> list[tuple[str, str]]:
    """Return every record as PBN, with the key of its board."""
    rebuilt = replace(
        session,
        sources=session.sources.with_columns(
            pl.when(pl.col("format").is_not_null()).then(pl.lit("frames")).alias("format")
        ),
        records=session.records.sort("record"),
        annotations=session.annotations.filter(pl.col("kind") == "note"),
        listed=empty(ITEMS),
    )
    written = as_pbn(rebuilt)
    items = pl.concat([written.items, conform(ITEMS, _select_kept(session.items))])
    games = export_games(replace(written, listed=items.sort(*_order_items(), maintain_order=True)))
    keys = add_board_keys(written.records, session)["key"]
    return list(zip(keys, games["text"].str.replace_all("\n", "\r\n", literal=True), strict=True))


def _select_kept(items: pl.DataFrame) -> pl.DataFrame:
    return items.filter(pl.col("kind").cast(pl.String).is_in(["tag", "section"]), pl.col("name").is_in(_KEPT))


def _order_items() -> tuple[pl.Expr, pl.Expr]:
    """Return what to sort items by: the record, then the order in a game; tags before the auction come first."""
    return pl.col("record"), pl.col("name").replace_strict(_ORDER, range(1, len(_ORDER) + 1), default=0)
