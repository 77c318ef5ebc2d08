"""Files to an evaluated session in one call, as most tests want it."""

from collections.abc import Sequence

from overtrick import pipeline
from overtrick.core.config import Config
from overtrick.core.frames import Session
from overtrick.core.machine import Show, show_nothing
from overtrick.files.assemble.beside import Found, find_corrections
from overtrick.judge.analyse import Solver


def evaluate(
    paths: Sequence[str],
    config: Config,
    solver: Solver | None = None,
    *,
    corrections: Sequence[Found] | None = None,
    total: bool = False,
    show: Show = show_nothing,
) -> Session:
    """Read files into one session and evaluate it, with the corrections beside the files."""
    found = find_corrections(paths) if corrections is None else corrections
    read = pipeline.read(paths, config, total=total, show=show)
    return pipeline.evaluate(read, config, found, solver=solver, show=show)
