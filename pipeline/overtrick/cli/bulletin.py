"""`overtrick bulletin`: the session's website and PDF."""

from pathlib import Path
from typing import Annotated

import typer

from overtrick.cli.options import ConfigFile, CorrectionsFile, Paths, named_corrections
from overtrick.cli.output import DATA_ERRORS, emit, finish, progress_bar, read_config, wrong_usage


def bulletin(
    paths: Paths,
    out: Annotated[
        Path, typer.Option("--out", metavar="DIR", help="The folder to make; an older bulletin is replaced.")
    ],
    config: ConfigFile = None,
    corrections: CorrectionsFile = None,
    no_pdf: Annotated[bool, typer.Option("--no-pdf", help="Make the website only.")] = False,
    no_dd: Annotated[
        bool, typer.Option("--no-dd", help="Solve no deals: only double-dummy tables that the files state.")
    ] = False,
) -> None:
    """Make a session's bulletin: a website and its PDF.

    Prints the path of the first page. A session with errors gets its bulletin too, with what can be scored.
    """
    settings = read_config(config)
    from overtrick import pipeline
    from overtrick.render.files import OutputError
    from overtrick.render.languages import LanguageError

    try:
        with progress_bar("Solving deals") as progress:
            solver = None if no_dd else pipeline.solver(progress)
            named = named_corrections(corrections)
            session = pipeline.bulletin(paths, out, settings, pdf=not no_pdf, solver=solver, corrections=named)
    except (OutputError, LanguageError) as error:
        wrong_usage(str(error))
    if session.is_blank:
        typer.echo("overtrick: there are no deals and no results, so no bulletin is made", err=True)
        finish(session, show_errors=True, severities=("error", "warning"), status=DATA_ERRORS)
    emit(f"{out / 'index.html'}\n")
    finish(session, show_errors=True)
