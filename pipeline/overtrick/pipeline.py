"""The whole story: text in, bulletin out. Each line of `judge` is a stage, a plain function Session -> Session."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from overtrick.analyse import Solver, analyse
from overtrick.assemble import read, read_in_parts
from overtrick.assemble.evenings import settled
from overtrick.config import Checks, Config, Movement
from overtrick.formats.lines import source_lines
from overtrick.frames import Session
from overtrick.problems import Finding, as_wanted, findings_frame, first_of_each, stricter
from overtrick.rank import rank
from overtrick.rank.units import shown
from overtrick.score import score
from overtrick.validate import validate

if TYPE_CHECKING:
    from overtrick.analyse.solver import Progress
    from overtrick.rank.audit import Audit

__all__ = ["audit", "bulletin", "evaluate", "examine", "judge", "make_solver", "source_lines"]


def evaluate(paths: Sequence[str], config: Config, solver: Solver | None = None) -> Session:
    """Read files and folders into one session, check it, score it, rank it and analyse its deals.

    Args:
        paths: files, folders (walked) or `-` for standard input.
        config: the club's settings; `Config()` for the defaults.
        solver: solves deals double dummy; None for the double-dummy tables in the files only.

    Returns:
        The session with all its frames filled. Errors in the data are rows of `problems`; none is raised.
    """
    return _apply_checks(judge(_read(paths, config), config, solver), config.checks)


def judge(session: Session, config: Config, solver: Solver | None = None) -> Session:
    """Check, score, rank and analyse a session."""
    session, scoring = settled(session, config.scoring)
    session = validate(session, by_file=scoring.by_file, movements=config.movement)
    session = score(session, scoring)
    session = rank(session, scoring)
    session = shown(session, scoring)
    return analyse(session, solver)


def audit(paths: Sequence[str], config: Config) -> tuple[Session, "Audit"]:
    """Evaluate files and folders as one session, and compare the points and totals that they state with ours."""
    from overtrick.rank.audit import audit as compare  # noqa: PLC0415 - few runs audit

    session, scoring = settled(_read(paths, config), config.scoring)
    session = validate(session, by_file=scoring.by_file, movements=config.movement)
    compared = compare(session, scoring)
    return _apply_checks(rank(score(session, scoring), scoring), config.checks), compared


def _read(paths: Sequence[str], config: Config) -> Session:
    return read(paths, by_file=config.scoring.by_file)


def _apply_checks(session: Session, checks: Checks, *, strict: bool = False) -> Session:
    """Apply the club's [checks] settings to the problems."""
    problems = stricter(session.problems) if strict else session.problems
    return replace(session, problems=as_wanted(problems, checks.only, checks.silence, checks.severity))


def examine(paths: Sequence[str], config: Config, *, strict: bool = False) -> Session:
    """Check files and folders in bounded memory, also for breaches of the standards of their formats.

    Args:
        paths: as for `evaluate`.
        config: the club's settings.
        strict: make tolerated breaches errors (`problems.stricter`), unless the settings give them another severity.

    Returns:
        What `evaluate` returns, if the files are small enough to read in one part (`assemble.read_in_parts`). Larger
        files are checked part by part and not scored, and `check-in-parts` reports it: `records` then holds only
        `record` and `board`, `problems` the first of each code in each file, `sources` all files, and the other frames
        are empty.
    """
    parts = read_in_parts(paths, verified=True, by_file=config.scoring.by_file)
    begun = [*islice(parts, 2)]
    if len(begun) > 1:
        checked = _check_in_parts(begun, parts, config.movement)
    else:
        checked = judge(begun[0] if begun else Session(), config)
    return _apply_checks(checked, config.checks, strict=strict)


def _check_in_parts(begun: list[Session], parts: Iterator[Session], movements: Sequence[Movement]) -> Session:
    """Check the parts already read, then the others, one at a time, so that memory holds only one of these."""
    sources, boards, problems = [], [], findings_frame([Finding("check-in-parts")], None)
    while part := begun.pop(0) if begun else next(parts, None):
        sources.append(part.sources)
        boards.append(part.records.select("record", "board"))
        problems = first_of_each(pl.concat([problems, validate(part, movements=movements).problems]))
    return Session(sources=pl.concat(sources), records=pl.concat(boards), problems=problems)


def make_solver(progress: "Progress | None" = None) -> Solver:
    """Return the double-dummy solver, with the user's store of solved deals. It needs the extra `dd`.

    Args:
        progress: called with the number of deals solved and the number of deals.
    """
    from overtrick.analyse.solver import solve  # noqa: PLC0415 - few runs solve deals
    from overtrick.analyse.store import Store, user_store  # noqa: PLC0415

    return partial(solve, progress=progress, store=Store(user_store()))


def bulletin(
    paths: Sequence[str], out: Path, config: Config, *, pdf: bool = True, solver: Solver | None = None
) -> Session:
    """Evaluate files as one session and write its website to the folder `out`, with its PDFs unless `pdf` is false.

    The new folder replaces the old one when everything is written. A run that dies leaves the old site as it was, and
    so does a session with neither deals nor results (`Session.is_blank`).

    Returns:
        The session, as from `evaluate`.

    Raises:
        OutputError, LanguageError: as `render.bulletin.write_bulletin` raises them.
    """
    from overtrick.render.bulletin import write_bulletin  # noqa: PLC0415 - few runs need a template engine

    session = evaluate(paths, config, solver)
    if not session.is_blank:
        write_bulletin(session, out, config, pdf=pdf)
    return session
