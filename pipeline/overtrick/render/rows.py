"""The rows that leave the house: what JSON, CSV, Parquet and the terminal list, with ready values and no others.

All writers take their columns from here, so that a result has the same names and numbers in every format.
"""

from typing import Final

import polars as pl

from overtrick.bridge.victory_points import UNIT
from overtrick.frames import PROBLEMS, STANDINGS, Session
from overtrick.notation import contract_text

DECIMALS: Final = 4
"""Of totals, points and percentages as written; ranking is done before, on exact numbers."""


def standings_rows(session: Session) -> pl.DataFrame:
    """List the standings: the columns of `frames.STANDINGS` but what files state, best first within a ranking."""
    return session.standings.select(_rounded(tuple(name for name in STANDINGS if not name.startswith("stated_"))))


def results_rows(session: Session) -> pl.DataFrame:
    """List every scored line of every board.

    Columns: `section round table board ns ew contract declarer tricks lead score_ns points_ns points_ew percentage_ns
    award_ns award_ew` as in `frames.RESULTS`; `contract` as in `contract_text`, `score_ns` in points, `points_*` in
    matchpoints or IMPs. `parse.csv` reads them again.
    """
    return session.results.with_columns(contract_text().alias("contract")).select(
        "section",
        "round",
        "table",
        "board",
        "ns",
        "ew",
        "contract",
        "declarer",
        "tricks",
        "lead",
        "score_ns",
        *_rounded(("points_ns", "points_ew", "percentage_ns")),
        "award_ns",
        "award_ew",
    )


def matches_rows(session: Session) -> pl.DataFrame:
    """List the matches of teams.

    Columns: `section round team opponents boards`, `points points_opponents` in IMPs (or matchpoints, or points), and
    `victory_points victory_points_opponents`, null without a scale.
    """
    return session.matches.select(
        *("section", "round", "team", "opponents", "boards"),
        *_rounded(("points", "points_opponents")),
        *((pl.col(name) / UNIT).alias(name) for name in ("victory_points", "victory_points_opponents")),
    )


def sheets_rows(session: Session) -> pl.DataFrame:
    """List the score sheets of rubber-type games entry by entry: the columns of `frames.SHEETS`."""
    return session.sheets


def problem_rows(session: Session) -> pl.DataFrame:
    """List the problems: the columns of `frames.PROBLEMS`, file by file and from top to bottom."""
    return session.problems.select(*PROBLEMS).sort("source", "line", "column", nulls_last=False, maintain_order=True)


def board_count(session: Session) -> int:
    """Count the different board numbers."""
    return session.records["board"].drop_nulls().n_unique()


def table_count(session: Session) -> int | None:
    """Count the tables that played, section by section; None unless the files name the table of every result."""
    scored = session.results.drop_nulls("score_ns")
    if scored.is_empty() or scored["table"].has_nulls():
        return None
    return scored.select("section", "table").n_unique()


def _rounded(columns: tuple[str, ...]) -> list[pl.Expr]:
    floats = (
        "total",
        "percentage",
        "correction",
        "points",
        "points_opponents",
        "points_ns",
        "points_ew",
        "percentage_ns",
    )
    return [pl.col(name).round(DECIMALS) if name in floats else pl.col(name) for name in columns]
