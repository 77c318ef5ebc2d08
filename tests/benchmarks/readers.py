"""The readers that are compared, each timed in a process of its own.

`python -m tests.benchmarks.readers READER FORM PATH TINY` reads TINY first, so that what is loaded once is not counted,
then PATH, and prints one line of JSON: seconds, boards that were read, and the most megabytes the process has held.
"""

import json
import logging
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Final

MISSING: Final = 3
"""Exit status of a reader that is not installed."""

Count = Callable[[Path], int]


@dataclass(frozen=True)
class Reading:
    """One reading of one file.

    Attributes:
        seconds: that it took.
        boards: that were read.
        megabytes: the most that the process has held.
        start_up: seconds of the process beside these: loading the reader, and reading a small file to warm up.
    """

    seconds: float
    boards: int
    megabytes: float
    start_up: float = 0.0


def overtrick_parse(_: str) -> Count:
    """Read to frames, every call and card."""
    read = import_module("overtrick.assemble").read
    return lambda path: int(read([str(path)]).records.height)


def overtrick_score(_: str) -> Count:
    """Read, check and score: the same, then the Laws for every deal, auction and play, and points for every result."""
    read = import_module("overtrick.assemble").read
    validate = import_module("overtrick.validate").validate
    score, scoring = import_module("overtrick.score").score, import_module("overtrick.config").Scoring()
    return lambda path: int(score(validate(read([str(path)])), scoring).records.height)


def endplay_reader(form: str) -> Count:
    """Read to endplay's boards."""
    load = import_module("overtrick.analyse.solver").import_endplay(f"endplay.parsers.{form}").load

    def count(path: Path) -> int:
        with path.open(encoding="utf-8") as file:
            return len(load(file))

    return count


def bridgebots_reader(form: str) -> Count:
    """Read to bridgebots' deals; it leaves out passed-out boards, and its warnings of that are not printed."""
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
NODE: Final = "pbn (npm)"
FORMS: Final = {**dict.fromkeys(PYTHON, ("pbn", "lin")), NODE: ("pbn",)}
"""By reader, the forms of files that it reads."""


def reading(reader: str, path: Path, tiny: Path, packages: Path | None) -> Reading | None:
    """Read a file in a process of its own; None when the reader is not installed.

    Args:
        reader: a key of `FORMS`.
        path: the file.
        tiny: a small one to warm up.
        packages: the folder of node's packages, where pbn is installed.
    """
    if reader == NODE:
        if packages is None:
            return None
        command = ["node", str(Path(__file__).with_name("pbn.js")), str(packages), str(path), str(tiny)]
    else:
        command = [sys.executable, "-m", "tests.benchmarks.readers", reader, path.suffix[1:], str(path), str(tiny)]
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
    """Give the most memory that this process has held."""
    try:
        # What is told elsewhere begins with what the process that started it held.
        told = Path("/proc/self/status").read_text("utf-8")
    except OSError:
        unit = 1024 * 1024 if sys.platform == "darwin" else 1024
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit
    return int(told.partition("VmHWM:")[2].split()[0]) / 1024


if __name__ == "__main__":
    main()
