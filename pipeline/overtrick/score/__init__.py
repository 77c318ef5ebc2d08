"""Scoring: what each result is worth in points (Law 77) and in comparison with the others (Law 78).

A new method is a function beside `matchpoints`, with a line in `METHODS` and its name in `bridge.methods`.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

import polars as pl

from overtrick.bridge.boards import side_vulnerable
from overtrick.bridge.methods import Method
from overtrick.bridge.score import contract_score, score_ns
from overtrick.config import Scoring
from overtrick.frames import MATCHES, RESULTS, SHEETS, Session, conform, empty
from overtrick.score.adjustments import adjusted, adjustment_policies, fouled_policies
from overtrick.score.aggregate import aggregate, aggregate_policies
from overtrick.score.awards import WHOLE, share
from overtrick.score.board_a_match import board_a_match, board_a_match_policies
from overtrick.score.butler import butler, butler_policies
from overtrick.score.checks import findings
from overtrick.score.chicago import chicago, chicago_policies
from overtrick.score.cross_imps import cross_imp_policies, cross_imps
from overtrick.score.fields import in_fields
from overtrick.score.four_hands import four_hand_policies, four_hands
from overtrick.score.match_checks import scale_findings
from overtrick.score.matches import match_policies, pair_matches, team_matches
from overtrick.score.matchpoints import matchpoint_policies, matchpoints
from overtrick.score.rubber import rubber, rubber_policies
from overtrick.score.rubber_tags import with_rubber_tags
from overtrick.score.sheets import sheet_entries, with_deals
from overtrick.score.tag import asked_scoring
from overtrick.score.teams import team_policies, teams


@dataclass(frozen=True)
class _Way:
    points: Callable[[pl.DataFrame, Scoring], pl.DataFrame]
    """Fills `numerator_ns numerator_ew denominator`, and `top` or `datum`, of the frame of `fields.in_fields`."""
    policies: Callable[[Scoring], dict[str, str]]
    """Says in words which rules that followed."""
    matches: Callable[[pl.DataFrame, Scoring], pl.DataFrame] | None = None
    """Adds up the matches of those lines, of teams or of pairs: a frame of `frames.MATCHES`."""
    by_sheet: bool = False
    """Whether the deals of a table are scored in their order, on a sheet."""


METHODS: Final[dict[Method, _Way]] = {
    "matchpoints": _Way(matchpoints, matchpoint_policies, pair_matches),
    "butler": _Way(butler, butler_policies, pair_matches),
    "cross-imps": _Way(cross_imps, cross_imp_policies, pair_matches),
    "teams": _Way(teams, team_policies, team_matches),
    "bam": _Way(board_a_match, board_a_match_policies, team_matches),
    "aggregate": _Way(aggregate, aggregate_policies),
    "rubber": _Way(rubber, rubber_policies, by_sheet=True),
    "chicago": _Way(chicago, chicago_policies, by_sheet=True),
    "chicago-duplicate": _Way(chicago, chicago_policies, by_sheet=True),
    "alberta": _Way(four_hands, four_hand_policies, by_sheet=True),
}


def score(session: Session, scoring: Scoring) -> Session:
    """Score the results of a session.

    Args:
        session: results as read; vulnerability filled.
        scoring: the club's settings. What they leave open follows the files' `[Scoring]`, and where that says nothing
            the results are matchpointed.

    Returns:
        The session with the computed columns of `results` filled, `method` and `policies` in its facts, and what was
        found in its problems. Results that are not played, byes, or have no board number or nothing to score by earn
        nothing. When the files ask for what can't be done, scores are filled and points stay null.
    """
    entered, unmatched = adjusted(session.results, scoring.adjustments)
    results = with_scores(entered)
    rules, problems = asked_scoring(session, scoring)
    before = [session.problems, unmatched, problems]
    if rules.method is None:
        return replace(session, results=results, problems=pl.concat(before))
    way = METHODS[rules.method]
    placed = in_fields(results, session.records, rules.field, by_file=session.facts.by_file, fouled=rules.fouled)
    if way.by_sheet:
        placed = with_rubber_tags(with_deals(placed, session.records), session, rules.method)
    lines = with_points(way.points(placed, rules))
    extent = "each section" if rules.field == "section" else "the whole session"
    compared = {"compared within": extent + (", file by file" if session.facts.by_file else "")}
    policies = session.facts.policies | ({} if way.by_sheet else compared) | way.policies(rules)
    matches = empty(MATCHES)
    found = [*before, findings(lines, rules)]
    if way.matches:
        matches = way.matches(lines, rules)
        found.append(scale_findings(lines, matches, rules))
        policies |= match_policies(rules)
    policies |= fouled_policies(rules.fouled) | adjustment_policies(rules.adjustments)
    return replace(
        session,
        results=conform(RESULTS, lines),
        matches=matches,
        sheets=sheet_entries(lines) if way.by_sheet else empty(SHEETS),
        problems=pl.concat(found),
        facts=replace(session.facts, method=rules.method, policies=policies),
    )


def with_scores(results: pl.DataFrame) -> pl.DataFrame:
    """Fill `law_score_ns`, and `score_ns`: the stated score, else that of Law 77, where there is one to be compared."""
    points = contract_score(
        pl.col("level"),
        pl.col("strain"),
        pl.col("doubled"),
        side_vulnerable(pl.col("vulnerable"), pl.col("declarer")),
        pl.col("tricks"),
    )
    artificial = (pl.col("status") == "adjusted") & pl.any_horizontal(pl.col("award_ns", "award_ew").is_not_null())
    counts = pl.col("status").is_in(["played", "passed", "adjusted"]) & ~artificial & pl.col("weights").is_null()
    # Lazily: a part that occurs several times in the expression is then computed once.
    return (
        results.lazy()
        .with_columns(score_ns(points, pl.col("declarer")).alias("law_score_ns"))
        .with_columns(pl.when(counts).then(pl.coalesce("stated_score_ns", "law_score_ns")).alias("score_ns"))
        .collect()
    )


def with_points(lines: pl.DataFrame) -> pl.DataFrame:
    """Fill points and percentages from the exact fractions.

    A board with one result has no top to share: 50 % by convention, or the percentage that was awarded.
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
