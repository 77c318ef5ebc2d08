"""The manual page in docs/overtrick.1: what `--help` says of each command, as `man overtrick` shows it."""

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import typer

from overtrick.apps.cli.app import make_app
from tests.support.commands import ROOT
from tests.support.golden import assert_as_before

PAGE = ROOT / "docs" / "overtrick.1"
FILES = (
    ("club.toml", "The club's settings, beside the files of the evenings or in a folder above them."),
    ("NAME.corrections.toml", "The corrections and rulings of the evening NAME, beside its files."),
)


def escape(text: str) -> str:
    """Return a text in the signs of roff; a line may begin with a dot."""
    plain = " ".join(text.split()).replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{plain}" if plain.startswith((".", "'")) else plain


class Page:
    """Takes what a command writes of its arguments and options, as the formatter of a help text does."""

    width = 1000

    def __init__(self) -> None:
        self.lines: list[str] = []

    @contextmanager
    def section(self, heading: str) -> Iterator[None]:
        self.lines += [".PP", f".I {escape(heading)}"]
        yield

    def write_dl(self, rows: Iterable[tuple[str, str]]) -> None:
        for term, text in rows:
            self.lines += [".TP", f".B {escape(term)}", escape(text)]

    def write_paragraphs(self, text: str) -> None:
        for paragraph in textwrap.dedent(text).strip().split("\n\n"):
            self.lines += [".PP", escape(paragraph)]

    def write_command(self, command: Any, above: Sequence[str]) -> None:
        names = [*above, command.name]
        ctx = typer.Context(command, info_name=" ".join(names))
        self.lines.append(f".SS {escape(' '.join(names))}")
        self.write_paragraphs(command.help)
        if not hasattr(command, "commands"):
            self.lines += [".PP", f".B {escape(' '.join([*names, *command.collect_usage_pieces(ctx)]))}"]
            command.format_options(ctx, self)
        for each in getattr(command, "commands", {}).values():
            self.write_command(each, names)


def lines() -> list[str]:
    program: Any = typer.main.get_command(make_app())
    page = Page()
    page.lines += [".TH OVERTRICK 1", ".SH NAME", f"overtrick \\- {escape(program.help).lower().rstrip('.')}"]
    page.lines += [".SH SYNOPSIS", ".B overtrick", "[OPTIONS] COMMAND [ARGUMENTS]", ".SH COMMANDS"]
    program.format_commands(typer.Context(program, info_name="overtrick"), page)
    page.lines.append(".SH WHAT EACH COMMAND DOES")
    for command in program.commands.values():
        page.write_command(command, ["overtrick"])
    page.lines += [".SH EXIT STATUS", escape(program.epilog.removeprefix("Exit status: ")), ".SH FILES"]
    page.write_dl(FILES)
    return page.lines


def test_the_manual_page_says_what_the_help_says() -> None:
    made = lines()
    assert ".B \\-\\-take\\-back N" in made
    assert ".SS overtrick archive solve" in made
    assert_as_before(PAGE, "\n".join(made) + "\n")
