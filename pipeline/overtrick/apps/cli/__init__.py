"""The command line: one module per command. A command reads its options, calls the pipeline and prints.

Data goes to standard output, messages to standard error. Exit status: 0 fine; 1 the data has errors; 2 wrong usage;
3 publishing failed; 4 standard output failed; 130 interrupted; 141 the reader of a pipe closed it.
"""

import gc
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from overtrick.apps.cli.interrupts import INTERRUPTED, catch_interrupts, is_interrupted, say_interrupted

_SMALL: Final = 300_000
"""Bytes of files that one core works through sooner than several can share them."""

_FOR_ONE_CORE: Final = {"POLARS_MAX_THREADS": "1", "POLARS_ENGINE_AFFINITY": "in-memory"}
"""How polars works without other threads, which wait busily for each of its hundreds of short steps."""

_LIGHT: Final = {"check", "fix", "score", "convert"}
"""The commands whose work is all polars': none makes PDFs."""


_BEFORE: Final = {"--quiet": 1, "-q": 1, "--verbose": 1, "-v": 1, "--no-config": 1, "--config": 2}
"""Options that may also come before the command, and how many words each takes."""
_GROUPS: Final = frozenset({"terminals", "config", "archive"})
"""Commands that are groups of others."""


def put_command_first(words: Sequence[str]) -> list[str]:
    """Return the arguments with the options before the command behind it: `check -q FILE` for `-q check FILE`."""
    at = 0
    while at < len(words) and (words[at] in _BEFORE or words[at].startswith("--config=")):
        at += _BEFORE.get(words[at], 1)
    named = [*words[at:]]
    until = 2 if named[:1] and named[0] in _GROUPS else 1
    return [*named[:until], *words[:at], *named[until:]] if named else [*words]


def main() -> None:
    """Run the command line; the process ends with the command's exit status."""
    # A command ends before garbage piles up. Looking for it while libraries load takes 6 % of a short run.
    gc.disable()
    # To find its plugins, pydantic opens a file of each installed package. overtrick has no use for them.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    # numpy's linear algebra starts threads that wait busily for work. overtrick has none for it.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    words = put_command_first(sys.argv[1:])
    if _is_light(words):
        for name, value in _FOR_ONE_CORE.items():
            os.environ.setdefault(name, value)
    try:
        # Before the commands load, which takes longer than some of them run.
        catch_interrupts()
        from overtrick.apps.cli.app import make_app

        make_app(words)(words)
    except BaseException as error:  # noqa: BLE001 - other errors are raised again
        sys.exit(explain_end(error))
    finally:
        # Without this, Python searches all objects for cycles at its end: a tenth of a short run.
        gc.freeze()


def explain_end(error: BaseException) -> int:
    """Say in one sentence what a command ended with, and return its exit status.

    Raises:
        BaseException: the command has ended by itself, or the error is a fault of overtrick.
    """
    if is_interrupted(error):
        say_interrupted()
        return INTERRUPTED
    if not isinstance(error, OSError):
        raise error
    from overtrick.apps.cli.output import WRONG_USAGE, close_output, complain

    # An error about a file names it. Help and the version go to standard output, which has no name.
    if error.filename is None:
        return close_output(error)
    complain(f"overtrick: {error.filename}: {error.strerror}")
    return WRONG_USAGE


def _is_light(words: Sequence[str]) -> bool:
    """Return whether a command has only small files to work on."""
    if not _LIGHT & {*words[:1]} or any(Path(word).is_dir() for word in words):
        return False
    return 0 < sum(Path(word).stat().st_size for word in words if Path(word).is_file()) < _SMALL
