"""The whole story: text in, bulletin out. Each line of `judge` is a stage, a plain function Session -> Session."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from overtrick.analyse import Solver, analyse
from overtrick.assemble import assemble
from overtrick.config import Checks, Config
from overtrick.formats.read import group_parts, read_files
from overtrick.formats.sources import source_lines
from overtrick.frames import Session
from overtrick.problems import Finding, apply_checks, apply_strict, limit_each_code, report_findings
from overtrick.rank import rank, show_unit
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
    session = assemble(read_files(paths), config.scoring.sessions)
    return _apply_checks(judge(session, config, solver), config.checks)


def judge(session: Session, config: Config, solver: Solver | None = None) -> Session:
    """Check, score, rank and analyse a session that has been assembled."""
    session = validate(session, config.movement)
    session = score(session, config.scoring)
    session = rank(session, config.scoring)
    session = show_unit(session, config.scoring)
    return analyse(session, solver)


def audit(paths: Sequence[str], config: Config) -> tuple[Session, "Audit"]:
    """Evaluate files and folders as one session, and compare the points and totals that they state with ours."""
    from overtrick.rank.audit import audit as compare  # noqa: PLC0415 - few runs audit

    session = validate(assemble(read_files(paths), config.scoring.sessions), config.movement)
    compared = compare(session, config.scoring)
    ranked = rank(score(session, config.scoring), config.scoring)
    return _apply_checks(ranked, config.checks), compared


def _apply_checks(session: Session, checks: Checks, *, strict: bool = False) -> Session:
    """Apply the club's [checks] settings to the problems."""
    problems = apply_strict(session.problems) if strict else session.problems
    return replace(session, problems=apply_checks(problems, checks.only, checks.silence, checks.severity))


def examine(paths: Sequence[str], config: Config, *, strict: bool = False) -> Session:
    """Check files in bounded memory, also against the standard of their format.

    Args:
        paths: as for `evaluate`.
        config: the club's settings.
        strict: make tolerated breaches errors (`problems.apply_strict`), unless the settings give them a severity.

    Returns:
        What `evaluate` returns, if the files are one group (`formats.read.group_parts`). Larger files are checked group
        by group and not scored, and `check-in-parts` reports it: `records` then holds only `record` and `board`,
        `problems` the first of each code in each file, `sources` all files, and the other frames are empty.
    """
    groups = group_parts(read_files(paths, verified=True))
    begun = [*islice(groups, 2)]
    if len(begun) > 1:
        checked = _check_in_parts(begun, groups, config)
    else:
        whole = assemble(begun[0], config.scoring.sessions) if begun else Session()
        checked = judge(whole, config)
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


def make_solver(progress: "Progress | None" = None) -> Solver:
    """Return the double-dummy solver, with the user's store of solved deals. It needs the extra `dd`.

    Args:
        progress: called with the number of deals solved and the number of deals.
    """
    from overtrick.analyse.cache import TableCache, user_cache  # noqa: PLC0415 - few runs solve deals
    from overtrick.analyse.solver import solve  # noqa: PLC0415

    return partial(solve, progress=progress, cache=TableCache(user_cache()))


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
