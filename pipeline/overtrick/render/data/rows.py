"""The rows that JSON, CSV, Parquet and the terminal list, and CSV itself.

All writers take their columns from here, so that a result has the same names and numbers in every format.
"""

from fractions import Fraction
from typing import Any, Final

import polars as pl

from overtrick.analyse.causes import CAUSES, list_causes
from overtrick.bridge.cards import CARDS, SIDE_OF_SEAT
from overtrick.bridge.victory_points import UNIT
from overtrick.frames import PROBLEMS, STANDINGS, Session
from overtrick.notation import contract_text

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


def list_analysis(session: Session) -> pl.Series:
    """Return the analysis of each result as a struct, null without one; fractions are texts such as `-7/2`.

    Its fields: `dd_tricks lead_cost`, `play` (a list of `trick card seat side cost`), `swing` for N-S in the unit of
    the method, and `causes`, a struct of `causes.CAUSES` that add up to it.
    """
    rows = session.analysis.hstack(session.results.select("declarer", "strain"))
    fractions = rows.select("denominator", "swing", *list_causes("NS")).with_columns(
        _fraction(name) for name in ("swing", *CAUSES)
    )
    known = pl.any_horizontal(pl.col("dd_tricks", "swing").is_not_null())
    return (
        rows.select("dd_tricks", "lead_cost", "declarer", pl.col("costs").alias("play"))
        .with_columns(
            _list_costs(rows), fractions["swing"], fractions.select(pl.struct(CAUSES)).to_series().alias("causes")
        )
        .select(pl.when(known).then(pl.struct("dd_tricks", "lead_cost", "play", "swing", "causes")).alias("analysis"))
        .to_series()
    )


def _fraction(name: str) -> pl.Expr:
    """Write a numerator over `denominator` in lowest terms."""

    def write(part: dict[str, int | None]) -> str | None:
        return None if part[name] is None else str(Fraction(part[name] or 0, part["denominator"] or 1))

    return pl.struct(name, "denominator").map_elements(write, pl.String, skip_nulls=False).alias(name)


def _list_costs(rows: pl.DataFrame) -> pl.Series:
    """Return what gave up tricks: the cards by their names, then a claim, which has no card and no seat."""
    listed = [
        None if costs is None else [_describe_cost(cost, declarer) for cost in costs]
        for costs, declarer in zip(rows["costs"].to_list(), rows["declarer"].to_list(), strict=True)
    ]
    fields = {"trick": pl.UInt8, "card": pl.String, "seat": pl.String, "side": pl.String, "cost": pl.Int8}
    return pl.Series("play", listed, dtype=pl.List(pl.Struct(fields)))


def _describe_cost(cost: dict[str, Any], declarer: str) -> dict[str, object]:
    if cost["card"] is None:
        side = "declarer" if cost["cost"] > 0 else "defence"
        return {"trick": None, "card": None, "seat": None, "side": side, "cost": abs(cost["cost"])}
    own = SIDE_OF_SEAT[cost["seat"]] == SIDE_OF_SEAT[declarer]
    side = "declarer" if own else "defence"
    return {"trick": cost["place"] // 4 + 1, "card": CARDS[cost["card"]], "seat": cost["seat"], "side": side} | {
        "cost": cost["cost"]
    }


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
