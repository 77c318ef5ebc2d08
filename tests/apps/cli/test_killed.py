"""Every command that writes is killed with SIGKILL at random moments: outputs stay whole, and the next run finishes.

`OVERTRICK_KILLS` sets the number of kills of each command.
"""

import shutil
import sys
from pathlib import Path

import pytest

from tests.support.jobs import JOBS, outcome
from tests.support.killing import EVENINGS, KILLS, hidden, kill, run_to_end
from tests.support.sites import differing

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signal")]


@pytest.mark.parametrize("name", JOBS)
@pytest.mark.sweep(2)
def test_a_killed_command_leaves_whole_outputs_and_the_next_run_finishes_it(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    job = JOBS[name]
    expected, killed = tmp_path / "expected", tmp_path / "killed"
    job.prepare(expected)
    shutil.copytree(expected, killed)
    seconds = run_to_end(job, expected)
    for turn in range(KILLS):
        kill(job, killed, seconds, group=turn % 2 == 0)
        assert [] == job.whole(killed)
    run_to_end(job, killed)
    assert [] == hidden(killed, job.outputs)
    assert [] == differing(outcome(job, expected), outcome(job, killed))
    if name in {"watch", "season"}:
        assert EVENINGS == len([*(killed / job.outputs[0]).glob("*/index.html")])
