"""The tables of the standard (PBN 5): their headers, rows and cells."""

import re
from collections import Counter
from itertools import islice
from typing import Final

import polars as pl

from overtrick import notation
from overtrick.bridge.calls import PASS
from overtrick.bridge.cards import UNKNOWN
from overtrick.formats.pbn.read.games import Games
from overtrick.formats.pbn.read.table_rows import (
    Column,
    Table,
    cut_tables,
    list_tables,
    read_header,
    read_rows,
    strings_or_remarks,
    uncommented,
)
from overtrick.formats.pbn.read.tag_columns import Tags
from overtrick.formats.pbn.tags import DECIMAL, PERCENT, SEAT, TAGS, TRICKS, names
from overtrick.formats.pbn.verify.sections import first_matches
from overtrick.formats.pbn.verify.tally import Files, Tally
from overtrick.frames import PROBLEMS, empty
from overtrick.grammar import filled_in, matcher
from overtrick.problems import Finding, report, report_findings

_RESULTS: Final = 20
"""Rows of a whole OptimumResultTable (5.7)."""

_COUNT: Final = (r"0*[1-9][0-9]*", "a whole number above 0")
_POINTS: Final = (r"[+-]?[0-9]+", "a number of points")
_DECIMAL: Final = (DECIMAL, "a number")
_PERCENT: Final = (PERCENT, "0 to 100")
_SEAT: Final = (SEAT, "N, E, S or W")
_CONTRACT: Final = ("<CONTRACT>", "Pass or a contract such as 3NT or 4SX")
_TRICKS: Final = (TRICKS, "tricks, 0 to 13")
_TIME: Final = (r"(?:(?:[0-9]+:)?[0-5]?[0-9]:[0-5][0-9]|[0-9]+)", "HH:MM:SS, MM:SS or SS")
_RANGE: Final = (
    r"[+-]?[0-9]+(?:,(?:\*|[+-]?[0-9]+))?|\*,[+-]?[0-9]+",
    "a score, or two with a comma between and * for no limit",
)
_RANKS: Final = (r"(?i:[AKQJT2-9]+)", "ranks such as AQ3")

_BOTH: Final = ("NS", "EW")
_CELLS: Final[dict[str, dict[str, tuple[str, str]]]] = {
    "ActionTable": {
        "Rank": _COUNT,
        "Call": ("(?i:Pass|X{1,2}|AP|<BID>|0)", "a call, such as 1H or Pass"),
        "Card": ("<STANDARD_CARD>|<SUIT>|0", "a card, such as SA"),
        "Declarer": _SEAT,
        "Contract": _CONTRACT,
        "Percentage": _PERCENT,
    },
    "AuctionTimeTable": {"Time": _TIME, "TotalTime": _TIME},
    "PlayTimeTable": {"Time": _TIME, "TotalTime": _TIME},
    "InstantScoreTable": {
        "Rank": _COUNT,
        **{f"ScoreRange_{side}": _RANGE for side in _BOTH},
        **{f"IMP_{side}": _DECIMAL for side in _BOTH},
        **{f"Percentage_{side}": _PERCENT for side in _BOTH},
    },
    "OptimumPlayTable": dict.fromkeys("SHDC", _RANKS),
    "OptimumResultTable": {
        "Declarer": _SEAT,
        "Denomination": ("<DENOMINATION>", "NT, S, H, D or C"),
        "Result": _TRICKS,
    },
    "ScoreTable": {
        "Rank": _COUNT,
        "Contract": _CONTRACT,
        "Declarer": (rf"\^?{SEAT}", "N, E, S or W"),
        "Result": _TRICKS,
        "Lead": ("<SUIT><RANK>", "a card, such as SA"),
        **{f"Score_{side}": _POINTS for side in _BOTH},
        **{f"IMP_{side}": _DECIMAL for side in _BOTH},
        **{f"MP_{side}": _DECIMAL for side in _BOTH},
        **{f"Percentage_{side}": _PERCENT for side in _BOTH},
        "Multiplicity": _COUNT,
    },
    "TotalScoreTable": {
        "Rank": _COUNT,
        **{f"{kind}{unit}": _DECIMAL for kind in ("Total", "Mean") for unit in ("Score", "IMP", "MP", "Percentage")},
        "MeanPercentage": _PERCENT,
        "NrBoards": (r"[0-9]+", "a number of boards"),
        "Multiplicity": _COUNT,
    },
}
"""By table and predefined column (5.3 to 5.10), and `Lead` of all programs: what a cell matches, and that in words.

`<NAME>` is replaced by a terminal of the grammar (`grammar.filled_in`)."""

_SIGN: Final = re.compile(r"(?<![^\s%])[^\s%]*+%\S*+")
_BOUNDS: Final = {"only": r"^([+-]?[0-9]{1,8})$", "low": r"^([+-]?[0-9]{1,8}),", "high": r",([+-]?[0-9]{1,8})$"}
"""A range of scores: the one score it is, or those that it lies between (5.5)."""

_TIMES: Final = {"AuctionTimeTable": ("auction", "calls"), "PlayTimeTable": ("play", "cards")}
"""The part of a game that the rows of these tables time, and its column in `frames.RECORDS`."""

_OWN_ORDER: Final = frozenset("Call Card Contract Declarer Denomination S H D C".split())
"""Columns of words that bridge has its own order for."""

_ALWAYS: Final = r"\?|-|\^.+"
"""Unknown, irrelevant, artificial (5.2)."""

_CANNOT_BE: Final = {
    "Contract": pl.col("value").str.contains(r"^[0-9]") & notation.level(pl.col("value")).is_null(),
    "Result": pl.col("value").str.extract(r"^\^?([0-9]{1,9})$").cast(pl.Int64) > 13,
}
"""By column of a ScoreTable: the values that cannot be right in any spelling."""


def check_tables(games: Games, tags: Tags, records: pl.DataFrame, files: Files, tally: Tally) -> pl.DataFrame:
    """Report faulty headers and rows, and comments in tables; count faulty cells."""
    tables = [name for name in names(heads="table") if name in tags.row]
    problems = [_check_table(games, tags, files, tally, name) for name in tables]
    times = [_check_times(games, tags, records, name) for name in _TIMES if name in tags.row]
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
    found_here = []
    for record, line, column, name, value in headings.select("record", "line", "column", "name", "value").iter_rows():
        columns = read_header(value)
        place = {"line": line, "column": column, "record": record}
        if columns is None and "\\n" in value:
            found_here.append(Finding("pbn-table-in-tag", **place, values={"name": name}))
            continue
        if columns is None:
            if value not in reported:
                found_here.append(Finding("pbn-table-header", **place, values={"name": name, "value": value}))
            continue
        times = Counter(one.name for one in columns)
        for one in columns:
            fault = "occurs twice" if times[one.name] > 1 else _name_fault(name, one.name) or _width_fault(one.width)
            if fault:
                what = {"name": name, "heading": one.name, "fault": fault}
                found_here.append(Finding("pbn-table-column", **place, values=what))
    return report_findings(found_here, "")


def _name_fault(name: str, column: str) -> str | None:
    words = re.split(r"[\s,]+", column)
    if len(words) > 1 and words[0] in _CELLS[name]:
        return "contains several names without ; between them"
    correct = next((one for one in _CELLS[name] if one != column and one.lower() == column.lower()), None)
    return correct and f"is written {correct} in PBN"


def _width_fault(width: str) -> str | None:
    digits = width.rstrip("LRlr")
    if width and not digits.strip("0"):
        return "does not have a width above 0"
    return "has an alignment that is neither L nor R" if width[-1:] in {"l", "r"} else None


def _check_rows(name: str, table: Table, columns: tuple[Column, ...], files: Files, tally: Tally) -> pl.DataFrame:
    """Report the faulty rows of all tables of one header, and count their faulty cells."""
    forms = {column.name: _CELLS[name][column.name] for column in columns if column.name in _CELLS[name]}
    ordered = {column.name: column.order for column in columns if column.order}
    wanted = {column: f"cell {column}" for column in (*forms, *ordered)}
    cells, faults = read_rows([table], wanted)
    cells = files.numbered(cells.rename({"game": "record"}))
    problems = [empty(PROBLEMS) if TAGS[name].becomes else faults]
    for column, form in _with_faults(cells, forms).items():
        number = [one.name for one in columns].index(column)
        for code, wrong in _list_faulty(name, cells, column, form).items():
            tally.add(code, _at_cells(wrong, table.sections, number), "name", "heading", "value")
    problems += [_check_order(name, cells, column, order) for column, order in ordered.items()]
    if name == "OptimumResultTable" and {"Declarer", "Denomination"} <= forms.keys():
        problems += [_check_repeated(name, cells), _check_complete(table.sections, cells)]
    problems += [_check_ranges(name, cells, column) for column in forms if column.startswith("ScoreRange")]
    return pl.concat(problems)


def _check_repeated(name: str, cells: pl.DataFrame) -> pl.DataFrame:
    """Report results of a declarer in a denomination that an earlier row gives (5.7)."""
    key = pl.concat_str("cell Declarer", "cell Denomination", separator=" ").str.to_uppercase()
    keyed = cells.with_columns(key.alias("value"), pl.lit(name).alias("name"))
    return report("pbn-table-again", keyed.filter(~pl.struct("record", "value").is_first_distinct()))


def _check_complete(sections: pl.DataFrame, cells: pl.DataFrame) -> pl.DataFrame:
    """Report tables without each denomination for each declarer (5.7)."""
    counted = cells.group_by("record").agg(pl.struct("cell Declarer", "cell Denomination").n_unique().alias("rows"))
    heads = sections.select("name", record="game", line="head_line", column="head_column")
    short = heads.join(counted, on="record", maintain_order="left").filter(pl.col("rows") < _RESULTS)
    return report("pbn-table-partial", short)


def _check_ranges(name: str, cells: pl.DataFrame, column: str) -> pl.DataFrame:
    """Report ranges of scores that overlap with another row's (5.5); the bounds are not part of a range."""
    cell, most = pl.col("value"), 10**9
    ranges = cells.select(
        "record", "line", "column", pl.col(f"cell {column}").alias("value"), pl.lit(name).alias("name")
    )
    ranges = ranges.filter(cell.str.contains(f"^(?:{_RANGE[0]})$")).with_columns(
        *(cell.str.extract(pattern).cast(pl.Int64, strict=False).alias(key) for key, pattern in _BOUNDS.items())
    )
    ranges = ranges.with_columns(
        low=pl.coalesce("only", pl.col("low") + 1, -most), high=pl.coalesce("only", pl.col("high") - 1, most)
    )
    by_score = ranges.sort("record", "low", maintain_order=True)
    reached = pl.col("high").cum_max().shift().over("record")
    return report("pbn-table-again", by_score.filter(pl.col("low") <= reached))


def _check_times(games: Games, tags: Tags, records: pl.DataFrame, name: str) -> pl.DataFrame:
    """Report tables without exactly one row a call or card (5.4, 5.8); `AP` may have one row or one a pass."""
    part, entries = _TIMES[name]
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
    return report("pbn-table-times", at_head.with_columns(pl.lit(part).alias("part"), pl.lit(entries).alias("entries")))


def _with_all_pass(games: Games) -> list[int]:
    """List the games whose auction writes the last passes as one `AP`."""
    auctions = games.sections.filter(pl.col("name") == "Auction")
    return auctions.filter(pl.col("text").str.contains(r"(?i)\b(?:AP|all\s+pass)\b"))["game"].to_list()


def _allowed(pattern: str) -> str:
    return f"^(?:{_ALWAYS}|{filled_in(pattern)})$"


def _with_faults(cells: pl.DataFrame, forms: dict[str, tuple[str, str]]) -> dict[str, tuple[str, str]]:
    """Return the columns that may have a value which is not allowed: nearly always none, found in one step."""
    right = cells.select(
        pl.col(f"cell {column}").unique().str.contains(_allowed(form[0])).all().alias(column)
        for column, form in forms.items()
        if form is not _RANGE
    ).to_dict(as_series=False)
    return {column: form for column, form in forms.items() if right.get(column) != [True]}


def _list_faulty(name: str, cells: pl.DataFrame, column: str, form: tuple[str, str]) -> dict[str, pl.DataFrame]:
    """List the values that a column does not allow, by the code of their problem."""
    pattern, expected = form
    cell = cells[f"cell {column}"]
    distinct = cell.unique()
    misformed = ~distinct.str.contains(_allowed(pattern))
    odd = distinct.filter(misformed | _empty_range(distinct) if form is _RANGE else misformed).to_list()
    if not odd:
        return {}
    about = {"name": pl.lit(name), "heading": pl.lit(column), "expected": pl.lit(expected)}
    wrong = cells.select("record", "line", "column", "file", cell.alias("value"), **about)
    wrong = wrong.filter(pl.col("value").is_in(odd))
    impossible = _CANNOT_BE[column] if name == "ScoreTable" and column in _CANNOT_BE else pl.lit(value=False)
    # A column and not an expression: polars raises where it filters several chunks by a literal.
    judged = wrong.with_columns(impossible.fill_null(value=False).alias("impossible"))
    parts = {"pbn-table-outcome": judged.filter("impossible"), "pbn-table-cell": judged.filter(~pl.col("impossible"))}
    return {code: part.drop("impossible") for code, part in parts.items()}


def _at_cells(cells: pl.DataFrame, sections: pl.DataFrame, number: int) -> pl.DataFrame:
    """Place cells, the `number`th of their rows, at their own columns; in a row of several lines at its first."""
    own = uncommented(sections.filter(pl.col("game").is_in(cells["record"].unique().implode())))
    lines = {
        line + row: (column if row == 0 else 1, text)
        for line, column, section in own.select("line", "column", "text").iter_rows()
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


def _empty_range(cell: pl.Series) -> pl.Series:
    """Return which cells are two bounds with no score between them (5.5)."""
    bounds = (
        cell.to_frame("cell")
        .select(pl.col("cell").str.extract_groups(r"^([+-]?[0-9]{1,9}),([+-]?[0-9]{1,9})$"))
        .unnest("cell")
    )
    low, high = (bounds[key].cast(pl.Int64) for key in ("1", "2"))
    return (low >= high).fill_null(value=False)


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
    return report("pbn-table-order", broken.with_columns(pl.lit(text).alias(key) for key, text in about.items()))


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
        "pbn-table-comment", pl.concat([after.rename({"game": "record"}).select(place), inside.select(place)])
    )


def _without_strings(text: str) -> str:
    """Overwrite strings and escape lines with blanks: braces and semicolons inside them are text."""
    is_comment = ("{", ";")
    return strings_or_remarks().sub(lambda piece: piece[0] if piece[0][0] in is_comment else " " * len(piece[0]), text)
