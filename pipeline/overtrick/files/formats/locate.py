"""Where in its file a record or a result states something, for problems that are found long after reading.

A stated value is named by its column of `frames.RECORDS` or `frames.RESULTS`. Each format finds it in its own way
(`Format.locate` and `Format.locate_cells`).
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import polars as pl

from overtrick.core.frames import PROBLEMS, Problems, Session, conform
from overtrick.core.problems import FINDINGS
from overtrick.files.formats.form import Format
from overtrick.files.formats.looks import get_format
from overtrick.files.formats.registry import FORMATS

_STARTS: Final = {"calls": "auction_start", "cards": "play_start"}
"""By column of entries, the column that is stated where they begin."""


def locate_findings(session: Session) -> Session:
    """Find the places in the files of what the checks found (`problems.FINDINGS`), each format and part at once.

    A finding about a record is placed where the file states its part, else where the entries begin, else at the first
    line of the record; a finding about a result where the file states its part, else at the result. A finding that the
    reader has reported under a code of its own (`Format.supersedes`) is left out.

    Returns:
        The session, its problems in the same order, in the columns of `frames.PROBLEMS`.
    """
    problems = _without_superseded(session.problems)
    if "part" not in problems.columns or problems["part"].is_null().all():
        return replace(session, problems=conform(PROBLEMS, problems))
    # A fact is stated in a record, but the problem is not about that record.
    of_fact = pl.col("part").str.starts_with("facts.")
    found = conform(FINDINGS, problems).with_row_index("row")
    asked = found.with_columns(
        pl.when(of_fact).then(pl.col("index").cast(pl.UInt32)).otherwise("record").alias("record"),
        pl.when(~of_fact).then("index").alias("index"),
    )
    places = [
        (_in_results if of == "results" else _in_records)(session, rows, column)
        for (part,), rows in asked.drop_nulls("part").group_by("part")
        for of, _, column in [str(part).partition(".")]
    ]
    at = pl.concat(places).select("row", at_line="line", at_column="column")
    located = found.join(at, on="row", how="left", maintain_order="left").with_columns(
        pl.coalesce("at_line", "line").alias("line"), pl.coalesce("at_column", "column").alias("column")
    )
    return replace(session, problems=conform(PROBLEMS, located))


def _without_superseded(problems: Problems) -> Problems:
    """Drop the problems of a record that its reader has reported under a code of its own (`Format.supersedes`)."""
    present = set(problems["code"].unique())
    said = [
        problems.filter(pl.col("code") == code).select("record").join(pl.DataFrame({"code": repeated}), how="cross")
        for known in FORMATS
        for code, repeated in known.supersedes.items()
        if code in present
    ]
    if not said:
        return problems
    return problems.join(pl.concat(said).unique(), on=["record", "code"], how="anti", maintain_order="left")


def _in_records(session: Session, rows: pl.DataFrame, column: str) -> pl.DataFrame:
    """Return `row line column` where the record of each row states a column, else where its entries or it begin."""
    records = rows["record"].drop_nulls().unique()
    asked = rows.select("row", "record", "index")
    found = [asked.join(locate(session, records, column), on=["record", "index"], nulls_equal=True)]
    if column in _STARTS:
        found.append(asked.join(locate(session, records, _STARTS[column]), on="record"))
    begins = session.records.select("record", "line", pl.lit(1, pl.UInt32).alias("column"))
    places = [*(places_of.drop_nulls("line") for places_of in found), asked.join(begins, on="record")]
    return pl.concat([places_of.select("row", "line", "column") for places_of in places]).unique("row", keep="first")


def _in_results(session: Session, rows: pl.DataFrame, column: str) -> pl.DataFrame:
    """Return `row line column` of each row whose result states a column."""
    begins = session.records.select("record", pl.col("line").alias("begins"))
    asked = rows.select("row", "record", "source", "line", "column").join(begins, on="record", how="left")
    # A game of PBN that is one result states it in its tags; other results are lines of a table.
    tags = locate(session, asked["record"].drop_nulls().unique(), column).drop("index")
    in_tags = (pl.col("line") == pl.col("begins")).fill_null(value=False) & pl.col("record").is_in(
        tags["record"].implode()
    )
    found = [asked.filter(in_tags).select("row", "record").join(tags, on="record").select("row", "line", "column")]
    for name, sources in session.sources.group_by(pl.col("format").fill_null("")):
        rows_of = asked.filter(~in_tags, pl.col("source").is_in(sources["source"].implode()))
        locate_cells = get_format(str(name[0])).locate_cells
        if locate_cells and len(rows_of):
            found.append(locate_cells(session, rows_of, column))
    return pl.concat(found).unique("row", keep="first")


def locate(session: Session, records: pl.Series, column: str) -> pl.DataFrame:
    """Find where records state one of their columns.

    Args:
        session: whose items hold the files as written.
        records: the records asked for.
        column: of `frames.RECORDS`. For `calls` and `cards` each call and each card is located.

    Returns:
        `record index line column`, one row a record that states it: in `calls` or `cards` one row an entry, with its
        `index` in the list; `index` is null for any other column. Records without a row do not state it, or are of a
        format that has only lines.
    """
    records = records.cast(pl.UInt32)
    empty = pl.DataFrame(schema={"record": pl.UInt32, "index": pl.Int64, "line": pl.UInt32, "column": pl.UInt32})
    found = [known.locate(session, asked, column) for known, asked in _by_format(session, records) if known.locate]
    return pl.concat([empty, *found])


def _by_format(session: Session, records: pl.Series) -> Iterator[tuple[Format, pl.Series]]:
    """Yield the formats of records, each with its records."""
    names = session.sources.select("source", pl.col("format").fill_null(""))
    formats = names["format"].unique(maintain_order=True).to_list()
    if len(formats) < 2:
        yield get_format(formats[0] if formats else ""), records
        return
    asked = session.records.select("record", "source").filter(pl.col("record").is_in(records.implode()))
    for name in formats:
        sources = names.filter(pl.col("format") == name)["source"]
        yield get_format(name), asked.filter(pl.col("source").is_in(sources.implode()))["record"]
