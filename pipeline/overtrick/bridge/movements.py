"""Who sits where in a session (movements): what results alone tell of it."""

from typing import Literal

import polars as pl


def numbers_repeat(seats: pl.DataFrame, by: Literal["direction", "section"]) -> bool:
    """Say whether one number names different contestants in different directions or sections.

    A Mitchell may number its pairs from 1 both N-S and E-W, and every section may begin again at 1. No contestant plays
    a board twice (Law 15), so a number that does names two. That must hold for more than half of the numbers seen both
    ways: one slip on a traveller makes no second pair 7.

    Args:
        seats: one row a contestant a result: `section board direction contestant`, null where unknown.
        by: the column that may tell equal numbers apart.
    """
    known = seats.filter(pl.col("contestant").is_not_null())
    number = ["contestant"] if by == "section" else ["section", "contestant"]
    apart = pl.col(by).drop_nulls().n_unique() > 1
    both_ways = known.group_by(number).agg(apart).filter(by)
    on_one_board = known.drop_nulls("board").group_by([*number, "board"]).agg(apart).filter(by)
    return 2 * on_one_board.select(number).n_unique() > both_ways.height
