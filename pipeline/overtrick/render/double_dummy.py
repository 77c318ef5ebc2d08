"""Double-dummy tables and par as files state them: `OptimumResultTable`, `DoubleDummyTricks`, `OptimumScore`."""

import re
from collections.abc import Iterable, Mapping
from typing import Final

import polars as pl

from overtrick.bridge.cards import SEAT_NAMES, SEATS, STRAINS
from overtrick.frames import Session
from overtrick.render.context import Contract
from overtrick.render.context_tables import DoubleDummy, MakeableContracts
from overtrick.render.lines import board_key
from overtrick.render.notation import contract
from overtrick.render.text import MINUS, clean

Tricks = Mapping[tuple[str, str], int]
"""Tricks by declarer (`N E S W`) and strain (`C D H S NT`)."""

_TAGS: Final = ("OptimumResultTable", "DoubleDummyTricks", "OptimumScore", "OptimumContract", "ParContract")
_ROWS: Final = ("N", "S", "E", "W")
_COLUMNS: Final = STRAINS[::-1]
_DIGITS: Final = re.compile(r"[0-9A-Da-d]{20}")
_ROW: Final = re.compile(r"([NESW])\s+(NT|[CDHSN])\s+(\d+)")
_SCORE: Final = re.compile(r"\b(NS|EW)\s+(?:.*;\s*)?([+-]?\d+)\s*$")
_BID: Final = re.compile(r"\b([1-7])\s*(NT|[CDHSN])(XX|X)?")
_SIGNS: Final = {"C": "♣", "D": "♦", "H": "♥", "S": "♠", "N": "NT", "NT": "NT"}


def stated_tables(session: Session) -> dict[str, DoubleDummy]:
    """Read the double-dummy tables that the files state, by the board's key; the first where several records do."""
    items = session.items.filter(pl.col("name").is_in(_TAGS), pl.col("kind").cast(pl.String).is_in(["tag", "section"]))
    keys = dict(board_key(session.records.select("record", "board", "board_label")).select("record", "key").iter_rows())
    texts: dict[int, dict[str, str]] = {}
    for record, name, text in items.select("record", "name", "text").iter_rows():
        if record is not None:
            # A table's rows follow its tag, and stand in some files within it.
            held = texts.setdefault(record, {})
            held[name] = f"{held.get(name, '')}\n{text or ''}"
    tables: dict[str, DoubleDummy] = {}
    for record, stated in texts.items():
        table = double_dummy(_tricks(stated), _par(stated), "file")
        if table and record in keys:
            tables.setdefault(keys[record], table)
    return tables


def double_dummy(tricks: Tricks, par: str, origin: str) -> DoubleDummy | None:
    """Set out a double-dummy table; None when neither tricks nor par are known.

    Args:
        tricks: what each declarer takes in each strain; may be partial or empty.
        par: as in `context_tables.DoubleDummy`.
        origin: where it comes from, `file` for what a file states.
    """
    if not tricks and not par:
        return None
    rows = tuple(
        (SEAT_NAMES[SEATS.index(seat)], tuple(str(tricks.get((seat, strain), "")) for strain in _COLUMNS))
        for seat in _ROWS
    )
    makeable = tuple(
        MakeableContracts(side, _makeable(tricks, seats)) for side, seats in (("N-S", "NS"), ("E-W", "EW"))
    )
    return DoubleDummy(rows if tricks else (), makeable if tricks else (), par, origin)


def _makeable(tricks: Tricks, seats: str) -> tuple[Contract, ...]:
    """Name the highest contract of each strain that a side can make, the strains in rank order from notrump."""
    best = {strain: max(tricks.get((seat, strain), 0) for seat in seats) for strain in _COLUMNS}
    return tuple(contract(count - 6, strain, 0) for strain, count in best.items() if count > 6)


def _tricks(stated: Mapping[str, str]) -> Tricks:
    rows = _ROW.findall(stated.get("OptimumResultTable", "").replace("\\n", "\n").replace("\\t", " "))
    found = {(seat, "NT" if strain == "N" else strain): int(count) for seat, strain, count in rows}
    digits = _DIGITS.fullmatch("".join(stated.get("DoubleDummyTricks", "").split()))
    if not found and digits:
        places = [(seat, strain) for seat in _ROWS for strain in _COLUMNS]
        found = {place: int(digit, 16) for place, digit in zip(places, digits[0], strict=True)}
    return found if _solved(found) else {}


def _solved(tricks: Tricks) -> bool:
    """Say whether these can be double-dummy tricks: programs that did not solve a strain write 1 for both sides."""
    sides = [[max(tricks.get((seat, strain), 13) for seat in seats) for seats in ("NS", "EW")] for strain in STRAINS]
    return all(sum(pair) > 2 for pair in sides) and max(tricks.values(), default=0) <= 13


def _par(stated: Mapping[str, str]) -> str:
    """Write par as `4♠ · N-S +450`, with what of it the file states."""
    score = clean(stated.get("OptimumScore"))
    inside = re.sub(r"^(?:NS|EW)\s+", "", score.rpartition(";")[0])
    bids = clean(stated.get("OptimumContract") or stated.get("ParContract") or inside)
    match = _SCORE.search(score)
    points = f"{match[1][0]}-{match[1][1]} {_signed(match[2])}" if match else ""
    return " · ".join(filter(None, (_BID.sub(lambda bid: f"{bid[1]}{_SIGNS[bid[2]]}{bid[3] or ''}", bids), points)))


def _signed(digits: str) -> str:
    value = int(digits)
    return f"+{value}" if value > 0 else f"{MINUS}{-value}" if value else "0"


def differing(tables: Iterable[DoubleDummy | None]) -> tuple[DoubleDummy, ...]:
    """Keep the tables that are there, the first of each content: a stated and a computed one that agree are one."""
    kept: dict[tuple[object, ...], DoubleDummy] = {}
    for table in tables:
        if table:
            kept.setdefault(table.rows, table)
    return tuple(kept.values())
