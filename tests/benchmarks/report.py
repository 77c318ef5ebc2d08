"""Tables and charts of the measurements."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from statistics import median
from typing import Final

from tests.benchmarks.chart import bars, curves
from tests.benchmarks.languages import NODE, NPM_PACKAGE
from tests.benchmarks.readers import Reading

BEGIN, END = "<!-- speed -->\n", "<!-- end of speed -->\n"
"""The marks around the README's table."""

RATIOS: Final = "overtrick reads | overtrick reads, checks and scores"
"""The headings of what `ratios` returns."""


@dataclass(frozen=True)
class Compared:
    """One reader's readings of one file; none if the reader is not installed."""

    reader: str
    readings: Sequence[Reading]

    @property
    def reading(self) -> Reading | None:
        """Return the fastest reading."""
        return max(self.readings, key=rate, default=None)


@dataclass(frozen=True)
class Grown:
    """One ingest into a new archive."""

    workers: int
    reading: Reading


def rate(reading: Reading) -> float:
    """Return the boards read per second."""
    return reading.boards / reading.seconds


def ratios(compared: Sequence[Compared], one: Compared) -> list[float]:
    """Return how many times as fast overtrick is as another reader: reading only, then with checks and scores."""
    ours = [own.reading for own in compared if own.reader.startswith("overtrick")]
    if one.reading is None or one.reading in ours:
        return []
    return [rate(own) / rate(one.reading) for own in ours if own]


def said(ratio: float) -> str:
    """Write how many times as fast overtrick is, with a second decimal if it is slower."""
    return f"{ratio:.{1 if ratio >= 1 else 2}f} times as fast"


def table(compared: Sequence[Compared]) -> Iterator[str]:
    """Write the table of one file, with a row for each reader."""
    yield f"| reader | boards read | boards/s | median | peak memory | start-up | {RATIOS} |"
    yield "|---|--:|--:|--:|--:|--:|--:|--:|"
    for one in compared:
        name, found = named(one.reader), one.reading
        if found is None:
            yield f"| {name} | not installed | | | | | | |"
            continue
        speed = f"{rate(found):,.0f} | {median(map(rate, one.readings)):,.0f}"
        figures = f"{found.boards:,} | {speed} | {found.megabytes:,.0f} MB | {found.start_up:.2f} s"
        times = " | ".join(said(ratio) for ratio in ratios(compared, one)) or " | "
        yield f"| {name} | {figures} | {times} |"


def growth_table(grown: Sequence[Grown]) -> Iterator[str]:
    """Write the table of the archive runs, each compared with one worker on as many boards."""
    times, memory = "time per board | compared with one worker", "peak memory of a process"
    yield f"| boards | workers | seconds | boards/s | {times} | {memory} |"
    yield "|--:|--:|--:|--:|--:|--:|--:|"
    for one in grown:
        boards, speed = one.reading.boards, rate(one.reading)
        alone = [rate(other.reading) for other in grown if other.workers == 1 and other.reading.boards == boards]
        times = f"{speed / alone[0]:.2f} times as fast" if alone and one.workers > 1 else ""
        figures = f"{one.reading.seconds:,.1f} | {speed:,.0f} | {1e6 / speed:.1f} µs | {times}"
        yield f"| {boards:,} | {one.workers} | {figures} | {one.reading.megabytes:,.0f} MB |"


def summary(compared: Sequence[Compared], grown: Sequence[Grown], title: str, foot: str) -> str:
    """Write the README's part: the comparison of one file, and the largest archive."""
    lines = [f"{title}. {foot}.", "", f"| reader | boards/s | {RATIOS} |"]
    lines.append("|---|--:|--:|--:|")
    for one in compared:
        if one.reading:
            times = " | ".join(said(ratio) for ratio in ratios(compared, one)) or " | "
            lines.append(f"| {named(one.reader)} | {rate(one.reading):,.0f} | {times} |")
    best = max(grown, key=lambda one: (one.reading.boards, one.workers), default=None)
    if best:
        boards, megabytes = f"{best.reading.boards:,}", f"{best.reading.megabytes:,.0f}"
        workers = f"{best.workers} worker{'s' if best.workers > 1 else ''}"
        lines += ["", f"An archive takes in {boards} boards, checked and scored, at {rate(best.reading):,.0f} boards/s"]
        lines[-1] += f" with {workers}. No process uses more than {megabytes} MB."
    return "\n".join(lines) + "\n"


def put_into(readme: Path, text: str) -> None:
    """Replace the README's table."""
    before, rest = readme.read_text("utf-8").split(BEGIN)
    readme.write_text(f"{before}{BEGIN}{text}{END}{rest.split(END)[1]}", "utf-8")


def named(reader: str) -> str:
    """Return the name of a reader with its version."""
    if reader == NODE:
        return f"npm's pbn {NPM_PACKAGE.partition('@')[2]} (leaves auctions and plays as text)"
    name, comma, rest = reader.partition(",")
    try:
        return f"{name} {version(name)}{comma}{rest}"
    except PackageNotFoundError:
        return reader


def picture(compared: Sequence[Compared], title: str, foot: str) -> str:
    """Draw the chart of one file, with a bar for each reader."""
    rows = []
    for one in compared:
        if one.reading:
            against = "".join(
                f", {ratio:.1f} times slower" if ratio >= 1 else f", {1 / ratio:.1f} times faster"
                for ratio in ratios(compared, one)[:1]
            )
            rows.append((one.reader, rate(one.reading), f"{rate(one.reading):,.0f}/s{against}"))
    return bars(title, rows, foot)


def growth_picture(grown: Sequence[Grown], foot: str) -> str:
    """Draw how fast an archive takes in boards as it grows."""
    lines = {
        f"{workers} worker{'s' if workers > 1 else ''}": [
            (one.reading.boards, rate(one.reading)) for one in grown if one.workers == workers
        ]
        for workers in sorted({one.workers for one in grown})
    }
    return curves("Boards per second into an archive, by number of boards", lines, foot)
