"""Connections that have so much time for a request, and no more than so many of them at once: senders may be slow."""

import asyncio
from collections import OrderedDict
from typing import Final

from uvicorn.protocols.http.h11_impl import H11Protocol

SECONDS: Final = 20.0
"""The time in which a request must have come whole, its head and its body."""

MOST_WAITING: Final = 64
"""The connections whose request has not come whole. Beyond that, the one that has waited longest is closed."""

_waiting: "OrderedDict[PatientProtocol, asyncio.TimerHandle]" = OrderedDict()


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
