"""What score sheets have to say: deals that stand on none, and matches that are not of four hands."""

import polars as pl

from overtrick.bridge.four_hands import HANDS
from overtrick.config import Scoring
from overtrick.problems import found
from overtrick.score.sheets import SEATING


def sheet_findings(lines: pl.DataFrame, scoring: Scoring) -> pl.DataFrame:
    """Report on the deals of rubber-type games.

    Args:
        lines: the frame of `sheets.on_sheets`.
        scoring: `method`, the game (only a four-hand match has a number of hands), and `passed_out`.

    Returns:
        A frame of `frames.PROBLEMS`.
    """
    dealt = lines.filter(~pl.col("status").is_in(["not played", "bye"]))
    off = found("deal-off-sheet", dealt.filter(pl.col("entries").is_null()))
    if scoring.method != "alberta":
        return off
    matches = (
        dealt.drop_nulls("entries")
        .group_by(SEATING, maintain_order=True)
        .agg(
            pl.first("source", "line", "column"),
            pl.len().alias("deals"),
            (pl.col("level") == 0).sum().alias("passed"),
        )
    )
    counting = pl.col("deals") - (pl.col("passed") if scoring.passed_out == "redealt" else 0)
    wrong = matches.filter(counting != HANDS)
    return pl.concat([off, found("match-hands", wrong), found("matches-uneven", _behind(matches))])


def _behind(matches: pl.DataFrame) -> pl.DataFrame:
    """List the contestants with fewer matches than others."""
    played = pl.concat(
        matches.select("section", pl.col(side).alias("contestant"), "source").drop_nulls("contestant")
        for side in ("ns", "ew")
    )
    counted = played.group_by("section", "contestant", maintain_order=True).agg(
        pl.first("source"), pl.len().alias("matches")
    )
    most = pl.col("matches").max().over("section")
    return counted.with_columns(most.alias("most")).filter(pl.col("matches") < pl.col("most"))
