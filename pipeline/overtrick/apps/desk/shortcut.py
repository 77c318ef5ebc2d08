"""A shortcut to the desk on the desktop: `.cmd` on Windows, `.command` on macOS, `.desktop` elsewhere."""

import os
import shlex
import shutil
import sys
from pathlib import Path

from platformdirs import user_desktop_path

from overtrick.core.atomic_write import replace_file

_NAME = "overtrick desk"


def install_shortcut(folder: Path, system: str = sys.platform, desktop: Path | None = None) -> Path:
    """Put a shortcut to the desk of a folder on the desktop, and return its path. It needs no rights of others.

    Args:
        folder: the folder of evenings.
        system: as `sys.platform` names it.
        desktop: where to put it; None for the user's desktop.

    Raises:
        OSError: the file can't be written.
    """
    place = desktop or user_desktop_path()
    place.mkdir(parents=True, exist_ok=True)
    command = [*_program(), "desk", str(folder)]
    if system == "win32":
        return _script(place / f"{_NAME}.cmd", _batch(command))
    if system == "darwin":
        return _script(place / f"{_NAME}.command", f"#!/bin/sh\nexec {shlex.join(command)}\n")
    return _script(place / "overtrick-desk.desktop", _entry(command))


def _program() -> list[str]:
    """Return how this overtrick is started."""
    beside = Path(sys.executable).with_name("overtrick.exe" if os.name == "nt" else "overtrick")
    found = str(beside) if beside.exists() else shutil.which("overtrick")
    return [found] if found else [sys.executable, "-c", "from overtrick.apps.cli import main; main()"]


def _script(path: Path, text: str) -> Path:
    replace_file(path, text.encode())
    path.chmod(0o755)
    return path


def _entry(command: list[str]) -> str:
    """Return a desktop entry (freedesktop.org, Desktop Entry Specification 1.5)."""
    words = " ".join(f'"{_escaped(word)}"' for word in command)
    return (
        "[Desktop Entry]\nType=Application\nVersion=1.5\n"
        f"Name={_NAME}\nComment=Score a bridge evening\nExec={words}\nTerminal=true\nCategories=Office;\n"
    )


def _batch(command: list[str]) -> str:
    """Return a batch file of Windows. It is UTF-8, which the first command says; a percent sign begins a variable."""
    # Without quotes, & and ( in the name of a folder would mean something.
    line = " ".join(f'"{word}"' for word in command).replace("%", "%%")
    return f"@echo off\r\nchcp 65001 >nul\r\n{line}\r\n"


def _escaped(word: str) -> str:
    for sign in '\\"`$':
        word = word.replace(sign, f"\\{sign}")
    # A value escapes its backslashes once more, and a percent sign begins a field code.
    return word.replace("\\", "\\\\").replace("%", "%%").replace("\n", "")
