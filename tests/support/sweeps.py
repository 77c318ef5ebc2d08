"""Broad sweeps: a sample of the combinations each time, and all of them on request."""

import os
from collections.abc import Sequence
from typing import Final, TypeVar

Case = TypeVar("Case")

ALL: Final = os.environ.get("OVERTRICK_SWEEPS") == "1"
"""Whether the tests that sweep over many combinations try all of them."""


def sample(cases: Sequence[Case], every: int) -> list[Case]:
    """Return every n-th case, beginning with the first; all cases if `OVERTRICK_SWEEPS=1`."""
    return [*cases[:: 1 if ALL else every]]


def some(examples: int) -> int:
    """Return the number of generated examples to try: a fifth of them, and all if `OVERTRICK_SWEEPS=1`."""
    return examples if ALL else max(4, examples // 5)
