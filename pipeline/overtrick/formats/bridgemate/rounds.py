"""The movement in a Bridgemate database (`RoundData`), compared with the results that were entered."""

from typing import Final

import polars as pl

from overtrick.formats.bridgemate.results import PLACE, WRONG_DIRECTION
from overtrick.problems import report

_MOST_BOARDS: Final = 100
"""The most boards of one round; a longer range is a slip."""


def compare_with_rounds(
    movement: pl.DataFrame | None, sections: pl.DataFrame, entered: pl.DataFrame, received: pl.DataFrame
) -> pl.DataFrame:
    """Report results of other pairs or boards than the movement has, and boards of the movement without a result.

    Args:
        movement: the table `RoundData`, None or empty where the file has none.
        sections: the table `Section`, with letters for numbers; the opponents of its `MissingPair` sit out.
        entered: what `results.read_results` read.
        received: the table `ReceivedData`: a board that was entered and erased is not missing a second time.
    """
    if movement is None or movement.is_empty():
        return report("bws-missing", entered.clear())
    expected = _expected(movement.filter(~_sits_out(movement, sections)))
    met = entered.with_columns(_against("ns", "ew").alias("pairs"), _against("ew", "ns").alias("turned")).join(
        expected.select(*PLACE, "expected"), on=PLACE, how="left", maintain_order="left"
    )
    known = pl.col("Section").is_in(expected["Section"].unique().implode())
    differs = pl.col("expected") != pl.col("pairs")
    turned = pl.col("expected") == pl.col("turned")
    # A remark says that these sat the other way round than planned.
    said = pl.col("Remarks").str.contains(WRONG_DIRECTION).fill_null(value=False)
    missing = expected.join(received.select(PLACE), on=PLACE, how="anti", maintain_order="left")
    shown = [pl.col(name).alias(name.lower()) for name in ("Board", "Round", "Table")]
    # Sections have tables of the same numbers.
    several = expected["Section"].n_unique() > 1
    shown.append((pl.format(", section {}", "Section").fill_null("") if several else pl.lit("")).alias("at"))
    return pl.concat(
        [
            report("bws-movement", met.filter(differs & ~turned)),
            report("bws-wrong-way", met.filter(differs & turned & ~said)),
            report("bws-board", met.filter(known & pl.col("expected").is_null())),
            report("bws-missing", missing.with_columns(*shown, pl.col("expected").alias("pairs"))),
        ]
    )


def _against(one: str, other: str) -> pl.Expr:
    return pl.concat_str([one, other], separator=" against ")


def _expected(movement: pl.DataFrame) -> pl.DataFrame:
    """Return every board that every table plays: `Section Table Round Board expected`, sit-outs left out."""
    low, high = (pl.col(name).cast(pl.Int64, strict=False) for name in ("LowBoard", "HighBoard"))
    last = pl.min_horizontal(high, low + _MOST_BOARDS)
    boards = pl.int_ranges(low, last + 1).cast(pl.List(pl.String))
    if "CustomBoards" in movement.columns:
        custom = pl.col("CustomBoards").str.extract_all(r"[0-9]+")
        boards = pl.when(custom.list.len() > 0).then(custom).otherwise(boards)
    return (
        movement.with_columns(
            _side(movement, "NSPair", "South").alias("ns"), _side(movement, "EWPair", "West").alias("ew")
        )
        .with_columns(boards.alias("Board"), _against("ns", "ew").alias("expected"))
        .explode("Board")
        .drop_nulls("Board")
    )


def _sits_out(movement: pl.DataFrame, sections: pl.DataFrame) -> pl.Series:
    """Report where nobody plays: one side is not a pair, or is the pair that is missing in that section."""
    pairs = ["NSPair", "EWPair"]
    missing = pl.lit(None, pl.String).alias("missing")
    if "MissingPair" in sections.columns:
        missing = pl.col("MissingPair").alias("missing")
    gone = sections.select(pl.col("Letter").alias("Section"), missing).unique("Section")
    seated = movement.select("Section", "Round", *pairs).join(gone, on="Section", how="left", maintain_order="left")
    ns, ew = (pl.col(pair) == pl.col("missing") for pair in pairs)
    # A number of a Mitchell may be two pairs: the missing one then sits E-W.
    ns &= ~ew.any().over("Section", "Round")
    nobody = pl.any_horizontal((pl.col(pair) == "0") | missed for pair, missed in zip(pairs, (ns, ew), strict=True))
    return seated.select(nobody.fill_null(value=False).alias("nobody"))["nobody"]


def _side(movement: pl.DataFrame, pair: str, partner: str) -> pl.Expr:
    """Return a pair, or both players where the movement seats each alone."""
    if partner not in movement.columns:
        return pl.col(pair)
    alone = pl.col(partner).is_not_null() & (pl.col(partner) != "0")
    return pl.when(alone).then(pl.concat_str(pair, partner, separator="+")).otherwise(pair)
