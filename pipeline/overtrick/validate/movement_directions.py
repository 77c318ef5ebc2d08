"""Pairs that sit the wrong way round: at one table, on one board, or in a movement that turns tables round itself."""

from typing import Final

import polars as pl

from overtrick.bridge.schedules import KNOWN, cyclic

_FEW_TURNED: Final = 2
"""If more tables than these are turned around as a whole in some round, the movement turns them."""

_SELDOM: Final = 4
"""A table sits the usual way round in so many rounds for each in which it may be turned by a slip."""

_SURE: Final = 0.9
"""The share of results that must agree with a published movement."""

_CELL: Final = ["number", "table"]


def select_wrong_way(judged: pl.DataFrame) -> pl.DataFrame:
    """Return results whose pairs sit the other way round than the movement has them.

    In a published movement (`bridge.schedules.KNOWN`) these are known. In any other, a round in which most tables are
    turned is an arrow-switch, and the movement itself may turn some tables: where it turns several now and
    then, or one time and again, or one from some round to the end of a session that was not played out. Then only the
    results that differ from others at their table in that round are slips, and a table that is turned once although
    those that the movement turns are turned time and again.

    Args:
        judged: one row a result: `number` (of the round), `table`, `board`, `ns ew` and `turned`, whether they sit the
            other way round than at this table in most rounds.
    """
    # A Howell in which nothing turns but table 2 in round 3, with a slip on one of two boards of table 1 in round 1:
    #
    #     number  table  turned      whole  by_movement  slip
    #     1       1      true,false  false  false        true,false
    #     3       2      true,true   true   false        true,true
    published = _published(judged)
    if published is not None:
        return published
    often = pl.col("turned").mean() > 0.5
    marked = judged.with_columns(often.over("number").alias("switched"), often.over(_CELL).alias("whole"))
    cells = marked.group_by(_CELL).agg(pl.first("whole", "switched"))
    turned = pl.col("whole") & ~pl.col("switched")
    often_here = _SELDOM * turned.sum().over("table") > (~turned).sum().over("table")
    all_turned, seldom = cells.select(turned.sum().alias("all"), seldom=(turned & ~often_here).sum()).row(0)
    # Where the movement turns some tables time and again, one turned table elsewhere is a slip.
    several = pl.lit(all_turned > _FEW_TURNED and seldom != 1)
    equally = judged.group_by("board").len()["len"].n_unique() == 1
    to_the_end = (pl.col("number") == pl.col("number").max().over("table")) & pl.lit(not equally)
    by_movement = cells.select(*_CELL, (pl.col("switched") | several | often_here | to_the_end).alias("by_movement"))
    placed = marked.join(by_movement, on=_CELL, how="left", maintain_order="left")
    slip = pl.when("by_movement").then(pl.col("turned") != pl.col("whole")).otherwise("turned")
    return placed.filter(slip & ~pl.col("switched"))


def _published(judged: pl.DataFrame) -> pl.DataFrame | None:
    """Return the results that are turned in the published movement that a session follows; None if it follows none."""
    tables = judged["table"].n_unique()
    for (kind, size), movement in KNOWN.items():
        if kind == "individual" or size != tables:
            continue
        rows = [(one.round, str(one.table), *map(str, one.ns + one.ew)) for one in cyclic(movement, movement.moving)]
        known = pl.DataFrame(
            rows, schema={"number": pl.Int64, "table": pl.String, "a": pl.String, "b": pl.String}, orient="row"
        )
        placed = judged.cast({"table": pl.String}).join(known, on=_CELL, how="left", maintain_order="left")
        right = ((pl.col("ns") == pl.col("a")) & (pl.col("ew") == pl.col("b"))).fill_null(value=False)
        if placed.select(right.mean()).item() >= _SURE:
            return placed.filter((pl.col("ns") == pl.col("b")) & (pl.col("ew") == pl.col("a")))
    return None
