"""`overtrick ingest`: many files into one archive."""

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from overtrick.cli.options import CORES, Scheduler, StorageOptions, WorkerCount, find_archive
from overtrick.cli.output import DATA_ERRORS, explain_step, palette, say, shows_bars, wrong_usage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from overtrick.archive.ingest import Outcome, Progress


def ingest(
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE",
            help="Files of any supported format, folders, zip and tar files; also in an object store, such as"
            " s3://bucket/seasons/.",
        ),
    ],
    archive: Annotated[
        str,
        typer.Option("--archive", metavar="DIR", help="The archive: a folder, or an address such as s3://bucket/name."),
    ],
    workers: WorkerCount = CORES,
    scheduler: Scheduler = None,
    storage: StorageOptions = None,
) -> None:
    """Read many files into an archive of tables.

    Checks and scores each evening as a session of its own; files of one folder that hold the same evening are put
    together. Skips files that the archive has already; a changed file replaces its old version. After an interruption,
    run it again to resume.
    """
    store = find_archive(archive, storage)
    from overtrick.archive.ingest import ingest as run
    from overtrick.archive.store import ArchiveError
    from overtrick.archive.workers import hire

    try:
        with hire(workers, scheduler) as hands, _show_progress() as report:
            outcome = run(store, paths, hands, report)
    except ArchiveError as error:
        wrong_usage(str(error))
    _report(outcome)
    raise typer.Exit(DATA_ERRORS if outcome.problems.height else 0)


def _report(outcome: "Outcome") -> None:
    """Write the files that could not be read, and the number of all files, to standard error."""
    from overtrick.frames import Session
    from overtrick.render.display import format_count
    from overtrick.render.terminal import format_problems

    done = outcome.progress
    session = Session(problems=outcome.problems)
    sys.stderr.write(format_problems(session, lambda *_: {}, palette(sys.stderr)))
    say(
        f"{format_count(done.files, 'file', 'files')} with {format_count(done.records, 'record', 'records')} added,"
        f" {done.skipped:,} unchanged, {outcome.problems.height:,} failed"
    )


@contextmanager
def _show_progress() -> "Iterator[Callable[[Progress], None]]":
    """Show the share done, the rate and the time left, if standard error is a terminal."""
    if not shows_bars():
        told = 0

        def list_progress(progress: "Progress") -> None:
            nonlocal told
            if progress.dealt_with > told:
                told = progress.dealt_with
                explain_step(f"{told:,} of {progress.total:,} bytes, {progress.files:,} files added")

        yield list_progress
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
            words = f"{progress.files:,} files {progress.records:,} records {rate}"
            bar.update(task, total=max(progress.total, 1), completed=progress.dealt_with, description=words)

        yield report
