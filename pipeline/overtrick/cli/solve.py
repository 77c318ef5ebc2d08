"""`overtrick solve`: double-dummy tables for a whole archive."""

import sys

import typer

from overtrick.cli.options import CORES, Archive, Scheduler, StorageOptions, WorkerCount, open_archive
from overtrick.cli.output import DATA_ERRORS, progress_bar, wrong_usage


def solve(
    archive: Archive, workers: WorkerCount = CORES, scheduler: Scheduler = None, storage: StorageOptions = None
) -> None:
    """Solve the deals of an archive double dummy.

    Adds the tricks of each declarer in each strain, once per deal. After an interruption, run it again to resume.
    """
    store = open_archive(archive, storage)
    from overtrick.archive.solve import solve_deals
    from overtrick.archive.store import ArchiveError
    from overtrick.archive.workers import hire
    from overtrick.render.display import format_count

    try:
        with hire(workers, scheduler) as hands, progress_bar("Solving deals") as show:
            done = solve_deals(store, hands, lambda now: show(now.tried, now.total) if show else None)
    except ArchiveError as error:
        wrong_usage(str(error))
    failed = done.total - done.solved
    sys.stderr.write(f"{format_count(done.solved, 'deal', 'deals')} solved, {failed:,} failed\n")
    raise typer.Exit(DATA_ERRORS if failed else 0)
