"""The server of the desk: its socket, its address, its end, and the page for the local network."""

import asyncio
import json
import secrets
import socket
import threading
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from ipaddress import ip_address
from pathlib import Path
from typing import Final

import uvicorn
from filelock import FileLock, Timeout
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from uvicorn.protocols.http.h11_impl import H11Protocol

from overtrick.apps.desk.desk import Desk
from overtrick.apps.desk.guard import App, Guard
from overtrick.apps.desk.screens import (
    arriving,
    grid,
    history,
    live,
    overview,
    publishing,
    ranking,
    rulings,
    settings,
    sheets,
    traveller,
)
from overtrick.apps.desk.visit import Handler, Visit, answer
from overtrick.apps.evening.shelf import HIDDEN, resume_arrivals
from overtrick.apps.inbox.worker import Worker
from overtrick.core.atomic_write import replace_file
from overtrick.core.machine import config_folder, resource

_ASSETS = {"desk.css": (("html", "tokens.css"), ("desk", "desk.css")), "desk.js": (("desk", "desk.js"),)}

SCREENS: tuple[tuple[str, str, Handler], ...] = (
    ("/", "GET", arriving.show),
    ("/arrive", "POST", arriving.take),
    ("/club", "POST", arriving.begin),
    ("/window", "POST", live.hear),
    ("/window/take", "POST", live.take),
    ("/window/leave", "POST", live.leave),
    ("/settings", "GET", settings.show),
    ("/settings", "POST", settings.save),
    ("/settings/text", "GET", settings.show_text),
    ("/settings/text", "POST", settings.save_text),
    ("/type", "GET", sheets.choose),
    ("/type", "POST", sheets.begin),
    ("/live", "GET", live.screen),
    ("/evening/{name}/", "GET", overview.show),
    ("/evening/{name}/", "POST", arriving.change),
    ("/evening/{name}/problems", "GET", overview.show_problems),
    ("/evening/{name}/problems", "POST", overview.put_aside),
    ("/evening/{name}/grid", "GET", grid.show),
    ("/evening/{name}/cell", "GET", grid.show_cell),
    ("/evening/{name}/cell", "POST", grid.save_cell),
    ("/evening/{name}/effect", "POST", grid.effect),
    ("/evening/{name}/column", "POST", grid.paste),
    ("/evening/{name}/rulings", "GET", rulings.show),
    ("/evening/{name}/entry", "POST", rulings.enter),
    ("/evening/{name}/people", "GET", overview.show_people),
    ("/evening/{name}/ranking", "GET", ranking.show),
    ("/evening/{name}/documents", "POST", ranking.documents),
    ("/evening/{name}/pages/{path:path}", "GET", ranking.page),
    ("/evening/{name}/publish", "GET", publishing.show),
    ("/evening/{name}/publish", "POST", publishing.publish),
    ("/evening/{name}/deliver", "POST", publishing.send),
    ("/evening/{name}/unpublish", "POST", publishing.undo),
    ("/evening/{name}/history", "GET", history.show),
    ("/evening/{name}/undo", "POST", history.undo),
    ("/evening/{name}/take-back", "POST", history.take_back),
    ("/evening/{name}/put-again", "POST", history.put_again),
    ("/evening/{name}/traveller", "GET", traveller.show),
    ("/evening/{name}/traveller", "POST", traveller.save),
    ("/evening/{name}/live", "GET", live.show),
    ("/evening/{name}/live", "POST", live.follow),
)
"""The address, the method and the function of every screen."""


def make_app(desk: Desk) -> Starlette:
    """Return the application that shows the desk."""
    routes = [Route(path, answer(desk, screen), methods=[method]) for path, method, screen in SCREENS]
    return Starlette(routes=[*_assets(desk), *routes], exception_handlers={404: _away(desk)})


def make_wall(desk: Desk) -> Starlette:
    """Return the application for the local network: the ranking on a large screen, and nothing else."""
    return Starlette(routes=[*_assets(desk), Route("/live", answer(desk, live.screen), methods=["GET"])])


def _assets(desk: Desk) -> Iterator[Route]:
    for name, parts in _ASSETS.items():
        content = b"".join(resource("templates", *part).read_bytes() for part in parts)
        kind = "text/css" if name.endswith(".css") else "text/javascript"

        def show(_: Visit, content: bytes = content, kind: str = kind) -> Response:
            return Response(content, media_type=kind)

        yield Route(f"/{name}", answer(desk, show), methods=["GET"])


def _away(desk: Desk) -> Callable[[Request, Exception], Awaitable[Response]]:
    """Return what answers an address without a screen."""
    shown = answer(desk, lambda visit: visit.render("refused.html", status=404, message="This page does not exist."))

    async def away(request: Request, _: Exception) -> Response:
        return await shown(request)

    return away


HOST: Final = "127.0.0.1"

IDLE: Final = 20 * 60.0
"""Seconds without any window after which the desk ends."""

MEMORY: Final = 2_000_000_000
LONGEST: Final = 60.0
"""Bytes of memory and seconds that the process may take which reads a file that arrives."""

_STOP: Final = 2
"""Seconds that a connection has when the desk ends."""

SECONDS: Final = 20.0
"""The time in which a request must have come whole, its head and its body."""

MOST_WAITING: Final = 64
"""The connections whose request has not come whole. Beyond that, the one that has waited longest is closed."""

_waiting: "OrderedDict[PatientProtocol, asyncio.TimerHandle]" = OrderedDict()


class BusyError(Exception):
    """The port is taken, or another desk works on this folder and can't be reached."""


class PatientProtocol(H11Protocol):
    """An HTTP connection of uvicorn that ends if a request does not come whole in time."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Take a part of a request."""
        super().data_received(data)
        if self.cycle is not None and not self.cycle.more_body and not self.cycle.response_complete:
            self._stop()
        else:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        self._stop()
        super().connection_lost(exc)

    def _wait(self) -> None:
        if self in _waiting:
            return
        _waiting[self] = self.loop.call_later(SECONDS, self._end)
        while len(_waiting) > MOST_WAITING:
            next(iter(_waiting))._end()  # noqa: SLF001 - another one of this class

    def _stop(self) -> None:
        timer = _waiting.pop(self, None)
        if timer:
            timer.cancel()

    def _end(self) -> None:
        self._stop()
        self.transport.abort()


@dataclass(frozen=True)
class Options:
    """How the desk is started.

    Attributes:
        port: the port; 0 for any that is free; None for the one that the folder had before.
        lan: whether the ranking can be seen from the local network.
        idle: seconds without any window after which the desk ends.
    """

    port: int | None = None
    lan: bool = False
    idle: float = IDLE


def serve(
    folder: Path,
    settings: Path | None,
    options: Options,
    *,
    ready: Callable[[str, str], None],
    log: Callable[[str], None],
) -> None:
    """Serve the desk of a folder until it is interrupted, or no window has been open for a while.

    Args:
        folder: the evenings.
        settings: the club's settings; None if there are none.
        options: port and the like.
        ready: called with the address of the desk, and that of the page for the local network or an empty text.
        log: takes one line for each refused request.

    Raises:
        BusyError: the port is taken, or another desk works on this folder and can't be reached.
        OSError: the folder can't be written.
    """
    (folder / HIDDEN).mkdir(parents=True, exist_ok=True)
    lock = FileLock(folder / HIDDEN / "desk.lock")
    desk = Desk.open(folder, settings, log)
    worker = Worker(MEMORY, LONGEST)
    desk.run = worker.run
    place = _Place.remember(desk)
    try:
        lock.acquire(timeout=0)
    except Timeout as error:
        if not place.answers():
            raise BusyError(f"{folder}: another desk works on this folder; use its window, or end it first") from error
        ready(place.address, "")
        return
    try:
        live.resume(desk)
        for arrived in resume_arrivals(folder, desk.run):
            log(f"{arrived.name}: taken in after an interruption: {arrived.evening or arrived.why}")
        listening = _listen_again(place) if options.port is None else _listen(HOST, options.port)
        place = replace(place, port=listening.getsockname()[1])
        place.keep()
        server, address = _server(make_app(desk), listening, place.token, log)
        wall = _start_wall(desk, log) if options.lan else ""
        threading.Thread(target=_end_when_idle, args=(server, desk, options.idle), daemon=True).start()
        ready(address, wall)
        server.run(sockets=[listening])
    finally:
        worker.close()
        lock.release()


@dataclass(frozen=True)
class _Place:
    """The port and the token of a folder's desk. They stay, so that a page finds the desk again after a new start.

    They are in the user's own settings: the folder of a club is shared, and sent to others as a zip.
    """

    path: Path
    token: str
    port: int = 0

    @staticmethod
    def remember(desk: Desk) -> "_Place":
        """Return the place of a desk as it was, else a new one."""
        path = config_folder() / "desks" / f"{desk.name}.json"
        try:
            kept = json.loads(path.read_text("utf-8"))
            return _Place(path, str(kept["token"]), int(kept["port"]))
        except (OSError, ValueError, TypeError, KeyError):
            return _Place(path, secrets.token_urlsafe(24))

    @property
    def address(self) -> str:
        """The address with its token."""
        return f"http://{HOST}:{self.port}/?token={self.token}"

    def keep(self) -> None:
        """Write it down for the next start, for this user alone; without a place for settings, each start is new."""
        with suppress(OSError):
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            replace_file(self.path, json.dumps({"port": self.port, "token": self.token}).encode())
            self.path.chmod(0o600)

    def answers(self) -> bool:
        """Return whether something listens there."""
        with socket.socket() as asked:
            asked.settimeout(2)
            return asked.connect_ex((HOST, self.port)) == 0


def _listen_again(place: _Place) -> socket.socket:
    """Listen on the port that the folder had before; on any other one if that is taken by now."""
    try:
        return _listen(HOST, place.port)
    except BusyError:
        return _listen(HOST, 0)


def _listen(host: str, port: int) -> socket.socket:
    listening = socket.socket()
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        # From here on a browser that opens the address waits, even if the server is not ready yet.
        listening.listen()
    except OSError as error:
        listening.close()
        raise BusyError(f"port {port}: can't be used: {error.strerror}; choose another one, or 0 for any") from error
    return listening


def _server(app: App, listening: socket.socket, token: str, log: Callable[[str], None]) -> tuple[uvicorn.Server, str]:
    """Return the server of the desk and its address."""
    port = listening.getsockname()[1]
    hosts = frozenset({f"{HOST}:{port}", f"localhost:{port}"})
    guard = Guard(app, hosts, token, f"overtrick-desk-{port}", log)
    return uvicorn.Server(_config(guard)), f"http://{HOST}:{port}/?token={token}"


def _config(app: App) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        http=PatientProtocol,
        log_config=None,
        access_log=False,
        lifespan="off",
        server_header=False,
        timeout_graceful_shutdown=_STOP,
        ws="none",
    )


def _start_wall(desk: Desk, log: Callable[[str], None]) -> str:
    """Serve the page for the local network in a thread, and return its address."""
    listening = _listen("0.0.0.0", 0)  # noqa: S104 - this page alone is for other machines, and for reading only
    port = listening.getsockname()[1]
    token = secrets.token_urlsafe(12)
    machines = {HOST, "localhost", socket.gethostname().lower(), *_addresses()}
    hosts = frozenset(f"{name}:{port}" for name in machines)
    guard = Guard(make_wall(desk), hosts, token, f"overtrick-live-{port}", log, may_write=False)
    server = uvicorn.Server(_config(guard))
    threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True).start()
    seen = next(iter(_addresses()), HOST)
    return f"http://{seen}:{port}/live?token={token}"


def _addresses() -> list[str]:
    """Return the addresses of this machine in the local network."""
    found: list[str] = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked, suppress(OSError):
        # Nothing is sent: the system chooses the network card that would be used.
        asked.connect(("192.0.2.1", 9))
        found.append(str(asked.getsockname()[0]))
    with suppress(OSError):
        found += [str(found_one[4][0]) for found_one in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    return list(dict.fromkeys(found_one for found_one in found if not ip_address(found_one).is_loopback))


def _end_when_idle(server: uvicorn.Server, desk: Desk, idle: float) -> None:
    while time.monotonic() - desk.last_visit < idle or desk.is_busy:
        time.sleep(min(5.0, max(idle / 10, 0.05)))
    server.should_exit = True
