"""The results of a match as games of PBN: a score table has no column for the teams, a game has tags for them."""

from dataclasses import replace
from typing import Final

import polars as pl

from overtrick.frames import RECORDS, Session, conform

_MATCH: Final = ("section", "round", "one", "other")
"""What the results of a match have in common: also its two teams, in the order of their names."""
_OF_RESULT: Final = ("section", "round", "table", "level", "strain", "doubled", "declarer", "tricks", "stated_score_ns")


def seat_teams(session: Session) -> tuple[Session, pl.Series]:
    """Give each result of a match a game of its own, where the file has a table of them.

    The team that sits N-S in the first result of a match is the home team; it sits N-S in the open room. Matches with
    adjusted scores stay as they are, and so do those that have more than one result of a board in a room.

    Returns:
        The session, with records in place of those that hold only tables of matches; and these records.
    """
    teams = pl.min_horizontal("team_ns", "team_ew"), pl.max_horizontal("team_ns", "team_ew")
    rows = session.results.with_columns(one=teams[0], other=teams[1]).with_row_index("row")
    rows = rows.join(session.records.select("record", "room"), on="record", how="left", maintain_order="left")
    rows = rows.filter(pl.col("room").is_null(), pl.all_horizontal(pl.col("one", "other", "board").is_not_null()))
    home = pl.col("team_ns").first().over(_MATCH)
    rows = rows.with_columns(home_team=home, visit_team=pl.col("team_ew").first().over(_MATCH)).with_columns(
        room=pl.when(pl.col("team_ns") == pl.col("home_team")).then(pl.lit("Open")).otherwise(pl.lit("Closed"))
    )
    kept = pl.struct(*_MATCH, "board", "room").is_duplicated() | ~pl.col("status").is_in(["played", "passed"])
    rows = rows.filter(~kept.any().over(_MATCH), ~kept.any().over("record"))
    if rows.is_empty():
        return session, rows["record"]
    first = pl.lit(session.records["record"].max(), pl.UInt32) + 1
    rows = rows.with_columns(to=pl.int_range(pl.len(), dtype=pl.UInt32) + first)
    games = _make_games(session.records, rows)
    moved = session.results.with_row_index("row").join(rows.select("row", "to"), on="row", how="left")
    results = moved.sort("row").with_columns(pl.coalesce("to", "record").alias("record")).drop("row", "to")
    emptied = pl.col("record").is_in(rows["record"].implode()) & ~pl.col("record").is_in(results["record"].implode())
    records = pl.concat([session.records.filter(~emptied), games])
    return replace(session, records=records, results=results), rows["to"]


def _make_games(records: pl.DataFrame, rows: pl.DataFrame) -> pl.DataFrame:
    """Return a record for each result: its board, what was played, and who sat where."""
    pairs = [pl.col(side).alias(f"pair_{side}") for side in ("ns", "ew")]
    seated = ("home_team", "visit_team", "room")
    own = rows.select("record", "to", *_OF_RESULT, *seated, *pairs)
    board = records.drop(*_OF_RESULT, *seated, "pair_ns", "pair_ew")
    joined = own.join(board, on="record", how="left", maintain_order="left").with_columns(pl.col("to").alias("record"))
    bare = (
        "calls",
        "auction_start",
        "auction_end",
        "cards",
        "play_start",
        "play_end",
        "north",
        "east",
        "south",
        "west",
    )
    return conform(RECORDS, joined.drop(bare))
