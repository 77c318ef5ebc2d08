"""Where the grammars and templates are: inside the package when installed, beside it in a checkout. And the cache."""

import os
import sys
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def resource(*parts: str) -> Path:
    """Return the path of a file or folder of `grammars` or `templates`, for example `resource("grammars", "pbn.lark")`.

    A wheel carries both folders inside the package; a checkout keeps them at its top level.

    Raises:
        FileNotFoundError: neither place holds it (a broken installation).
    """
    for root in (_PACKAGE, _PACKAGE.parent.parent):
        path = root.joinpath(*parts)
        if path.exists():
            return path
    raise FileNotFoundError(f"this installation of overtrick lacks {'/'.join(parts)}; reinstall it")


def cache_folder() -> Path:
    """Say where the user's cache is: below `XDG_CACHE_HOME` where that is set, else where the system keeps caches."""
    if os.environ.get("XDG_CACHE_HOME"):
        folder = Path(os.environ["XDG_CACHE_HOME"])
    elif sys.platform == "win32":
        folder = Path(os.environ.get("LOCALAPPDATA") or _home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        folder = _home() / "Library" / "Caches"
    else:
        folder = _home() / ".cache"
    return folder / "overtrick"


def _home() -> Path:
    try:
        return Path.home()
    except RuntimeError:
        # Nothing can be kept for a user without a home: no file is below this one.
        return Path(os.devnull)
