"""Auctions and plays that Bridgemates recorded: a row a call in `BiddingData`, a row a card in `PlayData`.

Rows are numbered by `Counter`, from 0 or from 1. A later row with the same number replaces an earlier one, and a row
that is marked as erased removes it. Rows recorded before a call or card with a smaller number are of an earlier try,
which was begun again.
"""

from typing import Final

import polars as pl

from overtrick.core.bridge.auction import CALLS, PASS
from overtrick.core.bridge.cards import CARDS, SEATS, UNKNOWN
from overtrick.core.problems import report
from overtrick.files.formats.bridgemate.results import PLACE, complete_columns

_SEATS: Final = {seat: number for number, seat in enumerate(SEATS)}

LONGEST: Final = {"Bid": 319, "Card": 52}
"""The most calls that an auction can have by the Laws, and the number of cards."""

_CODES: Final = {
    "Bid": {
        **{call.upper(): code for code, call in enumerate(CALLS)},
        **{call[:-1]: code for code, call in enumerate(CALLS) if call.endswith("NT")},
        "P": PASS,
    },
    "Card": {
        name.replace("T", ten): code
        for code, card in enumerate(CARDS)
        for name in (card, card[::-1])
        for ten in ("T", "10")
    },
}


def read_recorded(bidding: pl.DataFrame | None, play: pl.DataFrame | None) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Read the auctions and plays that were recorded at the tables.

    Args:
        bidding: the table `BiddingData` as text, `Section` being the section's name; None where the file has none.
        play: the table `PlayData`.

    Returns:
        A row for each table and board: the columns that identify a result (`results.PLACE`), and the columns of
        `frames.RECORDS` that auction and play fill. And problems.
    """
    calls, odd_calls = _entries(bidding, "Bid")
    cards, odd_cards = _entries(play, "Card")
    return _auctions(calls).join(_plays(cards), on=PLACE, how="full", coalesce=True), pl.concat([odd_calls, odd_cards])


def _entries(table: pl.DataFrame | None, column: str) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return the valid rows of a table: `PLACE place code first`, with the place in the list and the seat of the first.

    A call has the place of its number; a card is in the trick of its number, in the column of its player.
    """
    turn = (pl.col("seat") - pl.col("first")) % 4
    place = pl.col("index") if column == "Bid" else pl.col("index") // 4 * 4 + turn
    read = _standing(table, column).with_columns(place.alias("place"))
    known = pl.col("index").is_between(0, LONGEST[column] - 1) & pl.col("place").is_not_null() & pl.col("current")
    placed = known.fill_null(value=False)
    once = placed & pl.struct(*PLACE, "place").is_first_distinct()
    astray = ((pl.col("index") - turn) % 4 != 0).fill_null(value=True) & pl.lit(column == "Bid")
    shown = read.with_columns(
        pl.lit(column).alias("column_name"),
        pl.col(column).alias("text"),
        pl.col("Direction").alias("direction"),
        *(pl.col(name).alias(name.lower()) for name in ("Table", "Round", "Board")),
    )
    return read.filter(once), pl.concat(
        [
            report("bws-value", shown.filter(once & pl.col("code").is_null())),
            report("bws-turn", shown.filter(once & astray)),
            report("bws-left-out", shown.filter(~once)),
        ]
    )


def _standing(table: pl.DataFrame | None, column: str) -> pl.DataFrame:
    """Return the rows that no later row replaces, in their order, with `index seat first code current`."""
    nothing = pl.DataFrame(schema=dict.fromkeys(PLACE, pl.String))
    names = [*PLACE, "ID", "Counter", "Direction", column, "Erased"]
    rows = complete_columns(nothing if table is None else table, names)
    number, order = (pl.col(name).cast(pl.Int64, strict=False) for name in ("Counter", "ID"))
    last = rows.sort(order, maintain_order=True).filter(pl.struct(*PLACE, "Counter").is_last_distinct())
    seat = pl.col("Direction").str.head(1).str.to_uppercase().replace_strict(_SEATS, default=None).cast(pl.Int64)
    spelled = pl.col(column).str.to_uppercase().str.replace_all(" ", "", literal=True)
    return (
        last.filter(~pl.col("Erased").is_in(["1", "TRUE"]).fill_null(value=False))
        .with_columns((number - number.min().over(PLACE)).alias("index"), seat.alias("seat"))
        .with_columns(spelled.replace_strict(_CODES[column], default=None).cast(pl.UInt8).alias("code"))
        .sort(*PLACE, "index", nulls_last=True, maintain_order=True)
        .with_columns(pl.col("seat").first().over(PLACE).alias("first"), _is_of_last_try(order).alias("current"))
    )


def _is_of_last_try(order: pl.Expr) -> pl.Expr:
    """Report whether no earlier row, by `Counter`, was recorded later."""
    return (order >= order.cum_max().over(PLACE)).fill_null(value=True)


def _auctions(calls: pl.DataFrame) -> pl.DataFrame:
    listed = _listed(calls, "calls").with_columns(pl.col("calls").list.tail(3).alias("last"))
    passes = (pl.col("last").list.len() == 3) & (pl.col("last").list.max() == PASS) & (pl.col("calls").list.len() > 3)
    return listed.select(
        *PLACE,
        pl.col("first").alias("auction_start"),
        "calls",
        pl.when(~passes).then(pl.lit("*")).alias("auction_end"),
    )


def _plays(cards: pl.DataFrame) -> pl.DataFrame:
    return _listed(cards, "cards").select(
        *PLACE,
        pl.col("first").alias("play_start"),
        "cards",
        pl.when(pl.col("cards").list.len() < len(CARDS)).then(pl.lit("*")).alias("play_end"),
    )


def _listed(entries: pl.DataFrame, name: str) -> pl.DataFrame:
    """Return the entries of each table as one list, with `UNKNOWN` in empty places."""
    tables = entries.group_by(PLACE, maintain_order=True).agg(pl.col("first").first(), pl.col("place").max())
    places = tables.with_columns(pl.int_ranges(pl.col("place") + 1).alias("place")).explode("place")
    filled = places.join(
        entries.select(*PLACE, "place", "code"), on=[*PLACE, "place"], how="left", maintain_order="left"
    )
    seat = pl.col("first").first().replace_strict(dict(enumerate(SEATS)), return_dtype=pl.String)
    return filled.group_by(PLACE, maintain_order=True).agg(seat, pl.col("code").fill_null(UNKNOWN).alias(name))
