"""Options that several commands share."""

from pathlib import Path
from typing import Annotated

import typer

Paths = Annotated[
    list[str],
    typer.Argument(metavar="PATH", help="Files of any format that is read, folders of them, or - for standard input."),
]

CorrectionsFile = Annotated[
    Path | None,
    typer.Option(
        "--corrections",
        metavar="FILE",
        help="The evening's corrections. Without it: NAME.corrections.toml beside NAME.pbn.",
    ),
]

ConfigFile = Annotated[
    Path | None,
    typer.Option(
        "--config", metavar="FILE", envvar="OVERTRICK_CONFIG", show_envvar=True, help="The club's settings, club.toml."
    ),
]
