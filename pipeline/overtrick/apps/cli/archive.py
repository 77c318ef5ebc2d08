"""`overtrick archive`: double-dummy tables, leads and plays for a whole archive, and fewer files."""

import typer

from overtrick.apps.cli import options
from overtrick.apps.cli.app import Command, make_group
from overtrick.apps.cli.output import DATA_ERRORS, say, show_work, wrong_usage

archive = make_group("Solve the deals of an archive, and pack it.")


@archive.command(cls=Command)
@options.with_loudness
def solve(
    place: options.Archive,
    workers: options.WorkerCount = options.CORES,
    scheduler: options.Scheduler = None,
    storage: options.StorageOptions = None,
) -> None:
    """Solve the deals, leads and plays of an archive double dummy.

    Adds the tricks of each declarer in each strain, once per deal, and the tricks that the lead and the cards gave up,
    once per play. After an interruption, run it again to resume.
    """
    store = options.open_archive(place, storage)
    from overtrick.apps.archive.solve import solve_deals
    from overtrick.apps.archive.solve_plays import solve_plays
    from overtrick.apps.archive.store import ArchiveError
    from overtrick.apps.archive.workers import hire
    from overtrick.show.text.display import format_count

    try:
        with hire(workers, scheduler) as hands, show_work("Looking for deals to solve") as line:
            show = line("Solving deals")
            deals = solve_deals(store, hands, lambda now: show(now.tried, now.total) if show else None)
            if look := line("Looking for plays to solve"):
                look(0, 0)
            show = line("Solving plays")
            plays = solve_plays(store, hands, lambda now: show(now.tried, now.total) if show else None)
    except ArchiveError as error:
        wrong_usage(str(error))
    failed = deals.total - deals.solved + plays.total - plays.solved
    say(
        f"{format_count(deals.solved, 'deal', 'deals')} solved, {deals.total - deals.solved:,} failed;"
        f" {format_count(plays.solved, 'result', 'results')} analysed, {plays.total - plays.solved:,} failed"
    )
    raise typer.Exit(DATA_ERRORS if failed else 0)


@archive.command(cls=Command)
@options.with_loudness
def compact(place: options.Archive, storage: options.StorageOptions = None) -> None:
    """Pack an archive into few large files, for faster reading.

    The rows stay the same. Replaced data files are deleted when they are a week old.
    """
    store = options.open_archive(place, storage)
    from overtrick.apps.archive.store import ArchiveError
    from overtrick.show.text.display import format_count

    try:
        with show_work("Packing tables") as line:
            files = store.compact(line("Packing tables"))
    except ArchiveError as error:
        wrong_usage(str(error))
    say(f"{place}: packed into {format_count(files, 'file', 'files')}")
