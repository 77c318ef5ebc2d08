"""`overtrick season`: the websites of many sessions, and their index."""

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from overtrick.cli.options import ConfigFile, read_config
from overtrick.cli.output import DATA_ERRORS, emit, wrong_usage

_MESSAGES = {
    "made with errors": "has errors; `overtrick check` lists them",
    "left out": "left out, because it has neither deals nor results; `overtrick check` says why",
}


def season(
    paths: Annotated[
        list[str],
        typer.Argument(metavar="FILE", help="Files, one per session, or folders of files and of session folders."),
    ],
    out: Annotated[
        Path,
        typer.Option("--out", metavar="DIR", help="The folder of the season; sessions are added to those in it."),
    ] = Path("season"),
    config: ConfigFile = None,
    no_pdf: Annotated[bool, typer.Option("--no-pdf", help="Make only the websites.")] = False,
) -> None:
    """Make the bulletins of many sessions and their index.

    Makes only new and changed sessions; earlier ones stay. Prints the path of the index.
    """
    settings = read_config(config)
    from overtrick.inbox.season import make_season
    from overtrick.render.atomic_write import OutputError
    from overtrick.render.languages import LanguageError

    outcomes: Counter[str] = Counter()
    try:
        for folder, outcome in make_season(paths, out, settings, pdf=not no_pdf):
            outcomes[outcome] += 1
            if outcome in _MESSAGES:
                typer.echo(f"{folder}: {_MESSAGES[outcome]}", err=True)
    except (OutputError, LanguageError) as error:
        wrong_usage(str(error))
    except OSError as error:
        wrong_usage(f"{error.filename}: can't be read: {error.strerror}")
    if not (out / "index.html").is_file():
        wrong_usage(f"{', '.join(paths)}: found no sessions")
    emit(f"{out / 'index.html'}\n")
    wrong = outcomes["made with errors"]
    typer.echo(f"{outcomes['made'] + wrong} made, {outcomes['unchanged']} unchanged", err=True)
    raise typer.Exit(DATA_ERRORS if wrong else 0)
