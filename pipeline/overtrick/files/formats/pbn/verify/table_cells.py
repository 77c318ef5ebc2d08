"""The tables of the standard (PBN 5): their headers, rows and cells."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Final

import polars as pl

from overtrick.core import notation
from overtrick.core.bridge.auction import PASS
from overtrick.core.bridge.cards import UNKNOWN
from overtrick.core.frames import PROBLEMS, empty
from overtrick.core.grammar import matcher
from overtrick.core.problems import Finding, report, report_findings
from overtrick.files.formats.pbn.forms import SCORE_RANGE, Form, Read
from overtrick.files.formats.pbn.read.games import Games
from overtrick.files.formats.pbn.read.score_tables import (
    Column,
    Table,
    cut_tables,
    list_tables,
    read_header,
    read_rows,
    strings_or_remarks,
    uncommented,
)
from overtrick.files.formats.pbn.read.tag_columns import Tags
from overtrick.files.formats.pbn.tags import TAGS, Tag, names
from overtrick.files.formats.pbn.verify.annotations import find_misformed
from overtrick.files.formats.pbn.verify.sections import first_matches
from overtrick.files.formats.pbn.verify.tally import Files, Tally

_SIGN: Final = re.compile(r"(?<![^\s%])[^\s%]*+%\S*+")
_BOUNDS: Final = {"only": r"^([+-]?[0-9]{1,8})$", "low": r"^([+-]?[0-9]{1,8}),", "high": r",([+-]?[0-9]{1,8})$"}
"""A range of scores: the one score it is, or those that it lies between (5.5)."""

_OWN_ORDER: Final = {name for tag in TAGS.values() for name, form in tag.cells.items() if form.own_order}
"""Columns of words that bridge has its own order for."""

_ALWAYS: Final = r"\?|-|\^.+"
"""Unknown, irrelevant, artificial (5.2)."""


def check_tables(games: Games, tags: Tags, records: pl.DataFrame, files: Files, tally: Tally) -> pl.DataFrame:
    """Report faulty headers and rows, and comments in tables; count faulty cells."""
    tables = [name for name in names(heads="table") if name in tags.row]
    problems = [_check_table(games, tags, files, tally, name) for name in tables]
    times = [_check_times(games, tags, records, name) for name in tables if TAGS[name].times]
    _count_signs(games, files, tally)
    return pl.concat([empty(PROBLEMS), *problems, *times, _check_comments(games)])


def _check_table(games: Games, tags: Tags, files: Files, tally: Tally, name: str) -> pl.DataFrame:
    tables, value = cut_tables(games, tags, name), tags.value(name)
    listed = [pl.Series(dtype=pl.UInt32), *(table.sections["game"] for table in tables)]
    with_rows = pl.col("record").is_in(pl.concat(listed).implode())
    unknown = pl.col("value").str.strip_chars().is_in(notation.UNKNOWN_VALUES)
    valued = pl.LazyFrame({"value": value, "row": tags.row[name]}).with_row_index("record").drop_nulls()
    stated = valued.filter(with_rows | ~unknown).collect()
    headings = tags.tags[["line", "column", "name"]][stated["row"]].hstack(stated[["record", "value"]])
    headings = files.numbered(headings).unique(["file", "value"], keep="first", maintain_order=True).drop("file")
    # Reading has reported the headers of the tables that it uses, and rows with a wrong number of cells.
    is_read = TAGS[name].becomes is not None
    reported = {table.sections["value"][0] for table in tables} if is_read else set()
    problems = [_check_headings(headings, reported)]
    problems += [_check_rows(name, table, table.columns, files, tally) for table in tables if table.columns]
    return pl.concat(problems)


def _check_headings(headings: pl.DataFrame, reported: set[str]) -> pl.DataFrame:
    """Report values that are not headers, and columns whose name or width is wrong."""
    findings = []
    for record, line, column, name, value in headings.select("record", "line", "column", "name", "value").iter_rows():
        columns = read_header(value)
        place = {"line": line, "column": column, "record": record}
        if columns is not None:
            odd = _column_faults(name, columns)
            findings += [Finding("pbn-table-rows/column", **place, values=fault) for fault in odd]
        elif "\\n" in value:
            findings.append(Finding("pbn-value-odd/rows", **place, values={"name": name}))
        elif value not in reported:
            findings.append(Finding("pbn-table-row/header", **place, values={"name": name, "value": value}))
    return report_findings(findings, "")


def _column_faults(name: str, columns: Sequence[Column]) -> Iterator[dict[str, str]]:
    """Yield `name heading fault` of each faulty column of a header."""
    times = Counter(column.name for column in columns)
    for column in columns:
        twice = "occurs twice" if times[column.name] > 1 else None
        fault = twice or _name_fault(name, column.name) or _width_fault(column.width)
        if fault:
            yield {"name": name, "heading": column.name, "fault": fault}


def _name_fault(name: str, column: str) -> str | None:
    words = re.split(r"[\s,]+", column)
    if len(words) > 1 and words[0] in TAGS[name].cells:
        return "contains several names without ; between them"
    correct = next((cell for cell in TAGS[name].cells if cell != column and cell.lower() == column.lower()), None)
    return correct and f"is written {correct} in PBN"


def _width_fault(width: str) -> str | None:
    digits = width.rstrip("LRlr")
    if width and not digits.strip("0"):
        return "does not have a width above 0"
    return "has an alignment that is neither L nor R" if width[-1:] in {"l", "r"} else None


def _check_rows(name: str, table: Table, columns: tuple[Column, ...], files: Files, tally: Tally) -> pl.DataFrame:
    """Report the faulty rows of all tables of one header, and count their faulty cells."""
    about = TAGS[name]
    forms = {column.name: about.cells[column.name] for column in columns if column.name in about.cells}
    ordered = {column.name: column.order for column in columns if column.order}
    wanted = {column: f"cell {column}" for column in (*forms, *ordered)}
    cells, faults = read_rows([table], wanted)
    cells = files.numbered(cells.rename({"game": "record"}))
    problems = [empty(PROBLEMS) if about.becomes else faults]
    for column, code, wrong in _find_faulty_cells(name, cells, forms):
        number = [column.name for column in columns].index(column)
        tally.add(code, _at_cells(wrong, table.sections, number), "name", "heading", "value")
    problems += [_check_order(name, cells, column, order) for column, order in ordered.items()]
    if about.keys and {*about.keys} <= forms.keys():
        problems += [_check_repeated(about, cells), _check_complete(about, table.sections, cells)]
    problems += [_check_ranges(name, cells, column) for column, form in forms.items() if form is SCORE_RANGE]
    return pl.concat(problems)


def _find_faulty_cells(
    name: str, cells: pl.DataFrame, forms: Mapping[str, Form]
) -> Iterator[tuple[str, str, pl.DataFrame]]:
    """Yield for each column the code of a problem and the cells that it is about."""
    values = {column: pl.col(f"cell {column}") for column in forms}
    for column, odd in find_misformed(cells, values, forms, _ALWAYS).items():
        wrong = _list_cells(name, cells, column, odd)
        for code, part in _judge(wrong, forms[column].cannot_be).items():
            yield column, code, part


def _list_cells(name: str, cells: pl.DataFrame, column: str, odd: list[str]) -> pl.DataFrame:
    """List the cells of a column with these values."""
    form = TAGS[name].cells[column]
    about = {"name": pl.lit(name), "heading": pl.lit(column), "expected": pl.lit(form.expected)}
    return cells.select("record", "line", "column", "file", value=f"cell {column}", **about).filter(
        pl.col("value").is_in(odd)
    )


def _judge(wrong: pl.DataFrame, cannot_be: Read | None) -> dict[str, pl.DataFrame]:
    """Return faulty cells by the code of their problem."""
    if cannot_be is None:
        return {"pbn-table-cell": wrong}
    impossible = wrong.select(cannot_be(pl.col("value")).fill_null(value=False)).to_series()
    return {"pbn-table-outcome": wrong.filter(impossible), "pbn-table-cell": wrong.filter(~impossible)}


def _check_repeated(about: Tag, cells: pl.DataFrame) -> pl.DataFrame:
    """Report rows whose key an earlier row has, such as a declarer in a denomination (5.7)."""
    key = pl.concat_str((f"cell {column}" for column in about.keys), separator=" ").str.to_uppercase()
    keyed = cells.with_columns(key.alias("value"), pl.lit(about.name).alias("name"))
    return report("pbn-table-rows/again", keyed.filter(~pl.struct("record", "value").is_first_distinct()))


def _check_complete(about: Tag, sections: pl.DataFrame, cells: pl.DataFrame) -> pl.DataFrame:
    """Report tables without a row for each key, such as each denomination for each declarer (5.7)."""
    keys = pl.struct(f"cell {column}" for column in about.keys).n_unique()
    counted = cells.group_by("record").agg(keys.alias("rows"))
    heads = sections.select("name", record="game", line="head_line", column="head_column")
    short = heads.join(counted, on="record", maintain_order="left").filter(pl.col("rows") < about.rows)
    return report("pbn-table-partial", short)


def _check_ranges(name: str, cells: pl.DataFrame, column: str) -> pl.DataFrame:
    """Report ranges of scores that overlap with another row's (5.5); the bounds are not part of a range."""
    cell, most = pl.col("value"), 10**9
    ranges = cells.select(
        "record", "line", "column", pl.col(f"cell {column}").alias("value"), pl.lit(name).alias("name")
    )
    ranges = ranges.filter(cell.str.contains(f"^(?:{SCORE_RANGE.pattern})$")).with_columns(
        *(cell.str.extract(pattern).cast(pl.Int64, strict=False).alias(key) for key, pattern in _BOUNDS.items())
    )
    ranges = ranges.with_columns(
        low=pl.coalesce("only", pl.col("low") + 1, -most), high=pl.coalesce("only", pl.col("high") - 1, most)
    )
    by_score = ranges.sort("record", "low", maintain_order=True)
    reached = pl.col("high").cum_max().shift().over("record")
    return report("pbn-table-rows/again", by_score.filter(pl.col("low") <= reached))


def _check_times(games: Games, tags: Tags, records: pl.DataFrame, name: str) -> pl.DataFrame:
    """Report tables without exactly one row a call or card (5.4, 5.8); `AP` may have one row or one a pass."""
    part, entries = TAGS[name].needs[0].lower(), TAGS[name].times or ""
    sections = list_tables(games, tags, name)
    said = pl.col(entries).list.eval(pl.element() != (PASS if part == "auction" else UNKNOWN))
    most = said.list.len()
    passes = pl.when(said.list.any()).then(said.list.reverse().list.arg_max()).otherwise(most)
    together = pl.col("record").is_in(_with_all_pass(games)) & (passes > 0)
    least = most - pl.when(together).then(passes - 1).otherwise(0) if part == "auction" else said.list.sum()
    counts = records.select(pl.col("record").alias("game"), least=least, most=most).drop_nulls()
    counted = read_rows(cut_tables(games, tags, name), {})[0].group_by("game", maintain_order=True).len("rows")
    wrong = counted.join(counts, on="game").filter(~pl.col("rows").is_between("least", "most"))
    place = sections.select("game", "name", line="head_line", column="head_column")
    at_head = wrong.join(place, on="game", maintain_order="left").rename({"game": "record"})
    return report("pbn-table-rows/times", at_head.with_columns(part=pl.lit(part), entries=pl.lit(entries)))


def _with_all_pass(games: Games) -> list[int]:
    """List the games whose auction writes the last passes as one `AP`."""
    auctions = games.sections.filter(pl.col("name") == "Auction")
    return auctions.filter(pl.col("text").str.contains(r"(?i)\b(?:AP|all\s+pass)\b"))["game"].to_list()


def _at_cells(cells: pl.DataFrame, sections: pl.DataFrame, number: int) -> pl.DataFrame:
    """Place cells, the `number`th of their rows, at their own columns; in a row of several lines at its first."""
    tables = uncommented(sections.filter(pl.col("game").is_in(cells["record"].unique().implode())))
    lines = {
        line + row: (column if row == 0 else 1, text)
        for line, column, section in tables.select("line", "column", "text").iter_rows()
        for row, text in enumerate(section.split("\n"))
    }
    cell = matcher("CELL")
    starts = []
    for line in cells["line"]:
        first, text = lines.get(line, (1, ""))
        match = next(islice(cell.finditer(text), number, None), None)
        starts.append(first + match.start() if match else 1)
    return cells.with_columns(pl.Series("column", starts, dtype=pl.UInt32))


def _count_signs(games: Games, files: Files, tally: Tally) -> None:
    """Count the tables with a `%` in a cell without quotes, where only its place in column 1 means something (2.4)."""
    tables = games.sections.filter(
        ~pl.col("name").is_in(names(heads="part")) & pl.col("text").str.contains("%", literal=True)
    )
    bare = tables.with_columns(pl.Series("text", [_blank_quoted(text) for text in tables["text"]], dtype=pl.String))
    signs = first_matches(bare, _SIGN, 0)
    tally.add("pbn-table-sign", files.numbered(signs.rename({"text": "value"})), "name")


def _blank_quoted(text: str) -> str:
    """Overwrite strings, comments and escape lines with blanks; all places stay the same."""
    return strings_or_remarks().sub(lambda piece: re.sub(r"[^\n]", " ", piece[0]), text)


def _check_order(name: str, cells: pl.DataFrame, column: str, order: str) -> pl.DataFrame:
    """Report the first row of each table that breaks the order which the header promises (5.2).

    Numbers are ordered by size and words by the alphabet, without regard to accents and capitals.
    """
    cell = pl.col(f"cell {column}")
    number = cell.str.extract(r"^([+-]?[0-9]+(?:\.[0-9]*)?)$").cast(pl.Float64)
    word = cell.str.extract(r"^(\p{L}.*)$").str.normalize("NFKD").str.replace_all(r"\p{M}", "").str.to_lowercase()
    word = pl.lit(None, pl.String) if column in _OWN_ORDER else word
    broken = pl.concat(
        cells.select("record", "line", "column", key.alias("key"))
        .drop_nulls("key")
        .with_columns(before=pl.col("key").shift().over("record"))
        .filter(pl.col("key") > pl.col("before") if order == "+" else pl.col("key") < pl.col("before"))
        .drop("key", "before")
        for key in (number, word)
    )
    broken = broken.sort("record", "line", maintain_order=True).unique("record", keep="first", maintain_order=True)
    promised = "descending" if order == "+" else "ascending"
    about = {"name": name, "heading": column, "promised": promised}
    return report("pbn-table-rows/order", broken.with_columns(pl.lit(text).alias(key) for key, text in about.items()))


def _check_comments(games: Games) -> pl.DataFrame:
    """Report comments after a cell: only the table's tag may be followed by one (5.1)."""
    tables = names(heads="table")
    kind, name, game = (pl.col(column).shift() for column in ("kind", "name", "game"))
    follows = (kind == "section") & name.is_in(tables) & (game == pl.col("game"))
    after = games.items.with_columns(name.alias("name")).filter((pl.col("kind") == "comment") & follows)
    mixed = games.sections.filter(pl.col("name").is_in(tables) & pl.col("mixed"))
    bare = [_without_strings(text) for text in mixed["text"]]
    inside = first_matches(mixed.with_columns(pl.Series("text", bare, dtype=pl.String)), re.compile("[{;]"), 0)
    place = ["record", "line", "column", "name"]
    return report(
        "pbn-table-rows/comment", pl.concat([after.rename({"game": "record"}).select(place), inside.select(place)])
    )


def _without_strings(text: str) -> str:
    """Overwrite strings and escape lines with blanks: braces and semicolons inside them are text."""
    is_comment = ("{", ";")
    return strings_or_remarks().sub(lambda piece: piece[0] if piece[0][0] in is_comment else " " * len(piece[0]), text)
