"""Methods for the games that are scored on a sheet: rubber bridge, Chicago and the four-hand match."""

from collections.abc import Sequence
from functools import partial
from typing import Final, Literal

from overtrick.bridge.chicago import Custom
from overtrick.bridge.chicago import chicago as chicago_rounds
from overtrick.bridge.four_hands import four_hands as four_hand_match
from overtrick.bridge.rubber import rubbers
from overtrick.bridge.sheets import Deal, Sheet
from overtrick.config import Scoring
from overtrick.frames import Lines
from overtrick.score.sheets import score_on_sheets

_HONOURS: Final = {"claimed": "as claimed", "held": "as held", "none": "do not count"}


def rubber(lines: Lines, scoring: Scoring) -> Lines:
    """Score the deals of each table as rubbers; the last may be unfinished.

    Args:
        lines: results in the order played, as `sheets.with_deals` returns them; the same for the methods below.
        scoring: `honours` is followed.

    Returns:
        The lines as `sheets.score_on_sheets` fills them; the same for the methods below.
    """
    return score_on_sheets(lines, rubbers, scoring.honours)


def rubber_policies(scoring: Scoring) -> dict[str, str]:
    """Return in words the rules that `rubber` followed."""
    return {
        "rubber": "700 in two games, 500 in three",
        "unfinished rubber": "300 for the only game, 100 for the only part-score",
        "honours": _HONOURS[scoring.honours],
        "total": "own points",
    }


def chicago(lines: Lines, scoring: Scoring) -> Lines:
    """Score the deals of each table as rounds of four, with part-scores that are carried.

    Args:
        lines: as for `rubber`.
        scoring: `honours`, `chicago_vulnerable` and `passed_out` are followed.
    """
    return _score_rounds(lines, scoring, "traditional")


def chicago_policies(scoring: Scoring) -> dict[str, str]:
    """Return in words the rules that `chicago` followed."""
    earned = {"part-scores": "carried; 100 on the fourth deal", "honours": _HONOURS[scoring.honours]}
    return earned | _round_policies(scoring)


def chicago_duplicate(lines: Lines, scoring: Scoring) -> Lines:
    """Score the deals of each table as rounds of four, each deal by itself as at duplicate.

    Args:
        lines: as for `rubber`.
        scoring: `chicago_vulnerable` and `passed_out` are followed.
    """
    return _score_rounds(lines, scoring, "duplicate")


def chicago_duplicate_policies(scoring: Scoring) -> dict[str, str]:
    """Return in words the rules that `chicago_duplicate` followed."""
    earned = {"part-scores": "50 on each deal, nothing carried", "honours": _HONOURS["none"]}
    return earned | _round_policies(scoring)


def four_hands(lines: Lines, scoring: Scoring) -> Lines:
    """Score the deals of each table, round and pairs as one match of the Alberta 55 Plus games.

    Args:
        lines: as for `rubber`.
        scoring: `honours` is followed.
    """
    return score_on_sheets(lines, _one_match, scoring.honours)


def four_hand_policies(scoring: Scoring) -> dict[str, str]:
    """Return in words the rules that `four_hands` followed."""
    return {
        "game": "500 fast, 300 slow; no rubber",
        "legs": "100 for the only one, 50 each",
        "passed-out hand": "none of the four" if scoring.passed_out == "redealt" else "one of the four",
        "honours": _HONOURS[scoring.honours],
        "total": "own points",
    }


def _score_rounds(lines: Lines, scoring: Scoring, style: Literal["traditional", "duplicate"]) -> Lines:
    custom = Custom(style, scoring.chicago_vulnerable, passed_out=scoring.passed_out)
    return score_on_sheets(lines, partial(chicago_rounds, custom=custom), scoring.honours)


def _round_policies(scoring: Scoring) -> dict[str, str]:
    vulnerable = "dealer's side" if scoring.chicago_vulnerable == "dealer" else "dealer's opponents"
    return {
        "second and third deal": f"{vulnerable} vulnerable, unless stated",
        "passed-out deal": "dealt again by the same player" if scoring.passed_out == "redealt" else "one of the four",
        "total": "own points",
    }


def _one_match(deals: Sequence[Deal]) -> list[Sheet]:
    return [four_hand_match(deals)]
