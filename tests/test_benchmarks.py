"""The benchmarks run; what they measure is nobody's promise."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_reading_comparison_lists_every_reader_and_overtrick_reads_all_boards() -> None:
    command = [sys.executable, "-m", "tests.benchmarks.reading", "--boards", "50", "--runs", "1"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    rows = {line.split()[0]: line.split()[1:] for line in done.stdout.splitlines() if line}
    assert rows.keys() >= {"overtrick", "endplay", "bridgebots"}
    assert rows["overtrick"][0] == "50"
