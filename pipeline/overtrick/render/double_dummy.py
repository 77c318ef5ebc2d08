"""Double-dummy tables for display, with what can be made and par."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import polars as pl

from overtrick.bridge.cards import SEAT_NAMES, SEATS, STRAINS, UNKNOWN
from overtrick.bridge.par import makeable
from overtrick.frames import Session
from overtrick.render.context_tables import DoubleDummy, MakeableContracts
from overtrick.render.lines import board_key
from overtrick.render.notation import contract, result
from overtrick.render.text import signed

FILE: Final = "file"
SOLVER: Final = "DDS"
"""Origins of tables, as `DoubleDummy.origin` has them."""

_ROWS: Final = tuple(SEATS.index(seat) for seat in "NSEW")
_COLUMNS: Final = tuple(reversed(range(len(STRAINS))))
_SIDES: Final = ("N-S", "E-W")


def double_dummy_tables(session: Session) -> dict[tuple[str, str | None], tuple[DoubleDummy, ...]]:
    """Set out what is known of each deal.

    Returns:
        By the board's key (`lines.board_key`) and deal: the table as the file states it, else as it was solved; both
        where they differ.
    """
    labels = session.records.select("record", "board_label").unique("record", keep="first")
    rows = board_key(session.double_dummy.join(labels, on="record", how="left", maintain_order="left")).to_dicts()
    return {(row["key"], row["deal"]): _tables(row) for row in rows}


def unsolved_note(session: Session) -> str:
    """Say how to get the tables that are missing for want of a solver; empty where none are."""
    told = session.problems.filter(pl.col("code") == "double-dummy-unsolved")
    return "" if told.is_empty() else f"Double-dummy tables were not solved. {told['hint'][0]}"


def _tables(row: Mapping[str, Any]) -> tuple[DoubleDummy, ...]:
    par = _par(row["par_ns"], row["par_contracts"])
    if row["origin"] != "stated":
        return (_table(row["tricks"], par, SOLVER if row["origin"] else FILE),)
    stated = _table(row["tricks"], par, FILE)
    return (stated, _table(row["solved"], "", SOLVER)) if _contradicted(row["tricks"], row["solved"]) else (stated,)


def _contradicted(tricks: Sequence[int], solved: Sequence[int] | None) -> bool:
    pairs = zip(tricks, solved or (), strict=False)
    return any(one not in (other, UNKNOWN) for one, other in pairs)


def _table(tricks: Sequence[int] | None, par: str, origin: str) -> DoubleDummy:
    if tricks is None:
        return DoubleDummy((), (), par, origin)
    texts = ["" if count == UNKNOWN else str(count) for count in tricks]
    rows = ((SEAT_NAMES[seat], tuple(texts[5 * seat + strain] for strain in _COLUMNS)) for seat in _ROWS)
    levels = makeable(np.array([tricks], dtype=np.uint8))[0].tolist()
    made = (
        MakeableContracts(side, tuple(contract(own[strain], STRAINS[strain], 0) for strain in _COLUMNS if own[strain]))
        for side, own in zip(_SIDES, levels, strict=True)
    )
    return DoubleDummy(tuple(rows), tuple(made), par, origin)


def _par(score: int | None, contracts: Sequence[Mapping[str, Any]] | None) -> str:
    """Write par: the contracts that come to it, then the score for N-S."""
    listed = ", ".join(_contract(one) for one in contracts or ())
    points = "" if score is None else f"N-S {signed(score)}" if score else "0"
    return " · ".join(filter(None, (listed or ("Pass" if score == 0 else ""), points)))


def _contract(one: Mapping[str, Any]) -> str:
    seats = one["declarer"] or ""
    over = result(one["level"], one["tricks"]).removeprefix("=")
    return f"{contract(one['level'], one['strain'], one['doubled']).text}{over} {'-'.join(seats)}".rstrip()
