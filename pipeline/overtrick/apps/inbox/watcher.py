"""The work of an inbox, round by round: look for complete files, take them, make the bulletin, publish it."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from watchfiles import watch as events

from overtrick.apps.inbox import arriving, folders, worker
from overtrick.core.atomic_write import RECORD
from overtrick.core.config import Config
from overtrick.files.assemble.beside import find_among, is_corrections
from overtrick.files.formats.looks import is_zip_file
from overtrick.show.history.changes import is_due
from overtrick.show.history.publications import find_end
from overtrick.show.html.season_page import FOLDERS
from overtrick.show.publish.address import PublishError
from overtrick.show.publish.run import publish, publish_index
from overtrick.show.publish.season_site import list_sites
from overtrick.show.publish.targets import TargetBelow
from overtrick.show.publish.targets.base import Target
from overtrick.show.text.display import format_count, make_printable

_RETRY: Final = 60.0
"""Seconds before overtrick tries again to write or publish a session."""

_EDITED: Final = 0.1
"""Seconds for which corrections of a finished session have to stay unchanged: most programs save them in one step."""

_GROWING: Final = 3600.0
"""Seconds after which a file that is never complete is reported."""

_REMEMBERED: Final = 10_000
"""The most messages that are remembered, to print each once."""


class GivenUpError(Exception):
    """A piece of work was tried often enough; the message tells the user why."""


@dataclass
class Outcome:
    """The outcome of a round.

    Attributes:
        made: the first page of each bulletin.
        faulty: whether a file was rejected, or a bulletin holds errors.
        unwritten: whether writing a bulletin failed, or a file could not be read or moved.
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
        report: takes problems, for the person who looks after the inbox.
        target: where bulletins are published; None for nowhere.
        run: does the work on files.
        clock: returns the time in seconds.
        tell: takes what was done; None to report it, too.
    """

    inbox: folders.Inbox
    out: Path
    config: Config
    report: Callable[[str], None]
    target: Target | None = None
    run: worker.Run = worker.run_here
    clock: Callable[[], float] = time.monotonic
    tell: Callable[[str], None] | None = None
    _looks: dict[Path, tuple[folders.State | None, folders.Look]] = field(default_factory=dict)
    _retry_at: dict[str, float] = field(default_factory=dict)
    _reported: set[str] = field(default_factory=set)
    _ends: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Prepare to watch files change."""
        self.arrivals = folders.Arrivals(self.config.inbox.settle, self.clock)
        self.edits = folders.Edits(min(_EDITED, self.config.inbox.settle), self.clock)

    def run_round(self, *, patient: bool = True) -> Outcome:
        """Do everything that can be done now.

        Args:
            patient: make results wait for their deals, as long as the settings say.
        """
        outcome = Outcome()
        self._resume(outcome)
        arrived = self.inbox.list_arrived()
        complete = self.arrivals.list_complete(arrived)
        self._report_growing()
        moved = self._take_folders(arrived, complete, outcome)
        here = [path for path in complete if path.parent == self.inbox.folder]
        unpacked = [path for path in here if self._unpack(path, outcome)]
        if moved or unpacked:
            complete = self.arrivals.list_complete(self.inbox.list_arrived())
        complete = [path for path in complete if path.parent == self.inbox.folder]
        corrections = list(filter(is_corrections, complete))
        looks = self._look_at([path for path in complete if path not in corrections], outcome)
        for name, group in folders.group_sessions(looks):
            beside = [path for path in corrections if folders.session_name(path) == name]
            with self._going_on(_names(group), outcome):
                self._consider(name, group, beside, outcome, patient=patient)
        self._consider_corrections([path for path in corrections if path.exists()], looks, outcome)
        self._make_corrected(outcome)
        if not outcome.made:
            self.complete_next(outcome)
        return outcome

    def _take_folders(self, arrived: Sequence[Path], complete: Sequence[Path], outcome: Outcome) -> bool:
        """Move the files of folders up in which all are complete; return whether there were any."""
        inside: dict[str, list[Path]] = {}
        for path in arrived:
            if path.parent != self.inbox.folder:
                inside.setdefault(path.relative_to(self.inbox.folder).parts[0], []).append(path)
        moved = False
        for name, files in inside.items():
            if set(files) <= set(complete):
                moved |= self._take_folder(make_printable(name), files, outcome)
        return moved

    def _take_folder(self, name: str, files: Sequence[Path], outcome: Outcome) -> bool:
        with self._going_on(name, outcome):
            try:
                arriving.move_up(files, self.inbox.folder)
            except arriving.ArrivalError as error:
                self._report_once(f"{name}: {error}; overtrick leaves the folder")
                return False
            self._tell(f"{name}: {format_count(len(files), 'file', 'files')} taken from the folder")
            return True
        return False

    def _unpack(self, path: Path, outcome: Outcome) -> bool:
        """Unpack a file if it is a zip, and return whether it is one."""
        with self._going_on(make_printable(path.name), outcome), suppress(FileNotFoundError):
            if not is_zip_file(path):
                return False
            try:
                self._tell(f"{path.name}: unpacked, {len(self.inbox.unpack(path))} files")
            except arriving.ArrivalError as error:
                self._report_rejected(self.inbox.reject(path, str(error)), outcome)
            return True
        return False

    def complete_next(self, outcome: Outcome) -> bool:
        """Complete the pages of a finished session with their analysis; return whether there was one to complete.

        A round does it only when nothing else is to be done, so that new results never wait for the solver.
        """
        for session in self.inbox.list_incomplete():
            if self._is_due(session) and self.inbox.is_free(session):
                with self._going_on(session, outcome):
                    self._complete(session, outcome)
                return True
        return False

    def _complete(self, session: str, outcome: Outcome) -> None:
        try:
            bulletin = self._write(f"analyse-{session}", worker.complete_bulletin, session, outcome)
        except (worker.FaultError, GivenUpError) as error:
            self.inbox.mark_complete(session, complete=True)
            outcome.faulty = True
            self.report(f"{session}: not analysed: {make_printable(str(error).partition(chr(10))[0])}")
            return
        if bulletin and self._send(session, outcome):
            self.inbox.mark_complete(session, complete=True)
            self._retry_at.pop(session, None)
            self._tell(f"{session}: analysed")

    def _write(self, name: str, work: Callable[..., worker.Made], session: str, outcome: Outcome) -> worker.Made | None:
        """Write the bulletin of a session and report messages about it; None if it can't be written now.

        Raises:
            FaultError, GivenUpError: as for `_work`.
        """
        inputs, corrections = find_among(self.inbox.list_inputs(session))
        try:
            bulletin: worker.Made = self._work(name, work, inputs, self.out, session, self.config, corrections)
        except worker.EXPECTED as error:
            outcome.unwritten = True
            self._postpone(session, str(error))
            return None
        for message in bulletin.messages:
            self._report_once(message)
        return bulletin

    def look_around(self) -> None:
        """Look at the files, those of an interrupted session too; a later round knows which have not changed since."""
        # The round reports what keeps them from being put back.
        with suppress(OSError):
            self.inbox.put_back()
        self.arrivals.list_complete(self.inbox.list_arrived())
        for session in self.inbox.list_done():
            self.edits.look_at(session, self.inbox.list_corrections(session))

    def _resume(self, outcome: Outcome) -> None:
        """Resume sessions that were taken and not finished."""
        with self._going_on("interrupted sessions", outcome):
            self.inbox.put_back()
        for session in self.inbox.list_taken():
            if self._is_due(session):
                with self._going_on(session, outcome):
                    self._make(session, outcome)
        for session in self.inbox.list_built():
            if self._is_due(session):
                with self._going_on(session, outcome):
                    self._publish(session, outcome)

    @contextmanager
    def _going_on(self, name: str, outcome: Outcome) -> Iterator[None]:
        """Report a file that can't be read or moved once, and continue after it. It stays where it is."""
        try:
            yield
        except OSError as error:
            outcome.unwritten = True
            reason = error.strerror or str(error)
            self._report_once(f"{name}: can't be read or moved now: {reason}; overtrick leaves it and tries again")

    def _report_growing(self) -> None:
        for path in self.arrivals.list_growing(_GROWING):
            name = make_printable(path.name)
            self._report_once(f"{name}: has been changing for an hour; overtrick waits until it is complete")

    def _is_due(self, session: str) -> bool:
        return self.clock() >= self._retry_at.get(session, float("-inf"))

    def _look_at(self, complete: list[Path], outcome: Outcome) -> list[folders.Look]:
        """Look into complete files, and reject those that belong to no session."""
        looks = []
        for path in complete:
            # A file that is gone is no news.
            with self._going_on(make_printable(path.name), outcome), suppress(FileNotFoundError):
                found = self._look(path)
                if found.reason:
                    self._report_rejected(self.inbox.reject(path, found.reason), outcome)
                else:
                    looks.append(found)
        return looks

    def _look(self, path: Path) -> folders.Look:
        """Read a file, unless it has not changed since the last time."""
        state = folders.state_of(path)
        if path not in self._looks or self._looks[path][0] != state:
            self._looks[path] = state, self._look_safely(path, state)
        return self._looks[path][1]

    def _look_safely(self, path: Path, state: folders.State | None) -> folders.Look:
        version = sha256(f"{path.name}\n{state}".encode("utf-8", "surrogateescape")).hexdigest()[:16]
        try:
            found: folders.Look = self._work(f"look-{version}", folders.look_into, path)
        except (worker.FaultError, GivenUpError) as error:
            return folders.Look(path, deals=False, results=False, date=None, reason=str(error))
        return found

    def _work(self, name: str, work: Callable[..., Any], *arguments: object) -> Any:  # noqa: ANN401 - as `work`
        """Do a piece of work, and try again if the process that does it is lost.

        Raises:
            GivenUpError: it was lost too often, in this run and in earlier ones.
            FaultError: because of a bug.
            Exception: one of `EXPECTED`.
        """
        attempts = self.inbox.attempts
        while not attempts.is_hopeless(name):
            counted = attempts.begin(name)
            try:
                done = self.run(work, arguments, counted)
            except worker.LostError as error:
                attempts.lose(name, str(error))
                continue
            except worker.FaultError as error:
                attempts.end(name)
                raise worker.FaultError(
                    f"overtrick failed on this file because of a bug; please report it: {error}\n"
                ) from error
            except BaseException:
                attempts.end(name)
                raise
            attempts.end(name)
            return done
        reasons = attempts.reasons(name)
        attempts.end(name)
        raise GivenUpError(_describe_loss(reasons))

    def _before(self, session: str) -> list[folders.Look]:
        return [self._look(path) for path in self.inbox.list_inputs(session) if not is_corrections(path)]

    def _reject_session(self, session: str, reason: str, outcome: Outcome) -> None:
        places = self.inbox.reject_session(session, reason)
        for place in places:
            self._report_rejected(place, outcome)
        if not places:
            # Only its corrections were new, and they stay beside the finished session.
            outcome.faulty = True
            self.report(f"{session}: not made again: {make_printable(reason.partition(chr(10))[0])}")

    def _report_rejected(self, place: Path, outcome: Outcome) -> None:
        outcome.faulty = True
        name = make_printable(place.name)
        self.report(f"{name}: rejected; {name}{folders.REASON} beside it says why")

    def _consider(
        self, name: str, group: list[folders.Look], corrections: list[Path], outcome: Outcome, *, patient: bool
    ) -> None:
        """Take a session with the corrections that arrived with it and make its bulletin, if it is ready."""
        session = self._session(name, group)
        if not self.inbox.is_free(session):
            return
        before = self._before(session)
        paths = [look.path for look in group]
        is_young = min(map(self.arrivals.age, paths)) < self.config.inbox.patience
        if not folders.has_results(group) and (not before or folders.is_whole(before)):
            self._report_once(f"{_names(group)}: deals without results; waiting for the results")
        elif patient and is_young and not folders.is_whole([*before, *group]):
            self._report_once(f"{_names(group)}: results without deals; waiting for the deals")
        elif self.inbox.take(session, [*paths, *corrections]):
            self._make(session, outcome)

    def _consider_corrections(self, corrections: list[Path], looks: list[folders.Look], outcome: Outcome) -> None:
        """Take corrections of finished sessions; others wait for the results of their session."""
        arriving = {folders.session_name(found.path) for found in looks}
        done = self.inbox.list_done()
        for path in corrections:
            session = folders.session_name(path)
            if session in done and self.inbox.is_free(session):
                with self._going_on(make_printable(path.name), outcome):
                    if self.inbox.take(session, [path]):
                        self._make(session, outcome)
            elif session not in done and session not in arriving:
                name = make_printable(path.name)
                self._report_once(f"{name}: corrections without results; waiting for the results of {session}")

    def _make_corrected(self, outcome: Outcome) -> None:
        """Make finished sessions again whose corrections were changed, added or removed, or that are final now."""
        for session in self.inbox.list_done():
            files = self.inbox.list_corrections(session)
            if not self.edits.look_at(session, files) or not self.inbox.is_free(session):
                continue
            with self._going_on(session, outcome):
                if _digest(files) != self.inbox.corrected_with(session) or self._is_final_now(session):
                    self.inbox.take_again(session)
                    self._make(session, outcome)

    def _is_final_now(self, session: str) -> bool:
        """Return whether a session was published as provisional, and its time has passed."""
        if self.config.site.objection is None:
            return False
        if session not in self._ends:
            self._ends[session] = find_end(self.out / session)
        return is_due(self._ends[session])

    def _session(self, name: str, group: list[folders.Look]) -> str:
        """Return the session's name, with its date if an earlier session of the same name had another date."""
        # The pages of people have these names.
        name = f"{name}-evening" if name in FOLDERS else name
        date = folders.date_of(group)
        earlier = folders.date_of(self._before(name))
        return f"{name}-{date.replace('.', '-')}" if date and earlier and date != earlier else name

    def _make(self, session: str, outcome: Outcome) -> None:
        """Make the bulletin of a taken session."""
        self.inbox.mark_corrected(session, _digest(filter(is_corrections, self.inbox.list_inputs(session))))
        try:
            bulletin = self._write(f"make-{session}", worker.make_bulletin, session, outcome)
        except (worker.FaultError, GivenUpError) as error:
            self._reject_session(session, str(error), outcome)
            return
        if bulletin is None:
            return
        end = find_end(self.out / session)
        self._ends[session] = "" if is_due(end) else end
        for line in bulletin.joined:
            self._tell(f"{session}: {make_printable(line)}")
        self.inbox.mark_complete(session, complete=bulletin.complete)
        self.inbox.mark_built(session)
        outcome.made.append(self.out / session / "index.html")
        outcome.faulty |= bulletin.faulty
        self._publish(session, outcome)

    def _publish(self, session: str, outcome: Outcome) -> None:
        """Publish a session whose bulletin is made, and the index, and move its files to done."""
        if self._send(session, outcome):
            self.inbox.finish(session)
            self._retry_at.pop(session, None)
            self._tell(f"{session}: done")

    def _send(self, session: str, outcome: Outcome) -> bool:
        """Send a session and the index to the target, if there is one; return whether that worked."""
        if self.target is None:
            return True
        try:
            publish(self.out / session, TargetBelow(self.target, session))
            if (self.out / RECORD).is_file():
                publish_index(self.out, self.target, list_sites(self.out))
        except PublishError as error:
            outcome.unpublished = True
            self._postpone(session, str(error))
            return False
        finally:
            # The next session may be a week away.
            self.target.close()
        return True

    def _postpone(self, session: str, reason: str) -> None:
        self._retry_at[session] = self.clock() + _RETRY
        self.report(f"{session}: {reason}")

    def _tell(self, message: str) -> None:
        (self.tell or self.report)(message)

    def _report_once(self, message: str) -> None:
        if message not in self._reported:
            if len(self._reported) == _REMEMBERED:
                self._reported.clear()
            self._reported.add(message)
            self.report(message)


def run_once(watcher: Watcher, wait: Callable[[float], None] = time.sleep) -> Outcome:
    """Do one round with the files that are in the inbox now, without those that are still being written."""
    watcher.look_around()
    wait(watcher.config.inbox.settle)
    outcome = watcher.run_round(patient=False)
    while watcher.complete_next(outcome):
        pass
    return outcome


def watch(watcher: Watcher) -> Iterator[Outcome]:
    """Do a round when something changes in the inbox, and at intervals: not every file system reports changes.

    Corrections that were just edited get a round of their own as soon as they are complete.
    """
    inbox = watcher.inbox
    yield watcher.run_round()
    pause = int(1000 * max(watcher.config.inbox.settle / 2, 0.1))
    for _ in events(
        inbox.folder,
        watch_filter=lambda _, path: Path(path).parent == inbox.folder or is_corrections(path),
        yield_on_timeout=True,
        rust_timeout=pause,
        raise_interrupt=True,
    ):
        yield watcher.run_round()
        if not watcher.edits.are_settled:
            time.sleep(watcher.edits.settle)
            yield watcher.run_round()


def _digest(files: Iterable[Path]) -> str:
    """Return a digest of corrections files; empty if there are none."""
    parts = []
    for path in sorted(files, key=lambda file: file.name):
        # The next round notices a file that vanishes now.
        with suppress(FileNotFoundError):
            parts.append(f"{path.name} {sha256(path.read_bytes()).hexdigest()}\n")
    return "".join(parts)


def _describe_loss(reasons: Sequence[str]) -> str:
    listed = "".join(f"- {reason}\n" for reason in reasons) or "- the machine stopped, or overtrick was killed\n"
    return (
        f"overtrick tried several times to read this file and had to give up:\n{listed}"
        "Save the file again in the program that wrote it, and put it into the inbox again. If that does not help, "
        "report this with the file.\n"
    )


def _names(group: list[folders.Look]) -> str:
    return make_printable(", ".join(found.path.name for found in group))
