"""`overtrick correct`: entries in the corrections file of an evening, written from the command line."""

import sys
from collections.abc import Collection, Mapping
from dataclasses import replace as with_changes
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import typer

from overtrick.apps.cli import correct_options as the
from overtrick.apps.cli.options import ConfigFile, CorrectionsFile, read_config
from overtrick.apps.cli.output import DATA_ERRORS, complain, emit, palette, say, show_work, stages_on, wrong_usage

if TYPE_CHECKING:
    from overtrick.apps.evening.edit import Edited, Evening
    from overtrick.core.config.corrections import Entry
    from overtrick.core.frames import Session


def correct(
    evening: the.Evening,
    board: the.Board = None,
    pair: the.Pair = None,
    section: the.Section = None,
    round: the.Round = None,  # noqa: A002 - the name of the option
    table: the.Table = None,
    direction: the.Direction = None,
    contract: the.Contract = None,
    by: the.By = None,
    tricks: the.Tricks = None,
    lead: the.Lead = None,
    score: the.Score = None,
    swap: the.Swap = False,
    other_pair: the.OtherPair = None,
    add: the.Add = False,
    players: the.Players = None,
    delete: the.Delete = False,
    not_played: the.NotPlayed = False,
    award: the.Award = None,
    split: the.Split = None,
    weighted: the.Weighted = None,
    assigned: the.Assigned = None,
    fouled: the.Fouled = None,
    penalty: the.Penalty = None,
    disciplinary: the.Disciplinary = False,
    carry_over: the.CarryOver = None,
    handicap: the.Handicap = None,
    name: the.Name = None,
    player: the.Player = None,
    substitute: the.Substitute = None,
    boards: the.Boards = None,
    title: the.Title = None,
    date: the.Date = None,
    club: the.Club = None,
    method: the.Scored = None,
    cards: the.Cards = None,
    tie: the.Tie = None,
    extra: the.Extra = None,
    why: the.Why = None,
    who: the.Who = None,
    listed: the.List = False,
    replace: the.Replace = None,
    undo: the.Undo = None,
    take_back: the.TakeBack = None,
    put_again: the.PutAgain = None,
    corrections: CorrectionsFile = None,
    config: ConfigFile = None,
) -> None:
    """Correct a result or enter a ruling.

    The files of the evening stay as they are: the entry goes into the corrections file NAME.corrections.toml of
    NAME.pbn. First the result before and after, and the places and totals that change, are printed. An entry that would
    make an error is not written. Every entry has a reason, --why, which is published.
    """
    _run({option: value for option, value in locals().items() if value is not None and value is not False})


def _run(given: Mapping[str, Any]) -> NoReturn:
    place: Path = given["evening"]
    settings = read_config(given.get("config"), [place])
    from overtrick.apps.evening.edit import FileError, NothingToUndoError, RefusedError, open_evening
    from overtrick.core.words import spoken
    from overtrick.files.correct.entry import EntryError, read_entry, spell_options

    try:
        with show_work("Reading") as line:
            corrections, deals = given.get("corrections"), "cards" in given
            evening = open_evening(place, settings, corrections, deals=deals, show=stages_on(line))
        if "listed" in given:
            _list(evening)
        if "undo" in given:
            _write(evening, evening.take_back(given["undo"]), "Removed: {}")
        if "take_back" in given:
            _write(evening, evening.set_aside(given["take_back"]), "Taken back: {}")
        if "put_again" in given:
            _write(evening, evening.put_again(given["put_again"]), "{}")
        with spoken(settings.words()):
            entry = read_entry(spell_options(given))
        _add(evening, entry, given.get("replace"))
    except (EntryError, FileError, NothingToUndoError) as error:
        wrong_usage(str(error))
    except RefusedError as error:
        _refuse(str(error))


def _add(evening: "Evening", entry: "Entry", number: int | None) -> NoReturn:
    edited = evening.add(entry) if number is None else evening.replace(number, entry)
    if not edited.errors.is_empty():
        _report(with_changes(edited.session, problems=edited.errors), evening.target, edited.text)
        _refuse("nothing is written")
    _write(evening, edited, "{}")


def _write(evening: "Evening", edited: "Edited", form: str) -> NoReturn:
    """Print the effect of a change, with its entry in a form, and write the file."""
    emit(_effect(edited, form))
    evening.write(edited.text)
    outcome = "written" if edited.text else "removed, since nothing else is in it"
    say(f"{evening.target}: {outcome}")
    raise typer.Exit


def _list(evening: "Evening") -> NoReturn:
    from overtrick.show.history.changes import format_story

    session = evening.session
    emit(format_story(session.corrections) or "There are no corrections.\n")
    wrong = session.problems.filter(
        session.problems["code"].str.starts_with("correction-") & (session.problems["severity"] == "error")
    )
    _report(with_changes(session, problems=wrong), evening.target, evening.file.text)
    raise typer.Exit(DATA_ERRORS if len(wrong) else 0)


def _effect(edited: "Edited", form: str) -> str:
    """Return the entry, its result before and after, and what it changes in the ranking.

    Args:
        edited: the change.
        form: what to write around the entry.
    """
    from overtrick.show.history.changes import format_effect, format_sentence

    texts = []
    if entry := edited.entry:
        board = "" if entry["board"] is None else str(entry["board"])
        texts.append(form.format(f"{format_sentence(board, entry['what'])} ({entry['why']})"))
        texts += [f"  {name}: {entry[name]}" for name in ("before", "after") if entry[name]]
    texts.append("")
    return "\n".join(texts) + "\n" + format_effect(edited.changed, palette(sys.stdout))


def _report(session: "Session", target: Path, text: str) -> None:
    """Show problems on standard error, with lines of the corrections file as it would be."""
    from overtrick.files.assemble.beside import show_path
    from overtrick.files.formats.text import source_lines
    from overtrick.show.text.display import format_problems

    def lines(source: str, numbers: Collection[int]) -> Mapping[int, str]:
        if source != show_path(target):
            return source_lines(source, numbers)
        return {number: line for number, line in enumerate(text.splitlines(), start=1) if number in numbers}

    sys.stderr.write(format_problems(session, lines, palette(sys.stderr)))


def _refuse(message: str) -> NoReturn:
    """Say why nothing is written, and stop with status 1."""
    complain(f"overtrick: {message}")
    raise typer.Exit(DATA_ERRORS)
