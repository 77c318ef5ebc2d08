"""`overtrick check`: what is wrong with these files?"""

import sys
from typing import Annotated, Literal

import typer

from overtrick.cli.options import ConfigFile, Paths
from overtrick.cli.output import emit, finish, palette, read_config

Format = Literal["text", "json", "sarif"]


def check(
    paths: Paths,
    output_format: Annotated[Format, typer.Option("--format", help="How the problems are listed.")] = "text",
    strict: Annotated[
        bool, typer.Option("--strict", help="Refuse what is against the file format although it is understood.")
    ] = False,
    config: ConfigFile = None,
) -> None:
    """Check files and list their problems.

    The form of the file, deals, dealer and vulnerability, results, and the scores
    and totals that it states against those that follow from its contracts.
    """
    settings = read_config(config)
    from overtrick.pipeline import examine, source_lines

    session = examine(paths, settings, strict=strict)
    if output_format == "json":
        from overtrick.render.data.json import write_check_json

        emit(write_check_json(session))
    elif output_format == "sarif":
        from overtrick.render.data.sarif import write_sarif

        emit(write_sarif(session))
    else:
        from overtrick.render.terminal import format_problems

        emit(format_problems(session, source_lines, palette(sys.stdout)))
    finish(session, show_errors=False)
