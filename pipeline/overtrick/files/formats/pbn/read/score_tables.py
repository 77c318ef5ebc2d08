"""Score tables to results, total tables to contestants (PBN 5.9, 5.10, and what programs really write there)."""

import re
from functools import cache, lru_cache
from itertools import islice, takewhile
from typing import Final, NamedTuple

import polars as pl

from overtrick.core import notation
from overtrick.core.contestants import join_players
from overtrick.core.frames import CONTESTANTS, PROBLEMS, RESULTS, conform, empty
from overtrick.core.grammar import for_columns, matcher, terminal
from overtrick.core.problems import report
from overtrick.core.words import ENGLISH, Dialect, Form
from overtrick.files.formats.pbn.read.games import Games
from overtrick.files.formats.pbn.read.tag_columns import Tags, decide_dialect

_PLACE: Final = dict.fromkeys(("game", "line", "column"), pl.UInt32)
_NO_ROWS: Final = pl.DataFrame(schema={**_PLACE, "cells": pl.List(pl.String)})

_NOT_LINE_END: Final = re.compile(r"[^\n]")


class Column(NamedTuple):
    r"""One column of a header `[+|-]Name[\\width[L|R]]` (5.2)."""

    name: str
    order: str
    width: str


@lru_cache(maxsize=256)
def read_header(value: str) -> tuple[Column, ...] | None:
    """Read the header of a table; None when the value is not one."""
    columns = []
    for column in value.split(";"):
        part = _column().fullmatch(column)
        if part is None:
            return None
        columns.append(Column(part["name"].strip(), part["order"] or "", (part["width"] or "").removeprefix("\\")))
    return tuple(columns)


@cache
def _column() -> re.Pattern[str]:
    """Return the rule `column` of the grammar as a pattern; a header has `;` between its columns and nowhere else."""
    order, name, width = map(terminal, ("ORDER", "COLUMN_NAME", "WIDTH"))
    return re.compile(f"(?P<order>{order})?(?P<name>{name})(?P<width>{width})?")


def list_tables(games: Games, tags: Tags, name: str) -> pl.DataFrame:
    """List the sections of one table name: `Games.sections` with the header in force and the place of its tag.

    Adds `value` (inheritance done), `head_line` and `head_column`.
    """
    sections = games.sections.filter(games.sections["name"] == name)
    if sections.is_empty():
        return sections.with_columns(pl.lit(None, pl.UInt32).alias(place) for place in ("head_line", "head_column"))
    heads = games.tags.lazy().filter(pl.col("name") == name).unique("game", keep="first")
    places = heads.select("game", head_line="line", head_column="column")
    headers = tags.value(name).gather(sections["game"]).alias("value")
    placed = sections.lazy().with_columns(headers).join(places, on="game", how="left", maintain_order="left")
    return placed.collect()


class Table(NamedTuple):
    """All tables of one name with one header, cut into rows."""

    sections: pl.DataFrame
    """As `list_tables` lists them."""
    columns: tuple[Column, ...] | None
    """None where the header cannot be read."""
    rows: pl.DataFrame
    """game, line, column, cells: one row a row of a table."""
    problems: list[pl.DataFrame]


def cut_tables(games: Games, tags: Tags, name: str) -> list[Table]:
    """Cut the tables of one name into rows, those of each header by themselves; the next call returns the same."""
    if name not in games.tables:
        sections = list_tables(games, tags, name)
        games.tables[name] = [_cut_table(part) for part in sections.partition_by("value", maintain_order=True)]
    tables: list[Table] = games.tables[name]
    return tables


def _cut_table(sections: pl.DataFrame) -> Table:
    columns = read_header(sections["value"][0] or "")
    if columns is None:
        return Table(sections, None, _NO_ROWS, [report("pbn-table-row/header", _heads(sections))])
    lines, unquoted = _cut_unquoted_names(_cut_lines(sections), columns)
    rows, faults = _cut_rows(lines, len(columns))
    wrong = report("pbn-table-row/row", faults.with_columns(pl.lit(len(columns)).alias("expected")))
    return Table(sections, columns, rows, [unquoted, wrong])


def read_rows(tables: list[Table], wanted: dict[str, str]) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Read tables.

    Args:
        tables: as `cut_tables` cuts them.
        wanted: column of the table -> name it gets; others are left in the file's items.

    Returns:
        One row a table row: game, line, column and the wanted columns as String, null where the table lacks them. Cells
        are without quotes; `?` (unknown) and `-` (irrelevant) stay as written. And the problems found.
    """
    parts = [_named(table.rows, [column.name for column in table.columns], wanted) for table in tables if table.columns]
    schema = {**_PLACE, **dict.fromkeys(wanted.values(), pl.String)}
    read = pl.concat(parts).sort(*_PLACE, maintain_order=True) if parts else pl.DataFrame(schema=schema)
    return read, pl.concat([empty(PROBLEMS), *(problem for table in tables for problem in table.problems)])


def _heads(sections: pl.DataFrame) -> pl.DataFrame:
    place = [pl.col(f"head_{part}").alias(part) for part in ("line", "column")]
    return sections.select(pl.col("game").alias("record"), *place, "name", "value")


def _cut_lines(sections: pl.DataFrame) -> pl.DataFrame:
    """List the lines of section texts that hold any cells: game, line, text, cells."""
    return (
        uncommented(sections)
        .lazy()
        .select("game", "line", pl.col("text").str.split("\n"))
        .with_columns(pl.int_ranges(pl.col("text").list.len()).alias("offset"))
        .explode("text", "offset")
        .select("game", (pl.col("line") + pl.col("offset")).cast(pl.UInt32).alias("line"), "text")
        .with_columns(pl.col("text").str.extract_all(for_columns("CELL")).alias("cells"))
        .filter(pl.col("cells").list.len() > 0)
        .collect()
    )


def _cut_unquoted_names(lines: pl.DataFrame, columns: tuple[Column, ...]) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Cut names that hold spaces and have no quotes, as BridgeComposer writes them in its last columns.

    Returns:
        The lines, and the problems: the first such line of each table, and all lines whose names cannot be told apart;
        there the names are unknown.
    """
    named = _count_names(columns)
    quoted = pl.col("text").str.contains('"', literal=True)
    loose = (pl.col("cells").list.len() > len(columns)) & ~quoted & (named > 0)
    crowded = lines.filter(loose)
    if crowded.is_empty():
        return lines, empty(PROBLEMS)
    cut = [_cut_names(text, columns, named) for text in crowded["text"]]
    fixed = crowded.with_columns(pl.Series("cells", cut, dtype=pl.List(pl.String)))
    places = fixed.select(pl.col("game").alias("record"), "line", pl.lit(1).alias("column"), "cells", "text")
    places = places.with_columns(pl.col("text").str.strip_chars(), muddled=pl.col("cells").list.last() == "?")
    problems = [
        report("pbn-table-names", places.filter("muddled")),
        report(
            "pbn-table-unquoted", places.filter(~pl.col("muddled")).unique("record", keep="first", maintain_order=True)
        ),
    ]
    return pl.concat([lines.filter(~loose), fixed]).sort("line", maintain_order=True), pl.concat(problems)


def _count_names(columns: tuple[Column, ...]) -> int:
    """Return how many of the last columns hold names."""
    return len(list(takewhile(lambda column: column.name.startswith("Names"), reversed(columns))))


def cut_unquoted_names(text: str, columns: tuple[Column, ...]) -> tuple[int, list[str]] | None:
    """Return where the names without quotes in a row begin, and the names; None if the row has no such names."""
    named = _count_names(columns)
    cells = list(matcher("CELL").finditer(text))
    if not named or '"' in text or len(cells) <= len(columns):
        return None
    found = _cut_names(text, columns, named)[-named:]
    place = cells[len(columns) - named - 1].end() if len(columns) > named else 0
    return (place, found) if found[-1] != "?" else None


def _cut_names(text: str, columns: tuple[Column, ...], named: int) -> list[str]:
    """Cut one row: cells by their blanks, then the names by wider gaps, else by the width that the header declares."""
    others = list(islice(matcher("CELL").finditer(text), len(columns) - named))
    rest = text[others[-1].end() :] if others else text
    names = re.split(r"\s{2,}|\t", rest.strip())
    width = re.match(r"[0-9]+", columns[-named].width)
    if len(names) != named == 2 and width:
        at = int(width[0]) + 1
        names = [rest[:at].strip(), rest[at:].strip()]
    known = len(names) == named and all(names)
    return [match[0] for match in others] + (names if known else ["?"] * named)


# Five lines of tables with two columns, and the rows made of them:
#
#     game  line  cells       whole  flowing      rows
#     0     5     1 3NT       yes                 1 3NT
#     0     6     2           no     2 4S 3 Pass  2 4S      the odd lines of a game flow together and are cut by
#     0     7     4S 3 Pass   no                  3 Pass    counting, and both rows get line 6
#     1     20    1 2S        yes                 1 2S
#     1     21    2           no     2            (fault)   one cell does not make a row: line 21 is a problem
def _cut_rows(lines: pl.DataFrame, width: int) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Cut lines into rows of `width` cells by counting tokens, not lines (5.1); return rows and faulty lines.

    Nearly everywhere each line is a whole row, so its line is known. A line with a token too few or too many then costs
    only itself and not the rows after it.
    """
    place, cells = pl.lit(1, pl.UInt32).alias("column"), pl.col("cells").list.len()
    is_whole = lines.select(cells == width)["cells"]
    if is_whole.all():
        return lines.select("game", "line", "cells", place), _faults(lines.clear())
    whole, odd = lines.filter(is_whole), lines.filter(~is_whole)
    flowing = odd.group_by("game", maintain_order=True).agg(
        pl.col("line").first(),
        pl.col("text").first(),
        pl.col("cells").list.explode(keep_nulls=False, empty_as_null=False),
    )
    fits = flowing["cells"].list.len() % width == 0
    flowed = _cut_flowing(flowing.filter(fits), width)
    faults = odd.filter(pl.col("game").is_in(flowing.filter(~fits)["game"].to_list()))
    good = pl.concat([whole.select("game", "line", "cells"), flowed])
    return good.with_columns(place), _faults(faults)


def _faults(lines: pl.DataFrame) -> pl.DataFrame:
    return lines.select(
        pl.col("game").alias("record"),
        "line",
        pl.lit(1, pl.UInt32).alias("column"),
        pl.col("text").str.strip_chars(),
        pl.col("cells").list.len().alias("got"),
    )


def uncommented(sections: pl.DataFrame) -> pl.DataFrame:
    """Overwrite the comments and escape lines in sections with blanks."""
    if not sections["mixed"].any():
        return sections
    texts = zip(sections["text"], sections["mixed"], strict=True)
    return sections.with_columns(
        pl.Series("text", [_without_comments(text) if mixed else text for text, mixed in texts])
    )


def _without_comments(text: str) -> str:
    """Overwrite comments and escape lines with blanks, so that cells keep their places; strings keep their `;`."""
    return strings_or_remarks().sub(lambda match: match[1] or _NOT_LINE_END.sub(" ", match[0]), text)


@cache
def strings_or_remarks() -> re.Pattern[str]:
    """Return what finds the strings (group 1) and the comments and escape lines (group 2) in the text of a table."""
    return re.compile(f"({terminal('QUOTED')})|({terminal('REMARK')})")


def _cut_flowing(flowing: pl.DataFrame, width: int) -> pl.DataFrame:
    """Cut one long list of cells a game into rows; all of them get the line of the first."""
    row = (pl.int_range(pl.len()) // width).alias("row")
    cells = flowing.select("game", "line", "cells").explode("cells").drop_nulls("cells")
    return cells.group_by("game", "line", row, maintain_order=True).agg("cells").drop("row")


def _named(cells: pl.DataFrame, names: list[str], wanted: dict[str, str]) -> pl.DataFrame:
    chosen = []
    for name, target in wanted.items():
        if name in names:
            cell = pl.col("cells").list.get(names.index(name))
            chosen.append(cell.str.strip_chars('"').str.strip_chars().alias(target))
        else:
            chosen.append(pl.lit(None, pl.String).alias(target))
    return cells.select("game", "line", "column", *chosen)


_OF_SIDES: Final = {"PairId": "", "Names": "names_", "Score": "cell_"} | {
    name: f"{name.lower()}_" for name in ("MP", "IMP", "Honours", "Conduct")
}
_SCORE_COLUMNS: Final = {
    **{name: name.lower() for name in ("Section", "Round", "Table", "Contract", "Declarer", "Result", "Lead")},
    **{f"{name}_{side}": column + side.lower() for name, column in _OF_SIDES.items() for side in ("NS", "EW")},
    "ButlerDatum": "butler_datum",
    "Multiplicity": "multiplicity",
}

_TOTAL_COLUMNS: Final = {
    "PairId": "contestant",
    "PlayerId": "player",
    "TeamId": "team",
    **{name: name.lower() for name in ("Section", "Direction", "Names", "Club", "MasterPoints", "Rank")},
    "MemberID1": "member_1",
    "MemberID2": "member_2",
    "SessionRank": "session_rank",
    "TotalScoreMP": "total_mp",
    "TotalMP": "standard_mp",
    "TotalScoreIMP": "total_imp",
    "TotalIMP": "standard_imp",
    "TotalPercentage": "total_percentage",
    "SessionScoreMP": "session_mp",
    "SessionPercentage": "session_percentage",
}

_ON_SHEETS: Final = ("honours", "conduct")
_NOTHING: Final = ["-", "?", ""]
_PASSED: Final = r"(?i)^(?:pass|passed|po|ap)$"
_NOT_PLAYED: Final = r"(?i)^(?:np|not ?played)$"
_BY_COLOUR: Final = r"^[0-9]{1,6}(?:\.[0-9]{1,4})? [^\s;][^;]*(?:; [0-9]{1,6}(?:\.[0-9]{1,4})?(?: [^\s;][^;]*)?)*$"
_BYE: Final = r"(?i)^bye$"


_WORDS: Final[dict[str, Form]] = {"contract": "contract", "declarer": "seat", "lead": "card"}
"""By column, what its words name."""


def _respell(cells: pl.DataFrame, games: Games, tags: Tags, dialect: Dialect) -> pl.DataFrame:
    """Return cells in overtrick's own spelling: those that English cannot read, in the dialect of the whole text."""
    if dialect is ENGLISH:
        texts = pl.concat([cells[name].unique().alias("text") for name in ("contract", "declarer")]).to_frame()
        words = texts.filter(
            _known(pl.col("text")).is_not_null(), ~pl.col("text").str.contains(f"{_PASSED}|{_NOT_PLAYED}|^A|^\\^")
        )
        if words.filter(notation.level(pl.col("text")).is_null() & notation.seat(pl.col("text")).is_null()).is_empty():
            return cells
        dialect = decide_dialect(
            games, tags, {form: cells[name].drop_nulls().unique() for name, form in _WORDS.items()}
        )
    if dialect is ENGLISH:
        return cells
    return cells.with_columns(notation.respell(cells[name], form, dialect) for name, form in _WORDS.items())


def read_score_tables(games: Games, tags: Tags, dialect: Dialect = ENGLISH) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Read every ScoreTable, whose words are in a dialect.

    Returns:
        A frame of `frames.RESULTS` (`record` is the game), and the problems of the tables.
    """
    tables = cut_tables(games, tags, "ScoreTable")
    if not tables:
        return empty(RESULTS), empty(PROBLEMS)
    read, problems = read_rows(tables, _SCORE_COLUMNS)
    read = _respell(read, games, tags, dialect)
    cells = read.with_columns(_known(pl.col(name)).alias(name) for name in ("section", "round", "table", "ns", "ew"))
    declarer = notation.seat(pl.col("declarer"))
    numbers = cells.with_columns(
        pl.col("game").alias("record"),
        declarer.alias("declarer"),
        notation.level(pl.col("contract")).alias("level"),
        notation.strain(pl.col("contract")).alias("strain"),
        notation.doubled(pl.col("contract")).alias("doubled"),
        # Programs write the points of the side that won them, and `-` in the other column.
        pl.coalesce(notation.whole(pl.col("cell_ns")), -notation.whole(pl.col("cell_ew"))).alias("stated_score_ns"),
        pl.coalesce(_number("mp_ns"), _number("imp_ns")).alias("stated_points_ns"),
        pl.coalesce(_number("mp_ew"), _number("imp_ew")).alias("stated_points_ew"),
        notation.whole(pl.col("butler_datum")).alias("stated_datum"),
        pl.coalesce(_positive("multiplicity"), 1).alias("multiplicity"),
        *(
            notation.whole(pl.col(f"{kind}_{side}")).alias(f"{kind}_{side}")
            for kind in _ON_SHEETS
            for side in ("ns", "ew")
        ),
        _award(pl.col("cell_ns")).alias("award_ns"),
        _award(pl.col("cell_ew")).alias("award_ew"),
        *(_people(pl.col(f"names_{side}")).alias(f"names_{side}") for side in ("ns", "ew")),
        notation.lead(pl.col("lead")).alias("lead"),
    )
    tricked = numbers.with_columns(_tricks(pl.col("result"), pl.col("level")).alias("tricks"))
    return conform(RESULTS, tricked.with_columns(_status())), problems


def read_total_tables(games: Games, tags: Tags) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Read every TotalScoreTable: a frame of `frames.CONTESTANTS`, and the problems of the tables.

    Where a file states totals of an event and of the session, the session's count.
    """
    tables = cut_tables(games, tags, "TotalScoreTable")
    if not tables:
        return empty(CONTESTANTS), empty(PROBLEMS)
    read, problems = read_rows(tables, _TOTAL_COLUMNS)
    total = [_number(name) for name in ("session_mp", "total_mp", "standard_mp", "total_imp", "standard_imp")]
    direction = pl.col("direction").str.to_uppercase().str.replace("-", "", literal=True)
    frame = read.with_columns(
        pl.coalesce(_known(pl.col(name)) for name in ("contestant", "team", "player")).alias("contestant"),
        _known(pl.col("section")).alias("section"),
        pl.when(direction.is_in(["NS", "EW"])).then(direction).alias("direction"),
        _people(pl.col("names")).alias("names"),
        _known(pl.col("club")).alias("club"),
        _members().alias("members"),
        _awards(pl.col("masterpoints")).alias("stated_awards"),
        pl.coalesce(_positive("session_rank"), _positive("rank")).alias("stated_rank"),
        pl.coalesce(total).alias("stated_total"),
        pl.coalesce(_number("session_percentage"), _number("total_percentage")).alias("stated_percentage"),
    )
    named = frame.filter(pl.col("contestant").is_not_null())
    return conform(CONTESTANTS, named).unique(["contestant", "section", "direction"], maintain_order=True), problems


def _known(cell: pl.Expr) -> pl.Expr:
    return pl.when(~cell.is_in(_NOTHING)).then(cell)


def _awards(cell: pl.Expr) -> pl.Expr:
    """Return masterpoints: a number, or by colour as overtrick writes them, `24 black; 5 green`."""
    number = notation.number(cell).cast(pl.String).str.strip_suffix(".0")
    return pl.when(cell.str.contains(_BY_COLOUR)).then(cell).otherwise(number)


def _members() -> pl.Expr:
    """Join the membership numbers of a pair; null where none is known."""
    first, second = _known(pl.col("member_1")), _known(pl.col("member_2"))
    both = pl.concat_str(first.fill_null(""), second.fill_null(""), separator=" - ")
    return pl.when(first.is_not_null() | second.is_not_null()).then(both)


def _people(names: pl.Expr) -> pl.Expr:
    """Join the players of a pair with ` - `; the standard has `;` between them, some programs write `-`."""
    return _known(names).map_elements(join_players, pl.String)


def _number(name: str) -> pl.Expr:
    return notation.number(pl.col(name).str.strip_prefix("^").str.strip_suffix("%"))


def _positive(name: str) -> pl.Expr:
    number = notation.whole(pl.col(name))
    return pl.when(number > 0).then(number).cast(pl.UInt32)


def _award(cell: pl.Expr) -> pl.Expr:
    """Return an artificial score in the cell of a score, `A=` for `A` and with or without `^`."""
    return notation.award(cell.str.strip_prefix("^").replace("A=", "A"))


def _tricks(result: pl.Expr, level: pl.Expr) -> pl.Expr:
    """Return declarer's tricks; a number of tricks may be marked `^`."""
    return notation.tricks_against(result.str.replace(r"^\^([0-9])", "${1}"), level)


def _status() -> pl.Expr:
    cells = [pl.col(name) for name in ("cell_ns", "cell_ew", "contract")]
    awarded = pl.col("award_ns").is_not_null() | pl.col("award_ew").is_not_null()
    return notation.status(
        adjusted=awarded | (pl.col("contract") == "A"),
        bye=pl.any_horizontal([cell.str.contains(_BYE) for cell in cells]),
        passed=pl.col("contract").str.contains(_PASSED),
        not_played=pl.any_horizontal([cell.str.contains(_NOT_PLAYED) for cell in cells]),
        played=notation.is_counted(),
    ).alias("status")
