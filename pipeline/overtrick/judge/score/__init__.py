"""Scoring: what each result is worth in points (Law 77) and in comparison with the others (Law 78).

A method is a row of `bridge.methods.METHODS` and its function, a row of `SCORERS`. What can't be compared is reported.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

import polars as pl

from overtrick.core import frames
from overtrick.core.bridge.methods import USUAL, Method, Settings, method_named
from overtrick.core.bridge.score import imps, law_score
from overtrick.core.config import Scoring
from overtrick.core.problems import concat_problems, report
from overtrick.judge.score import groups, matchpoints, sheets
from overtrick.judge.score.butler import butler, cross_imps
from overtrick.judge.score.scoring_tag import settle_scoring, with_rubber_tags

_BOARD: Final = [*matchpoints.MATCH, "group", "team"]
_TOP: Final = 2
"""Points for a board won at board-a-match."""


def teams(lines: frames.Lines, scoring: Scoring) -> frames.Lines:
    """Score each board of a match by the difference of the two tables, in IMPs or total points.

    Args:
        lines: the frame of `groups.assign_groups`.
        scoring: `team_points` is followed.

    Returns:
        The lines with `team_ns team_ew` filled, and `numerator_ns numerator_ew denominator` where the board counts:
        what the team at the table won on it, by both tables. A board that was not compared because of an adjusted
        score is 3, 0 or -3 IMPs to each side; at total points it earns nothing.
    """
    # Board 1 of Ash against Oak, from the comparison that `compare_tables` shows: 450 points are 10 IMPs.
    #
    #     team_ns  team_ew  score_ns  numerator_ns  numerator_ew
    #     Ash      Oak      620        10           -10
    #     Oak      Ash      170       -10            10
    placed = matchpoints.assign_matches(lines)
    met, whole = matchpoints.compare_tables(placed), matchpoints.whole_weight(placed)
    by_imps = scoring.team_points == "imps"
    won = imps(pl.col("difference")) if by_imps else pl.col("difference").cast(pl.Int64)
    earned = [met.group_by(_BOARD).agg(numerator=(pl.col("weight") * won).sum())]
    if by_imps:
        sign = groups.average_sign(pl.col("award"))
        earned.append(
            matchpoints.list_awards(placed, met).select(*_BOARD, numerator=sign * groups.IMPS_AVERAGE_PLUS * whole)
        )
    listed = pl.concat(earned).with_columns(denominator=pl.lit(whole, dtype=pl.Int64), top=pl.lit(None, dtype=pl.Int64))
    return matchpoints.with_boards(placed, listed)


def board_a_match(lines: frames.Lines, scoring: Scoring) -> frames.Lines:
    """Score each board of a match as won, tied or lost: 2 for the better score, 1 for the same, 0 for the worse.

    Args:
        lines: the frame of `groups.assign_groups`.
        scoring: not used.

    Returns:
        The lines with `team_ns team_ew` filled, and `numerator_ns numerator_ew denominator top` where the board counts.
        A board that was not compared because of an adjusted score is that share of the 2 to each side.
    """
    del scoring
    placed = matchpoints.assign_matches(lines)
    met, whole = matchpoints.compare_tables(placed), matchpoints.whole_weight(placed)
    won = groups.WHOLE * pl.col("weight") * (pl.col("difference").sign().cast(pl.Int64) + 1)
    top = _TOP * (pl.col("weight").sum() // whole)
    earned = met.group_by(_BOARD).agg(numerator=won.sum(), top=top)
    shares = _TOP * whole * groups.share(pl.col("award"))
    awarded = matchpoints.list_awards(placed, met).select(*_BOARD, numerator=shares, top=pl.lit(_TOP, pl.Int64))
    listed = pl.concat([earned, awarded]).with_columns(denominator=pl.lit(groups.WHOLE * whole, dtype=pl.Int64))
    return matchpoints.with_boards(placed, listed)


def score(session: frames.Session, scoring: Scoring) -> frames.Session:
    """Score the results of a session.

    Args:
        session: results as read, with vulnerability filled.
        scoring: the club's settings. What they leave open follows the files' numbers (`Facts.settings`), then their
            `[Scoring]`, then the usual method.

    Returns:
        The session with the computed columns of `results`, with `matches` and `sheets` where the method makes them,
        `method` and `policies` in its facts, and its problems reported. A result earns nothing if it was not played, is
        a bye, or has no board number or nothing to score by. Where the files ask for a scoring that is not supported,
        scores are filled and points stay null.
    """
    scoring = follow(session, scoring)
    entered, unmatched = groups.enter_adjustments(session.results, scoring.adjustments)
    results = with_scores(swap_points(entered) if scoring.stated_view == "points-ew" else entered)
    rules, problems = settle_scoring(session, scoring)
    before = [session.problems, unmatched, problems]
    if rules.method is None:
        return replace(session, results=results, problems=concat_problems(before))
    method = method_named(rules.method)
    grouped = assign_lines(session, results, rules)
    if method.sheet:
        grouped = with_rubber_tags(sheets.with_deals(grouped, session.records), session, method.sheet)
    lines = with_points(SCORERS[method.name](grouped, rules))
    matches, report = _matches(lines, method, rules)
    return replace(
        session,
        results=frames.conform(frames.RESULTS, lines),
        matches=matches,
        sheets=sheets.list_entries(lines) if method.sheet else frames.empty(frames.SHEETS),
        problems=concat_problems([*before, report_lines(lines, rules), report]),
        facts=replace(
            session.facts, method=rules.method, policies={**session.facts.policies, **_list_policies(method, rules)}
        ),
    )


def follow(session: frames.Session, scoring: Scoring) -> Scoring:
    """Return the club's settings; those that it leaves open follow what the numbers of the files decide."""
    decided = {key: value for key, value in session.facts.settings.items() if key not in scoring.model_fields_set}
    return scoring.model_copy(update=decided) if decided else scoring


def swap_points(results: frames.Results) -> frames.Results:
    """Return results whose stated points change sides, for files that state them from the other side's view."""
    sides = ("stated_points_ns", "stated_points_ew")
    return results.with_columns(pl.col(name).alias(other) for name, other in zip(sides, reversed(sides), strict=True))


def assign_lines(session: frames.Session, results: frames.Results, rules: Scoring) -> frames.Lines:
    """Return results with their comparison groups, as `groups.assign_groups` does."""
    evening = session.facts.evening if session.facts.by_file else None
    extent = rules.field if rules.field == "all" else rules.field_groups
    return groups.assign_groups(results, session.records, extent, evening=evening, fouled=rules.fouled)


def with_scores(results: frames.Results) -> frames.Results:
    """Fill `law_score_ns` with the score of Law 77, and `score_ns` with the score that is compared.

    That is the stated score, else the score of Law 77; null for artificial and weighted scores, and for a board that
    was not played.
    """
    artificial = (pl.col("status") == "adjusted") & pl.any_horizontal(pl.col("award_ns", "award_ew").is_not_null())
    counts = pl.col("status").is_in(frames.HAPPENED) & ~artificial & pl.col("weights").is_null()
    # Lazily: a part that occurs several times in the expression is then computed once.
    return (
        results.lazy()
        .with_columns(law_score_ns=law_score(pl.col("vulnerable"), pl.col("tricks")))
        .with_columns(score_ns=pl.when(counts).then(pl.coalesce("stated_score_ns", "law_score_ns")))
        .collect()
    )


def with_points(lines: frames.Lines) -> frames.Lines:
    """Fill points and percentages from the exact fractions.

    A board with one result has no top to share: it is 50 % by convention, or the percentage that was awarded.
    """
    return lines.with_columns(
        (pl.col(f"numerator_{side}") / pl.col("denominator")).alias(f"points_{side}") for side in ("ns", "ew")
    ).with_columns(
        pl.when(pl.col("top") > 0)
        .then(100 * pl.col(f"points_{side}") / pl.col("top"))
        .when(pl.col("top").is_not_null() & pl.col(f"points_{side}").is_not_null())
        .then(pl.coalesce(100 * groups.share(pl.col(f"award_{side}")) / groups.WHOLE, 50.0))
        .alias(f"percentage_{side}")
        for side in ("ns", "ew")
    )


def _matches(lines: frames.Lines, method: Method, rules: Scoring) -> tuple[frames.Matches, frames.Problems]:
    """Add up the matches of teams, or of pairs in a Swiss event; a method that compares nothing has none."""
    if method.compared == "nothing":
        return frames.empty(frames.MATCHES), frames.empty(frames.PROBLEMS)
    matches = (matchpoints.add_team_matches if method.of_teams else matchpoints.add_pair_matches)(lines, rules)
    return matches, report_scales(lines, matches, rules)


def _list_policies(method: Method, rules: Scoring) -> Settings:
    """Return the rules that the scoring followed, as `Facts.policies` has them."""
    policies: dict[str, object] = {} if method.sheet else {"field": rules.field}
    if rules.field_groups and not method.sheet:
        policies["field_groups"] = rules.field_groups
    policies |= {rule: getattr(rules, rule, None) for rule in method.rules}
    if method.compared != "nothing" and (scale := matchpoints.scale_name(rules)):
        policies |= {"vp_scale": scale, "vp_boards": rules.vp_boards, "bye_points": rules.bye_points}
    return policies | {name: listed for name in ("fouled", "adjustments") if (listed := getattr(rules, name))}


def report_lines(lines: frames.Lines, scoring: Scoring) -> frames.Problems:
    """Report on scored lines.

    Args:
        lines: with points filled.
        scoring: the method and the policies that they were scored by.
    """
    method = method_named(scoring.method or USUAL)
    if method.sheet:
        return sheets.report_sheets(lines, method.sheet, scoring)
    common = [
        _report_no_board(lines, method),
        _report_awards(lines, method),
        _report_honours(lines, method),
        _report_no_datum(lines, method, scoring),
    ]
    if method.of_teams:
        return concat_problems([_report_boards_of_matches(lines), *common])
    return concat_problems([_report_fouled(lines), _report_not_fouled(lines, scoring), *common])


def report_scales(lines: frames.Lines, matches: frames.Matches, scoring: Scoring) -> frames.Problems:
    """Report why matches have no victory points although the club wants them."""
    first = lines.select("source").head(1)
    of_teams = method_named(scoring.method).of_teams
    if not of_teams and scoring.pair_rounds == "matches" and not matchpoints.pairs_have_numbers(lines):
        return report("pairs-no-matches", first)
    if matchpoints.scale_name(scoring) is None or matches.is_empty() or matches["victory_points"].is_not_null().all():
        return report("vp-scale-unfit/boards", lines.clear())
    boards = scoring.vp_boards or matches["boards"].max()
    about = first.with_columns(
        scale=pl.lit(matchpoints.scale_name(scoring)), boards=boards, method=pl.lit(scoring.method)
    )
    return report("vp-scale-unfit/boards" if matchpoints.scale_fits(scoring) else "vp-scale-unfit/method", about)


def _report_fouled(lines: frames.Lines) -> frames.Problems:
    """Report `board-fouled`, once a board."""
    boards = lines.filter(pl.col("forms") > 1).unique(["field", "board"], keep="first", maintain_order=True)
    return report("board-fouled", boards.drop("table"))


def _report_not_fouled(lines: frames.Lines, scoring: Scoring) -> frames.Problems:
    """Report `setting-unmatched`: a table that the Director named and the session does not have."""
    listed = [
        {"board": str(fouled.board), "contestant": ns}
        for fouled in scoring.fouled
        for ns in sorted(set(fouled.ns) - {*lines.filter(groups.at_tables(fouled))["ns"]})
    ]
    schema = {"board": pl.String, "contestant": pl.String}
    return report("setting-unmatched/fouled", pl.DataFrame(listed, schema=schema))


def _report_awards(lines: frames.Lines, method: Method) -> frames.Problems:
    """Report `award-unscored`: an artificial score that means nothing at this method."""
    adjusted = lines.filter(pl.col("status") == "adjusted")
    if adjusted.is_empty():
        return frames.empty(frames.PROBLEMS)
    unscored = [
        adjusted.filter(
            pl.col(f"award_{side}").is_not_null() & pl.col(f"numerator_{side}").is_null(), pl.col("group").is_not_null()
        ).with_columns(award=f"award_{side}", method=pl.lit(method.name))
        for side in ("ns", "ew")
    ]
    return report("award-unscored/award", pl.concat(unscored))


def _report_honours(lines: frames.Lines, method: Method) -> frames.Problems:
    """Report `honours-ignored`, once: no Law of duplicate bridge counts honours."""
    claimed = lines.filter(pl.any_horizontal(pl.col("honours_ns", "honours_ew") > 0))
    return report(
        "honours-ignored",
        claimed.head(1).drop("board", "table").with_columns(count=claimed.height, method=pl.lit(method.title)),
    )


def _report_no_board(lines: frames.Lines, method: Method) -> frames.Problems:
    """Report `results-no-board`, once a file of which no result has a number: it may be a table of a rubber."""
    scored = pl.col("status").is_in(frames.PLAYED)
    files = lines.group_by("source", maintain_order=True).agg(
        (pl.col("board").is_null().all() & scored.any() & pl.col("ns").is_not_null().any()).alias("bare"),
        pl.first("line"),
        results=scored.sum(),
    )
    return report("results-no-board", files.filter("bare").with_columns(method=pl.lit(method.title)))


def _report_no_datum(lines: frames.Lines, method: Method, scoring: Scoring) -> frames.Problems:
    """Report `datum-unstated`, once a board."""
    asked = (method.compared == "datum") & (scoring.datum == "stated")
    bare = lines.filter(pl.lit(asked), pl.col("score_ns").is_not_null(), pl.col("datum").is_null())
    return report("datum-unstated", bare.unique("group", keep="first", maintain_order=True).drop("table"))


def _report_boards_of_matches(lines: frames.Lines) -> frames.Problems:
    """Report boards of matches of teams that could not be compared."""
    scored = lines.drop_nulls(["score_ns", "board"])
    named = scored.drop_nulls("one_team")
    boards = named.with_columns(forms_in_match=pl.col("group").n_unique().over([*matchpoints.MATCH, "board"]))
    alone = boards.filter(pl.col("denominator").is_null())
    fouled = alone.filter(pl.col("forms_in_match") > 1)
    whole = alone.filter(pl.col("forms_in_match") == 1).with_columns(
        tables=pl.len().over([*matchpoints.MATCH, "group"])
    )
    return concat_problems(
        [
            report("board-not-compared/teams", scored.filter(pl.col("one_team").is_null())),
            report("board-not-compared/fouled", _once_a_match(fouled)),
            report("board-one-table", _once_a_match(whole.filter(pl.col("tables") == 1))),
            report("board-not-compared/seats", _once_a_match(whole.filter(pl.col("tables") > 1))),
        ]
    )


def _once_a_match(lines: frames.Lines) -> frames.Lines:
    """Keep one line for each board of a match, with the teams that a message names."""
    first = lines.unique([*matchpoints.MATCH, "board"], keep="first", maintain_order=True)
    return first.drop("table").with_columns(team="team_ns", opponents="team_ew")


def aggregate(lines: frames.Lines, scoring: Scoring) -> frames.Lines:
    """Credit each side with its score in points; an artificial score earns nothing, as no Law says what it is worth.

    Args:
        lines: results with `score_ns`.
        scoring: not used.

    Returns:
        The lines with `numerator_ns numerator_ew denominator` filled where there is a score and a board number.
    """
    del scoring
    whole = groups.count_parts(lines)
    scored = groups.add_outcomes(
        lines, whole, lambda listed: listed.with_columns(value=pl.col("score_ns").cast(pl.Int64))
    )
    filled = scored.with_columns(
        numerator_ns="earned_ns",
        numerator_ew=-pl.col("earned_ew"),
        denominator=pl.when(pl.col("earned_ns").is_not_null()).then(pl.lit(whole, dtype=pl.Int64)),
    )
    return matchpoints.reduce_fractions(filled)


Scorer = Callable[[frames.Lines, Scoring], frames.Lines]
"""Fills `numerator_ns numerator_ew denominator` (and `top` or `datum`) of lines, by the settings.

The lines are those of `groups.assign_groups`; for games on score sheets they are in the order in which they were played
(`sheets.with_deals`).
"""

SCORERS: Final[dict[str, Scorer]] = {
    "matchpoints": matchpoints.matchpoints,
    "butler": butler,
    "cross-imps": cross_imps,
    "teams": teams,
    "bam": board_a_match,
    "aggregate": aggregate,
    "rubber": sheets.rubber,
    "chicago": sheets.chicago,
    "chicago-duplicate": sheets.chicago_duplicate,
    "alberta": sheets.four_hands,
}
"""By the name of a method."""
