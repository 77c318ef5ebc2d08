"""`overtrick check`: list the problems in files."""

import sys
from typing import Annotated, Literal

from typer import Option

from overtrick.apps.cli.options import ConfigFile, CorrectionsFile, Paths, option, read_config, read_corrections
from overtrick.apps.cli.output import emit, end, hint_at_all, palette, show_work, stages_on

Format = Literal["text", "json", "sarif"]


def check(
    paths: Paths,
    output_format: Annotated[Format, option("--format", "text|json|sarif", "How to print the problems.")] = "text",
    strict: Annotated[
        bool, Option("--strict", help="Report breaches of the file format as errors even if overtrick can read them.")
    ] = False,
    config: ConfigFile = None,
    corrections: CorrectionsFile = None,
) -> None:
    """Check files and list their problems.

    Checks the file format, deals, dealer and vulnerability, auctions, plays and results, and compares the scores and
    totals in the file with those that follow from its contracts.
    """
    settings = read_config(config, paths)
    from overtrick.apps.evening.check import examine
    from overtrick.files.formats.text import source_lines

    found = read_corrections(paths, corrections)
    with show_work("Reading") as line:
        session = examine(paths, settings, strict=strict, corrections=found, show=stages_on(line))
    if output_format == "json":
        from overtrick.show.data.downloads import write_check_json

        emit(write_check_json(session))
    elif output_format == "sarif":
        from overtrick.show.data.sarif import write_sarif

        emit(write_sarif(session))
    else:
        from overtrick.show.text.display import format_problems

        emit(format_problems(session, source_lines, palette(sys.stdout)))
    end(session, hint_at_all(session, paths, config, listed=True) if output_format == "text" else "")
