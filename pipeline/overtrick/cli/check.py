"""`overtrick check`: what is wrong with these files?"""

import sys
from typing import Annotated, Literal

import typer

from overtrick.cli.options import ConfigFile, CorrectionsFile, Paths, named_corrections
from overtrick.cli.output import emit, finish, palette, read_config

Format = Literal["text", "json", "sarif"]


def check(
    paths: Paths,
    output_format: Annotated[Format, typer.Option("--format", help="How the problems are listed.")] = "text",
    strict: Annotated[
        bool, typer.Option("--strict", help="Refuse what is against the file format although it is understood.")
    ] = False,
    config: ConfigFile = None,
    corrections: CorrectionsFile = None,
) -> None:
    """Check files and list their problems.

    The form of the file, deals, dealer and vulnerability, results, and the scores
    and totals that it states against those that follow from its contracts.
    """
    settings = read_config(config)
    from overtrick.pipeline import examine, source_lines

    session = examine(paths, settings, strict=strict, corrections=named_corrections(corrections))
    if output_format == "json":
        from overtrick.render.json import check_document

        emit(check_document(session))
    elif output_format == "sarif":
        from overtrick.render.sarif import sarif_document

        emit(sarif_document(session))
    else:
        from overtrick.render.report import problem_report

        emit(problem_report(session, source_lines, palette(sys.stdout)))
    finish(session, show_errors=False)
