"""How fast boards are read: this package against others, on the same files in the same run.

`python -m tests.benchmarks.reading`, from the checkout, prints a page of tables in Markdown; `--out DIR` writes it to
`speed.md` there, with a picture for each form, `speed-pbn.svg` and `speed-lin.svg`. Each reader gets processes of its
own and counts the best of its runs; loading its modules is told apart. Read a figure next to the control figures of its
run: they say what the machine was worth at that moment.
"""

import argparse
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

import numpy as np

from tests.benchmarks.boards import write_boards
from tests.benchmarks.chart import bars
from tests.benchmarks.growth import ingest
from tests.benchmarks.readers import FORMS, NODE, Reading, reading, start_up

NPM_PACKAGE: Final = "pbn@1.6.1"
ONCE: Final = 100_000
"""Boards from which on a reader has one run only: it takes long enough to be steady."""


@dataclass(frozen=True)
class Compared:
    """What one reader made of one file, and how it compares with ours that only parses."""

    reader: str
    reading: Reading | None
    ratio: float | None


def control_figures() -> str:
    """Measure the machine: steps of a plain Python loop and values sorted by numpy, in millions a second."""
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
        f"{os.cpu_count()} cores; control: {steps / loop / 1e6:.0f} million loop steps/s,"
        f" {values / sort / 1e6:.0f} million values sorted/s"
    )


def node_packages(folder: Path) -> Path | None:
    """Install npm's pbn into a folder; None where node or the registry is not there."""
    if not (shutil.which("npm") and shutil.which("node")):
        return None
    done = subprocess.run(
        ["npm", "install", "--silent", "--no-fund", "--no-audit", "--prefix", str(folder), NPM_PACKAGE],
        capture_output=True,
        check=False,
    )
    return folder / "node_modules" if done.returncode == 0 else None


def compare(path: Path, tiny: Path, runs: int, packages: Path | None) -> list[Compared]:
    """Let every reader of its form read a file; ours first."""
    found: list[Compared] = []
    for reader in (reader for reader, forms in FORMS.items() if path.suffix[1:] in forms):
        readings = [reading(reader, path, tiny, packages) for _ in range(runs)]
        best = min((one for one in readings if one), key=lambda one: one.seconds, default=None)
        own = found[0].reading if found else None
        found.append(Compared(reader, best, best.seconds / own.seconds if own and best else None))
    return found


def table(compared: Sequence[Compared]) -> Iterator[str]:
    """Write what the readers made of one file as a table."""
    yield "| reader | boards read | boards/s | most memory | time against overtrick |"
    yield "|---|--:|--:|--:|--:|"
    for one in compared:
        if one.reading is None:
            yield f"| {one.reader} | not installed | | | |"
            continue
        boards, rate = one.reading.boards, one.reading.boards / one.reading.seconds
        ratio = f"{one.ratio:.1f}" if one.ratio else ""
        yield f"| {named(one.reader)} | {boards:,} | {rate:,.0f} | {one.reading.megabytes:,.0f} MB | {ratio} |"


def named(reader: str) -> str:
    """Name a reader with its version."""
    try:
        return f"{reader} {version(reader)}"
    except PackageNotFoundError:
        return f"{reader} {NPM_PACKAGE.partition('@')[2]}" if reader == NODE else reader


def picture(compared: Sequence[Compared], title: str, foot: str) -> str:
    """Draw what the readers made of one file."""
    rows = []
    for one in compared:
        if one.reading:
            rate = one.reading.boards / one.reading.seconds
            against = f", {one.ratio:.1f} times the time" if one.ratio else ""
            rows.append((one.reader, rate, f"{rate:,.0f}/s{against}"))
    return bars(title, rows, foot)


def page(options: argparse.Namespace, folder: Path) -> Iterator[tuple[str, str]]:
    """Give the files of the comparison in pieces, name and text, as they are measured."""
    packages = node_packages(folder)
    foot = control_figures()
    yield "speed.md", f"# How fast boards are read\n\n{foot}.\n"
    tiny = {form: write_boards(folder, form, 20) for form in ("pbn", "lin")}
    for form, small in tiny.items():
        for boards in options.boards:
            path = write_boards(folder, form, boards)
            compared = compare(path, small, 1 if boards >= ONCE else options.runs, packages)
            size = f"{path.stat().st_size / 1e6:,.1f} MB"
            title = f"{boards:,} boards with auction and play, {form.upper()}, {size}"
            yield "speed.md", "\n".join(["", f"## {title}", "", *table(compared), ""])
            yield f"speed-{form}.svg", picture(compared, title, foot)
    yield "speed.md", "\n## From start to end of a process that reads 20 boards\n\n| reader | seconds |\n|---|--:|\n"
    for reader in (reader for reader in FORMS if reader != NODE or packages):
        yield "speed.md", f"| {named(reader)} | {start_up(reader, tiny['pbn'], packages):.2f} |\n"
    if options.growth:
        head = "| boards | workers | seconds | boards/s | most memory of a process |\n|--:|--:|--:|--:|--:|\n"
        yield "speed.md", f"\n## Into an archive: read, checked, scored and stored\n\n{head}"
    for boards, workers in ((boards, workers) for boards in options.growth for workers in options.workers):
        grown = ingest(boards, workers)
        rate = f"{boards / grown.seconds:,.0f} | {grown.megabytes:,.0f} MB"
        yield "speed.md", f"| {boards:,} | {workers} | {grown.seconds:,.1f} | {rate} |\n"


def main() -> None:
    """Run the comparison."""
    parser = argparse.ArgumentParser(description="Compare how fast boards are read.")
    parser.add_argument("--boards", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--growth", type=int, nargs="*", default=[100_000, 300_000, 1_000_000, 3_000_000])
    parser.add_argument("--workers", type=int, nargs="+", default=[1, os.cpu_count() or 1])
    parser.add_argument("--out", type=Path, help="the folder for speed.md and its pictures")
    options = parser.parse_args()
    files: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, text in page(options, Path(folder)):
            if name.endswith(".md"):
                print(text, end="", flush=True)
            files[name] = files.get(name, "") + text if name.endswith(".md") else text
    if options.out:
        options.out.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            (options.out / name).write_text(text, "utf-8")


if __name__ == "__main__":
    main()
