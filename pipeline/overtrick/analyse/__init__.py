"""Frames to what could have been made: double-dummy tables as stated and as solved, makeable contracts and par."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
import polars as pl

from overtrick.analyse.comparison import table_faults
from overtrick.analyse.deals import deals
from overtrick.analyse.pars import with_par
from overtrick.analyse.stated import stated_tables
from overtrick.bridge.cards import owners
from overtrick.frames import DOUBLE_DUMMY, ORIGIN, Session, conform
from overtrick.problems import found

Solver = Callable[[Sequence[str]], Mapping[str, bytes]]
"""What solves canonical deals of 52 cards: the twenty tricks of each, in the order of `frames.DOUBLE_DUMMY`."""

_TRICKS: Final = DOUBLE_DUMMY["tricks"].dtype


def analyse(session: Session, solver: Solver | None = None) -> Session:
    """Fill `double_dummy`: the tables that the files state, those that the solver finds, and par.

    Where a file states a table it counts; what differs from it is a problem: another table of the same deal, the
    solver's, or the par that the file states.

    Args:
        session: as validated.
        solver: None to take the files' tables alone.
    """
    dealt = deals(session)
    stated, unreadable = stated_tables(session)
    place = dealt.select(pl.col("record").alias("place"), pl.col("records").alias("record")).explode("record")
    stated = stated.join(place, on="record", how="left", maintain_order="left")
    first = stated.unique("place", keep="first", maintain_order=True)
    rows = _with_tables(dealt.with_columns(_solved(dealt, solver)), first)
    rows, par_problems = with_par(session, rows)
    problems = [
        *(found(code, at) for code, at in table_faults(session, stated, first, rows, unreadable).items()),
        par_problems,
    ]
    known = pl.any_horizontal(pl.col("tricks", "par_ns", "par_contracts").is_not_null())
    return replace(
        session,
        double_dummy=conform(DOUBLE_DUMMY, rows.filter(known)),
        problems=pl.concat([session.problems, *problems]),
    )


def _with_tables(solved: pl.DataFrame, first: pl.DataFrame) -> pl.DataFrame:
    """Take the stated table of each deal, else the solver's: `tricks` and `origin`."""
    stated = first.select(pl.col("place").alias("record"), "tricks")
    rows = solved.join(stated, on="record", how="left", maintain_order="left")
    origin = (
        pl.when(pl.col("tricks").is_not_null())
        .then(pl.lit("stated"))
        .when(pl.col("solved").is_not_null())
        .then(pl.lit("solved"))
    )
    return rows.with_columns(pl.coalesce("tricks", "solved").alias("tricks"), origin.cast(ORIGIN).alias("origin"))


def _solved(dealt: pl.DataFrame, solver: Solver | None) -> pl.Series:
    """Solve the deals that can be played: four hands of thirteen, all cards different."""
    if solver is None or dealt.is_empty():
        return pl.Series("solved", [None] * len(dealt), dtype=_TRICKS)
    holders = owners(dealt["deal"])
    playable = np.all([(holders == seat).sum(axis=1) == 13 for seat in range(4)], axis=0)
    tables = solver(dealt["deal"].filter(pl.Series(playable)).unique(maintain_order=True).to_list())
    rows = [list(tables[deal]) if deal in tables else None for deal in dealt["deal"]]
    return pl.Series("solved", rows, dtype=_TRICKS)
