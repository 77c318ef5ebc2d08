"""The desk in tests: asked inside the test without a server, or started as a process with a browser before it."""

import asyncio
import os
import random
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlencode

from overtrick.apps.desk.desk import Desk
from overtrick.apps.desk.guard import Guard
from overtrick.apps.desk.serve import make_app
from overtrick.apps.evening.sheets import list_sittings, make_sheet, type_results
from overtrick.core.config.movement import Movement
from overtrick.files.correct.entry import read_shorthand

HOST = "127.0.0.1:8000"
ORIGIN = f"http://{HOST}"
TOKEN = "the-token"


@dataclass(frozen=True)
class Answer:
    """What the desk answered."""

    status: int
    headers: Mapping[str, str]
    text: str

    @property
    def seen(self) -> str:
        """The digest that the forms of the page send back."""
        found = re.search(r'name="seen" value="(\w*)"', self.text)
        assert found, self.text[:500]
        return found[1]

    @property
    def words(self) -> str:
        """The text of the page without its marks."""
        return " ".join(unescape(re.sub(r"<[^>]+>", " ", self.text)).split())


@dataclass
class Visitor:
    """A scorer at a desk, without a browser and without a script."""

    desk: Desk
    said: list[str]
    most: int = 64 * 1024 * 1024
    guard: Guard = field(init=False)

    def __post_init__(self) -> None:
        """Put the guard before the desk."""
        app = make_app(self.desk)
        self.guard = Guard(app, frozenset({HOST}), TOKEN, "overtrick-desk", self.said.append, most=self.most)

    def get(self, path: str, headers: Mapping[str, str] | None = None) -> Answer:
        """Ask for a page."""
        return self.ask("GET", path, headers=headers)

    def post(
        self,
        path: str,
        fields: Mapping[str, object] | None = None,
        /,
        *,
        origin: str = ORIGIN,
        accept: str = "text/html",
        **more: str | int,
    ) -> Answer:
        """Send a form."""
        body = urlencode({name: str(value) for name, value in {**(fields or {}), **more}.items()}).encode()
        kind = {"content-type": "application/x-www-form-urlencoded", "origin": origin, "accept": accept}
        return self.ask("POST", path, body, kind)

    def drop(self, *files: tuple[str, bytes], into: str = "") -> Answer:
        """Drop files on the list of evenings."""
        edge = b"edge-of-a-part"
        parts = [b'Content-Disposition: form-data; name="into"\r\n\r\n' + into.encode()]
        parts += [
            f'Content-Disposition: form-data; name="files"; filename="{name}"\r\n\r\n'.encode() + content
            for name, content in files
        ]
        body = b"".join(b"--" + edge + b"\r\n" + part + b"\r\n" for part in parts) + b"--" + edge + b"--\r\n"
        kind = f"multipart/form-data; boundary={edge.decode()}"
        return self.ask("POST", "/arrive", body, {"content-type": kind, "origin": ORIGIN})

    def ask(self, method: str, path: str, body: bytes = b"", headers: Mapping[str, str] | None = None) -> Answer:
        """Send a request."""
        given = {"host": HOST, "cookie": f"overtrick-desk={TOKEN}", **(headers or {})}
        return asyncio.run(_ask(self.guard, method, path, body, given))


async def _ask(app: Any, method: str, path: str, body: bytes, headers: Mapping[str, str]) -> Answer:

    place, _, query = path.partition("?")
    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": unquote(place),
        "raw_path": place.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 8000),
    }
    sent: list[MutableMapping[str, Any]] = []

    whole = iter([{"type": "http.request", "body": body, "more_body": False}])

    async def receive() -> MutableMapping[str, Any]:
        for message in whole:
            return message
        # The browser stays.
        return await asyncio.Future()

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(message)

    await app(scope, receive, send)
    begun = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    content = b"".join(message.get("body", b"") for message in sent[1:])
    return Answer(sent[0]["status"], begun, content.decode("utf-8", "replace"))


def visit(folder: Path, most: int = 64 * 1024 * 1024) -> Visitor:
    """Return a scorer at the desk of a folder."""
    said: list[str] = []
    return Visitor(Desk.open(folder, None, said.append), said, most)


@dataclass(frozen=True)
class Running:
    """A desk that runs as a process."""

    process: "subprocess.Popen[str]"
    address: str

    @property
    def base(self) -> str:
        """The address without its token."""
        return self.address.partition("/?")[0]


@contextmanager
def running(
    folder: Path, *options: str, port: int | None = 0, environment: Mapping[str, str] | None = None
) -> Iterator[Running]:
    """Start a desk as a process, and end it."""
    command = [sys.executable, "-c", "from overtrick.apps.cli import main; main()", "desk", str(folder)]
    command += [*([] if port is None else ["--port", str(port)]), "--no-browser", *options]
    given = {**os.environ, **(environment or {})}
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=given, start_new_session=True
    )
    try:
        assert process.stdout
        yield Running(process, process.stdout.readline().strip())
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
            try:
                process.wait(15)
            except subprocess.TimeoutExpired:
                process.kill()
        assert process.stdout
        process.stdout.close()


def large_sheet(
    path: Path, tables: int = 20, boards: int = 2, rounds: int = 18, *, day: str = "2026.03.07", seed: int = 4
) -> None:
    """Write an evening with a result at each table and board: 20 tables and 36 boards."""
    movement = {"kind": "mitchell", "tables": tables, "boards": boards, "rounds": rounds, "relay": tables % 2 == 0}
    sittings = list_sittings(Movement.model_validate(movement))
    names = {str(number): f"Ann{number} Ash - Bob{number} Birch" for number in range(1, 2 * tables + 1)}
    facts = {"event": "Large", "date": day, "scoring": "matchpoints"}
    sheet = make_sheet(sittings, names, facts)
    dice = random.Random(seed)
    typed = {line: read_shorthand(random_result(dice)) for line in range(2, 1 + sheet.count(b"\n"))}
    path.write_bytes(type_results(sheet, typed))


def random_result(dice: random.Random) -> str:
    """Return a result as a scorer types it."""
    made = dice.choice(["=", "=", "+1", "-1", "-2", "+2"])
    return f"{dice.randint(1, 4)}{dice.choice('CDHSN')}{dice.choice('NESW')}{made}"
