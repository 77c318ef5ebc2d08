"""What 100 KB can cost at most, whatever the format and whatever is in them."""

import random
import signal
import sys
from pathlib import Path
from types import FrameType

import pytest

from overtrick.core.config import Config
from tests.support.evaluating import evaluate
from tests.support.everything import all_files
from tests.support.sweeps import ALL
from tests.support.worst_files import worst_files

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="memory is measured as Linux tells it"),
]

MEMORY = 500
"""Megabytes that reading, checking and scoring a file may take beside what the process has already."""
HANGS = 60
"""Seconds of the processor after which a file counts as one that never ends."""
TRIED = 1
"""Files that each sound one grows into here; all with `OVERTRICK_SWEEPS=1`."""


def memory(name: str) -> int:
    status = Path("/proc/self/status").read_text().split()
    return int(status[status.index(f"{name}:") + 1]) // 1024


def never_ends(_number: int, _frame: FrameType | None) -> None:
    raise TimeoutError(f"not read in {HANGS} seconds of the processor")


@pytest.mark.parametrize("name", all_files())
@pytest.mark.skipif(sys.platform != "linux", reason="timers of the processor")
def test_a_small_file_costs_little(name: str, tmp_path: Path) -> None:
    grown = [*worst_files(name)]
    for kind, content in grown if ALL else random.Random(name).sample(grown, TRIED):
        path = tmp_path / name
        path.write_bytes(content)
        Path("/proc/self/clear_refs").write_text("5")
        before = memory("VmRSS")
        signal.signal(signal.SIGPROF, never_ends)
        signal.setitimer(signal.ITIMER_PROF, HANGS)
        try:
            evaluate([str(path)], Config())
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        assert MEMORY > memory("VmHWM") - before, kind


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("two-rooms.lin", "many b'!'"),
        ("salliere.csv", "line 3 counted"),
        ("typed-evening.csv", "line 5 counted"),
        ("butler-evening.pbn", "line 2 counted"),
        # Pairs without points on one side: this one ended in a traceback.
        ("jannersten-results.txt", "line 2 mixed"),
    ],
)
def test_what_once_cost_gigabytes_or_ended_in_a_traceback_does_not(name: str, kind: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(dict(worst_files(name))[kind])
    Path("/proc/self/clear_refs").write_text("5")
    before = memory("VmRSS")
    evaluate([str(path)], Config())
    assert MEMORY > memory("VmHWM") - before
