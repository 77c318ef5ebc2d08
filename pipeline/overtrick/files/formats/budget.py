"""What one file may cost, whatever its format: a few bytes can stand for gigabytes.

Every file has one, and of a text of games, which may have any length, every part that its reader yields; the size of
small texts that are read together (`base.LONGEST`) bounds what they cost. A reader asks before it builds:
`spend("elements")` for one more element of XML, `spend("characters", 40)` for a text of 40 letters that a cell refers
to. What the file may not cost ends its reading, in `formats.read`, with one problem.
"""

from collections import Counter
from collections.abc import Callable
from contextvars import ContextVar
from time import thread_time
from typing import Final, Literal, TypeVar

from overtrick.core.problems import Finding
from overtrick.files.formats.base import Reading, nothing_but

_Part = TypeVar("_Part", bound=Reading | None)

Kind = Literal["bytes", "documents", "elements", "depth", "cells", "characters", "seconds"]

MOST: Final[dict[Kind, tuple[int, str]]] = {
    "bytes": (64 * 1024 * 1024, "it holds more than {most} bytes"),
    "documents": (1000, "it holds more than {most} documents"),
    "elements": (1_000_000, "it has more than {most} elements"),
    "depth": (40, "its elements are more than {most} deep"),
    "cells": (10_000_000, "a sheet spans more than {most} cells"),
    "characters": (32 * 1024 * 1024, "its cells hold more than {most} characters"),
    "seconds": (120, "reading it takes more than {most} seconds"),
}
"""How much of each kind a file may cost, and the words for more. A congress takes a tenth of it, and two seconds."""


class OverBudgetError(Exception):
    """A file costs more than a reader can pay; the message says of what."""


class Budget:
    """What is left for one file: bytes unpacked, rows and cells built, elements of XML, seconds of the processor."""

    def __init__(self) -> None:
        self._spent: Counter[Kind] = Counter()
        self._began = thread_time()

    def spend(self, kind: Kind, amount: int = 1) -> None:
        """Take something from what is left.

        Raises:
            OverBudgetError: there is not so much left.
        """
        self._spent[kind] += amount
        self.need(kind, self._spent[kind])
        self.need("seconds", int(thread_time() - self._began))

    def need(self, kind: Kind, amount: int) -> None:
        """Ask for something that is given back, such as the depth of an element or the memory of a sheet.

        Raises:
            OverBudgetError: the budget has less.
        """
        most, words = MOST[kind]
        if amount > most:
            raise OverBudgetError(words.format(most=f"{most:,}"))


_BUDGET: ContextVar[Budget | None] = ContextVar("budget", default=None)


def current() -> Budget:
    """Return the budget of the file that is being read."""
    return _BUDGET.get() or Budget()


def work_within(work: Callable[[], _Part]) -> _Part | Reading:
    """Read something with a budget of its own, a file or the next part of a text; report it if it costs too much."""
    budget = Budget()
    token = _BUDGET.set(budget)
    try:
        part = work()
        if part is not None:
            budget.spend("seconds", 0)
    except OverBudgetError as error:
        return nothing_but([Finding("file-refused/bounds", 1, 1, values={"reason": str(error)})])
    finally:
        _BUDGET.reset(token)
    return part
