"""Numbers that a file states twice: contract and score, points, totals, places. They decide the rules of scoring.

A file states points and totals beside the scores that they come from. Where they differ from what the usual rules give,
`search` looks for the one policy that explains them, and the session is scored by it.
"""

from dataclasses import replace
from typing import Final

from overtrick.core.bridge.methods import method_named
from overtrick.core.config import Scoring
from overtrick.core.frames import Session
from overtrick.core.problems import concat_problems
from overtrick.judge.numbers.stated import Account, account, report_each, states_lines, states_places, states_totals
from overtrick.judge.rank import rank
from overtrick.judge.score import score
from overtrick.judge.score.scoring_tag import asks_for_imps

_MOST: Final = 3
"""The most problems about numbers of one session."""


def score_as_stated(session: Session, scoring: Scoring) -> Session:
    """Score a session by the rules that its stated numbers follow.

    Args:
        session: as read and checked.
        scoring: the club's settings, which win over what the numbers say.

    Returns:
        The session as `score` returns it; `Facts.settings` has what the numbers decided. Its problems are at most three
        on numbers: single ones that differ, or one that says that no policy explains them.
    """
    scored = score(session, scoring)
    if scored.facts.method is None or not _states_numbers(session):
        return scored
    usual = account(ranked_if_stated(scored, scoring))
    if not usual.misses and not _hides_rounding(usual):
        return scored
    from overtrick.judge.numbers.search import search  # noqa: PLC0415 - most files follow the usual rules

    verdict = search(session, scoring, usual)
    decided, problems = verdict.settings, verdict.problems
    if verdict.is_open and 2 * usual.misses > usual.stated and asks_for_imps(session, scoring):
        # They may be those of a match whose teams nobody can tell.
        decided, problems = {"method": None}, problems.clear()
    if decided:
        facts = replace(session.facts, settings={**session.facts.settings, **decided})
        scored = score(replace(session, facts=facts), scoring)
    singles = [] if verdict.is_open else [report_each(verdict.account, _MOST - verdict.problems.height)]
    return replace(scored, problems=concat_problems([scored.problems, problems, *singles]))


def ranked_if_stated(scored: Session, scoring: Scoring) -> Session:
    """Rank a scored session if its files state totals or places."""
    return rank(scored, scoring) if states_totals(scored) or states_places(scored) else scored


def _hides_rounding(usual: Account) -> bool:
    """Return whether points agree only because the file shows few decimals, and no totals show if these were added."""
    has_top = method_named(usual.session.facts.method).has_top
    return has_top and not states_totals(usual.session) and account(usual.session, exact=True).misses > 0


def _states_numbers(session: Session) -> bool:
    return states_lines(session) or states_totals(session) or states_places(session)
