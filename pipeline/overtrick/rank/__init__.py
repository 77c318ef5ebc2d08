"""Ranking: what contestants earned in all, who is ahead of whom, and whether the file says the same."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby
from typing import Any, Final

import polars as pl

from overtrick.bridge.methods import SHEET_METHODS, TEAM_METHODS
from overtrick.config import Scoring
from overtrick.frames import STANDINGS, Session, dtypes
from overtrick.notation import natural
from overtrick.problems import report
from overtrick.rank.checks import totals_that_differ
from overtrick.rank.corrections import corrected, correction_policies
from overtrick.rank.fields import IDENTITY, rankings
from overtrick.rank.sit_outs import evened, sit_out_policies
from overtrick.rank.teams import team_boards, team_totals, with_carry
from overtrick.rank.tie_decisions import apply_decisions, decision_policies, report_unused
from overtrick.rank.ties import Evidence, Parted, part
from overtrick.score.totals import Totals, Who, add_up

_STATED: Final = ("stated_total", "stated_percentage")
_AWAITED: Final = {"rule": pl.String, "contestants": pl.String, "rank": pl.UInt32, "ranking": pl.String}


def rank(session: Session, scoring: Scoring) -> Session:
    """Rank the contestants of a session.

    Matchpoints are ranked by percentage of the top on the boards a contestant is scored on (sit-outs and boards not
    played cost nothing), everything else by the sum; teams, and pairs in Swiss events, by their matches. All is
    compared exactly: only equals tie, and then the chain of tie-breaks decides.

    Args:
        session: scored results.
        scoring: `field` and `winners` decide how many rankings there are, `tie_breaks` what parts equals; penalties,
            carry-overs and handicaps change what was earned. Teams carry over what their files state too.

    Returns:
        The session with `standings` filled: rankings in order, the best first, tied contestants by their numbers.
        Where the file states other totals there is a `total-mismatch`, where a tie waits to be played off a `tie-open`.
        Contestants that earned nothing are not ranked.
    """
    scoring = with_carry(session, scoring)
    earned = list(_earned(session, scoring))
    in_points = bool(session.matches["victory_points"].is_not_null().any())
    tops = session.results.select(pl.col("top").max().fill_null(0))
    board_top = 0 if in_points else int(tops.item())
    by_percentage = bool(session.results["top"].is_not_null().any()) and not in_points
    fields, unmatched = corrected([(name, evened(totals, scoring)) for name, totals, _ in earned], scoring, board_top)
    lines = [lines for _, _, lines in earned] * (len(fields) // max(len(earned), 1))
    places = [
        (name, row, parted)
        for (name, totals), played in zip(fields, lines, strict=True)
        for row, parted in _in_order(Evidence(totals, played, session.matches), scoring, by_percentage=by_percentage)
    ]
    found = [unmatched, _open_ties(places), report_unused(places, scoring.decided_ties)]
    known = session.contestants.rows_by_key("contestant", named=True, include_key=True)
    rows = [{"ranking": name, **row, **_listed(known[row["contestant"]], row)} for name, row, _ in places]
    stated = pl.col("ranking").is_in([name for name, _, _ in earned])
    table = pl.DataFrame(rows, schema=dtypes(STANDINGS)).with_columns(pl.when(stated).then(pl.col(_STATED)))
    policies = session.facts.policies | _field_policies(table) | correction_policies(scoring) | _tie_policies(scoring)
    policies |= decision_policies(scoring.decided_ties)
    if session.facts.method not in SHEET_METHODS:
        policies |= sit_out_policies(scoring)
    return replace(
        session,
        standings=table,
        problems=pl.concat([session.problems, *found, totals_that_differ(table)]),
        facts=replace(session.facts, policies=policies),
    )


def _earned(session: Session, scoring: Scoring) -> Iterator[tuple[str, Totals, pl.DataFrame]]:
    """Add up each ranking: its name, its totals, and the lines (of teams: the boards) that they come from."""
    if session.facts.method in TEAM_METHODS or not session.matches.is_empty():
        boards = team_boards(session.results)
        yield from ((name, totals, boards) for name, totals in team_totals(session.matches, scoring))
    else:
        yield from ((name, add_up(lines, IDENTITY), lines) for name, lines in rankings(session, scoring))


def _in_order(seen: Evidence, scoring: Scoring, *, by_percentage: bool) -> Iterator[tuple[dict[str, Any], Parted]]:
    """Rank the contestants of one field, best first: rows of `frames.STANDINGS`, and who shares the place."""
    totals = seen.totals
    merit = {who: total.share if by_percentage else total.points for who, total in totals.items()}
    best_first = sorted(totals, key=lambda who: (-merit[who], _number(who)))
    ahead = 0
    for _, equals in groupby(best_first, key=lambda who: merit[who]):
        for parted in apply_decisions(part(list(equals), scoring.tie_chain, seen), scoring.decided_ties):
            tied = sorted(parted.tied, key=_number)
            for who in tied:
                total = totals[who]
                row = {
                    **dict(zip(IDENTITY, who, strict=True)),
                    "rank": ahead + 1,
                    "rank_last": ahead + len(tied),
                    "total": float(total.points),
                    "percentage": float(100 * total.share) if by_percentage else None,
                    "boards": total.boards,
                    "correction": float(total.correction) if total.correction else None,
                    "tie_break": parted.rule,
                }
                yield row, parted
            ahead += len(tied)


def _number(who: Who) -> list[tuple[Any, str]]:
    """Sort contestants by their numbers, then direction, then section."""
    return [(natural(name), name or "") for name in reversed(who)]


def _open_ties(places: Iterable[tuple[str, dict[str, Any], Parted]]) -> pl.DataFrame:
    """Report `tie-open`, once for those that share a place."""
    waiting = [
        (parted.awaited, ", ".join(str(who[-1]) for who in sorted(parted.tied, key=_number)), row["rank"], ranking)
        for ranking, row, parted in places
        if parted.awaited
    ]
    return report("tie-open", pl.DataFrame(waiting, _AWAITED, orient="row").unique(maintain_order=True))


def _field_policies(standings: pl.DataFrame) -> dict[str, str]:
    two = standings["ranking"].str.ends_with("NS").any()
    return {"winners": "two, N-S and E-W" if two else "one"} if len(standings) else {}


def _tie_policies(scoring: Scoring) -> dict[str, str]:
    return {"ties": ", then ".join(step.rule for step in scoring.tie_chain) or "share their places"}


def _listed(known: Iterable[dict[str, Any]], standing: dict[str, Any]) -> dict[str, Any]:
    """Pick a contestant's names and stated totals; nothing where the list leaves open which of several it is."""
    candidates = list(known)
    for column in ("section", "direction"):
        same = [row for row in candidates if row[column] == standing[column]]
        candidates = same or candidates
    if len(candidates) != 1:
        return {}
    return {name: candidates[0][name] for name in ("names", *_STATED)}
