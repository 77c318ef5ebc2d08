"""The contract and the tricks of each record: as the session's list has them, else as bid, played and claimed."""

from typing import Final

import numpy as np
import polars as pl
from polars._typing import PolarsDataType

from overtrick.formats.lin.read.auctions import Auctions
from overtrick.formats.lin.read.boards import Boards
from overtrick.formats.lin.read.header import listed
from overtrick.formats.lin.read.plays import Played
from overtrick.formats.lin.read.results import CONTRACT, claims, items
from overtrick.frames import PROBLEMS, RECORDS, empty
from overtrick.problems import report

_TABLE: Final = ["session", "board", "place"]
_LISTED: Final[dict[str, PolarsDataType]] = {
    "session": pl.UInt32,
    "board": pl.Int32,
    "place": pl.Int64,
    "item": pl.String,
    "item_line": pl.UInt32,
    "item_column": pl.UInt32,
    "listed": pl.UInt8,
    **{name: RECORDS[name].dtype for name in CONTRACT},
}
OF_SESSION: Final = ("event", "round", "scoring", "home_team", "visit_team", "home_carry", "visit_carry")
"""What a session's header says of each of its records."""

_OF_BOARD: Final = ("board_label", "deal", "dealer", "vulnerable")


def with_contracts(
    boards: Boards, headers: pl.DataFrame, frame: pl.DataFrame, called: Auctions, cards: Played
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Give each record its contract, and add the results that only a list states.

    Args:
        boards: the file's records.
        headers: its sessions (`header.sessions`).
        frame: one row a record: `record session board room` and what is known of the board.
        called: their auctions. One that did not end counts where cards were played or tricks claimed.
        cards: their cards.

    Returns:
        The frame with the contract, `claimed` and `listed` tricks, the `item` and the places of both; and the problems.
    """
    official, item_faults = _official(boards, headers, frame) if len(boards.places("rs")) else _nothing_listed()
    claim, claim_faults = claims(boards.rows(boards.played("mc")))
    bid = called.frame.select("over", pl.col(CONTRACT).name.prefix("bid_")).with_columns(led=pl.Series(cards.count > 0))
    frame = (
        frame.with_columns((pl.col("room") == "Closed").fill_null(value=False).cast(pl.Int64).alias("place"))
        .hstack(bid)
        .join(claim, on="record", how="left", maintain_order="left")
        .join(official, on=_TABLE, how="left", maintain_order="left")
    )
    is_listed = pl.col("item").is_not_null()
    differs = pl.any_horizontal(pl.col(name) != pl.col(f"bid_{name}") for name in CONTRACT) & pl.col("over")
    has_list = pl.col("session").is_in(official["session"].unique().to_list())
    no_item = has_list & ~is_listed & pl.col("over") & pl.col("board").is_not_null()
    faults = [
        report("lin-result-contract", at_item(frame.filter(differs.fill_null(value=False)))),
        report("lin-result-unlisted", frame.filter(no_item)),
    ]
    ended = pl.col("over") | pl.col("led") | pl.col("claimed").is_not_null()
    contract = (pl.when(is_listed).then(name).when(ended).then(f"bid_{name}").alias(name) for name in CONTRACT)
    frame = frame.with_columns(contract)
    if len(official):
        frame = pl.concat([frame, _only_listed(frame, official, headers)], how="diagonal")
    return frame, pl.concat([item_faults, claim_faults, *faults])


def at_item(frame: pl.DataFrame) -> pl.DataFrame:
    """Place records at their item of the list, for a problem."""
    bid = pl.format("{}{}", "bid_level", pl.col("bid_strain").cast(pl.String))
    doubled = pl.lit("X").repeat_by("bid_doubled").list.join("")
    made = pl.when(pl.col("bid_level") == 0).then(pl.lit("Pass")).otherwise(pl.concat_str(bid, doubled))
    return frame.with_columns(line="item_line", column="item_column", bid=made)


def _official(boards: Boards, headers: pl.DataFrame, frame: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Read the lists; what stands behind the last board of its session and is no board of the file is left out."""
    read, faults = items(listed(boards, headers, "rs", 2))
    last = headers.select("session", pl.col("last").str.extract(r"^\s*([0-9]{1,6})\s*$").cast(pl.Int32))
    there = frame.select("session", "board").drop_nulls().unique().with_columns(there=True)
    read = read.join(last, on="session", how="left", maintain_order="left")
    read = read.join(there, on=["session", "board"], how="left", maintain_order="left")
    beyond = pl.col("there").is_null() & ((pl.col("board") > pl.col("last")) | pl.col("board").is_null())
    beyond = beyond.fill_null(value=False)
    behind = read.filter(beyond).with_columns(pl.len().alias("count")).head(1)
    official = read.filter(~beyond).unique(_TABLE, keep="first", maintain_order=True)
    official = official.with_columns(pl.col("place").cast(pl.Int64))
    names = {"line": "item_line", "column": "item_column", "tricks": "listed"}
    official = official.select(*_TABLE, "item", *names, *CONTRACT).rename(names)
    return official, pl.concat([faults, report("lin-result-beyond", behind.drop("board"))])


def _nothing_listed() -> tuple[pl.DataFrame, pl.DataFrame]:
    return pl.DataFrame(schema=_LISTED), empty(PROBLEMS)


def _only_listed(frame: pl.DataFrame, official: pl.DataFrame, headers: pl.DataFrame) -> pl.DataFrame:
    """Make records of results whose board and room the file does not have; the deal is that of the other room."""
    alone = official.join(frame.select(_TABLE).drop_nulls(), on=_TABLE, how="anti", maintain_order="left")
    known = frame.select("session", "board", *_OF_BOARD).unique(["session", "board"], keep="first", maintain_order=True)
    room = pl.when(pl.col("place") == 1).then(pl.lit("Closed")).otherwise(pl.lit("Open"))
    alone = alone.join(headers.select("session", *OF_SESSION), on="session", how="left", maintain_order="left")
    return alone.join(known, on=["session", "board"], how="left", maintain_order="left").with_columns(
        pl.Series("record", np.arange(len(frame), len(frame) + len(alone)), dtype=pl.UInt32),
        pl.col("item_line").alias("line"),
        pl.col("board_label").fill_null(pl.col("board").cast(pl.String)),
        room.alias("room"),
    )
