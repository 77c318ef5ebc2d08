"""`overtrick score`: who won, and what did each line earn?"""

import sys
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from overtrick.bridge.methods import Method
from overtrick.cli.options import ConfigFile, Paths
from overtrick.cli.output import emit, finish, palette, read_config, wrong_usage

if TYPE_CHECKING:
    from overtrick.frames import Session

Format = Literal["table", "csv", "json"]
FileFormat = Literal["csv", "json", "parquet"]
Rows = Literal["standings", "results"]


def score(
    paths: Paths,
    config: ConfigFile = None,
    method: Annotated[
        Method | None,
        typer.Option("--method", help="How boards are compared. Without it: as --config says, else as the file says."),
    ] = None,
    rows: Annotated[
        Rows,
        typer.Option("--rows", help="What a table, CSV or Parquet lists: the ranking, or every line of every board."),
    ] = "standings",
    output_format: Annotated[
        Format | None, typer.Option("--format", help="How it is printed: a table unless --out is given.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="FILE", help="Write to a file, in the format of its name: .csv, .json, .parquet."
        ),
    ] = None,
) -> None:
    """Score and rank a session.

    JSON holds all of it: the session, the standings, the results and the problems.
    """
    target = _format_of(out) if out else None
    settings = read_config(config)
    if method:
        settings = settings.model_copy(update={"scoring": settings.scoring.model_copy(update={"method": method})})
    from overtrick.pipeline import evaluate

    session = evaluate(paths, settings)
    if out and target:
        try:
            out.write_bytes(_document(session, target, rows))
        except OSError as error:
            wrong_usage(f"{out}: can't be written: {error.strerror}")
    if output_format or not out:
        emit(_document(session, output_format or "table", rows))
    finish(session, show_errors=True)


def _format_of(path: Path) -> FileFormat:
    match path.suffix.lower():
        case ".csv":
            return "csv"
        case ".json":
            return "json"
        case ".parquet":
            return "parquet"
        case _:
            raise typer.BadParameter("expected a name that ends in .csv, .json or .parquet", param_hint="--out")


def _document(session: "Session", form: Format | FileFormat, rows: Rows) -> bytes:
    from overtrick.render.csv import csv_document
    from overtrick.render.json import score_document
    from overtrick.render.rows import results_rows, standings_rows
    from overtrick.render.table import format_table, standings_tables

    listed = standings_rows(session) if rows == "standings" else results_rows(session)
    match form:
        case "json":
            return score_document(session).encode()
        case "csv":
            return csv_document(listed).encode()
        case "parquet":
            buffer = BytesIO()
            listed.write_parquet(buffer)
            return buffer.getvalue()
        case "table":
            colours = palette(sys.stdout)
            return (standings_tables(session, colours) if rows == "standings" else format_table(listed)).encode()
