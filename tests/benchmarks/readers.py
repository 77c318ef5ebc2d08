"""The readers that are compared, each timed in a process of its own.

`python -m tests.benchmarks.readers READER FORM PATH TINY` reads the small file TINY first, so that the time to load the
reader does not count. Then it reads PATH and prints one line of JSON: seconds, boards read, peak memory in megabytes.
"""

import json
import logging
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Final

from tests.support.endplay import import_endplay

MISSING: Final = 3
"""Exit status of a reader that is not installed."""

Count = Callable[[Path], int]


@dataclass(frozen=True)
class Reading:
    """One reading of one file.

    Attributes:
        seconds: the time of the reading alone.
        boards: the number of boards read.
        megabytes: the peak memory of the process.
        start_up: the other seconds of the process: it loads the reader and reads a small file to warm up.
    """

    seconds: float
    boards: int
    megabytes: float
    start_up: float = 0.0


def overtrick_parse(_: str) -> Count:
    """Read every call and card into frames."""
    read = import_module("overtrick.files.assemble").read
    return lambda path: int(read([str(path)]).records.height)


def overtrick_score(_: str) -> Count:
    """Read, check every deal, auction and play by the Laws, and score every result."""
    read = import_module("overtrick.files.assemble").read
    validate = import_module("overtrick.judge.validate").validate
    score, scoring = import_module("overtrick.judge.score").score, import_module("overtrick.core.config").Scoring()
    return lambda path: int(score(validate(read([str(path)])), scoring).records.height)


def endplay_reader(form: str) -> Count:
    """Read into endplay's boards."""
    load = import_endplay(f"endplay.parsers.{form}").load

    def count(path: Path) -> int:
        with path.open(encoding="utf-8") as file:
            return len(load(file))

    return count


def bridgebots_reader(form: str) -> Count:
    """Read into bridgebots' deals. It skips passed-out boards; its warnings about them are not printed."""
    bridgebots = import_module("bridgebots")
    parse = bridgebots.parse_pbn if form == "pbn" else bridgebots.parse_single_lin
    logging.disable()
    return lambda path: sum(len(deal.board_records) for deal in parse(path))


PYTHON: Final[dict[str, Callable[[str], Count]]] = {
    "overtrick": overtrick_parse,
    "overtrick, checked and scored": overtrick_score,
    "endplay": endplay_reader,
    "bridgebots": bridgebots_reader,
}


def reading(reader: str, path: Path, tiny: Path, command: Sequence[str] | None = None) -> Reading | None:
    """Read a file in a process of its own; return None if the reader is not installed.

    Args:
        reader: its name, a key of `PYTHON` without a `command`.
        path: the file.
        tiny: a small file to warm up with.
        command: what runs a reader in another language.
    """
    python = [sys.executable, "-m", "tests.benchmarks.readers", reader, path.suffix[1:]]
    command = [*(command or python), str(path), str(tiny)]
    begun = time.perf_counter()
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    seconds = time.perf_counter() - begun
    if done.returncode == MISSING:
        return None
    done.check_returncode()
    found = Reading(**json.loads(done.stdout))
    return replace(found, start_up=seconds - found.seconds)


def main() -> None:
    """Time one reading in this process."""
    reader, form, path, tiny = sys.argv[1:]
    try:
        count = PYTHON[reader](form)
    except ModuleNotFoundError:
        sys.exit(MISSING)
    count(Path(tiny))
    begun = time.perf_counter()
    boards = count(Path(path))
    seconds = time.perf_counter() - begun
    print(json.dumps(asdict(Reading(seconds, boards, _most_megabytes()))))


def _most_megabytes() -> float:
    """Return the peak memory of this process."""
    try:
        # Other sources start from the peak of the parent process.
        status = Path("/proc/self/status").read_text("utf-8")
    except OSError:
        unit = 1024 * 1024 if sys.platform == "darwin" else 1024
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


if __name__ == "__main__":
    main()
