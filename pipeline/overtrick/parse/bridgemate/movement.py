"""The movement that a Bridgemate database holds: who meets whom on which boards, held against what was entered."""

from typing import Final

import polars as pl

from overtrick.problems import found

_MOST_BOARDS: Final = 100
"""Of one round; a range that is longer was never meant."""

_PLACE: Final = ["Section", "Table", "Round", "Board"]


def against_movement(movement: pl.DataFrame | None, entered: pl.DataFrame, received: pl.DataFrame) -> pl.DataFrame:
    """Name results of other pairs than the movement has, and boards of the movement without a result.

    Args:
        movement: the table `RoundData`, None or empty where the file has none.
        entered: what `results.results` read.
        received: the table `ReceivedData`: a board that was entered and erased is not missing a second time.
    """
    if movement is None or movement.is_empty():
        return found("bws-missing", entered.clear())
    expected = _expected(movement)
    pairs = pl.concat_str(["ns", "ew"], separator=" against ")
    met = entered.with_columns(pairs.alias("pairs")).join(
        expected.select(*_PLACE, "expected", "individual"), on=_PLACE, how="left", maintain_order="left"
    )
    # Pairs that sat the wrong way round, and were entered so, are those of the movement all the same.
    turned = pl.concat_str(["ew", "ns"], separator=" against ")
    other = (pl.col("expected") != pl.col("pairs")) & (pl.col("expected") != turned) & ~pl.col("individual")
    missing = expected.join(received.select(_PLACE), on=_PLACE, how="anti", maintain_order="left")
    shown = [pl.col(name).alias(name.lower()) for name in ("Board", "Round", "Table")]
    return pl.concat(
        [
            found("bws-movement", met.filter(other)),
            found("bws-missing", missing.with_columns(*shown, pl.col("expected").alias("pairs"))),
        ]
    )


def _expected(movement: pl.DataFrame) -> pl.DataFrame:
    """List every board that every table plays: `Section Table Round Board expected individual`, sit-outs left out."""
    low, high = (pl.col(name).cast(pl.Int64, strict=False) for name in ("LowBoard", "HighBoard"))
    last = pl.min_horizontal(high, low + _MOST_BOARDS)
    boards = pl.int_ranges(low, last + 1).cast(pl.List(pl.String))
    if "CustomBoards" in movement.columns:
        custom = pl.col("CustomBoards").str.extract_all(r"\d+")
        boards = pl.when(custom.list.len() > 0).then(custom).otherwise(boards)
    seated = ~pl.col("NSPair").is_in(["0"]) & ~pl.col("EWPair").is_in(["0"])
    individual = (
        pl.col("South").is_not_null() & (pl.col("South") != "0") if "South" in movement.columns else pl.lit(value=False)
    )
    return (
        movement.filter(seated)
        .with_columns(
            boards.alias("Board"),
            pl.concat_str(["NSPair", "EWPair"], separator=" against ").alias("expected"),
            individual.alias("individual"),
        )
        .explode("Board")
        .drop_nulls("Board")
    )
