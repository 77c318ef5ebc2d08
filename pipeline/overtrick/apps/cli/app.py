"""The commands, their help, and what is answered to an unknown command and to files that disappear."""

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from itertools import chain, takewhile
from pathlib import Path
from typing import Annotated, Any, ClassVar, Final, Literal, get_args, get_origin

import typer
from typer.core import TyperCommand, TyperGroup

from overtrick.apps.cli.options import with_loudness
from overtrick.apps.cli.output import command_line, wrong_usage
from overtrick.core.near import ask_near, find_meant, find_near
from overtrick.core.version import __version__


def read_plainly(param: Any) -> Any:  # noqa: ANN401 - a class of typer, by its version
    """Return an argument or option that reads texts, paths and chosen words by itself; in older typers all do so."""
    if not isinstance(getattr(param, "get_runtime_param", None), _Reader | None):
        param.get_runtime_param = _Reader(param.type_descriptor.annotation, param.get_runtime_param)
    return param


class _Reader:
    """Replaces the reader that typer makes for a parameter, and makes that one only for other values."""

    def __init__(self, kind: Any, make: Any) -> None:  # noqa: ANN401 - types, and what typer keeps to itself
        self._kind = kind
        self._make = make

    def __call__(self) -> "_Reader":
        return self

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:  # noqa: ANN401 - as above
        """Return the value of a parameter from what was typed: a text, or a sequence of texts."""
        is_plain = (value is None and param.nargs == 1 and not param.multiple) or (
            get_origin(self._kind) is Literal and value in get_args(self._kind)
        )
        if is_plain:
            return value
        if isinstance(value, str) and self._kind in {str, Path}:
            return self._kind(value)
        if self._kind == list[str] and isinstance(value, list | tuple) and {*map(type, value)} <= {str}:
            return list(value)
        if isinstance(value, str) and get_origin(self._kind) is Literal:
            known = get_args(self._kind)
            meant = ask_near(value, known)
            raise typer.BadParameter(f"expected one of {', '.join(known)}, got {value}{meant}")
        if isinstance(value, str) and self._kind is int and not re.fullmatch(r"\s*[+-]?[0-9]+\s*", value):
            raise typer.BadParameter(f"expected a whole number, got {value}")
        return self._make().coerce(value, param=param, ctx=ctx)


_FOR_FILES: Final = {"check": (), "score": (), "bulletin": ("--out", "site")}
"""The commands that a user who names only files may want, with options that show what is possible."""


_PATH_ERRORS: Final = (FileNotFoundError, FileExistsError, IsADirectoryError, NotADirectoryError, PermissionError)
"""The errors of a path, which name it. Others are mistakes in the program, or are explained where they occur."""


class Command(TyperCommand):
    """Shows arguments as `FILE...`. typer would add their Python types."""

    def get_params(self, ctx: typer.Context) -> Any:  # type: ignore[override] # noqa: ANN401 - as above
        """Return the arguments and options, which read plain values by themselves."""
        return [read_plainly(param) for param in super().get_params(ctx)]

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:  # type: ignore[override]
        """Read the words of a command; an option whose number may be left out, `[N]`, then gets 0.

        What people try instead of an option, and one of two values that has only one, is answered here.
        """
        bare = {name for param in self.get_params(ctx) if param.metavar == "[N]" for name in param.opts}
        for at in reversed([at for at, word in enumerate(args) if word in bare]):
            if not re.fullmatch("[0-9]+", next(iter(args[at + 1 :]), "")):
                args.insert(at + 1, "0")
        options = [param for param in self.get_params(ctx) if not _is_argument(param)]
        known = {name: param for param in options for name in (*param.opts, *param.secondary_opts)}
        for at, word in enumerate(takewhile("--".__ne__, args)):
            name = word.partition("=")[0]
            if word in known and _lacks_values(known[word], args[at + 1 :]):
                ctx.fail(f"Option '{word}' takes {known[word].metavar}. {known[word].help}")
            if word.startswith("--") and name not in known and (answer := _find_elsewhere(name, known)):
                ctx.fail(f"No such option: {name}; {answer}")
        return super().parse_args(ctx, args)

    def collect_usage_pieces(self, ctx: typer.Context) -> list[str]:  # type: ignore[override]
        """Return the words of the usage line after the command."""
        return ["[OPTIONS]", *(_bracketed(param) for param in self.get_params(ctx) if _is_argument(param))]

    def format_options(self, ctx: typer.Context, formatter: Any) -> None:  # type: ignore[override] # noqa: ANN401
        """Write the lists of arguments and options."""
        kinds = {name: kind for kind, names in OPTIONS.get(str(self.name), {}).items() for name in names.split()}
        sections: dict[str, list[tuple[str, str]]] = {}
        for param in self.get_params(ctx):
            told = (_name(param), param.help) if _is_argument(param) else param.get_help_record(ctx)
            if told:
                heading = "Arguments" if _is_argument(param) else kinds.get(param.name, "Options")
                sections.setdefault(heading, []).append(told)
        for heading, records in sections.items():
            with formatter.section(heading):
                formatter.write_dl(records)


_ELSEWHERE: Final = {
    "PDFs are made without it, and --no-pdf leaves them out": "--pdf",
    "--method says how results are scored": "--scoring",
    "overtrick correct EVENING --title NAME sets the title": "--title",
    "--pair names the pair of either side": "--ns --ew",
    "it is read from OVERTRICK_PASSWORD or the keyring": "--password",
    "the name of the file to write decides its format": "--format",
}
"""What to do instead of options that no command has, or not this one."""


def _lacks_values(option: Any, after: Sequence[str]) -> bool:  # noqa: ANN401 - a class of typer or of click
    """Return whether an option of several values has fewer: another option, or the end, comes before the last one."""
    values = takewhile(lambda word: not word.startswith("--"), after[: option.nargs])
    return bool(len([*values]) < option.nargs > 1)


def _find_elsewhere(name: str, known: Iterable[str]) -> str | None:
    """Return what to do instead of an option that people try; None for others, such as misspelt ones."""
    if (answer := find_meant(name, _ELSEWHERE)) or find_near(name, known, 0.75):
        return answer
    from overtrick.core.config import Config
    from overtrick.core.config.errors import find_setting

    setting = find_setting(name.strip("-").replace("-", "_"), Config)
    return f"it is a setting in club.toml: {setting}" if setting else None


def _is_argument(param: Any) -> bool:  # noqa: ANN401 - a class of typer or of click, by the version of typer
    return bool(param.param_type_name == "argument")


def _name(param: Any) -> str:  # noqa: ANN401 - as above
    return f"{param.metavar}..." if param.nargs != 1 else str(param.metavar)


def _bracketed(param: Any) -> str:  # noqa: ANN401 - as above
    return _name(param) if param.required else f"[{_name(param)}]"


class Group(TyperGroup):
    """Answers wrong commands with right ones, ready to copy, and files that disappear with a message."""

    headings: ClassVar[Mapping[str, Sequence[str]]] = {}
    """The names of commands by the heading that lists them; one heading for all if there is none."""

    def format_commands(self, ctx: typer.Context, formatter: Any) -> None:  # type: ignore[override] # noqa: ANN401
        """Write the lists of commands, all in the same columns."""
        widest = max(map(len, self.commands), default=0)
        for heading, names in (self.headings or {"Commands": self.list_commands(ctx)}).items():
            shown = [(name, self.commands[name]) for name in names if name in self.commands]
            with formatter.section(heading):
                limit = formatter.width - 6 - widest
                formatter.write_dl([(name.ljust(widest), one.get_short_help_str(limit)) for name, one in shown])

    def invoke(self, ctx: typer.Context) -> Any:  # type: ignore[override] # noqa: ANN401
        """Run the command. A file or folder may disappear or change its kind at any moment: that is not our mistake."""
        try:
            return super().invoke(ctx)
        except _PATH_ERRORS as error:
            if error.filename is None:
                raise
            wrong_usage(f"{os.fsdecode(error.filename)}: can't be read or written: {error.strerror}")

    def get_params(self, ctx: typer.Context) -> Any:  # type: ignore[override] # noqa: ANN401 - as above
        """Return the arguments and options, which read plain values by themselves."""
        return [read_plainly(param) for param in super().get_params(ctx)]

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:  # type: ignore[override]
        """Refuse empty arguments: with an unset variable, a script would mean the current folder."""
        if "" in args:
            ctx.fail("one of the arguments is empty; check the variables of your script")
        return super().parse_args(ctx, args)

    def resolve_command(self, ctx: typer.Context, args: list[str]) -> Any:  # type: ignore[override] # noqa: ANN401
        """Find the command, or suggest others for a misspelt one and for files without a command."""
        if args[0] not in self.commands and not ctx.resilient_parsing:
            above = [str(ctx.info_name)] if ctx.parent else []
            wrong_usage(_suggest(list(self.commands), above, args))
        return super().resolve_command(ctx, args)


def make_group(about: str) -> typer.Typer:
    """Return a group of commands."""
    words = "COMMAND [ARGUMENTS]"
    return typer.Typer(cls=Group, help=about, subcommand_metavar=words, no_args_is_help=True, rich_markup_mode=None)


def _suggest(commands: Sequence[str], above: Sequence[str], args: Sequence[str]) -> str:
    word, *rest = args
    if word == "-" or Path(word).exists() or Path(word).suffix or len(Path(word).parts) > 1:
        files = list(takewhile(lambda arg: arg == "-" or not arg.startswith("-"), args))
        known = {name: options for name, options in _FOR_FILES.items() if name in commands}
        lines = [command_line(*above, name, *files, *options) for name, options in known.items()]
        return "\n  ".join([f"expected a command before {word}; try one of these:", *lines])
    meant = find_meant(word, _TRIED)
    if near := meant if meant in commands else find_near(word, commands):
        return f"unknown command {word}; did you mean {near}?\n  {command_line(*above, near, *rest)}"
    return f"unknown command {word}; to list the commands:\n  {command_line(*above, '--help')}"


HEADINGS: Final = {
    "Evening": ("check", "score", "bulletin", "correct", "desk", "terminals"),
    "Website": ("season", "publish", "deliver", "watch", "verify"),
    "Club": ("init", "config", "people"),
    "Files": ("convert", "fix", "formats", "template"),
    "Archive": ("ingest", "archive", "chart"),
    "Editors": ("lsp",),
}
"""The commands by what they are about, in the order of the help."""
COMMANDS: Final = tuple(chain.from_iterable(HEADINGS.values()))
"""The commands in the order of the help. Each is a function, or a group of commands, in the module of its name."""
_TRIED: Final = {
    "bulletin": "html pdf print report website",
    "convert": "export",
    "correct": "undo edit change adjust",
    "desk": "gui serve open",
    "ingest": "import",
    "publish": "upload ftp",
    "score": "rank ranking results",
}
"""By command, what people also try for it."""
OPTIONS: Final = {
    "correct": {
        "Which result or pair": "board pair section round table direction",
        "A result: --board 3 --pair 4 --contract 4S+1 --by N": "contract by tricks lead score swap other_pair",
        "A missing result: --add --board 3 --pair 4 --other-pair 9 --contract Pass": "add players",
        "No result: --not-played --board 3 --pair 4": "delete not_played",
        "A ruling: --board 3 --pair 4 --award 60% 40%": "award split weighted assigned fouled",
        "A total: --pair 4 --penalty 10 percent": "penalty disciplinary carry_over handicap",
        "A name: --pair 4 --name 'Ann Ash - Bob Birch'": "name player substitute boards",
        "The evening: --title 'Spring Pairs'": "title date club method cards",
        "A tie: --tie 4": "tie extra",
        "The reason, with every entry: --why 'typed wrongly'": "why who",
        "Entries made before: --undo 3": "listed replace undo take_back put_again",
    }
}
"""The options of a command by what they are about, most with an example after a colon, which a test runs."""


class Commands(Group):
    """All commands, listed by what they are about."""

    headings = HEADINGS


def make_app(words: Iterable[str] = ()) -> typer.Typer:
    """Return the command line.

    Args:
        words: the arguments of the process. If the first one is a command, only its module is loaded.
    """
    first = next(iter(words), "")
    app = typer.Typer(
        name="overtrick",
        cls=Commands,
        help="Check, score, rank and publish the results of bridge sessions, from the files of any program.",
        epilog="Exit status: 0 fine, 1 the data has errors, 2 wrong usage, 3 publishing failed, 4 output failed.",
        subcommand_metavar="COMMAND [ARGUMENTS]",
        no_args_is_help=True,
        # The import of rich would take longer than all the rest of a --help.
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    )
    app.callback()(_overtrick)
    for name in (first,) if first in COMMANDS else COMMANDS:
        command = getattr(import_module(f"overtrick.apps.cli.{name}"), name)
        if isinstance(command, typer.Typer):
            app.add_typer(command, name=name)
        else:
            app.command(cls=Command)(with_loudness(command))
    return app


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"overtrick {__version__}")
        raise typer.Exit


def _overtrick(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    pass
