"""The work of one worker, on this machine or another: files in, data files of the tables out."""

import io
import pickle
import traceback
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from overtrick.apps.archive.inputs import OF_EVENING, Piece, Place, Unread, digest_with, open_piece, size_now
from overtrick.apps.archive.objects import Object
from overtrick.apps.archive.store import Part, Store
from overtrick.apps.archive.tables import DATA, unplaced
from overtrick.core.config import Config, Scoring
from overtrick.core.frames import SOURCES, Facts, Session, empty
from overtrick.core.problems import Finding, report, report_findings
from overtrick.core.words import spoken
from overtrick.files.assemble import assemble, keep_apart
from overtrick.files.assemble.beside import Found, read_corrections, show_path
from overtrick.files.correct import correct
from overtrick.files.formats.base import Small
from overtrick.files.formats.read import locate_findings, read_small_files, read_source
from overtrick.files.formats.text import Source
from overtrick.judge.numbers import score_as_stated
from overtrick.judge.score import with_scores
from overtrick.judge.score.matchpoints import reduce_fractions
from overtrick.judge.score.scoring_tag import read_scoring
from overtrick.pipeline import evaluate, run_plugins

WHOLE: Final = 64 * 1024 * 1024
"""The most bytes of a file that is one session. No club and no championship fills as much; collections do."""


FAULTS: Final = (Exception, pl.exceptions.PanicException)
"""The exceptions that bugs in overtrick or a library raise. A file that triggers one must not stop the others."""


@dataclass(frozen=True)
class Failure:
    """A file that overtrick should be able to read, but could not."""

    piece: Piece
    traceback: str
    reason: str


@dataclass(frozen=True)
class Done:
    """The outcome of a task.

    Attributes:
        sources: the files that were read, as `frames.SOURCES`.
        parts: data files with their rows.
        failures: files on which overtrick failed.
        unread: files that can't be read, or that changed in the meantime.
    """

    sources: pl.DataFrame = field(default_factory=lambda: empty(SOURCES))
    parts: tuple[Part, ...] = ()
    failures: tuple[Failure, ...] = ()
    unread: tuple[Unread, ...] = ()


def work(uri: str, options: Mapping[str, str], settings: Config, files: tuple[Piece, ...]) -> Done:
    """Read, check and score some files, and write their rows to data files of the archive.

    A file that fails is left out, whatever it raises.

    Args:
        uri: of the archive.
        options: those of its store.
        settings: the club's.
        files: whole evenings.

    Raises:
        ArchiveError: a data file can't be written.
    """
    store = Store(uri, options)
    groups: dict[object, list[Piece]] = {}
    for piece in files:
        groups.setdefault(_judged_with(piece), []).append(piece)
    with spoken(settings.words()):
        return _merge([_work(store, settings, group) for group in groups.values()])


def _judged_with(piece: Piece) -> object:
    """Return what files have in common that are judged in one go.

    A file of an evening goes with its others, and one with corrections by itself; all others go together.
    """
    if piece.evening:
        return piece.folder, piece.evening
    return piece.source if piece.corrections else None


def _work(store: Store, settings: Config, files: Sequence[Piece]) -> Done:
    """Read, check and score one evening, one file with corrections, or files without either."""
    if len(files) == 1 and files[0].size > WHOLE:
        return _read_large(store, settings, files[0])
    parts: list[Session | Small] = []
    failures: list[Failure] = []
    unread: list[Unread] = []
    for piece in files:
        try:
            parts += read_piece(piece)
        except OSError as error:
            unread.append(_unread(piece, error))
        except FAULTS as error:
            failures.append(describe_failure(piece, error))
    if not parts:
        return Done(failures=tuple(failures), unread=tuple(unread))
    try:
        session = _judge(parts, settings, files)
    except FAULTS as error:
        if len(files) == 1 or files[0].evening:
            return Done(failures=tuple(describe_failure(piece, error) for piece in files))
        return _merge([_work(store, settings, [piece]) for piece in files])
    return Done(session.sources, tuple(_write(store, session)), tuple(failures), tuple(unread))


def _judge(parts: list[Session | Small], settings: Config, files: Sequence[Piece]) -> Session:
    """Check and score files: those of one evening together, others each by itself."""
    if files[0].evening:
        return judge_evening(parts, settings, files)
    if files[0].corrections:
        return judge_corrected(keep_apart(parts), settings, files)
    return judge_files(keep_apart(parts), settings)


def describe_failure(piece: Piece, error: BaseException) -> Failure:
    """Return the failure of a file, with what was raised."""
    reason = traceback.format_exception_only(error)[-1].strip()
    return Failure(piece, "".join(traceback.format_exception(error)), reason)


class _ChangedError(OSError):
    """A file has changed since it was listed."""


def _unread(piece: Piece, error: OSError) -> Unread:
    if isinstance(error, _ChangedError):
        return Unread(piece.source, Finding("ingest-changed"))
    return Unread(piece.source, Finding("file-unreadable", values={"reason": error.strerror or str(error)}))


def _read_parts(piece: Piece) -> Iterator[Session | Small]:
    with open_piece(piece) as file:
        source = Source(file)
        yield from read_source(source, piece.source)
        if digest_with(source.sha256, piece.corrections) != piece.sha256:
            raise _ChangedError


def read_piece(piece: Piece) -> list[Session | Small]:
    """Return what a file holds, as `formats.read.read_source` yields it.

    Raises:
        OSError: it can't be read, or has changed since it was listed.
    """
    kept_here = piece.kept and Path(piece.kept).exists()
    # A file that has vanished or changed since then is reported.
    if kept_here and (piece.member is not None or size_now(piece.place) == piece.size):
        # The folder is this run's own.
        parts: list[Session | Small] = unpack(Path(piece.kept).read_bytes())
        return parts
    parts = list(_read_parts(piece))
    if piece.kept:
        # Without space for it, the file is read again.
        with suppress(OSError):
            begun = Path(f"{piece.kept}.begun")
            begun.write_bytes(pack(parts))
            begun.replace(piece.kept)
    return parts


def _read_large(store: Store, settings: Config, piece: Piece) -> Done:
    """Read a file part by part. Its results are not compared with one another."""
    written: list[Part] = []
    sources = empty(SOURCES)
    records = 0
    found = [Finding("ingest-not-compared")]
    if piece.corrections:
        found.append(Finding("correction-left-out", values={"source_file": piece.source}))
    problems = report_findings(found, piece.source)
    parts = _read_parts(piece)
    while True:
        try:
            part = next(parts, None)
            session = judge_part(keep_apart([part]), settings) if part else None
        except OSError as error:
            return Done(unread=(_unread(piece, error),))
        except FAULTS as error:
            return Done(failures=(describe_failure(piece, error),))
        if not session:
            return Done(sources, tuple(written))
        named = session.sources.with_columns(pl.lit(piece.sha256).alias("sha256"))
        every = pl.concat([problems, session.problems])
        written += _write(store, replace(session, sources=named, problems=every), records)
        records += session.records.height
        # Only the first part carries the problem of the whole file.
        problems, sources = problems.clear(), session.sources


def _write(store: Store, session: Session, records: int = 0) -> Iterator[Part]:
    """Write the rows of a session. In each file the records are numbered from `records`, regardless of other files."""
    joined = session.sources["sha256"].str.contains(OF_EVENING, literal=True).any()
    content = session.sources.select("source", "sha256")
    first = session.records.group_by("source").agg(pl.col("record").min().alias("first"))
    files = content.join(first, on="source", how="left", maintain_order="left")
    source_of = session.records.select("record", "source")
    for table in DATA:
        rows: pl.DataFrame = unplaced(session, joined=joined) if table == "items" else getattr(session, table)
        if rows.is_empty():
            continue
        if "source" not in rows.columns:
            rows = rows.join(source_of, on="record", how="left", maintain_order="left")
        placed = rows.join(files, on="source", how="left", maintain_order="left")
        if table == "contestants":
            placed = placed.drop_nulls("sha256")  # Those whom no file lists are contestants of its results.
        yield store.put(table, placed.with_columns(pl.col("^record$") - pl.col("first") + records))


def _merge(tasks: list[Done]) -> Done:
    rest = (chain.from_iterable(getattr(done, name) for done in tasks) for name in ("parts", "failures", "unread"))
    return Done(pl.concat([empty(SOURCES), *(done.sources for done in tasks)]), *map(tuple, rest))


def pack(value: object) -> bytes:
    """Return a value that may hold frames, such as the parts that `formats.read.read_source` yields, as bytes."""
    content = io.BytesIO()
    _Packer(content).dump(value)
    return content.getvalue()


def unpack(content: bytes) -> Any:  # noqa: ANN401 - what it was given
    """Return what `pack` was given. The bytes must be of this run: they can hold any Python code."""
    return pickle.loads(content)  # noqa: S301


class _Packer(pickle.Pickler):
    """Compresses frames, which is faster than to write four times as much."""

    def reducer_override(self, value: object) -> Any:  # noqa: ANN401 - as pickle has it
        if not isinstance(value, pl.DataFrame):
            return NotImplemented
        content = io.BytesIO()
        value.write_ipc_stream(content, compression="lz4")
        return _frame, (content.getvalue(),)


def _frame(content: bytes) -> pl.DataFrame:
    return pl.read_ipc_stream(io.BytesIO(content))


# Checking and scoring a batch of files, each as a session of its own, with as many of them together as possible.
# The files of one evening are one session.

if TYPE_CHECKING:
    from overtrick.files.correct import Rulings


def judge_files(session: Session, settings: Config, rulings: "Rulings | None" = None) -> Session:
    """Check and score each file of a session by itself, with the same outcome as if it had been read alone.

    Args:
        session: files read by `assemble.keep_apart`.
        settings: the club's.
        rulings: what the corrections of the only file add to the scoring.

    Returns:
        The session with its `results` and `problems`. Fractions in results are in lowest terms.
    """
    checked = evaluate(session, settings, until="validate")
    before = checked.problems.height
    scoring = rulings.on(settings.scoring) if rulings else settings.scoring
    scored = [_score(checked, files, scoring) for files in _group_by_scoring(checked)]
    problems = [checked.problems, *(part.problems[before:] for part in scored)]
    # The denominators of teams depend on which results are scored together; lowest terms undo that.
    results = pl.concat([checked.results.clear(), *(part.results for part in scored)])
    return replace(checked, results=reduce_fractions(results), problems=pl.concat(problems))


def judge_evening(parts: Iterable[Session | Small], settings: Config, files: Sequence[Piece]) -> Session:
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
    return judge_corrected(session, settings, files)


def judge_corrected(session: Session, settings: Config, files: Sequence[Piece]) -> Session:
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
        scoring = rulings.on(settings.scoring) if rulings else settings.scoring
        session = evaluate(session, settings.model_copy(update={"scoring": scoring}), until="score")
        session = replace(session, results=reduce_fractions(session.results))
    else:
        session = judge_files(session, settings, rulings)
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


def judge_part(session: Session, settings: Config) -> Session:
    """Check part of a file too large for one session. Its results get scores, but no matchpoints or IMPs."""
    checked = evaluate(session, settings, until="validate")
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

    A file that states points of boards with several results is judged by its own numbers.
    """
    deciding = _list_deciding(session)
    asked = session.records.group_by("source", maintain_order=True).agg(
        pl.col("scoring").drop_nulls().unique(maintain_order=True)
    )
    teams = session.results.group_by("source").agg(pl.col("team_ns").is_not_null().any().alias("teams"))
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
