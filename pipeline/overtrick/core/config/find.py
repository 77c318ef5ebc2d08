"""Finding `club.toml`: every command, the API and the desk do it here, so that all of them take the same settings."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from overtrick.core.config.table import ConfigError

SETTINGS: Final = "club.toml"
VARIABLE: Final = "OVERTRICK_CONFIG"
STDIN: Final = "-"


def find_settings(paths: Iterable[str | Path], given: str | Path | None = None) -> Path | None:
    """Find the settings for some files.

    Args:
        paths: the files and folders that are read, which need not exist. `-`, standard input, has no folder.
        given: settings that the user names; they win over all others.

    Returns:
        What the user names; else what the environment variable OVERTRICK_CONFIG names; else the first `club.toml` in
        the folder of the files or in a folder above it. The search ends with the home folder, or where the file system
        ends. None if there are none.

    Raises:
        ConfigError: the files are under two settings, or the settings that were found belong to somebody else.
    """
    if named := given or os.environ.get(VARIABLE):
        return Path(named)
    folders = dict.fromkeys(_folder(path) for path in map(str, paths) if path != STDIN)
    found = dict.fromkeys(path for folder in folders if (path := _search(folder)) is not None)
    if len(found) > 1:
        first, second = list(found)[:2]
        raise ConfigError(
            f"the files are under two settings, {first} and {second}; read them one club at a time, or choose one of"
            " them with --config"
        )
    path = next(iter(found), None)
    if path is not None and not _is_ours(path):
        raise ConfigError(f"{path}: belongs to another user; name it with --config if you trust it")
    return path


def _folder(path: str) -> Path:
    here = Path(path)
    return (here if here.is_dir() else here.parent).resolve()


def _search(folder: Path) -> Path | None:
    return next((path for above in _climb(folder) if (path := above / SETTINGS).is_file()), None)


def _climb(folder: Path) -> Iterator[Path]:
    """Yield a folder and those above it, up to the home folder or to the edge of the file system."""
    home, device = _home(), _device(folder)
    for above in (folder, *folder.parents):
        if _device(above) != device:
            return
        yield above
        if above == home:
            return


def _home() -> Path | None:
    try:
        return Path.home().resolve()
    except RuntimeError:
        return None


def _device(folder: Path) -> int | None:
    try:
        return folder.stat().st_dev
    except OSError:
        return None


def _is_ours(path: Path) -> bool:
    return not hasattr(os, "getuid") or path.stat().st_uid == os.getuid()
