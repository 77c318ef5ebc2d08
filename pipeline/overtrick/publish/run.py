"""A run: plan, send, note what stands there, delete. Cut anywhere, readers have a whole site and the next ends it."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from overtrick.publish.errors import NeedsConsentError, PublishError
from overtrick.publish.manifest import JOURNAL, MANIFEST, Files, digest, read_files, write_files
from overtrick.publish.plan import Plan, make_plan
from overtrick.publish.runs import GIVEN_UP, Run, read_run
from overtrick.publish.site import SiteFile, site_files
from overtrick.publish.targets.base import Target, parted

MOST_DELETED: Final = 10
"""As many pages go without a word of consent; more look like a wrong folder."""

_NOTED_EVERY: Final = 20
"""Files sent between two notes of what was sent: at most so many are sent again after a cut."""

_SHORTEST_WAIT: Final = 0.2
"""Seconds from the journal of a run that begins to its first file."""

Told = Callable[[int, int, str], None]
"""Called before each step of a run with its number from 0, the number of steps, and the file."""


def _silent(_step: int, _steps: int, _path: str) -> None:
    """Tell nobody."""


@dataclass(frozen=True)
class _Standing:
    """What was found at the target.

    Attributes:
        ours: what we put there, as far as known.
        journal: what a run that was cut, or is under way, left to say so.
        manifest: what the last complete run left.
        there: sizes of all files in the folders concerned.
    """

    ours: Files
    journal: bytes | None
    manifest: bytes | None
    there: dict[str, int | None]


def plan(folder: Path, target: Target) -> Plan:
    """Say what `publish` would do, and change nothing."""
    site = site_files(folder)
    return _plan(site, target, _standing(site, target))


def publish(folder: Path, target: Target, *, consent: bool = False, told: Told = _silent) -> Plan:
    """Bring a target to hold the files of a folder.

    Pages are never half there, a page that stays is never missing, and no page links to one that is not there yet:
    every file is replaced in one step, new ones first, pages that lead to others after those, deletions at the end.

    Args:
        folder: the site.
        target: where it goes.
        consent: whether more than `MOST_DELETED` files may be deleted, and files of others written over.
        told: is called before each step.

    Returns:
        What was done.

    Raises:
        NeedsConsentError: it would delete or write over too much; nothing was changed.
        PublishError: another run is publishing there, or the target refuses, or can't be reached any more. Readers have
            a whole site, and the next run goes on where this one stopped.
    """
    site = site_files(folder)
    standing = _standing(site, target)
    _leave_to_others(standing.journal)
    todo = _plan(site, target, standing)
    if not consent:
        _ask(todo)
    wanted: Files = {path: file.sha256 for path, file in site.items()}
    if todo.is_empty and standing.journal is None and standing.ours == wanted:
        return todo
    _send(site, target, todo, standing, told)
    target.write(MANIFEST, write_files(wanted))
    for number, path in enumerate(todo.delete):
        told(len(todo.send) + number, _steps(todo), path)
        target.delete(path)
    target.delete(JOURNAL)
    return todo


def _standing(site: Mapping[str, SiteFile], target: Target) -> _Standing:
    journal, manifest = target.read(JOURNAL), target.read(MANIFEST)
    ours: Files = {}
    if journal is not None:
        ours = read_files(journal, JOURNAL)
    elif manifest is not None:
        ours = read_files(manifest, MANIFEST)
    return _Standing(ours, journal, manifest, target.listing(site.keys() | ours.keys() | {MANIFEST}))


def _leave_to_others(journal: bytes | None) -> None:
    run = read_run(journal) if journal is not None else None
    if run is not None and run.is_under_way():
        raise PublishError(
            f"another run is publishing there ({run}): publish again when it has ended; one that was cut is given up "
            f"{GIVEN_UP / 60:.0f} minutes after that"
        )


def _plan(site: Mapping[str, SiteFile], target: Target, standing: _Standing) -> Plan:
    """Make the plan, and look into the files that it would take from somebody else."""
    todo = make_plan(site, standing.ours, standing.there)

    def holds(path: str, sha256: str) -> bool:
        content = target.read(path)
        return content is None or digest(content) == sha256

    same = {path for path in todo.foreign if holds(path, site[path].sha256)}
    # A page of ours that somebody wrote anew in the meantime is theirs.
    theirs = {path for path in todo.delete if (known := standing.ours[path]) and not holds(path, known)}
    return replace(
        todo,
        change=[path for path in todo.change if path not in same],
        keep=[*todo.keep, *sorted(same)],
        foreign=[path for path in todo.foreign if path not in same],
        delete=[path for path in todo.delete if path not in theirs],
    )


def _ask(todo: Plan) -> None:
    if len(todo.delete) > MOST_DELETED:
        raise NeedsConsentError(
            f"{len(todo.delete)} files would be deleted, {todo.delete[-1]} for one, and more than {MOST_DELETED} are "
            "not deleted without a word: `overtrick publish` with --yes does it, with --dry-run it lists them"
        )
    if todo.foreign:
        others = f" and {len(todo.foreign) - 1} others like it" if len(todo.foreign) > 1 else ""
        raise NeedsConsentError(
            f"{todo.foreign[0]} stands there and is not from overtrick; `overtrick publish` with --yes writes over "
            f"it{others}, with --dry-run it lists what it would do"
        )


def _clear_parts(target: Target, there: Mapping[str, int | None], names: set[str]) -> None:
    """Take away what cut runs left half-written."""
    for path in there:
        if parted(path) in names:
            target.delete(path)


def _send(site: Mapping[str, SiteFile], target: Target, todo: Plan, standing: _Standing, told: Told) -> None:
    """Send what is new and what has changed, and keep the journal."""
    files: Files = {**standing.ours, **{path: site[path].sha256 for path in todo.keep}}
    files |= dict.fromkeys(todo.send)
    journal = _begun(files, target, standing, site.keys() | standing.ours.keys() | {MANIFEST})
    _clear_parts(target, standing.there, {JOURNAL})
    for number, path in enumerate(todo.send):
        if number and number % _NOTED_EVERY == 0:
            _check_alone(target, journal)
            journal = _noted(files, target)
        told(number, _steps(todo), path)
        target.write(path, site[path].content())
        files[path] = site[path].sha256
    _check_alone(target, journal)
    _noted(files, target)


def _begun(files: Files, target: Target, standing: _Standing, names: set[str]) -> bytes:
    """Begin the journal, if all is as it was when the plan was made; of runs that begin together the last one has it.

    Each waits for longer than others take from their look to their journal (Fischer's mutual exclusion): servers have
    no way in common to make a file only if there is none.
    """
    began = time.monotonic()
    _check_alone(target, standing.journal)
    if target.read(MANIFEST) != standing.manifest:
        raise PublishError("another run published there meanwhile: publish again")
    # Before the journal: what a cut run left may be what fills the disk.
    _clear_parts(target, standing.there, names)
    journal = _noted(files, target)
    time.sleep(max(_SHORTEST_WAIT, 3 * (time.monotonic() - began)))
    _check_alone(target, journal)
    return journal


def _noted(files: Files, target: Target) -> bytes:
    """Write the journal, and give it."""
    journal = write_files(files, Run())
    target.write(JOURNAL, journal)
    return journal


def _check_alone(target: Target, journal: bytes | None) -> None:
    """Refuse to go on where the journal is not the one that was there last."""
    found = target.read(JOURNAL)
    if found is None and journal is not None:
        raise PublishError("the target was cleared, or another run ended there meanwhile: publish again")
    if found != journal:
        raise PublishError("another run began to publish there meanwhile: publish again when it has ended")


def _steps(todo: Plan) -> int:
    return len(todo.send) + len(todo.delete)
