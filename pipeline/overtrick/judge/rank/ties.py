"""Breaking ties between contestants with the same total, by the chain of rules that the event has chosen.

Each rule gives the tied contestants marks, or None where it can't judge. Where marks differ the tie is broken, and
those who still share a place begin again at the first rule: a rule for two may then apply where one for three did not.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, groupby
from typing import Any, Final, NamedTuple

import polars as pl

from overtrick.core.bridge.victory_points import UNIT
from overtrick.core.config.scoring import TieBreak, TieDecision, TieRule
from overtrick.core.frames import Matches, Seats
from overtrick.core.problems import report
from overtrick.judge.rank.match_totals import IDENTITY
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


Marks = dict[Who, Fraction]
Rule = Callable[[Evidence, Sequence[Who]], Marks | None]

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
        "who-beat-who": lambda seen, tied: meeting_marks(seen.lines, tied),
        "rematchpoint": lambda seen, tied: rematchpoint(seen.lines, tied),
    }
    teams: dict[TieRule, Rule] = {
        "who-beat-who": lambda seen, tied: match_marks(seen.matches, tied),
        "opponents": lambda seen, tied: opponents_totals(seen.matches, seen.totals, tied),
        "imps": lambda seen, tied: match_imps(seen.matches, tied),
        "imp-quotient": lambda seen, tied: imp_quotient(seen.lines, tied),
        "boards-won": lambda seen, tied: boards_won(seen.lines, tied),
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


_WON, _HALF, _NOTHING = Fraction(1), Fraction(1, 2), Fraction(0)


def meeting_marks(lines: Seats, tied: Sequence[Who]) -> Marks | None:
    """Give 1 for each of the others beaten on the boards played against each other, and a half for a tie.

    What counts is what was earned on those boards in the whole field: matchpoints, IMPs or points.

    Args:
        lines: the frame of `rankings.split_rankings`; both sides have the same `result`.
        tied: at least two.

    Returns:
        The marks; None unless every two of them have met.
    """
    played = {who: _earned(lines, who) for who in tied}
    marks = dict.fromkeys(tied, Fraction(0))
    for who, other in combinations(tied, 2):
        # Partners in an individual share a result and sat the same way: they did not play against each other.
        shared = [(played[who][result], played[other][result]) for result in played[who].keys() & played[other].keys()]
        margins = [mine - theirs for (way, mine), (other_way, theirs) in shared if way != other_way]
        if not margins:
            return None
        _decide(marks, who, other, sum(margins, _NOTHING))
    return marks


def match_marks(matches: Matches, tied: Sequence[Who]) -> Marks | None:
    """Give 1 for each of the other teams beaten in the matches against each other, and a half for a tie.

    Victory points decide where there are any, then IMPs.

    Returns:
        The marks; None unless every two of them have met.
    """
    marks = dict.fromkeys(tied, Fraction(0))
    for who, other in combinations(tied, 2):
        names = [who[-1], other[-1]]
        met = matches.filter(pl.col("team").is_in(names) & pl.col("opponents").is_in(names))
        if met.is_empty():
            return None
        margins = [_margins(match, str(who[-1])) for match in met.iter_rows(named=True)]
        by_points = sum((points for points, _ in margins), _NOTHING)
        by_imps = sum((imps for _, imps in margins), _NOTHING)
        _decide(marks, who, other, by_points or by_imps)
    return marks


def rematchpoint(lines: Seats, tied: Sequence[Who]) -> Marks | None:
    """Compare tied pairs on each board with those of them that sat the same way: 1 for a better score, 1/2 for a tie.

    A pair that sat the other way from several others of the tied is compared with the field instead: it gets 1, 1/2 or
    0 where its matchpoints on the board were above, at or below average. A board counts for nobody where no two of the
    tied sat the same way. A pair's mark is the part that it won of what it could have won, as pairs may have missed
    boards.

    Args:
        lines: the frame of `rankings.split_rankings`.
        tied: the pairs.

    Returns:
        The marks; None where a pair has nothing to compare.
    """
    # Pairs 1, 2 and 3 are tied; all three played both boards:
    #
    #     board  sat            scores N-S      pair 1     pair 2     pair 3
    #     1      all N-S        420, 170, 170   1 + 1      0 + 1/2    0 + 1/2
    #     2      1, 2 N-S       50, 50          1/2        1/2
    #            3 E-W, average                                       1/2
    #     marks                                 5/2 of 3   1 of 3     1 of 3
    won, available = dict.fromkeys(tied, Fraction(0)), dict.fromkeys(tied, 0)
    for _, board in lines.drop_nulls(["score_ns", "board", "top"]).group_by("field", "board"):
        rows = [row for row in board.iter_rows(named=True) if _who(row) in won]
        for row in rows:
            marks = _marks_on_board(row, rows)
            won[_who(row)] += sum(marks, Fraction(0))
            available[_who(row)] += len(marks)
    return {who: won[who] / available[who] for who in tied} if all(available.values()) else None


def _marks_on_board(row: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> list[Fraction]:
    """Compare a pair with those that sat the same way; else with the average, where several sat the other way."""
    same_way = [other for other in rows if other is not row and other["sat"] == row["sat"]]
    if same_way or len(rows) < 3:
        return [_compare(row, other) for other in same_way]
    return [_mark(2 * row["numerator"] - row["top"] * row["denominator"])]


def opponents_totals(matches: Matches, totals: Totals, tied: Sequence[Who]) -> Marks | None:
    """Add the final totals of all opponents met, as often as they were met; None for no matches."""
    by_name = {who[-1]: total.points for who, total in totals.items()}
    if matches.is_empty():
        return None
    return {who: sum((by_name[name] for name in _opponents(matches, who)), Fraction(0)) for who in tied}


def match_imps(matches: Matches, tied: Sequence[Who]) -> Marks | None:
    """Add what was won and lost in all matches before victory points; None for no matches."""
    if matches.is_empty():
        return None
    marks = dict.fromkeys(tied, Fraction(0))
    for match in matches.iter_rows(named=True):
        for name, suffix in (("team", ""), ("opponents", "_opponents")):
            who = (None, None, match[name])
            if who in marks:
                marks[who] += Fraction(match[f"numerator{suffix}"], match["denominator"])
    return marks


def imp_quotient(boards: pl.DataFrame, tied: Sequence[Who]) -> Marks | None:
    """Divide what was won, board by board, by what was lost; None where a team lost nothing at all."""
    swings = {who: _swings(boards, who) for who in tied}
    if any(all(swing >= 0 for swing in listed) for listed in swings.values()):
        return None
    return {
        who: sum((s for s in listed if s > 0), Fraction(0)) / -sum((s for s in listed if s < 0), Fraction(0))
        for who, listed in swings.items()
    }


def boards_won(boards: pl.DataFrame, tied: Sequence[Who]) -> Marks | None:
    """Count boards won less boards lost; None for no boards."""
    if boards.is_empty():
        return None
    return {who: Fraction(sum((s > 0) - (s < 0) for s in _swings(boards, who))) for who in tied}


def _earned(lines: Seats, who: Who) -> dict[int, tuple[str, Fraction]]:
    """Look up how a contestant sat and what it earned, by result."""
    same = [pl.col(name).cast(pl.String).eq_missing(pl.lit(value)) for name, value in zip(IDENTITY, who, strict=True)]
    earned_on = lines.filter(*same).drop_nulls("numerator").select("result", "sat", "numerator", "denominator")
    return {result: (sat, Fraction(earned, whole)) for result, sat, earned, whole in earned_on.iter_rows()}


def _decide(marks: Marks, who: Who, other: Who, margin: Fraction) -> None:
    if margin == 0:
        marks[who] += _HALF
        marks[other] += _HALF
    else:
        marks[who if margin > 0 else other] += _WON


def _margins(match: Mapping[str, Any], team: str) -> tuple[Fraction, Fraction]:
    """Return by what the team is ahead in one match: victory points, and IMPs (or matchpoints)."""
    sign = 1 if match["team"] == team else -1
    points = (match["victory_points"] or 0) - (match["victory_points_opponents"] or 0)
    earned = match["numerator"] - match["numerator_opponents"]
    return Fraction(sign * points, UNIT), Fraction(sign * earned, match["denominator"])


def _who(row: Mapping[str, Any]) -> Who:
    return tuple(row[name] for name in IDENTITY)


def _compare(row: Mapping[str, Any], other: Mapping[str, Any]) -> Fraction:
    """Compare two scores of pairs that sat the same way."""
    ahead = row["score_ns"] - other["score_ns"]
    return _mark(ahead if row["sat"] == "NS" else -ahead)


def _mark(ahead: int) -> Fraction:
    if ahead == 0:
        return _HALF
    return _WON if ahead > 0 else _NOTHING


def _opponents(matches: Matches, who: Who) -> list[str]:
    there = [
        matches.filter(pl.col(name) == who[-1])[other] for name, other in (("team", "opponents"), ("opponents", "team"))
    ]
    return [*there[0], *there[1]]


def _swings(boards: pl.DataFrame, who: Who) -> list[Fraction]:
    """List by what a team won (or lost) each of its boards."""
    boards = boards.filter(pl.col("team") == who[-1])
    return [Fraction(won, whole) for won, whole in boards.select("swing", "denominator").iter_rows()]
