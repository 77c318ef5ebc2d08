"""Commands that write, with their files: what each has made, and whether that is whole."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import polars as pl

from overtrick.apps.archive.store import Store
from overtrick.core.atomic_write import MANIFEST
from tests.support.archives import take_in
from tests.support.commands import run
from tests.support.inboxes import lying
from tests.support.killing import Job, put_club_evening, put_evenings


def site_is_whole(*folders: str) -> Callable[[Path], list[str]]:
    """Return a check of sites: every file that a manifest lists is there, and every link leads somewhere."""

    def check(base: Path) -> list[str]:
        manifests = [path for folder in folders for path in (base / folder).rglob(MANIFEST)]
        return [
            f"{manifest.parent}: {name}"
            for manifest in manifests
            if not any(part.startswith(".") for part in manifest.relative_to(base).parts)
            for name in json.loads(manifest.read_bytes())["files"]
            if not (manifest.parent / name).is_file()
        ]

    return check


def reads(name: str, read: Callable[[Path], object]) -> Callable[[Path], list[str]]:
    """Return a check of a file: it can be read."""

    def check(base: Path) -> list[str]:
        if (base / name).exists():
            read(base / name)
        return []

    return check


def rows(base: Path) -> dict[str, list[tuple[object, ...]]]:
    """Return the rows of an archive, without what depends on the run."""
    store = Store(str(base / "archive"))
    if not store.exists():
        return {}
    tables = store.scan()
    names = ("sources", "results", "double_dummy")
    return {name: sorted(tables[name].collect().select(pl.exclude("source")).rows(), key=repr) for name in names}


def archive_is_whole(base: Path) -> list[str]:
    store = Store(str(base / "archive"))
    if not store.exists():
        return []
    listed = store.scan()
    held = listed["sources"].select("sha256", "records").unique().collect().sort("sha256").rows()
    found = dict(listed["records"].group_by("sha256").len().collect().rows())
    return [sha for sha, records in held if records != found.get(sha, 0)]


def put_archive(base: Path) -> None:
    put_evenings(base)
    take_in(base / "archive", *(base / "files").iterdir())


def put_site(base: Path) -> None:
    put_club_evening(base)
    assert 0 == run("bulletin", base / "evening.pbn", "--no-pdf", "--no-dd", "--out", base / "site").status


def put_inbox(base: Path) -> None:
    put_evenings(base)
    (base / "club.toml").write_text("[inbox]\nsettle = 0.1\n", "utf-8")


JOBS = {
    "bulletin": Job(
        ("bulletin", "evening.pbn", "--out", "site", "--no-dd"), put_club_evening, ("site",), site_is_whole("site")
    ),
    "season": Job(
        ("season", "files", "--out", "season", "--no-pdf"), put_evenings, ("season",), site_is_whole("season")
    ),
    "convert": Job(
        ("convert", "evening.pbn", "evening.json"),
        put_club_evening,
        ("evening.json",),
        reads("evening.json", lambda path: json.loads(path.read_bytes())),
    ),
    "score": Job(
        ("score", "evening.pbn", "--out", "evening.parquet"),
        put_club_evening,
        ("evening.parquet",),
        reads("evening.parquet", pl.read_parquet),
    ),
    "ingest": Job(
        ("ingest", "files", "--archive", "archive", "--workers", "2"), put_evenings, ("archive",), archive_is_whole
    ),
    "compact": Job(("archive", "compact", "archive"), put_archive, ("archive",), archive_is_whole),
    "solve": Job(("archive", "solve", "archive", "--workers", "1"), put_archive, ("archive",), archive_is_whole),
    "watch": Job(
        ("watch", "files", "--out", "sites", "--once", "--config", "club.toml"),
        put_inbox,
        ("sites",),
        site_is_whole("sites"),
    ),
    "publish": Job(("publish", "site", "www"), put_site, ("www",)),
}


def outcome(job: Job, base: Path) -> Mapping[str, object]:
    """Return what a command has made, as far as it does not depend on the moment."""
    if "archive" in job.outputs:
        return rows(base)
    made = [path for name in job.outputs for path in sorted((base / name).rglob("*")) if path.is_file()]
    files = {str(path.relative_to(base)): path.read_bytes() for path in made}
    single = {name: (base / name).read_bytes() for name in job.outputs if (base / name).is_file()}
    return {**files, **single, "inputs": lying(base / "files") if (base / "files").exists() else []}
