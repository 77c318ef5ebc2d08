"""`overtrick season`: the websites of many sessions, and their index."""

from collections import Counter
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer
from typer import Argument, Option

from overtrick.apps.cli.options import Analyse, ConfigFile, NoSolving, must_exist, option, read_config, with_analysis
from overtrick.apps.cli.output import DATA_ERRORS, complain, emit, publish_failed, say, show_work, wrong_usage

if TYPE_CHECKING:
    from overtrick.apps.cli.output import Line
    from overtrick.core.config import Config
    from overtrick.judge.analyse import Solver
    from overtrick.judge.analyse.solver import PlaySolvers

_MESSAGES = {
    "made with errors": "has errors; `overtrick check` lists them",
    "removed earlier": "was removed from the season; to bring it back, name its file by itself",
    "left out": "left out, because it has neither deals nor results; `overtrick check` says why",
}


def season(
    paths: Annotated[
        list[str] | None,
        Argument(
            metavar="FILE",
            callback=must_exist,
            help="Files, one per session, or folders of files and of session folders.",
        ),
    ] = None,
    out: Annotated[Path, option("--out", "DIR", "The folder of the season; sessions are added to those in it.")] = Path(
        "season"
    ),
    config: ConfigFile = None,
    no_pdf: Annotated[bool, Option("--no-pdf", help="Make only the websites.")] = False,
    no_dd: NoSolving = False,
    analyse: Analyse = False,
    remove: Annotated[str | None, option("--remove", "EVENING", "Take an evening out of the season.")] = None,
    rename: Annotated[
        tuple[str, str] | None, option("--rename", "EVENING NAME", "Give an evening another folder and address.")
    ] = None,
) -> None:
    """Make the bulletins of many sessions and their index.

    The index comes with pages of players, partnerships and series. Makes only new and changed sessions; earlier ones
    stay. Prints the path of the index.
    """
    settings = read_config(config, paths or [out])
    if remove is not None or rename:
        _change(out, settings, remove, rename)
    if not paths:
        wrong_usage("name files or folders of evenings")
    settings = with_analysis(settings, analyse=analyse, no_dd=no_dd)
    from overtrick.apps.inbox.season import make_season
    from overtrick.core.atomic_write import OutputError
    from overtrick.core.languages import LanguageError
    from overtrick.show.publish.address import LeakError

    outcomes: Counter[str] = Counter()
    try:
        with show_work("Listing files") as line:
            solvers = partial(_make_solvers, line) if settings.site.analyse else None
            make = partial(make_season, pdf=not no_pdf, report=complain, tell=say, progress=line, solvers=solvers)
            for folder, outcome in make(paths, out, settings):
                outcomes[outcome] += 1
                if outcome in _MESSAGES:
                    complain(f"{folder}: {_MESSAGES[outcome]}")
    except LeakError as error:
        publish_failed(str(error))
    except (OutputError, LanguageError) as error:
        wrong_usage(str(error))
    except OSError as error:
        wrong_usage(f"{error.filename}: can't be read: {error.strerror}")
    _finish(outcomes, paths, out)


def _finish(outcomes: Counter[str], paths: list[str], out: Path) -> NoReturn:
    """Print the path of the index and how many evenings were made, and end."""
    if not (out / "index.html").is_file():
        wrong_usage(f"{', '.join(paths)}: found no sessions")
    emit(f"{out / 'index.html'}\n")
    wrong = outcomes["made with errors"]
    say(f"{outcomes['made'] + wrong} made, {outcomes['unchanged']} unchanged")
    raise typer.Exit(DATA_ERRORS if wrong else 0)


def _make_solvers(line: "Line", evening: str) -> "tuple[Solver, PlaySolvers]":
    """Return the solvers for an evening, which show what they do."""
    from overtrick.judge.analyse.solver import make_play_solvers, make_solver

    plays = make_play_solvers(line(f"{evening}: solving plays"), line(f"{evening}: finding better cards"))
    return make_solver(line(f"{evening}: solving deals")), plays


def _change(out: Path, settings: "Config", remove: str | None, rename: tuple[str, str] | None) -> NoReturn:
    """Remove or rename an evening, print the path of the index or of the evening's page, and end."""
    from overtrick.apps.inbox.season import SeasonError, remove_session, rename_session
    from overtrick.core.atomic_write import OutputError
    from overtrick.core.languages import LanguageError

    page, done = out / "index.html", list[str]()
    try:
        with show_work("Making the index and the pages of players"):
            if remove is not None:
                remove_session(out, remove, settings, complain)
                done.append(f"{out}: {remove} removed")
            if rename:
                renamed = rename_session(out, *rename, settings, complain)
                page = out / renamed / "index.html"
                done.append(f"{out}: {rename[0]} is now {renamed}")
    except (SeasonError, OutputError, LanguageError) as error:
        wrong_usage(str(error))
    emit(f"{page}\n")
    for line in done:
        say(line)
    raise typer.Exit
