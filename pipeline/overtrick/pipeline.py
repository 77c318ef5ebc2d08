"""The whole story: text in, bulletin out. Each line of `judge` is a stage, a plain function Session -> Session."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, fields, replace
from functools import partial, wraps
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Concatenate, Final, ParamSpec, TypeVar, cast

import polars as pl

from overtrick.analyse import Solver, analyse
from overtrick.assemble import assemble, put_evenings_together, sort_into_evenings
from overtrick.assemble.beside import Found, describe_left_out, find_corrections, list_inputs, show_path
from overtrick.assemble.clubs import settle_clubs
from overtrick.config import Checks, Config
from overtrick.formats.read import group_parts, read_files
from overtrick.formats.registry import plugin_formats
from overtrick.formats.sources import STDIN, list_each_file_once, source_lines
from overtrick.formats.tables.headers import call_columns
from overtrick.frames import Session
from overtrick.machine import Memory
from overtrick.plugins import After, Fault, Stage, explain, find
from overtrick.problems import (
    Finding,
    apply_checks,
    apply_strict,
    limit_each_code,
    load_plugin_codes,
    report_faults,
    report_findings,
)
from overtrick.rank import rank, show_unit
from overtrick.score import score
from overtrick.validate import validate

if TYPE_CHECKING:
    from overtrick.analyse.explain import PlaySolvers
    from overtrick.correct import Steps
    from overtrick.rank.audit import Audit

__all__ = [
    "Known",
    "SeveralEveningsError",
    "audit",
    "bulletin",
    "choose_unit",
    "evaluate",
    "evaluate_evenings",
    "evaluate_stored",
    "examine",
    "gather",
    "judge",
    "read",
    "settle",
    "source_lines",
]


Show = Callable[[str, int, int], None]

_SHOW: Final[ContextVar[Show | None]] = ContextVar("show", default=None)
"""Takes what the stages do: the words for it, how much is done, and how much there is."""

_STAGES: Final = 4
"""Reading, checking, scoring and ranking."""

_KILOBYTES: Final = 10_000_000
"""Bytes that are counted in kilobytes; more are counted in megabytes."""


@contextmanager
def showing(show: Show) -> Iterator[None]:
    """Show what the stages do."""
    token = _SHOW.set(show)
    try:
        yield
    finally:
        _SHOW.reset(token)


def _show_reading(paths: Sequence[str], words: str = "Reading") -> Callable[[int], None] | None:
    """Return what counts the bytes of files that were read; None if nobody looks on."""
    show = _SHOW.get()
    if show is None:
        return None
    files = [Path(file) for file in list_each_file_once(paths)]
    total = sum(file.stat().st_size for file in files if file.is_file())
    unit, name = choose_unit(total)
    done = 0

    def count(read: int) -> None:
        nonlocal done
        done += read
        show(f"{words} ({name})", done // unit, -(-total // unit))

    count(0)
    return count


def choose_unit(size: int) -> tuple[int, str]:
    """Return the unit in which bytes are counted for people, if there are that many, and its name."""
    return (1000, "kB") if size < _KILOBYTES else (1_000_000, "MB")


def _show_stage(words: str, done: int) -> None:
    if show := _SHOW.get():
        show(words, done, _STAGES)


class SeveralEveningsError(Exception):
    """A bulletin was asked for files of several evenings; the message names each evening by its first file."""

    def __init__(self, names: Sequence[str]) -> None:
        """Take the names of the evenings."""
        super().__init__(f"{len(names)} evenings: {', '.join(names[:10])}{', ...' if len(names) > 10 else ''}")


_Options = ParamSpec("_Options")
_Result = TypeVar("_Result")
_Stage = Callable[Concatenate[Sequence[str], Config, _Options], _Result]


def _calling_columns(stage: "_Stage[_Options, _Result]") -> "_Stage[_Options, _Result]":
    """Let the club's names of columns count wherever a stage reads files."""

    @wraps(stage)
    def read(paths: Sequence[str], config: Config, *args: _Options.args, **options: _Options.kwargs) -> _Result:
        with call_columns(config.tables.columns):
            return stage(paths, config, *args, **options)

    return cast("_Stage[_Options, _Result]", read)


@_calling_columns
def evaluate(  # noqa: PLR0913 - what the command line offers
    paths: Sequence[str],
    config: Config,
    solver: Solver | None = None,
    *,
    play_solver: "PlaySolvers | None" = None,
    corrections: Sequence[Found] | None = None,
    total: bool = False,
) -> Session:
    """Read files and folders into one session, check it, score it, rank it and analyse its deals.

    Args:
        paths: files, folders (walked) or `-` for standard input.
        config: the club's settings; `Config()` for the defaults.
        solver: solves deals double dummy; None for the double-dummy tables in the files only.
        play_solver: solve leads and plays, to explain where the points of each result came from (`analyse.explain`);
            None to leave that out.
        corrections: the corrections files to apply; None for those beside the files (`assemble.beside`).
        total: whether to add several evenings up.

    Returns:
        The session with all its frames filled. Errors in the data are rows of `problems`; none is raised.
    """
    found = find_corrections(paths) if corrections is None else corrections
    return settle(gather(paths, config, total=total), config, found, solver, play_solver=play_solver)


@_calling_columns
def evaluate_evenings(  # noqa: PLR0913 - what the command line offers
    paths: Sequence[str],
    config: Config,
    solver: Solver | None = None,
    *,
    play_solver: "PlaySolvers | None" = None,
    total: bool = False,
    corrections: Sequence[Found] | None = None,
) -> list[Session]:
    """Evaluate the evenings among files and folders, each by itself.

    Args:
        paths: as for `evaluate`, and so are the others.
        config: the club's settings. If they say how files belong together (`sessions`), there is one session.
        solver: solves deals double dummy.
        play_solver: solve plays.
        total: whether to add the evenings up into one session.
        corrections: the corrections files to apply.

    Returns:
        A session as from `evaluate` for each evening, in the order of its first file. Files that belong to none, such
        as deals that several evenings may have played, are in the first.
    """
    found = find_corrections(paths) if corrections is None else corrections
    groups = [] if total else _sort(paths, config, total=False)
    if len(groups) < 2:
        # A file that has disappeared since the folder was listed is then reported.
        paths = groups[0] if groups else paths
        return [evaluate(paths, config, solver, play_solver=play_solver, corrections=found, total=total)]
    evenings = []
    for group in groups:
        own = [one for one in found if one.sources is None or one.sources & set(map(show_path, group))]
        session = assemble(read_files(group), "together")
        evenings.append(settle(session, config, own, solver, play_solver=play_solver))
    return evenings


def _sort(paths: Sequence[str], config: Config, *, total: bool) -> list[list[str]]:
    """Return the files of each evening; those on standard input are one evening."""
    if STDIN in paths:
        return []
    inputs = list_inputs(paths)
    on_bytes = _show_reading(inputs, "Looking for evenings") if len(inputs) > 1 else None
    return sort_into_evenings(inputs, _with_clubs(config).scoring.sessions, total=total, on_bytes=on_bytes)


@_calling_columns
def gather(paths: Sequence[str], config: Config, *, total: bool = False, readings: Sequence[Session] = ()) -> Session:
    """Read files and folders into one session and put them together; `settle` does all that follows.

    With `total`, several evenings are put together one by one and added up. `readings` are what `read_files` yields of
    the paths, if they were read before.
    """
    groups = _sort(paths, config, total=True) if total else []
    if len(groups) > 1:
        return put_evenings_together(groups)
    inputs = groups[0] if groups else list_inputs(paths)
    parts, scoring = settle_clubs(readings or read_files(inputs, on_bytes=_show_reading(inputs)), config.scoring)
    return assemble(parts, scoring.sessions)


def read(paths: Sequence[str], config: Config, *, corrections: Sequence[Found] | None = None) -> Session:
    """Read files into one session and apply its corrections, without checking or scoring it."""
    session, config = _read(paths, config, corrections)
    return _apply_checks(session, config.checks)


def _with_clubs(config: Config) -> Config:
    """Return the settings by which an event of several clubs is scored."""
    _, scoring = settle_clubs((), config.scoring)
    return config if scoring is config.scoring else config.model_copy(update={"scoring": scoring})


def settle(  # noqa: PLR0913 - as `evaluate`
    session: Session,
    config: Config,
    corrections: Sequence[Found],
    solver: Solver | None = None,
    *,
    play_solver: "PlaySolvers | None" = None,
    known: "Known | None" = None,
) -> Session:
    """Correct, check, score, rank and analyse a session from `gather`, which need not be read again for each change.

    The arguments are those of `evaluate`, and `known`: what earlier calls with the same session and settings found out.
    """
    session, corrected = _correct(session, _with_clubs(config), corrections, known)
    judged = judge(session, corrected, solver, known.checked if known else None)
    if play_solver:
        from overtrick.analyse.explain import explain  # noqa: PLC0415 - few runs ask why

        judged = explain(judged, corrected.scoring, *play_solver)
    return _apply_checks(judged, config.checks)


@dataclass
class Known:
    """What stays the same when a session is settled with other corrections, so that only the rest is done again."""

    corrected: "Steps | None" = None
    checked: Memory = field(default_factory=Memory)


def judge(session: Session, config: Config, solver: Solver | None = None, memory: Memory | None = None) -> Session:
    """Check, score, rank and analyse a session that has been assembled."""
    _show_stage("Checking", 1)
    session = _add_stages(validate(session, config.movement, memory), "validate")
    _show_stage("Scoring", 2)
    session = _add_stages(score(session, config.scoring), "score")
    _show_stage("Ranking", 3)
    session = rank(session, config.scoring)
    session = show_unit(session, config.scoring)
    session = _add_stages(_honour(session, config), "rank")
    return _add_stages(analyse(session, solver), "analyse")


def _add_stages(session: Session, after: After) -> Session:
    """Run the stages of plugins (`overtrick.stages`) that follow a stage; report those that fail, and go without."""
    found = find("overtrick.stages")
    faults = [*found.faults, *plugin_formats()[1], *load_plugin_codes()] if after == "analyse" else []
    for name, plugin in found.loaded:
        stage = plugin if isinstance(plugin, Stage) else Stage(plugin)
        if stage.after != after:
            continue
        try:
            session = _checked(stage.run(session))
        except Exception as error:  # noqa: BLE001 - whatever another package does
            faults.append(Fault(f"overtrick.stages:{name}", explain(error)))
    if not faults:
        return session
    return replace(session, problems=pl.concat([session.problems, report_faults(faults)]))


def _checked(session: object) -> Session:
    """Return what a plugin returned, if it is a session whose frames have their columns."""
    if not isinstance(session, Session):
        raise TypeError(f"expected a Session, got {type(session).__name__}")
    for part in fields(Session):
        frame, blank = getattr(session, part.name), getattr(Session(), part.name)
        if isinstance(blank, pl.DataFrame) and any(
            frame.schema.get(name) != kind for name, kind in blank.schema.items()
        ):
            raise TypeError(f"the columns of {part.name} are not those of overtrick.frames")
    return session


def _honour(session: Session, config: Config) -> Session:
    """Add the rankings of strata and clubs, and masterpoints."""
    stated = session.contestants["stated_awards"].is_not_null().any()
    if not (config.people.strata or config.scoring.clubs or config.awards or stated):
        return session
    from overtrick.people.awards import award  # noqa: PLC0415 - few clubs have masterpoints
    from overtrick.people.divisions import divide  # noqa: PLC0415

    return award(divide(session, config.people, config.scoring.clubs), config.awards)


def audit(
    paths: Sequence[str], config: Config, *, corrections: Sequence[Found] | None = None
) -> tuple[Session, "Audit"]:
    """Evaluate files and folders as one session, and compare the points and totals that they state with ours."""
    from overtrick.rank.audit import audit as compare  # noqa: PLC0415 - few runs audit

    session, config = _read(paths, config, corrections)
    _show_stage("Checking", 1)
    session = validate(session, config.movement)
    _show_stage("Comparing", 2)
    compared = compare(session, config.scoring)
    _show_stage("Ranking", 3)
    ranked = rank(score(session, config.scoring), config.scoring)
    return _apply_checks(ranked, config.checks), compared


def _read(paths: Sequence[str], config: Config, corrections: Sequence[Found] | None = None) -> tuple[Session, Config]:
    """Read files into one session and apply its corrections; return the settings with its rulings too."""
    return _correct(
        gather(paths, config), _with_clubs(config), find_corrections(paths) if corrections is None else corrections
    )


def _correct(
    session: Session, config: Config, found: Sequence[Found], known: Known | None = None
) -> tuple[Session, Config]:
    if not found:
        return session, config
    from overtrick.correct import Steps, correct  # noqa: PLC0415 - most sessions have no corrections

    if known:
        known.corrected = known.corrected or Steps()
    session, rulings = correct(session, found, known.corrected if known else None)
    return session, config.model_copy(update={"scoring": rulings.on(config.scoring)})


def _apply_checks(session: Session, checks: Checks, *, strict: bool = False) -> Session:
    """Apply the club's [checks] settings to the problems."""
    problems = apply_strict(session.problems) if strict else session.problems
    return replace(session, problems=apply_checks(problems, checks.only, checks.silence, checks.severity))


@_calling_columns
def examine(
    paths: Sequence[str],
    config: Config,
    *,
    strict: bool = False,
    corrections: Sequence[Found] | None = None,
) -> Session:
    """Check files in bounded memory, also against the standard of their format.

    Args:
        paths: as for `evaluate`.
        config: the club's settings.
        strict: make tolerated breaches errors (`problems.apply_strict`), unless the settings give them a severity.
        corrections: as for `evaluate`.

    Returns:
        What `evaluate` returns, if the files are one group (`formats.read.group_parts`). Larger files are checked group
        by group and not scored, and `check-in-parts` reports it: `records` then holds only `record` and `board`,
        `problems` the first of each code in each file, `sources` all files, and the other frames are empty.
    """
    inputs = list_inputs(paths)
    groups = group_parts(read_files(inputs, verified=True, on_bytes=_show_reading(inputs, "Checking")))
    found = find_corrections(paths) if corrections is None else corrections
    begun = [*islice(groups, 2)]
    if len(begun) > 1:
        checked = _check_in_parts(begun, groups, config)
        left_out = [report_findings([describe_left_out(one)], one.corrections.source) for one in found]
        checked = replace(checked, problems=pl.concat([checked.problems, *left_out]))
    else:
        whole = assemble(begun[0], config.scoring.sessions, verified=True) if begun else Session()
        checked = judge(*_correct(whole, config, found))
    return _apply_checks(checked, config.checks, strict=strict)


def _check_in_parts(begun: list[list[Session]], groups: Iterator[list[Session]], config: Config) -> Session:
    """Check the groups already read, then the others, one at a time, so that memory holds only one of these."""
    sources, boards, problems = [], [], report_findings([Finding("check-in-parts")], None)
    # A group is not an evening: unless the club keeps files apart, those in it are taken together.
    sessions = config.scoring.sessions or "together"
    while group := begun.pop(0) if begun else next(groups, None):
        part = assemble(group, sessions)
        sources.append(part.sources)
        boards.append(part.records.select("record", "board"))
        problems = limit_each_code(pl.concat([problems, validate(part, config.movement).problems]))
    read = pl.concat(sources).drop_nulls("size")
    return Session(sources=read, records=pl.concat(boards), problems=problems)


def evaluate_stored(
    paths: Sequence[str],
    config: Config,
    *,
    corrections: Sequence[Found] | None = None,
    total: bool = False,
    readings: Sequence[Session] = (),
) -> Session:
    """Evaluate files as one session, analysed if everything that has to be solved for it was solved before.

    The arguments are those of `evaluate` and `gather`. Nothing is solved, so that the session can be published at once.
    """
    from overtrick.analyse.solvers import open_stored, wants_analysis  # noqa: PLC0415 - only the watcher asks

    found = find_corrections(paths) if corrections is None else corrections
    gathered = gather(paths, config, total=total, readings=readings)
    if wants_analysis(config):
        stored = open_stored()
        solvers = stored.find_plays, stored.find_best_cards
        analysed = settle(gathered, config, found, stored.find_tables, play_solver=solvers)
        if stored.is_complete:
            return analysed
    return settle(gathered, config, found)


def bulletin(  # noqa: PLR0913 - what the command line offers
    paths: Sequence[str],
    out: Path,
    config: Config,
    *,
    pdf: bool = True,
    solver: Solver | None = None,
    play_solver: "PlaySolvers | None" = None,
    stored: bool = False,
    corrections: Sequence[Found] | None = None,
    total: bool = False,
    durable: bool = False,
    folder: str = "",
    on_pages: Callable[[Session], None] | None = None,
    on_document: Callable[[int, int], None] | None = None,
) -> Session:
    """Evaluate the files of one evening and write its website to the folder `out`, with its PDFs unless `pdf` is false.

    The new folder replaces the old one when everything is written. A run that dies leaves the old site as it was, and
    so does a session with neither deals nor results (`Session.is_blank`). Corrections are those beside the files,
    unless they are given. `total` adds several evenings up into one session. A durable site is on the disk when this
    function returns, so that it survives a power cut. `folder` is the name of `out` in its season; empty for a session
    on its own. With `stored` nothing is solved, as in `evaluate_stored`.

    `on_pages` is called with the session when its pages are there, and the PDFs follow; without it pages and PDFs
    appear together. `on_document` is called with the number of PDFs made and of all PDFs.

    Returns:
        The session, as from `evaluate`.

    Raises:
        SeveralEveningsError: the files are of several evenings, and `total` is false.
        OutputError, LanguageError: as `render.bulletin.write_bulletin` raises them.
    """
    from overtrick.render.bulletin import write_bulletin  # noqa: PLC0415 - few runs need a template engine

    evenings = [] if total else _sort(paths, config, total=False)
    if len(evenings) > 1:
        from overtrick.assemble.together import name_of_evening  # noqa: PLC0415 - as above

        raise SeveralEveningsError([name_of_evening(Path(files[0])) for files in evenings])
    if stored:
        session = evaluate_stored(paths, config, corrections=corrections, total=total)
    else:
        session = evaluate(paths, config, solver, play_solver=play_solver, corrections=corrections, total=total)
    if not session.is_blank:
        write = partial(write_bulletin, session, out, config, pdf=pdf, folder=folder, durable=durable)
        write(on_pages=on_pages and partial(on_pages, session), on_document=on_document)
    return session
