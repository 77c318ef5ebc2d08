"""The best cards double dummy at each card of a play that gave up tricks."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import polars as pl

from overtrick.core.bridge.cards import Bytes, owners
from overtrick.judge.analyse.solver import play_key

_BEST = pl.List(pl.UInt8)

CardSolver = Callable[[Sequence[str]], Mapping[str, bytes]]
"""Finds the best cards of positions, as `solver.solve_best_cards` does; leaves out those that it can't solve."""


def add_best_cards(costly: pl.DataFrame, rows: pl.DataFrame, cards: Bytes, solver: CardSolver | None) -> pl.DataFrame:
    """Return cards that gave up tricks with a column `best`: the codes of the cards that would have given up none.

    Args:
        costly: `row` in the two frames below, and `place` of the card in the order played.
        rows: results, with `deal` and `strain`.
        cards: in the order played, shape (results, 52), of each row.
        solver: None to leave `best` null.
    """
    if solver is None or costly.is_empty():
        return costly.with_columns(pl.lit(None, _BEST).alias("best"))
    row, place = (costly[name].to_numpy().astype(np.int64) for name in ("row", "place"))
    strain = rows["strain"].to_physical().to_numpy()
    trick = place - place % 4
    led = np.take_along_axis(owners(rows["deal"])[row], cards[row, trick][:, None].astype(np.int64), axis=1)[:, 0]
    keys = [
        play_key(deal, int(trump), int(seat), played[:number].tobytes())
        for deal, trump, seat, played, number in zip(
            rows["deal"].gather(row), strain[row], led, cards[row], place, strict=True
        )
    ]
    found = solver(list(dict.fromkeys(keys)))
    best = pl.Series("best", [found.get(key) for key in keys], pl.Binary)
    return costly.with_columns(best.cast(_BEST))
