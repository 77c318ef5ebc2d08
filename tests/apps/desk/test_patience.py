"""Slow senders: hundreds of requests that never end keep nobody else from being answered, and are closed in time."""

import asyncio
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any
from urllib.request import HTTPError, urlopen

import pytest
import uvicorn

from overtrick.apps.desk import serve
from overtrick.apps.desk.serve import PatientProtocol
from tests.support.desk import Running, running

HALVES = {
    "half a head": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ",
    "half a body": b"POST /arrive HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nContent-Length: 1000\r\n\r\nabc",
    "nothing": b"",
}


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("slow")) as started:
        yield started


@pytest.mark.slow
@pytest.mark.parametrize("half", HALVES)
def test_three_hundred_slow_senders_keep_nobody_waiting(half: str, desk: Running) -> None:
    host = desk.base.removeprefix("http://")
    name, port = host.split(":")
    with ExitStack() as held:
        for _ in range(300):
            one = held.enter_context(socket.create_connection((name, int(port)), timeout=5))
            one.sendall(HALVES[half].replace(b"{host}", host.encode()))
        began = time.monotonic()
        with pytest.raises(HTTPError, match="401"):
            urlopen(f"{desk.base}/", timeout=5)  # noqa: S310 - the address of the desk of the test
        assert time.monotonic() - began < 1


async def _serve(seconds: float) -> bytes:
    """Send half a request to a server, and return what comes back before it closes the connection."""

    async def app(_scope: Any, _receive: Any, _send: Any) -> None:
        raise AssertionError("half a request is none")

    config = uvicorn.Config(app, http=PatientProtocol, log_config=None, lifespan="off", ws="none")
    server = uvicorn.Server(config)
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        task = asyncio.create_task(server.serve([listening]))
        while not server.started:  # noqa: ASYNC110 - uvicorn has no event for it
            await asyncio.sleep(0.01)
        reader, writer = await asyncio.open_connection(*listening.getsockname())
        writer.write(b"GET / HTTP/1.1\r\n")
        try:
            return await asyncio.wait_for(reader.read(), seconds)
        except ConnectionResetError:
            return b""
        finally:
            writer.close()
            server.should_exit = True
            await task


def test_a_request_that_does_not_end_is_closed_after_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve, "SECONDS", 0.2)
    assert b"" == asyncio.run(_serve(10))
