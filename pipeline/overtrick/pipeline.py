"""The whole story: text in, bulletin out. Each line of `evaluate` is a stage, a plain function Session -> Session."""

from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from itertools import chain
from multiprocessing import get_context
from pathlib import Path
from typing import Final

import polars as pl

from overtrick.analyse import Solver, analyse
from overtrick.analyse.solver import Progress, solve
from overtrick.analyse.store import Store, user_store
from overtrick.audit import Audit
from overtrick.audit import audit as compare
from overtrick.config import Checks, Config
from overtrick.evenings import settled
from overtrick.frames import Session
from overtrick.parse import read, read_in_parts
from overtrick.parse.sources import STDIN, opened
from overtrick.parse.text import coding, text_blocks
from overtrick.problems import Finding, as_wanted, findings_frame, first_of_each, stricter
from overtrick.rank import rank
from overtrick.rank.units import shown
from overtrick.score import score
from overtrick.validate import validate

_MANY: Final = 8
"""Sessions from which on it pays to start other processes."""


def evaluate(paths: Sequence[str], config: Config, solver: Solver | None = None) -> Session:
    """Read files and folders into one session, check it, score it, rank it and analyse its deals.

    Args:
        paths: files, folders (walked) or `-` for standard input.
        config: the club's settings; `Config()` for the defaults.
        solver: makes double-dummy tables; None for those alone that the files state.

    Returns:
        The session with all its frames filled. Whatever is wrong with the data is in `problems`; nothing raises for it.
    """
    return _as_wanted(judge(_read(paths, config), config, solver), config.checks)


def judge(session: Session, config: Config, solver: Solver | None = None) -> Session:
    """Check, score, rank and analyse a session that has been read."""
    session, scoring = settled(session, config.scoring)
    session = validate(session, by_file=scoring.by_file)
    session = score(session, scoring)
    session = rank(session, scoring)
    session = shown(session, scoring)
    return analyse(session, solver)


def audit(paths: Sequence[str], config: Config) -> tuple[Session, Audit]:
    """Read files and folders into one session, evaluate it, and compare what it states with what we compute."""
    session, scoring = settled(_read(paths, config), config.scoring)
    session = validate(session, by_file=scoring.by_file)
    compared = compare(session, scoring)
    return _as_wanted(rank(score(session, scoring), scoring), config.checks), compared


def _read(paths: Sequence[str], config: Config) -> Session:
    return read(paths, by_file=config.scoring.by_file)


def _as_wanted(session: Session, checks: Checks, *, strict: bool = False) -> Session:
    """Tell of problems what the club wants to be told."""
    problems = stricter(session.problems) if strict else session.problems
    return replace(session, problems=as_wanted(problems, checks.only, checks.silence, checks.severity))


def examine(paths: Sequence[str], config: Config, *, strict: bool = False) -> Session:
    """Find all that is wrong with files, held against the standard of their format too, in bounded memory.

    Args:
        paths: as for `evaluate`.
        config: the club's settings.
        strict: whether tolerances are refused (`problems.stricter`), unless the settings say otherwise.

    Returns:
        As `evaluate` gives it, where the files are read in one part (`parse.read_in_parts`). Larger ones are checked
        part by part and not scored, and `check-in-parts` says so: then `records` holds only `record` and `board`,
        `problems` the first of each code in each file, and the other frames but `sources` are empty.
    """
    parts = read_in_parts(paths, verified=True, by_file=config.scoring.by_file)
    whole, more = next(parts, Session()), next(parts, None)
    if more is None:
        return _as_wanted(judge(whole, config), config.checks, strict=strict)
    sources, boards, problems = [], [], [findings_frame([Finding("check-in-parts")], None)]
    begun = [whole, more]
    # A part that is kept longer than it takes to check it is memory for nothing.
    del whole, more
    for part in chain(_emptied(begun), parts):
        sources.append(part.sources)
        boards.append(part.records.select("record", "board"))
        problems = [first_of_each(pl.concat([*problems, validate(part).problems]))]
    summed = Session(sources=pl.concat(sources), records=pl.concat(boards), problems=problems[0])
    return _as_wanted(summed, config.checks, strict=strict)


def _emptied(parts: list[Session]) -> Iterator[Session]:
    while parts:
        yield parts.pop(0)


def solver(progress: Progress | None = None) -> Solver:
    """Make the double-dummy solver, with the user's store of what was solved before; it needs the extra `dd`.

    Args:
        progress: is told how many deals are solved, of how many.
    """
    return partial(solve, progress=progress, store=Store(user_store()))


def bulletin(
    paths: Sequence[str], out: Path, config: Config, *, pdf: bool = True, solver: Solver | None = None
) -> Session:
    """Evaluate a session and write its website, and its PDF documents unless `pdf` is false, to the folder `out`.

    The folder is replaced as a whole when everything is written: a run that dies leaves the old site as it was.
    """
    from overtrick.render import write_bulletin  # noqa: PLC0415 - what renders nothing loads no template engine

    session = evaluate(paths, config, solver)
    write_bulletin(session, out, config, pdf=pdf)
    return session


def season(
    paths: Sequence[str], out: Path, config: Config, *, pdf: bool = True
) -> Iterator[tuple[str, pl.DataFrame | None]]:
    """Write the sites of many sessions to folders below `out`, and an index of all that are there.

    A file is a session, and so is each file and each folder in a folder; the folder of its site is named like it. Only
    what changed since the last time is read and written, on all cores; sessions written before stay.

    Args:
        paths: files and folders.
        out: the folder of the season.
        config: the club's settings.
        pdf: whether each session gets its PDF.

    Yields:
        The folder of each session when it is there, with its problems (`frames.PROBLEMS`); None for one that had not
        changed.
    """
    from overtrick.render import fingerprint, season_folders, write_season  # noqa: PLC0415 - as above
    from overtrick.render.slugs import unique_slugs  # noqa: PLC0415

    folders = season_folders(out)
    sessions = [inside for path in map(Path, paths) for inside in (sorted(path.iterdir()) if path.is_dir() else [path])]
    changed = {}
    for path, folder in zip(sessions, unique_slugs(path.stem for path in sessions), strict=True):
        made_from = fingerprint([path], config)
        if folders.get(folder) == made_from and (out / folder).is_dir():
            yield folder, None
        else:
            changed[folder] = (path, made_from)
    tasks = [(path, out, folder, config, pdf) for folder, (path, _) in changed.items()]
    for folder, problems in _each(tasks):
        folders[folder] = changed[folder][1]
        yield folder, problems
    write_season(out, folders, config)


_Task = tuple[Path, Path, str, Config, bool]


def _each(tasks: list[_Task]) -> Iterator[tuple[str, pl.DataFrame]]:
    """Publish sessions: a few here, many on all cores."""
    if len(tasks) < _MANY:
        yield from map(_published, tasks)
        return
    # A fork of a process in which polars has threads may hang.
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as workers:
        yield from workers.map(_published, tasks)


def _published(task: _Task) -> tuple[str, pl.DataFrame]:
    path, out, folder, config, pdf = task
    from overtrick.render import write_bulletin  # noqa: PLC0415 - as above

    session = evaluate([str(path)], config)
    write_bulletin(session, out / folder, config, pdf=pdf, folder=folder)
    return folder, session.problems


def source_lines(source: str, numbers: Collection[int]) -> dict[int, str]:
    """Read some lines of a file again, as problems number them; none of standard input and of what can't be read."""
    lines: dict[int, str] = {}
    if source == STDIN or not numbers:
        return lines
    try:
        with opened(source) as file:
            found = coding(file.look())
            if isinstance(found, Finding):
                return lines
            first = 1
            for block in text_blocks(file.blocks(), found.encoding):
                texts = block.content.split("\n")
                lines |= {number: texts[number - first] for number in numbers if 0 <= number - first < len(texts) - 1}
                first += len(texts) - 1
    except (OSError, ValueError):
        pass
    return lines
