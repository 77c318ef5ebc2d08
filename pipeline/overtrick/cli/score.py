"""`overtrick score`: who won, and what did each line earn?"""

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, NoReturn

import typer

from overtrick.bridge.methods import Method
from overtrick.cli.documents import DataFormat, Rows, data_document, data_format, listed_rows
from overtrick.cli.options import ConfigFile, CorrectionsFile, Paths, named_corrections
from overtrick.cli.output import emit, finish, palette, read_config, wrong_usage

if TYPE_CHECKING:
    from overtrick.assemble.beside import Found
    from overtrick.config import Config
    from overtrick.frames import Session

Format = Literal["table", "csv", "json"]


def score(
    paths: Paths,
    config: ConfigFile = None,
    corrections: CorrectionsFile = None,
    method: Annotated[
        Method | None,
        typer.Option("--method", help="How boards are compared. Without it: as --config says, else as the file says."),
    ] = None,
    rows: Annotated[
        Rows | None,
        typer.Option(
            "--rows",
            help="What is listed: the ranking; every line of every board; of teams the matches; of rubber, Chicago and"
            " four-hand matches the score sheets. Parquet lists the lines by itself.",
        ),
    ] = None,
    audit: Annotated[
        bool, typer.Option("--audit", help="Compare what the file states with what is computed, and explain it.")
    ] = False,
    output_format: Annotated[
        Format | None, typer.Option("--format", help="How it is printed: a table unless --out is given.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="FILE", help="Write to a file, in the format of its name: .csv, .json, .parquet, .pbn."
        ),
    ] = None,
) -> None:
    """Score and rank a session.

    With --audit, what the file states is compared with what we compute, line by line and total by total; where they
    differ, the policies that would explain it are looked for. JSON and CSV then list the differences.

    JSON holds all of it: the session, the standings, the results and the problems. PBN holds the games as they were
    read, with the score table of each board and the totals of the session.
    """
    if audit and (out or rows):
        wrong_usage("--audit lists differences: it goes with --format, and with neither --out nor --rows")
    if out and out.suffix.lower() != ".pbn" and data_format(out) is None:
        raise typer.BadParameter("expected a name that ends in .csv, .json, .parquet or .pbn", param_hint="--out")
    settings = read_config(config)
    if method:
        settings = settings.model_copy(update={"scoring": settings.scoring.model_copy(update={"method": method})})
    found = named_corrections(corrections)
    if audit:
        _audit(paths, settings, output_format or "table", found)
    from overtrick.pipeline import evaluate

    session = evaluate(paths, settings, corrections=found)
    if out:
        session = _written(session, out, rows)
    if output_format or not out:
        emit(_document(session, output_format or "table", rows))
    finish(session, show_errors=True)


def _written(session: "Session", out: Path, rows: Rows | None) -> "Session":
    """Write the session to a file; it gains the problems of doing so."""
    from overtrick.render.files import replace_file

    form = data_format(out)
    if form:
        content = data_document(session, form, rows)
    else:
        import polars as pl

        from overtrick.formats.pbn.write import corrected_pbn, export_pbn, scored_pbn

        exported = export_pbn(scored_pbn(corrected_pbn(session)))
        content = exported.text.encode("latin-1")
        session = replace(session, problems=pl.concat([session.problems, exported.problems]))
    try:
        replace_file(out, content)
    except OSError as error:
        wrong_usage(f"{out}: can't be written: {error.strerror}")
    return session


def _audit(paths: list[str], settings: "Config", form: Format, corrections: "list[Found] | None") -> NoReturn:
    """Print the audit of a session and stop."""
    from overtrick.pipeline import audit
    from overtrick.render.audit import audit_text
    from overtrick.render.csv import csv_document
    from overtrick.render.json import rows_document

    session, found = audit(paths, settings, corrections=corrections)
    if form == "json":
        emit(rows_document(found.differences))
    elif form == "csv":
        emit(csv_document(found.differences))
    else:
        said = [(one.policy, len(one.explains), len(one.breaks)) for one in found.explanations]
        emit(audit_text(found.differences, found.lines, found.totals, said))
    finish(session, show_errors=True)


def _document(session: "Session", form: Format | DataFormat, rows: Rows | None) -> bytes:
    if form != "table":
        return data_document(session, form, rows)
    from overtrick.render.table import format_table, standings_tables

    if rows in {None, "standings"}:
        return standings_tables(session, palette(sys.stdout)).encode()
    return (format_table(listed_rows(session, rows or "standings")) or "There is nothing to list.\n").encode()
