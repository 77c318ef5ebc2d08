"""`overtrick solve`: double-dummy tables for a whole archive."""

import sys

import typer

from overtrick.cli.archives import CORES, Archive, Scheduler, StorageOptions, WorkerCount, opened_archive
from overtrick.cli.output import DATA_ERRORS, progress_bar, wrong_usage


def solve(
    archive: Archive, workers: WorkerCount = CORES, scheduler: Scheduler = None, storage: StorageOptions = None
) -> None:
    """Solve the deals of an archive double dummy: what each declarer takes in each strain.

    A deal is solved once, and one that was solved is left alone. Cut off at any moment,
    it goes on where it was when it is run again.
    """
    store = opened_archive(archive, storage)
    from overtrick.archive.solve import solve_deals
    from overtrick.archive.store import ArchiveError
    from overtrick.archive.workers import hired
    from overtrick.render.display import format_count

    try:
        with hired(workers, scheduler) as hands, progress_bar("Solving deals") as show:
            done = solve_deals(store, hands, lambda now: show(now.tried, now.total) if show else None)
    except ArchiveError as error:
        wrong_usage(str(error))
    left = done.total - done.solved
    sys.stderr.write(f"{format_count(done.solved, 'deal', 'deals')} solved, {left:,} could not be\n")
    raise typer.Exit(DATA_ERRORS if left else 0)
