"""`overtrick score`: who won, and what each result earned."""

import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, NoReturn

import typer
from typer import Option

from overtrick.apps.cli import options, output
from overtrick.apps.cli.options import option
from overtrick.show.data.file_names import DataFormat, Rows, data_format

if TYPE_CHECKING:
    from overtrick.core.config import Config
    from overtrick.core.frames import Session
    from overtrick.files.assemble.beside import Found

Format = Literal["table", "csv", "json"]


def score(
    paths: options.Paths,
    config: options.ConfigFile = None,
    corrections: options.CorrectionsFile = None,
    method: options.Method = None,
    rows: Annotated[
        Rows | None,
        option(
            "--rows",
            "standings|results|matches|sheets",
            "What to list: the standings, all results, the matches of teams, or the score sheets of rubber bridge,"
            " Chicago and four-hand matches. Default: standings, for Parquet results.",
        ),
    ] = None,
    audit: Annotated[
        bool, Option("--audit", help="List where points and totals in the file differ from overtrick's, and why.")
    ] = False,
    total: Annotated[
        bool, Option("--total", help="Add up several evenings: the totals of contestants with the same number.")
    ] = False,
    analyse: Annotated[
        bool, Option("--analyse", help="Show in JSON where the points of each result came from; needs extra dd.")
    ] = False,
    output_format: Annotated[
        Format | None, option("--format", "table|csv|json", "How to print the list. Default: table, if no --out.")
    ] = None,
    out: Annotated[
        Path | None, option("--out", "FILE", "Write to a file; its name ends in .csv, .json, .parquet or .pbn.")
    ] = None,
) -> None:
    """Score and rank a session, or several evenings each by itself.

    Prints the standings, or other rows with --rows. JSON holds everything: the session, the standings, the results and
    the problems. PBN holds the games of the file, with a score table for each board and the totals of the session.

    --audit compares every result and total in the file with those that overtrick computes, and looks for settings under
    which they would be equal. JSON and CSV then list the differences.
    """
    _check_options(out, rows, audit=audit)
    settings = options.with_method(options.read_config(config, paths), method)
    found = options.read_corrections(paths, corrections)
    if audit:
        _audit(paths, config, settings, output_format or "table", found)
    evenings = _evaluate(paths, settings, found, analyse=analyse, total=total)
    if len(evenings) > 1:
        _finish_several(evenings, paths, config, output_format, rows, out)
    _finish_one(evenings[0], paths, config, output_format, rows, out)


def _check_options(out: Path | None, rows: Rows | None, *, audit: bool) -> None:
    """Refuse options that do not go together, and files of no known kind."""
    if audit and (out or rows):
        output.wrong_usage("--audit prints differences, so it can be used with --format, but not with --out or --rows")
    if out and out.suffix.lower() != ".pbn" and data_format(out) is None:
        raise typer.BadParameter("expected a name that ends in .csv, .json, .parquet or .pbn", param_hint="--out")


def _finish_one(
    session: "Session", paths: list[str], config: Path | None, form: Format | None, rows: Rows | None, out: Path | None
) -> NoReturn:
    """Print a session, or write it to a file, and end."""
    if out:
        with output.show_work("Writing the file"):
            session = _write(session, out, rows)
    if form or not out:
        output.emit(_document(session, form or "table", rows))
    output.tell_joined(session)
    output.finish(session, paths, config, made=f"{out}: written" if out else "")


def _finish_several(
    evenings: "list[Session]",
    paths: list[str],
    config: Path | None,
    form: Format | None,
    rows: Rows | None,
    out: Path | None,
) -> NoReturn:
    """Print several evenings, or write them to a file, and end."""
    from overtrick.show.data.downloads import data_of_evenings, join_problems, name_evenings
    from overtrick.show.text.display import make_printable

    names = name_evenings(evenings)
    if out:
        written = data_format(out)
        if written is None:
            output.wrong_usage(
                "several evenings cannot be one PBN file; score one evening, or add them up with --total"
            )
        output.write_file(out, data_of_evenings(evenings, names, written, rows))
    if form in {"csv", "json"}:
        output.emit(data_of_evenings(evenings, names, form, rows))
    elif form or not out:
        for number, (evening, name) in enumerate(zip(evenings, names, strict=True)):
            output.emit(("\n" if number else "") + f"== {make_printable(name)} ==\n")
            output.emit(_document(evening, "table", rows))
    output.tell_joined(*evenings)
    output.say(f"{len(evenings)} evenings, each scored by itself; --total adds them up")
    output.finish(join_problems(evenings), paths, config, made=f"{out}: written" if out else "")


def _evaluate(
    paths: list[str], settings: "Config", corrections: "list[Found]", *, analyse: bool, total: bool
) -> "list[Session]":
    """Evaluate the evenings among the files, each by itself; with `total` they are added up into one."""
    from overtrick.files.assemble import list_evenings
    from overtrick.judge.analyse.solver import is_installed, make_play_solvers, make_solver
    from overtrick.pipeline import evaluate, read

    if analyse and not is_installed():
        options.tell_no_solver()
    with output.show_work("Reading") as line:
        show = output.stages_on(line)
        plays = make_play_solvers(line("Solving plays"), line("Finding better cards")) if analyse else None
        work = partial(evaluate, solver=make_solver(line("Solving deals")) if analyse else None, play_solver=plays)
        if total:
            return [work(read(paths, settings, total=True, show=show), settings, corrections, show=show)]
        return [
            work(read(files, settings, together=together, show=show), settings, found, show=show)
            for files, found, together in list_evenings(paths, settings, corrections, show)
        ]


def _write(session: "Session", out: Path, rows: Rows | None) -> "Session":
    """Write the session to a file, and return it with the problems that arise."""
    form = data_format(out)
    if form:
        from overtrick.show.data.downloads import data_document

        content = data_document(session, form, rows)
    else:
        import polars as pl

        from overtrick.files.formats.pbn.write import scored_pbn

        pbn = scored_pbn(session)
        content = pbn.content
        session = replace(session, problems=pl.concat([session.problems, pbn.problems]))
    output.write_file(out, content)
    return session


def _audit(
    paths: list[str], config: Path | None, settings: "Config", form: Format, corrections: "list[Found]"
) -> NoReturn:
    """Print the audit of a session and end."""
    from overtrick.files.correct import apply_corrections
    from overtrick.files.formats.session_rows import write_csv, write_rows
    from overtrick.judge.numbers.search import audit
    from overtrick.pipeline import evaluate, read
    from overtrick.show.text.display import format_audit

    with output.show_work("Reading") as line:
        show = output.stages_on(line)
        corrected, rules = apply_corrections(read(paths, settings, show=show), settings, corrections)
        session = evaluate(corrected, rules, show=show)
        found = audit(evaluate(corrected, rules, until="validate"), rules.scoring)
    if form == "json":
        output.emit(write_rows(found.differences) + "\n")
    elif form == "csv":
        output.emit(write_csv(found.differences))
    else:
        explanations = [(rule.policy, rule.explains, rule.breaks) for rule in found.explanations]
        output.emit(format_audit(found.differences, found.lines, found.totals, explanations))
    output.finish(session, paths, config)


def _document(session: "Session", form: Format | DataFormat, rows: Rows | None) -> bytes:
    from overtrick.show.data.downloads import LISTERS, data_document

    if form != "table":
        return data_document(session, form, rows)
    from overtrick.show.text.display import format_standings, format_table

    if rows in {None, "standings"}:
        return format_standings(session, output.palette(sys.stdout)).encode()
    return (format_table(LISTERS[rows or "standings"](session)) or "There is nothing to list.\n").encode()
