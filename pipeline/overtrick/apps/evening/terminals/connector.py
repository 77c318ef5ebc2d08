"""Bridgemate's data connector: requests and answers, through the client that its maker publishes.

The client is the extra `bridgemate`; nothing else imports it. The connector is a program on the computer of
Bridgemate's control software. It answers a POST of one JSON object with one JSON object, and keeps what the terminals
send in queues, until the scoring program accepts it.
"""

import http.client
import json
import os
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol, cast

from overtrick.apps.evening.terminals.document import hidden_path, merge, read_call, save
from overtrick.core.atomic_write import hold
from overtrick.show.publish.address import keep_secret, make_safe
from overtrick.show.publish.targets.base import ask_keyring

if TYPE_CHECKING:
    from bridgemate_dataconnector import DataConnectorClient


ADDRESS: Final = "http://localhost:5079"
"""Where the connector listens on the computer of the control software, unless it was changed there."""

_HOST: Final = "bridgemate"
"""The host under which the keyring holds the club's id and licence key, as `club@bridgemate`."""
_VARIABLES: Final = {"club": "OVERTRICK_BRIDGEMATE_CLUB", "licence": "OVERTRICK_BRIDGEMATE_LICENCE"}
_PACKAGE: Final = "bridgemate_dataconnector"
_TIMEOUT: Final = 20.0
_LARGEST: Final = 32 * 1024 * 1024
_ERROR: Final = 4
_NO_CONNECTION: Final = (1, 9, 10, 11)
"""Busy, an empty answer, no connection, time out: another try may succeed."""
_INITIALIZE: Final = 5


class ConnectorError(Exception):
    """The connector refused; the message says why."""

    def __init__(self, message: str) -> None:
        """Take the message, and clean it: it may quote what a server said."""
        super().__init__(make_safe(message))


class AwayError(ConnectorError):
    """The connector does not answer; another try may succeed."""


@dataclass(frozen=True)
class Answer:
    """An answer of the connector.

    Attributes:
        items: the items of a queue; none if it was empty.
        last: the number of the last item in the queue, to accept what came up to it.
    """

    items: list[object]
    last: int


def is_installed() -> bool:
    """Return whether the client is installed."""
    return find_spec(_PACKAGE) is not None


def find_keys() -> tuple[str, str]:
    """Return the club's id and licence key, from the environment or the keyring; no message shows them.

    Raises:
        ConnectorError: one of them is nowhere.
    """
    found = {name: os.environ.get(variable) or ask_keyring(name, _HOST) for name, variable in _VARIABLES.items()}
    for name, value in found.items():
        if not value:
            what = "id of the club" if name == "club" else "licence key"
            raise ConnectorError(f"missing {what} for Bridgemate; store it with: keyring set overtrick {name}@{_HOST}")
        keep_secret(value)
    return found["club"] or "", found["licence"] or ""


class Connector:
    """A data connector at an address, for one club."""

    def __init__(self, address: str | None, club: str, licence: str) -> None:
        """Take the address, None for the connector of this computer, and the club's keys; nothing is sent yet.

        Raises:
            ConnectorError: the address is not one.
        """
        self._client = _make_client(address, club, licence)
        self.address: str = self._client.base_address

    def start(self, event: Mapping[str, Any]) -> None:
        """Start an event: the control software fills the terminals with its sections, tables and rounds.

        Args:
            event: an `InitDTO` of the connector, without what may be left out.

        Raises:
            AwayError: no answer.
            ConnectorError: the event is not valid, or the connector refuses it.
        """
        from bridgemate_dataconnector import validate_init_dto  # noqa: PLC0415 - an extra
        from bridgemate_dataconnector.dto import InitDTO  # noqa: PLC0415 - an extra

        whole = InitDTO.from_dict(dict(event))
        if not validate_init_dto(whole):
            raise ConnectorError(f"Bridgemate can't take this evening: {'; '.join(whole.validation_messages or [])}")
        self._send(_INITIALIZE, "", json.dumps(whole.to_dict()))

    def poll(self, command: int, session: str) -> Answer:
        """Return what is in a queue.

        Raises:
            AwayError: no answer, or none that can be read.
            ConnectorError: the connector refuses.
        """
        text, last = self._send(command, session, "")
        if not text.strip():
            return Answer([], last)
        try:
            items = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise AwayError(f"{self.address} sends what is not JSON") from error
        return Answer(items if isinstance(items, list) else [], last)

    def accept(self, command: int, session: str, last: int) -> None:
        """Accept what came from a queue, so that it is not sent again.

        Raises:
            AwayError: no answer.
            ConnectorError: the connector refuses.
        """
        self._send(command, session, json.dumps(last))

    def _send(self, command: int, session: str, data: str) -> tuple[str, int]:
        from bridgemate_dataconnector.dto import ScoringProgramDataConnectorCommands, ScoringProgramRequest  # noqa: PLC0415 - an extra

        request = ScoringProgramRequest()
        request.command = ScoringProgramDataConnectorCommands(command)
        request.session_guid, request.serialized_data = session, data
        try:
            answer = self._client.send_request(request)
            data_type, error_type, last = int(answer.data_type), int(answer.error_type), int(answer.last_queue_item_id)
            text = answer.serialized_data or ""
        except (TypeError, ValueError, RecursionError) as error:
            # The client takes it for granted that an answer has the right types.
            raise AwayError(f"{self.address} sends an answer that can't be read") from error
        if not isinstance(text, str):
            raise AwayError(f"{self.address} sends an answer that can't be read")
        if data_type == _ERROR or error_type:
            said = make_safe(text.strip().strip('"')) or answer.error_type.name
            if error_type in _NO_CONNECTION:
                raise AwayError(f"Bridgemate's data connector at {self.address} does not answer: {said}")
            raise ConnectorError(f"Bridgemate's data connector refuses: {said}")
        return text, last


class _Bounded:
    """HTTP with bounds on time and size, whatever fails; no proxy, because the connector is in the same house."""

    def __init__(self) -> None:
        self._opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))

    def get(self, url: str) -> str:
        return self._open(urllib.request.Request(url))  # noqa: S310 - checked by the client

    def post(self, url: str, json_body: str) -> str:
        kind = {"Content-Type": "application/json; charset=utf-8"}
        return self._open(urllib.request.Request(url, json_body.encode(), kind))  # noqa: S310 - as above

    def _open(self, request: urllib.request.Request) -> str:
        from bridgemate_dataconnector import TransportException  # noqa: PLC0415 - an extra

        try:
            with self._opener.open(request, timeout=_TIMEOUT) as answer:
                content: bytes = answer.read(_LARGEST + 1)
        except urllib.error.HTTPError as error:
            raise TransportException(f"status {error.code}") from error
        except (OSError, http.client.HTTPException) as error:
            raise TransportException(str(getattr(error, "reason", error)) or type(error).__name__) from error
        if len(content) > _LARGEST:
            raise TransportException("the answer is too long")
        return content.decode("utf-8", "replace")


def _make_client(address: str | None, club: str, licence: str) -> "DataConnectorClient":
    from bridgemate_dataconnector import DataConnectorClient  # noqa: PLC0415 - an extra

    try:
        # Without an address, the client looks in the registry of Windows for the port.
        return DataConnectorClient(club, licence, address or None, cast("Any", _Bounded()))
    except ValueError as error:
        raise ConnectorError(f"{address}: expected an address such as {ADDRESS}") from error


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
    """The part of a `Connector` that polling needs."""

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
        count = sum(not result.get("IsDeleted") for result in document["Results"])
        yield f"{count} results (new or changed: {len(changed)})"
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
    complain: Callable[[str], None],
    pause: float,
    wait: Callable[[float], bool],
) -> None:
    """Poll until `wait` returns true, through failures of the connector and of the disk.

    Args:
        connector: the connector.
        file: the evening's file.
        document: what came so far; it grows.
        say: takes each line, and one when the connector is back.
        complain: takes a line when the connector is away.
        pause: seconds between two polls.
        wait: waits that many seconds, and returns whether to end.
    """
    every, is_away, delay = True, False, pause
    while True:
        try:
            for line in poll_once(connector, file, document, every=every):
                say(line)
        except (ConnectorError, OSError) as error:
            message = f"{file}: can't be written: {error.strerror}" if isinstance(error, OSError) else str(error)
            if not is_away:
                complain(f"{message}; trying again")
            is_away, delay, every = True, min(2 * delay, LONGEST_WAIT), every or not isinstance(error, AwayError)
        else:
            if is_away:
                say("the data connector answers again")
            every, is_away, delay = False, False, pause
        if wait(delay):
            return
