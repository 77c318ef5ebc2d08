"""`overtrick compact`: an archive packed into few large files."""

from overtrick.cli.archives import Archive, StorageOptions, opened_archive
from overtrick.cli.output import wrong_usage


def compact(archive: Archive, storage: StorageOptions = None) -> None:
    """Pack an archive that grew by many small runs, so that it is read faster.

    No row changes. Files of the tables that were replaced are removed when they are a
    week old.
    """
    store = opened_archive(archive, storage)
    from overtrick.archive.store import ArchiveError

    try:
        store.compact()
    except ArchiveError as error:
        wrong_usage(str(error))
