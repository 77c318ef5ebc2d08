"""The contracts of a board's field: how many tables bid each, what it makes double dummy, and what it would earn."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, NamedTuple

import numpy as np
import polars as pl

from overtrick.core.bridge.cards import SEAT_NAMES, SEATS, SIDE_OF_SEAT, STRAINS, UNKNOWN
from overtrick.core.bridge.par import makeable
from overtrick.core.frames import Session
from overtrick.show import views
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


class Played(NamedTuple):
    """A contract with its result, and at how many tables."""

    contract: Contract
    declarer: str
    result: str
    tables: int


@dataclass(frozen=True)
class Frequency:
    """One score of a board, how often it was reached and in which contracts."""

    score: str
    """Points for N-S with their sign."""
    tables: int
    share: str
    """Of the most frequent score, in per cent, `37.5`: how long its bar is."""
    points_ns: str
    points_ew: str
    contracts: tuple[Played, ...] = ()
    """That of most tables first; empty where files state the score alone."""


@dataclass(frozen=True)
class Frequencies:
    """The scores of a board, best for N-S first."""

    rows: tuple[Frequency, ...] = ()

    columns = views.columns_of("FREQUENCIES")
    """The columns that it has."""


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
class Fellows:
    """How many tables played the same contract in the same direction."""

    contract: str
    """`3♠`; `Pass` for a board passed out."""
    times: int
    tables: int
    made: int


def find_usual(lines: Sequence[result_lines.Line]) -> Fellows | None:
    """Return the contract that more tables of a board bid than any other.

    Returns:
        None where two contracts share that place, most tables passed, not all tricks are known, or fewer than four
        results have a contract.
    """
    bids: dict[tuple[int, str | None, str], list[result_lines.Line]] = defaultdict(list)
    for line in lines:
        if line["level"] == 0 or (line["level"] and line["strain"] and line["declarer"]):
            side = SIDES[SIDE_OF_SEAT[line["declarer"]]] if line["level"] else ""
            bids[line["level"], line["strain"], side].append(line)
    tables = {bid: result_lines.count_tables(same) for bid, same in bids.items()}
    (level, strain, side), most = max(tables.items(), key=lambda bid: bid[1], default=((0, None, ""), 0))
    same = bids.get((level, strain, side), [])
    is_told = all(line["tricks"] is not None for line in same) and list(tables.values()).count(most) == 1
    if sum(map(len, bids.values())) < _LEAST or not level or not is_told:
        return None
    made = result_lines.count_tables([line for line in same if line["tricks"] >= level + 6])
    return Fellows(make_contract(level, strain, 0).text, most, sum(tables.values()), made)


def count_frequencies(
    lines: Sequence[result_lines.Line], form: result_lines.PointsForm, *, is_one_field: bool = True
) -> Frequencies:
    """Count each score of a board's lines, best for N-S first; no artificial scores.

    Args:
        lines: of the board.
        form: how points are written.
        is_one_field: whether a score is worth the same to all; else points stay empty.
    """
    scored = [line for line in lines if line["score_ns"] is not None and not (line["award_ns"] or line["award_ew"])]
    groups = sorted(result_lines.group_lines(scored, "score_ns").items(), reverse=True)
    most = max((result_lines.count_tables(same) for _, same in groups), default=1)
    rows = tuple(
        Frequency(
            score=format_signed(score),
            tables=result_lines.count_tables(same),
            share=f"{100 * result_lines.count_tables(same) / most:.4g}",
            points_ns=_take_only({form.points(line["points_ns"]) for line in same if is_one_field}),
            points_ew=_take_only({form.points(line["points_ew"]) for line in same if is_one_field}),
            contracts=_count_contracts(same),
        )
        for score, same in groups
    )
    return Frequencies(rows)


def _count_contracts(lines: Sequence[result_lines.Line]) -> tuple[Played, ...]:
    named = (line for line in lines if line["level"] is not None and (line["strain"] or not line["level"]))
    counted = result_lines.group_lines(named, "level", "strain", "doubled", "declarer", "tricks")
    played = (
        Played(make_contract(*bid), declarer or "", format_result(bid[0], tricks), result_lines.count_tables(same))
        for (*bid, declarer, tricks), same in counted.items()
    )
    return tuple(sorted(played, key=lambda one: -one.tables))


def _take_only(texts: set[str]) -> str:
    """Return the one text; empty where two fields gave the same score different points."""
    return next(iter(texts)) if len(texts) == 1 else ""


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
