"""`overtrick ingest`: many files into one archive."""

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from overtrick.cli.archives import CORES, Scheduler, StorageOptions, WorkerCount, named_archive
from overtrick.cli.output import DATA_ERRORS, palette, wrong_usage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from overtrick.archive.ingest import Outcome, Progress


def ingest(
    paths: Annotated[
        list[str], typer.Argument(metavar="PATH", help="Files of any format that is read, folders, zip and tar files.")
    ],
    archive: Annotated[
        str, typer.Option("--archive", metavar="DIR", help="The archive: a folder, or a place as s3://bucket/name.")
    ],
    workers: WorkerCount = CORES,
    scheduler: Scheduler = None,
    storage: StorageOptions = None,
) -> None:
    """Read files into an archive of tables, each checked and scored as a session of its own.

    What the archive holds already is left alone; a file that was corrected takes the
    place of the old one. Cut off at any moment, it goes on where it was when it is run again.
    """
    store = named_archive(archive, storage)
    from overtrick.archive.ingest import ingest as run
    from overtrick.archive.store import ArchiveError
    from overtrick.archive.workers import hired

    try:
        with hired(workers, scheduler) as hands, _shown_progress() as report:
            outcome = run(store, paths, hands, report)
    except ArchiveError as error:
        wrong_usage(str(error))
    _tell(outcome)
    raise typer.Exit(DATA_ERRORS if outcome.problems.height else 0)


def _tell(outcome: "Outcome") -> None:
    """Say on standard error what was not taken in, and what was."""
    from overtrick.frames import Session
    from overtrick.render.display import format_count
    from overtrick.render.terminal import format_problems

    done = outcome.progress
    session = Session(problems=outcome.problems)
    sys.stderr.write(format_problems(session, lambda *_: {}, palette(sys.stderr)))
    sys.stderr.write(
        f"{format_count(done.files, 'file', 'files')} with {format_count(done.records, 'record', 'records')} taken in,"
        f" {done.skipped:,} there already, {outcome.problems.height:,} could not be read\n"
    )


@contextmanager
def _shown_progress() -> "Iterator[Callable[[Progress], None]]":
    """Show the progress on a terminal: the share, the rate and the time left; nothing elsewhere."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = [TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:>3.0f} %")]
    with Bar(*columns, TimeRemainingColumn(), console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)

        def report(progress: "Progress") -> None:
            elapsed = bar.tasks[0].elapsed or 0
            rate = f"{progress.records / elapsed:,.0f} records/s" if elapsed > 1 else ""
            told = f"{progress.files:,} files {progress.records:,} records {rate}"
            bar.update(task, total=max(progress.total, 1), completed=progress.dealt_with, description=told)

        yield report
