"""The files that overtrick put on a target, and who is publishing there now: two small files beside the pages.

By them a website is compared with what was written: all files there with their bytes, and no link that leads nowhere.
"""

import hashlib
import json
import os
import platform
import posixpath
import re
import time
from collections.abc import Collection, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Final
from urllib.parse import unquote

from overtrick.core.atomic_write import MANIFEST as SITE
from overtrick.core.atomic_write import RECORD as SEASON
from overtrick.show.publish.address import PublishError
from overtrick.show.publish.targets.base import Target

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


_LINK: Final = re.compile(r"<(?:a|link|script|img|iframe|source)\b[^>]*?\s(?:href|src)=\"([^\"#?]*)")
_ELSEWHERE: Final = re.compile(r"[a-z][a-z0-9+.-]*:|//", re.IGNORECASE)
_DIGEST: Final = re.compile("[0-9a-f]{64}|[0-9a-f]{16}")
"""A SHA-256, or the first half of the first half of one, in hexadecimal."""


class NoSiteError(Exception):
    """overtrick did not write a website there."""


def find_faults(target: Target) -> Iterator[tuple[str, str]]:
    """Yield each fault of a website with the path of its file.

    Args:
        target: the website, as `publish` or `bulletin` and `season` wrote it.

    Raises:
        NoSiteError: overtrick wrote none there.
        PublishError: it can't be read.
    """
    if target.read(JOURNAL) is not None:
        yield JOURNAL, "a run was interrupted here; publish again to complete it"
    files = list_files(target)
    links: dict[str, str] = {}
    for path, known in files.items():
        content = target.read(path)
        if content is None:
            yield path, "is missing"
            continue
        if known is not None and not hashlib.sha256(content).hexdigest().startswith(known):
            yield path, "is not as overtrick wrote it"
        if path.endswith(".html"):
            links |= {to: path for to in _list_links(path, content) if to not in files and to not in links}
    for to, path in links.items():
        if f"{to}/index.html" not in files and target.read(to) is None and target.read(f"{to}/index.html") is None:
            yield path, f"links to {to}, which is missing"


def list_files(target: Target) -> Files:
    """Return the files of a website by path, with the beginning of their SHA-256; None if it was not recorded.

    Raises:
        NoSiteError: overtrick wrote none there.
        PublishError: a list of them can't be read.
    """
    if (published := target.read(MANIFEST)) is not None:
        return read_files(published, MANIFEST)
    if (site := target.read(SITE)) is not None:
        return _read_list(site, SITE, "files")
    season = target.read(SEASON)
    if season is None:
        raise NoSiteError(f"no {MANIFEST}, {SITE} or {SEASON} there")
    pages = _read_list(season, SEASON, "pages")
    found: Files = {"index.html": None, **{path: known and known.rpartition("-")[2] for path, known in pages.items()}}
    for folder in _read_list(season, SEASON, "sessions"):
        below = target.read(f"{folder}/{SITE}")
        if below is None:
            found[f"{folder}/{SITE}"] = None
            continue
        found |= {f"{folder}/{path}": known for path, known in _read_list(below, SITE, "files").items()}
    return found


def _read_list(content: bytes, name: str, member: str) -> Files:
    """Return the files, pages or sessions that a list of overtrick names."""
    try:
        listed = json.loads(content)[member]
        files = {str(path): None if known is None else str(known) for path, known in listed.items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise PublishError(f"{name}: is damaged") from error
    if not all(is_inside(path) and (known is None or _is_recorded(known)) for path, known in files.items()):
        raise PublishError(f"{name}: is damaged")
    return files


def _is_recorded(known: str) -> bool:
    return all(_DIGEST.fullmatch(part) for part in known.split("-"))


def _list_links(page: str, content: bytes) -> Iterator[str]:
    """Yield the files and folders of the website that a page links to, by path; those above it are left out."""
    for found in set(_LINK.findall(content.decode("utf-8", "replace"))):
        if not found or found.startswith("/") or _ELSEWHERE.match(found):
            continue
        to = posixpath.normpath(posixpath.join(posixpath.dirname(page), unquote(found)))
        if to != "." and to.partition("/")[0] != "..":
            yield to
