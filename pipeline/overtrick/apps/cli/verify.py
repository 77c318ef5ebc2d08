"""`overtrick verify`: whether a website, an archive or an evening is whole."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from overtrick.apps.cli.options import ConfigFile, StorageOptions, must_exist, open_archive, read_config
from overtrick.apps.cli.output import emit, publish_failed, say, show_work, wrong_usage

Fault = tuple[str, str]
"""Where, and what is wrong there."""


def verify(
    place: Annotated[
        str,
        typer.Argument(
            metavar="PLACE",
            callback=must_exist,
            help="A website, by its folder or address; an archive; or an evening, by a file or its folder.",
        ),
    ],
    storage: StorageOptions = None,
    config: ConfigFile = None,
) -> None:
    """Check that a website, an archive or an evening is whole.

    A website has all its files, as they were written, and no broken link. An archive can be read to its last row. An
    evening can be read, its corrections fit, and nothing is left half written.
    """
    with show_work("Verifying"):
        faults = list(_list_faults(place, storage, config))
    emit("".join(f"{where}: {what}\n" for where, what in faults))
    if faults:
        raise typer.Exit(1)
    say(f"{place}: whole")


def _list_faults(place: str, storage: list[str] | None, config: Path | None) -> Iterator[Fault]:
    path = Path(place)
    if storage or (path / "sources" / "_delta_log").is_dir():
        yield from _in_archive(place, storage)
    elif "://" in place or any((path / name).is_file() for name in _list_names()):
        yield from _in_site(place)
    else:
        yield from _in_evening(path, config)


def _list_names() -> tuple[str, ...]:
    from overtrick.core.atomic_write import MANIFEST as SITE
    from overtrick.core.atomic_write import RECORD
    from overtrick.show.publish.manifest import MANIFEST

    return (SITE, RECORD, MANIFEST)


def _in_archive(place: str, storage: list[str] | None) -> Iterator[Fault]:
    store = open_archive(place, storage)
    from overtrick.apps.archive.store import ArchiveError

    try:
        yield from store.find_faults()
    except ArchiveError as error:
        yield place, str(error)


def _in_site(place: str) -> Iterator[Fault]:
    from overtrick.show.publish.address import AddressError, PublishError, parse_address
    from overtrick.show.publish.manifest import NoSiteError, find_faults
    from overtrick.show.publish.targets import open_target

    try:
        with closing(open_target(parse_address(place))) as target:
            yield from find_faults(target)
    except (AddressError, NoSiteError) as error:
        wrong_usage(f"{place}: {error}")
    except PublishError as error:
        publish_failed(str(error))


def _in_evening(path: Path, config: Path | None) -> Iterator[Fault]:
    from overtrick.apps.evening.edit import FileError, find_faults, open_evening

    try:
        evening = open_evening(path, read_config(config, [path]))
    except FileError as error:
        yield str(path), str(error)
        return
    if evening.session.is_blank:
        wrong_usage(f"{path}: neither a website, nor an archive, nor an evening")
    yield from find_faults(path, evening)
