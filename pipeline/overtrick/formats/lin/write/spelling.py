"""How LIN spells things: hands, calls, results, and what a text may not hold."""

from typing import Final

import polars as pl

from overtrick.bridge.boards import board_dealer, board_vulnerability
from overtrick.bridge.calls import CALLS, DOUBLE, PASS, REDOUBLE
from overtrick.bridge.cards import CARDS, is_complete

PLAYERS: Final = ("south", "west", "north", "east")
"""In the order of LIN."""

_DEALERS: Final = {"S": "1", "W": "2", "N": "3", "E": "4"}
_VULNERABLE: Final = {"None": "o", "NS": "n", "EW": "e", "All": "b"}
_CALLS: Final = {PASS: "p", DOUBLE: "d", REDOUBLE: "r"}
_HAND: Final = r"([^. ]*)\.([^. ]*)\.([^. ]*)\.([^. ]*)"


def plain(text: pl.Expr) -> pl.Expr:
    """Give a text as a value can hold it: in one line, without pipes, and no `rs` at its end.

    The site breaks the line before an `rs` that ends a value; a blank behind it keeps it whole.
    """
    line = text.str.replace_all(r"[^\S ]+", " ").str.strip_chars().str.replace_all("|", "/", literal=True)
    return pl.when(line.str.ends_with("rs")).then(line + " ").otherwise(line)


def listed(text: pl.Expr) -> pl.Expr:
    """Give a text as a list of values can hold it: without commas too; empty where nothing is known."""
    return plain(text.str.replace_all(",", "", literal=True)).fill_null("")


def dealt(deals: pl.Series) -> pl.Series:
    """Write hands from South on; the last one is left to the reader where all four have thirteen cards."""
    hands = deals.str.strip_prefix("N:").str.replace_all(_HAND, "S${1}H${2}D${3}C${4}").str.replace_all("-", "")
    north, east, south, west = (
        hands.str.split(" ").list.get(seat, null_on_oob=True).fill_null("") for seat in range(4)
    )
    east = east.set(is_complete(deals), "")
    return pl.select(pl.concat_str(south, west, north, east, separator=",")).to_series().set(deals.is_null(), None)


def dealer() -> pl.Expr:
    """Write the dealer as a digit, by the board's number where he is not stated (Law 2); empty where nobody knows."""
    seat = pl.coalesce(pl.col("dealer").cast(pl.String), board_dealer(pl.col("board")))
    return seat.replace_strict(_DEALERS, default="", return_dtype=pl.String)


def vulnerability() -> pl.Expr:
    """Write the vulnerability, by the board's number where it is not stated (Law 2); null where nobody knows."""
    sides = pl.coalesce(pl.col("vulnerable").cast(pl.String), board_vulnerability(pl.col("board")))
    return sides.replace_strict(_VULNERABLE, default=None, return_dtype=pl.String)


def call(code: pl.Expr) -> pl.Expr:
    """Write calls: `p`, `d`, `r`, `1N`."""
    names = [_CALLS.get(number, name[:2]) for number, name in enumerate(CALLS)]
    return code.replace_strict(list(range(len(CALLS))), names, default=None, return_dtype=pl.String)


def card(code: pl.Expr) -> pl.Expr:
    """Write cards: `SA`."""
    return code.replace_strict(list(range(len(CARDS))), list(CARDS), default=None, return_dtype=pl.String)


def result() -> pl.Expr:
    """Write contract and tricks as a list of results has them: `4SWx-4`, `P`; null where no contract is known."""
    over = pl.col("tricks").cast(pl.Int64) - 6 - pl.col("level")
    signed = pl.when(over == 0).then(pl.lit("=")).when(over > 0).then(pl.format("+{}", over))
    made = signed.otherwise(over.cast(pl.String)).fill_null("")
    crosses = pl.col("doubled").fill_null(0).replace_strict([0, 1, 2], ["", "x", "xx"], return_dtype=pl.String)
    strain, declarer = pl.col("strain").cast(pl.String).str.head(1), pl.col("declarer").cast(pl.String)
    bid = pl.concat_str(pl.col("level").cast(pl.String), strain, declarer, crosses, made)
    return pl.when(pl.col("level") == 0).then(pl.lit("P")).otherwise(bid)
