"""Boards: dealer and vulnerability as stated against those of the board number (Law 2). The file wins."""

import polars as pl

from overtrick.bridge.boards import board_dealer, board_vulnerability
from overtrick.frames import Session
from overtrick.problems import report
from overtrick.validate.places import at_tag


def board_dealer_differs(session: Session) -> pl.DataFrame:
    """Find boards whose stated dealer is not the one of their number."""
    return _differs(session, "dealer", board_dealer(pl.col("board")), "board-dealer", "Dealer")


def board_vulnerability_differs(session: Session) -> pl.DataFrame:
    """Find boards whose stated vulnerability is not the one of their number."""
    return _differs(session, "vulnerable", board_vulnerability(pl.col("board")), "board-vulnerability", "Vulnerable")


def _differs(session: Session, column: str, by_number: pl.Expr, code: str, tag: str) -> pl.DataFrame:
    # At rubber and Chicago deals are counted on, and games or the turn make a side vulnerable.
    ways = session.records["scoring"].drop_nulls().unique()
    of_sheets = pl.col("scoring").is_in(ways.filter(ways.str.contains(r"(?i)\b(?:rubber|chicago)\b")).implode())
    stated = session.records.filter(of_sheets.fill_null(value=False).not_()).select(
        "record", pl.col(column).cast(pl.String).alias("stated"), by_number.alias("expected")
    )
    return report(code, at_tag(session, stated.filter(pl.col("stated") != pl.col("expected")), tag))
