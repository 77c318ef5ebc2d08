"""The rows that JSON, CSV, Parquet and the terminal list, and CSV itself.

All writers take their columns from here, so that a result has the same names and numbers in every format.
"""

from typing import Final

import polars as pl

from overtrick.bridge.boards import board_vulnerability
from overtrick.bridge.victory_points import UNIT
from overtrick.frames import PROBLEMS, STANDINGS, VULNERABLE, Problems, Session
from overtrick.notation import contract_text
from overtrick.problems import report

DECIMALS: Final = 4
"""Of totals, points and percentages as written; ranking is done before, on exact numbers."""

FORMULA: Final = "^[=+\\-@\t\r\n\uff1d\uff0b\uff0d\uff20]"
"""The first characters of a text that a spreadsheet would run as a formula, full-width forms included."""


def list_standings(session: Session) -> pl.DataFrame:
    """Return the standings, best first within a ranking: the columns of `frames.STANDINGS` without stated values."""
    return session.standings.select(_round(tuple(name for name in STANDINGS if not name.startswith("stated_"))))


def list_results(session: Session) -> pl.DataFrame:
    """Return every scored line of every board.

    Columns: `section round table board ns ew contract declarer tricks lead score_ns points_ns points_ew percentage_ns
    award_ns award_ew` as in `frames.RESULTS`; `contract` as in `notation.contract_text`, `score_ns` in points,
    `points_*` in matchpoints or IMPs. `formats.csv` reads these columns.
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
        *_round(("points_ns", "points_ew", "percentage_ns")),
        "award_ns",
        "award_ew",
    )


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
        *(_names_of(session, side) for side in ("ns", "ew")),
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


def _names_of(session: Session, side: str) -> pl.Series:
    """Return the names of the contestants on a side: of that number, section and direction, as far as they are told."""
    known = session.contestants.drop_nulls("names").filter(pl.col("names") != pl.col("contestant"))
    asked = session.results.select(
        pl.col(side).alias("contestant"), "section", pl.lit(side.upper(), known.schema["direction"]).alias("direction")
    )
    for by in (["contestant", "section", "direction"], ["contestant", "section"], ["contestant", "direction"]):
        asked = _with_names(asked, known, by)
    named = _with_names(asked, known, ["contestant"])
    return named.select(pl.coalesce(pl.col("^names_by_.*$"))).to_series().alias(f"names_{side}")


def _with_names(asked: pl.DataFrame, known: pl.DataFrame, by: list[str]) -> pl.DataFrame:
    found = known.select(*by, pl.col("names").alias(f"names_by_{'_'.join(by)}")).unique(by, keep="first")
    return asked.join(found, on=by, how="left", maintain_order="left")


def report_not_in_table(session: Session) -> Problems:
    """Report what a session holds and `list_table` cannot."""
    records, results = session.records, session.results
    held = {
        "deals": records["deal"].is_not_null().any(),
        "auctions": (records["calls"].list.len() > 0).any(),
        "plays": (records["cards"].list.len() > 0).any(),
        "split and weighted scores": results["split_score"].is_not_null().any()
        or results["weights"].is_not_null().any(),
        "membership numbers": session.contestants["members"].is_not_null().any(),
        "the names of single players": results["player_n"].is_not_null().any(),
    }
    what = [name for name, has in held.items() if has]
    return report("csv-not-written", pl.DataFrame({"what": [", ".join(what)]} if what else {"what": []}))


def list_matches(session: Session) -> pl.DataFrame:
    """Return the matches of teams.

    Columns: `section round team opponents boards`, `points points_opponents` in IMPs (or matchpoints, or points), and
    `victory_points victory_points_opponents`, null without a scale.
    """
    return session.matches.select(
        *("section", "round", "team", "opponents", "boards"),
        *_round(("points", "points_opponents")),
        *((pl.col(name) / UNIT).alias(name) for name in ("victory_points", "victory_points_opponents")),
    )


def list_sheets(session: Session) -> pl.DataFrame:
    """Return the score sheets of rubber-type games, a row for each entry: the columns of `frames.SHEETS`."""
    return session.sheets


def list_problems(session: Session) -> pl.DataFrame:
    """Return the problems, file by file and from top to bottom: the columns of `frames.PROBLEMS`."""
    return session.problems.select(*PROBLEMS).sort("source", "line", "column", nulls_last=False, maintain_order=True)


def count_boards(session: Session) -> int:
    """Return the number of different board numbers."""
    return session.records["board"].drop_nulls().n_unique()


def count_tables(session: Session) -> int | None:
    """Return the number of tables of all sections; None unless the files name the table of every result."""
    scored = session.results.drop_nulls("score_ns")
    if scored.is_empty() or scored["table"].has_nulls():
        return None
    return scored.select("section", "table").n_unique()


def write_csv(rows: pl.DataFrame) -> str:
    """Return rows as CSV for spreadsheets: a header line, commas, `.` for decimals, an empty cell for null.

    A text that a spreadsheet would run as a formula gets an apostrophe before it: names come from strangers.
    """
    texts = [name for name, dtype in rows.schema.items() if dtype == pl.String]
    return rows.with_columns(pl.col(texts).str.replace(FORMULA, "'${0}")).write_csv()


def _round(columns: tuple[str, ...]) -> list[pl.Expr]:
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
