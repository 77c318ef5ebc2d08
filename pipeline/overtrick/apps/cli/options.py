"""The arguments and options that several commands share, and how they are read."""

import inspect
import os
from functools import wraps
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeVar, get_args

import typer
from typer import Argument, Option

from overtrick.apps.cli.output import command_line, complain, say, set_loudness, wrong_usage
from overtrick.core.bridge.methods import MethodName

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from overtrick.apps.archive.store import Store
    from overtrick.core.config import Config
    from overtrick.files.assemble.beside import Found


_uses_settings = True
"""False with --no-config."""

_Given = TypeVar("_Given")


def option(flag: str, metavar: str, says: str, **more: Any) -> Any:  # noqa: ANN401 - as Typer has it
    """Return an option with a value."""
    return Option(flag, metavar=metavar, help=says, **more)


def must_exist(given: _Given) -> _Given:
    """Return what was given, a path or several. If there is nothing at one of them, say so and end with status 2."""
    from overtrick.files.formats.looks import refuse_missing

    paths = [given] if isinstance(given, str | Path) else given if isinstance(given, list) else []
    try:
        refuse_missing(path for path in paths if "://" not in str(path))
    except FileNotFoundError as error:
        wrong_usage(f"{error.filename}: {error.strerror}")
    return given


Paths = Annotated[
    list[str],
    Argument(
        metavar="FILE", callback=must_exist, help="Files of any supported format, folders, or - for standard input."
    ),
]

CorrectionsFile = Annotated[
    Path | None, option("--corrections", "FILE", "The corrections. Default: NAME.corrections.toml beside NAME.")
]

ConfigFile = Annotated[
    Path | None,
    option(
        "--config",
        "FILE",
        "The club's settings. Default: club.toml beside the files, or in a folder above them.",
        envvar="OVERTRICK_CONFIG",
        show_envvar=True,
    ),
]

Archive = Annotated[str, Argument(metavar="DIR", help="The archive: a folder, or an address such as s3://bucket/name.")]


def _check_count(count: int) -> int:
    if not 1 <= count <= 1024:
        raise typer.BadParameter("expected a number from 1 to 1024")
    return count


WorkerCount = Annotated[
    int, option("--workers", "N", "The number of worker processes on this machine.", callback=_check_count)
]

Scheduler = Annotated[
    str | None, option("--scheduler", "ADDRESS", "Use a Dask cluster instead, for example tcp://host:8786.")
]

StorageOptions = Annotated[
    list[str] | None,
    option("--storage", "KEY=VALUE", "An option of the object store, for example AWS_REGION=eu-north-1."),
]

_QUIET: Final = Annotated[
    bool, Option("--quiet", "-q", help="Write nothing to standard error but problems: no progress, no summary.")
]

_NO_CONFIG: Final = Annotated[bool, Option("--no-config", help="Use no settings at all.")]

_VERBOSE: Final = Annotated[
    bool, Option("--verbose", "-v", help="Write each step to standard error with its time, not as a bar.")
]

CORES: Final = os.cpu_count() or 1


Analyse = Annotated[
    bool,
    Option(
        "--analyse",
        help="Show where the points of each result went, double dummy. Pages appear without it first and are completed"
        " when everything is solved; what was solved is kept. Needs extra dd.",
    ),
]


NoSolving = Annotated[
    bool, Option("--no-dd", help="Don't solve deals; show only the double-dummy tables in the files.")
]


Method = Annotated[
    MethodName | None,
    option(
        "--method",
        "NAME",
        f"The scoring method: {', '.join(get_args(MethodName))}. Default: the method in the club's settings, else"
        " the one in the file, else matchpoints.",
    ),
]


def with_method(settings: "Config", method: MethodName | None) -> "Config":
    """Return the settings with the scoring method that an option names."""
    return settings.with_method(method) if method else settings


def with_loudness(command: "Callable[..., None]") -> "Callable[..., None]":
    """Return a command with the options `--quiet` and `--verbose`, and with `--no-config` if it has settings."""

    @wraps(command)
    def run(*, quiet: bool, verbose: bool, no_config: bool = False, **values: object) -> None:
        set_loudness(quiet=quiet, verbose=verbose)
        global _uses_settings  # noqa: PLW0603 - of the whole process, as its options are
        _uses_settings = not no_config
        command(**values)

    signature = inspect.signature(command)
    shared = {"quiet": _QUIET, "verbose": _VERBOSE}
    if "config" in signature.parameters:
        shared["no_config"] = _NO_CONFIG
    run.__annotations__ = {**command.__annotations__, **shared}
    added = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=False, annotation=kind)
        for name, kind in shared.items()
    ]
    run.__signature__ = signature.replace(parameters=[*signature.parameters.values(), *added])  # type: ignore[attr-defined]
    return run


def with_analysis(settings: "Config", *, analyse: bool, no_dd: bool = False) -> "Config":
    """Return the settings with `[site] analyse` as the options ask for it; without a solver say so, and go without."""
    if analyse and no_dd:
        wrong_usage("--analyse needs solved deals, so it can't be used with --no-dd")
    from overtrick.judge.analyse.solver import is_installed

    wanted = not no_dd and (analyse or settings.site.analyse)
    if wanted and not (wanted := is_installed()):
        tell_no_solver()
    if settings.site.analyse != wanted:
        settings = settings.model_copy(update={"site": settings.site.model_copy(update={"analyse": wanted})})
    return settings


def tell_no_solver() -> None:
    """Write to standard error what the extra `dd` would add."""
    complain(
        "overtrick: the solver is not installed; with it pages and JSON show tricks against double dummy, the cost of"
        " leads, and where the points of each result went; get it with: pip install 'overtrick[dd]'"
    )


def read_config(named: Path | None, paths: "Sequence[str | Path]") -> "Config":
    """Read the settings of files, and write their path to standard error. If they have errors, end with status 2.

    Args:
        named: the file that an option names; None for the one that belongs to the files.
        paths: the files, or their folders.
    """
    from overtrick.core.config import ConfigError, load_config

    try:
        return load_config(find_config(named, paths))
    except ConfigError as error:
        wrong_usage(str(error))


def find_config(named: Path | None, paths: "Sequence[str | Path]") -> Path | None:
    """Return the settings of files, and write their path to standard error. If there are two, end with status 2."""
    from overtrick.core.config.file import ConfigError
    from overtrick.files.assemble.beside import find_settings

    if not _uses_settings:
        return None
    try:
        found = find_settings(paths, named)
    except ConfigError as error:
        wrong_usage(str(error))
    if found:
        say(f"Settings: {found}")
    return found


def read_corrections(paths: list[str], named: Path | None) -> "list[Found]":
    """Read the corrections file that an option names; if it names none, those beside the files."""
    from overtrick.files.assemble import beside

    return beside.find_corrections(paths) if named is None else [beside.read_corrections(named)]


def find_archive(uri: str, storage: list[str] | None) -> "Store":
    """Return an archive, which need not exist yet. If deltalake is not installed, say so and end with status 2."""
    if find_spec("deltalake") is None:
        wrong_usage("archives need the package deltalake; get it with: pip install 'overtrick[archive]'")
    options = dict(pair.partition("=")[::2] for pair in storage or [])
    if not all(options.values()):
        raise typer.BadParameter("expected KEY=VALUE", param_hint="--storage")
    from overtrick.apps.archive.store import Store

    return Store(uri, options)


def open_archive(uri: str, storage: list[str] | None) -> "Store":
    """Return an archive. If it does not exist, say how to create one and end with status 2."""
    store = find_archive(uri, storage)
    from overtrick.apps.archive.store import ArchiveError

    try:
        if not store.exists():
            names = (uri, "archive") if Path(uri).is_file() else ("FILE", uri)
            create = command_line("ingest", names[0], "--archive", names[1])
            wrong_usage(f"{uri}: not an archive; create one with: {create}")
    except ArchiveError as error:
        wrong_usage(str(error))
    return store
