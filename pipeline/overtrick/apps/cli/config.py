"""`overtrick config`: the club's settings."""

import json
from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from overtrick.apps.cli.app import Command, make_group
from overtrick.apps.cli.options import must_exist, with_loudness
from overtrick.apps.cli.output import DATA_ERRORS, complain, emit, say

config = make_group("Check the club's settings, and describe them for editors.")


@config.command(cls=Command)
@with_loudness
def schema(
    corrections: Annotated[
        bool, Option("--corrections", help="Describe NAME.corrections.toml instead of club.toml.")
    ] = False,
) -> None:
    """Print a JSON Schema of the settings, for editors."""
    from overtrick.core.config import Config
    from overtrick.core.config.corrections import CorrectionsFile

    described = (CorrectionsFile if corrections else Config).model_json_schema()
    emit(json.dumps(described, ensure_ascii=False, indent=1) + "\n")


@config.command(cls=Command)
@with_loudness
def check(
    path: Annotated[Path, Argument(metavar="FILE", callback=must_exist, help="The settings file, club.toml.")],
) -> None:
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
