"""The commands and their common options."""

from collections.abc import Iterable
from importlib import import_module
from itertools import chain
from typing import Annotated, Final

import typer

from overtrick.apps.cli.help import Command, Group
from overtrick.apps.cli.options import with_loudness
from overtrick.core.version import __version__

HEADINGS: Final = {
    "Evening": ("check", "score", "bulletin", "correct", "desk", "terminals"),
    "Website": ("season", "publish", "deliver", "watch", "verify"),
    "Club": ("init", "config", "people"),
    "Files": ("convert", "fix", "formats", "template"),
    "Archive": ("ingest", "archive", "chart"),
    "Editors": ("lsp",),
}
"""The commands by what they are about, in the order of the help."""
COMMANDS: Final = tuple(chain.from_iterable(HEADINGS.values()))
"""The commands in the order of the help. Each is a function, or a group of commands, in the module of its name."""


class Commands(Group):
    """All commands, listed by what they are about."""

    headings = HEADINGS


def make_app(words: Iterable[str] = ()) -> typer.Typer:
    """Return the command line.

    Args:
        words: the arguments of the process. If the first one is a command, only its module is loaded.
    """
    first = next(iter(words), "")
    app = typer.Typer(
        name="overtrick",
        cls=Commands,
        help="Check, score, rank and publish the results of bridge sessions, from the files of any program.",
        epilog="Exit status: 0 fine, 1 the data has errors, 2 wrong usage, 3 publishing failed, 4 output failed.",
        subcommand_metavar="COMMAND [ARGUMENTS]",
        no_args_is_help=True,
        # The import of rich would take longer than all the rest of a --help.
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    )
    app.callback()(_overtrick)
    for name in (first,) if first in COMMANDS else COMMANDS:
        command = getattr(import_module(f"overtrick.apps.cli.{name}"), name)
        if isinstance(command, typer.Typer):
            app.add_typer(command, name=name)
        else:
            app.command(cls=Command)(with_loudness(command))
    return app


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"overtrick {__version__}")
        raise typer.Exit


def _overtrick(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    pass
