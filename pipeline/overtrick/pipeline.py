"""The whole story: text in, bulletin out. Each line of `evaluate` is a stage, a plain function Session -> Session."""

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
from overtrick.problems import Finding, apply_checks, apply_strict, limit_each_code, report_findings
from overtrick.rank import rank
from overtrick.rank.units import shown
from overtrick.score import score
from overtrick.validate import validate

if TYPE_CHECKING:
    from overtrick.analyse.solver import Progress
    from overtrick.rank.audit import Audit

__all__ = ["audit", "bulletin", "evaluate", "examine", "judge", "solver", "source_lines"]


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
    session = validate(session, by_file=scoring.by_file, movements=config.movement)
    session = score(session, scoring)
    session = rank(session, scoring)
    session = shown(session, scoring)
    return analyse(session, solver)


def audit(paths: Sequence[str], config: Config) -> tuple[Session, "Audit"]:
    """Read files and folders into one session, evaluate it, and compare what it states with what we compute."""
    from overtrick.rank.audit import audit as compare  # noqa: PLC0415 - few runs compare

    session, scoring = settled(_read(paths, config), config.scoring)
    session = validate(session, by_file=scoring.by_file, movements=config.movement)
    compared = compare(session, scoring)
    return _as_wanted(rank(score(session, scoring), scoring), config.checks), compared


def _read(paths: Sequence[str], config: Config) -> Session:
    return read(paths, by_file=config.scoring.by_file)


def _as_wanted(session: Session, checks: Checks, *, strict: bool = False) -> Session:
    """Tell of problems what the club wants to be told."""
    problems = apply_strict(session.problems) if strict else session.problems
    return replace(session, problems=apply_checks(problems, checks.only, checks.silence, checks.severity))


def examine(paths: Sequence[str], config: Config, *, strict: bool = False) -> Session:
    """Find all that is wrong with files, held against the standard of their format too, in bounded memory.

    Args:
        paths: as for `evaluate`.
        config: the club's settings.
        strict: whether tolerances are refused (`problems.apply_strict`), unless the settings say otherwise.

    Returns:
        As `evaluate` gives it, where the files are read in one part (`parse.read_in_parts`). Larger ones are checked
        part by part and not scored, and `check-in-parts` says so: then `records` holds only `record` and `board`,
        `problems` the first of each code in each file, and the other frames but `sources` are empty.
    """
    parts = read_in_parts(paths, verified=True, by_file=config.scoring.by_file)
    begun = [*islice(parts, 2)]
    checked = (
        _in_parts(begun, parts, config.movement) if len(begun) > 1 else judge(begun[0] if begun else Session(), config)
    )
    return _as_wanted(checked, config.checks, strict=strict)


def _in_parts(begun: list[Session], parts: Iterator[Session], movements: Sequence[Movement]) -> Session:
    """Check parts one after the other, those first that were read already; none is kept longer than it takes."""
    sources, boards, problems = [], [], report_findings([Finding("check-in-parts")], None)
    while part := begun.pop(0) if begun else next(parts, None):
        sources.append(part.sources)
        boards.append(part.records.select("record", "board"))
        problems = limit_each_code(pl.concat([problems, validate(part, movements=movements).problems]))
    return Session(sources=pl.concat(sources), records=pl.concat(boards), problems=problems)


def solver(progress: "Progress | None" = None) -> Solver:
    """Make the double-dummy solver, with the user's store of what was solved before; it needs the extra `dd`.

    Args:
        progress: is told how many deals are solved, of how many.
    """
    from overtrick.analyse.solver import solve  # noqa: PLC0415 - few runs solve, and keep what they solved
    from overtrick.analyse.store import Store, user_store  # noqa: PLC0415

    return partial(solve, progress=progress, store=Store(user_store()))


def bulletin(
    paths: Sequence[str], out: Path, config: Config, *, pdf: bool = True, solver: Solver | None = None
) -> Session:
    """Evaluate a session and write its website, and its PDF documents unless `pdf` is false, to the folder `out`.

    The folder is replaced as a whole when everything is written: a run that dies leaves the old site as it was, and so
    does one that finds neither a deal nor a result (`Session.is_blank`).
    """
    from overtrick.render.bulletin import write_bulletin  # noqa: PLC0415 - what renders nothing loads no template engine

    session = evaluate(paths, config, solver)
    if not session.is_blank:
        write_bulletin(session, out, config, pdf=pdf)
    return session
