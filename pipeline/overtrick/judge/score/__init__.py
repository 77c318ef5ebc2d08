"""Scoring: what each result is worth in points (Law 77) and in comparison with the others (Law 78).

A method is a row of `bridge.methods.METHODS` and its function, a row of `scorers.SCORERS`.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import polars as pl

from overtrick.core.bridge.methods import Method, Settings, method_named
from overtrick.core.config import Scoring
from overtrick.core.frames import (
    MATCHES,
    PROBLEMS,
    RESULTS,
    SHEETS,
    Lines,
    Matches,
    Problems,
    Results,
    Session,
    conform,
    empty,
)
from overtrick.core.problems import concat_problems
from overtrick.judge.score.findings import report_lines, report_scales
from overtrick.judge.score.groups import WHOLE, assign_groups, enter_adjustments, share
from overtrick.judge.score.matchpoints import add_pair_matches, add_team_matches, scale_name
from overtrick.judge.score.scorers import SCORERS
from overtrick.judge.score.scoring_tag import settle_scoring, with_rubber_tags
from overtrick.judge.score.sheets import list_entries, with_deals
from overtrick.judge.score.stated_matches import lines_differ, settle_scale
from overtrick.judge.validate.result import law_score


def score(session: Session, scoring: Scoring) -> Session:
    """Score the results of a session.

    Args:
        session: results as read, with vulnerability filled.
        scoring: the club's settings. What they leave open follows the files' `[Scoring]`, then the usual method.

    Returns:
        The session with the computed columns of `results`, with `matches` and `sheets` where the method makes them,
        `method` and `policies` in its facts, and its problems reported. A result earns nothing if it was not played, is
        a bye, or has no board number or nothing to score by. Where the files ask for a scoring that is not supported,
        scores are filled and points stay null.
    """
    entered, unmatched = enter_adjustments(session.results, scoring.adjustments)
    results = with_scores(entered)
    rules, problems = settle(session, results, scoring)
    before = [session.problems, unmatched, problems]
    if rules.method is None:
        return replace(session, results=results, problems=concat_problems(before))
    method = method_named(rules.method)
    grouped = assign_lines(session, results, rules)
    if method.sheet:
        grouped = with_rubber_tags(with_deals(grouped, session.records), session, method.sheet)
    lines = with_points(SCORERS[method.name](grouped, rules))
    if method.unit == "IMPs" and method.of_teams:
        rules, open_scale = settle_scale(lines, rules, session.contestants)
        before.append(open_scale)
    matches, report = _matches(lines, method, rules)
    return replace(
        session,
        results=conform(RESULTS, lines),
        matches=matches,
        sheets=list_entries(lines) if method.sheet else empty(SHEETS),
        problems=concat_problems([*before, report_lines(lines, rules), report]),
        facts=replace(
            session.facts, method=rules.method, policies={**session.facts.policies, **_list_policies(method, rules)}
        ),
    )


def settle(session: Session, results: Results, scoring: Scoring) -> tuple[Scoring, Problems]:
    """Settle how a session is scored, given its results with their scores; `scoring_tag.settle_scoring` says how."""
    return settle_scoring(session, scoring, partial(_best_of, session, results))


def assign_lines(session: Session, results: Results, rules: Scoring) -> Lines:
    """Return results with their comparison groups, as `groups.assign_groups` does."""
    evening = session.facts.evening if session.facts.by_file else None
    return assign_groups(results, session.records, rules.field, evening=evening, fouled=rules.fouled)


def _best_of(session: Session, results: Results, ways: Sequence[Scoring]) -> tuple[Scoring, bool]:
    """Return the settings under which most lines earn what the file states, the first of several, and if half do."""

    def wrong(rules: Scoring) -> int:
        method = method_named(rules.method)
        lines = with_points(SCORERS[method.name](assign_lines(session, results, rules), rules))
        return int(lines_differ(lines, method).sum())

    faults = [wrong(rules) for rules in ways]
    stated = results.select(pl.any_horizontal(pl.col("stated_points_ns", "stated_points_ew").is_not_null()).sum())
    return ways[faults.index(min(faults))], 2 * min(faults) <= stated.item()


def with_scores(results: Results) -> Results:
    """Fill `law_score_ns` with the score of Law 77, and `score_ns` with the score that is compared.

    That is the stated score, else the score of Law 77; null for artificial and weighted scores, and for a board that
    was not played.
    """
    artificial = (pl.col("status") == "adjusted") & pl.any_horizontal(pl.col("award_ns", "award_ew").is_not_null())
    counts = pl.col("status").is_in(["played", "passed", "adjusted"]) & ~artificial & pl.col("weights").is_null()
    # Lazily: a part that occurs several times in the expression is then computed once.
    return (
        results.lazy()
        .with_columns(law_score_ns=law_score(pl.col("vulnerable")))
        .with_columns(score_ns=pl.when(counts).then(pl.coalesce("stated_score_ns", "law_score_ns")))
        .collect()
    )


def with_points(lines: Lines) -> Lines:
    """Fill points and percentages from the exact fractions.

    A board with one result has no top to share: it is 50 % by convention, or the percentage that was awarded.
    """
    return lines.with_columns(
        (pl.col(f"numerator_{side}") / pl.col("denominator")).alias(f"points_{side}") for side in ("ns", "ew")
    ).with_columns(
        pl.when(pl.col("top") > 0)
        .then(100 * pl.col(f"points_{side}") / pl.col("top"))
        .when(pl.col("top").is_not_null() & pl.col(f"points_{side}").is_not_null())
        .then(pl.coalesce(100 * share(pl.col(f"award_{side}")) / WHOLE, 50.0))
        .alias(f"percentage_{side}")
        for side in ("ns", "ew")
    )


def _matches(lines: Lines, method: Method, rules: Scoring) -> tuple[Matches, Problems]:
    """Add up the matches of teams, or of pairs in a Swiss event; a method that compares nothing has none."""
    if method.compared == "nothing":
        return empty(MATCHES), empty(PROBLEMS)
    matches = (add_team_matches if method.of_teams else add_pair_matches)(lines, rules)
    return matches, report_scales(lines, matches, rules)


def _list_policies(method: Method, rules: Scoring) -> Settings:
    """Return the rules that the scoring followed, as `Facts.policies` has them."""
    policies: dict[str, object] = {} if method.sheet else {"field": rules.field}
    policies |= {rule: getattr(rules, rule, None) for rule in method.rules}
    if method.compared != "nothing" and (scale := scale_name(rules)):
        policies |= {"vp_scale": scale, "vp_boards": rules.vp_boards, "bye_points": rules.bye_points}
    return policies | {name: listed for name in ("fouled", "adjustments") if (listed := getattr(rules, name))}
