"""`overtrick season`: the websites of many sessions with their index."""

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from overtrick.cli.options import ConfigFile
from overtrick.cli.output import DATA_ERRORS, emit, read_config, wrong_usage

_TOLD = {
    "made with errors": "has errors; overtrick check says which",
    "left out": "has neither deals nor results, and is left out; overtrick check says why",
}


def season(
    paths: Annotated[
        list[str], typer.Argument(metavar="PATH", help="Files, each a session, and folders of files and sessions.")
    ],
    out: Annotated[
        Path, typer.Option("--out", metavar="DIR", help="The folder of the season; sessions are added to it.")
    ],
    config: ConfigFile = None,
    no_pdf: Annotated[bool, typer.Option("--no-pdf", help="Make the websites only.")] = False,
) -> None:
    """Make the bulletins of many sessions and an index of them: a club's season.

    Only sessions that changed since the last time are made again; those made before stay. Prints the path of the index.
    """
    settings = read_config(config)
    from overtrick.inbox.season import season as make_season
    from overtrick.render.atomic_write import OutputError
    from overtrick.render.languages import LanguageError

    became: Counter[str] = Counter()
    try:
        for folder, outcome in make_season(paths, out, settings, pdf=not no_pdf):
            became[outcome] += 1
            if outcome in _TOLD:
                typer.echo(f"{folder}: {_TOLD[outcome]}", err=True)
    except (OutputError, LanguageError) as error:
        wrong_usage(str(error))
    except OSError as error:
        wrong_usage(f"{error.filename}: can't be read: {error.strerror}")
    if not (out / "index.html").is_file():
        wrong_usage(f"{', '.join(paths)}: there are no sessions")
    emit(f"{out / 'index.html'}\n")
    wrong = became["made with errors"]
    typer.echo(f"{became['made'] + wrong} made, {became['unchanged']} unchanged", err=True)
    raise typer.Exit(DATA_ERRORS if wrong else 0)
