"""Who is publishing: the journal of a run names it, so that another one leaves the target to it."""

import json
import os
import platform
import time
from dataclasses import dataclass, field
from typing import Final

GIVEN_UP: Final = 600.0
"""Seconds without a word of a run after which it counts as cut."""


@dataclass(frozen=True)
class Run:
    """A run, as it was heard of last.

    Attributes:
        machine: the computer that it runs on.
        process: its number there.
        heard: when, in seconds since 1970.
    """

    machine: str = field(default_factory=platform.node)
    process: int = field(default_factory=os.getpid)
    heard: float = field(default_factory=time.time)

    def is_under_way(self) -> bool:
        """Say whether it may go on: not if its process has ended, nor if nothing was heard of it for long.

        A run of this very process is over, for there is one at a time. What was heard at a time to come, by a clock
        that is wrong, counts as long ago.
        """
        if self.machine == platform.node() and (self.process == os.getpid() or _has_ended(self.process)):
            return False
        return abs(time.time() - self.heard) < GIVEN_UP

    def __str__(self) -> str:
        """Tell it from others."""
        return f"on {self.machine}, heard of at {time.strftime('%H:%M', time.localtime(self.heard))}"


def read_run(journal: bytes) -> Run | None:
    """Read which run a journal is of; None where it doesn't say."""
    try:
        run = json.loads(journal)["run"]
        return Run(str(run["machine"]), int(run["process"]), float(run["heard"]))
    except (ValueError, KeyError, TypeError, RecursionError, OverflowError):
        return None


def _has_ended(process: int) -> bool:
    # Elsewhere asking ends the process.
    if os.name != "posix" or process <= 0:
        return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    except (PermissionError, OverflowError):
        return False
    return False
