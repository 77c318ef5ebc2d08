"""`overtrick bulletin`: the session's website and PDF."""

from pathlib import Path
from typing import Annotated

import typer

from overtrick.cli.options import ConfigFile, Paths
from overtrick.cli.output import emit, finish, read_config, wrong_usage


def bulletin(
    paths: Paths,
    out: Annotated[
        Path, typer.Option("--out", metavar="DIR", help="The folder to make; an older bulletin is replaced.")
    ],
    config: ConfigFile = None,
    no_pdf: Annotated[bool, typer.Option("--no-pdf", help="Make the website only.")] = False,
    no_dd: Annotated[  # noqa: ARG001 - computing double-dummy tables is off already; scripts may still say so
        bool, typer.Option("--no-dd", help="Compute no double-dummy tables. (This version never does.)")
    ] = False,
) -> None:
    """Make a session's bulletin: a website and its PDF.

    Prints the path of the first page. A session with errors gets its bulletin too, with what can be scored.
    """
    settings = read_config(config)
    from overtrick import pipeline
    from overtrick.render import LanguageError, OutputError

    try:
        session = pipeline.bulletin(paths, out, settings, pdf=not no_pdf)
    except (OutputError, LanguageError) as error:
        wrong_usage(str(error))
    emit(f"{out / 'index.html'}\n")
    finish(session, show_errors=True)
