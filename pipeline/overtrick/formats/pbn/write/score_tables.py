"""Score tables of a session that has been scored (PBN 5.8 and 5.10): of each board, and of the ranking."""

from typing import Final

import polars as pl

from overtrick.frames import Session
from overtrick.notation import contract_text

_UNKNOWN: Final = "-"
_SCORES: Final = {
    "Section": "section",
    "Round": "round",
    "Table": "table",
    "PairId_NS": "ns",
    "PairId_EW": "ew",
    "Contract": "contract",
    "Declarer": "declarer",
    "Result": "tricks",
    "Lead": "lead",
    "Score_NS": "cell_ns",
    "Score_EW": "cell_ew",
    "MP_NS": "mp_ns",
    "MP_EW": "mp_ew",
    "IMP_NS": "imp_ns",
    "IMP_EW": "imp_ew",
    "ButlerDatum": "datum",
    "Multiplicity": "tables",
}
"""Columns of ScoreTable (PBN 5.8), each left out where a board has nothing in it."""

_ALWAYS: Final = ("PairId_NS", "PairId_EW", "Contract", "Declarer", "Result", "Score_NS", "Score_EW")
_TOTALS: Final = {
    "Rank": "rank",
    "PairId": "contestant",
    "Section": "section",
    "Direction": "direction",
    "Names": "names",
    "TotalScoreMP": "total_mp",
    "TotalPercentage": "percentage",
    "TotalScoreIMP": "total_imp",
}


def score_tables(results: pl.DataFrame, *, matchpoints: bool) -> list[pl.DataFrame]:
    """Write the ScoreTable of each record that results name.

    Args:
        results: `frames.RESULTS`, scored.
        matchpoints: whether points are matchpoints; else they are IMPs.

    Returns:
        Frames of `record kind name text`: the tag, and the section below it.
    """
    points = {
        f"{kind}_{side}": pl.col(f"points_{side}").round(4) if (kind == "mp") == matchpoints else pl.lit(None)
        for kind in ("mp", "imp")
        for side in ("ns", "ew")
    }
    shared = pl.col("multiplicity").fill_null(1)
    cells = results.with_columns(
        **points,
        contract=_contract(),
        tables=pl.when((shared > 1).any()).then(shared),
        cell_ns=pl.coalesce(pl.lit("^") + pl.col("award_ns"), pl.col("score_ns").cast(pl.String)),
        cell_ew=pl.coalesce(pl.lit("^") + pl.col("award_ew"), (-pl.col("score_ns")).cast(pl.String)),
    )
    return _tables("ScoreTable", cells, _SCORES, _ALWAYS)


def _contract() -> pl.Expr:
    """Write the contract, or in its place that a board was not played."""
    words = {"not played": "NP", "bye": "bye"}
    return pl.col("status").cast(pl.String).replace_strict(words, default=contract_text(), return_dtype=pl.String)


def total_table(session: Session, record: int) -> list[pl.DataFrame]:
    """Write the TotalScoreTable of a ranked session below a record; frames as `score_tables` gives them."""
    matchpoints = session.standings["percentage"].is_not_null().any()
    total = pl.col("total").round(4)
    rows = session.standings.with_columns(
        total_mp=total if matchpoints else pl.lit(None),
        total_imp=pl.lit(None) if matchpoints else total,
        percentage=pl.col("percentage").round(4),
        names=pl.col("names").str.replace_all(" - ", ";", literal=True),
        direction=pl.coalesce(
            pl.col("direction").cast(pl.String),
            pl.when(pl.col("ranking").str.contains(r"\b(?:NS|EW)$")).then(pl.col("ranking").str.slice(-2)),
        ),
    )
    rows = rows.with_columns(pl.lit(record, pl.UInt32).alias("record"))
    return _tables("TotalScoreTable", rows, _TOTALS, ("Rank", "PairId"))


def _tables(name: str, rows: pl.DataFrame, columns: dict[str, str], always: tuple[str, ...]) -> list[pl.DataFrame]:
    """Write the table of each record: its tag with the columns that hold anything there, and its rows."""
    held = {
        column: pl.lit(value=True) if column in always else pl.col(key).is_not_null().any().over("record")
        for column, key in columns.items()
    }
    heads = [pl.when(there).then(pl.lit(column)) for column, there in held.items()]
    cells = [pl.when(there).then(_cell(pl.col(columns[column]))) for column, there in held.items()]
    tables = (
        rows.select(
            "record",
            pl.concat_str(heads, separator=";", ignore_nulls=True).alias("tag"),
            pl.concat_str(cells, separator=" ", ignore_nulls=True).alias("section"),
        )
        .group_by("record", maintain_order=True)
        .agg(pl.col("tag").first(), pl.col("section").str.join("\n"))
    )
    return [
        tables.select(pl.col("record").cast(pl.UInt32), kind=pl.lit(kind), name=pl.lit(name), text=kind)
        for kind in ("tag", "section")
    ]


def _cell(value: pl.Expr) -> pl.Expr:
    """Write a cell: `-` for what is not known, quotes around what has blanks in it (PBN 5.2)."""
    text = value.cast(pl.String).str.replace(r"\.0$", "").str.replace_all(r'["\\]', "'").str.replace_all(r"\s+", " ")
    quoted = pl.when(text.str.contains(r"^$|[\s;%{}\[]")).then(pl.format('"{}"', text)).otherwise(text)
    return quoted.fill_null(_UNKNOWN)
