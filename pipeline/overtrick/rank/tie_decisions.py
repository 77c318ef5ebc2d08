"""Ties that were decided away from the table, by lot or on extra boards (`[[corrections]]`, `tie`)."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import polars as pl

from overtrick.config.scoring import TieDecision
from overtrick.problems import report
from overtrick.rank.ties import Place
from overtrick.score.totals import Who

_SCHEMA: Final = {"source": pl.String, "line": pl.UInt32, "contestant": pl.String}


def apply_decisions(places: Iterable[Place], decisions: Sequence[TieDecision]) -> Iterator[Place]:
    """Separate the contestants that still share a place, best first.

    The winner of a decision is first among those it is tied with; the others stay tied, until another decision
    separates them.

    Args:
        places: contestants that share a place, by the rules of the event.
        decisions: in the order in which they count.
    """
    for shared in places:
        left = list(shared.tied)
        for decision in decisions if len(left) > 1 else ():
            winner = next((who for who in left if _is_meant(decision, who)), None)
            if winner is not None and len(left) > 1:
                yield Place([winner], decision.by)
                left.remove(winner)
        yield (
            shared if len(left) == len(shared.tied) else Place(left, shared.rule, shared.awaited if left[1:] else None)
        )


def report_unused(
    ranked: Iterable[tuple[str, dict[str, Any], Place]], decisions: Sequence[TieDecision]
) -> pl.DataFrame:
    """Report `correction-no-tie`: a decision whose winner was not tied in any ranking."""
    won = {(place.tied[0], place.rule) for _, _, place in ranked if len(place.tied) == 1}
    unused = [
        (one.source, one.line, one.contestant)
        for one in decisions
        if not any(rule == one.by and _is_meant(one, who) for who, rule in won)
    ]
    return report("correction-no-tie", pl.DataFrame(unused, _SCHEMA, orient="row"))


def decision_policies(decisions: Sequence[TieDecision]) -> dict[str, str]:
    """Return in words how ties were decided."""
    how = {"lot": "won by lot", "extra-hands": "won on extra boards"}
    return {f"tie, {one.contestant}": how[one.by] for one in decisions}


def _is_meant(decision: TieDecision, who: Who) -> bool:
    section, direction, contestant = who
    return (
        contestant == decision.contestant
        and (decision.direction is None or direction in {None, decision.direction})
        and (decision.section is None or section in {None, decision.section})
    )
