"""The contracts of a board's field: how many tables bid each, what it makes double dummy, and what it would earn."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from overtrick.core.bridge.cards import SIDE_OF_SEAT
from overtrick.show.html.result_lines import Line, PointsForm
from overtrick.show.html.splits import list_parts
from overtrick.show.html.symbols import Contract, make_contract
from overtrick.show.text.display import format_number, format_signed

_SIDES: Final = {"NS": "N-S", "EW": "E-W"}
_LEAST: Final = 4
"""Results from which contracts are counted: fewer are seen at once."""


@dataclass(frozen=True)
class FieldContract:
    """A contract by one declarer."""

    contract: Contract
    declarer: str
    tables: int
    double_dummy: str
    """Tricks that declarer makes double dummy; empty when not known."""
    made: str
    """Tricks made, the mean of its tables."""
    expected: str
    """Distance of N-S from average against the actual field, had declarer made the double-dummy tricks."""
    earned: str
    """Distance of N-S from average, the mean of its tables."""


@dataclass(frozen=True)
class BidContract:
    """A contract, doubled or not, by one side."""

    contract: Contract
    side: str
    """`N-S`, `E-W`; empty for a board passed out."""
    tables: int
    share: str
    """Of the most frequent contract, `0.5`: how long its bar is."""
    made: str
    """How many of the tables made it; empty for a board passed out, and where not all tricks are known."""


def count_contracts(lines: Sequence[Line]) -> tuple[BidContract, ...]:
    """Return who bid what on a board, the most frequent first; empty for fewer than four results with a contract."""
    tables: dict[tuple[int, str | None, str], list[Line]] = defaultdict(list)
    for line in lines:
        if line["level"] == 0 or (line["level"] and line["strain"] and line["declarer"]):
            side = _SIDES[SIDE_OF_SEAT[line["declarer"]]] if line["level"] else ""
            tables[line["level"], line["strain"], side].append(line)
    counted = sorted(tables.items(), key=lambda one: (-_count(one[1]), -one[0][0], one[0][1:]))
    if sum(map(len, tables.values())) < _LEAST:
        return ()
    most = _count(counted[0][1])
    return tuple(
        BidContract(
            contract=make_contract(level, strain, 0),
            side=side,
            tables=_count(same),
            share=f"{_count(same) / most:.3f}",
            made=_count_made(same, level),
        )
        for (level, strain, side), same in counted
    )


def _count_made(lines: Sequence[Line], level: int) -> str:
    if not level or any(line["tricks"] is None for line in lines):
        return ""
    return str(_count([line for line in lines if line["tricks"] >= level + 6]))


def compare_field(lines: Sequence[Line], form: PointsForm) -> tuple[FieldContract, ...]:
    """Return the contracts of a board, the most frequent first; empty unless the board was analysed."""
    tables: dict[tuple[object, ...], list[Line]] = defaultdict(list)
    for line in lines:
        if line["parts_of"] and line["level"] and line["strain"] and line["dd_tricks"] is not None:
            tables[line["level"], line["strain"], line["doubled"], line["declarer"]].append(line)
    counted = [(_count(same), same) for same in tables.values()]
    counted.sort(key=lambda one: -one[0])
    return tuple(_make_contract(count, same, form) for count, same in counted)


def _count(lines: Sequence[Line]) -> int:
    return sum(line["multiplicity"] or 1 for line in lines)


def _make_contract(count: int, lines: Sequence[Line], form: PointsForm) -> FieldContract:
    first = lines[0]
    places = max(form.places, 1 if len(lines) > 1 else 0)
    expected = _mean(lines, [list_parts(line, "NS")[0] for line in lines])
    earned = _mean(lines, [sum(list_parts(line, "NS"), Fraction(0)) for line in lines])
    made = [Fraction(line["tricks"]) for line in lines if line["tricks"] is not None]
    return FieldContract(
        contract=make_contract(first["level"], first["strain"], first["doubled"]),
        declarer=first["declarer"] or "",
        tables=count,
        double_dummy=str(first["dd_tricks"]),
        made=_short(float(_mean(lines, made))) if len(made) == len(lines) else "",
        expected=format_signed(float(expected), places),
        earned=format_signed(float(earned), places),
    )


def _mean(lines: Sequence[Line], values: Sequence[Fraction]) -> Fraction:
    weights = [line["multiplicity"] or 1 for line in lines]
    return sum((value * weight for value, weight in zip(values, weights, strict=True)), Fraction(0)) / sum(weights)


def _short(value: float) -> str:
    return format_number(value, 1).removesuffix(".0")
