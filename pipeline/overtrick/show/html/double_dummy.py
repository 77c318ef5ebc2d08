"""Double-dummy tables, with what each side can make and par."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import polars as pl

from overtrick.core.bridge.cards import SEAT_NAMES, SEATS, STRAINS, UNKNOWN
from overtrick.core.bridge.par import makeable
from overtrick.core.frames import Session
from overtrick.show.html.result_lines import add_board_keys, add_board_labels
from overtrick.show.html.symbols import Contract, format_result, make_contract
from overtrick.show.text.display import format_signed

FILE: Final = "file"
SOLVER: Final = "DDS"
"""Origins of tables, as in `DoubleDummy.origin`."""

_ROWS: Final = tuple(SEATS.index(seat) for seat in "NSEW")
_COLUMNS: Final = tuple(reversed(range(len(STRAINS))))
_SIDES: Final = ("N-S", "E-W")


@dataclass(frozen=True)
class MakeableContracts:
    """What one side can make, double dummy."""

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
    rows = add_board_keys(add_board_labels(session.double_dummy, session), session).to_dicts()
    return {(row["key"], row["deal"]): _make_tables(row) for row in rows}


def _make_tables(row: Mapping[str, Any]) -> tuple[DoubleDummy, ...]:
    par = _format_par(row["par_ns"], row["par_contracts"])
    if row["origin"] != "stated":
        return (_make_table(row["tricks"], par, SOLVER if row["origin"] else FILE),)
    stated = _make_table(row["tricks"], par, FILE)
    if not _differ(row["tricks"], row["solved"]):
        return (stated,)
    return (stated, _make_table(row["solved"], "", SOLVER))


def _differ(tricks: Sequence[int], solved: Sequence[int] | None) -> bool:
    pairs = zip(tricks, solved or (), strict=False)
    return any(one not in (other, UNKNOWN) for one, other in pairs)


def _make_table(tricks: Sequence[int] | None, par: str, origin: str) -> DoubleDummy:
    if tricks is None:
        return DoubleDummy((), (), par, origin)
    texts = ["" if count == UNKNOWN else str(count) for count in tricks]
    rows = ((SEAT_NAMES[seat], tuple(texts[5 * seat + strain] for strain in _COLUMNS)) for seat in _ROWS)
    levels = makeable(np.array([tricks], dtype=np.uint8))[0].tolist()
    made = (
        MakeableContracts(
            side, tuple(make_contract(own[strain], STRAINS[strain], 0) for strain in _COLUMNS if own[strain])
        )
        for side, own in zip(_SIDES, levels, strict=True)
    )
    # Of a side that is known in part, nothing says that it can make nothing.
    whole = {
        side: UNKNOWN not in [tricks[5 * seat + strain] for seat in seats for strain in range(5)]
        for side, seats in zip(_SIDES, ((0, 2), (1, 3)), strict=True)
    }
    return DoubleDummy(tuple(rows), tuple(one for one in made if one.contracts or whole[one.side]), par, origin)


def _format_par(score: int | None, contracts: Sequence[Mapping[str, Any]] | None) -> str:
    """Return par: the contracts that reach it, then the score for N-S."""
    listed = ", ".join(_format_contract(one) for one in contracts or ())
    points = "" if score is None else f"N-S {format_signed(score)}" if score else "0"
    return " · ".join(filter(None, (listed or ("Pass" if score == 0 else ""), points)))


def _format_contract(one: Mapping[str, Any]) -> str:
    seats = one["declarer"] or ""
    over = format_result(one["level"], one["tricks"]).removeprefix("=")
    return f"{make_contract(one['level'], one['strain'], one['doubled']).text}{over} {'-'.join(seats)}".rstrip()


def find_unsolved_hint(session: Session) -> str:
    """Return how to get the tables that are missing because no solver is installed; empty if none are."""
    problems = session.problems.filter(pl.col("code") == "double-dummy-unsolved")
    return "" if problems.is_empty() else str(problems["hint"][0])
