"""The points that a result would have earned with another score, while all other tables keep theirs."""

from collections.abc import Iterator
from typing import Final

import polars as pl

from overtrick.core.bridge.methods import Method, method_named
from overtrick.core.config import Scoring
from overtrick.core.frames import Lines, Session
from overtrick.judge.score import SCORERS, Scorer, assign_lines, follow
from overtrick.judge.score.groups import is_compared
from overtrick.judge.score.scoring_tag import settle_scoring

_ROWS: Final = 400_000
"""Rows that are scored at a time, so that memory stays bounded in large fields."""


def compared_lines(session: Session, scoring: Scoring) -> tuple[Lines, Method, Scoring] | None:
    """Return the results of a scored session as they are compared, the method and the rules that were followed.

    Returns:
        The lines with `result`, their row in `session.results`, and `average`, the points that N-S get for an average
        score: half the top, 0 IMPs, or the mean score at total points; a fraction `average / average_of`. None if the
        method compares nothing, as rubber bridge does.
    """
    rules, _ = settle_scoring(session, follow(session, scoring))
    method = method_named(rules.method)
    if rules.method is None or method.sheet:
        return None
    numbered = session.results.with_row_index("result")
    lines = assign_lines(session, numbered, rules)
    return lines.with_columns(_average(method)), method, rules


def _average(method: Method) -> list[pl.Expr]:
    if method.has_top:
        return [pl.col("top").alias("average"), pl.lit(2, pl.Int64).alias("average_of")]
    if method.compared != "nothing":
        return [pl.lit(0, pl.Int64).alias("average"), pl.lit(1, pl.Int64).alias("average_of")]
    tables = pl.when(is_compared()).then(pl.col("multiplicity").fill_null(1).cast(pl.Int64))
    total = (pl.col("score_ns") * tables).sum().over("group")
    return [total.alias("average"), tables.sum().over("group").alias("average_of")]


def value_scores(lines: Lines, method: Method, rules: Scoring, asked: pl.DataFrame) -> pl.DataFrame:
    """Return what results would have earned with other scores.

    Args:
        lines: of `compared_lines`.
        method: the method that scored them.
        rules: the rules that it followed.
        asked: `result` and `score`, points for N-S. Results that are not compared are left out.

    Returns:
        `result score numerator denominator`: what N-S would have earned is `numerator / denominator`, in the unit of
        the method; one row for each different question.
    """
    # Each question makes a group of its own: the tables of the board, the one that is asked about with its new score.
    #
    #     group  result  score_ns         asked: result 5, score 430
    #     7      4       420              group  result  score_ns
    #     7      5       400        ->    0      4       420
    #     7      6       -50              0      5       430
    #                                     0      6       -50
    compared = lines.filter(is_compared() & pl.col("weights").is_null()).select("result", "group", old="score_ns")
    same = ["result"] if method.compared == "match" else ["group", "old"]
    questions = asked.unique().join(compared, on="result")
    different = questions.unique([*same, "score"], keep="first", maintain_order=True).with_row_index("question")
    answers = [_answer(SCORERS[method.name], lines, rules, part) for part in _parts(different, lines)]
    answered = pl.concat(answers) if answers else pl.DataFrame(schema=_ANSWER)
    values = different.join(answered, on="question").select(*same, "score", "numerator", "denominator")
    return questions.join(values, on=[*same, "score"]).select("result", "score", "numerator", "denominator")


_ANSWER: Final = {"question": pl.UInt32, "numerator": pl.Int64, "denominator": pl.Int64}


def _parts(questions: pl.DataFrame, lines: Lines) -> Iterator[pl.DataFrame]:
    """Yield questions together as long as their groups are within `_ROWS` rows."""
    sizes = lines.group_by("group").agg(rows=pl.len())
    sized = questions.join(sizes, on="group", maintain_order="left")
    return iter(sized.with_columns(part=pl.col("rows").cum_sum() // _ROWS).partition_by("part"))


def _answer(points: Scorer, lines: Lines, rules: Scoring, questions: pl.DataFrame) -> pl.DataFrame:
    asked = questions.select("question", "group", pl.col("result").alias("changed"), "score")
    copied = lines.join(asked, on="group")
    changed = pl.col("result") == pl.col("changed")
    # Where one row has the result of several tables, one of them gets the new score.
    others = copied.filter(changed & (pl.col("multiplicity") > 1)).with_columns(pl.col("multiplicity") - 1)
    moved = copied.with_columns(
        score_ns=pl.when(changed).then("score").otherwise("score_ns").cast(pl.Int32),
        multiplicity=pl.when(changed).then(1).otherwise("multiplicity").cast(pl.UInt32),
        answer=changed,
    )
    groups = pl.concat([moved, others.with_columns(answer=pl.lit(value=False))])
    scored: Lines = points(groups.with_columns(group="question"), rules)
    return scored.filter("answer").select("question", numerator="numerator_ns", denominator="denominator")
