"""The four-hand match of the Alberta 55 Plus games: the deals of two pairs at a table are one match."""

from collections.abc import Sequence

import polars as pl

from overtrick.bridge.four_hands import four_hands as match
from overtrick.bridge.sheets import Deal, Sheet
from overtrick.config import Scoring
from overtrick.score.rubber import HONOURS
from overtrick.score.sheets import on_sheets


def four_hands(lines: pl.DataFrame, scoring: Scoring) -> pl.DataFrame:
    """Score the deals of each table, round and pairs as one match.

    Args:
        lines: results in the order played, with `deal dealer stated_vulnerable`.
        scoring: `honours` is followed.

    Returns:
        The lines as `sheets.on_sheets` fills them.
    """
    return on_sheets(lines, _one_match, scoring.honours)


def four_hand_policies(scoring: Scoring) -> dict[str, str]:
    """Say in words which rules `four_hands` followed."""
    return {
        "game": "500 fast, 300 slow; no rubber",
        "legs": "100 for the only one, 50 each",
        "passed-out hand": "none of the four" if scoring.passed_out == "redealt" else "one of the four",
        "honours": HONOURS[scoring.honours],
        "total": "own points",
    }


def _one_match(deals: Sequence[Deal]) -> list[Sheet]:
    return [match(deals)]
