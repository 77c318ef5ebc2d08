"""The commands and their common options."""

from typing import Annotated

import typer

from overtrick import __version__
from overtrick.cli.bulletin import bulletin
from overtrick.cli.chart import chart
from overtrick.cli.check import check
from overtrick.cli.compact import compact
from overtrick.cli.config import config
from overtrick.cli.convert import convert
from overtrick.cli.correct import correct
from overtrick.cli.desk import desk
from overtrick.cli.fix import fix
from overtrick.cli.formats import formats
from overtrick.cli.help import Command, Group
from overtrick.cli.ingest import ingest
from overtrick.cli.lsp import lsp
from overtrick.cli.people import people
from overtrick.cli.publish import publish
from overtrick.cli.score import score
from overtrick.cli.season import season
from overtrick.cli.solve import solve
from overtrick.cli.template import template
from overtrick.cli.watch import watch

app = typer.Typer(
    name="overtrick",
    cls=Group,
    help="Check, score, rank and publish the results of bridge sessions, from the files of any program.",
    epilog="Exit status: 0 fine, 1 the data has errors, 2 wrong usage, 3 publishing failed.",
    subcommand_metavar="COMMAND [ARGUMENTS]",
    no_args_is_help=True,
    # The import of rich would take longer than all the rest of a --help.
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
for command in (
    *(check, fix, score, bulletin, season, convert, formats, template, correct, people, desk, publish, watch),
    *(ingest, solve, chart, compact, lsp),
):
    app.command(cls=Command)(command)
app.add_typer(config, name="config")


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"overtrick {__version__}")
        raise typer.Exit


@app.callback()
def _overtrick(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    pass
