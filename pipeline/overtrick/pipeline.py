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
from overtrick.assemble.beside import Found, find_corrections, inputs, left_out
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


def evaluate(
    paths: Sequence[str], config: Config, solver: Solver | None = None, *, corrections: Sequence[Found] | None = None
) -> Session:
    """Read files and folders into one session, check it, score it, rank it and analyse its deals.

    Args:
        paths: files, folders (walked) or `-` for standard input.
        config: the club's settings; `Config()` for the defaults.
        solver: makes double-dummy tables; None for those alone that the files state.
        corrections: the corrections files to apply; None for those beside the files (`correct.find`).

    Returns:
        The session with all its frames filled. Whatever is wrong with the data is in `problems`; nothing raises for it.
    """
    session, corrected = _read(paths, config, corrections)
    return _as_wanted(judge(session, corrected, solver), config.checks)


def judge(session: Session, config: Config, solver: Solver | None = None) -> Session:
    """Check, score, rank and analyse a session that has been read."""
    session, scoring = settled(session, config.scoring)
    session = validate(session, by_file=scoring.by_file, movements=config.movement)
    session = score(session, scoring)
    session = rank(session, scoring)
    session = shown(session, scoring)
    return analyse(session, solver)


def audit(
    paths: Sequence[str], config: Config, *, corrections: Sequence[Found] | None = None
) -> tuple[Session, "Audit"]:
    """Read files and folders into one session, evaluate it, and compare what it states with what we compute."""
    from overtrick.rank.audit import audit as compare  # noqa: PLC0415 - few runs compare

    read_session, config = _read(paths, config, corrections)
    session, scoring = settled(read_session, config.scoring)
    session = validate(session, by_file=scoring.by_file, movements=config.movement)
    compared = compare(session, scoring)
    return _as_wanted(rank(score(session, scoring), scoring), config.checks), compared


def _read(paths: Sequence[str], config: Config, corrections: Sequence[Found] | None = None) -> tuple[Session, Config]:
    """Read files into one session and apply its corrections; return the settings with its rulings too."""
    session = read(inputs(paths), by_file=config.scoring.by_file)
    return _corrected(session, config, find_corrections(paths) if corrections is None else corrections)


def _corrected(session: Session, config: Config, found: Sequence[Found]) -> tuple[Session, Config]:
    if not found:
        return session, config
    from overtrick.correct import correct  # noqa: PLC0415 - most sessions have no corrections

    session, rulings = correct(session, found)
    return session, config.model_copy(update={"scoring": rulings.on(config.scoring)})


def _as_wanted(session: Session, checks: Checks, *, strict: bool = False) -> Session:
    """Tell of problems what the club wants to be told."""
    problems = apply_strict(session.problems) if strict else session.problems
    return replace(session, problems=apply_checks(problems, checks.only, checks.silence, checks.severity))


def examine(
    paths: Sequence[str], config: Config, *, strict: bool = False, corrections: Sequence[Found] | None = None
) -> Session:
    """Find all that is wrong with files, held against the standard of their format too, in bounded memory.

    Args:
        paths: as for `evaluate`.
        config: the club's settings.
        strict: whether tolerances are refused (`problems.apply_strict`), unless the settings say otherwise.
        corrections: as for `evaluate`.

    Returns:
        As `evaluate` gives it, where the files are read in one part (`parse.read_in_parts`). Larger ones are checked
        part by part and not scored, and `check-in-parts` says so: then `records` holds only `record` and `board`,
        `problems` the first of each code in each file, and the other frames but `sources` are empty.
    """
    parts = read_in_parts(inputs(paths), verified=True, by_file=config.scoring.by_file)
    found = find_corrections(paths) if corrections is None else corrections
    begun = [*islice(parts, 2)]
    if len(begun) > 1:
        checked = _in_parts(begun, parts, config.movement)
        too_large = [report_findings([left_out(one)], one.corrections.source) for one in found]
        checked = replace(checked, problems=pl.concat([checked.problems, *too_large]))
    else:
        checked = judge(*_corrected(begun[0] if begun else Session(), config, found))
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


def bulletin(  # noqa: PLR0913 - what the command line offers
    paths: Sequence[str],
    out: Path,
    config: Config,
    *,
    pdf: bool = True,
    solver: Solver | None = None,
    corrections: Sequence[Found] | None = None,
) -> Session:
    """Evaluate a session and write its website, and its PDF documents unless `pdf` is false, to the folder `out`.

    Corrections are those beside the files, unless they are given.

    The folder is replaced as a whole when everything is written: a run that dies leaves the old site as it was, and so
    does one that finds neither a deal nor a result (`Session.is_blank`).
    """
    from overtrick.render.bulletin import write_bulletin  # noqa: PLC0415 - what renders nothing loads no template engine

    session = evaluate(paths, config, solver, corrections=corrections)
    if not session.is_blank:
        write_bulletin(session, out, config, pdf=pdf)
    return session
