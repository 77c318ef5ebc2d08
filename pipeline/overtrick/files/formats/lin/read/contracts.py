"""The contract and the tricks of each record: as the session's list states them, else as bid, played and claimed."""

from typing import Final

import numpy as np
import polars as pl

from overtrick.core.frames import PROBLEMS, RECORDS, ColumnType, empty
from overtrick.core.problems import report
from overtrick.files.formats.lin.read.boards import Boards
from overtrick.files.formats.lin.read.entries import find_counted, respell
from overtrick.files.formats.lin.read.header import OF_SESSION, list_values, read_board_number
from overtrick.files.formats.lin.read.tokens import Tokens
from overtrick.files.formats.lin.spelling import get_whole_pattern, read_result

_CONTRACT: Final = ("level", "strain", "doubled", "declarer")
_TABLE: Final = ["session", "board", "place"]
_LISTED: Final[dict[str, ColumnType]] = {
    "session": pl.UInt32,
    "board": pl.Int32,
    "place": pl.Int64,
    "item": pl.String,
    "item_line": pl.UInt32,
    "item_column": pl.UInt32,
    "listed": pl.UInt8,
    **{name: RECORDS[name].dtype for name in _CONTRACT},
}
_OF_BOARD: Final = ("board_label", "deal", "dealer", "vulnerable")
_AT_ITEM: Final = {"line": "item_line", "column": "item_column"}
_AT_CLAIM: Final = {"line": "claim_line", "column": "claim_column"}


def add_contracts(
    boards: Boards, headers: pl.DataFrame, frame: pl.DataFrame, auctions: pl.DataFrame, played: pl.Series
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Add the contract of each record, and a record for each result that only a list states.

    Args:
        boards: the file's records.
        headers: its sessions (`header.read_sessions`).
        frame: one row a record: `record session board room` and what is known of the board.
        auctions: one row a record, from `auctions.judge_auctions`. An auction that did not end counts where cards were
            played or tricks claimed.
        played: how many cards each record has.

    Returns:
        The frame with the contract, `claimed` and `listed` tricks, the `item` and the places of both; and the problems.
    """
    official, item_faults = pl.DataFrame(schema=_LISTED), empty(PROBLEMS)
    if len(boards.find("rs")):
        official, item_faults = _read_lists(boards, headers, frame)
    claims, claim_faults = _read_claims(boards.get_rows(find_counted(boards, "mc")))
    bid = auctions.select("over", pl.col(_CONTRACT).name.prefix("bid_")).with_columns((played > 0).alias("led"))
    frame = (
        frame.with_columns((pl.col("room") == "Closed").fill_null(value=False).cast(pl.Int64).alias("place"))
        .hstack(bid)
        .join(claims, on="record", how="left", maintain_order="left")
        .join(official, on=_TABLE, how="left", maintain_order="left")
    )
    is_listed = pl.col("item").is_not_null()
    differs = pl.any_horizontal(pl.col(name) != pl.col(f"bid_{name}") for name in _CONTRACT) & pl.col("over")
    has_list = pl.col("session").is_in(official["session"].unique().to_list())
    no_item = has_list & ~is_listed & pl.col("over") & pl.col("board").is_not_null()
    faults = [
        report("lin-result-contract", _place_at_item(frame.filter(differs.fill_null(value=False)))),
        report("lin-result-unlisted", frame.filter(no_item)),
    ]
    ended = pl.col("over") | pl.col("led") | pl.col("claimed").is_not_null()
    contract = (pl.when(is_listed).then(name).when(ended).then(f"bid_{name}").alias(name) for name in _CONTRACT)
    frame = frame.with_columns(contract)
    if len(official):
        frame = pl.concat([frame, _add_only_listed(frame, official, headers)], how="diagonal")
    return frame, pl.concat([item_faults, claim_faults, *faults])


def _place_at_item(frame: pl.DataFrame) -> pl.DataFrame:
    """Place records at their item of the list, with the contract that was bid, for a problem."""
    bid = pl.format("{}{}", "bid_level", pl.col("bid_strain").cast(pl.String))
    doubled = pl.lit("X").repeat_by("bid_doubled").list.join("")
    contract = pl.when(pl.col("bid_level") == 0).then(pl.lit("Pass")).otherwise(pl.concat_str(bid, doubled))
    return frame.with_columns(**_AT_ITEM, bid=contract)


def _read_lists(boards: Boards, headers: pl.DataFrame, frame: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Read the lists of results; items beyond the last board of a session count only for boards of the file."""
    read, faults = read_items(list_values(boards, headers, "rs", 2), boards.tokens)
    last = headers.select("session", read_board_number(pl.col("last")).cast(pl.Int32))
    there = frame.select("session", "board").drop_nulls().unique().with_columns(there=True)
    read = read.join(last, on="session", how="left", maintain_order="left")
    read = read.join(there, on=["session", "board"], how="left", maintain_order="left")
    beyond = pl.col("there").is_null() & ((pl.col("board") > pl.col("last")) | pl.col("board").is_null())
    beyond = beyond.fill_null(value=False)
    left_out = read.filter(beyond).with_columns(pl.len().over("session").alias("count"))
    left_out = left_out.unique("session", keep="first", maintain_order=True)
    official = read.filter(~beyond).unique(_TABLE, keep="first", maintain_order=True)
    official = official.with_columns(pl.col("place").cast(pl.Int64))
    names = {"line": "item_line", "column": "item_column", "tricks": "listed"}
    official = official.select(*_TABLE, "item", *names, *_CONTRACT).rename(names)
    return official, pl.concat([faults, report("lin-result-beyond", left_out.drop("board"))])


def read_items(listed: pl.DataFrame, tokens: Tokens) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Read the items of result lists.

    Args:
        listed: `session board place text line column`, place 0 for the open and 1 for the closed room.
        tokens: the file's, whose dialect counts if English leaves an item unread.

    Returns:
        One row an item that states a contract: `session board place line column`, `item` as written, the contract and
        `tricks`, null where only the contract is stated; and the problems.
    """
    given = listed.with_columns(pl.col("text").str.strip_chars().alias("item")).filter(pl.col("item") != "")
    read = given.with_columns(read_result(pl.col("item")))
    if read["level"].null_count():
        read = given.with_columns(read_result(pl.lit(respell(given["item"], tokens.dialect))))
    sound = pl.col("level").is_not_null() & (pl.col("doubled").fill_null(0) <= 2)
    sound &= pl.col("tricks").fill_null(0).is_between(0, 13)
    faults = report("lin-result-item", read.filter(~sound))
    return read.filter(sound).with_columns(pl.col("tricks").cast(pl.UInt8)), faults


def _add_only_listed(frame: pl.DataFrame, official: pl.DataFrame, headers: pl.DataFrame) -> pl.DataFrame:
    """Return records of results whose board and room the file does not have; the deal is that of the other room."""
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


def _read_claims(claim: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Read claims: declarer's tricks of the whole hand.

    Args:
        claim: `record line column text` of `mc`.

    Returns:
        `record claimed claim_line claim_column`, the last of each record; and the problems.
    """
    read = claim.with_columns(pl.col("text").str.extract(get_whole_pattern("CLAIM")).cast(pl.UInt8).alias("claimed"))
    sound = (pl.col("claimed") <= 13).fill_null(value=False)
    last = read.filter(sound).unique("record", keep="last", maintain_order=True)
    odd = read.filter(~sound & (pl.col("text").str.strip_chars() != ""))
    placed = last.select("record", "claimed", claim_line="line", claim_column="column")
    return placed, report("lin-claim", odd)


def add_tricks(frame: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Add the tricks of each record: as listed, else as played to the end, else as claimed.

    Args:
        frame: one row a record: `line`, the contract, `item listed` of the list, `claimed`, what the play gave
            (`won lost whole`), and the places of the item and the claim.

    Returns:
        The frame with `tricks` and `play_end`; and where two statements differ, a problem with both values.
    """
    replayed = pl.when(pl.col("whole")).then(pl.col("won").cast(pl.UInt8))
    frame = frame.with_columns(pl.coalesce(replayed, "claimed").alias("shown"))
    claimed = pl.col("claimed").is_not_null() & pl.col("cards").is_not_null() & ~pl.col("whole")
    frame = frame.with_columns(
        pl.when(pl.col("level") > 0).then(pl.coalesce("listed", "shown")).alias("tricks"),
        pl.when(claimed).then(pl.lit("*")).alias("play_end"),
    )
    played = frame.filter(pl.col("level") > 0)
    out_of_range = (pl.col("claimed") < pl.col("won")) | (pl.col("claimed") > 13 - pl.col("lost"))
    checks = {
        "lin-result-tricks": (pl.col("listed") != pl.col("shown"), _AT_ITEM),
        "lin-claim-differs/play": (pl.col("whole") & (pl.col("claimed") != pl.col("won")), _AT_CLAIM),
        "lin-claim-differs/range": (~pl.col("whole") & out_of_range, _AT_CLAIM),
    }
    return frame, pl.concat(
        report(code, played.filter(fault.fill_null(value=False)).with_columns(**place))
        for code, (fault, place) in checks.items()
    )
