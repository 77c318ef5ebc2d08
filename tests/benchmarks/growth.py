"""How fast an archive takes in boards.

`python -m tests.benchmarks.growth BOARDS WORKERS` makes files of 10,000 boards, each of another day, and ingests them
in a single run. It prints a line of JSON: seconds, boards, and the peak memory of its largest process in megabytes.
"""

import json
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict
from datetime import date, timedelta
from pathlib import Path

from tests.benchmarks.boards import DIFFERENT, texts
from tests.benchmarks.readers import Reading
from tests.support.deals import DATE


def ingest(boards: int, workers: int) -> Reading:
    """Ingest this many boards in a process of its own."""
    command = [sys.executable, "-m", "tests.benchmarks.growth", str(boards), str(workers)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return Reading(**json.loads(done.stdout))


def write_files(folder: Path, boards: int, skipped: int = 0) -> None:
    """Write so many boards to files of 10,000 in a new folder, each of a day of its own; those skipped come before."""
    folder.mkdir()
    for number, text in enumerate(texts("pbn", skipped + boards)):
        if number * DIFFERENT >= skipped:
            day = date(2000, 1, 1) + timedelta(number)
            (folder / f"{number:05}.pbn").write_text(text.replace(DATE, f"{day:%Y.%m.%d}"), "utf-8")


def main() -> None:
    """Ingest once."""
    boards, workers = map(int, sys.argv[1:])
    with tempfile.TemporaryDirectory() as folder:
        files = Path(folder) / "files"
        write_files(files, boards)
        command = [sys.executable, "-c", "from overtrick.apps.cli import main; main()", "ingest", str(files)]
        begun = time.perf_counter()
        subprocess.run(
            [*command, "--archive", f"{folder}/archive", "--workers", str(workers)], check=True, capture_output=True
        )
        seconds = time.perf_counter() - begun
    most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(json.dumps(asdict(Reading(seconds, boards, most))))


if __name__ == "__main__":
    main()
