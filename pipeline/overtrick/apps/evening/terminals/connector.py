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
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final, cast

from overtrick.show.publish.errors import keep_secret, make_safe
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
    """What the connector sent.

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
        from bridgemate_dataconnector.dto import (  # noqa: PLC0415 - an extra
            ScoringProgramDataConnectorCommands,
            ScoringProgramRequest,
        )

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
