"""The JSON of a session, as `overtrick score`, `overtrick convert` and the site of an evening write it.

`docs/session.schema.json` describes it. The reader checks what it uses against that: an object with `results`, a list
of objects. Scores of a session that is read again are computed anew.
"""

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import polars as pl

from overtrick.core import notation
from overtrick.core.frames import CONTESTANTS, RECORDS, Contestants, conform
from overtrick.core.problems import Finding
from overtrick.files.formats.base import Reading, nothing_but
from overtrick.files.formats.pbn.read.tag_columns import read_deals
from overtrick.files.formats.tables.cells import make_cells, read_cells
from overtrick.files.formats.tables.typed import COLUMNS, ON_SHEETS
from overtrick.files.formats.text import Text, decode

_RECOGNISED: Final = re.compile(rb'\s*\{\s*"(?:schema"\s*:\s*[0-9]+\s*,\s*"session|session)"\s*:\s*\{')
_FACTS: Final = ("event", "site", "date", "scoring")
_TEXTS: Final = frozenset(COLUMNS) - {"board", "tricks", "score_ns", "points_ns", "points_ew", "datum", *ON_SHEETS}
_OF_BOARD: Final = ("dealer", "vulnerable")
"""What `deals` state of a board besides its cards."""
_KNOWN: Final = frozenset({"schema", "session", "standings", "results", "deals", "problems", "matches", "sheets"})


def is_session_json(head: bytes) -> bool:
    """Report whether a file begins as a session in JSON."""
    return _RECOGNISED.match(head.removeprefix(b"\xef\xbb\xbf")) is not None


def read_session_json(data: bytes) -> Reading:
    """Read a session: its results, its contestants by its standings, and its deals."""
    return read_json(data, _read_session)


def _read_session(whole: object, text: Text, findings: list[Finding]) -> Reading:
    whole = _object(whole, "the file", findings)
    places = _list_lines(text.content)
    about = _object(whole.get("session"), "session", findings)
    results = _rows(whole.get("results"), "results", findings)
    rows = list(_read_rows(results, about, places.get("results", []), findings))
    deals = _read_deals(_rows(whole.get("deals", []), "deals", findings), findings)
    by = ["cell_board", "cell_section"]
    cells = make_cells(rows, ("board", "ns", "ew", "section"))
    first = deals.drop_nulls("cell_board").unique(by, keep="first", maintain_order=True)
    played = first.join(cells, on=by, how="semi", nulls_equal=True)
    cells = cells.join(played.drop("turn"), on=by, how="left", nulls_equal=True, maintain_order="left")
    if cells["cell_board"].is_null().all():
        # The deals of a rubber have no numbers; `read_cells` takes them in their order.
        cells = cells.drop("cell_board")
    standings = _rows(whole.get("standings", []), "standings", findings)
    reading = read_cells(cells, findings, contestants=_list_contestants(standings), typed_in=True)
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
    return replace(reading, records=pl.concat([reading.records, conform(RECORDS, others)]))


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
    for at, result in enumerate(results):
        line = lines[at] if at < len(lines) else 1
        row: dict[str, object] = {"line": line, **facts}
        for name in COLUMNS:
            value = result.get(name)
            kinds: tuple[type, ...] = (str,) if name in _TEXTS else (int, float, str)
            if value is None:
                continue
            if isinstance(value, bool) or not isinstance(value, kinds):
                expected = "a text or null" if name in _TEXTS else "a number or null"
                findings.append(report_value(f"results[{at}].{name}", expected, value, line))
            else:
                row[name] = f"{value:g}" if isinstance(value, float) else str(value)
        if result.get("not_played") is True:
            row["contract"] = "NP"
        yield row


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


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _list_contestants(standings: Sequence[Mapping[str, Any]]) -> "Contestants | None":
    """Return the contestants of the standings, with what was added to their totals; None without standings."""
    listed = [
        {
            "contestant": standing["contestant"],
            "section": _text(standing.get("section")),
            "direction": direction if (direction := standing.get("direction")) in ("NS", "EW") else None,
            "names": _text(standing.get("names")),
            "stated_adjustment": _number(standing.get("correction")),
        }
        for standing in standings
        if isinstance(standing.get("contestant"), str)
    ]
    if not listed:
        return None
    schema = dict.fromkeys(listed[0], pl.String) | {"stated_adjustment": CONTESTANTS["stated_adjustment"].dtype}
    frame = conform(CONTESTANTS, pl.DataFrame(listed, schema=schema))
    return frame.unique(["contestant", "section", "direction"], keep="first", maintain_order=True)


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
