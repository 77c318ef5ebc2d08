"""What stands at the target because we put it there: a small file beside the pages."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Final

from overtrick.publish.errors import PublishError
from overtrick.publish.runs import Run

MANIFEST: Final = "overtrick-published.json"
"""Lists what the last complete run put there; written after everything that it lists."""

JOURNAL: Final = "overtrick-publishing.json"
"""Lists what is there while a run is on its way; a run that was cut leaves it, and the next one begins from it."""

Files = dict[str, str | None]
"""By path, the SHA-256 of what we put there; None where a run was cut and it may be the old content or the new."""


def digest(content: bytes) -> str:
    """Give the SHA-256 of a file's bytes, hexadecimal."""
    return hashlib.sha256(content).hexdigest()


def write_files(files: Mapping[str, str | None], run: Run | None = None) -> bytes:
    """Write a manifest, or the journal of a run."""
    document = {"version": 1, **({"run": asdict(run)} if run else {}), "files": dict(sorted(files.items()))}
    return (json.dumps(document, indent=1) + "\n").encode()


def read_files(content: bytes, name: str) -> Files:
    """Read a manifest or a journal.

    Raises:
        PublishError: it is damaged, or names what can't be a file of a site: what it lists may be deleted, so nothing
            in it is taken on trust.
    """
    try:
        document = json.loads(content)
        files = document["files"] if document["version"] == 1 else None
    except (ValueError, KeyError, TypeError, RecursionError):
        files = None
    if not isinstance(files, dict) or not all(is_inside(path) and _is_digest(known) for path, known in files.items()):
        raise PublishError(
            f"{name} on the target is damaged or of another version; "
            "look at what stands there, then delete that file and publish again"
        )
    return files


def is_inside(path: str) -> bool:
    """Say whether a relative path stays inside the folder that it begins from, on every system."""
    parts = path.split("/")
    return (
        not ({"", ".", ".."} & set(parts)) and not any(letter in path for letter in "\\\0\r\n") and ":" not in parts[0]
    )


def _is_digest(known: object) -> bool:
    return known is None or (isinstance(known, str) and len(known) == 64)
