"""Problems that scoring reports: other points than the file's, and results that can't be compared or put on a sheet."""

from itertools import product

import polars as pl

from overtrick.core.bridge.methods import METHODS, USUAL, Method, method_named
from overtrick.core.config import Scoring
from overtrick.core.frames import PROBLEMS, Lines, Matches, Problems, empty
from overtrick.core.problems import concat_problems, report
from overtrick.judge.score.butler import cross_imps
from overtrick.judge.score.groups import at_tables
from overtrick.judge.score.matchpoints import MATCH, pairs_have_numbers, scale_fits, scale_name
from overtrick.judge.score.sheet_findings import report_sheets
from overtrick.judge.score.stated_matches import lines_differ, stand_alone


def report_lines(lines: Lines, scoring: Scoring) -> Problems:
    """Report on scored lines.

    Args:
        lines: with points filled.
        scoring: the method and the policies that they were scored by.
    """
    method = method_named(scoring.method or USUAL)
    if method.sheet:
        return report_sheets(lines, method.sheet, scoring)
    common = [
        _report_no_board(lines, method),
        _report_awards(lines, method),
        _report_other_datums(lines, method),
        _report_no_datum(lines, method, scoring),
        _report_points(lines, method),
    ]
    if method.of_teams:
        return concat_problems([_report_boards_of_matches(lines), *common])
    return concat_problems([_report_fouled(lines), _report_not_fouled(lines, scoring), *common])


def report_scales(lines: Lines, matches: Matches, scoring: Scoring) -> Problems:
    """Report why matches have no victory points although the club wants them."""
    first = lines.select("source").head(1)
    of_teams = method_named(scoring.method).of_teams
    if not of_teams and scoring.pair_rounds == "matches" and not pairs_have_numbers(lines):
        return report("pairs-no-matches", first)
    if scale_name(scoring) is None or matches.is_empty() or matches["victory_points"].is_not_null().all():
        return report("vp-scale-length", lines.clear())
    boards = scoring.vp_boards or matches["boards"].max()
    about = first.with_columns(scale=pl.lit(scale_name(scoring)), boards=boards, method=pl.lit(scoring.method))
    return report("vp-scale-length" if scale_fits(scoring) else "vp-scale-method", about)


def _report_fouled(lines: Lines) -> Problems:
    """Report `board-fouled`, once a board."""
    boards = lines.filter(pl.col("forms") > 1).unique(["field", "board"], keep="first", maintain_order=True)
    return report("board-fouled", boards.drop("table"))


def _report_not_fouled(lines: Lines, scoring: Scoring) -> Problems:
    """Report `fouled-unmatched`: a table that the Director named and the session does not have."""
    listed = [
        {"board": str(fouled.board), "contestant": ns}
        for fouled in scoring.fouled
        for ns in sorted(set(fouled.ns) - {*lines.filter(at_tables(fouled))["ns"]})
    ]
    return report("fouled-unmatched", pl.DataFrame(listed, schema={"board": pl.String, "contestant": pl.String}))


def _report_awards(lines: Lines, method: Method) -> Problems:
    """Report `award-unscored`: an artificial score that means nothing at this method."""
    adjusted = lines.filter(pl.col("status") == "adjusted")
    if adjusted.is_empty():
        return empty(PROBLEMS)
    unscored = [
        adjusted.filter(
            pl.col(f"award_{side}").is_not_null() & pl.col(f"numerator_{side}").is_null(), pl.col("group").is_not_null()
        ).with_columns(award=f"award_{side}", method=pl.lit(method.name))
        for side in ("ns", "ew")
    ]
    return report("award-unscored", pl.concat(unscored))


def _report_no_board(lines: Lines, method: Method) -> Problems:
    """Report `results-no-board`, once a file of which no result has a number: it may be a table of a rubber."""
    scored = pl.col("status").is_in(["played", "passed"])
    files = lines.group_by("source", maintain_order=True).agg(
        (pl.col("board").is_null().all() & scored.any() & pl.col("ns").is_not_null().any()).alias("bare"),
        pl.first("line"),
        results=scored.sum(),
    )
    return report("results-no-board", files.filter("bare").with_columns(method=pl.lit(method.title)))


def _report_other_datums(lines: Lines, method: Method) -> Problems:
    """Report `datum-mismatch`, once for each stated datum of a board."""
    different = lines.filter(~stand_alone(lines, method)).filter(pl.col("stated_datum") != pl.col("datum"))
    once = different.unique(["group", "stated_datum"], keep="first", maintain_order=True)
    return report("datum-mismatch", once.drop("table"), "results.stated_datum")


def _report_no_datum(lines: Lines, method: Method, scoring: Scoring) -> Problems:
    """Report `datum-unstated`, once a board."""
    asked = (method.compared == "datum") & (scoring.datum == "stated")
    bare = lines.filter(pl.lit(asked), pl.col("score_ns").is_not_null(), pl.col("datum").is_null())
    return report("datum-unstated", bare.unique("group", keep="first", maintain_order=True).drop("table"))


def _report_points(lines: Lines, method: Method) -> Problems:
    """Report `points-mismatch`: the file states other points."""
    apart = lines_differ(lines, method)
    if method.of_teams and apart.any():
        lines, apart = _fairest(lines, apart)
    if not apart.any():
        return empty(PROBLEMS)
    judged = lines.with_columns(apart=apart)
    if method.has_top:
        judged = judged.with_columns(raw=apart & ~lines_differ(_before_neuberg(lines), method))
        raw = (pl.col("raw") | ~pl.col("apart")).all().over("group") & pl.col("apart")
    else:
        raw = pl.lit(value=False)
    unadjusted = judged.filter(raw).unique("group", keep="first", maintain_order=True).drop("table")
    wrong = judged.filter(pl.col("apart") & ~raw)
    pair = {
        name: pl.format("{} / {}", *(_points_text(f"{prefix}points_{side}") for side in ("ns", "ew")))
        for name, prefix in (("stated", "stated_"), ("computed", ""))
    }
    return concat_problems(
        [
            report("points-mismatch", wrong.with_columns(**pair), "results.stated_points_ns"),
            report("points-unadjusted", unadjusted, "results.stated_points_ns"),
        ]
    )


def _before_neuberg(lines: Lines) -> Lines:
    """Return lines with the points of boards with fewer results before these are brought to the top of the others.

    Some programs write these for each line, and use the others for totals.
    """
    short = (pl.col("actual") < pl.col("expected")) & (pl.col("status") != "adjusted")
    raw = ((pl.col(f"points_{side}") + 1) * pl.col("actual") / pl.col("expected") - 1 for side in ("ns", "ew"))
    return lines.with_columns(
        pl.when(short).then(points).otherwise(f"points_{side}").alias(f"points_{side}")
        for side, points in zip(("ns", "ew"), raw, strict=True)
    )


def _fairest(lines: Lines, apart: pl.Series) -> tuple[Lines, pl.Series]:
    """Return the lines with their cross-IMPs, where these are what a file of teams states on most lines.

    Args:
        lines: of matches of teams.
        apart: which of them differ from the points of their match.
    """
    method = METHODS["cross-imps"]
    bare = lines.drop("numerator_ns", "numerator_ew", "denominator", "points_ns", "points_ew")
    # Each round of a match may have other boards of the same numbers.
    apart_by = ["group", "round"]
    scored = pl.col("score_ns").is_not_null().sum().over(apart_by)
    by_round = bare.with_columns(
        group=pl.when(pl.col("group").is_not_null()).then(pl.struct(apart_by).rank("dense").cast(bare["group"].dtype)),
        actual=scored.cast(bare["actual"].dtype),
    )
    divided = Scoring.model_construct(method=method.name)
    every = [divided.model_copy(update={"cross_divisor": divisor}) for divisor in ("comparisons", "scores", "none")]
    for compared, rules in product((bare, by_round), every):
        crossed = cross_imps(compared, rules).with_columns(
            (pl.col(f"numerator_{side}") / pl.col("denominator")).alias(f"points_{side}") for side in ("ns", "ew")
        )
        differing = lines_differ(crossed, method)
        if differing.sum() < apart.sum():
            lines, apart = crossed, differing
    return lines, apart


def _points_text(column: str) -> pl.Expr:
    return pl.col(column).round(2).cast(pl.String).fill_null("?")


def _report_boards_of_matches(lines: Lines) -> Problems:
    """Report boards of matches of teams that could not be compared."""
    scored = lines.drop_nulls(["score_ns", "board"])
    named = scored.drop_nulls("one_team")
    boards = named.with_columns(forms_in_match=pl.col("group").n_unique().over([*MATCH, "board"]))
    alone = boards.filter(pl.col("denominator").is_null())
    fouled = alone.filter(pl.col("forms_in_match") > 1)
    whole = alone.filter(pl.col("forms_in_match") == 1).with_columns(tables=pl.len().over([*MATCH, "group"]))
    return concat_problems(
        [
            report("team-unknown", scored.filter(pl.col("one_team").is_null())),
            report("match-board-fouled", _once_a_match(fouled)),
            report("board-one-table", _once_a_match(whole.filter(pl.col("tables") == 1))),
            report("board-same-way", _once_a_match(whole.filter(pl.col("tables") > 1))),
        ]
    )


def _once_a_match(lines: Lines) -> Lines:
    """Keep one line for each board of a match, with the teams that a message names."""
    first = lines.unique([*MATCH, "board"], keep="first", maintain_order=True)
    return first.drop("table").with_columns(team="team_ns", opponents="team_ew")
