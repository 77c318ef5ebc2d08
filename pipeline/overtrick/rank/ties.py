"""Parting contestants with the same total, by the chain of rules that the event has chosen.

Each rule gives the tied contestants marks, or none where it can't judge. Where marks differ the tie falls apart, and
those who still share begin again at the first rule: a rule for two may then apply where one for three did not.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Final

import polars as pl

from overtrick.config.scoring import TieBreak, TieRule
from overtrick.rank.head_to_head import match_marks, meeting_marks
from overtrick.rank.rematchpoint import rematchpoint
from overtrick.rank.team_marks import boards_won, imp_quotient, imps, opponents_totals
from overtrick.score.totals import Totals, Who

Marks = dict[Who, Fraction]


@dataclass(frozen=True)
class Evidence:
    """What rules may look at.

    Attributes:
        totals: of all contestants of the ranking.
        lines: what each contestant earned line by line: the frame of `rank.fields.rankings`, or of
            `rank.teams.team_boards` where contestants are teams.
        matches: `frames.MATCHES` of the session, where contestants are teams.
    """

    totals: Totals
    lines: pl.DataFrame
    matches: pl.DataFrame


@dataclass(frozen=True)
class Parted:
    """Contestants that share a place: in the end one, or several that nothing parts.

    Attributes:
        tied: who they are.
        rule: the last rule that parted them from others; None where none had to.
        awaited: the rule that has to be played or drawn before they can be parted.
    """

    tied: Sequence[Who]
    rule: TieRule | None = None
    awaited: TieRule | None = None


Rule = Callable[[Evidence, Sequence[Who]], Marks | None]

_OF_PAIRS: Final[dict[TieRule, Rule]] = {
    "who-beat-who": lambda seen, tied: meeting_marks(seen.lines, tied),
    "rematchpoint": lambda seen, tied: rematchpoint(seen.lines, tied),
}
_OF_TEAMS: Final[dict[TieRule, Rule]] = {
    "who-beat-who": lambda seen, tied: match_marks(seen.matches, tied),
    "opponents": lambda seen, tied: opponents_totals(seen.matches, seen.totals, tied),
    "imps": lambda seen, tied: imps(seen.matches, tied),
    "imp-quotient": lambda seen, tied: imp_quotient(seen.lines, tied),
    "boards-won": lambda seen, tied: boards_won(seen.lines, tied),
}
_AWAITED: Final[frozenset[TieRule]] = frozenset({"extra-hands", "lot"})
"""What is yet to be played or drawn; results decide by all other rules."""


def part(tied: Sequence[Who], chain: Sequence[TieBreak], seen: Evidence, by: TieRule | None = None) -> Iterator[Parted]:
    """Part contestants with the same total.

    Args:
        tied: at least one.
        chain: the rules in order, each for ties of a certain size. One for teams parts no pairs.
        seen: what they may look at.
        by: the rule that parted these from others before.

    Yields:
        Those that share a place, best first.
    """
    if len(tied) == 1:
        yield Parted(tied, by)
        return
    for step in chain:
        if not step.at_least <= len(tied) <= (step.at_most or len(tied)):
            continue
        if step.rule in _AWAITED:
            yield Parted(tied, by, step.rule)
            return
        rule = (_OF_PAIRS if seen.matches.is_empty() else _OF_TEAMS).get(step.rule)
        marks = rule(seen, tied) if rule else None
        if marks and len(set(marks.values())) > 1:
            best_first = sorted(tied, key=lambda who: -marks[who])
            for _, equals in groupby(best_first, key=lambda who: marks[who]):
                yield from part(list(equals), chain, seen, step.rule)
            return
    yield Parted(tied, by)
