"""`overtrick bulletin`: the session's website and PDFs."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from overtrick.cli.options import Analyse, ConfigFile, CorrectionsFile, Paths, read_config, read_named, with_analysis
from overtrick.cli.output import DATA_ERRORS, complain, emit, finish, say, show_stages, tell_joined, wrong_usage

if TYPE_CHECKING:
    from overtrick.config import Config
    from overtrick.frames import Session


def bulletin(
    paths: Paths,
    out: Annotated[
        Path, typer.Option("--out", metavar="DIR", help="The folder to write; an older bulletin in it is replaced.")
    ] = Path("site"),
    config: ConfigFile = None,
    corrections: CorrectionsFile = None,
    no_pdf: Annotated[bool, typer.Option("--no-pdf", help="Make only the website.")] = False,
    no_dd: Annotated[
        bool, typer.Option("--no-dd", help="Don't solve deals; show only the double-dummy tables in the files.")
    ] = False,
    total: Annotated[bool, typer.Option("--total", help="Make one bulletin of several evenings, added up.")] = False,
    analyse: Analyse = False,
) -> None:
    """Make a session's bulletin: a website and its PDFs.

    Prints the path of the first page. A session with errors gets a bulletin too, with everything that can be scored.
    """
    if analyse and no_dd:
        wrong_usage("--analyse needs solved deals, so it can't be used with --no-dd")
    settings = read_config(config)
    from overtrick import pipeline
    from overtrick.analyse.solvers import make_play_solvers, make_solver, wants_analysis
    from overtrick.render.atomic_write import OutputError
    from overtrick.render.languages import LanguageError

    settings = with_analysis(settings, analyse=analyse)
    wanted = not no_dd and wants_analysis(settings)
    named = read_named(corrections)
    write = partial(pipeline.bulletin, paths, out, settings, pdf=not no_pdf, corrections=named, total=total)
    page = f"{out / 'index.html'}\n"
    try:
        with show_stages() as line:
            write = partial(write, on_document=line("Making pages and PDFs"))
            solver = None if no_dd else make_solver(line("Solving deals"))
            session = write(stored=True) if wanted else write(solver=solver)
            if not session.is_blank:
                emit(page)
            if wanted and session.analysis.is_empty() and not session.results.is_empty():
                say("The pages are there; the analysis follows.")
                solvers = make_play_solvers(line("Solving plays"), line("Finding better cards"))
                session = write(solver=solver, play_solver=solvers)
    except pipeline.SeveralEveningsError as error:
        wrong_usage(
            f"these files are of {error}; name the files of one evening, make all bulletins with `overtrick season`, or"
            " one bulletin of the totals with --total"
        )
    except (OutputError, LanguageError) as error:
        wrong_usage(str(error))
    if session.is_blank:
        complain("overtrick: found no deals and no results, so no bulletin was made")
        finish(session, paths, config, severities=("error", "warning"), status=DATA_ERRORS)
    tell_joined(session)
    _report_nobody(session, settings)
    made = " and ".join((_count(out, "*.html", "page"), _count(out, "*.pdf", "PDF")))
    finish(session, paths, config, made=f"{out}: {made} written")


def _count(folder: Path, pattern: str, word: str) -> str:
    from overtrick.render.display import format_count

    return format_count(sum(1 for _ in folder.rglob(pattern)), word, f"{word}s")


def _report_nobody(session: "Session", settings: "Config") -> None:
    """Report who wishes to be named otherwise and did not play: the name may be misspelt."""
    from overtrick.render.privacy import list_nobody

    for name in list_nobody(session, settings.privacy, settings.people.register):
        complain(f"[privacy.players] {name!r} is nobody in this session")
