"""The streams of all commands: data and colours on stdout, messages and progress on stderr, and exit statuses."""

import os
import shlex
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, Protocol, TextIO, TypeVar

import typer

if TYPE_CHECKING:
    from overtrick.apps.cli.progress import WorkLine
    from overtrick.core.frames import Session
    from overtrick.core.machine import Show as ShowStages
    from overtrick.show.text.display import Palette

DATA_ERRORS = 1
WRONG_USAGE = 2
PUBLISH_FAILED = 3
OUTPUT_FAILED = 4
PIPE_CLOSED = 141


_loudness = 1
"""0 with --quiet, 2 with --verbose."""

_work: "WorkLine | None" = None
"""The line that shows what is done, while there is one."""

_Item = TypeVar("_Item")


class Show(Protocol):
    """Takes the number of items that are done and of all items (0: unknown), and which one is next."""

    def __call__(self, done: int, total: int, detail: str = "", /) -> None:
        """Show it."""


Line = Callable[[str], Show | None]
"""Takes words for a kind of items, and returns what shows how much is done; None if nobody looks on."""


def set_loudness(*, quiet: bool, verbose: bool) -> None:
    """Set what the command writes to standard error beside problems."""
    if quiet and verbose:
        raise typer.BadParameter("--quiet and --verbose exclude each other", param_hint="--quiet")
    global _loudness  # noqa: PLW0603 - of the whole process, as its streams are
    _loudness = 1 - quiet + verbose


def say(text: str) -> None:
    """Write a line about what was done to standard error, unless the command is to be quiet."""
    if _loudness:
        complain(text)


def complain(text: str) -> None:
    """Write a line about something wrong to standard error, which a quiet command does, too."""
    with _above_work():
        typer.echo(text, err=True)


def explain_step(text: str) -> None:
    """Write a step of the work with its time to standard error, if the command is to list them."""
    if _loudness > 1:
        complain(stamp(text))


def _above_work() -> AbstractContextManager[None]:
    """Keep the line that shows the work away while something is written."""
    return _work.above() if _work else nullcontext()


def stamp(line: str) -> str:
    """Return a line with the time of day before it."""
    return f"{datetime.now().astimezone():%H:%M:%S} {line}"


def wrong_usage(message: str) -> NoReturn:
    """Write a message to standard error and end with status 2."""
    complain(f"overtrick: {message}")
    raise typer.Exit(WRONG_USAGE)


def publish_failed(message: str) -> NoReturn:
    """Write why publishing failed to standard error and end with status 3."""
    complain(f"overtrick: {message}")
    raise typer.Exit(PUBLISH_FAILED)


def command_line(*words: str | Path) -> str:
    """Return an overtrick command as a line to copy into a shell."""
    return shlex.join(["overtrick", *map(str, words)])


def write_file(path: Path, content: bytes) -> None:
    """Replace a file. If it can't be written, say so and end with status 2."""
    from overtrick.core.atomic_write import replace_file
    from overtrick.core.machine import explain_failure

    with explain_failure(path, wrong_usage):
        replace_file(path, content)


def count_items(items: Sequence[_Item], show: Show | None, name: Callable[[_Item], str] = str) -> Iterator[_Item]:
    """Yield items, and show the name of the one that is next."""
    for number, item in enumerate(items):
        if show:
            show(number, len(items), name(item))
        yield item


def palette(stream: TextIO, environment: Mapping[str, str] = os.environ) -> "Palette":
    """Return the colours for a stream: on for a terminal that is not dumb and with FORCE_COLOR, never with NO_COLOR."""
    from overtrick.show.text.display import Palette

    if environment.get("NO_COLOR"):
        return Palette(on=False)
    if environment.get("FORCE_COLOR"):
        return Palette(on=True)
    return Palette(on=stream.isatty() and environment.get("TERM") != "dumb")


def emit(document: bytes | str) -> None:
    """Write data to standard output, in UTF-8 on every system. If it takes no more, end with the status for that."""
    try:
        with _above_work():
            sys.stdout.buffer.write(document if isinstance(document, bytes) else document.encode())
            sys.stdout.flush()
    except OSError as error:
        raise typer.Exit(close_output(error)) from None


def close_output(error: OSError) -> int:
    """Close standard output, which takes no more, and return the status to end with.

    A reader that closes its end of a pipe has seen enough, so nothing is said about that.
    """
    # Otherwise Python would try to write the rest of the buffer again at its end.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if isinstance(error, BrokenPipeError):
        return PIPE_CLOSED
    complain(f"overtrick: cannot write to standard output: {error.strerror}")
    return OUTPUT_FAILED


@contextmanager
def show_work(words: str) -> Iterator[Line]:
    """Show what the command does, how far it is, and how long it will take, while this is open.

    On a terminal that is a line, which appears when the work lasts longer than a moment, and is gone at the end. With
    --verbose each kind of items is a line with its time. A quiet command and one without a terminal show nothing.

    Args:
        words: the work before the first items are known.
    """
    global _work  # noqa: PLW0603 - of the whole process, as its terminal is
    if _loudness > 1:
        yield _list_steps()
        return
    if not (_loudness and sys.stderr.isatty()):
        yield lambda _words: None
        return
    from overtrick.apps.cli.progress import WorkLine

    line = WorkLine(sys.stderr, words)
    line.start()
    _work = line
    try:
        yield lambda words: partial(line.show, words)
    finally:
        _work = None
        line.stop()


def _list_steps() -> Line:
    """Return what writes a line when a kind of items begins, and one for each item with a name."""
    shown: list[str] = []

    def show(words: str, done: int, total: int, detail: str = "") -> None:
        if shown[-1:] != [words + detail]:
            shown.append(words + detail)
            counts = f"{min(done + 1, total):,} of {total:,}, {detail}" if detail else f"{total:,}" if total else ""
            explain_step(f"{words}: {counts}" if counts else words)

    return lambda words: partial(show, words)


def stages_on(line: Line, words: str = "Reading") -> "ShowStages":
    """Return what shows the stages of the pipeline on the line of `show_work`; `show_nothing` where nobody looks on."""
    from overtrick.core.machine import show_nothing

    if line(words) is None:
        return show_nothing

    def show(words: str, done: int, total: int) -> None:
        if step := line(words):
            step(done, total)

    return show


def tell_joined(*sessions: "Session") -> None:
    """Write to standard error what was put together from several files."""
    from overtrick.show.text.display import make_printable

    for line in (line for session in sessions for line in session.facts.joined):
        say(make_printable(line))


def finish(
    session: "Session",
    paths: Sequence[str],
    config: Path | None,
    *,
    severities: Sequence[str] = ("error",),
    status: int = 0,
    made: str = "",
) -> NoReturn:
    """Write the problems, their number and the command that shows more to standard error, and end.

    Args:
        session: the session that the command read.
        paths: the files of the session, as the user named them.
        config: the settings file, as the user named it.
        severities: the problems to write.
        status: the exit status if no problem is an error; with an error it is 1.
        made: what the command made.
    """
    from overtrick.files.formats.text import source_lines
    from overtrick.show.text.display import format_problems

    sys.stderr.write(format_problems(session, source_lines, palette(sys.stderr), severities))
    is_hidden = not session.problems["severity"].is_in(severities).all()
    last = f"{made}\n" if made else ""
    end(session, hint_at_all(session, paths, config, listed=not is_hidden) + last, status=status)


def hint_at_all(session: "Session", paths: Sequence[str], config: Path | None, *, listed: bool) -> str:
    """Return a line with the command that shows all problems; empty if the user has seen them all.

    Args:
        session: the session that the command read.
        paths: the files of the session, as the user named them.
        config: the settings file, as the user named it.
        listed: whether the user has seen a list of problems of all severities, with the repeats folded.
    """
    from overtrick.show.text.display import REPEATS

    again = [*(("--config", str(config)) if config else ()), *paths]
    if not listed:
        return f"To see all problems: {command_line('check', *again)}\n"
    repeats = session.problems.group_by("source", "code", "hint").len()["len"]
    if (repeats > REPEATS).any():
        return f"To see all repeats: {command_line('check', '--format', 'json', *again)}\n"
    return ""


def end(session: "Session", more: str, *, status: int = 0) -> NoReturn:
    """Write the number of problems and a last line to standard error, and end with the status due to the problems."""
    from overtrick.core.problems import has_errors
    from overtrick.show.text.display import format_summary

    if _loudness:
        sys.stderr.write(format_summary(session, palette(sys.stderr)) + more)
    raise typer.Exit(DATA_ERRORS if has_errors(session.problems) else status)
