"""Frames to what could have been made: double-dummy tables as stated and as solved, makeable contracts and par."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import polars as pl

from overtrick.analyse.comparison import table_faults
from overtrick.analyse.deals import deals, playable
from overtrick.analyse.pars import with_par
from overtrick.analyse.stated import TABLE_TAGS, stated_tables
from overtrick.analyse.stated_par import PAR_TAGS
from overtrick.frames import DOUBLE_DUMMY, ORIGIN, PROBLEMS, Session, conform, empty
from overtrick.problems import report

Solver = Callable[[Sequence[str]], Mapping[str, bytes]]
"""What solves canonical deals of 52 cards: the twenty tricks of each, in the order of `frames.DOUBLE_DUMMY`; a deal
that it can't solve is left out."""


def analyse(session: Session, solver: Solver | None = None) -> Session:
    """Fill `double_dummy`: the tables that the files state, those that the solver finds, and par.

    Where a file states a table it counts; what differs from it is a problem: another table of the same deal, the
    solver's, or the par that the file states.

    Args:
        session: as validated.
        solver: None to take the files' tables alone.
    """
    if solver is None and not session.items["name"].is_in([*TABLE_TAGS, *PAR_TAGS]).any():
        return session
    dealt = deals(session)
    stated, unreadable = stated_tables(session)
    place = dealt.select(pl.col("record").alias("place"), pl.col("records").alias("record")).explode("record")
    stated = stated.join(place, on="record", how="left", maintain_order="left")
    first = stated.unique("place", keep="first", maintain_order=True)
    rows = _with_tables(dealt.with_columns(_solved(dealt, solver)), first)
    rows, par_problems = with_par(session, rows)
    problems = [
        *(report(code, at) for code, at in table_faults(session, stated, first, rows, unreadable).items()),
        par_problems,
        report("double-dummy-unsolved", _unsolved(rows) if solver else empty(PROBLEMS)),
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
    if solver is None:
        return pl.repeat(None, len(dealt), dtype=DOUBLE_DUMMY["solved"].dtype, eager=True).alias("solved")
    deals_to_solve = dealt["deal"].filter(playable(dealt["deal"])).unique(maintain_order=True).to_list()
    tables = solver(deals_to_solve) if deals_to_solve else {}
    rows = [list(tables[deal]) if deal in tables else None for deal in dealt["deal"]]
    return pl.Series("solved", rows, dtype=DOUBLE_DUMMY["solved"].dtype)


def _unsolved(rows: pl.DataFrame) -> pl.DataFrame:
    """Count the deals that a solver was asked for in vain; no row where there are none."""
    count = (rows["tricks"].is_null() & playable(rows["deal"])).sum()
    return pl.DataFrame({"count": [count] if count else []}, schema={"count": pl.Int64})
