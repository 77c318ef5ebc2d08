"""The contracts of a board's field: how many tables bid each, what it makes double dummy, and what it would earn."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from overtrick.render.display import format_number, format_signed
from overtrick.render.pages.result_lines import Line, PointsForm
from overtrick.render.pages.splits import list_parts
from overtrick.render.pages.symbols import Contract, make_contract


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
