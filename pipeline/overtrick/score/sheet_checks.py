"""What score sheets have to say: deals that stand on none, and matches that are not of four hands."""

import polars as pl

from overtrick.bridge.four_hands import HANDS
from overtrick.config import Scoring
from overtrick.problems import report
from overtrick.score.rubber_tags import history
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
    off = report("deal-off-sheet", dealt.filter(pl.col("entries").is_null()))
    stated = report("sheet-mismatch", dealt.filter(~pl.col("sheet_explained")))
    if scoring.method == "rubber":
        return pl.concat([off, stated, _other_history(dealt)])
    if scoring.method != "alberta":
        return pl.concat([off, stated])
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
    return pl.concat([off, stated, report("match-hands", wrong), report("matches-uneven", _behind(matches))])


def _other_history(dealt: pl.DataFrame) -> pl.DataFrame:
    """Report `sheet-history`, once a rubber: what stood on the sheet before a deal is not what the file states."""
    if dealt["stated_history"].null_count() == dealt.height:
        return report("sheet-history", dealt.clear())
    wrong, said, known = [], [], []
    for side in ("ns", "ew"):
        stated = history(side)
        ours = [_before(side, below=below) for below in (False, True)]
        wrong += [mine != theirs for mine, theirs in zip(ours, stated, strict=True)]
        said.append(pl.format("{}/{}", *stated))
        known.append(pl.format("{}/{}", *ours))
    told = dealt.with_columns(
        pl.any_horizontal(wrong).alias("wrong"),
        pl.concat_str(said, separator=" and ").alias("stated"),
        pl.concat_str(known, separator=" and ").alias("computed"),
    )
    first = told.filter("wrong").unique([*SEATING, "sheet"], keep="first", maintain_order=True)
    return report("sheet-history", first)


def _before(side: str, *, below: bool) -> pl.Expr:
    """Add what a side had on the sheet before each deal, above or below the line."""
    element = pl.element().struct
    counts = (element.field("direction") == side.upper()) & (element.field("below") == below)
    own = (
        pl.col("entries").list.eval(pl.when(counts).then(element.field("points")).otherwise(0)).list.sum().fill_null(0)
    )
    return own.cum_sum().over([*SEATING, "sheet"]) - own


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
