"""`overtrick ingest`: many files into one archive."""

import sys
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument

from overtrick.apps.cli import options
from overtrick.apps.cli.options import option
from overtrick.apps.cli.output import DATA_ERRORS, palette, say, show_work, wrong_usage

if TYPE_CHECKING:
    from overtrick.apps.archive.ingest import Outcome, Progress
    from overtrick.apps.cli.output import Line


def ingest(
    paths: Annotated[
        list[str],
        Argument(
            metavar="FILE",
            callback=options.must_exist,
            help="Files of any supported format, folders, zip and tar files; also in an object store, such as"
            " s3://bucket/seasons/.",
        ),
    ],
    archive: Annotated[
        str, option("--archive", "DIR", "The archive: a folder, or an address such as s3://bucket/name.")
    ],
    workers: options.WorkerCount = options.CORES,
    scheduler: options.Scheduler = None,
    storage: options.StorageOptions = None,
    config: options.ConfigFile = None,
) -> None:
    """Read many files into an archive of tables.

    Checks and scores each evening as a session of its own; files of one folder that hold the same evening are put
    together. Skips files that the archive has already; a changed file replaces its old version. After an interruption,
    run it again to resume.
    """
    store = options.find_archive(archive, storage)
    settings = options.read_config(config, [path for path in paths if "://" not in path])
    from overtrick.apps.archive.ingest import ingest as run
    from overtrick.apps.archive.store import ArchiveError
    from overtrick.apps.archive.workers import hire

    try:
        with hire(workers, scheduler) as hands, show_work("Listing files") as line:
            outcome = run(store, paths, hands, partial(_show, line), settings)
    except ArchiveError as error:
        wrong_usage(str(error))
    _report(outcome)
    raise typer.Exit(DATA_ERRORS if outcome.problems.height else 0)


def _report(outcome: "Outcome") -> None:
    """Write the files that could not be read, and the number of all files, to standard error."""
    from overtrick.core.frames import Session
    from overtrick.show.text.display import format_count, format_problems

    done = outcome.progress
    session = Session(problems=outcome.problems)
    sys.stderr.write(format_problems(session, lambda *_: {}, palette(sys.stderr)))
    say(
        f"{format_count(done.files, 'file', 'files')} with {format_count(done.records, 'record', 'records')} added,"
        f" {done.skipped:,} unchanged, {outcome.problems.height:,} failed"
    )


def _show(line: "Line", progress: "Progress") -> None:
    """Show how much of the files is done, and what was found in them."""
    from overtrick.files.formats.looks import choose_unit

    unit, name = choose_unit(progress.total)
    if show := line(f"Reading files ({name})"):
        found = f"{progress.records:,} records" if progress.records else "finding evenings"
        show(progress.dealt_with // unit, -(-progress.total // unit), found)
