"""How long people wait: whole commands, from their start to their end, on files that are made for it.

Run `python -m tests.benchmarks.waiting` from the checkout. It prints a table in Markdown with the best and the median
of several runs; `--out docs` writes it to `speed-waiting.md`.
"""

import argparse
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import cycle
from pathlib import Path
from typing import Final, get_args

from overtrick.core.config.site import Document
from tests.benchmarks.boards import lin, write_boards
from tests.benchmarks.growth import write_files
from tests.benchmarks.readers import reading
from tests.benchmarks.reading import control_figures
from tests.support.deals import DATE, Board, pbn, random_boards
from tests.support.desk import large_sheet

HEAD: Final = """# How long people wait

`python -m tests.benchmarks.waiting` makes this page, from files that it makes.
Commands are whole processes. The figures are the best of {runs} runs and the median.

| what | best | median | compared |
|---|--:|--:|---|
"""
Command = Sequence[str | Path]

LIBRARIES: Final = "import polars, numpy, lark"
PROGRAM: Final = "from overtrick.apps.cli import main; main()"
CLUB_EVENING: Final = Path(__file__).parents[2] / "fixtures" / "club-evening.pbn"
TAGS_OF_DEALS: Final = ("[Date", "[Board", "[Dealer", "[Vulnerable", "[Deal ")
SESSION: Final = 36
"""Boards of a session in LIN."""


@dataclass(frozen=True)
class Sizes:
    """How much there is to do: boards in a file, boards in an archive, evenings of a season, files of LIN."""

    boards: int = 100_000
    archive: int = 300_000
    evenings: int = 200
    files: int = 5_000


def run(*commands: Command) -> float:
    """Run commands side by side, each as a process, and return the seconds until the last one ends."""
    begun = time.perf_counter()
    started = [subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for command in commands]
    if any(one.wait() > 1 for one in started):
        raise subprocess.CalledProcessError(2, "overtrick")
    return time.perf_counter() - begun


def overtrick(*words: str | Path) -> Command:
    """Return a command of overtrick."""
    return [sys.executable, "-c", PROGRAM, *words]


def write_evening(path: Path, tables: int, boards: int, rounds: int, seed: int) -> None:
    """Write the results of an evening as CSV, and its deals beside them as PBN."""
    day = f"{date(2026, 1, 1) + timedelta(seed):%Y.%m.%d}"
    large_sheet(path, tables, boards, rounds, day=day, seed=seed)
    lines = pbn(random_boards(boards * rounds, seed)).replace(DATE, day).splitlines()
    deals = (line for line in lines if not line or line.startswith(TAGS_OF_DEALS))
    path.with_suffix(".pbn").write_text("\n".join(deals), "utf-8")


def write_lin_files(folder: Path, count: int) -> None:
    """Write files of LIN: of ten, six hold one board, three a session of a match, and one is a lesson."""
    folder.mkdir()
    boards = cycle([board for board in random_boards(2_000) if board.rows])
    for number in range(count):
        (folder / f"{number:05}.lin").write_text(_lin_file(number, boards), "utf-8")


def _lin_file(number: int, boards: Iterator[Board]) -> str:
    if number % 10 < 6:
        return lin([next(boards)]).replace("Ada", f"Ada {number}")
    if number % 10 == 9:
        return f"bt|Lesson {number}|at|Count your losers.|{lin([next(boards)])}at|Now play.|"
    head = f"vg|Cup,Segment {number},I,1,{SESSION},Larks,0,Owls,0|\npn|Ann,Ben,Cy,Di,Eve,Fay,Gus,Hal|\n"
    # The header names the players of both rooms, and `qx` the board.
    played = (re.sub(r"ah\|[^|]*\|", "", lin([next(boards)])).partition("|st|")[2] for _ in range(SESSION))
    return head + "".join(f"qx|o{place}|st|{text}" for place, text in enumerate(played, start=1))


def measure(sizes: Sizes, runs: int, folder: Path) -> Iterator[str]:
    """Yield the rows of the table."""

    def row(what: str, *commands: Command, compared: Sequence[float] = (), words: str = "") -> str:
        seconds = []
        for _ in range(runs):
            for place in ("out", "archive", "archive-2"):
                shutil.rmtree(folder / place, ignore_errors=True)
            seconds.append(run(*commands))
        ratio = f"{min(seconds) / min(compared):.2f} times {words}" if compared else ""
        return f"| {what} | {min(seconds):.2f} s | {statistics.median(seconds):.2f} s | {ratio} |\n"

    imports = [run([sys.executable, "-c", LIBRARIES]) for _ in range(2 * runs)]
    yield row("`check` of a club evening", overtrick("check", CLUB_EVENING), compared=imports, words=f"`{LIBRARIES}`")
    for form in ("pbn", "lin"):
        tiny, path = (write_boards(folder, form, count) for count in (20, sizes.boards))
        for reader in ("overtrick", "overtrick, checked and scored"):
            found = [one for _ in range(runs) if (one := reading(reader, path, tiny))]
            seconds = [one.seconds for one in found]
            rates = f"{sizes.boards / min(seconds):,.0f} boards/s, {min(one.megabytes for one in found):,.0f} MB"
            what = f"{reader}: {sizes.boards:,} boards of {form.upper()}"
            yield f"| {what} | {min(seconds):.2f} s | {statistics.median(seconds):.2f} s | {rates} |\n"
    write_evening(folder / "large.csv", 20, 2, 18, 0)
    (folder / "six.toml").write_text(f"[site]\ndocuments = {list(get_args(Document))}\n", "utf-8")
    options = ("--config", folder / "six.toml", "--out", folder / "out")
    pages = overtrick("bulletin", folder / "large.csv", folder / "large.pbn", *options)
    yield row("`bulletin` of 36 boards and 20 tables, six PDFs", pages)
    (folder / "season").mkdir()
    for number in range(sizes.evenings):
        write_evening(folder / "season" / f"e{number:03}.csv", 4, 6, 4, number)
    pages = overtrick("season", folder / "season", *options)
    yield row(f"`season` of {sizes.evenings} evenings of 24 boards and 4 tables, six PDFs each", pages)
    write_lin_files(folder / "lin", sizes.files)

    def ingest(archive: str, workers: int, *places: Path) -> Command:
        return overtrick("ingest", "--archive", folder / archive, "--workers", str(workers), *places)

    yield row(f"`ingest` of {sizes.files:,} files of LIN, two workers", ingest("archive", 2, folder / "lin"))
    halves = (folder / "first", folder / "second")
    for half, skipped in zip(halves, (0, sizes.archive // 2), strict=True):
        write_files(half, sizes.archive // 2, skipped)
    for workers in (1, 2):
        yield row(f"`ingest` of {sizes.archive:,} boards, workers: {workers}", ingest("archive", workers, *halves))
    both = ingest("archive", 1, halves[0]), ingest("archive-2", 1, halves[1])
    yield row("the same, half by each of two commands at once", *both)


def main() -> None:
    """Measure, and print the page."""
    parser = argparse.ArgumentParser(description="Measure how long people wait.")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--out", type=Path, help="the folder for speed-waiting.md")
    given = parser.parse_args()
    page = write_page(Sizes(), given.runs)
    print(page, end="")
    if given.out:
        (given.out / "speed-waiting.md").write_text(page, "utf-8")


def write_page(sizes: Sizes, runs: int) -> str:
    """Return the page."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for row in measure(sizes, runs, Path(folder)):
            print(row, end="", file=sys.stderr)
            rows.append(row)
    return f"{HEAD.format(runs=runs)}{''.join(rows)}\n{control_figures()}.\n"


if __name__ == "__main__":
    main()
