"""Breaking ties between contestants with the same total, by the chain of rules that the event has chosen.

Each rule gives the tied contestants marks, or None where it can't judge. Where marks differ the tie is broken, and
those who still share a place begin again at the first rule: a rule for two may then apply where one for three did not.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, Final, NamedTuple

import polars as pl

from overtrick.core.config.scoring import TieBreak, TieDecision, TieRule
from overtrick.core.frames import Matches
from overtrick.core.problems import report
from overtrick.judge.rank import tie_rules
from overtrick.judge.score.groups import Totals, Who


class Evidence(NamedTuple):
    """The evidence that rules may look at.

    Attributes:
        totals: of all contestants of the ranking.
        lines: what each contestant earned line by line: the frame of `rankings.split_rankings`, or of
            `match_totals.list_team_boards` where contestants are teams.
        matches: of the session, where contestants are teams.
    """

    totals: Totals
    lines: pl.DataFrame
    matches: Matches


class Place(NamedTuple):
    """The contestants of one place: one, or several that no rule can separate.

    Attributes:
        tied: who they are.
        rule: the last rule that separated them from others; None where none had to.
        awaited: the rule that has to be played or drawn before the tie can be broken.
    """

    tied: Sequence[Who]
    rule: TieRule | None = None
    awaited: TieRule | None = None


Rule = Callable[[Evidence, Sequence[Who]], tie_rules.Marks | None]

_AWAITED: Final[frozenset[TieRule]] = frozenset({"extra-hands", "lot"})
"""Rules that wait for play or a draw; by all others the results decide."""


def break_tie(
    tied: Sequence[Who], chain: Sequence[TieBreak], seen: Evidence, by: TieRule | None = None
) -> Iterator[Place]:
    """Break the tie of contestants with the same total.

    Args:
        tied: at least one.
        chain: the rules in order, each for ties of a certain size. A rule for teams does nothing for pairs.
        seen: what the rules may look at.
        by: the rule that separated these from others before.

    Yields:
        The places, best first.
    """
    if len(tied) == 1:
        yield Place(tied, by)
        return
    for step in chain:
        if not step.at_least <= len(tied) <= (step.at_most or len(tied)):
            continue
        if step.rule in _AWAITED:
            yield Place(tied, by, step.rule)
            return
        rule = _find_rule(step.rule, of_teams=not seen.matches.is_empty())
        marks = rule(seen, tied) if rule else None
        if marks and len(set(marks.values())) > 1:
            best_first = sorted(tied, key=lambda who: -marks[who])
            for _, equals in groupby(best_first, key=lambda who: marks[who]):
                yield from break_tie(list(equals), chain, seen, step.rule)
            return
    yield Place(tied, by)


def _find_rule(name: TieRule, *, of_teams: bool) -> Rule | None:
    of_pairs: dict[TieRule, Rule] = {
        "who-beat-who": lambda seen, tied: tie_rules.meeting_marks(seen.lines, tied),
        "rematchpoint": lambda seen, tied: tie_rules.rematchpoint(seen.lines, tied),
    }
    teams: dict[TieRule, Rule] = {
        "who-beat-who": lambda seen, tied: tie_rules.match_marks(seen.matches, tied),
        "opponents": lambda seen, tied: tie_rules.opponents_totals(seen.matches, seen.totals, tied),
        "imps": lambda seen, tied: tie_rules.match_imps(seen.matches, tied),
        "imp-quotient": lambda seen, tied: tie_rules.imp_quotient(seen.lines, tied),
        "boards-won": lambda seen, tied: tie_rules.boards_won(seen.lines, tied),
    }
    return (teams if of_teams else of_pairs).get(name)


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
        (decision.source, decision.line, decision.contestant)
        for decision in decisions
        if not any(rule == decision.by and _is_meant(decision, who) for who, rule in won)
    ]
    return report("correction-no-tie", pl.DataFrame(unused, _SCHEMA, orient="row"))


def _is_meant(decision: TieDecision, who: Who) -> bool:
    section, direction, contestant = who
    return (
        contestant == decision.contestant
        and (decision.direction is None or direction in {None, decision.direction})
        and (decision.section is None or section in {None, decision.section})
    )
