"""`overtrick bulletin`: the session's website and PDFs."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

from typer import Option

from overtrick.apps.cli import options, output
from overtrick.apps.cli.options import option

if TYPE_CHECKING:
    from overtrick.core.frames import Session


def bulletin(
    paths: options.Paths,
    out: Annotated[Path, option("--out", "DIR", "The folder to write; an older bulletin in it is replaced.")] = Path(
        "site"
    ),
    config: options.ConfigFile = None,
    corrections: options.CorrectionsFile = None,
    method: options.Method = None,
    no_pdf: Annotated[bool, Option("--no-pdf", help="Make only the website.")] = False,
    no_dd: options.NoSolving = False,
    total: Annotated[bool, Option("--total", help="Make one bulletin of several evenings, added up.")] = False,
    analyse: options.Analyse = False,
) -> None:
    """Make a session's bulletin: a website and its PDFs.

    Prints the path of the first page. A session with errors gets a bulletin too, with everything that can be scored.
    """
    settings = options.with_method(options.read_config(config, paths), method)
    from overtrick.apps.inbox.season import evaluate_stored
    from overtrick.conversion import publish
    from overtrick.core.atomic_write import check_folder
    from overtrick.files.assemble import refuse_several
    from overtrick.judge.analyse.solver import make_play_solvers, make_solver
    from overtrick.pipeline import evaluate, read

    settings = options.with_analysis(settings, analyse=analyse, no_dd=no_dd)
    found = options.read_corrections(paths, corrections)
    with _refusals(), output.show_work("Reading") as line:
        show = output.stages_on(line)
        if not total:
            refuse_several(paths, settings, show)
        as_read = read(paths, settings, total=total, show=show)
        if not as_read.is_blank:
            # Solving takes long, and would be for nothing.
            check_folder(out)
        work = partial(evaluate, as_read, settings, found, show=show)
        doubts: list[str] = []
        shown = line("Making pages and PDFs")
        write = partial(publish, out=out, config=settings, pdf=not no_pdf, on_document=shown, tell=doubts.append)
        solver = None if no_dd else make_solver(line("Solving deals"))
        session = evaluate_stored(as_read, settings, found, show) if settings.site.analyse else work(solver=solver)
        write(session)
        if not session.is_blank:
            output.emit(f"{out / 'index.html'}\n")
        if settings.site.analyse and session.analysis.is_empty() and not session.results.is_empty():
            output.say("The pages are there; the analysis follows.")
            plays = make_play_solvers(line("Solving plays"), line("Finding better cards"))
            session = work(solver=solver, play_solver=plays)
            write(session)
    for doubt in dict.fromkeys(doubts):
        output.complain(f"warning: {doubt}")
    _finish(session, paths, config, out)


@contextmanager
def _refusals() -> Iterator[None]:
    """Turn whatever keeps a bulletin from being made into one sentence and its status."""
    from overtrick.core.atomic_write import OutputError
    from overtrick.core.languages import LanguageError
    from overtrick.files.assemble import SeveralEveningsError
    from overtrick.show.publish.address import LeakError

    try:
        yield
    except SeveralEveningsError as error:
        output.wrong_usage(
            f"these files are of {error}; name the files of one evening, make all bulletins with `overtrick season`, or"
            " one bulletin of the totals with --total"
        )
    except LeakError as error:
        output.publish_failed(str(error))
    except (OutputError, LanguageError) as error:
        output.wrong_usage(str(error))


def _finish(session: "Session", paths: list[str], config: Path | None, out: Path) -> NoReturn:
    """Report what was made, and end."""
    if session.is_blank:
        output.complain("overtrick: found no deals and no results, so no bulletin was made")
        output.finish(session, paths, config, severities=("error", "warning"), status=output.DATA_ERRORS)
    output.tell_joined(session)
    counts = " and ".join((_count(out, "*.html", "page"), _count(out, "*.pdf", "PDF")))
    output.finish(session, paths, config, made=f"{out}: {counts} written")


def _count(folder: Path, pattern: str, word: str) -> str:
    from overtrick.show.text.display import format_count

    return format_count(sum(1 for _ in folder.rglob(pattern)), word, f"{word}s")
