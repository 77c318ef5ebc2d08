"""`overtrick config`: the club's settings."""

from pathlib import Path
from typing import Annotated

import typer

from overtrick.apps.cli.help import Command, make_group
from overtrick.apps.cli.options import with_loudness
from overtrick.apps.cli.output import DATA_ERRORS, complain, say

config = make_group("Check the club's settings.")


@config.callback()
def _config() -> None:
    """Make typer keep the word `check`, which it drops from a group with one command."""


@config.command(cls=Command)
@with_loudness
def check(path: Annotated[Path, typer.Argument(metavar="FILE", help="The settings file, club.toml.")]) -> None:
    """Check a settings file.

    Reports every wrong key and value with its line and column, and suggests the nearest right one.
    """
    from overtrick.core.config import ConfigError, load_config
    from overtrick.core.config.errors import explain_refusal
    from overtrick.core.config.file import read_file
    from overtrick.show.publish.address import AddressError, parse_address

    try:
        settings = load_config(path)
        if settings.publish.target is not None:
            parse_address(settings.publish.target)
    except ConfigError as error:
        complain(str(error))
        raise typer.Exit(DATA_ERRORS) from None
    except AddressError as error:
        complain(explain_refusal(str(error), ("publish", "target"), read_file(path)))
        raise typer.Exit(DATA_ERRORS) from None
    say(f"{path}: no problems")
