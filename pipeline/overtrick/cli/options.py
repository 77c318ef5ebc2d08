"""Options that several commands share."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from overtrick.assemble.beside import Found

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


def named_corrections(path: Path | None) -> "list[Found] | None":
    """Read the corrections file that an option names; None if it names none, and those beside the files count."""
    if path is None:
        return None
    from overtrick.assemble.beside import read_corrections

    return [read_corrections(path)]
