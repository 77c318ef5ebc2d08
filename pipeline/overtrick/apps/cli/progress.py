"""The line on a terminal that shows what a command does, how much of it is done, and how long the rest will take.

It appears when the work lasts longer than a moment, for which rich is loaded, and is gone at the end.
"""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, Final, TextIO

from overtrick.apps.cli.interrupts import erase_first

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn, Task

_PATIENCE: Final = 0.5
"""Seconds of work before the line appears."""

_EVERY: Final = 0.1
"""Seconds between two looks of the line."""

_WIDE: Final = 60
"""Columns that have room for more than the numbers."""

_BESIDE: Final = 16
"""Columns for a short bar, the time and the spaces between."""

_ERASE: Final = "\r\x1b[2K\x1b[?25h"
"""Erases the line and shows the cursor."""


class WorkLine:
    """Shows work on a terminal, in a thread of its own, until it is stopped."""

    def __init__(self, stream: TextIO, words: str) -> None:
        """Take the terminal, and what is done before the first items are known."""
        self._stream = stream
        self._now = (words, 0, 0, "")
        self._said = ""
        self._shown: Progress | None = None
        self._lock = threading.Lock()
        self._ended = threading.Event()

    def start(self) -> None:
        """Begin to show the work as soon as it lasts longer than a moment."""
        erase_first(self.leave)
        threading.Thread(target=self._keep_drawing, daemon=True).start()

    def stop(self) -> None:
        """Show nothing any more."""
        self._ended.set()
        with self._lock:
            if self._shown:
                self._shown.stop()
        erase_first(None)

    def leave(self) -> str:
        """Return what erases the line, and show nothing any more; another thread may hold everything else."""
        self._ended.set()
        # A drawing that has begun ends soon.
        if self._lock.acquire(timeout=2 * _EVERY):
            self._lock.release()
        shown, self._shown = self._shown, None
        return _ERASE if shown else "\r"

    def show(self, words: str, done: int, total: int, detail: str = "") -> None:
        """Take what is done."""
        self._now = (words, done, total, detail)

    @contextmanager
    def above(self) -> Iterator[None]:
        """Keep the line away while other lines are written."""
        with self._lock:
            if self._shown:
                self._shown.stop()
            yield
            if self._shown:
                self._shown.start()

    def _keep_drawing(self) -> None:
        if self._ended.wait(_PATIENCE):
            return
        from rich.console import Console
        from rich.progress import Progress

        alone = partial(Progress, auto_refresh=False, redirect_stdout=False, redirect_stderr=False)
        # An estimate needs several steps, and an evening may take minutes.
        progress = alone(console=Console(file=self._stream), transient=True, expand=True, speed_estimate_period=600)
        # A command goes on when its terminal has closed.
        with suppress(OSError, ValueError):
            while not self._ended.wait(_EVERY):
                with self._lock:
                    if not self._ended.is_set():
                        self._draw(progress)

    def _draw(self, progress: "Progress") -> None:
        words, done, total, detail = self._now
        words, detail, console = _printable(words), _printable(detail), progress.console
        if not console.is_interactive:
            # A dumb terminal can't go back to the begin of a line.
            if words != self._said:
                console.out(words, highlight=False)
            self._said = words
            return
        with suppress(OSError, ValueError):
            # What the terminal itself shows of Ctrl-C is on the line, too.
            console.width = max((os.get_terminal_size(self._stream.fileno()).columns or 80) - len("^C"), 1)
        task = next((task for task in progress.tasks if _goes_on(task, words, done, total)), None)
        if task:
            progress.update(task.id, completed=done, total=total or None, detail=detail)
        else:
            for ended in progress.task_ids:
                progress.remove_task(ended)
            progress.columns = _choose_columns(console.width, total)
            progress.add_task(words, completed=done, total=total or None, detail=detail)
        self._shown = progress
        progress.start()
        progress.refresh()


def _goes_on(task: "Task", words: str, done: int, total: int) -> bool:
    """Return whether a task of the line is the one that is done now, and not another one of the same words."""
    return task.description == words and task.completed <= done and bool(task.total) == bool(total)


def _choose_columns(width: int, total: int) -> "tuple[ProgressColumn, ...]":
    """Return the parts of the line, for example `| Making evenings ━━━━━━━━━━━━━━━━━━━━ 12/30 00:40 left`."""
    from rich import progress
    from rich.spinner import Spinner
    from rich.table import Column

    whole, rest = Column(no_wrap=True), Column(no_wrap=True, ratio=1)
    cut = Column(no_wrap=True, max_width=width - _BESIDE - len(f"{total}{total}"))
    words = progress.TextColumn("{task.description}", markup=False, table_column=cut)
    # A SpinnerColumn would come to rest with the last item.
    begin = progress.RenderableColumn(Spinner("line"), table_column=whole), words
    if not total:
        return *begin, progress.TimeElapsedColumn(table_column=rest)
    bar, count = progress.BarColumn(None, table_column=rest), progress.MofNCompleteColumn(table_column=whole)
    time = progress.TimeRemainingColumn(compact=True, table_column=whole)
    left = progress.TextColumn("left  {task.fields[detail]}", markup=False, table_column=rest)
    return *begin, bar, count, time, *((left,) if width >= _WIDE else ())


def _printable(text: str) -> str:
    return "".join(character if character.isprintable() else "\ufffd" for character in text)
