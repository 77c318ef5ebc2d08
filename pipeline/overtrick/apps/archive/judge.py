"""Checking and scoring a batch of files, each as a session of its own, with as many of them together as possible.

The files of one evening are one session.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import polars as pl

from overtrick.apps.archive.inputs import Piece, Place
from overtrick.apps.archive.objects import Object
from overtrick.core.config import Config, Scoring
from overtrick.core.frames import Facts, Session
from overtrick.core.problems import report
from overtrick.files.assemble import assemble
from overtrick.files.assemble.beside import Found, read_corrections, show_path
from overtrick.files.correct import correct
from overtrick.files.formats.read import locate_findings, read_small_files
from overtrick.files.formats.small import Small
from overtrick.judge.numbers import score_as_stated
from overtrick.judge.plugin_stages import run_plugins
from overtrick.judge.score import with_scores
from overtrick.judge.score.matchpoints import reduce_fractions
from overtrick.judge.score.scoring_tag import read_scoring
from overtrick.pipeline import evaluate

if TYPE_CHECKING:
    from overtrick.files.correct import Rulings


def judge_files(session: Session, rulings: "Rulings | None" = None) -> Session:
    """Check and score each file of a session by itself, with the same outcome as if it had been read alone.

    Args:
        session: files read by `assemble.keep_apart`.
        rulings: what the corrections of the only file add to the scoring.

    Returns:
        The session with its `results` and `problems`. Fractions in results are in lowest terms.
    """
    checked = evaluate(session, Config(), until="validate")
    before = checked.problems.height
    scoring = rulings.on(Scoring()) if rulings else Scoring()
    scored = [_score(checked, files, scoring) for files in _group_by_scoring(checked)]
    problems = [checked.problems, *(part.problems[before:] for part in scored)]
    # The denominators of teams depend on which results are scored together; lowest terms undo that.
    results = pl.concat([checked.results.clear(), *(part.results for part in scored)])
    return replace(checked, results=reduce_fractions(results), problems=pl.concat(problems))


def judge_evening(parts: Iterable[Session | Small], files: Sequence[Piece]) -> Session:
    """Put the files of an evening together, correct, check and score them.

    Returns:
        The session as from `judge_corrected`. What each file added is a problem of the first, `ingest-evening`.
    """
    changed = {piece.source: piece.place.changed for piece in files if isinstance(piece.place, Object)}
    session = assemble(read_small_files(parts), "together", changed=changed)
    # A result belongs to the file that holds its record.
    places = session.records.select("record", source_of="source", line_of="line")
    results = session.results.join(places, on="record", how="left", maintain_order="left")
    elsewhere = (pl.col("source") != pl.col("source_of")).fill_null(value=False)
    results = results.with_columns(
        pl.when(elsewhere).then("source_of").otherwise("source").alias("source"),
        pl.when(elsewhere).then("line_of").otherwise("line").alias("line"),
    )
    joined = pl.DataFrame({"source": [files[0].source] * len(session.facts.joined), "joined": session.facts.joined})
    problems = pl.concat([session.problems, report("ingest-evening", joined)])
    session = replace(session, results=results.select(session.results.columns), problems=problems)
    return judge_corrected(session, files)


def judge_corrected(session: Session, files: Sequence[Piece]) -> Session:
    """Apply the corrections of the files of one session, check it and score it.

    Returns:
        The session, whose rows belong to the bytes of the files and of their corrections.
    """
    corrected: dict[Place, list[str]] = {}
    for piece in files:
        if piece.corrections:
            corrected.setdefault(piece.corrections, []).append(piece.source)
    rulings = None
    if corrected:
        found = [_read_corrections(place, _about(sources, files)) for place, sources in corrected.items()]
        session, rulings = correct(session, found)
    if len(files) > 1:
        scoring = rulings.on(Scoring()) if rulings else Scoring()
        session = evaluate(session, Config().model_copy(update={"scoring": scoring}), until="score")
        session = replace(session, results=reduce_fractions(session.results))
    else:
        session = judge_files(session, rulings)
    return _own(session, files, {show_path(str(place)): sources[0] for place, sources in corrected.items()})


def _read_corrections(place: Place, sources: Sequence[str] | None) -> Found:
    if isinstance(place, Path):
        return read_corrections(place, sources)
    with TemporaryDirectory() as folder:
        copy = Path(folder) / place.name
        copy.write_bytes(place.read_bytes())
        found = read_corrections(copy, sources)
    return found._replace(corrections=replace(found.corrections, source=show_path(str(place))))


def _about(sources: Sequence[str], files: Sequence[Piece]) -> Sequence[str] | None:
    return None if len(sources) == len(files) else sources


def _own(session: Session, files: Sequence[Piece], corrects: Mapping[str, str]) -> Session:
    """Give every row to one of the files, and the files the hashes that their rows belong to.

    The tables have no corrections files: their problems become those of a file that they correct.
    """
    corrected = pl.col("source").is_in(list(corrects)).fill_null(value=False)
    where = pl.format("{}:{}: ", "source", pl.col("line").fill_null(1))
    problems = session.problems.with_columns(
        pl.when(corrected).then(where + pl.col("message")).otherwise("message").alias("message"),
        pl.col("source").replace(corrects).fill_null(files[0].source).alias("source"),
        *(pl.when(~corrected).then(name).alias(name) for name in ("line", "column")),
    )
    keys = {piece.source: piece.key for piece in files}
    sources = session.sources.with_columns(pl.col("source").replace_strict(keys).alias("sha256"))
    return replace(session, problems=problems, sources=sources)


def judge_part(session: Session) -> Session:
    """Check part of a file too large for one session. Its results get scores, but no matchpoints or IMPs."""
    checked = evaluate(session, Config(), until="validate")
    return replace(checked, results=with_scores(checked.results))


def _score(session: Session, files: list[str], scoring: Scoring) -> Session:
    """Score files of a session that ask for the same scoring."""
    if len(files) == session.sources.height:
        some = session
    else:
        rows = pl.col("source").is_in(files)
        some = replace(session, records=session.records.filter(rows), results=session.results.filter(rows))
    asked = some.records["scoring"].drop_nulls().head(1).to_list()
    facts = Facts(scoring=asked[0] if asked else None, by_file=True)
    # The contestants of all files are in one list, so that totals prove nothing here.
    apart = replace(some, facts=facts, contestants=session.contestants.clear())
    return run_plugins(locate_findings(score_as_stated(apart, scoring)), "score")


def _group_by_scoring(session: Session) -> Iterable[list[str]]:
    """Return groups of files to score together: those with one and the same value of `[Scoring]`.

    A file that states points or totals of boards with several results is judged by its own numbers.
    """
    asked = session.records.group_by("source", maintain_order=True).agg(
        pl.col("scoring").drop_nulls().unique(maintain_order=True)
    )
    teams = session.results.group_by("source").agg(pl.col("team_ns").is_not_null().any().alias("teams"))
    deciding = _list_deciding(session)
    alike: dict[object, list[str]] = {}
    for source, texts, of_teams in asked.join(teams, on="source", maintain_order="left").iter_rows():
        text = texts[0] if texts else ""
        alone = source in deciding or len(texts) > 1 or read_scoring(text, of_teams=of_teams) is None
        alike.setdefault(source if alone else (text, of_teams), []).append(source)
    return alike.values()


def _list_deciding(session: Session) -> set[str]:
    """Return the files with points of boards that have several results: these may decide how the file is scored."""
    results = session.results
    stated = pl.any_horizontal(
        pl.col("stated_points_ns", "stated_points_ew", "stated_datum", "stated_match_ns").is_not_null()
    )
    some = results.filter(stated.any().over("source"), pl.col("board").is_duplicated())
    if some.is_empty():
        return set()
    return {*some.filter(pl.len().over("source", "board") > 1)["source"]}
