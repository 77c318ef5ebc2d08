"""The streams of all commands: data and colours on stdout, messages and progress on stderr, and exit statuses."""

import os
import shlex
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, TextIO

import typer

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from overtrick.frames import Session
    from overtrick.render.terminal import Palette

DATA_ERRORS = 1
WRONG_USAGE = 2
PUBLISH_FAILED = 3
PIPE_CLOSED = 141


_loudness = 1
"""0 with --quiet, 2 with --verbose."""


def set_loudness(*, quiet: bool, verbose: bool) -> None:
    """Set what the command writes to standard error beside problems."""
    if quiet and verbose:
        raise typer.BadParameter("--quiet and --verbose exclude each other", param_hint="--quiet")
    global _loudness  # noqa: PLW0603 - of the whole process, as its streams are
    _loudness = 1 - quiet + verbose


def say(text: str) -> None:
    """Write a line about what was done to standard error, unless the command is to be quiet."""
    if _loudness:
        typer.echo(text, err=True)


def shows_bars() -> bool:
    """Return whether progress is shown as bars: on a terminal, unless the command is quiet or lists its steps."""
    return _loudness == 1 and sys.stderr.isatty()


def explain_step(text: str) -> None:
    """Write a step of the work with its time to standard error, if the command is to list them."""
    if _loudness > 1:
        typer.echo(stamp(text), err=True)


def stamp(line: str) -> str:
    """Return a line with the time of day before it."""
    return f"{datetime.now().astimezone():%H:%M:%S} {line}"


def wrong_usage(message: str) -> NoReturn:
    """Write a message to standard error and end with status 2."""
    typer.echo(f"overtrick: {message}", err=True)
    raise typer.Exit(WRONG_USAGE)


def command_line(*words: str | Path) -> str:
    """Return an overtrick command as a line to copy into a shell."""
    return shlex.join(["overtrick", *map(str, words)])


def palette(stream: TextIO, environment: Mapping[str, str] = os.environ) -> "Palette":
    """Return the colours for a stream: on for a terminal that is not dumb and with FORCE_COLOR, never with NO_COLOR."""
    from overtrick.render.terminal import Palette

    if environment.get("NO_COLOR"):
        return Palette(on=False)
    if environment.get("FORCE_COLOR"):
        return Palette(on=True)
    return Palette(on=stream.isatty() and environment.get("TERM") != "dumb")


def emit(document: bytes | str) -> None:
    """Write data to standard output, in UTF-8 on every system. If nobody reads it any more, end with status 141."""
    try:
        sys.stdout.buffer.write(document if isinstance(document, bytes) else document.encode())
        sys.stdout.flush()
    except BrokenPipeError:
        # Otherwise Python would try to write the rest of the buffer again at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(PIPE_CLOSED) from None


@contextmanager
def progress_bar(words: str) -> Iterator[Callable[[int, int], None] | None]:
    """Show a progress bar on standard error if it is a terminal, and remove it at the end.

    Yields:
        A function to call with the number of items done and the number of items; None without a terminal.
    """
    with progress_line() as line:
        yield line(words)


@contextmanager
def progress_line() -> Iterator[Callable[[str], Callable[[int, int], None] | None]]:
    """Show one progress bar on standard error for several kinds of items, if it is a terminal.

    Yields:
        A function that takes the words for a kind of items, and returns a function to call with the number of items
        done and the number of items; None without a terminal.
    """
    if _loudness > 1:
        yield _list_steps()
        return
    if not shows_bars():
        yield lambda _words: None
        return
    with ExitStack() as held:

        @cache
        def open_bar() -> "tuple[Progress, TaskID]":
            # Short work shows no bar, and need not wait for the library.
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

            columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
            bar = held.enter_context(Progress(*columns, console=Console(stderr=True), transient=True))
            return bar, bar.add_task("", visible=False)

        def show_as(words: str) -> Callable[[int, int], None]:
            def show(done: int, total: int) -> None:
                bar, task = open_bar()
                if done == 0:
                    # The time left is that of these items, not of other ones.
                    bar.reset(task)
                bar.update(task, description=words, completed=done, total=total, visible=True)

            return show

        yield show_as


def _list_steps() -> Callable[[str], Callable[[int, int], None]]:
    """Return a function as `progress_line` yields it, which writes a line when a kind of items begins."""
    shown: list[str] = []

    def show_as(words: str) -> Callable[[int, int], None]:
        def show(_done: int, total: int) -> None:
            if shown[-1:] != [words]:
                shown.append(words)
                explain_step(f"{words}: {total:,}")

        return show

    return show_as


@contextmanager
def show_stages() -> Iterator[Callable[[str], Callable[[int, int], None] | None]]:
    """Show the stages of the pipeline as `progress_line` does, which this yields for other kinds of items."""
    from overtrick.pipeline import showing

    def show(words: str, done: int, total: int) -> None:
        if step := line(words):
            step(done, total)

    with progress_line() as line, showing(show, always=_loudness > 1):
        yield line


def tell_joined(session: "Session") -> None:
    """Write to standard error what was put together from several files."""
    from overtrick.render.terminal import make_printable

    for line in session.facts.joined:
        say(make_printable(line))


def finish(
    session: "Session",
    paths: Sequence[str],
    config: Path | None,
    *,
    severities: Sequence[str] = ("error",),
    status: int = 0,
    made: Path | None = None,
) -> NoReturn:
    """Write the problems, their number and the command that shows more to standard error, and end.

    Args:
        session: the session that the command read.
        paths: the files of the session, as the user named them.
        config: the settings file, as the user named it.
        severities: the problems to write.
        status: the exit status if no problem is an error; with an error it is 1.
        made: the file that the command wrote.
    """
    from overtrick.pipeline import source_lines
    from overtrick.render.terminal import format_problems

    sys.stderr.write(format_problems(session, source_lines, palette(sys.stderr), severities))
    is_hidden = not session.problems["severity"].is_in(severities).all()
    written = f"{made}: written\n" if made else ""
    end(session, hint_at_all(session, paths, config, listed=not is_hidden) + written, status=status)


def hint_at_all(session: "Session", paths: Sequence[str], config: Path | None, *, listed: bool) -> str:
    """Return a line with the command that shows all problems; empty if the user has seen them all.

    Args:
        session: the session that the command read.
        paths: the files of the session, as the user named them.
        config: the settings file, as the user named it.
        listed: whether the user has seen a list of problems of all severities, with the repeats folded.
    """
    from overtrick.render.terminal import REPEATS

    again = [*(("--config", str(config)) if config else ()), *paths]
    if not listed:
        return f"To see all problems: {command_line('check', *again)}\n"
    repeats = session.problems.group_by("source", "code").len()["len"]
    if (repeats > REPEATS).any():
        return f"To see all repeats: {command_line('check', '--format', 'json', *again)}\n"
    return ""


def end(session: "Session", more: str, *, status: int = 0) -> NoReturn:
    """Write the number of problems and a last line to standard error, and end with the status due to the problems."""
    from overtrick.problems import has_errors
    from overtrick.render.terminal import format_summary

    if _loudness:
        sys.stderr.write(format_summary(session, palette(sys.stderr)) + more)
    raise typer.Exit(DATA_ERRORS if has_errors(session.problems) else status)
