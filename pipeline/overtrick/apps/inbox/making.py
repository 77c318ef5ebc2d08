"""The bulletin of a session of an inbox, as the process that works on files makes it."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from overtrick.apps.inbox.season import add_to_season, evaluate_stored
from overtrick.core.atomic_write import OutputError, only_run
from overtrick.core.config import Config
from overtrick.core.frames import Session
from overtrick.core.problems import has_errors
from overtrick.files.assemble import refuse_several
from overtrick.files.assemble.beside import Found
from overtrick.judge.analyse.solvers import make_play_solvers, make_solver, wants_analysis
from overtrick.pipeline import evaluate, publish, read

_PATIENCE: Final = 10.0
"""Seconds to wait for another run that is writing the index of sessions."""


@dataclass(frozen=True)
class Made:
    """What came of a session: whether its data has errors, what was put together, and messages about the index.

    It is not complete if its analysis has to follow.
    """

    faulty: bool
    joined: Sequence[str]
    messages: Sequence[str]
    complete: bool = True


def make_bulletin(inputs: Sequence[str], out: Path, session: str, config: Config, corrections: Sequence[Found]) -> Made:
    """Make the bulletin of a session in a folder below `out`, and add it to the index of all sessions there.

    Nothing is solved, so that results never wait for the solver, and the pages don't wait for the PDFs.
    """
    messages: list[str] = []
    refuse_several(inputs, config)
    made = evaluate_stored(read(inputs, config), config, corrections)
    publish(
        made,
        out / session,
        config,
        durable=True,
        folder=session,
        on_pages=lambda: messages.extend(_index(made, out, session, config)),
    )
    return _describe_made(made, config, messages)


def complete_bulletin(
    inputs: Sequence[str], out: Path, session: str, config: Config, corrections: Sequence[Found]
) -> Made:
    """Make the bulletin of a session again, with its analysis."""
    refuse_several(inputs, config)
    read_again = read(inputs, config)
    made = evaluate(read_again, config, corrections, solver=make_solver(), play_solver=make_play_solvers())
    publish(made, out / session, config, durable=True, folder=session)
    messages = [] if made.is_blank else _index(made, out, session, config)
    return _describe_made(made, config, messages)


def _index(made: Session, out: Path, session: str, config: Config) -> list[str]:
    """Add a session to the index of all sessions, and return messages about it."""
    messages: list[str] = []
    try:
        with only_run(out, _PATIENCE):
            add_to_season(out, session, made, config, messages.append)
    except OutputError as error:
        # The bulletin is what people wait for.
        messages.append(f"no index of sessions: {error}")
    return messages


def _describe_made(made: Session, config: Config, messages: Sequence[str]) -> Made:
    complete = not wants_analysis(config) or made.results.is_empty() or not made.analysis.is_empty()
    return Made(has_errors(made.problems), made.facts.joined, messages, complete)
