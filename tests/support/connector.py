"""A data connector for tests: queues with numbered items, an event, and HTTP on loopback if asked for.

It knows commands and answers by the numbers that the public client of the real one states.
"""

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from overtrick.apps.evening.terminals.connector import Answer, AwayError

CLUB, LICENCE = "club-7", "the-licence-key"
QUEUES = {
    "Results": (19, 23, 27, 12),
    "PlayerData": (20, 24, 28, 10),
    "Participations": (21, 25, 29, 11),
    "Handrecords": (22, 26, 30, 13),
    "TdCalls": (36, 37, 38, 21),
}
"""By queue the commands for what is new, for everything and to accept, and the type of the answer."""


@dataclass
class FakeConnector:
    """What the control software has; `away` makes it fail."""

    events: list[dict[str, Any]] = field(default_factory=list)
    queues: dict[str, list[Mapping[str, Any]]] = field(default_factory=lambda: {name: [] for name in QUEUES})
    accepted: dict[str, int] = field(default_factory=lambda: dict.fromkeys(QUEUES, 0))
    away: bool = False
    refuses: str = ""

    def put(self, name: str, **item: object) -> None:
        """Let the terminals send an item."""
        self.queues[name].append({"SessionGuid": "A" * 32, **item, "ValidationMessages": None})

    def answer(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Answer a request."""
        if (request["ClubId"], request["LicenceKey"]) != (CLUB, LICENCE):
            return _answer(request, 4, "not licensed: " + str(request["LicenceKey"]), error=5)
        if self.refuses:
            return _answer(request, 4, self.refuses, error=6)
        command = request["Command"]
        if command == 5:
            self.events.append(json.loads(request["SerializedData"]))
            return _answer(request, 1, "Initialized")
        for name, (new, every, accept, kind) in QUEUES.items():
            if command == accept:
                self.accepted[name] = max(self.accepted[name], json.loads(request["SerializedData"]))
                return _answer(request, 1, "Accepted")
            if command in {new, every}:
                items = self.queues[name][self.accepted[name] if command == new else 0 :]
                return _answer(request, kind, items, last=len(self.queues[name]))
        return _answer(request, 4, "unknown command", error=8)

    # What a `Connector` does, without HTTP and without the client.

    def poll(self, command: int, session: str) -> Answer:
        answer = self._ask(command, session, "")
        return Answer(json.loads(answer["SerializedData"]), answer["LastQueueItemId"])

    def accept(self, command: int, session: str, last: int) -> None:
        self._ask(command, session, json.dumps(last))

    def _ask(self, command: int, session: str, data: str) -> dict[str, Any]:
        if self.away:
            raise AwayError("nobody answers")
        return self.answer(
            {"Command": command, "SessionGuid": session, "SerializedData": data, "ClubId": CLUB, "LicenceKey": LICENCE}
        )


def _answer(request: Mapping[str, Any], kind: int, data: object, *, error: int = 0, last: int = 0) -> dict[str, Any]:
    return {
        "RequestCommand": request["Command"],
        "DataType": kind,
        "LastQueueItemId": last,
        "ErrorType": error,
        "SessionGuid": request["SessionGuid"],
        "SerializedData": json.dumps(data),
    }


@contextmanager
def serve(fake: FakeConnector) -> Iterator[str]:
    """Serve a connector on loopback and yield its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            content = b"gone" if fake.away else json.dumps(fake.answer(json.loads(body))).encode()
            self.send_response(503 if fake.away else 200)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def result(board: int, **changes: object) -> dict[str, object]:
    """Return a result: pair 1 against pair 2 at table 1 in round 1, four spades by South made."""
    return {
        "SectionLetters": "A",
        "TableNumber": 1,
        "RoundNumber": 1,
        "BoardNumber": board,
        "ScoringDirection": 3,
        "IsDeleted": False,
        "PairNorthSouth": 1,
        "PairEastWest": 2,
        "DeclaringPair": 1,
        "DeclarerDirection": 3,
        "Level": 4,
        "Denomination": 4,
        "Stake": 0,
        "TotalTricks": 10,
        "LeadCardRank": 0,
        "LeadCardSuit": 0,
        **changes,
    }


def call(status: int, **changes: object) -> dict[str, object]:
    """Return a director call of table 3 in round 2."""
    place = {"SectionLetters": "A", "TableNumber": 3, "RoundNumber": 2, "Hour": 19, "Minute": 42}
    return {**place, "Status": status, **changes}
