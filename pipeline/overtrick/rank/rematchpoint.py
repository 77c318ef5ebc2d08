"""Matchpointing tied pairs against one another only, board by board."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import polars as pl

from overtrick.rank.fields import IDENTITY
from overtrick.score.totals import Who

_BETTER, _EQUAL = Fraction(1), Fraction(1, 2)


def rematchpoint(lines: pl.DataFrame, tied: Sequence[Who]) -> dict[Who, Fraction] | None:
    """Compare tied pairs on each board with those of them that sat the same way: 1 for a better score, 1/2 for a tie.

    A pair that sat the other way than several others of the tied is held against the field instead: it has 1, 1/2 or 0
    where its matchpoints on the board were above, at or below average. Where nobody else of the tied sat the same way,
    and no two others did, nothing compares. What each has of all it could have had on its boards is its mark, as pairs
    may have missed boards.

    Args:
        lines: the frame of `rank.fields.rankings`.
        tied: the pairs.

    Returns:
        The marks; None where a pair has nothing to compare.
    """
    won = dict.fromkeys(tied, Fraction(0))
    available = dict.fromkeys(tied, 0)
    played = lines.drop_nulls(["score_ns", "board", "top"])
    for _, board in played.group_by("field", "board"):
        rows = [row for row in board.iter_rows(named=True) if _who(row) in won]
        for row in rows:
            who = _who(row)
            same_way = [other for other in rows if other is not row and other["sat"] == row["sat"]]
            if same_way:
                won[who] += sum((_compare(row, other) for other in same_way), Fraction(0))
                available[who] += len(same_way)
            elif len(rows) > 2:
                won[who] += _against_average(row)
                available[who] += 1
    if not all(available.values()):
        return None
    return {who: won[who] / available[who] for who in tied}


def _who(row: Mapping[str, Any]) -> Who:
    return tuple(row[name] for name in IDENTITY)


def _compare(row: Mapping[str, Any], other: Mapping[str, Any]) -> Fraction:
    """Compare two scores of pairs that sat the same way."""
    ahead = row["score_ns"] - other["score_ns"]
    return _mark(ahead if row["sat"] == "NS" else -ahead)


def _against_average(row: Mapping[str, Any]) -> Fraction:
    """Hold what a pair earned on a board against half of its top."""
    return _mark(2 * row["numerator"] - row["top"] * row["denominator"])


def _mark(ahead: int) -> Fraction:
    if ahead == 0:
        return _EQUAL
    return _BETTER if ahead > 0 else Fraction(0)
