"""How fast boards are read: this package against others, on the same files in the same run.

Run `python -m tests.benchmarks.reading` from the checkout. It prints a page of tables in Markdown. `--out docs` writes
the page to `speed.md` in that folder, with the charts `speed-pbn.svg`, `speed-lin.svg` and `speed-growth.svg`.
`--readme README.md` replaces the table there. The readers take turns, each run in a process of its own, and the best
run of each reader counts. The control figures show how fast the machine was during the run; look at them before you
compare two runs.
"""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np

from tests.benchmarks.boards import write_boards
from tests.benchmarks.growth import ingest
from tests.benchmarks.languages import FORMS, Foreign, prepare
from tests.benchmarks.readers import PYTHON, Reading, reading
from tests.benchmarks.report import Compared, Grown, growth_picture, growth_table, picture, put_into, summary, table

README: Final = "README.md"
HEAD: Final = """# Speed

`python -m tests.benchmarks.reading` makes this page: all readers read the same files in the same run.
The readers take turns and run three times, slow ones once; boards/s is the best run of each.
Start-up is the time to load the reader and to read a small file.
The two figures after the number of cores show how fast the machine was during this run.
"""
LONG: Final = 20
"""A reader whose runs took this many seconds does not run again: they were long enough to be steady."""


def control_figures() -> str:
    """Measure the machine: steps of a plain Python loop and values sorted by numpy, in millions per second."""
    steps = values = 2_000_000
    begun = time.perf_counter()
    total = 0
    for step in range(steps):
        total += step
    loop = time.perf_counter() - begun
    numbers = np.random.default_rng(0).random(values)
    begun = time.perf_counter()
    np.sort(numbers)
    sort = time.perf_counter() - begun
    return (
        f"Machine: {os.cpu_count()} cores, {steps / loop / 1e6:.0f} million Python loop steps/s,"
        f" {values / sort / 1e6:.0f} million values sorted/s"
    )


def compare(path: Path, tiny: Path, runs: int, foreign: Foreign) -> list[Compared]:
    """Read a file with every reader of its format, overtrick first."""
    readers = [*PYTHON, *(reader for reader in foreign.commands if path.suffix[1:] in FORMS[reader])]
    found: dict[str, list[Reading]] = {reader: [] for reader in readers}
    for _ in range(runs):
        for reader, readings in found.items():
            if sum(one.seconds for one in readings) < LONG:
                one = reading(reader, path, tiny, foreign.commands.get(reader))
                readings.extend([one] if one else [])
    return [Compared(reader, readings) for reader, readings in found.items()]


def page(options: argparse.Namespace, folder: Path) -> Iterator[tuple[str, str]]:
    """Yield name and text of each piece of the output files as it is measured."""
    foreign = prepare(folder, options.rust_library)
    foot = control_figures()
    yield "speed.md", "\n".join([HEAD, *foreign.notes, "", f"{foot}.", ""])
    shown: dict[str, tuple[list[Compared], str]] = {}
    for form in ("pbn", "lin"):
        tiny = write_boards(folder, form, 20)
        for boards in options.boards:
            path = write_boards(folder, form, boards)
            compared = compare(path, tiny, options.runs, foreign)
            title = f"{boards:,} boards with auction and play, {form.upper()}"
            size = f"{path.stat().st_size / 1e6:,.1f} MB"
            yield "speed.md", "\n".join(["", f"## {title}, {size}", "", *table(compared), ""])
            shown[form] = compared, title
        yield f"speed-{form}.svg", picture(*shown[form], foot)
        yield "speed.md", f"\n![The last table as a chart](speed-{form}.svg)\n"
    grown = []
    for boards, workers in ((boards, workers) for boards in options.growth for workers in options.workers):
        grown.append(Grown(workers, ingest(boards, workers)))
        print(f"{boards:,} boards into an archive with {workers} workers", file=sys.stderr)
    if grown:
        yield "speed.md", "\n".join(["", "## Into an archive, checked and scored", "", *growth_table(grown), ""])
        yield "speed-growth.svg", growth_picture(grown, foot)
        yield "speed.md", "\n![Boards per second as the archive grows](speed-growth.svg)\n"
    yield README, summary(shown["pbn"][0], grown, shown["pbn"][1], foot)


def main() -> None:
    """Run the comparison."""
    parser = argparse.ArgumentParser(description="Compare how fast boards are read.")
    parser.add_argument("--boards", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--growth", type=int, nargs="*", default=[100_000, 300_000, 1_000_000, 3_000_000, 10_000_000])
    parser.add_argument("--workers", type=int, nargs="+", default=sorted({1, os.cpu_count() or 1}))
    parser.add_argument("--rust-library", type=Path, help="a local copy of the Rust reader, instead of fetching it")
    parser.add_argument("--out", type=Path, help="the folder for speed.md and its charts")
    parser.add_argument("--readme", type=Path, help="the README whose table is replaced")
    options = parser.parse_args()
    files: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, text in page(options, Path(folder)):
            if name.endswith(".md"):
                print(text, end="", flush=True)
            files[name] = files.get(name, "") + text
    summed = files.pop(README)
    if options.readme:
        put_into(options.readme, summed)
    if options.out:
        options.out.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            (options.out / name).write_text(text, "utf-8")


if __name__ == "__main__":
    main()
