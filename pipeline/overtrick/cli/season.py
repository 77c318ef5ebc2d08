"""`overtrick season`: the websites of many sessions, and their index."""

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from overtrick.cli.options import Analyse, ConfigFile, read_config, with_analysis
from overtrick.cli.output import DATA_ERRORS, emit, progress_line, say, wrong_usage

if TYPE_CHECKING:
    from overtrick.config import Config

_MESSAGES = {
    "made with errors": "has errors; `overtrick check` lists them",
    "removed earlier": "was removed from the season; to bring it back, name its file by itself",
    "left out": "left out, because it has neither deals nor results; `overtrick check` says why",
}


def season(
    paths: Annotated[
        list[str] | None,
        typer.Argument(metavar="FILE", help="Files, one per session, or folders of files and of session folders."),
    ] = None,
    out: Annotated[
        Path,
        typer.Option("--out", metavar="DIR", help="The folder of the season; sessions are added to those in it."),
    ] = Path("season"),
    config: ConfigFile = None,
    no_pdf: Annotated[bool, typer.Option("--no-pdf", help="Make only the websites.")] = False,
    analyse: Analyse = False,
    remove: Annotated[
        str | None, typer.Option("--remove", metavar="EVENING", help="Take an evening out of the season.")
    ] = None,
    rename: Annotated[
        tuple[str, str] | None,
        typer.Option("--rename", metavar="EVENING NAME", help="Give an evening another folder and address."),
    ] = None,
) -> None:
    """Make the bulletins of many sessions and their index.

    The index comes with pages of players, partnerships and series. Makes only new and changed sessions; earlier ones
    stay. Prints the path of the index.
    """
    settings = read_config(config)
    if remove is not None or rename:
        _change(out, settings, remove, rename)
    if not paths:
        wrong_usage("name files or folders of evenings")
    settings = with_analysis(settings, analyse=analyse)
    from overtrick.analyse.solvers import make_play_solvers, make_solver, wants_analysis
    from overtrick.inbox.season import make_season
    from overtrick.render.atomic_write import OutputError
    from overtrick.render.languages import LanguageError

    outcomes: Counter[str] = Counter()
    try:
        with progress_line() as line:
            plays = make_play_solvers(line("Solving plays"), line("Finding better cards"))
            solvers = (make_solver(line("Solving deals")), plays) if wants_analysis(settings) else None
            made = make_season(paths, out, settings, pdf=not no_pdf, report=_report, progress=line, solvers=solvers)
            for folder, outcome in made:
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
    say(f"{outcomes['made'] + wrong} made, {outcomes['unchanged']} unchanged")
    raise typer.Exit(DATA_ERRORS if wrong else 0)


def _report(message: str) -> None:
    typer.echo(message, err=True)


def _change(out: Path, settings: "Config", remove: str | None, rename: tuple[str, str] | None) -> NoReturn:
    """Remove or rename an evening, print the path of the index or of the evening's page, and end."""
    from overtrick.inbox.season import SeasonError, remove_session, rename_session
    from overtrick.render.atomic_write import OutputError
    from overtrick.render.languages import LanguageError

    page = out / "index.html"
    try:
        if remove is not None:
            remove_session(out, remove, settings, _report)
        if rename:
            page = out / rename_session(out, *rename, settings, _report) / "index.html"
    except (SeasonError, OutputError, LanguageError) as error:
        wrong_usage(str(error))
    emit(f"{page}\n")
    raise typer.Exit
