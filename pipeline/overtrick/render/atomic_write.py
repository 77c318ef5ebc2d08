"""Files and folders replaced in one step: readers see the old content or the new, never a mixture."""

import json
import os
import secrets
import shutil
import time
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath
from typing import Final

MANIFEST: Final = "overtrick-site.json"
"""Lists the files of a site that overtrick wrote; a folder that has this file may be replaced."""

_STALE_SECONDS: Final = 3600
"""Age at which a leftover folder can't belong to a run that is still writing."""


class OutputError(Exception):
    """The folder can't be written, or holds files that overtrick did not write; the message says what to do."""


def replace_file(path: Path, content: bytes, *, durable: bool = False) -> None:
    """Write a file in one step: readers see the old content or the new, even if the program is killed meanwhile.

    Args:
        path: the file.
        content: its new bytes.
        durable: wait until the disk has it, so that it survives a power cut.

    Raises:
        OSError: the file can't be written; the old content is unchanged.
    """
    if path.exists() and not path.is_file():
        path.write_bytes(content)
        return
    # A symbolic link stays; the file that it points to is replaced.
    target = path.resolve()
    new = _name_sibling(target, "new")
    try:
        new.write_bytes(content)
        if target.exists():
            shutil.copymode(target, new)
        if durable:
            _sync(new)
        new.replace(target)
        if durable and os.name == "posix":
            _sync(target.parent)
    finally:
        new.unlink(missing_ok=True)


def _sync(path: Path) -> None:
    """Wait until the disk has a file's content, or a folder's names."""
    opened = os.open(path, os.O_RDONLY if os.name == "posix" else os.O_RDWR)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def replace_folder(folder: Path, files: Mapping[str, bytes], generator: str) -> None:
    """Write a site's folder in one step.

    All files are written to a new folder beside it, which then takes its name. If the program is killed meanwhile, the
    old folder is still there, or the next run puts it back. Files that somebody else added to the site are kept.

    Args:
        folder: where to write; missing, empty, or a site that overtrick wrote.
        files: contents by relative path, with `/`.
        generator: name and version of the program, for the manifest.

    Raises:
        OutputError: the folder holds files but no manifest, or can't be written.
    """
    folder = folder.resolve()
    try:
        recover_folder(folder)
        added = _list_added_files(folder)
        new = _name_sibling(folder, "new")
        try:
            _fill(new, files, generator)
            _copy(added - files.keys(), folder, new)
            _swap(folder, new)
        finally:
            shutil.rmtree(new, ignore_errors=True)
    except OSError as error:
        raise OutputError(f"{folder}: can't be written: {error.strerror or error}") from error


def _list_added_files(folder: Path) -> set[str]:
    """Return the files in a site's folder that overtrick did not write."""
    if not folder.exists():
        return set()
    if not folder.is_dir():
        raise OutputError(f"{folder}: is a file; choose a folder for the site")
    if not (folder / MANIFEST).is_file():
        if any(folder.iterdir()):
            raise OutputError(f"{folder}: holds files that overtrick did not write; choose an empty or a new folder")
        return set()
    held = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_symlink() or path.is_file()}
    return held - _read_manifest(folder / MANIFEST) - {MANIFEST}


def list_files(folder: Path) -> list[str]:
    """Return the files of a site that its manifest lists, sorted; none if the folder is not a site.

    Raises:
        OutputError: the manifest is damaged.
    """
    manifest = folder / MANIFEST
    return sorted(_read_manifest(manifest)) if manifest.is_file() else []


def _read_manifest(manifest: Path) -> set[str]:
    try:
        return set(json.loads(manifest.read_bytes())["files"])
    except (ValueError, KeyError, TypeError) as error:
        raise OutputError(f"{manifest}: the file is damaged; move the folder away or choose another one") from error


def _fill(new: Path, files: Mapping[str, bytes], generator: str) -> None:
    new.mkdir(parents=True)
    manifest = {"generator": generator, "files": sorted(files)}
    (new / MANIFEST).write_text(json.dumps(manifest, indent=1) + "\n", "utf-8")
    for name, content in files.items():
        path = new / PurePosixPath(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def _copy(names: Iterable[str], folder: Path, new: Path) -> None:
    for name in names:
        target = new / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(folder / name, target, follow_symlinks=False)


def _swap(folder: Path, new: Path) -> None:
    if not folder.exists():
        new.rename(folder)
        return
    shutil.copymode(folder, new)
    old = _name_sibling(folder, "old")
    folder.rename(old)
    try:
        new.rename(folder)
    except OSError:
        old.rename(folder)
        raise
    shutil.rmtree(old, ignore_errors=True)


def recover_folder(folder: Path) -> None:
    """Put back a folder whose replacement was killed between the two renames, and delete other leftovers."""
    for old in _find_leftovers(folder, "old"):
        if folder.exists():
            shutil.rmtree(old, ignore_errors=True)
        else:
            old.rename(folder)
    for new in _find_leftovers(folder, "new"):
        # A newer one may belong to a run that is still writing.
        if time.time() - new.stat().st_mtime > _STALE_SECONDS:
            shutil.rmtree(new, ignore_errors=True)


def _name_sibling(folder: Path, kind: str) -> Path:
    return folder.with_name(f".{folder.name}.{kind}-{secrets.token_hex(4)}")


def _find_leftovers(folder: Path, kind: str) -> list[Path]:
    """Return the folders that `_name_sibling` named, newest first; only those that have a manifest or are empty."""
    if not folder.parent.is_dir():
        return []
    prefix = f".{folder.name}.{kind}-"
    found = [
        entry
        for entry in folder.parent.iterdir()
        if entry.name.startswith(prefix)
        and len(entry.name) == len(prefix) + 8
        and entry.is_dir()
        and ((entry / MANIFEST).is_file() or not any(entry.iterdir()))
    ]
    return sorted(found, key=lambda entry: entry.stat().st_mtime, reverse=True)
