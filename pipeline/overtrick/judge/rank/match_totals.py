"""Totals of teams, and of pairs in Swiss events: matches added up, in victory points where the session has them."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

import polars as pl

from overtrick.core.bridge.methods import method_named
from overtrick.core.bridge.victory_points import UNIT
from overtrick.core.config import Scoring
from overtrick.core.config.scoring import CarryOver, Handicap, Penalty
from overtrick.core.config.table import exact
from overtrick.core.frames import Matches, Problems, Results, Session
from overtrick.core.notation import natural
from overtrick.core.problems import concat_problems, report
from overtrick.judge.score.groups import Total, Totals, Who

Correction = Penalty | Handicap | CarryOver
Rankings = Sequence[tuple[str, Totals]]
"""Names of rankings and what their contestants earned."""


def even_out(totals: Totals, scoring: Scoring) -> Totals:
    """Bring the totals of one ranking to the same number of boards, if the club wants that.

    Args:
        totals: as earned.
        scoring: `sit_outs`: "prorate" multiplies by the most boards that anybody played over the contestant's own,
            "mean" divides by the contestant's own.

    Returns:
        The totals with their tops, so that percentages stay the same.
    """
    most = max((total.boards for total in totals.values()), default=1)
    to = {"as-earned": None, "prorate": most, "mean": 1}[scoring.sit_outs]
    if to is None:
        return totals
    return {
        who: replace(total, points=total.points * by, top=total.top * by)
        for who, total in totals.items()
        for by in [Fraction(to, max(total.boards, 1))]
    }


def apply_corrections(rankings: Rankings, scoring: Scoring, board_top: int) -> tuple[Rankings, Problems]:
    """Subtract penalties, add carry-overs, and make a second ranking of each where there are handicaps.

    Args:
        rankings: as earned.
        scoring: `penalties`, `carry_overs` and `handicaps` are followed.
        board_top: the top of a full board; 0 where there is none.

    Returns:
        The rankings, those with handicap after the others and named `handicap all` and so on; and the problems
        `contestant-unmatched`, for a correction that fits no contestant or several, and `correction-meaningless`, for
        percentages and tops without matchpoints.
    """
    taken: list[Correction] = [*scoring.penalties, *scoring.carry_overs]
    unmatched = _unmatched(rankings, [*taken, *scoring.handicaps])
    problems = concat_problems([unmatched, _meaningless(scoring, board_top)])
    scratch = _changed(rankings, taken, board_top)
    if not scoring.handicaps:
        return scratch, problems
    with_handicap = [(_handicap_name(name), totals) for name, totals in _changed(scratch, scoring.handicaps, board_top)]
    return [*scratch, *with_handicap], problems


def _amount(correction: Correction, total: Total, board_top: int) -> Fraction:
    """Return what a correction adds to a total."""
    match correction:
        case Penalty(unit="percent"):
            return -exact(correction.amount) * total.top / 100
        case Penalty(unit="top"):
            return -exact(correction.amount) * board_top
        case Penalty():
            return -exact(correction.amount)
        case Handicap():
            return exact(correction.amount) * (Fraction(total.top, 100) if total.top else 1)
        case CarryOver(score=score, top=top) if score is not None and top is not None:
            return exact(score) * total.top / (2 * exact(top))
        case CarryOver():
            return exact(correction.points or 0)


def _changed(rankings: Rankings, corrections: Sequence[Correction], board_top: int) -> Rankings:
    """Apply each correction that names exactly one contestant."""
    changed = [(name, dict(totals)) for name, totals in rankings]
    for correction in corrections:
        places = _places(rankings, correction)
        if len(places) == 1:
            number, who = places[0]
            total = changed[number][1][who]
            by = _amount(correction, total, board_top)
            changed[number][1][who] = replace(total, points=total.points + by, correction=total.correction + by)
    return changed


def _places(rankings: Rankings, correction: Correction) -> list[tuple[int, Who]]:
    """Find the contestants that a correction fits: number of the ranking, and identity."""
    return [
        (number, who)
        for number, (_, totals) in enumerate(rankings)
        for who in totals
        if who[2] == correction.contestant
        and (correction.direction is None or who[1] in {None, correction.direction})
        and (correction.section is None or who[0] in {None, correction.section})
    ]


def _unmatched(rankings: Rankings, corrections: Sequence[Correction]) -> Problems:
    named = {Penalty: "penalty", CarryOver: "carry-over", Handicap: "handicap"}
    counts = [(named[type(each)], each.contestant, len(_places(rankings, each))) for each in corrections]
    schema = {"what": pl.String, "contestant": pl.String, "count": pl.Int64}
    return report("contestant-unmatched", pl.DataFrame(counts, schema, orient="row").filter(pl.col("count") != 1))


def _meaningless(scoring: Scoring, board_top: int) -> Problems:
    units = [] if board_top else [(p.contestant, p.unit) for p in scoring.penalties if p.unit != "points"]
    table = pl.DataFrame(units, {"contestant": pl.String, "unit": pl.String}, orient="row")
    return report("correction-meaningless", table)


def _handicap_name(name: str) -> str:
    section, _, field = name.rpartition(" ")
    return f"{section} handicap {field}".strip()


def add_matches(matches: Matches, scoring: Scoring) -> Iterator[tuple[str, Totals]]:
    """Add up the matches of each team.

    Args:
        matches: of the session.
        scoring: `bye_points` is followed.

    Yields:
        The ranking's name, `all` after the section's where there are several, and its totals. Sections come in order.
    """
    in_points = matches["victory_points"].is_not_null().all()
    several = matches["section"].n_unique() > 1
    for section in sorted(matches["section"].unique(), key=natural):
        totals: Totals = {}
        played = matches.filter(pl.col("section").eq_missing(section))
        for match in played.iter_rows(named=True):
            for name, suffix in (("team", ""), ("opponents", "_opponents")):
                who = (None, None, match[name])
                before = totals.get(who, Total(Fraction(0), 0, 0))
                earned = Fraction(match[f"numerator{suffix}"], match["denominator"])
                if in_points:
                    earned = Fraction(match[f"victory_points{suffix}"], UNIT)
                top = 0 if in_points else match["top"] or 0
                totals[who] = Total(before.points + earned, before.top + top, before.boards + match["boards"])
        if in_points and scoring.bye_points is not None:
            totals = _with_byes(totals, played, exact(scoring.bye_points))
        yield f"{section} all" if several and section is not None else "all", totals


def with_stated_carry(session: Session, scoring: Scoring) -> Scoring:
    """Add the carry-overs that files state (LIN vg) to the settings: the IMPs by which a team was ahead, or behind.

    Where a match comes in several parts, each states all that was won before it, and the first part counts: the one
    that states least. A record without a carry-over has that of the same board in another file.
    Carry-overs of the settings take precedence, and a session in victory points carries no IMPs.
    """
    method = method_named(session.facts.method)
    by_imps = method.of_teams and method.unit == "IMPs" and scoring.team_points == "imps"
    if scoring.carry_overs or not by_imps or session.matches["victory_points"].is_not_null().any():
        return scoring
    teams = ["home_team", "visit_team"]
    carried = [
        pl.coalesce(name, pl.col(name).drop_nulls().first().over(*teams, "board"), 0.0)
        for name in ("home_carry", "visit_carry")
    ]
    pair = pl.concat_list("home_team", "visit_team").list.sort()
    played = pl.concat([session.matches["team"], session.matches["opponents"]])
    first = (
        session.records.filter(pl.all_horizontal(pl.col("home_team", "visit_team").is_in(played.implode())))
        .with_columns(carried)
        .sort(pl.col("home_carry") + pl.col("visit_carry"), maintain_order=True)
        .unique(pair, keep="first", maintain_order=True)
        .select("home_team", "visit_team", ahead=pl.col("home_carry") - pl.col("visit_carry"))
        .filter(pl.col("ahead") != 0)
    )
    carried_over = [CarryOver(contestant=home, points=ahead) for home, _, ahead in first.iter_rows()]
    carried_over += [CarryOver(contestant=visitor, points=-ahead) for _, visitor, ahead in first.iter_rows()]
    return scoring.model_copy(update={"carry_overs": carried_over})


def _with_byes(totals: Totals, matches: Matches, points: Fraction) -> Totals:
    """Add what a team earns in each round in which it has no match."""
    seated = pl.concat([matches.select("round", team=matches[name]) for name in ("team", "opponents")])
    rounds = matches["round"].drop_nulls().n_unique()
    sat_in = dict(seated.drop_nulls("round").group_by("team").agg(pl.col("round").n_unique()).iter_rows())
    return {
        who: replace(total, points=total.points + points * (rounds - sat_in.get(who[-1], rounds)))
        for who, total in totals.items()
    }


def list_team_boards(results: Results) -> pl.DataFrame:
    """List what each team (or pair) won on each of its boards: `team swing denominator`, one row a board of a match."""
    teams = [pl.coalesce("team_ns", "ns").alias("team_ns"), pl.coalesce("team_ew", "ew").alias("team_ew")]
    match = ["section", "round", "one_team", "other_team"]
    boards = (
        results.with_columns(teams)
        .drop_nulls(["team_ns", "team_ew", "board", "denominator"])
        .with_columns(
            one_team=pl.min_horizontal("team_ns", "team_ew"), other_team=pl.max_horizontal("team_ns", "team_ew")
        )
        .unique([*match, "board"], keep="first", maintain_order=True)
    )
    swing = pl.col("numerator_ns") - pl.col("numerator_ew")
    return pl.concat(
        boards.select(pl.col(f"team_{side}").alias("team"), (sign * swing).alias("swing"), "denominator")
        for side, sign in (("ns", 1), ("ew", -1))
    )
