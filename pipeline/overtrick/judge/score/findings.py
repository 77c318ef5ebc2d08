"""Problems that scoring reports: results that can't be compared, or put on a sheet."""

import polars as pl

from overtrick.core.bridge.methods import USUAL, Method, method_named
from overtrick.core.config import Scoring
from overtrick.core.frames import PROBLEMS, Lines, Matches, Problems, empty
from overtrick.core.problems import concat_problems, report
from overtrick.judge.score.groups import at_tables
from overtrick.judge.score.matchpoints import MATCH, pairs_have_numbers, scale_fits, scale_name
from overtrick.judge.score.sheet_findings import report_sheets


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
        _report_honours(lines, method),
        _report_no_datum(lines, method, scoring),
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


def _report_honours(lines: Lines, method: Method) -> Problems:
    """Report `honours-ignored`, once: no Law of duplicate bridge counts honours."""
    claimed = lines.filter(pl.any_horizontal(pl.col("honours_ns", "honours_ew") > 0))
    return report(
        "honours-ignored",
        claimed.head(1).drop("board", "table").with_columns(count=claimed.height, method=pl.lit(method.title)),
    )


def _report_no_board(lines: Lines, method: Method) -> Problems:
    """Report `results-no-board`, once a file of which no result has a number: it may be a table of a rubber."""
    scored = pl.col("status").is_in(["played", "passed"])
    files = lines.group_by("source", maintain_order=True).agg(
        (pl.col("board").is_null().all() & scored.any() & pl.col("ns").is_not_null().any()).alias("bare"),
        pl.first("line"),
        results=scored.sum(),
    )
    return report("results-no-board", files.filter("bare").with_columns(method=pl.lit(method.title)))


def _report_no_datum(lines: Lines, method: Method, scoring: Scoring) -> Problems:
    """Report `datum-unstated`, once a board."""
    asked = (method.compared == "datum") & (scoring.datum == "stated")
    bare = lines.filter(pl.lit(asked), pl.col("score_ns").is_not_null(), pl.col("datum").is_null())
    return report("datum-unstated", bare.unique("group", keep="first", maintain_order=True).drop("table"))


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
