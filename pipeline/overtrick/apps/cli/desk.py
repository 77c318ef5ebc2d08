"""`overtrick desk`: everything that a scorer does, in the browser."""

import gc
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from overtrick.apps.cli.options import ConfigFile, find_config, must_exist, option
from overtrick.apps.cli.output import complain, emit, say, wrong_usage

_NEEDED = ("starlette", "uvicorn", "python_multipart", "tomlkit")


def desk(
    folder: Annotated[
        Path,
        Argument(metavar="FOLDER", callback=must_exist, help="The folder of evenings. Default: the current folder."),
    ] = Path(),
    port: Annotated[
        int | None, option("--port", "N", "The port; 0 for any that is free. Default: the last of this folder.")
    ] = None,
    no_browser: Annotated[bool, Option("--no-browser", help="Print the address and open no browser.")] = False,
    lan: Annotated[
        bool, Option("--lan", help="Show the live ranking to the local network too, for reading only.")
    ] = False,
    install_shortcut: Annotated[
        bool, Option("--install-shortcut", help="Put a shortcut to this desk on the desktop, and exit.")
    ] = False,
    config: ConfigFile = None,
) -> None:
    """Score, correct and publish evenings in the browser.

    Serves this machine only and prints its address. Everything that you do is saved
    at once in the files that the other commands read. Ctrl-C ends it.
    """
    if port is not None and not 0 <= port <= 65535:
        raise typer.BadParameter("expected a number from 0 to 65535", param_hint="--port")
    if not folder.is_dir():
        wrong_usage(f"{folder}: not a folder")
    if any(find_spec(name) is None for name in _NEEDED):
        wrong_usage("the desk needs more packages; get them with: pip install 'overtrick[desk]'")
    if install_shortcut:
        _install(folder)
    # Unlike other commands this one runs until garbage piles up.
    gc.enable()
    from overtrick.apps.desk.serve import BusyError, Options, serve

    def ready(address: str, wall: str) -> None:
        emit(f"{address}\n" + (f"{wall}\n" if wall else ""))
        if not no_browser:
            _browse(address)

    try:
        serve(folder, find_config(config, [folder]), Options(port, lan), ready=ready, log=complain)
    except BusyError as error:
        wrong_usage(str(error))
    except OSError as error:
        wrong_usage(f"{error.filename or folder}: {error.strerror or error}")


def _install(folder: Path) -> None:
    from overtrick.apps.desk.shortcut import install_shortcut

    try:
        path = install_shortcut(folder.resolve())
        emit(f"{path}\n")
        if path.suffix == ".cmd":
            say("Windows could not make a shortcut, so this is a batch file. Open it in the same way.")
    except OSError as error:
        wrong_usage(str(error))
    raise typer.Exit


def _browse(address: str) -> None:
    import threading
    import webbrowser

    # Some browsers return only when their window is closed.
    threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
