"""Operations that fail: a disk that is full, a connection that breaks, a file that costs too much."""

import random
import sys
from pathlib import Path

import pytest

from tests.support.anomalies import TRIED, Kind, expect, point_of

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform == "win32", reason="POSIX names of events")]

POINTS = 3
"""Operations of each command that fail here; `python -m tests.support.anomalies` lets each one fail."""


@pytest.mark.parametrize(("name", "kind"), [(name, kind) for name, (_, kinds) in TRIED.items() for kind in kinds])
def test_an_operation_that_fails_is_one_sentence_and_the_next_run_finishes(
    name: str, kind: Kind, tmp_path: Path
) -> None:
    count, expected = expect(name, kind, tmp_path / "expected")
    drawn = random.Random(f"{name} {kind}").sample(range(1, count + 1), min(count, POINTS))
    assert count
    assert [] == [
        line for number in drawn for line in point_of(name, kind, number, tmp_path / str(number), expected)[1]
    ]
