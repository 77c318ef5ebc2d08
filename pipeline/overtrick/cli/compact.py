"""`overtrick compact`: an archive packed into few large files."""

from typing import Annotated

import typer

from overtrick.cli.archives import opened_archive, storage_options
from overtrick.cli.output import wrong_usage


def compact(
    archive: Annotated[
        str, typer.Argument(metavar="DIR", help="The archive: a folder, or a place as s3://bucket/name.")
    ],
    storage: storage_options = None,
) -> None:
    """Pack an archive that grew by many small runs, so that it is read faster.

    No row changes. Files of the tables that were replaced are removed when they are a
    week old.
    """
    store = opened_archive(archive, storage)
    from overtrick.archive.store import ArchiveError

    try:
        if not store.exists():
            wrong_usage(f"{archive}: there is no archive; make one with: overtrick ingest PATH --archive {archive}")
        store.compact()
    except ArchiveError as error:
        wrong_usage(str(error))
