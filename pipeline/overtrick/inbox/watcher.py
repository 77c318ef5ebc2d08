"""The work of an inbox, round by round: look, take, make, publish, put away."""

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
from overtrick.inbox.arrivals import Arrivals, state_of
from overtrick.inbox.folders import REASON, Inbox
from overtrick.inbox.sessions import Look, date_of, grouped, has_results, is_whole, look, session_name
from overtrick.pipeline import bulletin
from overtrick.problems import has_errors
from overtrick.publish import PublishError, TargetBelow, publish
from overtrick.publish.targets.base import Target
from overtrick.render.files import OutputError
from overtrick.render.terminal import printable

_AGAIN: Final = 60.0
"""Seconds until a session that could not be written or published is tried again."""

Tell = Callable[[str], None]
"""Takes a message for whoever looks after the inbox."""


@dataclass
class Outcome:
    """What became of the files.

    Attributes:
        made: the first page of each bulletin made.
        faulty: whether a file was rejected, or a bulletin holds errors.
        unwritten: whether a bulletin could not be written.
        unpublished: whether a session could not be published.
    """

    made: list[Path] = field(default_factory=list)
    faulty: bool = False
    unwritten: bool = False
    unpublished: bool = False


@dataclass
class Watcher:
    """What a round needs, and what it remembers of the last ones.

    Attributes:
        inbox: the folders.
        out: where bulletins go, a folder each session.
        config: the club's settings.
        tell: where messages go.
        target: where bulletins are published; None for nowhere.
        clock: gives the seconds.
    """

    inbox: Inbox
    out: Path
    config: Config
    tell: Tell
    target: Target | None = None
    clock: Callable[[], float] = time.monotonic
    _looks: dict[Path, tuple[tuple[int, int] | None, Look]] = field(default_factory=dict)
    _later: dict[str, float] = field(default_factory=dict)
    _told: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        """Begin to watch files change."""
        self.arrivals = Arrivals(self.config.inbox.settle, self.clock)
        self._edits = Arrivals(self.config.inbox.settle, self.clock)

    def round(self, *, patient: bool = True) -> Outcome:
        """Do all that can be done now.

        Args:
            patient: whether results wait for their deals as long as the settings say.
        """
        outcome = Outcome()
        self._resume(outcome)
        complete = self.arrivals.complete(self.inbox.arrived())
        looks = self._readable([path for path in complete if not is_corrections(path)], outcome)
        corrections = [path for path in complete if is_corrections(path)]
        for name, group in grouped(looks).items():
            own = [path for path in corrections if session_name(path) == name]
            self._consider(name, group, own, outcome, patient=patient)
        self._consider_corrections([path for path in corrections if path.exists()], looks, outcome)
        self._make_corrected(outcome)
        return outcome

    def look_around(self) -> None:
        """See what is there, so that a later round knows what has not changed since."""
        self.arrivals.complete(self.inbox.arrived())
        self._edited()

    def _resume(self, outcome: Outcome) -> None:
        """Go on with what was taken and not finished."""
        self.inbox.put_back()
        for session in self.inbox.taken():
            if self._is_due(session):
                self._work(session, outcome)
        for session in self.inbox.built():
            if self._is_due(session):
                self._publish(session, outcome)

    def _is_due(self, session: str) -> bool:
        return self.clock() >= self._later.get(session, float("-inf"))

    def _readable(self, complete: list[Path], outcome: Outcome) -> list[Look]:
        """Look into the files that are complete; those that are of no session are put away."""
        looks = []
        for path in complete:
            found = self._look(path)
            if found.reason:
                self._reject(path, found.reason, outcome)
            else:
                looks.append(found)
        return looks

    def _look(self, path: Path) -> Look:
        """Read a file, once for each state that it is in."""
        state = state_of(path)
        if path not in self._looks or self._looks[path][0] != state:
            self._looks[path] = state, _looked(path)
        return self._looks[path][1]

    def _before(self, session: str) -> list[Look]:
        return [self._look(path) for path in self.inbox.inputs(session) if not is_corrections(path)]

    def _reject(self, path: Path, reason: str, outcome: Outcome) -> None:
        self._tell_rejected(self.inbox.reject(path, reason), outcome)

    def _tell_rejected(self, place: Path, outcome: Outcome) -> None:
        outcome.faulty = True
        self.tell(f"{printable(place.name)}: rejected; {printable(place.name)}{REASON} beside it says why")

    def _consider(
        self, name: str, group: list[Look], corrections: list[Path], outcome: Outcome, *, patient: bool
    ) -> None:
        """Take a session if it is ready, and the corrections that arrived with it."""
        session = self._session(name, group)
        if not self.inbox.is_free(session):
            return
        before = self._before(session)
        if not has_results(group) and (not before or is_whole(before)):
            self._tell_once(f"{_names(group)}: deals, kept until their results arrive")
            return
        youngest = min(self.arrivals.age(found.path) for found in group)
        if patient and not is_whole([*before, *group]) and youngest < self.config.inbox.patience:
            self._tell_once(f"{_names(group)}: results, waiting for their deals")
            return
        if self.inbox.take(session, [*(found.path for found in group), *corrections]):
            self._work(session, outcome)

    def _consider_corrections(self, corrections: list[Path], looks: list[Look], outcome: Outcome) -> None:
        """Take corrections of sessions that are finished; others wait for the results of their session."""
        arriving = {session_name(found.path) for found in looks}
        finished = self.inbox.finished()
        for path in corrections:
            session = session_name(path)
            if session not in finished and session not in arriving:
                self._tell_once(f"{printable(path.name)}: corrections, kept until the results of {session} arrive")
            elif session in finished and self.inbox.is_free(session) and self.inbox.take(session, [path]):
                self._work(session, outcome)

    def _make_corrected(self, outcome: Outcome) -> None:
        """Make finished sessions again whose corrections were changed, added or removed."""
        edited = self._edited()
        for session in self.inbox.finished():
            files = self.inbox.corrections(session)
            if not edited.issuperset(files) or not self.inbox.is_free(session):
                continue
            if _digest(files) != self.inbox.corrected_with(session):
                self.inbox.take_again(session)
                self._work(session, outcome)

    def _edited(self) -> set[Path]:
        """Return the corrections of finished sessions that have been the same for long enough."""
        return set(self._edits.complete(path for one in self.inbox.finished() for path in self.inbox.corrections(one)))

    def _session(self, name: str, group: list[Look]) -> str:
        """Name a session: that of an earlier one if it may be a correction, not when the dates differ."""
        date = date_of(group)
        earlier = date_of(self._before(name))
        return f"{name}-{date.replace('.', '-')}" if date and earlier and date != earlier else name

    def _work(self, session: str, outcome: Outcome) -> None:
        """Make the bulletin of a session that was taken."""
        files = self.inbox.inputs(session)
        self.inbox.note_corrected(session, _digest(filter(is_corrections, files)))
        inputs, corrections = find_among(files)
        try:
            made = bulletin(inputs, self.out / session, self.config, corrections=corrections)
        except (OutputError, OSError) as error:
            outcome.unwritten = True
            self._postpone(session, str(error))
            return
        except Exception as error:  # noqa: BLE001 - one file that nobody foresaw must not stop all others
            for place in self.inbox.reject_session(session, _fault(error)):
                self._tell_rejected(place, outcome)
            return
        self.inbox.note_built(session)
        outcome.made.append(self.out / session / "index.html")
        outcome.faulty |= has_errors(made.problems)
        self._publish(session, outcome)

    def _publish(self, session: str, outcome: Outcome) -> None:
        """Publish a session whose bulletin is made, and put its files away."""
        if self.target is not None:
            try:
                publish(self.out / session, TargetBelow(self.target, session))
            except PublishError as error:
                outcome.unpublished = True
                self._postpone(session, str(error))
                return
            finally:
                # The next one may be a week away.
                self.target.close()
        self.inbox.finish(session)
        self._later.pop(session, None)
        self.tell(f"{session}: done")

    def _postpone(self, session: str, reason: str) -> None:
        self._later[session] = self.clock() + _AGAIN
        self.tell(f"{session}: {reason}")

    def _tell_once(self, message: str) -> None:
        if message not in self._told:
            self._told.add(message)
            self.tell(message)


def once(watcher: Watcher, wait: Callable[[float], None] = time.sleep) -> Outcome:
    """Do what can be done with what is in the inbox now; files that are still being written are left alone."""
    watcher.look_around()
    wait(watcher.config.inbox.settle)
    return watcher.round(patient=False)


def watch(watcher: Watcher) -> Iterator[Outcome]:
    """Do a round whenever something changes in the inbox, and now and then in case nobody tells of changes."""
    yield watcher.round()
    pause = int(1000 * max(watcher.config.inbox.settle / 2, 0.1))
    for _ in events(
        watcher.inbox.folder, recursive=False, yield_on_timeout=True, rust_timeout=pause, raise_interrupt=True
    ):
        yield watcher.round()


def _digest(files: Iterable[Path]) -> str:
    """Return a digest of corrections files; empty if there are none."""
    parts = []
    for path in sorted(files, key=lambda file: file.name):
        # One that is gone meanwhile is missed in the next round.
        with suppress(FileNotFoundError):
            parts.append(f"{path.name} {sha256(path.read_bytes()).hexdigest()}\n")
    return "".join(parts)


def _looked(path: Path) -> Look:
    try:
        return look(path)
    except Exception as error:  # noqa: BLE001 - as in `_work`
        return Look(path, deals=False, results=False, date=None, reason=_fault(error))


def _fault(error: Exception) -> str:
    return f"overtrick failed on this file, and that is a fault of the program: {type(error).__name__}: {error}\n"


def _names(group: list[Look]) -> str:
    return printable(", ".join(found.path.name for found in group))
