"""The tricks that each deal allows: double-dummy tables, stated and solved, and par."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import polars as pl

from overtrick.core.frames import DOUBLE_DUMMY, ORIGIN, PROBLEMS, Session, conform, empty
from overtrick.core.late import may_name
from overtrick.core.problems import concat_problems, report
from overtrick.judge.analyse.deals import are_playable, list_deals, name_missing
from overtrick.judge.analyse.stated_tables import PAR_TAGS, TABLE_TAGS, find_faults, read_tables, with_par

Solver = Callable[[Sequence[str]], Mapping[str, bytes]]
"""Solves canonical deals of 52 cards: returns the twenty tricks of each, in the order of `frames.DOUBLE_DUMMY`, and
leaves out a deal that it can't solve."""


def analyse(session: Session, solver: Solver | None = None) -> Session:
    """Fill `double_dummy` with the tables that the files state, the tables that the solver finds, and par.

    A table that a file states counts. Whatever differs from it is reported: another table of the same deal, the
    solver's table, or the par that the file states.

    Args:
        session: as validated.
        solver: None to use only the tables of the files.
    """
    if solver is None and not may_name(session.listed, [*TABLE_TAGS, *PAR_TAGS]):
        return session
    dealt = list_deals(session)
    stated, unreadable = read_tables(session)
    place = dealt.select(place="record", record="records").explode("record")
    stated = stated.join(place, on="record", how="left", maintain_order="left")
    first = stated.unique("place", keep="first", maintain_order=True)
    rows = _with_tables(dealt.with_columns(_solved(dealt, solver)), first)
    rows, par_problems = with_par(session, rows)
    problems = [
        *(report(code, at) for code, at in find_faults(session, stated, first, rows, unreadable).items()),
        par_problems,
        report("double-dummy-unsolved", _unsolved(rows) if solver else empty(PROBLEMS)),
    ]
    known = pl.any_horizontal(pl.col("tricks", "par_ns", "par_contracts").is_not_null())
    return replace(
        session,
        double_dummy=conform(DOUBLE_DUMMY, rows.filter(known)),
        problems=concat_problems([session.problems, *problems]),
    )


def _with_tables(solved: pl.DataFrame, first: pl.DataFrame) -> pl.DataFrame:
    """Fill `tricks` and `origin` with the stated table of each deal, else with the solver's."""
    stated = first.select(pl.col("place").alias("record"), "tricks")
    rows = solved.join(stated, on="record", how="left", maintain_order="left")
    origin = pl.coalesce(
        pl.when(pl.col(column).is_not_null()).then(pl.lit(origin))
        for column, origin in (("tricks", "stated"), ("solved", "solved"))
    )
    return rows.with_columns(tricks=pl.coalesce("tricks", "solved"), origin=origin.cast(ORIGIN))


def _solved(dealt: pl.DataFrame, solver: Solver | None) -> pl.Series:
    """Return the solver's tables, null where it has none."""
    if solver is None:
        return pl.repeat(None, len(dealt), dtype=DOUBLE_DUMMY["solved"].dtype, eager=True).alias("solved")
    deals_to_solve = dealt["deal"].filter(are_playable(dealt["deal"])).unique(maintain_order=True).to_list()
    tables = solver(deals_to_solve) if deals_to_solve else {}
    rows = [list(tables[deal]) if deal in tables else None for deal in dealt["deal"]]
    return pl.Series("solved", rows, dtype=DOUBLE_DUMMY["solved"].dtype)


def _unsolved(rows: pl.DataFrame) -> pl.DataFrame:
    """Count the deals that the solver could not solve; no row where there are none."""
    count = (rows["tricks"].is_null() & are_playable(rows["deal"])).sum()
    counted = pl.DataFrame({"count": [count] if count else []}, schema={"count": pl.Int64})
    return counted.with_columns(missing=pl.lit(name_missing()))
