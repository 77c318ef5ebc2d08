"""What the matches of a session have to say: boards that could not be compared, scales that do not fit."""

import polars as pl

from overtrick.bridge.methods import TEAM_METHODS
from overtrick.config import Scoring
from overtrick.problems import report
from overtrick.score.match_boards import MATCH
from overtrick.score.matches import pairs_have_numbers, scale_fits, scale_name


def match_findings(lines: pl.DataFrame) -> pl.DataFrame:
    """Report on the lines of matches of teams.

    Args:
        lines: the frame of `match_boards.with_boards`.

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
            report("team-unknown", scored.filter(pl.col("one_team").is_null())),
            report("match-board-fouled", _once(fouled)),
            report("board-one-table", _once(whole.filter(pl.col("tables") == 1))),
            report("board-same-way", _once(whole.filter(pl.col("tables") > 1))),
        ]
    )


def _once(lines: pl.DataFrame) -> pl.DataFrame:
    """Keep one line a board of a match, with what a message says of it."""
    first = lines.unique([*MATCH, "board"], keep="first", maintain_order=True)
    return first.drop("table").with_columns(pl.col("team_ns").alias("team"), pl.col("team_ew").alias("opponents"))


def scale_findings(lines: pl.DataFrame, matches: pl.DataFrame, scoring: Scoring) -> pl.DataFrame:
    """Report why matches have no victory points although the club wants them: a frame of `frames.PROBLEMS`."""
    first = lines.select("source").head(1)
    if scoring.method not in TEAM_METHODS and scoring.pair_rounds == "matches" and not pairs_have_numbers(lines):
        return report("pairs-no-matches", first)
    if scale_name(scoring) is None or matches.is_empty() or matches["victory_points"].is_not_null().all():
        return report("vp-scale-length", lines.clear())
    boards = scoring.vp_boards or matches["boards"].max()
    about = first.with_columns(pl.lit(scale_name(scoring)).alias("scale"), boards=boards, method=pl.lit(scoring.method))
    return report("vp-scale-length" if scale_fits(scoring) else "vp-scale-method", about)
