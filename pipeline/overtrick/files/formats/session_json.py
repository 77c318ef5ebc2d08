"""The JSON of a session, as `overtrick score`, `overtrick convert` and the site of an evening write it.

`docs/session.schema.json` describes it. The reader checks what it uses against that: an object with `results`, a list
of objects. Scores of a session that is read again are computed anew.
"""

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Any, Final

import polars as pl

from overtrick.core import frames, notation
from overtrick.core.problems import Finding
from overtrick.files.formats.base import Reading, nothing_but
from overtrick.files.formats.pbn.read.tag_columns import read_deals
from overtrick.files.formats.session_rows import CONTESTANT, GAME, GAME_LISTS, NOTE
from overtrick.files.formats.tables.cells import make_cells, read_cells
from overtrick.files.formats.tables.typed import COLUMNS, ON_SHEETS
from overtrick.files.formats.text import Text, decode

_RECOGNISED: Final = re.compile(rb'\s*\{\s*"(?:schema"\s*:\s*[0-9]+\s*,\s*"session|session)"\s*:\s*\{')
_FACTS: Final = ("event", "site", "date", "scoring")
_TEXTS: Final = frozenset(COLUMNS) - {"board", "tricks", "score_ns", "points_ns", "points_ew", "datum", *ON_SHEETS}
_DEAL: Final = ("section", "board", "deal")
_KEY: Final = ("contestant", "section", "direction")
_OF_CONTESTANT: Final = pl.Schema(
    {**{name: frames.CONTESTANTS[name].dtype for name in CONTESTANT}, "correction": pl.Float64}
)
_OF_BOARD: Final = ("dealer", "vulnerable", "double_dummy")
"""What `deals` state of a board besides its cards."""


def is_session_json(head: bytes) -> bool:
    """Report whether a file begins as a session in JSON."""
    return _RECOGNISED.match(head.removeprefix(b"\xef\xbb\xbf")) is not None


def read_session_json(data: bytes) -> Reading:
    """Read a session: its results, contestants, deals, and games with an auction or a play."""
    return read_json(data, _read_session)


def _read_session(whole: object, text: Text, findings: list[Finding]) -> Reading:
    whole = _object(whole, "the file", findings)
    places = _list_lines(text.content)
    about = _object(whole.get("session"), "session", findings)
    results = _rows(whole.get("results"), "results", findings)
    rows = list(_read_rows(results, about, places.get("results", []), findings))
    deals = _read_deals(_rows(whole.get("deals", []), "deals", findings), findings)
    stated = _rows(whole.get("games", []), "games", findings)
    games = _read_games(stated, places.get("games", []), findings)
    notes = _read_notes(stated, places.get("games", []), findings)
    by = ["cell_board", "cell_section"]
    cells = make_cells(rows, ("board", "ns", "ew", "section"))
    first = deals.drop_nulls("cell_board").unique(by, keep="first", maintain_order=True)
    played = first.join(cells, on=by, how="semi", nulls_equal=True)
    known = played.select(*by, "deal", "cell_dealer", of_board="cell_vulnerable")
    cells = cells.join(known, on=by, how="left", nulls_equal=True, maintain_order="left")
    cells = cells.with_columns(pl.coalesce("^cell_vulnerable$", "of_board").alias("cell_vulnerable")).drop("of_board")
    if cells["cell_board"].is_null().all():
        # The deals of a rubber have no numbers; `read_cells` takes them in their order.
        cells = cells.drop("cell_board")
    reading = read_cells(cells, findings, contestants=_list_contestants(whole, findings), typed_in=True)
    others = deals.join(played, on="turn", how="anti", maintain_order="left").select(
        "deal",
        *(pl.lit(_text(about.get(name)), pl.String).alias(name) for name in _FACTS),
        record=pl.int_range(pl.len(), dtype=pl.UInt32) + reading.records.height,
        line=pl.lit(1),
        board_label="cell_board",
        board=notation.board(pl.col("cell_board")),
        section="cell_section",
        dealer=notation.seat(pl.col("cell_dealer")),
        vulnerable=notation.vulnerable(pl.col("cell_vulnerable")),
    )
    records = pl.concat([reading.records, frames.conform(frames.RECORDS, others)])
    listed = pl.concat([reading.items, _list_tables(deals, records)])
    problems = reading.problems.filter((pl.col("code") != "file-no-games") | records.is_empty())
    reading = replace(reading, records=records, listed=listed, problems=problems)
    return _add_games(reading, games, notes) if len(games) else reading


def _list_tables(deals: pl.DataFrame, records: frames.Records) -> frames.Items:
    """Return the double-dummy tables of the deals as items, each of the first record of its deal."""
    stated = deals.drop_nulls("cell_double_dummy").with_columns(notation.board(pl.col("cell_board")).alias("board"))
    tables = stated.rename({"cell_section": "section"}).join(
        records, on=_DEAL, nulls_equal=True, maintain_order="right"
    )
    about = {"column": pl.lit(1), "kind": pl.lit("tag"), "name": pl.lit("DoubleDummyTricks")}
    first = tables.unique(_DEAL, keep="first", maintain_order=True)
    return frames.conform(frames.ITEMS, first.select("record", "line", **about, text="cell_double_dummy"))


def _read_games(games: Sequence[Mapping[str, Any]], lines: Sequence[int], findings: list[Finding]) -> pl.DataFrame:
    """Return the games: `result section board deal`, as `session_rows.list_games` has them, and `GAME`."""
    texts = ("section", "deal", *GAME)
    kinds: dict[str, tuple[type, ...]] = {"result": (int,), "board": (int,), **dict.fromkeys(texts, (str,))}
    schema = {"result": pl.Int64, "board": pl.Int64, **dict.fromkeys(texts, pl.String)}
    rows = list(_pick(games, kinds, "games", lines, findings))
    for name, words in GAME.items():
        odd = [row for row in rows if not {*words, "-"}.issuperset(row.get(name, "-").split(" "))]
        findings += [
            report_value(f"games, {name}", f"words such as {words[-1]}", row[name], row["line"]) for row in odd
        ]
    said = pl.DataFrame(rows, schema)
    whole = (pl.col(name).cast(pl.Int32, strict=False) for name in ("result", "board"))
    codes = {
        name: said[name]
        .str.split(" ")
        .list.eval(pl.element().replace_strict(words, range(len(words)), default=255, return_dtype=pl.UInt8))
        for name, words in GAME_LISTS.items()
    }
    plain = (
        pl.when(pl.col(name).is_in(words)).then(name).alias(name)
        for name, words in GAME.items()
        if name not in GAME_LISTS
    )
    return said.with_columns(*whole, *plain, **codes)


def _read_notes(games: Sequence[Mapping[str, Any]], lines: Sequence[int], findings: list[Finding]) -> pl.DataFrame:
    """Return the annotations of the games, in the columns of `NOTE`, with the place of the `game` and its `line`."""
    kinds: dict[str, tuple[type, ...]] = {**dict.fromkeys(NOTE, (str,)), "index": (int,), "game": (int,)}
    said = [_rows(stated.get("notes") or [], f"games[{game}].notes", findings) for game, stated in enumerate(games)]
    numbered = [{**note, "game": game} for game, notes in enumerate(said) for note in notes]
    at = [lines[note["game"]] if note["game"] < len(lines) else 1 for note in numbered]
    rows = list(_pick(numbered, kinds, "notes", at, findings))
    for name, known in NOTE.items():
        odd = [row for row in rows if known and row.get(name) not in known]
        findings += [report_value(f"notes, {name}", " or ".join(known), row.get(name), row["line"]) for row in odd]
        rows = [row for row in rows if not known or row.get(name) in known]
    schema = {"game": pl.UInt32, "line": pl.Int64, **dict.fromkeys(NOTE, pl.String), "index": pl.Int64}
    return pl.DataFrame(rows, schema).with_columns(pl.col("index").cast(pl.UInt32, strict=False))


def _add_games(reading: Reading, games: pl.DataFrame, notes: pl.DataFrame) -> Reading:
    """Return the reading with each auction and play in a record of its own, with its annotations.

    A game takes the record of its board, unless another game has it or a result without a game needs it.
    """
    # result  record                          result  record   calls
    # 12      6                               12      40       1S 2H ...    a copy of record 6
    # 13      6      games of 12 and 13  ->   13      41       1S Pass ...  another copy
    # 14      6                               14      6
    results = reading.results.with_row_index("result").with_columns(pl.col("result").cast(pl.Int32))
    alone = results.join(games, on="result", how="anti")["record"].to_list()
    dealt = reading.records.select(*_DEAL, of_deal="record").unique(_DEAL, keep="first", maintain_order=True)
    found = (
        games.with_row_index("game")
        .join(results.select("result", "record"), on="result", how="left", maintain_order="left")
        .join(dealt, on=_DEAL, how="left", nulls_equal=True, maintain_order="left")
        .with_columns(record=pl.coalesce("record", "of_deal"))
    )
    takes = pl.col("record").is_first_distinct() & ~pl.col("record").is_in(alone)
    number = (
        pl.when(takes).then("record").otherwise((~takes.fill_null(value=False)).cum_sum() - 1 + reading.records.height)
    )
    seated = found.join(
        reading.records.drop(GAME), on="record", how="left", maintain_order="left", suffix="_of_record"
    ).with_columns(number.cast(pl.UInt32), *(pl.coalesce(f"{name}_of_record", name).alias(name) for name in _DEAL))
    seats = seated.drop_nulls("result").unique("result").select("result", seat="record")
    placed = notes.join(seated.select("game", "record"), on="game", maintain_order="left")
    moved = results.join(seats, on="result", how="left", maintain_order="left")
    return replace(
        reading,
        records=pl.concat(
            [reading.records.join(seated, on="record", how="anti"), frames.conform(frames.RECORDS, seated)]
        ).sort("record"),
        results=frames.conform(frames.RESULTS, moved.with_columns(record=pl.coalesce("seat", "record"))),
        annotations=frames.conform(
            frames.ANNOTATIONS, placed.with_columns(column=pl.lit(1)).sort("record", maintain_order=True)
        ),
    )


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


def _read_rows(
    results: Sequence[Mapping[str, Any]], about: Mapping[str, Any], lines: Sequence[int], findings: list[Finding]
) -> Iterator[dict[str, object]]:
    """Yield the results as rows of texts; a value of a wrong kind is left out and reported."""
    facts = {name: about.get(name) for name in _FACTS if isinstance(about.get(name), str)}
    kinds = {name: (str,) if name in _TEXTS else (int, float, str) for name in COLUMNS}
    for result, picked in zip(results, _pick(results, kinds, "results", lines, findings), strict=True):
        texts = {key: f"{value:g}" if isinstance(value, float) else str(value) for key, value in picked.items()}
        row: dict[str, object] = {**facts, **texts, "line": picked["line"]}
        if result.get("not_played") is True:
            row["contract"] = "NP"
        yield row


def _pick(
    rows: Sequence[Mapping[str, Any]],
    kinds: Mapping[str, tuple[type, ...]],
    place: str,
    lines: Sequence[int],
    findings: list[Finding],
) -> Iterator[dict[str, Any]]:
    """Yield the values of each object by the names of `kinds`, and its `line`; report those of other kinds."""
    for at, row in enumerate(rows):
        picked: dict[str, Any] = {"line": lines[at] if at < len(lines) else 1}
        for name, taken in kinds.items():
            value = row.get(name)
            if isinstance(value, taken) and not isinstance(value, bool):
                picked[name] = value
            elif value is not None:
                expected = "a text or null" if taken == (str,) else "a number or null"
                findings.append(report_value(f"{place}[{at}].{name}", expected, value, picked["line"]))
        yield picked


def _read_deals(deals: Sequence[Mapping[str, Any]], findings: list[Finding]) -> pl.DataFrame:
    """Return the deals in their order: `turn cell_board cell_section deal cell_dealer cell_vulnerable`."""
    stated = [
        (
            None if deal.get("board") is None else str(deal["board"]),
            deal.get("section"),
            deal["deal"],
            *map(_text, map(deal.get, _OF_BOARD)),
        )
        for deal in deals
        if isinstance(deal.get("deal"), str) and isinstance(deal.get("section"), str | None)
    ]
    columns = ("cell_board", "cell_section", "deal", *(f"cell_{name}" for name in _OF_BOARD))
    schema = dict.fromkeys(columns, pl.String)
    frame = pl.DataFrame(stated, schema=schema, orient="row")
    read, faults = read_deals(frame["deal"])
    findings += [
        report_value(f"deals, board {board}", f"a deal ({fault})", text)
        for fault, (board, _, text, *_) in zip(faults, stated, strict=True)
        if fault is not None
    ]
    return frame.with_columns(read.alias("deal")).with_row_index("turn")


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _list_contestants(whole: Mapping[str, Any], findings: list[Finding]) -> "frames.Contestants | None":
    """Return the contestants as listed, else those of the standings, which say what was added to the totals."""
    standings = _rows(whole.get("standings", []), "standings", findings)
    listed = _rows(whole.get("contestants", []), "contestants", findings)
    kinds = {name: (int, float) if kind.is_numeric() else (str,) for name, kind in _OF_CONTESTANT.items()}
    ranked = list(_pick(standings, kinds, "standings", (), findings))
    added = {tuple(map(row.get, _KEY)): row.get("correction") for row in ranked}
    rows = []
    for row in list(_pick(listed, kinds, "contestants", (), findings)) or ranked:
        stated = row.get("stated_adjustment")
        keys = [(row.get("contestant"), *rest) for rest in product(*((row.get(name), None) for name in _KEY[1:]))]
        rows.append({**row, "stated_adjustment": next((added[key] for key in keys if key in added), stated)})
    if not rows:
        return None
    plain = {name: pl.Float64 if kind.is_numeric() else pl.String for name, kind in _OF_CONTESTANT.items()}
    known = pl.DataFrame(rows, plain).cast(_OF_CONTESTANT, strict=False).drop_nulls("contestant")
    return frames.conform(frames.CONTESTANTS, known.unique(_KEY, keep="first", maintain_order=True))


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
