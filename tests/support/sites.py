"""Small sites to publish: pages that link to one another, as the pages of an evening do."""

import re
from collections.abc import Mapping
from pathlib import Path

from overtrick.core.atomic_write import MANIFEST as SITE
from overtrick.show.publish.manifest import JOURNAL, MANIFEST


def pages(boards: int, edition: int = 1, *, first: int = 1) -> dict[str, str]:
    """Make an index, a style named after the edition, and a page per board with links to its neighbours."""
    style = f"style.{edition}.css"
    numbers = range(first, first + boards)
    made = {style: f"/* {edition} */"}
    made["index.html"] = page(style, [f"board-{n}/index.html" for n in numbers], edition)
    for n in numbers:
        near = [f"../board-{m}/index.html" for m in (n - 1, n + 1) if m in numbers]
        made[f"board-{n}/index.html"] = page(f"../{style}", ["../index.html", *near], edition)
    return made


def bulletin(boards: int, edition: int = 1, *, first: int = 1) -> dict[str, str]:
    """Make the same pages, and the list of files by which a folder is known as made by overtrick."""
    return pages(boards, edition, first=first) | {SITE: '{"files": {}}'}


def page(style: str, links: list[str], edition: int) -> str:
    listed = "".join(f'<a href="{link}">{link}</a>' for link in links)
    return f'<!doctype html><link href="{style}"><p>edition {edition}</p>{listed}{"<!-- long -->" * 500}</html>'


def links_of(path: str, text: str) -> list[str]:
    """List what a page links to, as paths of the site."""
    folder = path.rpartition("/")[0]
    return [_plain(f"{folder}/{link}") for link in re.findall(r'href="([^"]*)"', text)]


def _plain(path: str) -> str:
    parts: list[str] = []
    for part in path.split("/"):
        if part == "..":
            parts.pop()
        elif part:
            parts.append(part)
    return "/".join(parts)


def lay(folder: Path, files: Mapping[str, str]) -> Path:
    """Write a site to a folder, which then holds nothing else."""
    if folder.exists():
        for path in sorted(folder.rglob("*"), reverse=True):
            path.unlink() if path.is_file() else path.rmdir()
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return folder


def read_folder(folder: Path) -> dict[str, bytes]:
    """Read all files of a folder and below it, by their paths with `/`."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def differing(one: Mapping[str, object], other: Mapping[str, object]) -> list[str]:
    """List the names that have different contents, or that only one of both has: a failure then tells the names."""
    return sorted(name for name in {*one, *other} if name not in one or name not in other or one[name] != other[name])


def held(folder: Path) -> dict[str, str]:
    """List what a folder holds, without manifest and journal."""
    files = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    return {
        name: path.read_bytes().decode("utf-8", "surrogateescape")
        for name, path in files.items()
        if name not in {MANIFEST, JOURNAL}
    }
