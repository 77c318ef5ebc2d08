"""The JSON of a session, as `overtrick score`, `overtrick convert` and the site of an evening write it.

`docs/session.schema.json` describes it. The reader checks what it uses against that: an object with `results`, a list
of objects. Scores of a session that is read again are computed anew.
"""

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, Final

import polars as pl

from overtrick.core import frames
from overtrick.core.problems import Finding
from overtrick.files.formats import session_rows
from overtrick.files.formats.base import Reading, Written, nothing_but
from overtrick.files.formats.csv import list_table
from overtrick.files.formats.pbn.read.tag_columns import read_deals
from overtrick.files.formats.tables.cells import make_cells, read_cells
from overtrick.files.formats.tables.typed import COLUMNS, ON_SHEETS
from overtrick.files.formats.text import Text, decode

_TEXTS: Final = frozenset(COLUMNS) - {"board", "tricks", "score_ns", "points_ns", "points_ew", "datum", *ON_SHEETS}
_DEAL: Final = ("section", "board", "deal")
_KEY: Final = ("contestant", "section", "direction")
_SCHEMA: Final[frames.Schema] = {"game": frames.ANNOTATIONS["record"], "correction": frames.STANDINGS["correction"]}
"""The columns of lists that the frames with the other columns do not have."""
_DEALT: Final = {name: session_rows.GAME[name] for name in (*_DEAL, "dealer", "vulnerable")}
_WHO: Final = {**dict.fromkeys(session_rows.CONTESTANT, ()), "direction": tuple(frames.DIRECTION.categories)}


def read_session_json(data: bytes) -> Reading:
    """Read a session: its results, contestants, deals, games and items."""
    return read_json(data, _read_session)


def _read_session(whole: object, text: Text, findings: list[Finding]) -> Reading:
    whole = _object(whole, "the file", findings)
    lines = _list_lines(text.content)
    about = _object(whole.get("session"), "session", findings)
    facts = {name: said for name in session_rows.FACTS if isinstance(said := about.get(name), str)}
    results, deals, games, items, contestants, standings = (
        _List(name, _rows(whole.get(name, [] if name in _OPTIONAL else None), name, findings), lines.get(name, ()))
        for name in ("results", *_OPTIONAL)
    )
    records, annotations = _read_games(games, facts, findings)
    rest = _read_typed(results, session_rows.RESULT, frames.RESULTS, findings)
    beside = _read_typed(items, session_rows.ITEM, frames.ITEMS, findings).drop_nulls("kind")
    dealt = _check_deals("deals", _read_typed(deals, _DEALT, frames.RECORDS, findings), findings)
    carried = any(game.get("home_carry") or game.get("visit_carry") for game in games.rows)
    known = _list_contestants(contestants, standings, findings, carried=carried)
    reading = _read_results(results, facts, dealt, known, findings)
    if len(records):
        reading = replace(reading, records=records, results=_place_results(reading, rest, records))
    reading = replace(reading, records=_add_deals(reading.records, dealt, facts), annotations=annotations)
    said = frames.conform(frames.ITEMS, beside.with_columns(record=_within(records), column=pl.lit(1)))
    problems = reading.problems.filter((pl.col("code") != "file-no-games") | reading.records.is_empty())
    return replace(reading, listed=pl.concat([reading.items, said]), problems=problems)


_OPTIONAL: Final = ("deals", "games", "items", "contestants", "standings")


@dataclass(frozen=True)
class _List:
    """A list of a file: its name, its objects, and the lines where they begin as far as these are known."""

    name: str
    rows: Sequence[Mapping[str, Any]]
    lines: Sequence[int] = ()


def _read_results(
    results: _List,
    facts: Mapping[str, str],
    deals: pl.DataFrame,
    contestants: "frames.Contestants | None",
    findings: list[Finding],
) -> Reading:
    """Read results as the lines of a table, with a record for each board, which gets the first deal of the board."""
    by = ["cell_board", "cell_section"]
    cells = make_cells(list(_read_rows(results, facts, findings)), ("board", "ns", "ew", "section"))
    first = deals.drop_nulls("board").unique(["board", "section"], keep="first", maintain_order=True)
    text = {"cell_board": "board", "cell_dealer": "dealer", "of_board": "vulnerable"}
    texts = (pl.col(column).cast(pl.String).alias(name) for name, column in text.items())
    known = first.select(*texts, "deal", cell_section="section")
    cells = cells.join(known, on=by, how="left", nulls_equal=True, maintain_order="left")
    cells = cells.with_columns(pl.coalesce("^cell_vulnerable$", "of_board").alias("cell_vulnerable")).drop("of_board")
    if cells["cell_board"].is_null().all():
        # The deals of a rubber have no numbers; `read_cells` takes them in their order.
        cells = cells.drop("cell_board")
    return read_cells(cells, findings, contestants=contestants, typed_in=True)


def _place_results(reading: Reading, rest: pl.DataFrame, games: frames.Records) -> frames.Results:
    """Return results in the records of their games, with the rest of what JSON tells of each.

    Of a board of which no result is known, those of its games are left out: `assemble` makes them from the games.
    """
    parts = (pl.element().str.extract(f"{found}$").alias(name) for name, found in _PARTS.items())
    weighted = rest.with_columns(pl.col("weights").str.split(",").list.eval(pl.struct(parts)))
    told = weighted.select(
        _within(games), pl.col(name for name in session_rows.RESULT if name != "game").name.suffix("_told")
    )
    stated = ("board", "vulnerable")
    boards = reading.records.select("record", *stated)
    results = reading.results.drop(stated).join(boards, on="record", how="left", maintain_order="left")
    placed = results.drop("record").hstack(told)
    known = (pl.coalesce(f"{name}_told", name).alias(name) for name in session_rows.RESULT if name != "game")
    stating = games.filter(pl.any_horizontal(pl.col("level", "stated_score_ns").is_not_null()))["record"]
    unknown = (pl.col("status") == "unknown").all().over("board")
    again = unknown & pl.col("record").is_in(stating.implode()) & pl.col("record").is_first_distinct()
    return frames.conform(frames.RESULTS, placed.with_columns(known).filter(~again.fill_null(value=False)))


_PARTS: Final = {"score_ns": ":(.+)", "weight": "^(.+):.+"}


def _within(games: frames.Records) -> pl.Expr:
    """Return the column `game` as `record`, null for a place after the last game."""
    return pl.when(pl.col("game") < len(games)).then("game").alias("record")


def _add_deals(records: frames.Records, deals: pl.DataFrame, facts: Mapping[str, str]) -> frames.Records:
    """Return the records with one for each deal that none of them has."""
    others = deals.join(records, on=_DEAL, how="anti", nulls_equal=True, maintain_order="left").with_columns(
        *(pl.lit(facts.get(name), pl.String).alias(name) for name in session_rows.FACTS),
        record=pl.int_range(pl.len(), dtype=pl.UInt32) + records.height,
        board_label=pl.col("board").cast(pl.String),
    )
    return pl.concat([records, frames.conform(frames.RECORDS, others)])


def _read_games(
    games: _List, facts: Mapping[str, str], findings: list[Finding]
) -> tuple[frames.Records, frames.Annotations]:
    """Return the games as records, numbered in their order, and their annotations."""
    said = _read_typed(
        replace(games, rows=[{**facts, **game} for game in games.rows]), session_rows.GAME, frames.RECORDS, findings
    )
    codes = (
        pl.when(pl.col(name) != "")
        .then(pl.col(name).str.split(" "))
        .when(pl.col(name) == "")
        .then(pl.lit([], pl.List(pl.String)))
        .list.eval(pl.element().replace_strict(words, range(len(words)), default=255, return_dtype=pl.UInt8))
        .alias(name)
        for name, words in session_rows.GAME_LISTS.items()
    )
    notes = [
        {**note, "game": at}
        for at, game in enumerate(games.rows)
        for note in _rows(game.get("notes") or [], f"games[{at}].notes", findings)
    ]
    lines = [games.lines[note["game"]] if note["game"] < len(games.lines) else 1 for note in notes]
    noted = _read_typed(_List("notes", notes, lines), {"game": (), **session_rows.NOTE}, frames.ANNOTATIONS, findings)
    annotations = noted.drop_nulls(["part", "kind"]).with_columns(record="game", column=pl.lit(1))
    records = _check_deals("games", said, findings).with_columns(codes).with_row_index("record")
    return frames.conform(frames.RECORDS, records), frames.conform(frames.ANNOTATIONS, annotations)


def _check_deals(name: str, frame: pl.DataFrame, findings: list[Finding]) -> pl.DataFrame:
    """Return a list with its deals in canonical form, and report those that are not deals."""
    deals, faults = read_deals(frame["deal"])
    findings += [
        report_value(f"{name}, board {board}", f"a deal ({fault})", text, line)
        for fault, board, text, line in zip(faults, *(frame[key] for key in ("board", "deal", "line")), strict=True)
        if fault is not None
    ]
    return frame.with_columns(deals)


_EXPECTED: Final[Mapping[type, str]] = {str: "a text", bool: "true or false"}
_NEEDED: Final = ("part", "kind")


def _read_typed(
    listed: _List, table: Mapping[str, session_rows.Allowed], schema: frames.Schema, findings: list[Finding]
) -> pl.DataFrame:
    """Return the objects of a list as a frame: the columns of a table in the types of a schema, and `line`.

    Args:
        listed: the objects. A value that a column cannot have is reported and null; a word in a list of words stays.
        table: by column, the values that it can have; empty where any of its type will do.
        schema: of the frame that has the columns; others are in `_SCHEMA`.
        findings: gets what is reported.
    """
    dtypes = pl.Schema({name: {**_SCHEMA, **schema}[name].dtype for name in table})
    needed = [name for name in _NEEDED if name in table]
    whole = replace(listed, rows=[{**row, **{name: row.get(name) or "" for name in needed}} for row in listed.rows])
    rows = list(_pick(whole, {name: _list_kinds(dtype) for name, dtype in dtypes.items()}, findings))
    for name, known in table.items():
        for row in (row for row in rows if known and name in row):
            if not (known.fullmatch(row[name]) if isinstance(known, re.Pattern) else row[name] in known):
                expected = "what its schema describes"
                findings.append(report_value(f"{listed.name}, {name}", expected, row[name], row["line"]))
                row[name] = row[name] if name in session_rows.GAME_LISTS else None
    plain = {
        name: pl.Int64 if dtype.is_integer() else pl.String if dtype.is_nested() or dtype == pl.Enum else dtype
        for name, dtype in dtypes.items()
    }
    frame = pl.DataFrame(rows, {"line": pl.UInt32, **plain})
    return frame.cast({name: dtype for name, dtype in dtypes.items() if not dtype.is_nested()}, strict=False)


def _list_kinds(dtype: pl.DataType) -> tuple[type, ...]:
    """Return the types of the values of JSON that a column takes."""
    if dtype == pl.Boolean:
        return (bool,)
    return (int, float) if dtype.is_float() else (int,) if dtype.is_integer() else (str,)


def _list_lines(content: str) -> dict[str, list[int]]:
    """Return the line of each object of the lists of a file that has one on a line, as overtrick writes them."""
    lines: dict[str, list[int]] = {}
    name = ""
    for number, line in enumerate(content.split("\n"), start=1):
        if found := re.match(r'"([a-z]+)": \[', line):
            name = found[1]
        elif line.startswith("{"):
            lines.setdefault(name, []).append(number)
    return lines


def _object(value: object, place: str, findings: list[Finding]) -> Mapping[str, Any]:
    if isinstance(value, dict):
        return value
    findings.append(report_value(place, "an object", value))
    return {}


def _rows(value: object, place: str, findings: list[Finding]) -> list[Mapping[str, Any]]:
    """Return the objects of a list, and report anything else in it."""
    if not isinstance(value, list):
        findings.append(report_value(place, "a list of objects", value))
        return []
    findings += [
        report_value(f"{place}[{at}]", "an object", item) for at, item in enumerate(value) if not isinstance(item, dict)
    ]
    return [item for item in value if isinstance(item, dict)]


def _read_rows(results: _List, facts: Mapping[str, str], findings: list[Finding]) -> Iterator[dict[str, object]]:
    """Yield the results as rows of texts; a value of a wrong kind is left out and reported.

    Scores and points beside a `game` are computed, and the file says which were stated, if any were.
    """
    kinds = {name: (str,) if name in _TEXTS else (int, float, str) for name in COLUMNS}
    stated = [
        {**row, **{name: row.get(f"stated_{name}") for name in session_rows.STATED if "game" in row}}
        for row in results.rows
    ]
    for picked in _pick(replace(results, rows=stated), kinds, findings):
        texts = {key: str(value).removesuffix(".0") for key, value in picked.items()}
        yield {**facts, **texts, "line": picked["line"]}


def _pick(listed: _List, kinds: Mapping[str, tuple[type, ...]], findings: list[Finding]) -> Iterator[dict[str, Any]]:
    """Yield the values of each object by the names of `kinds`, and its `line`; report those of other kinds."""
    for at, row in enumerate(listed.rows):
        picked: dict[str, Any] = {"line": listed.lines[at] if at < len(listed.lines) else 1}
        for name, taken in kinds.items():
            value = row.get(name)
            if isinstance(value, taken) and (bool in taken or not isinstance(value, bool)):
                picked[name] = value
            elif value is not None:
                expected = f"{_EXPECTED.get(taken[0], 'a number')} or null"
                findings.append(report_value(f"{listed.name}[{at}].{name}", expected, value, picked["line"]))
        yield picked


def _list_contestants(
    listed: _List, standings: _List, findings: list[Finding], *, carried: bool
) -> "frames.Contestants | None":
    """Return the contestants as listed, else those of the standings; None without any.

    The standings say what was added to the totals, unless the games state what was carried over.
    """
    ranked = _read_typed(standings, {**_WHO, "correction": ()}, frames.CONTESTANTS, findings).to_dicts()
    known = _read_typed(listed, _WHO, frames.CONTESTANTS, findings).to_dicts() or ranked
    added = {} if carried else {tuple(map(row.get, _KEY)): row["correction"] for row in ranked}
    for row in known:
        keys = [(row["contestant"], *rest) for rest in product(*((row[name], None) for name in _KEY[1:]))]
        row["stated_adjustment"] = next((added[key] for key in keys if key in added), row["stated_adjustment"])
    frame = pl.DataFrame(known, pl.Schema(frames.dtypes(frames.CONTESTANTS))).drop_nulls("contestant")
    once = frame.unique(_KEY, keep="first", maintain_order=True)
    return once.with_columns(line=pl.lit(None, pl.UInt32)) if known else None


# JSON that other programs or people wrote: whatever it holds, it becomes values that a reader can test one by one.

_SHOWN: Final = 40
_LONGEST_NUMBER: Final = 15
"""Digits of a number; a longer text of digits is not a score or a board, and becomes a text."""
_HALVES: Final = re.compile(
    r"(?P<kept>\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\[^u])|\\u[dD][89a-fA-F][0-9a-fA-F]{2}"
)
"""A character in two halves, or any other escape; else a half alone, which is not a character."""


def read_json(data: bytes, read: Callable[[object, Text, list[Finding]], Reading]) -> Reading:
    """Read a file of JSON.

    Numbers that are too long, infinite or NaN become texts, which no column of numbers takes. Half of a character
    becomes the sign for an unknown one.

    Args:
        data: its bytes.
        read: returns what the file holds, from its value, its text, and a list to which it adds findings.
    """
    text = decode(data)
    if isinstance(text, Finding):
        return nothing_but([text])
    line, column = 1, 1
    try:
        content = _HALVES.sub(lambda found: found["kept"] or "\\ufffd", text.content.rstrip("\x1a\n"))
        value = json.loads(content, parse_int=_whole, parse_float=_decimal, parse_constant=str)
    except json.JSONDecodeError as error:
        line, column, reason = error.lineno, error.colno, error.msg
    except RecursionError:
        reason = "too many brackets"
    else:
        return read(value, text, [*text.findings])
    return nothing_but([*text.findings, Finding("file-damaged/json", line, column, values={"reason": reason})])


def _whole(digits: str) -> int | str:
    return int(digits) if len(digits) <= _LONGEST_NUMBER else digits


def _decimal(digits: str) -> float | str:
    value = float(digits)
    return value if math.isfinite(value) else digits


def report_value(place: str, expected: str, value: object, line: int = 1) -> Finding:
    """Return the finding about a value of a wrong kind."""
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)[:_SHOWN]
    except RecursionError:
        text = "too many brackets"
    return Finding("json-value/session", line, 1, values={"place": place, "expected": expected, "text": text})


def write_json(session: frames.Session) -> Written:
    """Write all of a session with its scores; reading it gives the same frames.

    The items that follow from the records, and those of LIN that only arrange a page, are left out.
    """
    table = list_table(session)
    alike = [name for name in session_rows.FACTS if name in table and table[name].n_unique() == 1]
    results = table.drop(alike).hstack(session_rows.list_rest(session))
    members = {
        "session": json.dumps(session_rows.describe_session(session), ensure_ascii=False),
        **session_rows.write_lists(session, session_rows.list_standings(session), results),
        "contestants": session_rows.write_rows(session_rows.list_contestants(session)),
        "problems": session_rows.write_rows(session_rows.list_problems(session)),
        "deals": session_rows.write_rows(session_rows.list_deals(session)),
        "games": session_rows.write_rows(session_rows.list_games(session)),
        "items": session_rows.write_rows(session_rows.list_items(session)),
    }
    return Written(session_rows.write_object(members).encode())


def complete_results(results: pl.DataFrame, session: frames.Session) -> pl.DataFrame:
    """Return listed results with all else that JSON holds of them; `contestants` and `session` have names and facts."""
    listed = {*results.columns, *session_rows.FACTS, "names_ns", "names_ew"}
    return results.hstack([*list_table(session).select(pl.exclude(listed)), *session_rows.list_rest(session)])
