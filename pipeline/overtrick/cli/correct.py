"""`overtrick correct`: entries in the corrections file of an evening, written from the command line."""

import sys
from codecs import BOM_UTF8
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import typer

from overtrick.cli import correct_options as the
from overtrick.cli.correct_entry import read_entry
from overtrick.cli.options import ConfigFile, CorrectionsFile, read_config
from overtrick.cli.output import DATA_ERRORS, emit, palette, wrong_usage

if TYPE_CHECKING:
    from overtrick.assemble.beside import Found
    from overtrick.config import Config
    from overtrick.config.corrections import Entry
    from overtrick.config.file import SettingsFile
    from overtrick.frames import Session


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
    undo: the.Undo = False,
    corrections: CorrectionsFile = None,
    config: ConfigFile = None,
) -> None:
    """Correct a result or enter a ruling.

    The files of the evening stay as they are: the entry goes into the corrections file NAME.corrections.toml of
    NAME.pbn. First the result before and after, and the places and totals that change, are printed. An entry that would
    make an error is not written.
    """
    _run({option: value for option, value in locals().items() if value is not None and value is not False})


def _run(given: Mapping[str, Any]) -> NoReturn:
    evening: Path = given["evening"]
    settings = read_config(given.get("config"))
    if not evening.exists():
        wrong_usage(f"{evening}: there is no such file or folder")
    from overtrick.assemble import beside
    from overtrick.pipeline import evaluate

    paths = beside.evening_paths(evening)
    target: Path = given.get("corrections") or beside.corrections_path(evening)
    if "corrections" not in given:
        found = beside.find_for_evening(evening, paths)
    else:
        found = [beside.read_corrections(target)] if target.exists() else []
    before = evaluate(paths, settings, corrections=found)
    if before.results.is_empty() or ("cards" in given and before.records["deal"].is_null().all()):
        # What is to be corrected is in another file, which may repeat the results of those that have some.
        paths = [str(path) for path in beside.list_evening(evening)]
        before = evaluate(paths, settings, corrections=found)
    work = _Work(paths, settings, target, found, before)
    if "listed" in given:
        _list(work)
    if "undo" in given:
        _undo(work)
    _add(work, read_entry(given))


@dataclass(frozen=True)
class _Work:
    """An evening as it is, and the file that its corrections are in.

    Attributes:
        paths: its files.
        settings: the club's.
        target: the corrections file; it need not exist.
        found: the corrections that count.
        before: the session.
    """

    paths: list[str]
    settings: "Config"
    target: Path
    found: "list[Found]"
    before: "Session"

    @cached_property
    def content(self) -> bytes:
        """The bytes of the corrections file; empty if it does not exist."""
        try:
            return self.target.read_bytes()
        except FileNotFoundError:
            return b""
        except OSError as error:
            wrong_usage(f"{self.target}: can't be read: {error.strerror}")

    @property
    def file(self) -> "SettingsFile":
        """The text of the corrections file, with its line ends as they are."""
        from overtrick.config.file import SettingsFile

        try:
            return SettingsFile(self.target, self.content.removeprefix(BOM_UTF8).decode())
        except UnicodeDecodeError as error:
            _refuse(f"{self.target}: not a TOML file: {error}")

    def changed(self, text: str) -> "Session":
        """Return the session with another text in the corrections file."""
        from overtrick.assemble.beside import show_path, with_changed
        from overtrick.config.corrections import parse_corrections
        from overtrick.config.file import SettingsFile
        from overtrick.pipeline import evaluate

        new = parse_corrections(SettingsFile(self.target, text), show_path(self.target))
        return evaluate(self.paths, self.settings, corrections=with_changed(self.found, new, self.paths))

    def write(self, text: str) -> None:
        """Write the corrections file, or remove it if nothing is left in it."""
        from overtrick.render.atomic_write import replace_file

        mark = BOM_UTF8 if self.content.startswith(BOM_UTF8) else b""
        try:
            if (self.target.read_bytes() if self.target.exists() else b"") != self.content:
                _refuse(f"{self.target}: changed meanwhile; run the command again")
            if text:
                replace_file(self.target, mark + text.encode(), durable=True)
            else:
                self.target.unlink(missing_ok=True)
        except OSError as error:
            wrong_usage(f"{self.target}: can't be written: {error.strerror}")


def _add(work: _Work, entry: "Entry") -> NoReturn:
    from overtrick.config import ConfigError
    from overtrick.config.entries import append_entry
    from overtrick.correct.effect import new_errors

    try:
        text = append_entry(work.file, entry)
    except ConfigError as error:
        _refuse(str(error))
    after = work.changed(text)
    errors = new_errors(work.before.problems, after.problems)
    if not errors.is_empty():
        _report(replace(after, problems=errors), work.target, text)
        _refuse("nothing is written")
    emit(_effect(work.before, after, after, "{}"))
    work.write(text)
    typer.echo(f"{work.target}: written", err=True)
    raise typer.Exit


def _undo(work: _Work) -> NoReturn:
    from overtrick.config import ConfigError
    from overtrick.config.entries import remove_last

    try:
        text = remove_last(work.file)
    except ConfigError as error:
        wrong_usage(str(error))
    after = work.changed(text)
    emit(_effect(work.before, after, work.before, "Removed: {}"))
    work.write(text)
    typer.echo(f"{work.target}: {'written' if text else 'removed, since nothing else is in it'}", err=True)
    raise typer.Exit


def _list(work: _Work) -> NoReturn:
    from overtrick.render.changes import format_story

    emit(format_story(work.before.corrections) or "There are no corrections.\n")
    wrong = work.before.problems.filter(
        work.before.problems["code"].str.starts_with("correction-") & (work.before.problems["severity"] == "error")
    )
    _report(replace(work.before, problems=wrong), work.target, work.file.text)
    raise typer.Exit(DATA_ERRORS if len(wrong) else 0)


def _effect(before: "Session", after: "Session", told: "Session", form: str) -> str:
    """Return the last entry, its result before and after, and what it changes in the ranking.

    Args:
        before: the session without the change.
        after: the session with it.
        told: the one of the two that has the entry.
        form: what to write around the entry.
    """
    from overtrick.correct.effect import ranking_changes
    from overtrick.render.changes import format_effect, format_sentence

    texts = []
    if len(told.corrections):
        entry = told.corrections.row(-1, named=True)
        board = "" if entry["board"] is None else str(entry["board"])
        texts.append(form.format(f"{format_sentence(board, entry['what'])} ({entry['why']})"))
        texts += [f"  {name}: {entry[name]}" for name in ("before", "after") if entry[name]]
    changed = ranking_changes(before.standings, after.standings)
    texts.append("")
    return "\n".join(texts) + "\n" + format_effect(changed, palette(sys.stdout))


def _report(session: "Session", target: Path, text: str) -> None:
    """Show problems on standard error, with lines of the corrections file as it would be."""
    from overtrick.assemble.beside import show_path
    from overtrick.pipeline import source_lines
    from overtrick.render.terminal import format_problems

    def lines(source: str, numbers: Collection[int]) -> Mapping[int, str]:
        if source != show_path(target):
            return source_lines(source, numbers)
        return {number: line for number, line in enumerate(text.splitlines(), start=1) if number in numbers}

    sys.stderr.write(format_problems(session, lines, palette(sys.stderr)))


def _refuse(message: str) -> NoReturn:
    """Say why nothing is written, and stop with status 1."""
    typer.echo(f"overtrick: {message}", err=True)
    raise typer.Exit(DATA_ERRORS)
