"""The command line: one module a verb. A command reads its options, calls the pipeline and prints.

Data goes to standard output, messages to standard error. Exit status: 0 fine; 1 the data has errors; 2 wrong usage;
3 publishing failed; 130 interrupted; 141 when the reader of a pipe left.
"""

import gc
from typing import Annotated

import typer
from typer.core import TyperGroup

from overtrick import __version__
from overtrick.cli.bulletin import bulletin
from overtrick.cli.check import check
from overtrick.cli.compact import compact
from overtrick.cli.config import config
from overtrick.cli.convert import convert
from overtrick.cli.correct import correct
from overtrick.cli.ingest import ingest
from overtrick.cli.publish import publish
from overtrick.cli.score import score
from overtrick.cli.season import season
from overtrick.cli.solve import solve
from overtrick.cli.watch import watch


class _Words(TyperGroup):
    """Takes no empty word: a script whose variable is not set would mean the folder that it runs in."""

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:  # type: ignore[override]
        if "" in args:
            ctx.fail("an argument is empty; is a variable of the script not set?")
        return super().parse_args(ctx, args)


app = typer.Typer(
    name="overtrick",
    cls=_Words,
    help="Bridge results and deals from the files of any program: checked, scored, ranked and published.",
    epilog="Exit status: 0 fine, 1 the data has errors, 2 wrong usage, 3 publishing failed.",
    no_args_is_help=True,
    # rich would take longer to import than all the rest of a --help
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
app.command()(check)
app.command()(score)
app.command()(bulletin)
app.command()(season)
app.command()(convert)
app.command()(correct)
app.command()(publish)
app.command()(watch)
app.command()(ingest)
app.command()(solve)
app.command()(compact)
app.add_typer(config, name="config")


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"overtrick {__version__}")
        raise typer.Exit


@app.callback()
def _overtrick(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    pass


def main() -> None:
    """Run the command line; the process ends with the command's exit status."""
    # A command is over before garbage piles up; looking for it while libraries load costs 6 % of a short run.
    gc.disable()
    try:
        app()
    finally:
        # Python looks through all that it holds when it ends, for cycles to take apart: a tenth of a short run.
        gc.freeze()
