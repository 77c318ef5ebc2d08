"""The sentence that explains why a machine has no double-dummy solver."""

import platform
import sys
from typing import Final

_FEWEST: Final = (3, 11)

_ENDPLAY: Final = {
    ("linux", "x86_64"),
    ("linux", "aarch64"),
    ("win32", "AMD64"),
    ("darwin", "x86_64"),
    ("darwin", "arm64"),
}
"""Systems and processors for which the package endplay has a library, up to Python 3.13."""

_ANY_PYTHON: Final = {("linux", "x86_64"), ("win32", "AMD64")}
"""The same for the package ddstable, which works with every Python."""

_NAMES: Final = {"linux": "Linux", "win32": "Windows", "darwin": "macOS"}


def packages_for(python: tuple[int, int], system: str, machine: str) -> list[str]:
    """Return the packages with a solver for a Python, a system as `sys.platform` and a processor as `platform` do."""
    place = (system, machine)
    if python < (3, 14):
        return ["endplay"] if place in _ENDPLAY else []
    return ["ddstable"] if place in _ANY_PYTHON else []


def name_missing(python: tuple[int, int] | None = None, system: str | None = None, machine: str | None = None) -> str:
    """Return what is missing for double dummy.

    Args:
        python: version, by default that of this process, as the next two.
        system: as `sys.platform`.
        machine: as `platform.machine()`.
    """
    version = python or (sys.version_info.major, sys.version_info.minor)
    place = (system or sys.platform, machine or platform.machine())
    if packages_for(version, *place):
        return "the solver is not installed"
    here = f"{_NAMES.get(place[0], place[0])} ({place[1]})"
    if packages_for(_FEWEST, *place):
        return f"no package has the solver for Python {version[0]}.{version[1]}, {here}; use Python 3.11 to 3.13"
    return f"no package has the solver for {here}"


def describe_missing(
    python: tuple[int, int] | None = None, system: str | None = None, machine: str | None = None
) -> str:
    """Return what is missing, as `name_missing`, and how to get it if there is a way."""
    missing = name_missing(python, system, machine)
    return f"{missing}; get it with: pip install 'overtrick[dd]'" if missing.endswith("not installed") else missing
