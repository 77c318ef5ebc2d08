"""Totals of teams, and of pairs in Swiss events: matches added up, in victory points where the session has them."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Final

import numpy as np
import polars as pl

from overtrick.core.bridge.methods import method_named
from overtrick.core.bridge.movements import numbers_repeat, where_numbers_repeat
from overtrick.core.bridge.victory_points import UNIT
from overtrick.core.config import Scoring
from overtrick.core.config.file import exact
from overtrick.core.config.scoring import CarryOver, Handicap, Penalty
from overtrick.core.contestants import by_line
from overtrick.core.frames import DIRECTION, PROBLEMS, Contestants, Problems, Results, Seats, Session, empty, seats
from overtrick.core.notation import natural
from overtrick.core.problems import concat_problems, report
from overtrick.judge.score.groups import Total, Totals, Who, name_field

IDENTITY: Final = ("section", "direction", "contestant")
"""The columns that identify a contestant; section and direction are null where the number alone is enough."""


def split_rankings(session: Session, scoring: Scoring) -> Iterator[tuple[str, Seats]]:
    """Split a session into its rankings.

    Sections that are scored by themselves are ranked by themselves. A field has two winners, N-S and E-W, when nobody
    sat both ways: either no number occurs in both directions, or the numbers repeat and mean different pairs. The two
    sides of a score sheet play against each other, and players of an individual sit anywhere: they are ranked together.

    Yields:
        The ranking's name (`all`, `NS`, `EW`, after the section's name where there are several) and its lines: the
        frame of `frames.seats` with the columns of `IDENTITY`, `result` (a number), `sat` (the direction, which is
        null in `IDENTITY` where the number is enough) and `field`. Sections come in order, N-S before E-W.
    """
    lines = _list_lines(session, scoring)
    sections = sorted(set(lines["field"]), key=natural)
    # A congress has hundreds of sections: all of them are judged at once.
    listed = set(_listed_twice(session.contestants, "direction", "section")["section"])
    repeating = set(where_numbers_repeat(lines, "direction")) | (set(sections) if None in listed else listed)
    repeating.update([None] * bool(listed))
    either_way = lines.group_by("field", "contestant").agg(pl.col("direction").n_unique() > 1).filter("direction")
    together = set(either_way["field"]) - repeating | set(lines.drop_nulls("player_n")["field"])
    if method_named(session.facts.method).sheet:
        together = set(sections)
    rows: list[tuple[str | None, str, int, bool]] = []
    names: list[str] = []
    for section in sections:
        prefix = "" if section is None else f"{section} "
        two = section not in together if scoring.winners == "auto" else scoring.winners == 2
        sides = ("NS", "EW") if two else ("all", "all")
        rows += [
            (section, way, len(names) + (side == "EW"), section in repeating or two)
            for way, side in zip(("NS", "EW"), sides, strict=True)
        ]
        names += [f"{prefix}{side}" for side in dict.fromkeys(sides)]
    yield from zip(names, _part(lines, rows, len(names)), strict=True)


def _list_lines(session: Session, scoring: Scoring) -> Seats:
    """List what contestants earned: the frame that `split_rankings` splits, in the order of the results."""
    results = session.results
    if scoring.virtual:
        names = [source for source in results["source"].drop_nulls().unique() if scoring.is_virtual(source)]
        results = results.filter(~pl.col("source").is_in(names))
    earned = by_line(seats(results.with_row_index("result")).drop_nulls("contestant").with_columns(sat="direction"))
    if session.facts.by_file:
        # A contestant plays board 1 of every session, and sits either way.
        earned = earned.with_columns(
            board=pl.struct(session.facts.evening.alias("evening"), "board").rank("dense").cast(pl.Int32)
        )
    apart = scoring.field == "section" and earned["section"].drop_nulls().n_unique() > 1
    lines = earned.with_columns(field=name_field(scoring.field_groups) if apart else pl.lit(None, dtype=pl.String))
    repeated = numbers_repeat(earned, "section") or len(_listed_twice(session.contestants, "section"))
    return lines if repeated else lines.with_columns(section=None)


_PLACES: Final[dict[str, pl.DataType | type[pl.DataType]]] = {
    "field": pl.String,
    "direction": DIRECTION,
    "place": pl.UInt32,
    "is_told_apart": pl.Boolean,
}


def _part(lines: Seats, rows: list[tuple[str | None, str, int, bool]], count: int) -> Iterator[Seats]:
    """Part lines by the place of their ranking; `rows` are those of `_PLACES`, `count` is how many rankings there are.

    The direction is kept where it tells contestants apart.
    """
    places = pl.DataFrame(rows, _PLACES, orient="row")
    placed = (
        lines.join(places, on=["field", "direction"], nulls_equal=True, maintain_order="left")
        .with_columns(pl.when("is_told_apart").then("direction"))
        .sort("place", maintain_order=True)
    )
    ends = np.searchsorted(placed["place"].to_numpy(), np.arange(count), side="right").tolist()
    parted = placed.drop("place", "is_told_apart")
    # Slices share their memory: a congress has thousands of sections.
    return (parted[first:last] for first, last in pairwise([0, *ends]))


def propose_one_field(session: Session, scoring: Scoring) -> Problems:
    """Report sections that number their contestants through and have one winner stated: they may be one field."""
    results, ranks = session.results, session.contestants.drop_nulls("stated_rank").unique("contestant")
    seated = seats(results).drop_nulls(["contestant", "section"]).select("section", "contestant").unique()
    sizes = seated.group_by("section").len()["len"]
    chosen = scoring.field == "all" or "field" in scoring.model_fields_set or session.facts.by_file
    if chosen or len(sizes) < 2 or not seated["contestant"].is_unique().all():
        return empty(PROBLEMS)
    sections = ", ".join(sorted(seated["section"].unique()))
    about = results.select("source").head(1).with_columns(sections=pl.lit(sections))
    if ranks.is_empty():
        numbers = seated["contestant"].cast(pl.UInt32, strict=False)
        boards = results.drop_nulls(["section", "board"]).select("section", "board").unique()
        shared = boards["board"].is_duplicated().any() and not numbers.null_count()
        return report("field-sections/numbered", about.head(int(shared)))
    placed = ranks.join(seated, on="contestant", suffix="_seated")
    # A ranking of its own for each section ends with the section's last contestant.
    is_one_field = (placed["stated_rank"] == 1).sum() == 1 and (placed["stated_rank"] > sizes.max()).any()
    return report("field-sections/ranked", about.head(int(is_one_field)))


def _listed_twice(contestants: Contestants, by: str, *within: str) -> pl.DataFrame:
    """Return the numbers that the list of contestants itself has under several sections or directions."""
    return contestants.group_by("contestant", *within).agg(pl.col(by).drop_nulls().n_unique() > 1).filter(by)


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
        `setting-unmatched`, for a correction that fits no contestant or several, and `award-unscored`, for
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
    unmatched = pl.DataFrame(counts, schema, orient="row").filter(pl.col("count") != 1)
    return report("setting-unmatched/contestant", unmatched)


def _meaningless(scoring: Scoring, board_top: int) -> Problems:
    units = [] if board_top else [(p.contestant, p.unit) for p in scoring.penalties if p.unit != "points"]
    table = pl.DataFrame(units, {"contestant": pl.String, "unit": pl.String}, orient="row")
    return report("award-unscored/penalty", table)


def _handicap_name(name: str) -> str:
    section, _, field = name.rpartition(" ")
    return f"{section} handicap {field}".strip()


def add_matches(session: Session, scoring: Scoring) -> Iterator[tuple[str, Totals]]:
    """Add up the matches of each team.

    Args:
        session: scored; a team with results in a round plays there, also if none of its boards is compared yet.
        scoring: `bye_points` is followed.

    Yields:
        The ranking's name, `all` after the section's where there are several, and its totals. Sections come in order.
    """
    matches = session.matches
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
            here = pl.lit(section, pl.String).is_null() | pl.col("section").eq_missing(section)
            teams = _list_teams(session.results.filter(here))
            rounds = {str(name) for name in played["round"].drop_nulls()}
            byes = _count_byes(teams, rounds)
            points = exact(scoring.bye_points)
            totals = {
                who: replace(total, points=total.points + points * byes[str(who[-1])]) for who, total in totals.items()
            }
        yield f"{section} all" if several and section is not None else "all", totals


def list_stated_carry(session: Session) -> pl.DataFrame:
    """List what two teams had won before their first segment here, as files state it (LIN vg).

    Where a match comes in several parts, each states all that was won before it, and the first part counts: the one
    that states least. A record without a carry-over has that of the same board in another file.

    Returns:
        A row for each match of two teams: `home_team visit_team`, and `home_carry visit_carry` in IMPs, 0 where no file
        states it.
    """
    carried = [
        pl.coalesce(name, pl.col(name).drop_nulls().first().over("home_team", "visit_team", "board"), 0.0)
        for name in ("home_carry", "visit_carry")
    ]
    pair = pl.concat_list("home_team", "visit_team").list.sort()
    played = pl.concat([session.matches["team"], session.matches["opponents"]])
    return (
        session.records.filter(pl.all_horizontal(pl.col("home_team", "visit_team").is_in(played.implode())))
        .with_columns(carried)
        .sort(pl.col("home_carry") + pl.col("visit_carry"), maintain_order=True)
        .unique(pair, keep="first", maintain_order=True)
        .select("home_team", "visit_team", "home_carry", "visit_carry")
    )


def with_stated_carry(session: Session, scoring: Scoring) -> Scoring:
    """Add the carry-overs that files state (LIN vg) to the settings: the IMPs by which a team was ahead, or behind.

    Carry-overs of the settings take precedence, and a session in victory points carries no IMPs.
    """
    method = method_named(session.facts.method)
    by_imps = method.of_teams and method.unit == "IMPs" and scoring.team_points == "imps"
    if scoring.carry_overs or not by_imps or session.matches["victory_points"].is_not_null().any():
        return scoring
    first = (
        list_stated_carry(session)
        .select("home_team", "visit_team", ahead=pl.col("home_carry") - pl.col("visit_carry"))
        .filter(pl.col("ahead") != 0)
    )
    carried_over = [CarryOver(contestant=home, points=ahead) for home, _, ahead in first.iter_rows()]
    carried_over += [CarryOver(contestant=visitor, points=-ahead) for _, visitor, ahead in first.iter_rows()]
    return scoring.model_copy(update={"carry_overs": carried_over})


def with_stated_adjustments(session: Session, scoring: Scoring) -> Scoring:
    """Add what files say that the Director added to totals or took from them, where the settings say nothing of that.

    Returns:
        The settings; a gain is a carry-over there, a loss a penalty.
    """
    columns = ("contestant", "direction", "section", "stated_adjustment")
    changes = session.contestants.filter(pl.col("stated_adjustment") != 0).select(columns).unique(maintain_order=True)
    penalties, carry_overs = list(scoring.penalties), list(scoring.carry_overs)
    for contestant, direction, section, points in changes.iter_rows():
        settled = any(
            each.contestant == contestant and each.direction in {None, direction} and each.section in {None, section}
            for each in (*scoring.penalties, *scoring.carry_overs)
        )
        who = {"contestant": contestant, "direction": direction, "section": section}
        if not settled and points < 0:
            penalties.append(Penalty(**who, amount=-points))
        elif not settled:
            carry_overs.append(CarryOver(**who, points=points))
    return scoring.model_copy(update={"penalties": penalties, "carry_overs": carry_overs})


def _list_teams(results: Results) -> dict[str, set[str]]:
    """Return the teams (or pairs) that meet somebody in each round, in the order of the rounds."""
    met = results.filter(pl.all_horizontal(pl.col("ns", "ew").is_not_null()), pl.col("status") != "bye")
    seated = seats(met).select("round", team=pl.coalesce("team", "contestant")).drop_nulls()
    teams = {name: set(listed) for name, listed in seated.group_by("round").agg("team").iter_rows()}
    return {name: teams[name] for name in sorted(teams, key=natural)}


def _count_byes(teams: Mapping[str, set[str]], rounds: Collection[str]) -> Counter[str]:
    """Count the rounds in which each team sat out.

    While a round is played, those without a result may yet meet each other. It is settled who sits out if only one is
    left, if a later round has results, or if as many play as in any round before.

    Args:
        teams: those that play in each round, in the order of the rounds.
        rounds: those in which a board has been compared.
    """
    byes: Counter[str] = Counter()
    most, latest = 0, list(teams)[-1:]
    for name, playing in teams.items():
        out = set().union(*teams.values()) - playing
        if name in rounds and (len(out) == 1 or name not in latest or len(playing) >= most):
            byes.update(out)
        most = max(most, len(playing))
    return byes


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
