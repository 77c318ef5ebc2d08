"""Methods for the games that are scored on a sheet: rubber bridge, Chicago and the four-hand match."""

from collections.abc import Sequence
from functools import partial
from typing import Literal

from overtrick.core.bridge.chicago import Custom
from overtrick.core.bridge.chicago import chicago as chicago_rounds
from overtrick.core.bridge.four_hands import four_hands as four_hand_match
from overtrick.core.bridge.rubber import rubbers
from overtrick.core.bridge.sheets import Deal, Sheet
from overtrick.core.config import Scoring
from overtrick.core.frames import Lines
from overtrick.judge.score.sheets import score_on_sheets


def rubber(lines: Lines, scoring: Scoring) -> Lines:
    """Score the deals of each table as rubbers; the last may be unfinished.

    Args:
        lines: results in the order played, as `sheets.with_deals` returns them; the same for the methods below.
        scoring: `honours` is followed.

    Returns:
        The lines as `sheets.score_on_sheets` fills them; the same for the methods below.
    """
    return score_on_sheets(lines, rubbers, scoring.honours)


def chicago(lines: Lines, scoring: Scoring) -> Lines:
    """Score the deals of each table as rounds of four, with part-scores that are carried.

    Args:
        lines: as for `rubber`.
        scoring: `honours`, `chicago_vulnerable` and `passed_out` are followed.
    """
    return _score_rounds(lines, scoring, "traditional")


def chicago_duplicate(lines: Lines, scoring: Scoring) -> Lines:
    """Score the deals of each table as rounds of four, each deal by itself as at duplicate.

    Args:
        lines: as for `rubber`.
        scoring: `chicago_vulnerable` and `passed_out` are followed.
    """
    return _score_rounds(lines, scoring, "duplicate")


def four_hands(lines: Lines, scoring: Scoring) -> Lines:
    """Score the deals of each table, round and pairs as one match of the Alberta 55 Plus games.

    Args:
        lines: as for `rubber`.
        scoring: `honours` is followed.
    """
    return score_on_sheets(lines, _one_match, scoring.honours)


def _score_rounds(lines: Lines, scoring: Scoring, style: Literal["traditional", "duplicate"]) -> Lines:
    custom = Custom(style, scoring.chicago_vulnerable, passed_out=scoring.passed_out)
    return score_on_sheets(lines, partial(chicago_rounds, custom=custom), scoring.honours)


def _one_match(deals: Sequence[Deal]) -> list[Sheet]:
    return [four_hand_match(deals)]
