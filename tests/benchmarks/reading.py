"""How fast PBN and LIN are read: this package against endplay and bridgebots, on the same file in the same run.

`python -m tests.benchmarks.reading [--boards 10000] [--format lin]`, from the checkout. Each reader gets
processes of its own and counts the best of its runs; loading its modules is not counted. bridgebots stops at the first
LIN board without a card and is not asked for it. Read a figure next to the control figures of its run: they say what
the machine was worth at that moment.
"""

import argparse
import logging
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Final

import numpy as np

from tests.deals import pbn, random_boards
from tests.lin_boards import lin

WRITERS: Final = {"pbn": pbn, "lin": lin}
MISSING: Final = 3
"""Exit status of a reader that is not installed."""


def overtrick_reader() -> Callable[[Path], int]:
    """Read to frames, every call and card."""
    read = import_module("overtrick.parse").read
    return lambda path: int(read([str(path)]).records.height)


def endplay_reader() -> Callable[[Path], int]:
    """Read to endplay's boards."""
    parsers = {form: import_module(f"endplay.parsers.{form}") for form in WRITERS}

    def count(path: Path) -> int:
        with path.open(encoding="utf-8") as file:
            return len(parsers[path.suffix[1:]].load(file))

    return count


def bridgebots_reader() -> Callable[[Path], int]:
    """Read to bridgebots' deals; it leaves out passed-out boards, and its warnings of that are not printed."""
    parse_pbn = import_module("bridgebots").parse_pbn
    logging.disable()
    return lambda path: sum(len(deal.board_records) for deal in parse_pbn(path))


READERS: Final = {"overtrick": overtrick_reader, "endplay": endplay_reader, "bridgebots": bridgebots_reader}


def read_once(reader: str, path: Path) -> None:
    """Time one reading in this process; prints seconds and the boards that were read."""
    try:
        count = READERS[reader]()
    except ModuleNotFoundError:
        sys.exit(MISSING)
    start = time.perf_counter()
    boards = count(path)
    print(time.perf_counter() - start, boards)


def best_reading(reader: str, path: Path, runs: int) -> tuple[float, int] | None:
    """Give the seconds of the fastest run and the boards that were read; None when the reader is not installed."""
    command = [sys.executable, "-m", "tests.benchmarks.reading", "--read", reader, str(path)]
    readings = []
    for _ in range(runs):
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
        if done.returncode == MISSING:
            return None
        done.check_returncode()
        seconds, boards = done.stdout.split()
        readings.append((float(seconds), int(boards)))
    return min(readings)


def control_figures() -> str:
    """Measure the machine: steps of a plain Python loop and values sorted by numpy, in millions a second."""
    steps = values = 2_000_000
    start = time.perf_counter()
    total = 0
    for step in range(steps):
        total += step
    loop = time.perf_counter() - start
    numbers = np.random.default_rng(0).random(values)
    start = time.perf_counter()
    np.sort(numbers)
    sort = time.perf_counter() - start
    return f"{steps / loop / 1e6:.0f} million loop steps/s, {values / sort / 1e6:.0f} million values sorted/s"


def compare(boards: int, runs: int, form: str) -> None:
    """Make the boards, let every reader read them and print the table."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"boards.{form}"
        path.write_text(WRITERS[form](random_boards(boards)), encoding="utf-8")
        print(f"{boards:,} boards with auction and play, {path.stat().st_size / 1e6:.1f} MB; best of {runs}")
        print(f"{os.cpu_count()} cores; control: {control_figures()}\n")
        print(f"{'reader':12}{'boards read':>12}{'boards/s':>12}  overtrick against it")
        own = 0.0
        for reader in READERS if form == "pbn" else ("overtrick", "endplay"):
            reading = best_reading(reader, path, runs)
            if reading is None:
                print(f"{reader:12}not installed; get it with: pip install -e '.[benchmark]'")
                continue
            seconds, read = reading
            against = f"{seconds / own:.1f} times as fast" if own else ""
            own = own or seconds
            print(f"{reader:12}{read:12,}{read / seconds:12,.0f}  {against}".rstrip())


def main() -> None:
    """Run the comparison, or one reading of it."""
    parser = argparse.ArgumentParser(description="Compare how fast PBN or LIN is read.")
    parser.add_argument("--boards", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--format", choices=WRITERS, default="pbn")
    parser.add_argument("--read", nargs=2, metavar=("READER", "PATH"), help="time one reading in this process")
    options = parser.parse_args()
    if options.read:
        read_once(options.read[0], Path(options.read[1]))
    else:
        compare(options.boards, options.runs, options.format)


if __name__ == "__main__":
    main()
