"""Whether a website is as overtrick wrote it: all files there with their bytes, and no link that leads nowhere."""

import hashlib
import json
import posixpath
import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import unquote

from overtrick.core.atomic_write import MANIFEST as SITE
from overtrick.core.atomic_write import RECORD as SEASON
from overtrick.show.publish.address import PublishError
from overtrick.show.publish.manifest import JOURNAL, MANIFEST, Files, is_inside, read_files
from overtrick.show.publish.targets.base import Target

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
