"""The folder to publish: its files, and the order in which they may appear on the website."""

import os
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from overtrick.core.atomic_write import MANIFEST as SITE
from overtrick.core.atomic_write import RECORD as SEASON
from overtrick.show.publish.errors import NeedsConsentError, PublishError
from overtrick.show.publish.manifest import JOURNAL, MANIFEST, digest, is_inside

_INDEXES: Final = ("sitemap.xml", "feed.xml", "atom.xml", "rss.xml", "feed.json", "calendar.ics")

_MADE: Final = (SITE, SEASON)


@dataclass(frozen=True)
class SiteFile:
    """A file of the folder, as it was at the start of the run."""

    path: Path
    size: int
    sha256: str

    def read(self) -> bytes:
        """Return the content.

        Raises:
            PublishError: the file is gone or has changed.
        """
        try:
            content = self.path.read_bytes()
        except OSError as error:
            raise PublishError(f"{self.path}: can't be read: {error.strerror}") from error
        if digest(content) != self.sha256:
            raise PublishError(f"{self.path}: changed while the site was being published; publish again")
        return content


def list_site(folder: Path, leave_out: Collection[str] = ()) -> dict[str, SiteFile]:
    """Return the files of a folder by relative path, with `/` on every system. Links to folders are not followed.

    Args:
        folder: the folder.
        leave_out: names of folders in it that are no part of the site.

    Raises:
        PublishError: the folder can't be read or holds no file, or the name of a file can't be used on a website.
    """
    try:
        files = dict(_walk(folder, leave_out))
    except OSError as error:
        raise PublishError(f"{error.filename or folder}: can't be read: {error.strerror}") from error
    if not files:
        raise PublishError(f"{folder}: this folder holds no files to publish")
    return files


def check_made(folder: Path) -> None:
    """Check that overtrick made a folder: its home or another folder must not end up on the web by a slip.

    Raises:
        NeedsConsentError: it has neither the list of a bulletin's files nor that of a season's sessions.
        PublishError: as `list_site`.
    """
    if not any((folder / name).is_file() for name in _MADE):
        first = min(list_site(folder), key=lambda path: (path.count("/"), path))
        raise NeedsConsentError(
            f"{folder}: overtrick did not make this folder, which holds {first} and no {_MADE[0]}; to publish it, run "
            "`overtrick publish` with --yes"
        )


def _walk(folder: Path, leave_out: Collection[str]) -> list[tuple[str, SiteFile]]:
    def refuse(error: OSError) -> None:
        raise error

    found = []
    for parent, folders, names in os.walk(folder, onerror=refuse):
        if Path(parent) == folder:
            folders[:] = [name for name in folders if name not in leave_out]
        for name in names:
            path = Path(parent, name)
            relative = path.relative_to(folder).as_posix()
            # A folder that is itself a target holds overtrick's own two files.
            if relative in {MANIFEST, JOURNAL} or not path.is_file():
                continue
            if not is_inside(relative):
                raise PublishError(f"{relative!r}: a file on a website can't have this name; rename it")
            content = path.read_bytes()
            found.append((relative, SiteFile(path, len(content), digest(content))))
    return found


def reading_order(path: str) -> tuple[int, int, str]:
    """Sort key that puts a file after the files it shows and links to.

    Images and styles come first, then pages from the deepest folder up, then feeds and sitemaps, which name all pages.
    """
    depth = path.count("/")
    name = path.rpartition("/")[2]
    if name in _INDEXES:
        return 2, -depth, path
    return (1 if name.endswith((".html", ".htm")) else 0), -depth, path
