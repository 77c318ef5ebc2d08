"""`overtrick compact`: pack an archive into few large files."""

from overtrick.apps.cli.options import Archive, StorageOptions, open_archive
from overtrick.apps.cli.output import say, show_work, wrong_usage


def compact(archive: Archive, storage: StorageOptions = None) -> None:
    """Pack an archive into few large files, for faster reading.

    The rows stay the same. Replaced data files are deleted when they are a week old.
    """
    store = open_archive(archive, storage)
    from overtrick.apps.archive.store import ArchiveError
    from overtrick.show.text.display import format_count

    try:
        with show_work("Packing tables") as line:
            files = store.compact(line("Packing tables"))
    except ArchiveError as error:
        wrong_usage(str(error))
    say(f"{archive}: packed into {format_count(files, 'file', 'files')}")
