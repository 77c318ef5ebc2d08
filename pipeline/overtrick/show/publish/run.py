"""One run: plan, send, record what was sent, delete. Readers see a whole site after an interruption at any point."""

import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from functools import partial
from math import inf
from pathlib import Path
from typing import Final

from overtrick.show.publish import manifest
from overtrick.show.publish.address import NeedsConsentError, PublishError
from overtrick.show.publish.bulletin import SiteFile, list_site, reading_order
from overtrick.show.publish.targets.base import Target, split_part

MOST_DELETED: Final = 10
"""The most files that a run deletes without consent; a larger number suggests the wrong folder."""

_RECORD_EVERY: Final = 20
"""Files between two records in the journal: an interruption costs at most this many files, which are sent again."""

_SHORTEST_WAIT: Final = 0.2
"""Seconds between a run's journal and its first file, at least."""

OnStep = Callable[[int, int, str], None]
"""Called before each step of a run with its number from 0, the number of steps, and the file."""


def _ignore(_step: int, _steps: int, _path: str) -> None:
    """Do nothing at a step."""


@dataclass(frozen=True)
class Plan:
    """The files that a run sends and deletes, each in its order.

    Attributes:
        add: files that are not on the target yet. No page links to them before a changed page does.
        change: files to replace.
        delete: files that overtrick published and that the site no longer has.
        keep: files that are already right.
        foreign: the files of `change` that somebody else put there.
    """

    add: list[str]
    change: list[str]
    delete: list[str]
    keep: list[str]
    foreign: list[str]

    @property
    def send(self) -> list[str]:
        """All files to send, in order: new ones first, so that no page links to a missing one."""
        return self.add + self.change

    @property
    def steps(self) -> int:
        """The number of files to send and delete."""
        return len(self.send) + len(self.delete)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to do."""
        return not (self.add or self.change or self.delete)


@dataclass(frozen=True)
class _Found:
    """The state of the target at the start of a run.

    Attributes:
        ours: the files that overtrick published, as far as known.
        contents: what those may hold that an interrupted run was about to send.
        journal: the journal of a run that was interrupted or is under way.
        complete: the manifest of the last complete run.
        there: the sizes in bytes of all files in the folders concerned; None if the server doesn't report a size.
    """

    ours: manifest.Files
    contents: manifest.Contents
    journal: bytes | None
    complete: bytes | None
    there: dict[str, int | None]


def plan(folder: Path, target: Target) -> Plan:
    """Return what `publish` would do, and change nothing."""
    site = list_site(folder)
    return _make_plan(site, target, _look(site, target))


def publish(folder: Path, target: Target, *, consent: bool = False, on_step: OnStep = _ignore) -> Plan:
    """Make a target hold the files of a folder.

    Readers never see part of a page, miss a page that stays, or follow a link to a page that is not there yet: every
    file is replaced in one step, new files come first, then the pages that link to them, deletions last.

    Args:
        folder: the site.
        target: where it goes.
        consent: allow more than `MOST_DELETED` deletions, and overwriting files that others put there.
        on_step: called before each step.

    Returns:
        The plan that was carried out.

    Raises:
        NeedsConsentError: the run would delete or overwrite too much; nothing has changed.
        PublishError: another run is publishing there, or the target refuses a step or can't be reached. Readers have a
            whole site, and the next run resumes where this one stopped.
    """
    site = list_site(folder)
    return _carry_out(site, target, _look(site, target), on_step, None if consent else MOST_DELETED)


def publish_index(folder: Path, target: Target, sessions: Collection[str]) -> Plan:
    """Make a target hold the index of a season, and the pages of its people, but not its sessions.

    Sessions are published by themselves, each to its folder below the target; this leaves them alone. Any number of
    pages of people may be deleted: somebody who opts out had many.

    Args:
        folder: the season.
        target: where it goes.
        sessions: the folders of its sessions.

    Raises:
        NeedsConsentError, PublishError: as `publish` raises them.
    """
    site = list_site(folder, sessions)
    looked = _look(site, target)
    outside = {path: known for path, known in looked.ours.items() if path.partition("/")[0] not in sessions}
    return _carry_out(site, target, replace(looked, ours=outside), _ignore, inf)


def _carry_out(
    site: Mapping[str, SiteFile], target: Target, found: _Found, on_step: OnStep, most: float | None
) -> Plan:
    """Send and delete what the plan says, and record it; delete at most so many files, with None as many as it says."""
    _check_others(found.journal)
    todo = _make_plan(site, target, found)
    if most is not None:
        _check_consent(todo, most)
    wanted: manifest.Files = {path: file.sha256 for path, file in site.items()}
    if todo.is_empty and found.journal is None and found.ours == wanted:
        return todo
    _send(site, target, todo, found, on_step)
    target.write(manifest.MANIFEST, manifest.write_files(wanted))
    for number, path in enumerate(todo.delete, len(todo.send)):
        on_step(number, todo.steps, path)
        target.delete(path)
    target.delete(manifest.JOURNAL)
    return todo


def _look(site: Mapping[str, SiteFile], target: Target) -> _Found:
    journal, complete = target.read(manifest.JOURNAL), target.read(manifest.MANIFEST)
    ours: manifest.Files = {}
    if journal is not None:
        ours = manifest.read_files(journal, manifest.JOURNAL)
    elif complete is not None:
        ours = manifest.read_files(complete, manifest.MANIFEST)
    contents = manifest.read_contents(journal) if journal is not None else {}
    return _Found(ours, contents, journal, complete, target.listing(site.keys() | ours.keys() | {manifest.MANIFEST}))


def _check_others(journal: bytes | None) -> None:
    run = manifest.read_run(journal) if journal is not None else None
    if run is not None and run.is_under_way():
        raise PublishError(
            f"another run is publishing there ({run}); publish again when it has ended. An interrupted run stops "
            f"counting after {manifest.GIVEN_UP / 60:.0f} minutes"
        )


def _make_plan(site: Mapping[str, SiteFile], target: Target, found: _Found) -> Plan:
    """Compare the folder with the target, and read the files that the run would take from somebody else."""
    todo = _compare(site, found.ours, found.there)

    def holds(path: str, sha256: str) -> bool:
        content = target.read(path)
        return content is None or manifest.digest(content) == sha256

    def is_ours(path: str) -> bool:
        known = found.ours[path]
        content = target.read(path)
        return content is None or manifest.digest(content) in ([known] if known else found.contents.get(path, []))

    same = {path for path in todo.foreign if holds(path, site[path].sha256)}
    # A page of ours that somebody has rewritten since is theirs.
    theirs = {path for path in todo.delete if not is_ours(path)}
    return replace(
        todo,
        change=_without(todo.change, same),
        keep=[*todo.keep, *sorted(same)],
        foreign=_without(todo.foreign, same),
        delete=_without(todo.delete, theirs),
    )


def _without(paths: list[str], others: set[str]) -> list[str]:
    return [path for path in paths if path not in others]


def _compare(site: Mapping[str, SiteFile], ours: manifest.Files, there: Mapping[str, int | None]) -> Plan:
    """Return the plan that follows from names, sizes and the hashes that overtrick recorded."""
    same = {path for path, file in site.items() if ours.get(path) == file.sha256}
    keep = {path for path in same & there.keys() if there[path] in {None, site[path].size}}
    add = site.keys() - there.keys()
    change = site.keys() - add - keep
    return Plan(
        add=_in_order(add),
        change=_in_order(change),
        # In reverse: pages that link to a page go before the page.
        delete=_in_order((ours.keys() - site.keys()) & there.keys())[::-1],
        keep=_in_order(keep),
        foreign=_in_order(change - ours.keys()),
    )


def _in_order(paths: Collection[str]) -> list[str]:
    return sorted(paths, key=reading_order)


def _check_consent(todo: Plan, most: float) -> None:
    if len(todo.delete) > most:
        raise NeedsConsentError(
            f"this would delete {len(todo.delete)} files, among them {todo.delete[-1]}; to delete more than "
            f"{most} files, run `overtrick publish` with --yes, or with --dry-run to list them"
        )
    if todo.foreign:
        others = f" and {len(todo.foreign) - 1} more" if len(todo.foreign) > 1 else ""
        raise NeedsConsentError(
            f"{todo.foreign[0]}{others} on the target did not come from overtrick; to overwrite such files, run "
            "`overtrick publish` with --yes, or with --dry-run to list them"
        )


def _delete_parts(target: Target, there: Mapping[str, int | None], names: set[str]) -> None:
    """Delete the half-written files of interrupted runs."""
    for path in there:
        if split_part(path) in names:
            target.delete(path)


def _send(site: Mapping[str, SiteFile], target: Target, todo: Plan, found: _Found, on_step: OnStep) -> None:
    """Send new and changed files, and keep the journal."""
    files: manifest.Files = {**found.ours, **{path: site[path].sha256 for path in todo.keep}}
    files |= dict.fromkeys(todo.send)
    contents = _list_contents(site, todo, found)
    names = site.keys() | found.ours.keys() | {manifest.MANIFEST}
    journal = _begin(partial(_record, files, contents, target), target, found, names)
    _delete_parts(target, found.there, {manifest.JOURNAL})
    for number, path in enumerate(todo.send):
        if number and number % _RECORD_EVERY == 0:
            _check_alone(target, journal)
            journal = _record(files, contents, target)
        on_step(number, todo.steps, path)
        target.write(path, site[path].read())
        files[path] = site[path].sha256
    _check_alone(target, journal)
    _record(files, contents, target)


def _list_contents(site: Mapping[str, SiteFile], todo: Plan, found: _Found) -> manifest.Contents:
    """Return what files may hold after an interruption: what this run sends, or what was there before."""
    contents = {path: set(digests) for path, digests in found.contents.items()}
    for path in todo.send:
        digests = contents.setdefault(path, set())
        digests |= {known for known in (site[path].sha256, found.ours.get(path)) if known}
    return contents


def _begin(record: Callable[[], bytes], target: Target, found: _Found, names: set[str]) -> bytes:
    """Write the first journal if the target is as planned. Of runs that begin together, the last to write wins.

    Each then waits for longer than the others need between their look at the target and their journal (Fischer's mutual
    exclusion): servers have no common way to create a file only if it does not exist.
    """
    began = time.monotonic()
    _check_alone(target, found.journal)
    if target.read(manifest.MANIFEST) != found.complete:
        raise PublishError("another run published there in the meantime; publish again")
    # Before the journal: these files may be what fills the disk.
    _delete_parts(target, found.there, names)
    journal = record()
    time.sleep(max(_SHORTEST_WAIT, 3 * (time.monotonic() - began)))
    _check_alone(target, journal)
    return journal


def _record(files: manifest.Files, contents: manifest.Contents, target: Target) -> bytes:
    """Write the journal and return it."""
    journal = manifest.write_files(files, manifest.Run(), contents)
    target.write(manifest.JOURNAL, journal)
    return journal


def _check_alone(target: Target, journal: bytes | None) -> None:
    """Stop if the journal is not the one that this run last saw."""
    now = target.read(manifest.JOURNAL)
    if now is None and journal is not None:
        raise PublishError("somebody cleared the target, or another run ended there in the meantime; publish again")
    if now != journal:
        raise PublishError("another run has begun to publish there; publish again when it has ended")
