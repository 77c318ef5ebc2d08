"""A session that was read from other formats, as PBN would state it: auctions, plays, score tables, the totals."""

from dataclasses import replace
from typing import Final

import polars as pl

from overtrick.bridge.boards import board_dealer, board_vulnerability
from overtrick.frames import ITEM_KIND, ITEMS, SEAT, VULNERABLE, Session, conform
from overtrick.render.rows import contract_text

_TEXTS: Final = ("Event", "Site", "Date", "West", "North", "East", "South", "Scoring")
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


def as_pbn(session: Session) -> Session:
    """Give the records of other formats the items that a PBN file would have; those of PBN files keep theirs."""
    foreign = session.sources.filter(pl.col("format").is_not_null() & (pl.col("format") != "pbn"))["source"]
    records = session.records.filter(pl.col("source").is_in(foreign.implode()))
    if records.is_empty():
        return session
    kept = session.items.filter(~pl.col("source").is_in(foreign.implode()))
    own = records.filter(pl.col("level").is_not_null() | pl.col("stated_score_ns").is_not_null())
    tabled = session.results.join(records.join(own, on="record", how="anti"), on="record", how="semi")
    parts = [
        _texts(records),
        _seats(records, "Auction", "auction_start"),
        _seats(records, "Play", "play_start"),
        *_score_tables(tabled, matchpoints=session.facts.method == "matchpoints"),
        *(_total_table(session, int(records["record"][0])) if len(tabled) else ()),
    ]
    placed = (
        pl.concat(parts)
        .join(records.select("record", "source"), on="record", how="left")
        .with_columns(pl.lit(1).alias("line"), pl.lit(1).alias("column"), pl.col("kind").cast(ITEM_KIND))
    )
    items = pl.concat([kept, conform(ITEMS, placed)]).sort("record", maintain_order=True, nulls_last=False)
    return replace(session, items=items, records=_by_number(session.records, foreign))


def _by_number(records: pl.DataFrame, foreign: pl.Series) -> pl.DataFrame:
    """Name dealer and vulnerability as the board number gives them (Law 2), for readers that need them stated."""
    board, theirs = pl.col("board"), pl.col("source").is_in(foreign.implode())
    return records.with_columns(
        pl.when(theirs).then(pl.coalesce("dealer", board_dealer(board).cast(SEAT))).otherwise("dealer"),
        pl.when(theirs)
        .then(pl.coalesce("vulnerable", board_vulnerability(board).cast(VULNERABLE)))
        .otherwise("vulnerable"),
    )


def _texts(records: pl.DataFrame) -> pl.DataFrame:
    """Give the mandatory tags that are texts; the others are written from the record."""
    tags = {name.lower(): name for name in _TEXTS} | {"board_label": "Board"}
    stated = records.select("record", *(pl.col(column).alias(name) for column, name in tags.items()))
    rows = stated.unpivot(list(tags.values()), index="record", variable_name="name", value_name="text")
    return rows.drop_nulls("text").select("record", pl.lit("tag").alias("kind"), "name", "text")


def _seats(records: pl.DataFrame, name: str, start: str) -> pl.DataFrame:
    """Give the tag that heads an auction or a play; its body is written from the record."""
    stated = records.drop_nulls(start)
    return stated.select("record", kind=pl.lit("tag"), name=pl.lit(name), text=pl.col(start).cast(pl.String))


def _score_tables(results: pl.DataFrame, *, matchpoints: bool) -> list[pl.DataFrame]:
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
    return [
        part
        for (record,), rows in cells.group_by("record", maintain_order=True)
        for part in _table(int(str(record)), "ScoreTable", rows, _SCORES, _ALWAYS)
    ]


def _contract() -> pl.Expr:
    """Write the contract, or in its place that a board was not played."""
    words = {"not played": "NP", "bye": "bye"}
    return pl.col("status").cast(pl.String).replace_strict(words, default=contract_text(), return_dtype=pl.String)


def _total_table(session: Session, record: int) -> list[pl.DataFrame]:
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
    return _table(record, "TotalScoreTable", rows, _TOTALS, ("Rank", "PairId")) if len(rows) else []


def _table(
    record: int, name: str, rows: pl.DataFrame, columns: dict[str, str], always: tuple[str, ...]
) -> list[pl.DataFrame]:
    """Write a table: its tag with the columns that hold anything, and its rows."""
    held = [column for column, key in columns.items() if column in always or rows[key].is_not_null().any()]
    body = rows.select(_cell(pl.col(columns[column])).alias(column) for column in held)
    text = "\n".join(body.select(pl.concat_str(held, separator=" ").alias("row"))["row"].to_list())
    pairs = [("tag", ";".join(held)), ("section", text)]
    return [
        pl.DataFrame(
            [(record, kind, name, value) for kind, value in pairs],
            schema={"record": pl.UInt32, "kind": pl.String, "name": pl.String, "text": pl.String},
            orient="row",
        )
    ]


def _cell(value: pl.Expr) -> pl.Expr:
    """Write a cell: `-` for what is not known, quotes around what has blanks in it (PBN 5.2)."""
    text = value.cast(pl.String).str.replace(r"\.0$", "").str.replace_all(r'["\\]', "'").str.replace_all(r"\s+", " ")
    quoted = pl.when(text.str.contains(r"^$|[\s;%{}\[]")).then(pl.format('"{}"', text)).otherwise(text)
    return quoted.fill_null(_UNKNOWN)
