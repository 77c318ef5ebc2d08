"""Results: the official list of a session (`rs`), and the contract and tricks of each record."""

from typing import Final

import polars as pl

from overtrick.bridge.cards import STRAINS
from overtrick.frames import SEAT, STRAIN
from overtrick.grammar import terminal
from overtrick.problems import report

CONTRACT: Final = ("level", "strain", "doubled", "declarer")
_LETTERS: Final = dict(zip("CDHSN", STRAINS, strict=True))


def items(listed: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Read the items of result lists.

    Args:
        listed: `session board place text line column`, place 0 for the open and 1 for the closed room.

    Returns:
        One row an item that states a contract: `session board place line column`, `item` as written, the contract and
        `tricks`, null where only the contract is stated; and the problems.
    """
    given = listed.with_columns(pl.col("text").str.strip_chars().alias("item")).filter(pl.col("item") != "")
    parts = pl.col("item").str.extract_groups(f"^{terminal('RESULT', start='result', language='lin')}$").struct
    passed = pl.col("item").str.contains(f"^{terminal('PASSED_OUT', start='result', language='lin')}")
    over = pl.when(parts.field("6") == "=").then(pl.lit("0")).otherwise(parts.field("6").str.strip_prefix("+"))
    crosses = pl.concat_str(parts.field("3"), parts.field("5")).str.len_chars()
    read = given.with_columns(
        pl.when(passed).then(0).otherwise(parts.field("1").cast(pl.Int32)).cast(pl.UInt8).alias("level"),
        parts.field("2").str.to_uppercase().replace_strict(_LETTERS, default=None, return_dtype=STRAIN).alias("strain"),
        crosses.cast(pl.UInt8).alias("doubled"),
        parts.field("4").str.to_uppercase().cast(SEAT).alias("declarer"),
        (parts.field("1").cast(pl.Int32) + 6 + over.cast(pl.Int32)).alias("tricks"),
    )
    sound = pl.col("level").is_not_null() & (pl.col("doubled").fill_null(0) <= 2)
    sound &= pl.col("tricks").fill_null(0).is_between(0, 13)
    return read.filter(sound).with_columns(pl.col("tricks").cast(pl.UInt8)), report(
        "lin-result-item", read.filter(~sound)
    )


def claims(claim: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Read claims: declarer's tricks of the whole hand.

    Args:
        claim: `record line column text` of `mc`.

    Returns:
        `record claimed claim_line claim_column`, the last of each record; and the problems.
    """
    read = claim.with_columns(pl.col("text").str.extract(r"^\s*([0-9]{1,2})\s*$").cast(pl.UInt8).alias("claimed"))
    sound = (pl.col("claimed") <= 13).fill_null(value=False)
    last = read.filter(sound).unique("record", keep="last", maintain_order=True)
    odd = read.filter(~sound & (pl.col("text").str.strip_chars() != ""))
    placed = last.select("record", "claimed", claim_line="line", claim_column="column")
    return placed, report("lin-claim", odd)


def with_tricks(frame: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Settle the tricks of each record: as listed, else as played to the end, else as claimed.

    Args:
        frame: one row a record: `line`, the contract, `item listed` of the list, `claimed`, what the play gave
            (`won lost whole`), and the places of the item and the claim.

    Returns:
        The frame with `tricks` and `play_end`; and where what is stated twice differs, a problem with both values.
    """
    replayed = pl.when(pl.col("whole")).then(pl.col("won").cast(pl.UInt8))
    frame = frame.with_columns(pl.coalesce(replayed, "claimed").alias("shown"))
    claimed = pl.col("claimed").is_not_null() & pl.col("cards").is_not_null() & ~pl.col("whole")
    frame = frame.with_columns(
        pl.when(pl.col("level") > 0).then(pl.coalesce("listed", "shown")).alias("tricks"),
        pl.when(claimed).then(pl.lit("*")).alias("play_end"),
    )
    played = frame.filter(pl.col("level") > 0)
    at_item = {"line": "item_line", "column": "item_column"}
    at_claim = {"line": "claim_line", "column": "claim_column"}
    out_of_range = (pl.col("claimed") < pl.col("won")) | (pl.col("claimed") > 13 - pl.col("lost"))
    checks = {
        "lin-result-tricks": (pl.col("listed") != pl.col("shown"), at_item),
        "lin-claim-play": (pl.col("whole") & (pl.col("claimed") != pl.col("won")), at_claim),
        "lin-claim-range": (~pl.col("whole") & out_of_range, at_claim),
    }
    return frame, pl.concat(
        report(code, played.filter(fault.fill_null(value=False)).with_columns(**place))
        for code, (fault, place) in checks.items()
    )
