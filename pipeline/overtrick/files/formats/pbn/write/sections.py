"""The sections of export form, one row each: auctions and plays (PBN 3.5, 3.6), and tables (5).

A table is written a row a line, its cells padded to the widths of the header.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, groupby
from typing import Final

import polars as pl
from polars import selectors

from overtrick.core.bridge.cards import board_dealer, board_vulnerability
from overtrick.core.frames import ANNOTATIONS, ITEM_KIND, ITEMS, RECORDS, SEAT, VULNERABLE, ColumnType, Session, conform
from overtrick.core.grammar import matcher
from overtrick.core.problems import report
from overtrick.files.formats.base import LIN_HELD
from overtrick.files.formats.pbn.read.score_tables import strings_or_remarks
from overtrick.files.formats.pbn.tags import TAGS, Tag, names
from overtrick.files.formats.pbn.write.auctions_and_plays import LINE_LIMIT, write_auctions, write_plays
from overtrick.files.formats.pbn.write.scored import write_score_tables, write_total_table

_PAIRED: Final = ("PairNS", "PairEW", "ScoreTable")
"""Tags that say whose results a file of PBN has."""

_MOST_NOTES: Final = 32
"""Notes that an auction may have (PBN 3.5.4)."""

_NO_NOTES: Final = pl.DataFrame(
    schema={"record": pl.UInt32, **dict.fromkeys(("kind", "name", "text", "part"), pl.String)}
)

_STATES_DEALER: Final = ("lin", "lin links", "rbn", "dds", "archive")
_ITEMIZED: Final = ("archive", "json")
"""Formats that have the items that do not follow from the records, and a list of calls or cards that is empty."""


def as_pbn(session: Session, seated: pl.Series | None = None) -> Session:
    """Add the items that a PBN file would have to the records of other formats; those of PBN files keep theirs.

    A session from an archive or from JSON has items where they do not follow from its records: a game has all of them,
    or only those that its record does not hold. Shorter names than those of tags are commands of LIN.

    Args:
        session: the session to write.
        seated: the records that are games of a match (`matches.seat_teams`).
    """
    foreign = session.sources.filter(pl.col("format").is_not_null() & (pl.col("format") != "pbn"))["source"]
    archived = pl.col("source").is_in(session.sources.filter(pl.col("format").is_in(_ITEMIZED))["source"].implode())
    unplaced = session.items.filter(archived, pl.col("name").str.contains("^[A-Za-z0-9_]{3,}$").fill_null(value=True))
    whole = unplaced.filter(pl.col("name").is_in(names(in_record=True)))["record"].drop_nulls().unique()
    written = pl.col("source").is_in(foreign.implode()) & ~pl.col("record").is_in(whole.implode())
    records = session.records.filter(written)
    if records.is_empty():
        return session
    kept = session.items.filter(~pl.col("source").is_in(foreign.implode()))
    # Numbers of pairs have their place in a table, but those of a match beside their teams.
    in_match = pl.col("record").is_in([] if seated is None else seated.implode())
    with_result = records.filter(
        pl.col("level").is_not_null() | pl.col("stated_score_ns").is_not_null(), pl.col("pair_ns").is_null() | in_match
    )
    tabled = session.results.join(records.join(with_result, on="record", how="anti"), on="record", how="semi")
    theirs = pl.col("record").is_in(records["record"].implode())
    annotations, notes = _translate_annotations(session.annotations.filter(theirs))
    tabled = tabled.join(unplaced.filter(pl.col("name").is_in(_PAIRED)), on="record", how="anti")
    parts = [
        _write_texts(records),
        _write_pairs(records.filter(in_match)),
        _write_percentages(records),
        _write_head(records, annotations, archived, "auction", "calls"),
        notes.filter(pl.col("part") == "auction").drop("part"),
        _write_head(records, annotations, archived, "play", "cards"),
        notes.filter(pl.col("part") == "play").drop("part"),
        *write_score_tables(tabled, session.facts),
        *(write_total_table(session, int(records["record"][0])) if len(tabled) else ()),
    ]
    placed = (
        pl.concat(parts)
        .join(records.select("record", "source"), on="record", how="left")
        .with_columns(pl.lit(1).alias("line"), pl.lit(1).alias("column"), pl.col("kind").cast(ITEM_KIND))
    )
    # Comments and other lines come first: after the last tag they would stand within the auction or the play.
    heading = unplaced["kind"].is_in(["tag", "section"])
    items = pl.concat([kept, unplaced.filter(~heading), conform(ITEMS, placed), unplaced.filter(heading)])
    items = items.sort("record", maintain_order=True, nulls_last=False)
    others = session.annotations.filter(~theirs)
    # What a file of a format that states dealer and vulnerability leaves open is unknown.
    stating = session.sources.filter(pl.col("format").is_in(_STATES_DEALER))["source"]
    return replace(
        session,
        listed=items,
        annotations=pl.concat([others, annotations]).sort("record", maintain_order=True),
        records=_fill_by_number(session.records, written & ~pl.col("source").is_in(stating.implode())),
    )


def _fill_by_number(records: pl.DataFrame, written: pl.Expr) -> pl.DataFrame:
    """Fill in dealer and vulnerability by the board number (Law 2), for programs that need them stated.

    Args:
        records: of all files.
        written: which of them are of formats that have no place for a dealer, so that the number is all they state.
    """
    board = pl.col("board")
    return records.with_columns(
        pl.when(written).then(pl.coalesce("dealer", board_dealer(board).cast(SEAT))).otherwise("dealer"),
        pl.when(written)
        .then(pl.coalesce("vulnerable", board_vulnerability(board).cast(VULNERABLE)))
        .otherwise("vulnerable"),
    )


def _write_texts(records: pl.DataFrame) -> pl.DataFrame:
    """Write the tags whose values records hold as texts; export form writes the other mandatory ones."""
    columns = {tag.name: column for tag in TAGS.values() if tag.in_record and (column := _text_column(tag))}
    whole = records.with_columns(selectors.float().cast(pl.String).str.strip_suffix(".0"))
    stated = whole.select("record", *(pl.col(column).alias(name) for name, column in columns.items()))
    rows = stated.unpivot(list(columns), index="record", variable_name="name", value_name="text")
    return rows.drop_nulls("text").select("record", pl.lit("tag").alias("kind"), "name", "text")


def _text_column(tag: Tag) -> str | None:
    written = (pl.String, pl.Float64)
    return tag.text or next((column for column in tag.reads if RECORDS[column].dtype in written), None)


def _write_pairs(records: pl.DataFrame) -> pl.DataFrame:
    """Write the numbers of the pairs of a match, whose games have no table."""
    sides = {"PairNS": "pair_ns", "PairEW": "pair_ew"}
    rows = records.select("record", *(pl.col(column).alias(name) for name, column in sides.items()))
    listed = rows.unpivot(list(sides), index="record", variable_name="name", value_name="text")
    return listed.select("record", pl.lit("tag").alias("kind"), "name", "text")


def _write_percentages(records: pl.DataFrame) -> pl.DataFrame:
    stated = records.drop_nulls("stated_percentage_ns")
    text = pl.format("NS {}", pl.col("stated_percentage_ns").cast(pl.String).str.strip_suffix(".0"))
    return stated.select("record", kind=pl.lit("tag"), name=pl.lit("ScorePercentage"), text=text)


def _write_head(
    records: pl.DataFrame, annotations: pl.DataFrame, archived: pl.Expr, part: str, entries: str
) -> pl.DataFrame:
    """Write the tag that heads an auction or a play; its section is written from the record."""
    annotated = annotations.filter(pl.col("part") == part)["record"].unique()
    start = pl.col(f"{part}_start")
    # Other formats state no auction without calls; an archive holds one that a file of PBN only began.
    stated = (pl.col(entries).list.len() > 0) | (pl.col(entries).is_not_null() & archived)
    begun = records.filter(start.is_not_null() & (stated | pl.col("record").is_in(annotated.implode())))
    return begun.select("record", kind=pl.lit("tag"), name=pl.lit(part.capitalize()), text=start.cast(pl.String))


def _translate_annotations(annotations: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Turn annotations of other formats into those of PBN: explanations into notes, alerts and chat into comments.

    Explanations of one call are one note, and the same words have one note in a game. Explanations beyond the last note
    that PBN has become comments.

    Returns:
        The annotations, and the notes as items: `record kind name text`.
    """
    if annotations.is_empty():
        return annotations, _NO_NOTES
    explained = pl.col("kind") == "explanation"
    said = annotations.with_columns(pl.col("text").str.replace_all(r"\s+", " ").str.strip_chars())
    one_each = (
        said.filter(explained)
        .group_by("record", "part", "index", maintain_order=True)
        .agg(pl.col("text").str.join("; "), pl.col("line", "column").first())
    )
    # Numbers follow the order in which the texts first occur.
    first = pl.col("place").first().over("record", "part", "text")
    number = first.rank("dense").over("record", "part").cast(pl.Int64)
    numbered = one_each.with_row_index("place").with_columns(number.alias("number"))
    fits = pl.col("number") <= _MOST_NOTES
    noted = [
        numbered.filter(fits).select(*_NOTE, number=pl.col("number").cast(pl.String)),
        said.filter(pl.col("kind") == "note").select(*_NOTE, number="reference"),
    ]
    notes = pl.concat(noted).unique(["record", "part", "number"], keep="first", maintain_order=True)
    items = notes.select(
        "record", kind=pl.lit("tag"), name=pl.lit("Note"), text=pl.format("{}:{}", "number", "text"), part="part"
    )
    written = numbered.with_columns(
        kind=pl.when(fits).then(pl.lit("note")).otherwise(pl.lit("comment")),
        text=pl.when(fits).then("text").otherwise(_as_comment(pl.col("text"))),
        reference=pl.when(fits).then(pl.col("number").cast(pl.String)),
    )
    others = said.filter(~explained).with_columns(
        kind=pl.when(pl.col("kind") == "alert").then(pl.lit("comment")).otherwise("kind"),
        text=pl.when(pl.col("kind").is_in(["alert", "comment"])).then(_as_comment(pl.col("text"))).otherwise("text"),
    )
    in_pbn = pl.concat([conform(ANNOTATIONS, part) for part in (written, others)])
    return in_pbn.sort("record", "part", "index", maintain_order=True), items


_NOTE: Final = ("record", "part", "text")


def _as_comment(text: pl.Expr) -> pl.Expr:
    """Write a text as a comment, unless it is one already."""
    inside = text.str.replace_all("{", "(", literal=True).str.replace_all("}", ")", literal=True)
    is_comment = text.str.contains(r"(?s)^(?:\{[^{}]*\}|;[^\n]*)$")
    return pl.when(is_comment).then(text).otherwise(pl.lit("{") + inside + pl.lit("}"))


def report_lin_losses(session: Session) -> pl.DataFrame:
    """Report, file by file, the commands of LIN that PBN cannot hold."""
    files = session.sources.filter(pl.col("format").is_in(["lin", "lin links", *_ITEMIZED]))["source"]
    commands = session.items.filter((pl.col("kind") == "tag") & pl.col("source").is_in(files.implode()))
    said = commands.filter(pl.col("text").str.strip_chars(" \t\n,") != "")
    lost = said.filter(~pl.col("name").is_in(list(LIN_HELD)), pl.col("name").str.len_chars() == 2)
    commands_lost = pl.col("name").unique(maintain_order=True).str.join(", ")
    grouped = lost.group_by("source", maintain_order=True).agg(commands_lost.alias("names"), pl.col("line").first())
    braces = session.annotations.filter(pl.col("kind").is_in(["comment"]) & pl.col("text").str.contains("[{}]"))
    sources = session.records.select("record", "source", board="board_label").filter(
        pl.col("source").is_in(files.implode())
    )
    changed = braces.join(sources, on="record", how="inner", maintain_order="left")
    return pl.concat([report("not-written/commands", grouped), report("pbn-braces", changed)])


_SCHEMA: Final[dict[str, ColumnType]] = {
    "record": pl.UInt32,
    "name": pl.String,
    "value": pl.String,
    "text": pl.String,
    "fault": pl.String,
    "remarks": pl.List(pl.String),
}
_COLUMN: Final = re.compile(r"[+-]?[^\s;\\+-][^;\\]*(?:\\([0-9]{1,3})([LR]?))?", re.IGNORECASE)


def write_sections(session: Session, in_force: pl.DataFrame) -> pl.DataFrame:
    """Write all sections: record, name, value (of the tag), text, fault (why it had to stay as it was), remarks.

    Args:
        session: the session as it was read.
        in_force: tags: record, name, text, line, column. One that a game leaves out, and so has no line, heads
            no section.
    """
    stated = in_force.drop_nulls("line")
    listed = session.items.filter(pl.col("kind") == "section")
    written = listed.unique(["record", "name"], keep="first", maintain_order=True)
    headed = written.join(
        stated.select("record", "name", pl.col("text").alias("value")), on=["record", "name"], how="left"
    )
    empty = stated.filter(pl.col("name").is_in(names(heads="table"))).join(written, on=["record", "name"], how="anti")
    auctions_and_plays = [
        write(session, *(frame.filter(pl.col("name") == name) for frame in (stated, written)))
        for name, write in (("Auction", write_auctions), ("Play", write_plays))
    ]
    tables = pl.DataFrame(
        [
            *_write_tables(headed.filter(~pl.col("name").is_in(names(heads="part")))),
            *(
                (record, name, header, "", None, [])
                for record, name, header in empty.select("record", "name", "text").rows()
            ),
        ],
        schema=_SCHEMA,
        orient="row",
    )
    return pl.concat([*auctions_and_plays, tables], how="diagonal")


def _write_tables(written: pl.DataFrame) -> Iterator[tuple[object, ...]]:
    tables = names(heads="table")
    for record, name, header, text in written.select("record", "name", "value", "text").iter_rows():
        cells, remarks = split_remarks(text)
        rows = lay_out_rows(header or "", cells)
        if rows is not None:
            yield record, name, header or "", rows, None, remarks
        else:
            fault = f"the rows of {name} do not fit its header" if name in tables else None
            yield record, name, header or "", text, fault, []


def split_remarks(text: str) -> tuple[str, list[str]]:
    """Take comments and escape lines out of a section's text; lines stay lines."""
    pieces = strings_or_remarks()
    remarks = [match[2] for match in pieces.finditer(text) if match[2]]
    return pieces.sub(lambda match: match[1] or "\n" * match[0].count("\n"), text), remarks


def lay_out_rows(header: str, text: str) -> str | None:
    r"""Write a table's rows.

    Args:
        header: the tag's value, `[+|-]Name[\width[L|R]]` with `;` between (5.2); a width is a minimum.
        text: the cells, without comments.

    Returns:
        A row a line, or None where the cells do not make whole rows, a string is never closed, or the value is not a
        header. A row that is too long for a line goes on in the next one.
    """
    widths = _read_widths(header)
    rows = _cut_rows(text, len(widths)) if widths else None
    if rows is None:
        return None
    return "\n".join(line for row in rows for line in _lay_out_row(row, widths))


def _read_widths(header: str) -> list[tuple[int, str]]:
    """Return the width and the side of each column; nothing if the text is not a header."""
    columns = [_COLUMN.fullmatch(column) for column in header.split(";")]
    if not all(columns) or (len(columns) == 1 and " " in header.strip()):
        return []
    return [(int(match[1] or 0), (match[2] or "L").upper()) for match in columns if match]


def _cut_rows(text: str, width: int) -> list[list[str]] | None:
    """Cut cells into rows: a line that is one stays one, consecutive cells of other lines are counted."""
    cell = matcher("CELL")
    lines = text.split("\n")
    if any('"' in cell.sub("", line) for line in lines if '"' in line):
        return None
    rows: list[list[str]] = []
    for _, neighbours in groupby(map(cell.findall, lines), key=lambda cells: len(cells) == width):
        cells = [*chain.from_iterable(neighbours)]
        if len(cells) % width:
            return None
        rows += [cells[at : at + width] for at in range(0, len(cells), width)]
    return rows


def _lay_out_row(cells: list[str], widths: list[tuple[int, str]]) -> list[str]:
    padded = [
        cell.rjust(min(width, LINE_LIMIT)) if side == "R" else cell.ljust(min(width, LINE_LIMIT))
        for cell, (width, side) in zip(cells, widths, strict=True)
    ]
    # A `%` that begins a line would hide it.
    line = " ".join(["", *padded] if padded[0].startswith("%") else padded).rstrip()
    if len(line) <= LINE_LIMIT:
        return [line]
    lines = [""]
    for cell in cells:
        if lines[-1] and len(lines[-1]) + 1 + len(cell) > LINE_LIMIT:
            lines.append("")
        lines[-1] += f" {cell}" if lines[-1] else cell
    return lines
