"""Numbers that a file states twice: contract and score, points, totals, places. They decide the rules of scoring.

A file states points and totals beside the scores that they come from. Where they differ from what the usual rules give,
`search` looks for the one policy that explains them, and the session is scored by it.
"""

from dataclasses import replace
from typing import Final, Literal

import polars as pl

from overtrick.core.bridge.methods import method_named
from overtrick.core.bridge.score import law_score
from overtrick.core.config import Scoring
from overtrick.core.frames import Results, Session
from overtrick.core.problems import concat_problems, report
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
    if scored.facts.method is None or not (states_lines(session) or states_totals(session) or states_places(session)):
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


def count_once(session: Session, repeats: Literal["once", "all"] | None) -> Session:
    """Leave out results that are listed again, in all columns alike, as programs do that list each line for both pairs.

    Args:
        session: as it was read.
        repeats: the club's setting; None where results are left out if nearly all of them are listed again.

    Returns:
        The session; `results-repeated` in its problems counts what was left out.
    """
    results = session.results
    if repeats == "all" or results.height < 2 or not (repeats or _ends_repeat(results)):
        return session
    known = pl.all_horizontal(pl.col("board", "ns", "ew").is_not_null())
    alike = pl.struct(pl.exclude("line", "column", "record", "entered", "weights"))
    marked = results.select("source", again=~alike.is_first_distinct() & known, single=~(known & alike.is_duplicated()))
    again, single = marked["again"], int(marked["single"].sum())
    nearly_all = again.sum() > 1 and single <= max(1, results.height // _FEW_SCORES)
    if not again.any() or not (repeats or nearly_all):
        return session
    about = marked.select("source").head(1).with_columns(count=pl.lit(int(again.sum())), of=pl.lit(results.height))
    problems = concat_problems([session.problems, report("results-repeated/table", about)])
    return replace(session, results=results.filter(~again), problems=problems)


def _ends_repeat(results: Results) -> bool:
    """Return whether the first or the last result is listed again, which settles most sessions at once."""
    ends = [results.select("board", "ns", "ew").row(place) for place in (0, -1)]
    return any(
        None not in end
        and results.select((pl.col("board") == end[0]) & (pl.col("ns") == end[1]) & (pl.col("ew") == end[2]))
        .sum()
        .item()
        > 1
        for end in ends
    )


def turn_scores(session: Session, view: Literal["ns", "ew", "points-ew"] | None) -> Session:
    """Turn the stated scores of files that state them from E-W's side; with them points that have no side.

    Args:
        session: as it was read.
        view: the club's `stated_view`; None where the scores of each file tell, by contract and vulnerability.

    Returns:
        The session; in its problems `scores-turned`, or `numbers-mismatch` where the club says otherwise.
    """
    # A file is turned as a whole: nearly all scores agree with their contracts then, and few did before.
    #
    #     contract  by  tricks  stated  by Law 77  turned
    #     4S        N   10      -620    620        620
    #     3NT       W   8       -100    100        100
    results = session.results
    if results["stated_score_ns"].null_count() == results.height:
        return session
    stated, law = pl.col("stated_score_ns"), law_score(pl.col("vulnerable"), pl.col("tricks"))
    counts = results.group_by("source", maintain_order=True).agg(
        count=(stated.is_not_null() & (law != 0)).sum(),
        usual=((stated == law) & (law != 0)).sum(),
        right=((stated == -law) & (law != 0)).sum(),
    )
    missed, left = pl.col("count") - pl.col("usual"), pl.col("count") - pl.col("right")
    most = pl.max_horizontal(pl.lit(1), pl.col("count") // _FEW_SCORES)
    found = counts.filter(left <= most, missed >= pl.max_horizontal(pl.lit(2), 3 * left))
    turned = counts if view == "ew" else found
    if view in {"ns", "points-ew"}:
        said = report("numbers-mismatch/settings", found.head(1).with_columns(settings=pl.lit('stated_view = "ew"')))
        return replace(session, problems=concat_problems([session.problems, said]))
    if turned.is_empty():
        return session
    said = report("scores-turned", found.clear() if view else found)
    swapped = pl.col("source").is_in(turned["source"].implode())
    one_sided = pl.any_horizontal(
        pl.col(name).is_null().all().over("source") for name in ("stated_points_ns", "stated_points_ew")
    )
    points = {"ns": "stated_points_ew", "ew": "stated_points_ns"}
    changed = results.with_columns(
        pl.when(swapped).then(-stated).otherwise(stated).alias("stated_score_ns"),
        *(
            pl.when(swapped & one_sided).then(other).otherwise(f"stated_points_{side}").alias(f"stated_points_{side}")
            for side, other in points.items()
        ),
    )
    return replace(session, results=changed, problems=concat_problems([session.problems, said]))


_FEW_SCORES: Final = 50
"""One score in so many may be wrong in a file that is turned."""
