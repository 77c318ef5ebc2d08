"""The files that overtrick put on a target, and who is publishing there now: two small files beside the pages."""

import hashlib
import json
import os
import platform
import time
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, field
from typing import Final

from overtrick.show.publish.address import PublishError

MANIFEST: Final = "overtrick-published.json"
"""Lists what the last complete run published; written after all the files that it lists."""

JOURNAL: Final = "overtrick-publishing.json"
"""Lists what is on the target during a run. An interrupted run leaves it there, and the next run starts from it."""

Files = dict[str, str | None]
"""By path, the SHA-256 of what overtrick published; None if an interrupted run may have left old or new content."""

Contents = Mapping[str, Collection[str]]
"""By path, the SHA-256 of all that a file may hold if overtrick published it, for those that `Files` is not sure of."""

GIVEN_UP: Final = 600.0
"""Seconds without a sign of life after which a run counts as interrupted."""


@dataclass(frozen=True)
class Run:
    """A run that publishes, as recorded in its journal.

    Attributes:
        machine: the computer that it runs on.
        process: its process number there.
        heard: its last sign of life, in seconds since 1970.
    """

    machine: str = field(default_factory=platform.node)
    process: int = field(default_factory=os.getpid)
    heard: float = field(default_factory=time.time)

    def is_under_way(self) -> bool:
        """Return whether the run may still be going on: its process has not ended, and its last sign of life is recent.

        A run of this process is over, since a process has only one at a time. A sign of life in the future comes from a
        wrong clock and counts as an old one.
        """
        if self.machine == platform.node() and (self.process == os.getpid() or _has_ended(self.process)):
            return False
        return abs(time.time() - self.heard) < GIVEN_UP

    def __str__(self) -> str:
        """Return where the run is, and when it gave its last sign of life."""
        return f"on {self.machine}, last active at {time.strftime('%H:%M', time.localtime(self.heard))}"


def _has_ended(process: int) -> bool:
    # On other systems os.kill ends the process.
    if os.name != "posix" or process <= 0:
        return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    except (PermissionError, OverflowError):
        return False
    return False


def digest(content: bytes) -> str:
    """Return the SHA-256 of a file's bytes, in hexadecimal."""
    return hashlib.sha256(content).hexdigest()


def write_files(files: Mapping[str, str | None], run: Run | None = None, contents: Contents | None = None) -> bytes:
    """Return the content of a manifest, or with a run that of its journal, with the contents of unsure files."""
    document: dict[str, object] = {"version": 1, "files": dict(sorted(files.items()))}
    if run:
        document |= {
            "run": asdict(run),
            "contents": {path: sorted(digests) for path, digests in (contents or {}).items()},
        }
    return (json.dumps(document, indent=1) + "\n").encode()


def read_run(journal: bytes) -> Run | None:
    """Return the run that wrote a journal; None if the journal doesn't say."""
    try:
        run = json.loads(journal)["run"]
        return Run(str(run["machine"]), int(run["process"]), float(run["heard"]))
    except (ValueError, KeyError, TypeError, RecursionError, OverflowError):
        return None


def read_files(content: bytes, name: str) -> Files:
    """Return the files that a manifest or a journal lists.

    Raises:
        PublishError: the content is damaged, or lists a path outside the site. Listed files may be deleted, so nothing
            in it is trusted.
    """
    try:
        document = json.loads(content)
        files = document["files"] if document["version"] == 1 else None
    except (ValueError, KeyError, TypeError, RecursionError):
        files = None
    if not isinstance(files, dict) or not all(is_inside(path) and _is_digest(known) for path, known in files.items()):
        raise PublishError(
            f"{name} on the target is damaged or comes from another version; "
            "look through the files there, delete this one and publish again"
        )
    return files


def read_contents(journal: bytes) -> Contents:
    """Return what unsure files may hold, as a journal lists it; nothing for those that it does not list."""
    try:
        listed = json.loads(journal)["contents"]
        return {str(path): [str(known) for known in digests] for path, digests in listed.items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}


def is_inside(path: str) -> bool:
    """Return whether a relative path stays inside its folder on every system."""
    parts = path.split("/")
    return (
        not ({"", ".", ".."} & set(parts)) and not any(letter in path for letter in "\\\0\r\n") and ":" not in parts[0]
    )


def _is_digest(known: object) -> bool:
    return known is None or (isinstance(known, str) and len(known) == 64)
