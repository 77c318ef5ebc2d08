"""ACBL Live as JSON, in the normalised form that `acbl-live-fetch` describes: tournaments, events, sessions, boards.

`schema_version` comes first. A board has its deal, a double-dummy table and every result, with the pairs and players.
Scores are from the view of N-S.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

import polars as pl

from overtrick.core.frames import ITEMS, conform
from overtrick.core.notation import BETWEEN
from overtrick.core.problems import Finding
from overtrick.files.formats.base import Reading
from overtrick.files.formats.json_text import read_json, report_value
from overtrick.files.formats.pbn.read.deals import read_deals
from overtrick.files.formats.tables.cells import make_cells, read_cells
from overtrick.files.formats.tables.pairs import list_pairs
from overtrick.files.formats.text import Text

_RECOGNISED: Final = re.compile(rb'(?:\xef\xbb\xbf)?\s*\{\s*"schema_version"\s*:\s*"[^"]*"\s*,\s*"source"')
_SEATS: Final = "NESW"
_SUITS: Final = "SHDC"
_STRAINS: Final = ("NT", "S", "H", "D", "C")
_VULNERABLE: Final = {"both": "All", "none": "None", "ns": "NS", "ew": "EW", "all": "All"}
_SCORING: Final = {"matchpoints": "MatchPoints", "imps": "IMP"}
_OPTIONAL: Final = ("results", "players")
_TRICKS: Final = "0123456789abcd"


def is_acbl_live(head: bytes) -> bool:
    """Report whether a file begins with the version and the source of this form."""
    return _RECOGNISED.match(head) is not None


def read_acbl_live(data: bytes) -> Reading:
    """Read all sessions in a file; a value of a wrong kind is left out and reported."""
    return read_json(data, _read_tournaments)


def _read_tournaments(whole: object, _: Text, findings: list[Finding]) -> Reading:
    rows: list[dict[str, object]] = []
    players: list[dict[str, Any]] = []
    tables: list[dict[str, object]] = []
    for board, facts, place in _list_boards(whole, findings):
        stated = {**facts, **_about(board, place, findings)}
        tables.append({"board": stated["board"], "section": stated.get("section"), "text": _digits(board)})
        for at, result in enumerate(_list(board, "results", place, findings)):
            rows.append({"line": 1, **stated, **_read_result(result, f"{place}.results[{at}]", players, findings)})
    return _reading(rows, players, tables, findings)


def _reading(
    rows: list[dict[str, object]],
    players: list[dict[str, Any]],
    tables: list[dict[str, object]],
    findings: list[Finding],
) -> Reading:
    deals = pl.Series([row.pop("deal", None) for row in rows], dtype=pl.String)
    read, faults = read_deals(deals)
    for fault, row in zip(faults, rows, strict=True):
        if fault is not None:
            values = {"place": f"board {row['board']}, deal", "expected": "a deal of 52 cards", "text": fault}
            findings.append(Finding("json-schema", 1, 1, values=values))
    cells = make_cells(rows, ("board", "ns", "ew")).with_columns(read.alias("deal"))
    once = {(one["section"], one["pair"], one["seat"]): one for one in players}
    reading = read_cells(cells, findings, contestants=list_pairs([*once.values()], findings))
    stated = pl.DataFrame(tables, schema=dict.fromkeys(("board", "section", "text"), pl.String)).drop_nulls("text")
    numbered = reading.records.select("record", pl.col("board_label").alias("board"), "section")
    items = stated.join(numbered, on=["board", "section"], how="inner", nulls_equal=True).with_columns(
        pl.lit(1).alias("line"),
        pl.lit(1).alias("column"),
        pl.lit("tag").alias("kind"),
        pl.lit("DoubleDummyTricks").alias("name"),
    )
    return Reading(
        pl.concat([reading.items, conform(ITEMS, items)]),
        reading.records,
        reading.annotations,
        reading.results,
        reading.contestants,
        reading.problems,
    )


def _list_boards(whole: object, findings: list[Finding]) -> Iterator[tuple[Mapping[str, Any], dict[str, object], str]]:
    """Yield each board with the facts of its session and its place in the file."""
    for a, tournament in enumerate(_list(whole, "tournaments", "", findings)):
        for b, event in enumerate(_list(tournament, "events", f"tournaments[{a}]", findings)):
            name = event.get("name") or tournament.get("name")
            facts: dict[str, object] = {
                "event": name if isinstance(name, str) else None,
                "date": str(event.get("date") or "").replace("-", ".") or None,
                "scoring": _SCORING.get(str(event.get("scoring")), None),
            }
            for c, session in enumerate(_list(event, "sessions", f"events[{b}]", findings)):
                for d, board in enumerate(_list(session, "boards", f"sessions[{c}]", findings)):
                    yield board, facts, f"sessions[{c}].boards[{d}]"


def _list(holder: object, name: str, place: str, findings: list[Finding]) -> list[Mapping[str, Any]]:
    value = holder.get(name) if isinstance(holder, dict) else None
    listed = value if isinstance(value, list) else []
    wrong = value is not None and (not isinstance(value, list) or not all(isinstance(one, dict) for one in listed))
    if wrong or (value is None and name not in _OPTIONAL):
        findings.append(report_value(f"{place}.{name}".strip("."), "a list of objects", value))
    return [one for one in listed if isinstance(one, dict)]


def _about(board: Mapping[str, Any], place: str, findings: list[Finding]) -> dict[str, object]:
    number = board.get("number")
    if not isinstance(number, int) or isinstance(number, bool):
        findings.append(report_value(f"{place}.number", "a board number", number))
    return {
        "board": str(number),
        "section": _plain(board.get("section")),
        "dealer": _plain(board.get("dealer")),
        "vulnerable": _VULNERABLE.get(str(board.get("vulnerability")).lower()),
        "deal": _deal(board.get("deal")),
    }


def _plain(value: object) -> str | None:
    return str(value) if isinstance(value, str | int) and not isinstance(value, bool) else None


def _deal(deal: object) -> str | None:
    """Return a deal in the form of PBN; None where it is not stated. A hand that is not an object is hidden."""
    if not isinstance(deal, dict):
        return None
    hands = [deal.get(seat) for seat in _SEATS]
    written = [
        ".".join("".join(map(str, hand.get(suit) or [])).replace("10", "T") for suit in _SUITS)
        if isinstance(hand, dict) and all(isinstance(hand.get(suit) or [], list) for suit in _SUITS)
        else "-"
        for hand in hands
    ]
    return f"N:{' '.join(written)}"


def _digits(board: Mapping[str, Any]) -> str | None:
    """Return a double-dummy table as PBN's `DoubleDummyTricks`, `?` for a number that is not known."""
    table = board.get("double_dummy")
    if not isinstance(table, dict):
        return None
    seats = [one if isinstance(one := table.get(seat), dict) else {} for seat in "NSEW"]
    numbers = [seat.get(strain) for seat in seats for strain in _STRAINS]
    digits = "".join(_TRICKS[one] if isinstance(one, int) and 0 <= one <= 13 else "?" for one in numbers)
    return digits if digits.strip("?") else None


def _read_result(
    result: Mapping[str, Any], place: str, players: list[dict[str, Any]], findings: list[Finding]
) -> dict[str, object]:
    row: dict[str, object] = {name: _plain(result.get(name)) for name in ("contract", "declarer", "tricks")}
    score = result.get("score")
    if score is not None and (not isinstance(score, int | float) or isinstance(score, bool)):
        findings.append(report_value(f"{place}.score", "a number or null", score))
    else:
        row["score_ns"] = None if score is None else f"{score:g}"
    share = result.get("percentage")
    if row["contract"] is None and score is None and isinstance(share, int | float) and not isinstance(share, bool):
        row |= {"award_ns": f"{share:g}%", "award_ew": f"{100 - share:g}%"}
    earned = result.get("matchpoints") if result.get("matchpoints") is not None else result.get("imps")
    row["points_ns"] = f"{earned:g}" if isinstance(earned, int | float) else None
    for side, seats in (("ns", "NS"), ("ew", "EW")):
        pair = result.get(f"{side}_pair")
        if not isinstance(pair, dict):
            findings.append(report_value(f"{place}.{side}_pair", "an object", pair))
            continue
        listed = _list(pair, "players", f"{place}.{side}_pair", findings)
        names = [str(one.get("name") or "?") for one in listed]
        number = _plain(pair.get("number")) or BETWEEN.join(names) or None
        section = _plain(pair.get("section"))
        row[side], row[f"names_{side}"] = number, BETWEEN.join(names) or None
        row.setdefault("section", section)
        players += [
            {
                "line": 1,
                "section": section,
                "pair": number,
                "seat": seat,
                "name": name,
                "member": _plain(one.get("acbl_id")),
            }
            for seat, name, one in zip(seats, names, listed, strict=False)
        ]
    return {name: value for name, value in row.items() if value is not None}
