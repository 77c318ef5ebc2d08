"""The story of the program: files are read into one evening, the evening is evaluated, and its bulletin is published.

The command line, the desk, the inbox, the archive, editors and Python all call these three functions, so that settings,
corrections, plugins, honours and privacy apply to all of them alike.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, Unpack

import polars as pl

from overtrick.core.config import Config
from overtrick.core.frames import FRAMES, Session
from overtrick.core.machine import Show, show_nothing
from overtrick.core.plugins import After, Fault, Stage, explain, find
from overtrick.core.problems import (
    apply_checks,
    apply_strict,
    concat_problems,
    fold_habits,
    leave_to_kinds,
    load_plugin_codes,
    report_faults,
)
from overtrick.core.words import spoken
from overtrick.files.assemble import assemble, put_evenings_together, sort_into_evenings
from overtrick.files.assemble.beside import Found, list_inputs
from overtrick.files.assemble.contestants import prefer_members
from overtrick.files.assemble.evenings import settle_clubs, with_clubs
from overtrick.files.formats.looks import count_bytes, plugin_formats
from overtrick.files.formats.read import locate_findings, read_files
from overtrick.judge.analyse import Solver, analyse
from overtrick.judge.numbers import count_once, score_as_stated, turn_scores
from overtrick.judge.rank import rank
from overtrick.judge.validate import validate
from overtrick.judge.validate.session import find_kinds
from overtrick.show.views import FAULTS

if TYPE_CHECKING:
    from overtrick.judge.analyse.solver import PlaySolvers
    from overtrick.show.publish.bulletin import Choices

_STAGES: Final[dict[After, str]] = {
    "validate": "Checking",
    "score": "Scoring",
    "rank": "Ranking",
    "analyse": "Analysing",
}
"""The stages of `evaluate`, and the words for each while it runs."""


def read(  # noqa: PLR0913 - what the callers may choose
    paths: Sequence[str],
    config: Config,
    *,
    total: bool = False,
    together: bool = False,
    readings: Sequence[Session] = (),
    verified: bool = False,
    show: Show = show_nothing,
) -> Session:
    """Read files and folders into one session, as they are: nothing is corrected, checked or scored.

    Args:
        paths: files, folders (walked) or `-` for standard input.
        config: the club's settings; `Config()` for the defaults.
        total: put several evenings together one by one, so that their totals are added.
        together: the files are one evening, whatever they hold.
        readings: what `read_files` yields of the paths, if they were read before.
        verified: check the files against the standard of their format too.
        show: takes what is done.

    Returns:
        The session: `records`, `results`, `contestants` and all else that the files state. Errors in the data are rows
        of `problems`; none is raised.
    """
    inputs = list_inputs(paths)
    with spoken(config.words()):
        groups = sort_into_evenings(inputs, config, total=True, show=show) if total else []
        if len(groups) > 1:
            return put_evenings_together(groups)
        inputs = groups[0] if groups else inputs
        words = "Checking" if verified else "Reading"
        found = readings or read_files(inputs, verified=verified, on_bytes=count_bytes(inputs, show, words))
        parts, scoring = settle_clubs(found, config.scoring)
        return assemble(parts, "together" if together else scoring.sessions, verified=verified)


def evaluate(  # noqa: PLR0913 - what the callers may choose
    session: Session,
    config: Config,
    corrections: Sequence[Found] = (),
    *,
    until: After = "analyse",
    solver: Solver | None = None,
    play_solver: "PlaySolvers | None" = None,
    strict: bool = False,
    sound: bool = False,
    show: Show = show_nothing,
) -> Session:
    """Correct, check, score, rank and analyse a session.

    Args:
        session: from `read`.
        config: the club's settings.
        corrections: the corrections files to apply: `assemble.beside.find_corrections` finds those beside the files.
        until: the last stage.
        solver: solves deals double dummy; None for the double-dummy tables in the files only.
        play_solver: solves leads and plays, to explain where the points of each result came from; None to leave it out.
        strict: make tolerated breaches of a format errors, unless the settings give them a severity.
        sound: leave out the checks, of data in which they are known to find no errors.
        show: takes what is done.

    Returns:
        The session with all its frames. Errors in the data are rows of `problems`; none is raised.
    """
    config = with_clubs(config)
    if corrections:
        from overtrick.files.correct import apply_corrections, point_at_entries  # noqa: PLC0415 - most evenings have none

        session, config = apply_corrections(session, config, corrections)
    session = prefer_members(session, config.people.register)
    stages: dict[After, Callable[[Session], Session]] = {
        "validate": lambda evening: _check(evening, config, sound=sound),
        "score": lambda evening: score_as_stated(evening, config.scoring),
        "rank": lambda evening: _honour(rank(evening, config.scoring), config),
        "analyse": lambda evening: analyse(evening, solver),
    }
    for done, (stage, words) in enumerate(_STAGES.items()):
        show(words, done, len(_STAGES))
        session = stages[stage](session)
        session = run_plugins(locate_findings(point_at_entries(session) if corrections else session), stage)
        if stage == until:
            break
    if play_solver:
        from overtrick.judge.analyse.explain import explain  # noqa: PLC0415 - few runs ask why

        session = explain(session, config.scoring, *play_solver)
    return _finish(session, config, strict=strict, report_plugins=until == "analyse")


def _check(session: Session, config: Config, *, sound: bool) -> Session:
    """Check a session in which results that are listed twice count once, and numbers are those of their side."""
    counted = turn_scores(count_once(session, config.scoring.repeats), config.scoring.stated_view)
    return counted if sound else validate(counted, config.movement)


def _honour(session: Session, config: Config) -> Session:
    """Add the rankings of strata and clubs, and masterpoints, where the settings or the files have any."""
    stated = session.contestants["stated_awards"].is_not_null().any()
    if not (config.people.strata or config.scoring.clubs or config.awards or stated):
        return session
    from overtrick.judge.people import awards, divisions  # noqa: PLC0415 - few clubs have masterpoints

    return awards.award(divisions.divide(session, config.people, config.scoring.clubs), config.awards)


def _finish(session: Session, config: Config, *, strict: bool, report_plugins: bool) -> Session:
    """Report plugins that were skipped, and apply the club's [checks] settings to the problems."""
    problems = session.problems
    if report_plugins:
        faults = [*find("overtrick.stages").faults, *plugin_formats()[1], *load_plugin_codes(), *FAULTS]
        problems = pl.concat([problems, report_faults(faults)]) if faults else problems
    checks = config.checks
    kinds = {source: checks.kind or kind for source, kind in find_kinds(session).items()}
    problems = apply_strict(problems) if strict else fold_habits(leave_to_kinds(problems, kinds), session.records)
    problems = apply_checks(problems, checks.only, checks.silence, checks.severity)
    return replace(session, problems=problems, facts=replace(session.facts, kinds=kinds))


def publish(session: Session, out: Path, config: Config, **choices: "Unpack[Choices]") -> None:
    """Write the bulletin of a session, its website and its PDF documents, to a folder.

    The new folder replaces the old one when everything is written: a run that dies leaves the old bulletin as it was.
    Nobody is named who does not wish it (`judge.privacy`).

    Args:
        session: from `evaluate`. With neither deals nor results there is nothing to publish, and nothing is written.
        out: the folder.
        config: the club's settings.
        choices: as `show.publish.bulletin.write_bulletin` takes them: whether to make PDF documents, what to call
            meanwhile, and more.

    Raises:
        OutputError: `out` holds files that overtrick did not write, or can't be written. Nothing has changed then.
        LanguageError: the language of the pages can't be used.
    """
    if session.is_blank:
        return
    from overtrick.show.publish.bulletin import write_bulletin  # noqa: PLC0415 - few runs need a template engine

    write_bulletin(session, out, config, **choices)


def run_plugins(session: Session, after: After) -> Session:
    """Run the stages of plugins that follow a stage; report those that fail, and go without."""
    faults = []
    for name, plugin in find("overtrick.stages").loaded:
        stage = plugin if isinstance(plugin, Stage) else Stage(plugin)
        if stage.after != after:
            continue
        try:
            session = _checked(stage.run(session))
        except Exception as error:  # noqa: BLE001 - whatever another package does
            faults.append(Fault(f"overtrick.stages:{name}", explain(error)))
    if not faults:
        return session
    return replace(session, problems=concat_problems([session.problems, report_faults(faults)]))


def _checked(session: object) -> Session:
    """Return what a plugin returned, if it is a session whose frames have their columns."""
    if not isinstance(session, Session):
        raise TypeError(f"expected a Session, got {type(session).__name__}")
    blank = Session()
    for name in FRAMES:
        frame, expected = getattr(session, name), getattr(blank, name).schema
        if any(frame.schema.get(column) != kind for column, kind in expected.items()):
            raise TypeError(f"the columns of {name} are not those of overtrick.core.frames")
    return session
