"""A session as a table of results, which `formats.csv` reads again."""

from typing import Final

import polars as pl

from overtrick.bridge.boards import board_vulnerability
from overtrick.formats.contestants import name_sides
from overtrick.frames import VULNERABLE, Session
from overtrick.render.data.rows import list_results

_ALWAYS: Final = ("board", "ns", "ew", "contract", "declarer", "tricks")
"""Columns that a table of results has even if all cells are empty."""


def list_table(session: Session) -> pl.DataFrame:
    """Return every result with all that a table of results can hold: the columns that `formats.csv` reads.

    Columns without any value are left out. The vulnerability is there for boards on which it is not that of their
    number, and the dealer for deals without a number.
    """
    scored = list_results(session)
    facts = session.records.select("record", "event", "site", "date", "scoring", "dealer")
    stated = session.results.join(facts, on="record", how="left", maintain_order="left")
    other = pl.col("vulnerable") != board_vulnerability(pl.col("board")).cast(VULNERABLE)
    unusual = other.fill_null(value=False).any().over("section", "board")
    deals = pl.col("board").is_null().all()
    added = stated.select(
        *("event", "site", "date", "scoring", "team_ns", "team_ew", "player_n", "player_e", "player_s", "player_w"),
        *("honours_ns", "honours_ew", "conduct_ns", "conduct_ew", pl.col("stated_datum").alias("datum")),
        pl.when(unusual).then("vulnerable").alias("vulnerable"),
        pl.when(deals).then("dealer").alias("dealer"),
        *(name_sides(session, side) for side in ("ns", "ew")),
    )
    order = [
        *("event", "site", "date", "scoring", "section", "round", "table", "board", "dealer", "vulnerable"),
        *("ns", "ew", "names_ns", "names_ew", "team_ns", "team_ew", "player_n", "player_e", "player_s", "player_w"),
        *("contract", "declarer", "tricks", "lead", "score_ns", "honours_ns", "honours_ew", "conduct_ns"),
        *("conduct_ew", "award_ns", "award_ew", "datum", "points_ns", "points_ew", "percentage_ns"),
    ]
    table = scored.hstack(added).select(order)
    empty = [name for name in order if table[name].is_null().all() and name not in _ALWAYS]
    # A table without the column is one of deals, each line the next at its table.
    return table.drop(empty + (["board"] if len(table) and table["board"].is_null().all() else []))
