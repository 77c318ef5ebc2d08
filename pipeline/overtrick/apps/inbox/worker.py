"""A process that works on files: one that crashes it, hangs it or takes all memory stops only its own piece of work."""

import gc
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from overtrick.apps.inbox.folders import mark_heavy, take_back
from overtrick.apps.inbox.season import add_to_season, evaluate_stored
from overtrick.conversion import publish
from overtrick.core.atomic_write import OutputError, only_run
from overtrick.core.config import Config
from overtrick.core.frames import Session
from overtrick.core.languages import LanguageError
from overtrick.core.machine import starting_workers
from overtrick.core.problems import has_errors
from overtrick.files.assemble import refuse_several
from overtrick.files.assemble.beside import Found
from overtrick.judge.analyse.solver import make_play_solvers, make_solver, wants_analysis
from overtrick.pipeline import evaluate, read

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess


_PATIENCE: Final = 10.0
"""Seconds to wait for another run that is writing the index of sessions."""


@dataclass(frozen=True)
class Made:
    """A bulletin: whether its data has errors, what was put together, and messages about the index.

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
    session_made = evaluate_stored(read(inputs, config), config, corrections)
    publish(
        session_made,
        out / session,
        config,
        durable=True,
        folder=session,
        on_pages=lambda: messages.extend(_index(session_made, out, session, config)),
    )
    return _describe_made(session_made, config, messages)


def complete_bulletin(
    inputs: Sequence[str], out: Path, session: str, config: Config, corrections: Sequence[Found]
) -> Made:
    """Make the bulletin of a session again, with its analysis."""
    refuse_several(inputs, config)
    read_again = read(inputs, config)
    session_made = evaluate(read_again, config, corrections, solver=make_solver(), play_solver=make_play_solvers())
    publish(session_made, out / session, config, durable=True, folder=session)
    messages = [] if session_made.is_blank else _index(session_made, out, session, config)
    return _describe_made(session_made, config, messages)


def _index(session_made: Session, out: Path, session: str, config: Config) -> list[str]:
    """Add a session to the index of all sessions, and return messages about it."""
    messages: list[str] = []
    try:
        with only_run(out, _PATIENCE):
            add_to_season(out, session, session_made, config, messages.append)
    except OutputError as error:
        # The bulletin is what people wait for.
        messages.append(f"no index of sessions: {error}")
    return messages


def _describe_made(session: Session, config: Config, messages: Sequence[str]) -> Made:
    complete = not wants_analysis(config) or session.results.is_empty() or not session.analysis.is_empty()
    return Made(has_errors(session.problems), session.facts.joined, messages, complete)


MEMORY: Final = 4_000_000_000
"""The most bytes of memory that the process may take; an evening takes a tenth."""

HEAVY: Final = 1_000_000_000
"""Bytes of memory beyond which the work may be why the whole machine stops."""

LONGEST: Final = 600.0
"""Seconds that a piece of work may take; an evening takes one or two."""

_PIECES: Final = 200
"""Pieces of work after which a new process takes over, so that its memory does not grow over the months."""

EXPECTED: Final = (OutputError, LanguageError, OSError)
"""The exceptions that are not the fault of a file."""

Run = Callable[[Callable[..., Any], Sequence[Any], Path | None], Any]
"""Runs a function with its arguments. The path counts the attempt, and `take_back` takes it back; None counts none.

Raises what the function raises of `EXPECTED`, `FaultError` and `LostError`.
"""


class FaultError(Exception):
    """The work raised an exception that it should not raise; the message is its name and its text."""


class LostError(Exception):
    """The process ended, or had to be ended; the message says why."""


def run_here(work: Callable[..., Any], arguments: Sequence[Any], _counted: Path | None) -> Any:  # noqa: ANN401 - as `work`
    """Run a function in this process.

    Raises:
        FaultError: it raised an exception that is not of `EXPECTED`.
    """
    try:
        return work(*arguments)
    except EXPECTED:
        raise
    except (Exception, pl.exceptions.PanicException) as error:
        raise FaultError(f"{type(error).__name__}: {error}") from error


def _load_nothing() -> None:
    """Import nothing ahead."""


class Worker:
    """The process, which starts when there is something to do, or before that with `begin`."""

    def __init__(
        self, memory: int = MEMORY, longest: float = LONGEST, ahead: Callable[[], None] = _load_nothing
    ) -> None:
        """Take the limits of the process in bytes, and of a piece of work in seconds, and what to import ahead."""
        self._memory = memory
        self._longest = longest
        self._ahead = ahead
        self._process: BaseProcess | None = None
        self._pieces = 0

    def run(self, work: Callable[..., Any], arguments: Sequence[Any], counted: Path | None) -> Any:  # noqa: ANN401 - as `work`
        """Run a function in the process.

        Raises:
            FaultError: it raised an exception that is not of `EXPECTED`.
            LostError: it crashed, took too much memory or too long.
        """
        if self._process is None or self._pieces == _PIECES:
            self._start()
        self._pieces += 1
        try:
            self._pipe.send((work, arguments, counted))
            answer = self._pipe.recv() if self._pipe.poll(self._longest) else None
        except (EOFError, ConnectionError):
            raise LostError(self._explain_end()) from None
        except BaseException:
            self.close()
            raise
        if answer is None:
            self.close()
            raise LostError(f"it took more than {self._longest:.0f} seconds")
        if isinstance(answer, MemoryError):
            self.close()
            raise LostError(f"it needed more than {self._memory / 1e9:.0f} GB of memory")
        if isinstance(answer, Exception):
            raise answer
        return answer[0]

    def begin(self) -> None:
        """Start the process, so that it is ready when there is something to do."""
        if self._process is None:
            self._start()

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._pipe.close()
            self._process = None

    def _start(self) -> None:
        self.close()
        # A forked process would inherit the threads of polars in their current state, and hang.
        spawn = multiprocessing.get_context("spawn")
        self._pipe, other = spawn.Pipe()
        process = spawn.Process(target=_serve, args=(other, self._memory, self._ahead), daemon=True)
        with starting_workers():
            process.start()
        # One that the system refused to start can't be ended.
        self._process = process
        other.close()
        self._pieces = 0

    def _explain_end(self) -> str:
        process = self._process
        if process is None:
            return "the process that read it ended"
        process.join(1)
        status = process.exitcode or 0
        self.close()
        name = signal.Signals(-status).name if -status in set(signal.Signals) else str(status)
        return f"the process that read it ended ({name}); it may have needed more than {self._memory / 1e9:.0f} GB"


_LOOKED: Final = 0.2
"""Seconds between two looks at the memory of the process while it works."""

_counted: list[Path] = []
"""In the process: counts the attempt at the work that it has."""

_working = threading.Event()


def _serve(pipe: Connection, memory: int, ahead: Callable[[], None]) -> None:
    """Do pieces of work until nobody has any more."""
    # The parent handles interrupts and the end of the service.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    threading.Thread(target=_follow_parent, daemon=True).start()
    threading.Thread(target=_follow_memory, daemon=True).start()
    _limit_memory(memory)
    # Libraries that run out of memory print what only their authors understand.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    # Collecting garbage takes a fifth of the time of an evening, so it waits until the answer is sent.
    gc.disable()
    ahead()
    gc.freeze()
    with suppress(EOFError, OSError):
        while True:
            work, arguments, counted = pipe.recv()
            _counted[:] = [counted] if counted else []
            _working.set()
            answer = _answer(work, arguments, counted)
            _working.clear()
            pipe.send(answer)
            gc.collect()


def _answer(work: Callable[..., Any], arguments: Sequence[Any], counted: Path | None) -> tuple[Any] | Exception:
    try:
        return (run_here(work, arguments, counted),)
    except (*EXPECTED, FaultError) as error:
        return MemoryError() if isinstance(error.__cause__, MemoryError) else _plain(error)


def _plain(error: Exception) -> Exception:
    """Return an exception that travels between processes: without what caused it."""
    if isinstance(error, OSError) and error.errno is not None:
        return OSError(error.errno, error.strerror, error.filename)
    return type(error)(str(error))


def _limit_memory(memory: int) -> None:
    try:
        import resource  # noqa: PLC0415 - Windows has none
    except ImportError:
        return
    for kind, most in ((resource.RLIMIT_AS, memory), (resource.RLIMIT_CORE, 0)):
        hard = resource.getrlimit(kind)[1]
        with suppress(ValueError, OSError):
            resource.setrlimit(kind, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def _follow_parent() -> None:
    """End with the parent, whose end is not the fault of the file."""
    parent = multiprocessing.parent_process()
    if parent:
        parent.join()
        for counted in _counted:
            take_back(counted)
        os._exit(1)


def _follow_memory() -> None:
    """Mark the work that takes much memory, each piece once."""
    marked: list[Path] = []
    while True:
        _working.wait()
        if marked != _counted and _memory_used() > HEAVY:
            marked = _counted.copy()
            for counted in marked:
                mark_heavy(counted)
        time.sleep(_LOOKED)


def _memory_used() -> int:
    """Return the bytes of memory of this process; beyond all bounds where the system does not tell them."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return sys.maxsize
