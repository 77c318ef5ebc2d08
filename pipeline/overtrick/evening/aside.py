"""Problems that a scorer looked at and found right: the desk lists them apart, and nothing else changes.

FOLDER/.overtrick/aside/S    a line for each problem of the evening S that was set aside
"""

from hashlib import sha256
from pathlib import Path

from overtrick.evening.shelf import HIDDEN, Shelved
from overtrick.render.atomic_write import replace_file


def _kept(folder: Path, shelved: Shelved) -> Path:
    return folder / HIDDEN / "aside" / shelved.slug


def name_problem(code: str, file: str, message: str) -> str:
    """Return what tells a problem from others: it is another one as soon as its sentence changes."""
    return sha256(f"{code}\n{file}\n{message}".encode("utf-8", "replace")).hexdigest()[:16]


def read_aside(folder: Path, shelved: Shelved) -> list[str]:
    """Return the names of the problems of an evening that were set aside, in the order in which they were."""
    try:
        return _kept(folder, shelved).read_text("utf-8").split()
    except (OSError, UnicodeDecodeError):
        return []


def set_aside(folder: Path, shelved: Shelved, name: str, *, aside: bool) -> None:
    """Set a problem aside, or bring it back.

    Raises:
        OSError: that can't be written.
    """
    names = [one for one in read_aside(folder, shelved) if one != name]
    if aside:
        names.append(name)
    kept = _kept(folder, shelved)
    kept.parent.mkdir(parents=True, exist_ok=True)
    replace_file(kept, "".join(f"{one}\n" for one in names).encode(), durable=True)
