"""Checking and scoring a batch of files, each as a session of its own, with as many of them together as possible."""

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

import polars as pl

from overtrick.config import Scoring
from overtrick.frames import Facts, Session
from overtrick.score import score, with_scores
from overtrick.score.fractions import reduce_fractions
from overtrick.score.scoring_tag import read_scoring
from overtrick.validate import validate

if TYPE_CHECKING:
    from overtrick.correct import Rulings


def judge_files(session: Session, rulings: "Rulings | None" = None) -> Session:
    """Check and score each file of a session by itself, with the same outcome as if it had been read alone.

    Args:
        session: files read by `assemble.keep_apart`.
        rulings: what the corrections of the only file add to the scoring.

    Returns:
        The session with its `results` and `problems`. Fractions in results are in lowest terms.
    """
    checked = validate(session)
    before = checked.problems.height
    scoring = rulings.on(Scoring()) if rulings else Scoring()
    scored = [_score(checked, files, scoring) for files in _group_by_scoring(checked)]
    problems = [checked.problems, *(part.problems[before:] for part in scored)]
    # The denominators of teams depend on which results are scored together; lowest terms undo that.
    results = pl.concat([checked.results.clear(), *(part.results for part in scored)])
    return replace(checked, results=reduce_fractions(results), problems=pl.concat(problems))


def judge_part(session: Session) -> Session:
    """Check part of a file too large for one session. Its results get scores, but no matchpoints or IMPs."""
    checked = validate(session)
    return replace(checked, results=with_scores(checked.results))


def _score(session: Session, files: list[str], scoring: Scoring) -> Session:
    """Score files of a session that ask for the same scoring."""
    if len(files) == session.sources.height:
        some = session
    else:
        kept = pl.col("source").is_in(files)
        some = replace(session, records=session.records.filter(kept), results=session.results.filter(kept))
    asked = some.records["scoring"].drop_nulls().head(1).to_list()
    return score(replace(some, facts=Facts(scoring=asked[0] if asked else None, by_file=True)), scoring)


def _group_by_scoring(session: Session) -> Iterable[list[str]]:
    """Return groups of files to score together: those with one and the same value of `[Scoring]`."""
    asked = session.records.group_by("source", maintain_order=True).agg(
        pl.col("scoring").drop_nulls().unique(maintain_order=True)
    )
    teams = session.results.group_by("source").agg(pl.col("team_ns").is_not_null().any().alias("teams"))
    alike: dict[object, list[str]] = {}
    for source, texts, of_teams in asked.join(teams, on="source", maintain_order="left").iter_rows():
        text = texts[0] if texts else ""
        alone = len(texts) > 1 or read_scoring(text, of_teams=of_teams) is None
        alike.setdefault(source if alone else (text, of_teams), []).append(source)
    return alike.values()
