"""What the matches of a session have to say: boards that could not be compared, and why."""

import polars as pl

from overtrick.config import Scoring
from overtrick.problems import found
from overtrick.score.match_boards import MATCH
from overtrick.score.teams import match_scale


def match_findings(lines: pl.DataFrame, scoring: Scoring) -> pl.DataFrame:
    """Report on the lines of matches.

    Args:
        lines: the frame of `match_boards.with_boards`.
        scoring: the scale of victory points.

    Returns:
        A frame of `frames.PROBLEMS`.
    """
    scored = lines.drop_nulls(["score_ns", "board"])
    named = scored.drop_nulls("one_team")
    boards = named.with_columns(pl.col("group").n_unique().over([*MATCH, "board"]).alias("forms_in_match"))
    alone = boards.filter(pl.col("denominator").is_null())
    fouled = alone.filter(pl.col("forms_in_match") > 1)
    whole = alone.filter(pl.col("forms_in_match") == 1).with_columns(pl.len().over([*MATCH, "group"]).alias("tables"))
    return pl.concat(
        [
            found("team-unknown", scored.filter(pl.col("one_team").is_null())),
            found("match-board-fouled", _once(fouled)),
            found("board-one-table", _once(whole.filter(pl.col("tables") == 1))),
            found("board-same-way", _once(whole.filter(pl.col("tables") > 1))),
            _scale(lines, scoring),
        ]
    )


def _once(lines: pl.DataFrame) -> pl.DataFrame:
    """Keep one line a board of a match, with what a message says of it."""
    first = lines.unique([*MATCH, "board"], keep="first", maintain_order=True)
    return first.drop("table").with_columns(pl.col("team_ns").alias("team"), pl.col("team_ew").alias("opponents"))


def _scale(lines: pl.DataFrame, scoring: Scoring) -> pl.DataFrame:
    counted = lines.drop_nulls(["one_team", "denominator"]).unique([*MATCH, "group"])
    boards = scoring.vp_boards or max(counted.group_by(MATCH).len()["len"], default=0)
    if scoring.vp_scale is None or counted.is_empty() or match_scale(scoring, boards):
        return found("vp-scale-length", lines.clear())
    first = lines.head(1).select("source")
    return found("vp-scale-length", first.with_columns(pl.lit(scoring.vp_scale).alias("scale"), boards=boards))
