"""The rows that JSON, CSV, Parquet and the terminal list, and CSV itself.

All writers take their columns from here, so that a result has the same names and numbers in every format.
"""

from typing import Final

import numpy as np
import polars as pl

from overtrick.analyse.causes import CAUSES, list_causes
from overtrick.analyse.field import FIELD
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


def list_deals(session: Session) -> pl.DataFrame:
    """Return the deals, each once for a board: `section board deal`, as in `frames.RECORDS`."""
    dealt = session.records.filter(pl.col("deal").is_not_null(), pl.col("board").is_not_null())
    return dealt.select("section", "board", "deal").unique(maintain_order=True)


def list_analysis(session: Session) -> pl.Series:
    """Return the analysis of each result as a struct, null without one; fractions are texts such as `-7/2`.

    Its fields: `dd_tricks lead_cost`, `play` (a list of `trick card seat side cost best`), `swing` for N-S in the unit
    of the method, `causes`, a struct of `causes.CAUSES` that add up to it, the same for E-W as `swing_ew causes_ew`,
    and `others alike with_field`.
    """
    rows = session.analysis.hstack(session.results.select("declarer", "strain"))
    parts = {"swing": list_causes("NS"), "swing_ew": list_causes("EW")}
    fractions = {name: _fractions(rows.select("denominator", name, *causes)) for name, causes in parts.items()}
    known = pl.any_horizontal(pl.col("dd_tricks", "swing").is_not_null())
    fields = ("dd_tricks", "lead_cost", "play", "swing", "causes", "swing_ew", "causes_ew", *FIELD)
    return (
        rows.select("dd_tricks", "lead_cost", *FIELD)
        .with_columns(
            _list_costs(rows),
            *(fractions[name][name] for name in parts),
            *(
                fractions[name].select(pl.struct(CAUSES).alias(causes)).to_series()
                for name, causes in (("swing", "causes"), ("swing_ew", "causes_ew"))
            ),
        )
        .select(pl.when(known).then(pl.struct(fields)).alias("analysis"))
        .to_series()
    )


def _fractions(numerators: pl.DataFrame) -> pl.DataFrame:
    """Write numerators over `denominator` in lowest terms."""
    below = numerators["denominator"].fill_null(1).to_numpy()
    written = {}
    for name in numerators.columns[1:]:
        above = numerators[name].fill_null(0).to_numpy()
        common = np.gcd(above, below)
        whole, rest = pl.Series(above // common).cast(pl.String), pl.Series(below // common)
        text = (
            pl.DataFrame({"whole": whole, "rest": rest, "known": numerators[name].is_not_null()})
            .select(
                pl.when("known")
                .then(pl.when(pl.col("rest") == 1).then("whole").otherwise(pl.format("{}/{}", "whole", "rest")))
                .alias(name)
            )
            .to_series()
        )
        written[name] = text
    return pl.DataFrame(written)


def _list_costs(rows: pl.DataFrame) -> pl.Series:
    """Return what gave up tricks: the cards by their names, then a claim, which has no card and no seat."""
    each = (
        rows.select("declarer", "costs")
        .with_row_index("row")
        .explode("costs", empty_as_null=False, keep_nulls=False)
        .unnest("costs")
    )
    player, declarer = (
        pl.col(name).cast(pl.String).replace_strict(SIDE_OF_SEAT, default=None, return_dtype=pl.String)
        for name in ("seat", "declarer")
    )
    by_declarer = pl.when(pl.col("card").is_null()).then(pl.col("cost") > 0).otherwise(player == declarer)
    names = dict(enumerate(CARDS))
    played = pl.col("card").is_not_null()
    listed = each.select(
        "row",
        pl.struct(
            pl.when(played).then(pl.col("place") // 4 + 1).cast(pl.UInt8).alias("trick"),
            pl.col("card").replace_strict(names, default=None, return_dtype=pl.String),
            pl.col("seat").cast(pl.String),
            pl.when(by_declarer).then(pl.lit("declarer")).otherwise(pl.lit("defence")).alias("side"),
            pl.col("cost").abs(),
            pl.col("best").list.eval(pl.element().replace_strict(names, default=None, return_dtype=pl.String)),
        ).alias("play"),
    )
    by_row = listed.group_by("row", maintain_order=True).agg("play")
    plays = rows.select(pl.col("costs").is_not_null().alias("known")).with_row_index("row")
    return (
        plays.join(by_row, on="row", how="left", maintain_order="left")
        .select(pl.when("known").then(pl.col("play").fill_null([])).alias("play"))
        .to_series()
    )


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
