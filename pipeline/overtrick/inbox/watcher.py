"""The work of an inbox, round by round: look for complete files, take them, make the bulletin, publish it."""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Final

from watchfiles import watch as events

from overtrick.assemble.beside import find_among, is_corrections
from overtrick.config import Config
from overtrick.frames import Session
from overtrick.inbox.folders import REASON, Inbox
from overtrick.inbox.season import add_to_season
from overtrick.inbox.sessions import Look, date_of, group_sessions, has_results, is_whole, look_into, session_name
from overtrick.pipeline import bulletin
from overtrick.problems import has_errors
from overtrick.publish import PublishError, TargetBelow, publish, publish_index
from overtrick.publish.targets.base import Target
from overtrick.render.atomic_write import OutputError
from overtrick.render.pages.people_site import FOLDERS
from overtrick.render.season_site import RECORD, list_sites
from overtrick.render.terminal import make_printable

_RETRY: Final = 60.0
"""Seconds before overtrick tries again to write or publish a session."""

_State = tuple[int, int]
"""Size and time of a file."""


@dataclass
class Arrivals:
    """The files of an inbox at the last look. A file is complete when it has not changed for a while.

    Attributes:
        settle: how many seconds a file has to stay unchanged.
        clock: returns the time in seconds.
    """

    settle: float
    clock: Callable[[], float] = time.monotonic
    _seen: dict[Path, tuple[_State, float]] = field(default_factory=dict)

    def list_complete(self, files: Iterable[Path]) -> list[Path]:
        """Look at the files, and return the complete ones."""
        now = self.clock()
        states = {path: state for path in files if (state := _state_of(path))}
        self._seen = {
            path: self._seen[path] if path in self._seen and self._seen[path][0] == state else (state, now)
            for path, state in states.items()
        }
        return [path for path, (_, since) in self._seen.items() if now - since >= self.settle]

    def age(self, path: Path) -> float:
        """Return for how many seconds a file has been unchanged."""
        return self.clock() - self._seen[path][1]


def _state_of(path: Path) -> _State | None:
    """Return size and time of a file; None if it is gone."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_size, found.st_mtime_ns


@dataclass
class Outcome:
    """What a round did.

    Attributes:
        made: the first page of each bulletin.
        faulty: whether a file was rejected, or a bulletin holds errors.
        unwritten: whether writing a bulletin failed.
        unpublished: whether publishing a session failed.
    """

    made: list[Path] = field(default_factory=list)
    faulty: bool = False
    unwritten: bool = False
    unpublished: bool = False


@dataclass
class Watcher:
    """The settings of the rounds, and what a round has to know about earlier ones.

    Attributes:
        inbox: the folders.
        out: where bulletins go, in a folder per session.
        config: the club's settings.
        report: takes messages for whoever looks after the inbox.
        target: where bulletins are published; None for nowhere.
        clock: returns the time in seconds.
    """

    inbox: Inbox
    out: Path
    config: Config
    report: Callable[[str], None]
    target: Target | None = None
    clock: Callable[[], float] = time.monotonic
    _looks: dict[Path, tuple[_State | None, Look]] = field(default_factory=dict)
    _retry_at: dict[str, float] = field(default_factory=dict)
    _reported: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        """Prepare to watch files change."""
        self.arrivals = Arrivals(self.config.inbox.settle, self.clock)
        self._edits = Arrivals(self.config.inbox.settle, self.clock)

    def run_round(self, *, patient: bool = True) -> Outcome:
        """Do everything that can be done now.

        Args:
            patient: make results wait for their deals, as long as the settings say.
        """
        outcome = Outcome()
        self._resume(outcome)
        complete = self.arrivals.list_complete(self.inbox.list_arrived())
        looks = self._look_at([path for path in complete if not is_corrections(path)], outcome)
        corrections = [path for path in complete if is_corrections(path)]
        for name, group in group_sessions(looks).items():
            own = [path for path in corrections if session_name(path) == name]
            self._consider(name, group, own, outcome, patient=patient)
        self._consider_corrections([path for path in corrections if path.exists()], looks, outcome)
        self._make_corrected(outcome)
        return outcome

    def look_around(self) -> None:
        """Look at the files, so that a later round knows which of them have not changed since."""
        self.arrivals.list_complete(self.inbox.list_arrived())
        self._list_edited()

    def _resume(self, outcome: Outcome) -> None:
        """Resume sessions that were taken and not finished."""
        self.inbox.put_back()
        for session in self.inbox.list_taken():
            if self._is_due(session):
                self._make(session, outcome)
        for session in self.inbox.list_built():
            if self._is_due(session):
                self._publish(session, outcome)

    def _is_due(self, session: str) -> bool:
        return self.clock() >= self._retry_at.get(session, float("-inf"))

    def _look_at(self, complete: list[Path], outcome: Outcome) -> list[Look]:
        """Look into complete files, and reject those that belong to no session."""
        looks = []
        for path in complete:
            found = self._look(path)
            if found.reason:
                self._reject(path, found.reason, outcome)
            else:
                looks.append(found)
        return looks

    def _look(self, path: Path) -> Look:
        """Read a file, unless it has not changed since the last time."""
        state = _state_of(path)
        if path not in self._looks or self._looks[path][0] != state:
            self._looks[path] = state, _look_safely(path)
        return self._looks[path][1]

    def _before(self, session: str) -> list[Look]:
        return [self._look(path) for path in self.inbox.list_inputs(session) if not is_corrections(path)]

    def _reject(self, path: Path, reason: str, outcome: Outcome) -> None:
        self._report_rejected(self.inbox.reject(path, reason), outcome)

    def _report_rejected(self, place: Path, outcome: Outcome) -> None:
        outcome.faulty = True
        self.report(f"{make_printable(place.name)}: rejected; {make_printable(place.name)}{REASON} beside it says why")

    def _consider(
        self, name: str, group: list[Look], corrections: list[Path], outcome: Outcome, *, patient: bool
    ) -> None:
        """Take a session with the corrections that arrived with it and make its bulletin, if it is ready."""
        session = self._session(name, group)
        if not self.inbox.is_free(session):
            return
        before = self._before(session)
        if not has_results(group) and (not before or is_whole(before)):
            self._report_once(f"{_names(group)}: deals without results; waiting for the results")
            return
        youngest = min(self.arrivals.age(found.path) for found in group)
        if patient and not is_whole([*before, *group]) and youngest < self.config.inbox.patience:
            self._report_once(f"{_names(group)}: results without deals; waiting for the deals")
            return
        if self.inbox.take(session, [*(found.path for found in group), *corrections]):
            self._make(session, outcome)

    def _consider_corrections(self, corrections: list[Path], looks: list[Look], outcome: Outcome) -> None:
        """Take corrections of finished sessions; others wait for the results of their session."""
        arriving = {session_name(found.path) for found in looks}
        done = self.inbox.list_done()
        for path in corrections:
            session = session_name(path)
            if session in done and self.inbox.is_free(session) and self.inbox.take(session, [path]):
                self._make(session, outcome)
            elif session not in done and session not in arriving:
                name = make_printable(path.name)
                self._report_once(f"{name}: corrections without results; waiting for the results of {session}")

    def _make_corrected(self, outcome: Outcome) -> None:
        """Make finished sessions again whose corrections were changed, added or removed."""
        edited = self._list_edited()
        for session in self.inbox.list_done():
            files = self.inbox.list_corrections(session)
            if not edited.issuperset(files) or not self.inbox.is_free(session):
                continue
            if _digest(files) != self.inbox.corrected_with(session):
                self.inbox.take_again(session)
                self._make(session, outcome)

    def _list_edited(self) -> set[Path]:
        """Return the corrections of finished sessions that have not changed for a while."""
        files = (path for session in self.inbox.list_done() for path in self.inbox.list_corrections(session))
        return set(self._edits.list_complete(files))

    def _session(self, name: str, group: list[Look]) -> str:
        """Return the session's name, with its date if an earlier session of the same name had another date."""
        # The pages of people have these names.
        name = f"{name}-evening" if name in FOLDERS else name
        date = date_of(group)
        earlier = date_of(self._before(name))
        return f"{name}-{date.replace('.', '-')}" if date and earlier and date != earlier else name

    def _make(self, session: str, outcome: Outcome) -> None:
        """Make the bulletin of a taken session."""
        files = self.inbox.list_inputs(session)
        self.inbox.mark_corrected(session, _digest(filter(is_corrections, files)))
        inputs, corrections = find_among(files)
        try:
            made = bulletin(inputs, self.out / session, self.config, corrections=corrections, folder=session)
            self._add_to_index(session, made)
        except (OutputError, OSError) as error:
            outcome.unwritten = True
            self._postpone(session, str(error))
            return
        except Exception as error:  # noqa: BLE001 - one unforeseen file must not stop the others
            for place in self.inbox.reject_session(session, _describe(error)):
                self._report_rejected(place, outcome)
            return
        self.inbox.mark_built(session)
        outcome.made.append(self.out / session / "index.html")
        outcome.faulty |= has_errors(made.problems)
        self._publish(session, outcome)

    def _add_to_index(self, session: str, made: Session) -> None:
        """Add a session to the index of all sessions, and to the pages of its people."""
        if made.is_blank:
            return
        try:
            add_to_season(self.out, session, made, self.config, self._report_once)
        except OutputError as error:
            # The bulletin is what people wait for.
            self._report_once(f"no index of sessions: {error}")

    def _publish(self, session: str, outcome: Outcome) -> None:
        """Publish a session whose bulletin is made, and the index, and move its files to done."""
        if self.target is not None:
            try:
                publish(self.out / session, TargetBelow(self.target, session))
                if (self.out / RECORD).is_file():
                    publish_index(self.out, self.target, list_sites(self.out))
            except PublishError as error:
                outcome.unpublished = True
                self._postpone(session, str(error))
                return
            finally:
                # The next session may be a week away.
                self.target.close()
        self.inbox.finish(session)
        self._retry_at.pop(session, None)
        self.report(f"{session}: done")

    def _postpone(self, session: str, reason: str) -> None:
        self._retry_at[session] = self.clock() + _RETRY
        self.report(f"{session}: {reason}")

    def _report_once(self, message: str) -> None:
        if message not in self._reported:
            self._reported.add(message)
            self.report(message)


def run_once(watcher: Watcher, wait: Callable[[float], None] = time.sleep) -> Outcome:
    """Do one round with the files that are in the inbox now, without those that are still being written."""
    watcher.look_around()
    wait(watcher.config.inbox.settle)
    return watcher.run_round(patient=False)


def watch(watcher: Watcher) -> Iterator[Outcome]:
    """Do a round when something changes in the inbox, and at intervals: not every file system reports changes."""
    yield watcher.run_round()
    pause = int(1000 * max(watcher.config.inbox.settle / 2, 0.1))
    for _ in events(
        watcher.inbox.folder, recursive=False, yield_on_timeout=True, rust_timeout=pause, raise_interrupt=True
    ):
        yield watcher.run_round()


def _digest(files: Iterable[Path]) -> str:
    """Return a digest of corrections files; empty if there are none."""
    parts = []
    for path in sorted(files, key=lambda file: file.name):
        # The next round notices a file that vanishes now.
        with suppress(FileNotFoundError):
            parts.append(f"{path.name} {sha256(path.read_bytes()).hexdigest()}\n")
    return "".join(parts)


def _look_safely(path: Path) -> Look:
    try:
        return look_into(path)
    except Exception as error:  # noqa: BLE001 - as in `_make`
        return Look(path, deals=False, results=False, date=None, reason=_describe(error))


def _describe(error: Exception) -> str:
    return f"overtrick failed on this file because of a bug; please report it: {type(error).__name__}: {error}\n"


def _names(group: list[Look]) -> str:
    return make_printable(", ".join(found.path.name for found in group))
