"""Chicago: the deals of a table make rounds of four."""

from functools import partial
from typing import Literal

import polars as pl

from overtrick.bridge.chicago import Custom
from overtrick.bridge.chicago import chicago as rounds
from overtrick.config import Scoring
from overtrick.score.rubber import HONOURS
from overtrick.score.sheets import on_sheets


def chicago(lines: pl.DataFrame, scoring: Scoring) -> pl.DataFrame:
    """Score the deals of each table as rounds of four.

    Args:
        lines: results in the order played, with `deal dealer stated_vulnerable`.
        scoring: `method` (which of the two families), `honours`, `chicago_vulnerable` and `passed_out` are followed.

    Returns:
        The lines as `sheets.on_sheets` fills them.
    """
    custom = Custom(_style(scoring), scoring.chicago_vulnerable, passed_out=scoring.passed_out)
    return on_sheets(lines, partial(rounds, custom=custom), scoring.honours)


def chicago_policies(scoring: Scoring) -> dict[str, str]:
    """Say in words which rules `chicago` followed."""
    vulnerable = "dealer's side" if scoring.chicago_vulnerable == "dealer" else "dealer's opponents"
    said = {
        "second and third deal": f"{vulnerable} vulnerable, unless stated",
        "passed-out deal": "dealt again by the same player" if scoring.passed_out == "redealt" else "one of the four",
        "total": "own points",
    }
    if _style(scoring) == "duplicate":
        return {"part-scores": "50 on each deal, nothing carried", "honours": HONOURS["none"], **said}
    return {"part-scores": "carried; 100 on the fourth deal", "honours": HONOURS[scoring.honours], **said}


def _style(scoring: Scoring) -> Literal["traditional", "duplicate"]:
    return "duplicate" if scoring.method == "chicago-duplicate" else "traditional"
