"""The folder that is published: its files, and the order in which they may appear before readers."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from overtrick.publish.errors import PublishError
from overtrick.publish.manifest import JOURNAL, MANIFEST, digest, is_inside

_INDEXES: Final = ("sitemap.xml", "feed.xml", "atom.xml", "rss.xml", "feed.json", "calendar.ics")


@dataclass(frozen=True)
class SiteFile:
    """A file of the folder as it was when the run began."""

    path: Path
    size: int
    sha256: str

    def content(self) -> bytes:
        """Read it again.

        Raises:
            PublishError: it is gone, or is not what it was.
        """
        try:
            content = self.path.read_bytes()
        except OSError as error:
            raise PublishError(f"{self.path}: can't be read any more: {error.strerror}") from error
        if digest(content) != self.sha256:
            raise PublishError(f"{self.path}: was changed while the site was being published; publish again")
        return content


def site_files(folder: Path) -> dict[str, SiteFile]:
    """List the files of a folder by their relative path with `/`; links to folders are not followed.

    Raises:
        PublishError: it can't be read, holds no file, or a name that no website can have.
    """
    try:
        files = dict(_walked(folder))
    except OSError as error:
        raise PublishError(f"{error.filename or folder}: can't be read: {error.strerror}") from error
    if not files:
        raise PublishError(f"{folder}: holds nothing to publish")
    return files


def _walked(folder: Path) -> list[tuple[str, SiteFile]]:
    def refuse(error: OSError) -> None:
        raise error

    found = []
    for parent, _, names in os.walk(folder, onerror=refuse):
        for name in names:
            path = Path(parent, name)
            relative = path.relative_to(folder).as_posix()
            # A site that was published into this very folder has ours beside its pages.
            if relative in {MANIFEST, JOURNAL} or not path.is_file():
                continue
            if not is_inside(relative):
                raise PublishError(f"{relative!r}: a file of a website can't have this name")
            content = path.read_bytes()
            found.append((relative, SiteFile(path, len(content), digest(content))))
    return found


def reading_order(path: str) -> tuple[int, int, str]:
    """Sort files so that what a page shows and links to stands before the page: leaves before indexes.

    First what pages are made of, then pages, the deepest first, then what names all of them.
    """
    depth = path.count("/")
    name = path.rpartition("/")[2]
    if name in _INDEXES:
        return 2, -depth, path
    return (1 if name.endswith((".html", ".htm")) else 0), -depth, path
