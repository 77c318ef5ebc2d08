"""Files and folders replaced in one step: readers see the old content or the new, never a mixture.

Locks between runs are released by the system when a run dies, so nobody waits for a dead one. What a
killed run leaves, the next run that writes to the same place deletes.
"""

import ctypes
import hashlib
import json
import os
import re
import secrets
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path, PurePosixPath
from typing import Final

from overtrick.core.machine import explain_failure

if sys.platform == "win32":
    import msvcrt

    def try_lock(opened: int) -> bool:
        """Lock an open file if no other run has locked it, and return whether this run has it now."""
        try:
            msvcrt.locking(opened, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def try_lock(opened: int) -> bool:
        """Lock an open file if no other run has locked it, and return whether this run has it now."""
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:
            # Some network file systems have no locks; there every run goes on.
            return True
        return True


_PAUSE: Final = 0.05
"""Seconds between two tries."""


@contextmanager
def hold(place: Path, seconds: float) -> Iterator[None]:
    """Keep other runs out while the body runs.

    Args:
        place: a file that exists only while a run holds it, or after a run was killed; its folder must exist.
        seconds: how long to wait for another run.

    Raises:
        TimeoutError: another run still has it.
        OSError: the file can't be created.
    """
    opened = _acquire(place, time.monotonic() + seconds)
    try:
        yield
    finally:
        # Windows does not delete an open file; there it stays until the next run.
        with suppress(OSError):
            place.unlink()
        os.close(opened)


def _acquire(place: Path, end: float) -> int:
    while True:
        opened = os.open(place, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o666)
        if try_lock(opened) and _is_at(place, opened):
            return opened
        os.close(opened)
        if time.monotonic() >= end:
            raise TimeoutError
        time.sleep(_PAUSE)


def _is_at(place: Path, opened: int) -> bool:
    """Return whether an open file is still at its place: the run before may have deleted it in the meantime."""
    try:
        return os.path.samestat(os.fstat(opened), place.stat())
    except FileNotFoundError:
        return False


MANIFEST: Final = "overtrick-site.json"
"""Lists the files of a site that overtrick wrote; a folder that has this file may be replaced."""

RECORD: Final = "overtrick-season.json"
"""Lists the sessions of a season; a folder that has this file is one."""

_PATIENCE: Final = 60.0
"""Seconds to wait for another run that is writing the same folder: it takes one or two."""

_AT_ONCE: Final = 8
"""How many files the disk is asked for at once."""

_TRIES: Final = 3
_LEFTOVER: Final = r"\.{name}\.{kind}-[0-9a-f]{{8}}"


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
    clear_leftovers(target)
    for _ in range(_TRIES):
        # Another run may take the new file for a leftover in the moment before it is locked.
        with suppress(FileNotFoundError):
            _replace(target, content, durable=durable)
            return
    _replace(target, content, durable=durable)


def write_changed(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files by their paths in a folder, each in one step, unless they are there already.

    Raises:
        OSError: a file can't be written.
    """
    for name, content in files.items():
        path = folder / name
        if not path.is_file() or path.read_bytes() != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            replace_file(path, content)


def _replace(target: Path, content: bytes, *, durable: bool) -> None:
    new = _name_sibling(target, "new")
    file = new.open("xb")
    try:
        try_lock(file.fileno())
        file.write(content)
        file.flush()
        if durable:
            os.fsync(file.fileno())
        if target.exists():
            shutil.copymode(target, new)
        if os.name == "nt":
            # Windows does not rename an open file.
            file.close()
        new.replace(target)
        if durable:
            sync_folder(target.parent)
    finally:
        # On a full disk, closing tries to write once more.
        with suppress(OSError):
            file.close()
        new.unlink(missing_ok=True)


def clear_leftovers(target: Path) -> None:
    """Delete the new files of a file that killed runs left beside it."""
    for path in _find_siblings(target, "new"):
        with suppress(OSError), path.open("r+b") as file:
            if try_lock(file.fileno()):
                path.unlink()


def sync_folder(folder: Path) -> None:
    """Wait until the disk has the names in a folder. Windows has no such call."""
    if os.name == "posix":
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


def replace_folder(folder: Path, files: Mapping[str, bytes], generator: str, *, durable: bool = False) -> None:
    """Write a site's folder in one step.

    All files are written to a new folder beside it, which then takes its name. If the program is killed meanwhile, the
    old folder is still there, or the next run puts it back. Files that somebody else added to the site, or changed, are
    kept.

    Args:
        folder: where to write; missing, empty, or a site that overtrick wrote.
        files: contents by relative path, with `/`.
        generator: name and version of the program, for the manifest.
        durable: wait until the disk has all of it, so that it survives a power cut.

    Raises:
        OutputError: the folder holds files but no manifest, can't be written, or another run is writing it.
    """
    folder = folder.resolve()
    with only_run(folder, _PATIENCE), explain_failure(folder, OutputError):
        _recover(folder)
        added = _list_added_files(folder)
        new = _name_sibling(folder, "new")
        try:
            _fill(new, files, generator)
            _copy(added - files.keys(), folder, new)
            if durable:
                _sync(new)
            _swap(folder, new)
            if durable:
                sync_folder(folder.parent)
        finally:
            shutil.rmtree(new, ignore_errors=True)


def update_folder(folder: Path, files: Mapping[str, bytes], *, durable: bool = False) -> None:
    """Replace some files of a site, each in one step; the others stay.

    Args:
        folder: a site that `replace_folder` wrote.
        files: new contents by relative path; those that are there already are not written again.
        durable: wait until the disk has them, so that they survive a power cut.

    Raises:
        OutputError: the folder is not a site, can't be written, or another run is writing it.
    """
    folder = folder.resolve()
    with only_run(folder, _PATIENCE), explain_failure(folder, OutputError):
        try:
            manifest = json.loads((folder / MANIFEST).read_bytes())
            hashes = {name: _hash(content) for name, content in files.items()}
            for name, content in files.items():
                if manifest["files"].get(name) != hashes[name]:
                    replace_file(folder / name, content, durable=durable)
            manifest["files"] = dict(sorted({**manifest["files"], **hashes}.items()))
            replace_file(folder / MANIFEST, f"{json.dumps(manifest, indent=1)}\n".encode(), durable=durable)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise OutputError(f"{folder}: is not a site of overtrick any more") from error


@contextmanager
def only_run(folder: Path, seconds: float) -> Iterator[None]:
    """Keep other runs from writing a folder while the body runs.

    Raises:
        OutputError: another run is still writing it after `seconds`, or the folder above can't be written.
    """
    folder = folder.resolve()
    with ExitStack() as locks:
        with explain_failure(folder, OutputError):
            folder.parent.mkdir(parents=True, exist_ok=True)
            try:
                locks.enter_context(hold(folder.with_name(f".{folder.name}.lock"), seconds))
            except TimeoutError as error:
                reason = "another run is writing this folder; try again when it has ended"
                raise OutputError(f"{folder}: {reason}") from error
        yield


def check_folder(folder: Path) -> None:
    """Check that a site may be written to a folder, before the work that goes into the site.

    Raises:
        OutputError: the path is a file, or the folder can't be read, or it holds files and no site.
    """
    with explain_failure(folder, OutputError, "can't be read"):
        if folder.exists() and not folder.is_dir():
            raise OutputError(f"{folder}: is a file; choose a folder for the site")
        if folder.is_dir() and not (folder / MANIFEST).is_file() and any(folder.iterdir()):
            raise OutputError(f"{folder}: holds files that overtrick did not write; choose an empty or a new folder")


def _list_added_files(folder: Path) -> set[str]:
    """Return the files in a site's folder that overtrick did not write."""
    check_folder(folder)
    if not (folder / MANIFEST).is_file():
        return set()
    ours = _read_manifest(folder / MANIFEST)
    found = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_symlink() or path.is_file()}
    return {name for name in found - {MANIFEST} if not _is_unchanged(folder / name, ours.get(name))}


def _is_unchanged(path: Path, written: str | None) -> bool:
    """Return whether a file is what overtrick wrote, by the hash in the manifest, which anybody may have changed."""
    return written is not None and not path.is_symlink() and _hash(path.read_bytes()) == written


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def list_files(folder: Path) -> list[str]:
    """Return the files of a site that its manifest lists, sorted; none if the folder is not a site.

    Raises:
        OutputError: the manifest is damaged.
    """
    manifest = folder / MANIFEST
    return sorted(_read_manifest(manifest)) if manifest.is_file() else []


def _read_manifest(manifest: Path) -> dict[str, str | None]:
    """Return the hashes of the files that a manifest lists; None for those of version 0.1, which recorded no hashes."""
    try:
        files = json.loads(manifest.read_bytes())["files"]
        return {str(name): str(files[name]) if isinstance(files, dict) else None for name in [*files]}
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise OutputError(f"{manifest}: the file is damaged; move the folder away or choose another one") from error


def _fill(new: Path, files: Mapping[str, bytes], generator: str) -> None:
    new.mkdir(parents=True)
    manifest = {"generator": generator, "files": {name: _hash(files[name]) for name in sorted(files)}}
    (new / MANIFEST).write_text(json.dumps(manifest, indent=1) + "\n", "utf-8")
    for folder in {PurePosixPath(name).parent for name in files}:
        (new / folder).mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        Path(new, name).write_bytes(content)


def _copy(names: Iterable[str], folder: Path, new: Path) -> None:
    for name in names:
        target = new / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(folder / name, target, follow_symlinks=False)


def _sync(folder: Path) -> None:
    """Wait until the disk has everything in a folder. Disks do many files at once nearly as fast as one."""
    walked = list(os.walk(folder, topdown=False))
    with ThreadPoolExecutor(_AT_ONCE) as workers:
        list(workers.map(_sync_file, (Path(parent, name) for parent, _, names in walked for name in names)))
    for parent, _, _ in walked:
        sync_folder(Path(parent))


def _sync_file(path: Path) -> None:
    with suppress(IsADirectoryError, PermissionError), path.open("rb") as file:
        os.fsync(file.fileno())


def _swap(folder: Path, new: Path) -> None:
    if not folder.exists():
        new.rename(folder)
        return
    shutil.copymode(folder, new)
    if _exchange(folder, new):
        return
    old = _name_sibling(folder, "old")
    folder.rename(old)
    try:
        new.rename(folder)
    except OSError:
        old.rename(folder)
        raise
    shutil.rmtree(old, ignore_errors=True)


def _exchange(folder: Path, other: Path) -> bool:
    """Exchange two folders in one step; return whether the system can do that. Linux can, on most file systems."""
    here, exchange = -100, 2
    rename = _find_exchange()
    return rename is not None and rename(here, os.fsencode(folder), here, os.fsencode(other), exchange) == 0


def _find_exchange() -> Callable[[int, bytes, int, bytes, int], int] | None:
    """Return the C library's `renameat2`; None where there is none."""
    if sys.platform != "linux":
        return None
    try:
        found: Callable[[int, bytes, int, bytes, int], int] = ctypes.CDLL(None).renameat2
    except (AttributeError, OSError):
        return None
    return found


def put_back(folder: Path) -> None:
    """Put back a folder whose replacement was killed between the two renames.

    Raises:
        OutputError: another run is writing the folder, or it can't be written.
    """
    folder = folder.resolve()
    if not folder.exists() and _find_leftovers(folder, "old"):
        with only_run(folder, _PATIENCE):
            _recover(folder)


def _recover(folder: Path) -> None:
    """Put back a folder whose replacement was killed between the two renames, and delete other leftovers.

    No other run is writing the folder: this one holds its lock.
    """
    for old in _find_leftovers(folder, "old"):
        if folder.exists():
            shutil.rmtree(old, ignore_errors=True)
        else:
            old.rename(folder)
    for new in _find_leftovers(folder, "new"):
        shutil.rmtree(new, ignore_errors=True)


def _name_sibling(path: Path, kind: str) -> Path:
    return path.with_name(f".{path.name}.{kind}-{secrets.token_hex(4)}")


def is_leftover(path: Path) -> bool:
    """Return whether a file or folder is named as one that a killed run left beside what it was writing."""
    return re.fullmatch(_LEFTOVER.format(name=".+", kind="(?:new|old)"), path.name) is not None


def _find_siblings(path: Path, kind: str) -> list[Path]:
    """Return the files or folders that `_name_sibling` named."""
    name = re.compile(_LEFTOVER.format(name=re.escape(path.name), kind=kind))
    try:
        return [entry for entry in path.parent.iterdir() if name.fullmatch(entry.name)]
    except OSError:
        return []


def _find_leftovers(folder: Path, kind: str) -> list[Path]:
    """Return the folders that `_name_sibling` named, newest first; only those that have a manifest or are empty."""
    found = [
        entry
        for entry in _find_siblings(folder, kind)
        if entry.is_dir() and ((entry / MANIFEST).is_file() or not any(entry.iterdir()))
    ]
    return sorted(found, key=lambda entry: entry.stat().st_mtime, reverse=True)
