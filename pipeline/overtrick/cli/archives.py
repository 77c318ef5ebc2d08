"""What the commands of an archive share."""

import os
from importlib.util import find_spec
from typing import TYPE_CHECKING, Annotated, Final

import typer

from overtrick.cli.output import wrong_usage

if TYPE_CHECKING:
    from overtrick.archive.store import Store

Archive = Annotated[str, typer.Argument(metavar="DIR", help="The archive: a folder, or a place as s3://bucket/name.")]

WorkerCount = Annotated[
    int, typer.Option("--workers", metavar="N", min=1, max=1024, help="Processes that work, on this machine.")
]

Scheduler = Annotated[
    str | None,
    typer.Option("--scheduler", metavar="ADDRESS", help="A Dask cluster that works instead, as tcp://host:8786."),
]

StorageOptions = Annotated[
    list[str] | None,
    typer.Option("--storage", metavar="KEY=VALUE", help="What an object store asks for, as AWS_REGION=eu-north-1."),
]

CORES: Final = os.cpu_count() or 1


def named_archive(uri: str, storage: list[str] | None) -> "Store":
    """Name an archive; wrong usage when what it needs is not installed, or options are none."""
    if find_spec("deltalake") is None:
        wrong_usage("archives need the package deltalake; get it with: pip install 'overtrick[archive]'")
    options = dict(pair.partition("=")[::2] for pair in storage or [])
    if not all(options.values()):
        raise typer.BadParameter("expected KEY=VALUE", param_hint="--storage")
    from overtrick.archive.store import Store

    return Store(uri, options)


def opened_archive(uri: str, storage: list[str] | None) -> "Store":
    """Open an archive; wrong usage when there is none."""
    store = named_archive(uri, storage)
    from overtrick.archive.store import ArchiveError

    try:
        if not store.exists():
            wrong_usage(f"{uri}: there is no archive; make one with: overtrick ingest PATH --archive {uri}")
    except ArchiveError as error:
        wrong_usage(str(error))
    return store
