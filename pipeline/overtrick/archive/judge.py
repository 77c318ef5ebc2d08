"""Files of a batch, each checked and scored as a session of its own, and as many as can be at once."""

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import polars as pl

from overtrick.config import Scoring
from overtrick.frames import Facts, Session
from overtrick.score import score, with_scores
from overtrick.score.lines import lowest_terms
from overtrick.score.tag import read_scoring
from overtrick.validate import validate

if TYPE_CHECKING:
    from overtrick.correct import Rulings

_BY_FILE: Final = Scoring(sessions="by-file")


def judged(session: Session, rulings: "Rulings | None" = None) -> Session:
    """Check and score each file of a session by itself: the same as if it had been read alone.

    Args:
        session: files read by `parse.each_alone`.
        rulings: what the corrections of the only file add to the scoring.

    Returns:
        Its `results` and `problems`; the fractions of results are in lowest terms.
    """
    checked = validate(session, by_file=True)
    before = checked.problems.height
    scoring = rulings.on(_BY_FILE) if rulings else _BY_FILE
    scored = [_scored(checked, files, scoring) for files in _scored_alike(checked)]
    problems = [checked.problems, *(part.problems[before:] for part in scored)]
    # What the fractions of teams are brought to depends on all results that are scored with them.
    results = pl.concat([checked.results.clear(), *(part.results for part in scored)])
    return replace(checked, results=lowest_terms(results), problems=pl.concat(problems))


def not_compared(session: Session) -> Session:
    """Check a part of a file that is too large to be one session; its results are scored and earn nothing."""
    checked = validate(session)
    return replace(checked, results=with_scores(checked.results))


def _scored(session: Session, files: list[str], scoring: Scoring) -> Session:
    """Score some files of a session that ask for the same."""
    if len(files) == session.sources.height:
        some = session
    else:
        kept = pl.col("source").is_in(files)
        some = replace(session, records=session.records.filter(kept), results=session.results.filter(kept))
    asked = some.records["scoring"].drop_nulls().head(1).to_list()
    return score(replace(some, facts=Facts(scoring=asked[0] if asked else None)), scoring)


def _scored_alike(session: Session) -> Iterable[list[str]]:
    """List files that can be scored together: those that say the same in `[Scoring]`, if they say it in one way."""
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
