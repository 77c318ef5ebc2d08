"""Ctrl-C: every command ends within a second, with one line and status 130."""

import os
import signal
import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import Final

# Python hears of an interrupt only between two of its own steps, and a library may work for minutes in one of them. So
# a thread hears of it too: it prints the line, waits a moment for the command to end by itself, and then ends the
# process. Outputs stay whole, as after any other sudden end.
# A library may swallow the interrupt, print it, or make another error of it. Whatever a command ends with after an
# interrupt was heard is therefore the interrupt's doing.

INTERRUPTED: Final = 130

_GRACE: Final = 0.5
"""Seconds that a command has to end by itself."""

_said = threading.Lock()
_heard = threading.Event()

_erase: Callable[[], str] | None = None
"""Returns what erases the line that shows the work, if there is one."""


def erase_first(erase: Callable[[], str] | None) -> None:
    """Set what returns the characters that erase a line on the terminal, before an interruption is reported."""
    global _erase  # noqa: PLW0603 - of the whole process, as its terminal is
    _erase = erase


def catch_interrupts() -> None:
    """Prepare the process for interrupts, unless they are ignored, as in a shell's background jobs.

    Without POSIX signals, an interrupt waits for the current step to end.
    """
    if os.name != "posix" or signal.getsignal(signal.SIGINT) != signal.default_int_handler:
        return
    signal.signal(signal.SIGINT, _raise_interrupt)
    sys.unraisablehook = _leave_out_interrupts
    heard, heard_by = os.pipe()
    for end in (heard, heard_by):
        os.set_blocking(end, end == heard)
    signal.set_wakeup_fd(heard_by, warn_on_full_buffer=False)
    threading.Thread(target=_end_after_interrupt, args=(heard,), daemon=True).start()


def _raise_interrupt(_number: int, _frame: FrameType | None) -> None:
    _heard.set()
    raise KeyboardInterrupt


def _leave_out_interrupts(ignored: "sys.UnraisableHookArgs") -> None:
    if not _heard.is_set():
        sys.__unraisablehook__(ignored)


def is_interrupted(error: BaseException) -> bool:
    """Return whether what a command ended with is an interrupt's doing."""
    if isinstance(error, SystemExit):
        return error.code == INTERRUPTED
    return isinstance(error, KeyboardInterrupt) or _heard.is_set()


def _end_after_interrupt(heard: int) -> None:
    while os.read(heard, 1) != bytes([signal.SIGINT]):
        # Another signal, which Python handles.
        pass
    say_interrupted()
    threading.Event().wait(_GRACE)
    os._exit(INTERRUPTED)


def say_interrupted() -> None:
    """Print that the command was interrupted, once."""
    if _said.acquire(blocking=False):
        # Not through `sys.stderr`, which the main thread may be using.
        erased = _erase() if _erase else "\r" if sys.stderr.isatty() else ""
        os.write(2, f"{erased}overtrick: interrupted\n".encode())
