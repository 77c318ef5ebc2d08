"""The queues of the data connector, asked for again and again into the document of an evening.

What comes is on the disk before it is accepted, and an item that comes twice replaces itself. So nothing is lost or
doubled if either side ends at any moment.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

from overtrick.apps.evening.terminals.connector import Answer, AwayError, ConnectorError
from overtrick.apps.evening.terminals.document import hidden_path, merge, read_call, save
from overtrick.core.atomic_write import hold

LONGEST_WAIT: Final = 60.0
"""Seconds between two tries at most, while the connector does not answer."""


@dataclass(frozen=True)
class Queue:
    """A queue of the connector.

    Attributes:
        name: its list in the document.
        new: the command that asks for what was not accepted yet.
        every: the command that asks for everything of the session.
        accept: the command that accepts.
    """

    name: str
    new: int
    every: int
    accept: int


QUEUES: Final = (
    Queue("PlayerData", 20, 24, 28),
    Queue("Participations", 21, 25, 29),
    Queue("Handrecords", 22, 26, 30),
    Queue("Results", 19, 23, 27),
    Queue("TdCalls", 36, 37, 38),
)
"""Players come before the seats that name them by number, and both before results."""


class Polled(Protocol):
    """What polling needs of a `Connector`."""

    def poll(self, command: int, session: str) -> Answer:
        """Return what is in a queue."""

    def accept(self, command: int, session: str, last: int) -> None:
        """Accept what came from a queue."""


@contextmanager
def only_poller(file: Path) -> Iterator[None]:
    """Keep other runs from polling the same evening.

    Raises:
        TimeoutError: another run polls it.
        OSError: the lock can't be made.
    """
    place = hidden_path(file)
    with hold(place.with_suffix(".lock"), 0.0):
        yield


def poll_once(connector: Polled, file: Path, document: Mapping[str, Any], *, every: bool = False) -> Iterator[str]:
    """Take what is in all queues, and yield a line for whatever people should hear of.

    Args:
        connector: the connector.
        file: the evening's file.
        document: what came so far; it grows.
        every: ask for everything of the evening, also what was accepted before.

    Raises:
        AwayError: the connector does not answer.
        ConnectorError: it refuses.
        OSError: a file can't be written.
    """
    session = str(document["Session"].get("Guid", ""))
    for queue in QUEUES:
        answer = connector.poll(queue.every if every else queue.new, session)
        if not answer.items:
            continue
        changed = merge(document, queue.name, answer.items)
        if changed:
            save(file, document)
            yield from _tell(queue.name, changed, document)
        if answer.last:
            connector.accept(queue.accept, session, answer.last)


def _tell(name: str, changed: list[Mapping[str, Any]], document: Mapping[str, Any]) -> Iterator[str]:
    if name == "Results":
        here = len([one for one in document["Results"] if not one.get("IsDeleted")])
        yield f"{here} results (new or changed: {len(changed)})"
    elif name == "TdCalls":
        for call in map(read_call, changed):
            place = f"table {call.section}{call.table}, round {call.round}"
            yield f"director call at {call.time}, {place}: {call.state}"
    elif name != "PlayerData":
        what = {"Participations": "seats", "Handrecords": "hands"}[name]
        yield f"{what}: {len(changed)} new or changed"


def keep_polling(  # noqa: PLR0913 - the parts of a loop, which tests replace
    connector: Polled,
    file: Path,
    document: Mapping[str, Any],
    say: Callable[[str], None],
    *,
    complain: Callable[[str], None] | None = None,
    pause: float,
    wait: Callable[[float], bool],
) -> None:
    """Poll until `wait` returns true, through failures of the connector and of the disk.

    Args:
        connector: the connector.
        file: the evening's file.
        document: what came so far; it grows.
        say: takes each line, and one when the connector is back.
        complain: takes a line when the connector is away; None for `say`.
        pause: seconds between two polls.
        wait: waits that many seconds, and returns whether to end.
    """
    every, away, delay = True, "", pause
    while True:
        try:
            for line in poll_once(connector, file, document, every=every):
                say(line)
        except (ConnectorError, OSError) as error:
            message = str(error) if isinstance(error, ConnectorError) else f"{file}: can't be written: {error.strerror}"
            if not away:
                (complain or say)(f"{message}; trying again")
            away, delay, every = message, min(2 * delay, LONGEST_WAIT), every or not isinstance(error, AwayError)
        else:
            if away:
                say("the data connector answers again")
            every, away, delay = False, "", pause
        if wait(delay):
            return
