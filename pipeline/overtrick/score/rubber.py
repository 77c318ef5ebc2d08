"""Rubber bridge: the deals of a table make rubbers, one after the other."""

import polars as pl

from overtrick.bridge.rubber import rubbers
from overtrick.config import Scoring
from overtrick.score.sheets import on_sheets

HONOURS = {"claimed": "as claimed", "held": "as held", "none": "do not count"}


def rubber(lines: pl.DataFrame, scoring: Scoring) -> pl.DataFrame:
    """Score the deals of each table as rubbers; the last is settled as unfinished if it is.

    Args:
        lines: results in the order played, with `deal dealer stated_vulnerable`.
        scoring: `honours` is followed.

    Returns:
        The lines as `sheets.on_sheets` fills them.
    """
    return on_sheets(lines, rubbers, scoring.honours)


def rubber_policies(scoring: Scoring) -> dict[str, str]:
    """Say in words which rules `rubber` followed."""
    return {
        "rubber": "700 in two games, 500 in three",
        "unfinished rubber": "300 for the only game, 100 for the only part-score",
        "honours": HONOURS[scoring.honours],
        "total": "own points",
    }
