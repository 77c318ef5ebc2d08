"""`overtrick init`: the club's settings, asked for one by one."""

from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from overtrick.apps.cli.options import option
from overtrick.apps.cli.output import command_line, say, wrong_usage


def init(
    club: Annotated[Path, Argument(metavar="CLUB", help="The club's folder. Default: the current folder.")] = Path(),
    name: Annotated[str | None, option("--name", "TEXT", "The club's name.")] = None,
    logo: Annotated[str | None, option("--logo", "FILE", "Its logo.")] = None,
    colour: Annotated[str | None, option("--colour", "#RRGGBB", "Its colour.")] = None,
    names: Annotated[str | None, option("--names", "full|initials|number|hidden", "How to name players.")] = None,
    hide: Annotated[str | None, option("--hide", "NAME,...", "Who must not be named.")] = None,
    target: Annotated[str | None, option("--target", "TARGET", "Where results go.")] = None,
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
    from overtrick.apps.evening.new_club import QUESTIONS, find_wrong, set_up
    from overtrick.core.machine import explain_failure

    said = {key: value for key, value in given.items() if value is not None}
    answers = {key: default for key, (_, _, default) in QUESTIONS.items()} | said
    if wrong := find_wrong(path, answers):
        wrong_usage(wrong)
    for key in () if yes else [key for key in given if key not in said]:
        answers[key] = _ask(path, answers, key)
    with explain_failure(club, wrong_usage):
        set_up(path, answers, example=example)
    say(f"{path}: written")
    say(f"To make the website: {command_line('season', club, '--out', club / 'site')}")


def _ask(path: Path, answers: dict[str, str], key: str) -> str:
    """Ask a question until the answer is one that the settings can hold."""
    from overtrick.apps.evening.new_club import QUESTIONS, find_wrong

    question, addition, default = QUESTIONS[key]
    try:
        while True:
            answer = str(typer.prompt(question + addition, default, show_default=bool(default), err=True))
            if not (wrong := find_wrong(path, {**answers, key: answer})):
                return answer
            typer.echo(wrong, err=True)
    except typer.Abort:
        wrong_usage("nothing is written: there was no answer; --yes takes the defaults for what no option says")
