"""The line on a terminal that shows what a command does, how much of it is done, and how long the rest will take.

It appears when the work lasts longer than a moment, moves ten times a second, and is gone at the end. It is made of
plain characters and carriage returns, so that it looks the same on every terminal. A library for such lines takes
longer to load than most commands run, and its estimate jumps wherever steps take unequal times.
"""

import os
import threading
import time
from bisect import bisect
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Final, TextIO

from overtrick.cli.interrupts import erase_first

_PATIENCE: Final = 0.5
"""Seconds of work before the line appears."""

_EVERY: Final = 0.1
"""Seconds between two looks of the line."""

_BAR: Final = "━─"
"""What is done, and the rest."""

_ASCII_BAR: Final = "#-"
"""The same in an encoding without lines."""

_PLAIN: Final = str.maketrans(_BAR, _ASCII_BAR)

_TURNS: Final = "|/-\\"
"""A sign of life before the line, while a step takes long."""

_WIDEST: Final = 30
_BESIDE_DETAIL: Final = 20
_NARROWEST: Final = 5
"""Columns of a bar."""

_READABLE: Final = 12
"""Columns in which words, or the end of a path, can be understood."""

_LEFT: Final = len("59:55 left")
"""Columns of the time left, so that the bar does not move when a digit comes or goes."""

_RECENT: Final = 20.0
_SHARE: Final = 0.75
"""The rate of the last seconds counts, or of the last share of the time, if that is longer."""

_CALM: Final = 10.0
"""Seconds in which a new estimate takes the place of the one that is shown."""

_FEW: Final = 4
"""Fewer steps than that are no rate."""

_SURE: Final = 1.0
_FIRST: Final = 2
"""Seconds and steps of work before there is an estimate."""


@dataclass
class Work:
    """A kind of items: how many are done, and when.

    Attributes:
        words: what is done with them.
        begun: when, in seconds.
        done: the number of items that are done.
        total: the number of items; 0 if it is not known.
        detail: the item that is next, or what was found so far.
    """

    words: str
    begun: float
    done: int = 0
    total: int = 0
    detail: str = ""
    _steps: list[tuple[float, int]] = field(default_factory=list)
    _left: float | None = None
    _pause: float = 0

    def move(self, now: float, done: int, total: int, detail: str = "") -> None:
        """Take what is done by now."""
        self.done, self.total, self.detail = done, total, detail
        if self._steps and self._steps[-1][1] == done:
            return
        shown = self.seconds_left(now)
        if len(self._steps) > 1 and now - self._steps[-2][0] < _EVERY:
            self._steps.pop()
        self._steps.append((now, done))
        self._estimate(shown)

    def seconds_left(self, now: float) -> float | None:
        """Return how long the rest will take; None as long as that is not known."""
        if self._left is None or now - self.begun < _SURE or len(self._steps) <= _FIRST:
            return None
        # While a step is overdue, the end comes no nearer.
        return max(self._left - min(now - self._steps[-1][0], self._pause), 0)

    def _estimate(self, shown: float | None) -> None:
        """Estimate how long the rest will take after a step, at the rate of late."""
        now, done = self._steps[-1]
        # What was done in the first moment had been done before.
        since = max(now - max(_RECENT, (now - self.begun) * _SHARE), self.begun + _PATIENCE)
        at = max(0, min(bisect(self._steps, (since, 0)), len(self._steps) - 1 - _FEW))
        first, before = self._steps[at]
        if now > first:
            self._pause = (now - first) / (len(self._steps) - 1 - at)
            left = (self.total - done) * (now - first) / (done - before)
            # Some steps that took longer than others do not make the estimate jump.
            weight = min((now - self._steps[-2][0]) / _CALM, 0.5)
            self._left = left if shown is None else shown + (left - shown) * weight


def format_line(work: Work, now: float, columns: int, *, bar: str = _BAR) -> str:
    """Return the line for a kind of items, which fits into the columns of a terminal.

    For example `| Making evenings ━━━━━━━━━━━━────────────────── 12/30  0:40 left`.

    Args:
        work: what is done.
        now: the time in seconds.
        columns: of the terminal.
        bar: the characters for what is done, and for the rest.
    """
    # Many terminals go on to the next line after a character in their last column.
    columns -= 1
    words = f"{_TURNS[int(now * 4) % len(_TURNS)]} {work.words}"
    if not work.total:
        return _join(words, f"  {_format_time(now - work.begun)}", columns)
    width = len(f"{work.total:,}")
    left = work.seconds_left(now)
    count = f"{work.done:>{width},}/{work.total:,}"
    # A time of zero would be a promise.
    rest = "" if left is None else f"{_format_time(max(left, 1))} left"
    room = columns - _width(words) - len(count) - _LEFT - 3
    if room < _NARROWEST:
        return _join(words, f" {count} {rest}".rstrip(), columns)
    length = min(room, _BESIDE_DETAIL if work.detail else _WIDEST)
    full = length * min(work.done, work.total) // work.total
    line = f"{words} {bar[0] * full}{bar[1] * (length - full)} {count} {rest:>{_LEFT}}"
    more = columns - _width(line) - 2
    return f"{line}  {_cut(work.detail, more, end=True)}" if work.detail and more >= _READABLE else line.rstrip()


def _format_time(seconds: float) -> str:
    """Return a time as `0:40` or `1:02:30`; from a minute on in steps of five seconds, which nobody needs finer."""
    whole = round(seconds) if seconds < 60 else round(seconds / 5) * 5
    minutes, seconds = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def _join(words: str, numbers: str, columns: int) -> str:
    """Return words and numbers on one line; on the narrowest of terminals, only words."""
    room = columns - len(numbers)
    return _cut(words, room) + numbers if room >= _READABLE else _cut(words, columns)


def _width(text: str) -> int:
    plain = text.translate(_PLAIN)
    if plain.isascii():
        return len(plain)
    from overtrick.render.terminal import measure_width

    return measure_width(plain)


def _cut(text: str, columns: int, *, end: bool = False) -> str:
    """Return a text that is no wider than some columns: its begin or its end, and dots instead of the rest."""
    if not text.isprintable():
        from overtrick.render.terminal import make_printable

        text = make_printable(text)
    if _width(text) <= columns:
        return text
    while text and _width(text) > columns - len("..."):
        text = text[1:] if end else text[:-1]
    return (f"...{text}" if end else f"{text}...")[: max(columns, 0)]


class WorkLine:
    """Shows work on a terminal, in a thread of its own, until it is stopped."""

    def __init__(self, stream: TextIO, words: str) -> None:
        """Take the terminal, and what is done before the first items are known."""
        self._stream = stream
        self._work = Work(words, time.monotonic())
        self._appears = time.monotonic() + _PATIENCE
        self._shown = 0
        self._said = ""
        self._lock = threading.Lock()
        self._ended = threading.Event()
        # A dumb terminal can't go back to the begin of a line.
        self._is_dumb = os.environ.get("TERM") == "dumb"
        self._bar = _BAR if (stream.encoding or "").lower().startswith("utf") else _ASCII_BAR
        self._thread = threading.Thread(target=self._keep_drawing, daemon=True)

    def start(self) -> None:
        """Begin to show the work as soon as it lasts longer than a moment."""
        self._thread.start()
        erase_first(self.leave)

    def stop(self) -> None:
        """Show nothing any more."""
        erase_first(None)
        self._ended.set()
        self._thread.join()
        self._erase()

    def leave(self) -> str:
        """Return what erases the line, and show nothing any more; another thread may hold everything else."""
        self._ended.set()
        # A drawing that has begun ends soon.
        if self._lock.acquire(timeout=2 * _EVERY):
            self._lock.release()
        # What the terminal itself shows of Ctrl-C is on the line, too.
        shown, self._shown = self._shown + len("^C"), 0
        return "\r" + " " * shown + "\r"

    def show(self, words: str, done: int, total: int, detail: str = "") -> None:
        """Take what is done."""
        now = time.monotonic()
        with self._lock:
            if words != self._work.words or done < self._work.done:
                self._work = Work(words, now)
            self._work.move(now, done, total, detail)

    @contextmanager
    def above(self) -> Iterator[None]:
        """Keep the line away while other lines are written."""
        with self._lock:
            self._erase()
            yield

    def _keep_drawing(self) -> None:
        while not self._ended.wait(_EVERY):
            # A terminal that is gone is no reason to end.
            with suppress(OSError, ValueError):
                self._draw()

    def _draw(self) -> None:
        with self._lock:
            now = time.monotonic()
            if now < self._appears or self._ended.is_set() or not self._work.words:
                return
            if self._is_dumb:
                if self._said != self._work.words:
                    self._said = self._work.words
                    self._write(f"{self._said}\n")
                return
            line = format_line(self._work, now, _columns(self._stream), bar=self._bar)
            width = _width(line)
            self._write("\r" + line + " " * (self._shown - width))
            self._shown = width

    def _erase(self) -> None:
        if self._shown:
            self._write("\r" + " " * self._shown + "\r")
            self._shown = 0

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()


def _columns(stream: TextIO) -> int:
    try:
        return os.get_terminal_size(stream.fileno()).columns or 80
    except (OSError, ValueError):
        return 80
