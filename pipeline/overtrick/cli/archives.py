"""What the commands of an archive share."""

from importlib.util import find_spec
from typing import TYPE_CHECKING, Annotated

import typer

from overtrick.cli.output import wrong_usage

if TYPE_CHECKING:
    from overtrick.archive.store import Store

storage_options = Annotated[
    list[str] | None,
    typer.Option("--storage", metavar="KEY=VALUE", help="What an object store asks for, as AWS_REGION=eu-north-1."),
]

NEEDED = ("deltalake", "rich")


def opened_archive(uri: str, storage: list[str] | None) -> "Store":
    """Name an archive; wrong usage when what it needs is not installed, or options are none."""
    if any(find_spec(name) is None for name in NEEDED):
        wrong_usage("archives need the package deltalake; get it with: pip install 'overtrick[archive]'")
    options = dict(pair.partition("=")[::2] for pair in storage or [])
    if not all(options.values()):
        raise typer.BadParameter("expected KEY=VALUE", param_hint="--storage")
    from overtrick.archive.store import Store

    return Store(uri, options)
