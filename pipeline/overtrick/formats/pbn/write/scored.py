"""A scored session as PBN states one: score tables (PBN 5.9, 5.10) and what could have been made (4.2 and 5.7)."""

from dataclasses import replace
from typing import Final

import polars as pl

from overtrick.bridge.cards import SEATS, STRAINS, UNKNOWN
from overtrick.bridge.methods import method_named
from overtrick.formats.pbn.tags import TAGS
from overtrick.frames import ITEM_KIND, ITEMS, Session, conform
from overtrick.notation import BETWEEN, contract_text

_NOT_KNOWN: Final = "-"
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
    "Honours_NS": "honours_ns",
    "Honours_EW": "honours_ew",
    "Conduct_NS": "conduct_ns",
    "Conduct_EW": "conduct_ew",
    "ButlerDatum": "datum",
    "Multiplicity": "tables",
}
"""Columns of ScoreTable (PBN 5.9), some of them private ones, and the columns of results with their values."""
_ALWAYS_SCORED: Final = ("PairId_NS", "PairId_EW", "Contract", "Declarer", "Result", "Score_NS", "Score_EW")
"""Columns of ScoreTable that a table has even if all its rows lack the value."""
_TOTALS: Final = {
    "Rank": "rank",
    "PairId": "contestant",
    "Section": "section",
    "Direction": "direction",
    "Names": "names",
    "TotalScoreMP": "total_mp",
    "TotalPercentage": "percentage",
    "TotalScoreIMP": "total_imp",
    "MasterPoints": "awards",
}
"""Columns of TotalScoreTable (PBN 5.10, and MasterPoints), and the columns of standings with their values."""

_RESULT_TABLE: Final = "OptimumResultTable"
_PAR_SCORE: Final = "OptimumScore"
_RESULT_HEADER: Final = r"Declarer;Denomination\2R;Result\2R"


def add_tables(session: Session) -> Session:
    """Add the tables of its boards and of its ranking to a scored session, in place of those that were read.

    The game that had the table of a board keeps it, else the first game with its deal gets it; readers score a board
    from its table. Boards without a number, and sessions by a method that compares no field, stay as they are. The
    first game of a deal gets the double-dummy tricks and par that are known.

    Args:
        session: scored and ranked, with the items of PBN (`foreign.as_pbn`).
    """
    could_be = _write_double_dummy(session)
    lines = session.results.filter(pl.col("board").is_not_null())
    if method_named(session.facts.method).pbn_written is None or lines.is_empty():
        return replace(session, items=_put_in_place(session, could_be)) if could_be else session
    homes = _homes(session)
    lines = lines.with_columns(pl.col("record").replace_strict(homes["record"], homes["home"])).sort(
        "record", maintain_order=True
    )
    tables = write_score_tables(lines, matchpoints=method_named(session.facts.method).unit == "matchpoints")
    scores = [
        *tables,
        *write_total_table(session, int(lines["record"][0])),
        *_write_scoring(session, lines["record"].unique()),
    ]
    rewritten = pl.col("name").is_in([tag.name for tag in TAGS.values() if tag.becomes])
    without = replace(session, items=session.items.filter(~rewritten.fill_null(value=False)))
    return replace(session, items=_put_in_place(without, [*could_be, *scores]))


def add_awards(session: Session) -> Session:
    """Add the table of totals to a session that has masterpoints and states no totals; its items are those of PBN."""
    has_totals = session.items["name"].is_in(["TotalScoreTable"]).any()
    if has_totals or session.records.is_empty() or session.standings["awards"].is_null().all():
        return session
    return replace(session, items=_put_in_place(session, write_total_table(session, int(session.records["record"][0]))))


def _homes(session: Session) -> pl.DataFrame:
    """Return which record holds the table of each record's board: `record home`."""
    headed = session.items.filter(pl.col("kind") == "section", pl.col("name") == "ScoreTable")["record"].unique()
    boards = session.records.select("record", "board", "deal", headed=pl.col("record").is_in(headed.to_list()))
    first = boards.sort("headed", "record", descending=[True, False]).unique(
        ["board", "deal"], keep="first", maintain_order=True
    )
    home = first.select("board", "deal", pl.col("record").alias("home"))
    return boards.join(home, on=["board", "deal"], how="left", nulls_equal=True, maintain_order="left")


def _write_scoring(session: Session, records: pl.Series) -> list[pl.DataFrame]:
    """State the method where the files ask for another one or for none."""
    method = method_named(session.facts.method)
    asks = rf"(?i)\b(?:{'|'.join(method.pbn)})"
    stated = session.records.filter(pl.col("record").is_in(records.to_list()))
    silent = stated.filter(~pl.col("scoring").str.contains(asks).fill_null(value=False))
    return [silent.select("record", kind=pl.lit("tag"), name=pl.lit("Scoring"), text=pl.lit(method.pbn_written))]


def _put_in_place(session: Session, parts: list[pl.DataFrame]) -> pl.DataFrame:
    """Return the session's items with new ones before those of their records, without the Scoring that they replace."""
    new = pl.concat(parts).join(session.records.select("record", "source"), on="record", how="left")
    restated = new.filter(pl.col("name") == "Scoring").select("record", "name")
    kept = session.items.join(restated, on=["record", "name"], how="anti", maintain_order="left")
    items = conform(ITEMS, new.with_columns(line=1, column=1, kind=pl.col("kind").cast(ITEM_KIND)))
    return pl.concat([items, kept]).sort("record", maintain_order=True, nulls_last=False)


def write_score_tables(results: pl.DataFrame, *, matchpoints: bool) -> list[pl.DataFrame]:
    """Write the ScoreTable of each record that has results.

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
    return _write_tables("ScoreTable", cells, _SCORES, _ALWAYS_SCORED)


def _contract() -> pl.Expr:
    """Write the contract, or instead that the board was not played."""
    words = {"not played": "NP", "bye": "bye"}
    return pl.col("status").cast(pl.String).replace_strict(words, default=contract_text(), return_dtype=pl.String)


def write_total_table(session: Session, record: int) -> list[pl.DataFrame]:
    """Write the TotalScoreTable of a ranked session below a record; frames as of `write_score_tables`."""
    matchpoints = session.standings["percentage"].is_not_null().any()
    total = pl.col("total").round(4)
    rows = session.standings.with_columns(
        total_mp=total if matchpoints else pl.lit(None),
        total_imp=pl.lit(None) if matchpoints else total,
        percentage=pl.col("percentage").round(4),
        names=pl.col("names").str.replace_all(BETWEEN, ";", literal=True),
        direction=pl.coalesce(
            pl.col("direction").cast(pl.String),
            pl.when(pl.col("ranking").str.contains(r"\b(?:NS|EW)$")).then(pl.col("ranking").str.slice(-2)),
        ),
    )
    rows = rows.with_columns(pl.lit(record, pl.UInt32).alias("record"))
    return _write_tables("TotalScoreTable", rows, _TOTALS, ("Rank", "PairId"))


def _write_tables(
    name: str, rows: pl.DataFrame, columns: dict[str, str], always: tuple[str, ...]
) -> list[pl.DataFrame]:
    """Write the table of each record: its tag with the columns that have a value there, and its rows."""
    held = {
        column: pl.lit(value=True) if column in always else pl.col(key).is_not_null().any().over("record")
        for column, key in columns.items()
        if column in always or rows[key].count()
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
    """Write a cell: `-` for an unknown value, and quotes around one with blanks (PBN 5.2)."""
    text = value.cast(pl.String).str.replace(r"\.0$", "").str.replace_all(r'["\\]', "'").str.replace_all(r"\s+", " ")
    quoted = pl.when(text.str.contains(r"^$|[\s;%{}\[]")).then(pl.format('"{}"', text)).otherwise(text)
    return quoted.fill_null(_NOT_KNOWN)


def _write_double_dummy(session: Session) -> list[pl.DataFrame]:
    """Write the known tables and par scores of games that state none: frames of `record kind name text`."""
    known = session.double_dummy
    stated = session.items.filter(pl.col("kind") == "tag").select("record", "name")
    tables = known.drop_nulls("tricks").join(
        stated.filter(name=_RESULT_TABLE), on="record", how="anti", maintain_order="left"
    )
    scores = known.drop_nulls("par_ns").join(
        stated.filter(name=_PAR_SCORE), on="record", how="anti", maintain_order="left"
    )
    side = pl.when(pl.col("par_ns") < 0).then(pl.lit("EW")).otherwise(pl.lit("NS"))
    parts = [
        _items(scores, "tag", _PAR_SCORE, pl.format("{} {}", side, pl.col("par_ns").abs())),
        _items(tables, "tag", _RESULT_TABLE, pl.lit(_RESULT_HEADER)),
        _items(_with_rows(tables), "section", _RESULT_TABLE, pl.col("rows")),
    ]
    return [part for part in parts if len(part)]


def _items(frame: pl.DataFrame, kind: str, name: str, text: pl.Expr) -> pl.DataFrame:
    return frame.select("record", kind=pl.lit(kind), name=pl.lit(name), text=text)


def _with_rows(tables: pl.DataFrame) -> pl.DataFrame:
    """Write twenty rows a table, declarer by declarer, no trumps first."""
    rows = [
        pl.lit(f"{seat} {strain} ") + _tricks(pl.col("tricks").arr.get(5 * SEATS.index(seat) + STRAINS.index(strain)))
        for seat in SEATS
        for strain in reversed(STRAINS)
    ]
    return tables.select("record", pl.concat_str(rows, separator="\n").alias("rows"))


def _tricks(number: pl.Expr) -> pl.Expr:
    return pl.when(number != UNKNOWN).then(number.cast(pl.String)).otherwise(pl.lit("?"))
