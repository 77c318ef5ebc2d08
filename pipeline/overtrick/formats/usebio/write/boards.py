"""Boards with the lines of their tables, matches of teams, and hands."""

from collections.abc import Mapping
from typing import Any, Final

import polars as pl

from overtrick.bridge.cards import SEAT_NAMES, is_complete
from overtrick.bridge.methods import method_named
from overtrick.formats.usebio.write.cells import Cells, decimal, filled
from overtrick.notation import contract_text

_BY_LETTER: Final = {"A+": "60%", "A": "50%", "A-": "40%"}
_SUITS_UP: Final = ("CLUBS", "DIAMONDS", "HEARTS", "SPADES")


def boards(results: pl.DataFrame, method: str | None, team: str | None = None) -> list[dict[str, Any]]:
    """List boards with the lines of their tables.

    Args:
        results: of one section or match, sorted by board.
        method: as in `bridge.methods`; it names the elements of the points.
        team: the first team of the match; each line says how it sat.
    """
    rows = results.with_columns(
        contract_text().alias("contract"), pl.col("declarer").cast(pl.String), pl.col("status").cast(pl.String)
    )
    found = []
    for (number,), lines in rows.group_by("board", maintain_order=True):
        datum = lines["datum"].drop_nulls().first()
        about = filled([("BOARD_NUMBER", str(number)), ("BOARD_AVERAGE", None if datum is None else str(datum))])
        found.append({"about": about, "lines": [_line(row, method, team) for row in lines.iter_rows(named=True)]})
    return found


def matches(results: pl.DataFrame, method: str | None) -> list[dict[str, Any]]:
    """List the matches of teams: round, the two teams, and their boards."""
    of_teams = results.filter(pl.col("team_ns").is_not_null() & pl.col("team_ew").is_not_null())
    pair = [pl.min_horizontal("team_ns", "team_ew").alias("one"), pl.max_horizontal("team_ns", "team_ew").alias("two")]
    found = []
    for (stage, *_), lines in of_teams.with_columns(pair).group_by("round", "one", "two", maintain_order=True):
        first = lines.row(0, named=True)
        about = [("ROUND_NUMBER", stage), ("TEAM", first["team_ns"]), ("OPPOSING_TEAM", first["team_ew"])]
        found.append({"about": filled(about), "boards": boards(lines, method, first["team_ns"])})
    return found


def _line(row: Mapping[str, Any], method: str | None, team: str | None) -> Cells:
    contract = row["contract"]
    kind = usebio.points if (usebio := method_named(method).usebio) else None
    earned = [(f"{side}_{kind}", decimal(row[f"points_{side.lower()}"])) for side in ("NS", "EW")] if kind else []
    sat = None if team is None else "NS" if row["team_ns"] == team else "EW"
    return _who(row) + filled(
        [
            ("DIRECTION", sat),
            ("ROUND_NUMBER", None if team else row["round"]),
            ("TABLE_NUMBER", row["table"]),
            ("CONTRACT", "PASS" if contract == "Pass" else contract),
            ("PLAYED_BY", row["declarer"]),
            ("LEAD", row["lead"][::-1] if row["lead"] else None),
            ("TRICKS", None if row["tricks"] is None else str(row["tricks"])),
            ("SCORE", _score(row)),
            *earned,
        ]
    )


def _who(row: Mapping[str, Any]) -> Cells:
    if row["player_n"] is not None:
        return filled([(f"{seat}_PLAYER_NUMBER", row[f"player_{seat.lower()}"]) for seat in "NSEW"])
    pairs = [(f"{side}_PAIR_NUMBER", row[side.lower()], row[f"team_{side.lower()}"]) for side in ("NS", "EW")]
    return filled([(name, pair) for name, pair, team in pairs if pair != team])


def _score(row: Mapping[str, Any]) -> str | None:
    """Write points for N-S, or `A6040` for an artificial score."""
    awards = [row["award_ns"], row["award_ew"]]
    if row["status"] == "adjusted" and all(awards):
        return "A" + "".join(f"{round(float(_BY_LETTER.get(award, award).rstrip('%'))):02}" for award in awards)
    return None if row["score_ns"] is None else str(row["score_ns"])


def hands(records: pl.DataFrame) -> list[tuple[int, list[Cells]]]:
    """List the complete deals by board number, each seat's suits from the clubs up."""
    dealt = records.filter(is_complete(records["deal"]), pl.col("board").is_not_null())
    once = dealt.unique("board", keep="first", maintain_order=True).sort("board")
    return [
        (
            board,
            [
                [("DIRECTION", seat), *zip(_SUITS_UP, reversed(hand.split(".")), strict=True)]
                for seat, hand in zip(SEAT_NAMES, deal[2:].split(" "), strict=True)
            ],
        )
        for board, deal in once.select("board", "deal").iter_rows()
    ]
