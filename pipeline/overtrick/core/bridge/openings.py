"""Opening bids by the Standard American Yellow Card, as notes on hands.

A note says which bids the card names for a hand's high-card points and lengths. The card leaves more to judgement than
points and lengths can say: good suits, winners, vulnerability, the seat. So a note never judges what a player bid.

| bid | high-card points | hand |
|---|---|---|
| 1NT, 2NT, 3NT | 15-17, 20-21, 25-27 | balanced: 4333, 4432, 5332 |
| 2C | 22 or more | any other |
| 1H, 1S | 13-21 | five cards or more, the longer one; both where they are equally long |
| 1D | 13-21 | four diamonds or more; with longer clubs 1C too; three where clubs are shorter than that |
| 1C | 13-21 | three clubs or more |
| 2D, 2H, 2S | 5-11 | six cards |
| 3C to 3S, 4C to 4S, 5C and 5D | 6-10 | seven, eight and nine cards |
"""

from typing import Final

import polars as pl

from overtrick.core.bridge.cards import SEATS
from overtrick.core.bridge.evaluation import evaluated

BETWEEN: Final = " / "
"""Separates bids that the card names for the same hand."""

_NO_BID: Final = pl.lit(None, pl.String)


def note_openings(deals: pl.Series) -> pl.DataFrame:
    """Note the opening bid of each hand.

    Args:
        deals: canonical deals (`frames.RECORDS["deal"]`).

    Returns:
        One row a deal; by seat (`n e s w`) `opening_n`, String: a bid such as `1NT`, or several as `1H / 1S`; null if
        the card names none, or the hand is not shown with all thirteen cards.
    """
    hands = evaluated(deals)
    return hands.select(_opening(seat.lower()).alias(f"opening_{seat.lower()}") for seat in SEATS)


def _opening(seat: str) -> pl.Expr:
    points = pl.col(f"points_{seat}")
    balanced = pl.col(f"balanced_{seat}")
    lengths = pl.col(f"lengths_{seat}").str.split("=")
    spades, hearts, diamonds, clubs = (lengths.list.get(place).cast(pl.UInt8) for place in range(4))
    suits = {"C": clubs, "D": diamonds, "H": hearts, "S": spades}
    notrump = (
        pl.when(points.is_between(15, 17))
        .then(pl.lit("1NT"))
        .when(points.is_between(20, 21))
        .then(pl.lit("2NT"))
        .when(points.is_between(25, 27))
        .then(pl.lit("3NT"))
    )
    return (
        pl.when(balanced & notrump.is_not_null())
        .then(notrump)
        .when(points >= 22)
        .then(pl.lit("2C"))
        .when(points >= 13)
        .then(_one_of_a_suit(spades, hearts, diamonds, clubs))
        .when(points.is_between(6, 10) & (pl.max_horizontal(*suits.values()) >= 7))
        .then(_preempt(suits))
        .when(points.is_between(5, 11))
        .then(_bids(2, {name: length == 6 for name, length in suits.items() if name != "C"}))
        .otherwise(_NO_BID)
    )


def _one_of_a_suit(spades: pl.Expr, hearts: pl.Expr, diamonds: pl.Expr, clubs: pl.Expr) -> pl.Expr:
    majors = _bids(1, {"H": (hearts >= 5) & (hearts >= spades), "S": (spades >= 5) & (spades >= hearts)})
    diamond = (diamonds >= 4) | (clubs < 3)
    club = (clubs >= 3) & ((diamonds < 4) | (clubs > diamonds))
    return pl.coalesce(majors, _bids(1, {"C": club, "D": diamond}))


def _preempt(suits: dict[str, pl.Expr]) -> pl.Expr:
    longest = pl.max_horizontal(*suits.values())
    preempts = [_bids(level, {name: length == longest for name, length in suits.items()}) for level in (3, 4)]
    minors = _bids(5, {name: suits[name] == longest for name in "CD"})
    return pl.when(longest == 7).then(preempts[0]).when(longest == 8).then(preempts[1]).when(longest == 9).then(minors)


def _bids(level: int, suits: dict[str, pl.Expr]) -> pl.Expr:
    """Return the bids in the suits whose condition is true, null for none."""
    bids = pl.concat_str(
        [pl.when(fits).then(pl.lit(f"{level}{name}")) for name, fits in suits.items()],
        separator=BETWEEN,
        ignore_nulls=True,
    )
    return pl.when(bids != "").then(bids)
