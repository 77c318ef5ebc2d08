"""The contracts of a board's field: how many tables bid each, what it makes double dummy, and what it would earn."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

import numpy as np
import polars as pl

from overtrick.core.bridge.cards import SEAT_NAMES, SEATS, SIDE_OF_SEAT, STRAINS, UNKNOWN
from overtrick.core.bridge.par import makeable
from overtrick.core.frames import Session
from overtrick.show.html import result_lines
from overtrick.show.html.contestants import Contract, format_result, make_contract
from overtrick.show.html.splits import list_parts
from overtrick.show.text.display import SIDES, format_number, format_signed

FILE: Final = "file"
SOLVER: Final = "DDS"
"""Origins of tables, as in `DoubleDummy.origin`."""

_ROWS: Final = tuple(SEATS.index(seat) for seat in "NSEW")
_COLUMNS: Final = tuple(reversed(range(len(STRAINS))))
_PAIRS: Final = ("N-S", "E-W")


@dataclass(frozen=True)
class MakeableContracts:
    """The contracts that one side can make, double dummy."""

    side: str
    """`N-S`, `E-W`."""
    contracts: tuple[Contract, ...]
    """The highest of each strain, notrump first; empty when the side can make none."""


@dataclass(frozen=True)
class DoubleDummy:
    """The tricks that each declarer takes when all four play with all cards in sight, and par."""

    rows: tuple[tuple[str, tuple[str, ...]], ...]
    """By seat (`North South East West`): tricks in notrump, spades, hearts, diamonds, clubs; unknown ones empty."""
    makeable: tuple[MakeableContracts, ...]
    par: str
    """`4♠ · N-S +450`; empty when unknown."""
    origin: str
    """`file` for a table that the file states; else the program that solved it."""


def make_double_dummy_tables(session: Session) -> dict[tuple[str, str | None], tuple[DoubleDummy, ...]]:
    """Make the double-dummy tables of all deals.

    Returns:
        By the board's key (`result_lines.add_board_keys`) and deal: the table as the file states it, else as it was
        solved; both where they differ.
    """
    rows = result_lines.add_board_keys(result_lines.add_board_labels(session.double_dummy, session), session).to_dicts()
    return {(row["key"], row["deal"]): _make_tables(row) for row in rows}


def _make_tables(row: Mapping[str, Any]) -> tuple[DoubleDummy, ...]:
    par = _format_par(row["par_ns"], row["par_contracts"])
    if row["origin"] != "stated":
        return (_make_table(row["tricks"], par, SOLVER if row["origin"] else FILE),)
    stated = _make_table(row["tricks"], par, FILE)
    differs = _differ(row["tricks"], row["solved"])
    return (stated, _make_table(row["solved"], "", SOLVER)) if differs else (stated,)


def _differ(tricks: Sequence[int], solved: Sequence[int] | None) -> bool:
    pairs = zip(tricks, solved or (), strict=False)
    return any(trick not in (other, UNKNOWN) for trick, other in pairs)


def _make_table(tricks: Sequence[int] | None, par: str, origin: str) -> DoubleDummy:
    if tricks is None:
        return DoubleDummy((), (), par, origin)
    table = np.array(tricks, np.uint8).reshape(4, 5)
    texts = ["" if count == UNKNOWN else str(count) for count in tricks]
    rows = ((SEAT_NAMES[seat], tuple(texts[5 * seat : 5 * seat + 5][::-1])) for seat in _ROWS)
    sides = []
    for number, (side, highest) in enumerate(zip(_PAIRS, makeable(table.reshape(1, 20))[0].tolist(), strict=True)):
        contracts = tuple(make_contract(highest[strain], STRAINS[strain], 0) for strain in _COLUMNS if highest[strain])
        # Of a side that is known in part, nothing says that it can make nothing.
        if contracts or UNKNOWN not in table[number::2]:
            sides.append(MakeableContracts(side, contracts))
    return DoubleDummy(tuple(rows), tuple(sides), par, origin)


def _format_par(score: int | None, contracts: Sequence[Mapping[str, Any]] | None) -> str:
    """Return par: the contracts that reach it, then the score for N-S."""
    listed = ", ".join(_format_contract(contract) for contract in contracts or ())
    points = "" if score is None else f"N-S {format_signed(score)}" if score else "0"
    return " · ".join(filter(None, (listed or ("Pass" if score == 0 else ""), points)))


def _format_contract(par: Mapping[str, Any]) -> str:
    seats = par["declarer"] or ""
    over = format_result(par["level"], par["tricks"]).removeprefix("=")
    return f"{make_contract(par['level'], par['strain'], par['doubled']).text}{over} {'-'.join(seats)}".rstrip()


def find_unsolved_hint(session: Session) -> str:
    """Return how to get the tables that are missing because no solver is installed; empty if none are."""
    problems = session.problems.filter(pl.col("code") == "double-dummy-unsolved")
    return "" if problems.is_empty() else str(problems["hint"][0])


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


@dataclass(frozen=True)
class Fellows:
    """How many tables played the same contract in the same direction."""

    contract: str
    """`3♠`; `Pass` for a board passed out."""
    times: int
    tables: int
    made: int


def find_usual(bids: Sequence[BidContract]) -> Fellows | None:
    """Return the contract that more tables bid than any other; None without one, and where not all tricks are known."""
    counts = [bid.tables for bid in bids]
    if not counts or counts.count(counts[0]) > 1 or not bids[0].made:
        return None
    return Fellows(bids[0].contract.text, counts[0], sum(counts), int(bids[0].made))


def count_contracts(lines: Sequence[result_lines.Line]) -> tuple[BidContract, ...]:
    """Return who bid what on a board, the most frequent first; empty for fewer than four results with a contract."""
    tables: dict[tuple[int, str | None, str], list[result_lines.Line]] = defaultdict(list)
    for line in lines:
        if line["level"] == 0 or (line["level"] and line["strain"] and line["declarer"]):
            side = SIDES[SIDE_OF_SEAT[line["declarer"]]] if line["level"] else ""
            tables[line["level"], line["strain"], side].append(line)
    counted = sorted(tables.items(), key=lambda bid: (-result_lines.count_tables(bid[1]), -bid[0][0], bid[0][1:]))
    if sum(map(len, tables.values())) < _LEAST:
        return ()
    most = result_lines.count_tables(counted[0][1])
    return tuple(
        BidContract(
            contract=make_contract(level, strain, 0),
            side=side,
            tables=result_lines.count_tables(same),
            share=f"{result_lines.count_tables(same) / most:.3f}",
            made=_count_made(same, level),
        )
        for (level, strain, side), same in counted
    )


def _count_made(lines: Sequence[result_lines.Line], level: int) -> str:
    if not level or any(line["tricks"] is None for line in lines):
        return ""
    return str(result_lines.count_tables([line for line in lines if line["tricks"] >= level + 6]))


def compare_field(lines: Sequence[result_lines.Line], form: result_lines.PointsForm) -> tuple[FieldContract, ...]:
    """Return the contracts of a board, the most frequent first; empty unless the board was analysed."""
    analysed = [line for line in lines if line["parts_of"] and line["level"] and line["dd_tricks"] is not None]
    tables = result_lines.group_lines(
        (line for line in analysed if line["strain"]), "level", "strain", "doubled", "declarer"
    )
    counted = [(result_lines.count_tables(same), same) for same in tables.values()]
    counted.sort(key=lambda contract: -contract[0])
    return tuple(_make_contract(count, same, form) for count, same in counted)


def _make_contract(count: int, lines: Sequence[result_lines.Line], form: result_lines.PointsForm) -> FieldContract:
    first = lines[0]
    places = max(form.places, 1 if len(lines) > 1 else 0)
    expected = _mean(lines, [list_parts(line, "NS")[0] for line in lines])
    earned = _mean(lines, [sum(list_parts(line, "NS"), Fraction(0)) for line in lines])
    tricks = [Fraction(line["tricks"]) for line in lines if line["tricks"] is not None]
    return FieldContract(
        contract=make_contract(first["level"], first["strain"], first["doubled"]),
        declarer=first["declarer"] or "",
        tables=count,
        double_dummy=str(first["dd_tricks"]),
        made=format_number(float(_mean(lines, tricks)), 1).removesuffix(".0") if len(tricks) == len(lines) else "",
        expected=format_signed(float(expected), places),
        earned=format_signed(float(earned), places),
    )


def _mean(lines: Sequence[result_lines.Line], values: Sequence[Fraction]) -> Fraction:
    weights = [line["multiplicity"] or 1 for line in lines]
    return sum((value * weight for value, weight in zip(values, weights, strict=True)), Fraction(0)) / sum(weights)
