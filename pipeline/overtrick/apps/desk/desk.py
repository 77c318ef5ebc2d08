"""The state that all pages of the desk share: folder, settings, the evenings that were read, who may write."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from overtrick.apps.evening.edit import Edited, Evening, read_bytes, read_evening
from overtrick.apps.evening.live import Follower
from overtrick.apps.evening.published import Publication, digest_inputs, read_publication
from overtrick.apps.evening.shelf import Shelved
from overtrick.apps.evening.terminals.document import find_documents
from overtrick.apps.inbox.worker import Run, run_here
from overtrick.core.config import Config, ConfigError, load_config
from overtrick.core.config.file import SETTINGS_FILE
from overtrick.core.problems import has_errors
from overtrick.files.assemble import beside
from overtrick.judge.validate.movement_given import count_results
from overtrick.pipeline import read

if TYPE_CHECKING:
    from overtrick.core.frames import Session

_Key = TypeVar("_Key", bound=Hashable)
_Value = TypeVar("_Value")

_KEPT: Final = 24
"""How many evenings stay in memory."""

LEASE: Final = 15.0
"""Seconds after its last sign of life for which a window keeps the right to write."""


@dataclass
class Job:
    """Work that goes on while pages show how far it is; the analysis follows when the results are published."""

    step: int = 0
    steps: int = 0
    path: str = ""
    error: str = ""
    needs_consent: bool = False
    done: Publication | None = None
    is_analysing: bool = False
    told: tuple[str, ...] = ()
    is_over: bool = False

    def count(self, step: int, steps: int) -> None:
        """Note how much of the analysis is done."""
        self.show(step, steps, "")

    def show(self, step: int, steps: int, path: str) -> None:
        """Note how far it is."""
        self.step, self.steps, self.path = step, steps, path


@dataclass(frozen=True)
class Settings:
    """The club's settings as the file has them.

    Attributes:
        config: the settings; the defaults if the file has errors.
        content: the bytes of the file; empty without one.
        error: the mistakes in the file; empty if it has none.
    """

    config: Config
    content: bytes
    error: str = ""

    @property
    def digest(self) -> str:
        """The SHA-256 of the file, in hexadecimal."""
        return sha256(self.content).hexdigest()


@dataclass
class Desk:
    """The folder that the desk works on, and what it remembers between two requests: nothing that could be lost.

    Attributes:
        folder: the evenings.
        settings_path: the club's settings.
        log: takes one line for people at the terminal.
        clock: returns the time in seconds.
        lock: held while a file is read, changed and written.
        run: reads each file that arrives; in a process of its own, so that no file can end the desk.
        jobs: the work that publishes or delivers, by evening.
        followed: the running games that are followed, by evening.
        publish_every: minutes between two publications of a running game.
        published_at: when it was last published.
        made: by evening, what its pages were made from, and whether the PDFs are among them.
        told: a message for the next page.
        change: the last change that was saved, and its evening.
        previewed: the change that a cell showed last, and the form and files that it was worked out from.
        last_visit: when a window last gave a sign of life.
    """

    folder: Path
    settings_path: Path
    log: Callable[[str], None]
    clock: Callable[[], float] = time.monotonic
    lock: threading.RLock = field(default_factory=threading.RLock)
    run: Run = run_here
    jobs: dict[str, Job] = field(default_factory=dict)
    followed: dict[str, Follower] = field(default_factory=dict)
    publish_every: dict[str, int] = field(default_factory=dict)
    published_at: dict[str, float] = field(default_factory=dict)
    made: dict[str, tuple[str, bool]] = field(default_factory=dict)
    told: str = ""
    change: tuple[str, Edited] | None = None
    previewed: tuple[Hashable, Edited] | None = None
    last_visit: float = 0.0
    _settings: Settings | None = None
    _gathered: "OrderedDict[Hashable, tuple[list[str], Session]]" = field(default_factory=OrderedDict)
    _evenings: "OrderedDict[str, tuple[Hashable, Evening]]" = field(default_factory=OrderedDict)
    _writer: str = ""
    _heard: float = float("-inf")

    @staticmethod
    def open(folder: Path, settings: Path | None, log: Callable[[str], None]) -> "Desk":
        """Return the desk of a folder; without settings, saving some puts them into the folder."""
        return Desk(folder, settings or folder / SETTINGS_FILE, log, last_visit=time.monotonic())

    @cached_property
    def name(self) -> str:
        """What tells the desk of this folder from others: digits of a hash of its path."""
        return sha256(str(self.folder.resolve()).encode("utf-8", "surrogateescape")).hexdigest()[:16]

    def settings(self) -> Settings:
        """Read the club's settings, if the file changed."""
        content = read_bytes(self.settings_path)
        if self._settings is None or self._settings.content != content:
            try:
                config = load_config(self.settings_path if content else None)
                self._settings = Settings(config, content)
            except ConfigError as error:
                self._settings = Settings(Config(), content, str(error))
        return self._settings

    def evening(self, shelved: Shelved) -> Evening:
        """Read an evening, or return it as it was read if none of its files changed since.

        Raises:
            FileError: its corrections can't be read.
        """
        with self.lock:
            settings = self.settings()
            content = read_bytes(shelved.corrections)
            files = tuple(_state(path) for path in shelved.all_paths)
            key = (files, content, settings.digest)
            known = self._evenings.get(shelved.name)
            if known is None or known[0] != key:
                read = self._read(shelved, settings.config, content, files)
                known = self.remember(shelved, key, read)
            self._evenings.move_to_end(shelved.name)
            return known[1]

    def _read(self, shelved: Shelved, config: Config, content: bytes, files: Hashable) -> Evening:
        again = (files, config.scoring.sessions)
        paths, gathered = self._gathered.get(again) or _gather(shelved, config)
        _keep(self._gathered, again, (paths, gathered))
        found = beside.find_for_evening(shelved.place, paths)
        return read_evening(paths, config, found, target=shelved.corrections, content=content, gathered=gathered)

    def remember(self, shelved: Shelved, key: Hashable, evening: Evening) -> tuple[Hashable, Evening]:
        """Keep an evening in memory."""
        _keep(self._evenings, shelved.name, (key, evening))
        return key, evening

    def save(self, shelved: Shelved, evening: Evening, edited: Edited) -> Evening:
        """Write a change of the corrections file, and remember the evening as it is then."""
        evening.write(edited.text)
        after = evening.written(edited)
        key = (tuple(_state(path) for path in shelved.all_paths), after.content, self.settings().digest)
        self.remember(shelved, key, after)
        self.change = (shelved.name, edited)
        return after

    def is_read(self, shelved: Shelved) -> bool:
        """Return whether an evening is in memory, perhaps in an earlier state."""
        return shelved.name in self._evenings

    def state(self, shelved: Shelved, evening: Evening) -> str:
        """Return the state of an evening: `problems`, `missing` for results, `ready`, `published` or `changed`."""
        publication = read_publication(self.folder, shelved)
        if publication is not None:
            now = digest_inputs(shelved, evening, self.settings().content)
            return "published" if publication.inputs == now else "changed"
        if has_errors(evening.session.problems):
            return "problems"
        return "missing" if count_results(evening.session)[1] else "ready"

    def may_rename(self, shelved: Shelved) -> bool:
        """Return whether an evening is only a folder or files here: not published, followed, or in an inbox."""
        known = read_publication(self.folder, shelved) is not None or any(find_documents(self.folder, shelved))
        return shelved.place.parent == self.folder and shelved.name not in self.followed and not known

    @property
    def is_busy(self) -> bool:
        """Whether something goes on without any window: publishing, or a running game that is followed."""
        ended = [*(job.is_over for job in self.jobs.values()), *(one.is_over for one in self.followed.values())]
        return not all(ended)

    def hear(self, window: str, *, take: bool = False) -> bool:
        """Note a sign of life of a window, and return whether it is the one that may write."""
        now = self.clock()
        self.last_visit = time.monotonic()
        if window and (take or not self._writer or now - self._heard > LEASE):
            self._writer = window
        if window == self._writer:
            self._heard = now
        return window == self._writer

    def leave(self, window: str) -> None:
        """Note that a window was closed or shows another page."""
        if window == self._writer:
            self._heard = self.clock() - LEASE + 2

    def may_write(self, window: str) -> bool:
        """Return whether a form from a window may change files; one without JavaScript if no other window is open."""
        is_free = not self._writer or self.clock() - self._heard > LEASE
        return window == self._writer or is_free


def _gather(shelved: Shelved, config: Config) -> "tuple[list[str], Session]":
    """Read the files of an evening, and return which of them were read."""
    gathered = read(shelved.paths, config)
    if gathered.results.is_empty() and shelved.paths != shelved.all_paths:
        return shelved.all_paths, read(shelved.all_paths, config)
    return shelved.paths, gathered


def _state(path: str) -> tuple[str, int, int, int]:
    try:
        found = Path(path).stat()
    except OSError:
        return path, 0, 0, 0
    return path, found.st_size, found.st_mtime_ns, found.st_ino


def _keep(cache: "OrderedDict[_Key, _Value]", key: _Key, value: _Value) -> None:
    cache[key] = value
    cache.move_to_end(key)
    while len(cache) > _KEPT:
        cache.popitem(last=False)
