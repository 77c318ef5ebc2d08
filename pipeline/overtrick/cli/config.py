"""`overtrick config`: the club's settings."""

from pathlib import Path
from typing import Annotated

import typer

from overtrick.cli.output import DATA_ERRORS

config = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="Look at the club's settings.")


@config.callback()
def _config() -> None:
    """Keep `check` a word of its own while it is the only one."""


@config.command()
def check(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="The club's settings, club.toml.")],
) -> None:
    """Say what is wrong with a file of settings: each wrong key with its place and the nearest right one."""
    from overtrick.config import ConfigError, load_config
    from overtrick.config.errors import refused, written
    from overtrick.publish import AddressError, parse_address

    try:
        settings = load_config(path)
        if settings.publish.target is not None:
            parse_address(settings.publish.target)
    except ConfigError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(DATA_ERRORS) from None
    except AddressError as error:
        typer.echo(refused(str(error), ("publish", "target"), written(path)), err=True)
        raise typer.Exit(DATA_ERRORS) from None
    typer.echo(f"{path}: no problems", err=True)
