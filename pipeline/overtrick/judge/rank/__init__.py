"""Ranking: what contestants earned in total, who is ahead of whom, and whether the file states the same.

The pairs of a team event have a ranking of their own: their Butler against all tables of each board.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import groupby
from typing import Any, Final

import numpy as np
import polars as pl

from overtrick.core.bridge.methods import Settings, method_named
from overtrick.core.config import Scoring
from overtrick.core.frames import PROBLEMS, STANDINGS, Problems, Seats, Session, Standings, dtypes, empty, sides
from overtrick.core.notation import natural
from overtrick.core.problems import concat_problems, report
from overtrick.judge.rank import match_totals
from overtrick.judge.rank.ties import Evidence, Place, apply_decisions, break_tie, report_unused
from overtrick.judge.score import follow
from overtrick.judge.score.butler import butler
from overtrick.judge.score.groups import Totals, Who, add_up, assign_groups
from overtrick.judge.validate.session import list_unlisted

_STATED: Final = ("stated_total", "stated_percentage")
_AWAITED: Final = {"rule": pl.String, "contestants": pl.String, "rank": pl.UInt32, "ranking": pl.String}


def rank(session: Session, scoring: Scoring) -> Session:
    """Rank the contestants of a session.

    Matchpoints are ranked by percentage of the top on the boards a contestant is scored on (sit-outs and boards not
    played cost nothing), everything else by the sum; teams, and pairs in Swiss events, by their matches. Totals are
    compared exactly: only equal ones tie, and then the chain of tie-breaks decides.

    Args:
        session: scored results.
        scoring: `field` and `winners` decide how many rankings there are, `tie_breaks` how ties are broken; penalties,
            carry-overs and handicaps change what was earned. Teams also carry over what their files state.

    Returns:
        The session with `standings` filled: rankings in order, the best first, tied contestants by their numbers.
        `tie-open` reports a tie that has to be played off, `sit-outs-winner` a winner only by the number of boards.
        Contestants that earned nothing are not ranked, nor those
        that the files' own list does not name.
    """
    scoring = match_totals.with_stated_adjustments(
        session, match_totals.with_stated_carry(session, follow(session, scoring))
    )
    unlisted = {who[-1]: who for who in list_unlisted(session).select(*match_totals.IDENTITY).iter_rows()}
    earned = [(name, _without(totals, unlisted), lines) for name, totals, lines in _earned(session, scoring)]
    in_points = bool(session.matches["victory_points"].is_not_null().any())
    tops = session.results.select(pl.col("top").max().fill_null(0))
    board_top = 0 if in_points else int(tops.item())
    by_percentage = bool(session.results["top"].is_not_null().any()) and not in_points
    evened = [(name, match_totals.even_out(totals, scoring)) for name, totals, _ in earned]
    fields, unmatched = match_totals.apply_corrections(evened, scoring, board_top)
    lines = [lines for _, _, lines in earned] * (len(fields) // max(len(earned), 1))
    places = [
        (name, row, place)
        for (name, totals), played in zip(fields, lines, strict=True)
        for row, place in _in_order(Evidence(totals, played, session.matches), scoring, by_percentage=by_percentage)
    ]
    found = [unmatched, _report_open_ties(places), report_unused(places, scoring.decided_ties)]
    found.append(match_totals.propose_one_field(session, scoring))
    known = session.contestants.rows_by_key("contestant", named=True, include_key=True)
    in_section = session.contestants.rows_by_key(("contestant", "section"), named=True, include_key=True)
    rows = [
        {"ranking": name, **row, **_listed(in_section.get((who, row["section"])) or known[who], row["direction"])}
        for name, row, _ in places
        for who in [row["contestant"]]
    ]
    stated = pl.col("ranking").is_in([name for name, _, _ in earned])
    table = pl.DataFrame(rows, schema=dtypes(STANDINGS)).with_columns(pl.when(stated).then(pl.col(_STATED)))
    return replace(
        session,
        standings=table,
        problems=concat_problems([session.problems, *found, _report_sit_outs(session, table, scoring)]),
        facts=replace(session.facts, policies={**session.facts.policies, **_list_policies(session, table, scoring)}),
    )


def _earned(session: Session, scoring: Scoring) -> Iterator[tuple[str, Totals, pl.DataFrame]]:
    """Add up each ranking: its name, its totals, and the lines (of teams: the boards) that they come from."""
    if method_named(session.facts.method).of_teams or not session.matches.is_empty():
        boards = match_totals.list_team_boards(session.results)
        yield from ((name, totals, boards) for name, totals in match_totals.add_matches(session, scoring))
    else:
        apart = list(match_totals.split_rankings(session, scoring))
        yield from ((name, totals, lines) for (name, lines), totals in zip(apart, _add_up_each(apart), strict=True))


def _without(totals: Totals, unlisted: Mapping[str | None, Who]) -> Totals:
    """Return totals without those of contestants that the files' own list does not name."""

    def is_unlisted(who: Who) -> bool:
        return who[-1] in unlisted and all(a is None or a == b for a, b in zip(who, unlisted[who[-1]], strict=True))

    return {who: total for who, total in totals.items() if not is_unlisted(who)} if unlisted else totals


def _add_up_each(apart: Sequence[tuple[str, Seats]]) -> list[Totals]:
    """Add up each ranking by its lines, all of them at once: a congress has hundreds."""
    if not apart:
        return []
    together = pl.concat([lines for _, lines in apart], how="vertical_relaxed")
    number = np.repeat(np.arange(len(apart)), [len(lines) for _, lines in apart])
    each: list[Totals] = [{} for _ in apart]
    for (ranking, *who), total in add_up(
        together.with_columns(ranking=number.astype(str)), ("ranking", *match_totals.IDENTITY)
    ).items():
        each[int(str(ranking))][tuple(who)] = total
    return each


def _in_order(seen: Evidence, scoring: Scoring, *, by_percentage: bool) -> Iterator[tuple[dict[str, Any], Place]]:
    """Rank the contestants of one field, best first: rows of `frames.STANDINGS`, and who shares the place."""
    totals = seen.totals
    merit = {who: total.share if by_percentage else total.points for who, total in totals.items()}
    best_first = sorted(totals, key=lambda who: (-merit[who], _number(who)))
    ahead = 0
    for _, equals in groupby(best_first, key=lambda who: merit[who]):
        for place in apply_decisions(break_tie(list(equals), scoring.tie_chain, seen), scoring.decided_ties):
            tied = sorted(place.tied, key=_number)
            for who in tied:
                total = totals[who]
                row = {
                    **dict(zip(match_totals.IDENTITY, who, strict=True)),
                    "rank": ahead + 1,
                    "rank_last": ahead + len(tied),
                    "total": float(total.points),
                    "percentage": float(100 * total.share) if by_percentage else None,
                    "boards": total.boards,
                    "correction": float(total.correction) if total.correction else None,
                    "tie_break": place.rule,
                }
                yield row, place
            ahead += len(tied)


def _number(who: Who) -> list[tuple[Any, str]]:
    """Return the key that sorts contestants by their numbers, then direction, then section."""
    return [(natural(name), name or "") for name in reversed(who)]


def _report_open_ties(places: Iterable[tuple[str, dict[str, Any], Place]]) -> Problems:
    """Report `tie-open`, once for each place that is shared."""
    waiting = [
        (place.awaited, ", ".join(str(who[-1]) for who in sorted(place.tied, key=_number)), row["rank"], ranking)
        for ranking, row, place in places
        if place.awaited
    ]
    return report("tie-open", pl.DataFrame(waiting, _AWAITED, orient="row").unique(maintain_order=True))


def _report_sit_outs(session: Session, table: Standings, scoring: Scoring) -> Problems:
    """Report `sit-outs-winner`: others lead by the mean of a board, and neither the club nor a total decides."""
    method = method_named(session.facts.method)
    by_sum = not (method.has_top or method.of_teams or method.sheet) and session.matches.is_empty()
    decided = "sit_outs" in scoring.model_fields_set or table["stated_total"].is_not_null().any()
    if not by_sum or decided or table.is_empty():
        return empty(PROBLEMS)
    mean = (pl.col("total") / pl.col("boards")).round(_DECIMALS)
    leaders = table.group_by("ranking", maintain_order=True).agg(
        winner=pl.col("contestant").filter(pl.col("rank") == 1),
        other=pl.col("contestant").filter(mean == mean.max()),
        least=pl.col("boards").min(),
        most=pl.col("boards").max(),
    )
    several = leaders.filter((pl.col("least") < pl.col("most")) & (pl.col("winner") != pl.col("other")))
    names = [pl.col(name).list.join(" and ") for name in ("winner", "other")]
    said = several.select(pl.format("in {} {} leads as earned, and {} by the mean of a board", "ranking", *names))
    about = session.results.select("source").head(min(several.height, 1))
    first = pl.lit("; ".join(said.to_series()))
    extremes = {
        name: pl.lit(value) for name, value in (("least", several["least"].min()), ("most", several["most"].max()))
    }
    return report("sit-outs-winner", about.with_columns(said=first, **extremes))


_DECIMALS: Final = 9
"""Decimals to which means are the same."""


def _list_policies(session: Session, table: Standings, scoring: Scoring) -> Settings:
    """Return the rules that the ranking followed, as `Facts.policies` has them."""
    policies: dict[str, object] = {}
    if not table.is_empty():
        policies["winners"] = 2 if table["ranking"].str.ends_with("NS").any() else 1
    changes = ("penalties", "carry_overs", "handicaps")
    policies |= {name: listed for name in changes if (listed := getattr(scoring, name))}
    policies["tie_breaks"] = [step.rule for step in scoring.tie_chain]
    if scoring.decided_ties:
        policies["decided_ties"] = scoring.decided_ties
    if not method_named(session.facts.method).sheet:
        policies["sit_outs"] = scoring.sit_outs
    return policies


def _listed(known: Iterable[dict[str, Any]], direction: str | None) -> dict[str, Any]:
    """Return a contestant's names and stated totals; nothing where the list has several that it may be."""
    candidates = [row for row in known if row["direction"] == direction] or list(known)
    if len(candidates) != 1:
        return {}
    return {name: candidates[0][name] for name in ("names", *_STATED)}


_LEAST_TABLES: Final = 4
"""Scores of a board of which a datum is made: two matches."""
_PART: Final = 3
"""A pair has a place if it played at least this part of the most boards: a third."""


def rank_pairs_of_teams(session: Session, scoring: Scoring) -> Standings:
    """Rank the pairs of a team event by their IMPs against the datum of each board (Law 78B), per board.

    Args:
        session: scored, of teams.
        scoring: `datum` and its rounding are followed.

    Returns:
        `frames.STANDINGS` with `ranking` "pairs", and as `total` the IMPs of all boards. Pairs that played less than a
        third of the most boards come last, without a place. Empty where no board was played at four tables, or the
        files do not name the pairs.
    """
    if not method_named(session.facts.method).of_teams:
        return empty(STANDINGS)
    named = _with_pairs(session)
    evening = session.facts.evening if session.facts.by_file else None
    grouped = assign_groups(named, session.records, "section", evening=evening)
    scored = butler(grouped.filter(pl.col("actual") >= _LEAST_TABLES), follow(session, scoring))
    seated = sides(scored).drop_nulls("contestant")
    return _rank(add_up(seated, ("team", "contestant")))


def _with_pairs(session: Session) -> pl.DataFrame:
    """Return the results with their pairs as contestants, and as sections what is compared: a section, or its rounds.

    A board number that a team played in two rounds is another deal in each. A pair is told from its team by its number,
    and is nobody that sits at two tables of a board.
    """
    results = session.results
    teams = pl.concat([results["team_ns"], results["team_ew"]]).unique().implode()
    pairs = results.with_columns(
        pl.when(~pl.col(side).is_in(teams) & pl.col(f"team_{side}").is_not_null()).then(side).alias(side)
        for side in ("ns", "ew")
    )
    at_table = sides(pairs.with_row_index("row").select("row", "round", "board", "ns", "ew", "team_ns", "team_ew"))
    met = at_table.drop_nulls(["team", "board"]).group_by("team", "board").agg(pl.col("round").n_unique())
    seated = at_table.drop_nulls("contestant").group_by("contestant", "round", "board").agg(pl.col("row").n_unique())
    twice = seated.filter(pl.col("row") > 1)["contestant"].unique().implode()
    where = ["section", "round"] if (met["round"] > 1).any() else ["section"]
    return pairs.with_columns(
        *(pl.when(~pl.col(side).is_in(twice)).then(side).alias(side) for side in ("ns", "ew")),
        section=pl.concat_str(where, separator=" ", ignore_nulls=True),
    )


def _rank(totals: Totals) -> Standings:
    most = max((total.boards for total in totals.values()), default=0)

    def order(who: Who) -> tuple[bool, Fraction]:
        total = totals[who]
        return _PART * total.boards < most, -total.points / total.boards

    rows: list[dict[str, object]] = []
    for (few, _), equal in groupby(sorted(totals, key=lambda who: (order(who), natural(who[-1]))), key=order):
        tied = list(equal)
        places = {} if few else {"rank": len(rows) + 1, "rank_last": len(rows) + len(tied)}
        earned = ((who[-1], totals[who]) for who in tied)
        rows += [
            {"ranking": "pairs", **places, "contestant": name, "total": float(total.points), "boards": total.boards}
            for name, total in earned
        ]
    return pl.DataFrame(rows, schema=dtypes(STANDINGS))
