"""How fast deals, leads and plays are solved: with each library of the extra `dd`, and by its own binding.

Run `python -m tests.benchmarks.solving` from the checkout. It prints a table in Markdown; `--out docs` writes it to
`speed-solving.md`. Each measurement runs in a process of its own. Figures are per second of processor time, which other
work on the machine changes less than the time on the clock; what counts is the ratio of two figures of the same run.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from overtrick.core.bridge.cards import CARDS, SEATS, STRAINS, UNKNOWN, held
from overtrick.judge.analyse import dds
from overtrick.judge.analyse.solver import play_key, solve, solve_plays
from tests.benchmarks.report import named
from tests.support.endplay import import_endplay
from tests.support.played_evening import played_evening

TASKS: Final = ("tables", "leads", "traces")
HEAD: Final = """# Speed of double dummy

`python -m tests.benchmarks.solving` makes this page: {boards} deals, each played at {tables} tables.
A table is the tricks of all declarers in all strains.
A lead is the tricks for each card that may be led, and a trace is the tricks after each card of a play.
The figures are per second of processor time, with overtrick and with the package's own Python binding, called by hand.
Other work on the machine changes them, so compare only figures of the same run.

| package | solved | overtrick | its own binding | overtrick is |
|---|---|--:|--:|--:|
"""


def plays_of(boards: int, tables: int) -> list[tuple[str, int, int, bytes]]:
    """Return the plays of a made-up evening: deal, strain, leader and codes of cards."""
    from overtrick.core.bridge.replays import in_order, plays  # noqa: PLC0415 - only to make the plays
    from tests.support.pbn_texts import session  # noqa: PLC0415

    read = session(played_evening(boards, tables, seed=1))
    cards = in_order(read.records, plays(read.records, read.annotations)).cards
    rows = read.records.select("deal", "strain", "declarer").iter_rows()
    return [
        (deal, STRAINS.index(strain), (SEATS.index(declarer) + 1) % 4, played[played != UNKNOWN].tobytes())
        for (deal, strain, declarer), played in zip(rows, cards, strict=True)
    ]


def ours(task: str, plays: Sequence[tuple[str, int, int, bytes]]) -> None:
    """Solve with overtrick."""
    import numpy as np  # noqa: PLC0415
    import polars as pl  # noqa: PLC0415

    if task == "tables":
        solve(list(dict.fromkeys(deal for deal, *_ in plays)))
    elif task == "traces":
        solve_plays([play_key(*play) for play in plays])
    else:
        strain, leader = (np.array([play[place] for play in plays], np.uint8) for place in (1, 2))
        none = np.full((len(plays), 3), UNKNOWN, np.uint8)
        dds.solve_cards(held(pl.Series([deal for deal, *_ in plays])), strain, leader, none)


def by_endplay(task: str, plays: Sequence[tuple[str, int, int, bytes]]) -> None:
    """Solve with endplay, in the largest batches that it takes."""
    types, solver = import_endplay("endplay.types"), import_endplay("endplay.dds")
    if task == "tables":
        deals = [types.Deal(deal) for deal in dict.fromkeys(deal for deal, *_ in plays)]
        for start in range(0, len(deals), dds.BATCH):
            list(solver.calc_all_tables(deals[start : start + dds.BATCH]))
        return
    boards = [
        types.Deal(deal, first=types.Player.find(SEATS[leader]), trump=types.Denom.find(STRAINS[strain]))
        for deal, strain, leader, _ in plays
    ]
    for start in range(0, len(boards), dds.PLAYS):
        part = boards[start : start + dds.PLAYS]
        if task == "leads":
            [list(one) for one in solver.solve_all_boards(part)]
        else:
            cards = [[CARDS[card] for card in play[3]] for play in plays[start : start + dds.PLAYS]]
            [list(one) for one in solver.analyse_all_plays(part, cards)]


def by_ddstable(task: str, plays: Sequence[tuple[str, int, int, bytes]]) -> None:
    """Solve with ddstable, which has tables only."""
    if task != "tables":
        raise NotImplementedError
    binding: Any = import_module("ddstable.ddstable")
    for deal in dict.fromkeys(deal for deal, *_ in plays):
        binding.get_ddstable(deal.encode())


BINDINGS: Final[dict[str, Callable[[str, Sequence[tuple[str, int, int, bytes]]], None]]] = {
    "endplay": by_endplay,
    "ddstable": by_ddstable,
}


def measure(library: str, task: str, how: str, boards: int, tables: int) -> float | None:
    """Return how many are solved per second of processor time; None for what a binding does not have."""
    words = ["--one", library, task, how, "--boards", str(boards), "--tables", str(tables)]
    done = subprocess.run(
        [sys.executable, "-m", "tests.benchmarks.solving", *words], capture_output=True, text=True, check=True
    )
    found: float | None = json.loads(done.stdout.splitlines()[-1])
    return found


def run_one(library: str, task: str, how: str, boards: int, tables: int) -> float | None:
    """Measure in this process."""
    only = tuple(one for one in dds.LIBRARIES if one[0] == library)
    setattr(dds, "LIBRARIES", only)  # noqa: B010 - one library at a time
    plays = plays_of(boards, tables)
    work = ours if how == "overtrick" else BINDINGS[library]
    count = boards if task == "tables" else len(set(plays))
    begun = time.process_time()
    with suppress(NotImplementedError):
        work(task, list(dict.fromkeys(plays)))
        return count / (time.process_time() - begun)
    return None


def main() -> None:
    """Measure all installed libraries and print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--boards", type=int, default=20)
    parser.add_argument("--tables", type=int, default=8)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--one", nargs=3)
    given = parser.parse_args()
    if given.one:
        library, task, how = given.one
        print(json.dumps(run_one(library, task, how, given.boards, given.tables)))
        return
    page = HEAD.format(boards=given.boards, tables=given.tables)
    for library in [name for name, _ in dds.LIBRARIES if find_spec(name)]:
        for task in TASKS:
            own, other = (measure(library, task, how, given.boards, given.tables) for how in ("overtrick", "binding"))
            ratio = f"{own / other:.2f} times as fast" if own and other else ""
            shown = f"{other:,.1f}/s" if other else "none"
            page += f"| {named(library)} | {task} | {own or 0:,.1f}/s | {shown} | {ratio} |\n"
    page += f"\nMachine: {os.cpu_count()} cores.\n"
    sys.stdout.write(page)
    if given.out:
        (given.out / "speed-solving.md").write_text(page, "utf-8")


if __name__ == "__main__":
    main()
