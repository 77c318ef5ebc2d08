"""What scoring has to say about the data: points that differ from the file's, boards that can't be compared as one."""

import polars as pl

from overtrick.bridge.methods import SHEET_METHODS, TEAM_METHODS
from overtrick.config import Scoring
from overtrick.frames import PROBLEMS, empty
from overtrick.problems import report
from overtrick.score.fields import at_tables
from overtrick.score.match_checks import match_findings
from overtrick.score.sheet_checks import sheet_findings
from overtrick.score.stated import MATCHPOINT_UNITS, differs


def findings(lines: pl.DataFrame, scoring: Scoring) -> pl.DataFrame:
    """Report on scored lines.

    Args:
        lines: `frames.RESULTS` with points filled, and `forms group` of `fields.in_fields`.
        scoring: the method and the policies that they were scored by.

    Returns:
        A frame of `frames.PROBLEMS`.
    """
    method = scoring.method or "matchpoints"
    if method in SHEET_METHODS:
        return sheet_findings(lines, scoring)
    common = [_awards(lines, method), _datums(lines), _without_datum(lines, scoring), _points(lines, method)]
    if method in TEAM_METHODS:
        return pl.concat([match_findings(lines), *common])
    return pl.concat([_fouled(lines), _not_found(lines, scoring), *common])


def _fouled(lines: pl.DataFrame) -> pl.DataFrame:
    boards = lines.filter(pl.col("forms") > 1).unique(["field", "board"], keep="first", maintain_order=True)
    return report("board-fouled", boards.drop("table"))


def _not_found(lines: pl.DataFrame, scoring: Scoring) -> pl.DataFrame:
    """Report `fouled-unmatched`: a table that the Director names and the session does not have."""
    listed = [
        {"board": str(one.board), "contestant": ns}
        for one in scoring.fouled
        for ns in sorted(set(one.ns) - {*lines.filter(at_tables(one))["ns"]})
    ]
    return report("fouled-unmatched", pl.DataFrame(listed, schema={"board": pl.String, "contestant": pl.String}))


def _awards(lines: pl.DataFrame, method: str) -> pl.DataFrame:
    adjusted = lines.filter(pl.col("status") == "adjusted")
    if adjusted.is_empty():
        return empty(PROBLEMS)
    unscored = [
        adjusted.filter(
            pl.col(f"award_{side}").is_not_null() & pl.col(f"numerator_{side}").is_null(),
            pl.col("group").is_not_null(),
        ).with_columns(pl.col(f"award_{side}").alias("award"), pl.lit(method).alias("method"))
        for side in ("ns", "ew")
    ]
    return report("award-unscored", pl.concat(unscored))


def _datums(lines: pl.DataFrame) -> pl.DataFrame:
    different = lines.filter(pl.col("stated_datum") != pl.col("datum"))
    once = different.unique(["group", "stated_datum"], keep="first", maintain_order=True)
    return report("datum-mismatch", once.drop("table"))


def _without_datum(lines: pl.DataFrame, scoring: Scoring) -> pl.DataFrame:
    """Report `datum-unstated`, once a board."""
    asked = (scoring.method == "butler") & (scoring.datum == "stated")
    bare = lines.filter(pl.lit(asked), pl.col("score_ns").is_not_null(), pl.col("datum").is_null())
    return report("datum-unstated", bare.unique("group", keep="first", maintain_order=True).drop("table"))


def which_differ(lines: pl.DataFrame, method: str) -> pl.Series:
    """Say which lines of `frames.RESULTS` have other points, for one side or both, than the file states."""
    units = MATCHPOINT_UNITS if method == "matchpoints" else (1.0,)
    return differs(lines["stated_points_ns"], lines["points_ns"], units) | differs(
        lines["stated_points_ew"], lines["points_ew"], units
    )


def _points(lines: pl.DataFrame, method: str) -> pl.DataFrame:
    wrong = lines.filter(which_differ(lines, method))
    if wrong.is_empty():
        return empty(PROBLEMS)
    pair = {
        name: pl.format("{} / {}", *(_shown(f"{prefix}points_{side}") for side in ("ns", "ew")))
        for name, prefix in (("stated", "stated_"), ("computed", ""))
    }
    return report("points-mismatch", wrong.with_columns(**pair))


def _shown(column: str) -> pl.Expr:
    return pl.col(column).round(2).cast(pl.String).fill_null("?")
