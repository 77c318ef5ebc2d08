"""What was measured, as tables and pictures."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

from tests.benchmarks.chart import bars, curves
from tests.benchmarks.readers import NODE, Reading

NPM_PACKAGE: Final = "pbn@1.6.1"
BEGIN, END = "<!-- speed -->\n", "<!-- end of speed -->\n"
"""Between these the README has its table."""


@dataclass(frozen=True)
class Compared:
    """What one reader made of one file; None where it is not installed."""

    reader: str
    reading: Reading | None


@dataclass(frozen=True)
class Grown:
    """One ingest into a new archive."""

    workers: int
    reading: Reading


def rate(reading: Reading) -> float:
    """Give the boards that were read in a second."""
    return reading.boards / reading.seconds


def ratios(compared: Sequence[Compared], one: Compared) -> list[float]:
    """Say how many times as fast ours is as another reader: it that parses, and it that checks and scores too."""
    ours = [own.reading for own in compared if own.reader.startswith("overtrick")]
    if one.reading is None or one.reading in ours:
        return []
    return [rate(own) / rate(one.reading) for own in ours if own]


def table(compared: Sequence[Compared]) -> Iterator[str]:
    """Write what the readers made of one file."""
    yield "| reader | boards read | boards/s | most memory | start-up | parsing, we are | with checks and scores |"
    yield "|---|--:|--:|--:|--:|--:|--:|"
    for one in compared:
        name, found = named(one.reader), one.reading
        if found is None:
            yield f"| {name} | not installed | | | | | |"
            continue
        told = f"{found.boards:,} | {rate(found):,.0f} | {found.megabytes:,.0f} MB | {found.start_up:.2f} s"
        times = " | ".join(f"{ratio:.1f} times as fast" for ratio in ratios(compared, one)) or " | "
        yield f"| {name} | {told} | {times} |"


def growth_table(grown: Sequence[Grown]) -> Iterator[str]:
    """Write how an archive grew; each line against the smallest and against one worker."""
    yield "| boards | workers | seconds | boards/s | time a board | against one worker | most memory of a process |"
    yield "|--:|--:|--:|--:|--:|--:|--:|"
    for one in grown:
        boards, speed = one.reading.boards, rate(one.reading)
        alone = [rate(other.reading) for other in grown if other.workers == 1 and other.reading.boards == boards]
        times = f"{speed / alone[0]:.2f} times" if alone and one.workers > 1 else ""
        told = f"{one.reading.seconds:,.1f} | {speed:,.0f} | {1e6 / speed:.1f} µs | {times}"
        yield f"| {boards:,} | {one.workers} | {told} | {one.reading.megabytes:,.0f} MB |"


def summary(compared: Sequence[Compared], grown: Sequence[Grown], title: str, foot: str) -> str:
    """Write what the README shows of the comparison of one file, and of the largest archive."""
    lines = [f"{title}; {foot}:", "", "| reader | boards/s | parsing, we are | with checks and scores |"]
    lines.append("|---|--:|--:|--:|")
    for one in compared:
        if one.reading:
            times = " | ".join(f"{ratio:.1f} times as fast" for ratio in ratios(compared, one)) or " | "
            lines.append(f"| {named(one.reader)} | {rate(one.reading):,.0f} | {times} |")
    best = max(grown, key=lambda one: (one.reading.boards, one.workers), default=None)
    if best:
        boards, megabytes = f"{best.reading.boards:,}", f"{best.reading.megabytes:,.0f}"
        lines += ["", f"{boards} boards go into an archive, checked and scored, at {rate(best.reading):,.0f} boards/s"]
        lines[-1] += f" with {best.workers} workers, none of which takes more than {megabytes} MB."
    return "\n".join(lines) + "\n"


def put_into(readme: Path, text: str) -> None:
    """Put a table in the place of the one that the README has."""
    before, rest = readme.read_text("utf-8").split(BEGIN)
    readme.write_text(f"{before}{BEGIN}{text}{END}{rest.split(END)[1]}", "utf-8")


def named(reader: str) -> str:
    """Name a reader with its version."""
    if reader == NODE:
        return f"npm's pbn {NPM_PACKAGE.partition('@')[2]}, which leaves auctions and plays as text"
    name, comma, rest = reader.partition(",")
    try:
        return f"{name} {version(name)}{comma}{rest}"
    except PackageNotFoundError:
        return reader


def picture(compared: Sequence[Compared], title: str, foot: str) -> str:
    """Draw what the readers made of one file."""
    rows = []
    for one in compared:
        if one.reading:
            against = "".join(f", {ratio:.1f} times slower" for ratio in ratios(compared, one)[:1])
            rows.append((one.reader, rate(one.reading), f"{rate(one.reading):,.0f}/s{against}"))
    return bars(title, rows, foot)


def growth_picture(grown: Sequence[Grown], foot: str) -> str:
    """Draw how fast an archive grows as it gets larger."""
    lines = {
        f"{workers} worker{'s' if workers > 1 else ''}": [
            (one.reading.boards, rate(one.reading)) for one in grown if one.workers == workers
        ]
        for workers in sorted({one.workers for one in grown})
    }
    return curves("Boards a second into an archive, by its boards", lines, foot)
