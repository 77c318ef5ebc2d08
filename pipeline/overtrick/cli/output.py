"""What all commands do with their streams: colour where it is wanted, wrong usage told, a reader that left let go."""

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, TextIO

import typer

if TYPE_CHECKING:
    from overtrick.config import Config
    from overtrick.frames import Session
    from overtrick.render.terminal import Palette

DATA_ERRORS = 1
WRONG_USAGE = 2
PUBLISH_FAILED = 3
PIPE_CLOSED = 141


def wrong_usage(message: str) -> NoReturn:
    """Say what can't be done and stop with status 2."""
    typer.echo(f"overtrick: {message}", err=True)
    raise typer.Exit(WRONG_USAGE)


def read_config(path: Path | None) -> "Config":
    """Read the club's settings; wrong usage when they can't be used."""
    from overtrick.config import ConfigError, load_config

    try:
        return load_config(path)
    except ConfigError as error:
        wrong_usage(str(error))


def palette(stream: TextIO, environment: Mapping[str, str] = os.environ) -> "Palette":
    """Choose colours for a stream: only on a terminal, unless FORCE_COLOR is set; never with NO_COLOR or a dumb one."""
    from overtrick.render.terminal import Palette

    if environment.get("NO_COLOR"):
        return Palette(on=False)
    if environment.get("FORCE_COLOR"):
        return Palette(on=True)
    return Palette(on=stream.isatty() and environment.get("TERM") != "dumb")


def emit(document: bytes | str) -> None:
    """Write data to standard output, in UTF-8 on every system; status 141 when nobody reads it any more."""
    try:
        sys.stdout.buffer.write(document if isinstance(document, bytes) else document.encode())
        sys.stdout.flush()
    except BrokenPipeError:
        # What is left in the buffer must not be tried again when the process ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(PIPE_CLOSED) from None


@contextmanager
def progress_bar(words: str) -> Iterator[Callable[[int, int], None] | None]:
    """Show on standard error how much of something is done, where somebody can see it, and leave nothing behind.

    Yields:
        What is to be called with how many are done, of how many; None without a terminal.
    """
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(words, total=None, visible=False)

        def show(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total, visible=True)

        yield show


def finish(
    session: "Session", *, show_errors: bool, severities: Sequence[str] = ("error",), status: int = 0
) -> NoReturn:
    """Count the problems on standard error, below the errors themselves if asked, and stop with the status due.

    `severities` are those that count as worth showing, `status` is due where no problem is an error.
    """
    from overtrick.pipeline import source_lines
    from overtrick.problems import has_errors
    from overtrick.render.terminal import format_problems, format_summary

    colours = palette(sys.stderr)
    errors = format_problems(session, source_lines, colours, severities) if show_errors else ""
    hidden = show_errors and not session.problems["severity"].is_in(severities).all()
    more = "overtrick check says more about the problems\n" if hidden else ""
    sys.stderr.write(errors + format_summary(session, colours) + more)
    raise typer.Exit(DATA_ERRORS if has_errors(session.problems) else status)
