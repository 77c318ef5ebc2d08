"""`overtrick template`: an empty spreadsheet of an evening, to fill in."""

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from overtrick.apps.cli.options import option
from overtrick.apps.cli.output import say, show_work, write_file, wrong_usage


def template(
    target: Annotated[Path, Argument(metavar="TARGET", help="The spreadsheet to write; its name ends in .xlsx.")],
    boards: Annotated[int, option("--boards", "N", "The number of boards.", min=1, max=200)] = 24,
    tables: Annotated[int, option("--tables", "N", "The number of tables.", min=1, max=100)] = 6,
    yes: Annotated[bool, Option("--yes", help="Replace a file that is there.")] = False,
) -> None:
    """Write an empty spreadsheet for an evening.

    It has a line for each result. Fill in the pairs, the contracts and the tricks, save it, and name it like any other
    file. Its second sheet explains the columns; you may delete columns, add others, or give them names of your own.
    """
    if target.suffix.lower() != ".xlsx":
        wrong_usage(f"{target}: expected a name that ends in .xlsx")
    if target.exists() and not yes:
        wrong_usage(f"{target}: this file is there already; choose another name, or replace it with --yes")
    from overtrick.files.formats.spreadsheets import write_template

    with show_work("Making the spreadsheet"):
        written = write_template(boards, tables)
    if not written.content:
        wrong_usage(str(written.problems["message"].item()) + "; get it with: pip install 'overtrick[sheets]'")
    write_file(target, written.content)
    say(f"{target}: {boards} boards, {tables} tables")
