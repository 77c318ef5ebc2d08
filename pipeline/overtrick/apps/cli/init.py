"""`overtrick init`: the club's settings, asked for one by one."""

import json
from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from overtrick.apps.cli.output import command_line, say, write_file, wrong_usage

_QUESTIONS = {
    "name": ("The club's name", "Our Bridge Club"),
    "logo": ("Its logo, an SVG, PNG or JPEG file beside club.toml; Enter for none", ""),
    "colour": ("Its colour, such as #14532d; Enter for ours", ""),
    "names": ("How to name players: full, initials, number or hidden", "full"),
    "hide": ("Who must not be named, with commas between them; Enter for nobody", ""),
    "target": ("Where results go: a folder or an sftp: address; Enter to decide later", ""),
}
"""By option: the question, and the answer that --yes gives."""


def init(
    club: Annotated[Path, Argument(metavar="CLUB", help="The club's folder. Default: the current folder.")] = Path(),
    name: Annotated[str | None, Option("--name", metavar="TEXT", help="The club's name.")] = None,
    logo: Annotated[str | None, Option("--logo", metavar="FILE", help="Its logo.")] = None,
    colour: Annotated[str | None, Option("--colour", metavar="#RRGGBB", help="Its colour.")] = None,
    names: Annotated[
        str | None, Option("--names", metavar="full|initials|number|hidden", help="How to name players.")
    ] = None,
    hide: Annotated[str | None, Option("--hide", metavar="NAME,...", help="Who must not be named.")] = None,
    target: Annotated[str | None, Option("--target", metavar="TARGET", help="Where results go.")] = None,
    example: Annotated[bool, Option("--example", help="Add a made-up evening to play with.")] = False,
    yes: Annotated[bool, Option("--yes", help="Ask nothing; take the defaults.")] = False,
) -> None:
    """Write the settings of a club, asking for them one by one.

    Asks for what no option says: name, logo or colour, who may be named, and where results go. Every command finds the
    file beside the evenings, or in a folder above them. Beside it, a JSON Schema lets editors complete and check it.
    """
    path = club / "club.toml"
    if path.exists():
        wrong_usage(
            f"{path}: this file is there already; edit it, and check it with: {command_line('config', 'check', path)}"
        )
    given = {"name": name, "logo": logo, "colour": colour, "names": names, "hide": hide, "target": target}
    said = {key: value for key, value in given.items() if value is not None}
    answers = {key: default for key, (_, default) in _QUESTIONS.items()} | said
    if wrong := _find_wrong(path, answers):
        wrong_usage(wrong)
    for key in () if yes else [key for key in given if key not in said]:
        answers[key] = _ask(path, answers, key)
    from overtrick.core.config import Config
    from overtrick.core.config.corrections import CorrectionsFile
    from overtrick.core.machine import resource
    from overtrick.files.correct.entry import SCHEMA

    (club / ".overtrick").mkdir(parents=True, exist_ok=True)
    for schema, model in ((_SCHEMA, Config), (SCHEMA, CorrectionsFile)):
        write_file(club / schema, json.dumps(model.model_json_schema(), indent=1).encode())
    write_file(path, _write(answers).encode())
    if example:
        write_file(club / "made-up-evening.csv", resource("templates", "exchange", "made-up-evening.csv").read_bytes())
    say(f"{path}: written")
    say(f"To make the website: {command_line('season', club, '--out', club / 'site')}")


_SCHEMA = ".overtrick/club.schema.json"


def _ask(path: Path, answers: dict[str, str], key: str) -> str:
    """Ask a question until the answer is one that the settings can hold."""
    question, default = _QUESTIONS[key]
    try:
        while True:
            answer = str(typer.prompt(question, default, show_default=bool(default), err=True))
            if not (wrong := _find_wrong(path, {**answers, key: answer})):
                return answer
            typer.echo(wrong, err=True)
    except typer.Abort:
        wrong_usage("nothing is written: there was no answer; --yes takes the defaults for what no option says")


def _find_wrong(path: Path, answers: dict[str, str]) -> str:
    """Return what is wrong with the settings that some answers make."""
    from overtrick.core.config import ConfigError, parse_config
    from overtrick.core.config.file import SettingsFile

    try:
        parse_config(SettingsFile(path, _write(answers)))
    except ConfigError as error:
        # The place is one in a file that is not written yet.
        return str(error).partition(": ")[2].splitlines()[0]
    return ""


def _write(answers: dict[str, str]) -> str:
    """Return the settings with comments; what has no answer is a comment that shows how to say it."""
    hidden = [name.strip() for name in answers["hide"].split(",") if name.strip()]
    lines = [
        f"#:schema {_SCHEMA}",
        "# The club's settings. docs/settings.md lists all keys; `overtrick config check club.toml` checks them.",
        "",
        "[club]",
        f"name = {_quoted(answers['name'])}",
        "",
        "[site]",
        _line("logo", answers["logo"], "logo.svg", "a file beside this one"),
        _line("accent", answers["colour"], "#14532d", "the colour of headings and links"),
        "",
        "[privacy]",
        f'names = {_quoted(answers["names"])}    # or "full", "initials", "number", "hidden"',
        "",
        "[privacy.players]    # who wishes to be named otherwise",
        *(f'{_quoted(name)} = "hidden"' for name in hidden),
        *([] if hidden else ['# "Ann Example" = "hidden"']),
        "",
        "[publish]",
        _line("target", answers["target"], "sftp://club@example.org/results", "no password here"),
    ]
    return "\n".join(lines) + "\n"


def _line(key: str, value: str, shown: str, about: str) -> str:
    return f"{key} = {_quoted(value)}" if value else f"# {key} = {_quoted(shown)}    # {about}"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
