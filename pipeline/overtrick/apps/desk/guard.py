"""Requests that are refused before any page sees them: foreign hosts and origins, a wrong token, too many bytes."""

import secrets
from collections.abc import Awaitable, Callable, Iterable, Mapping, MutableMapping
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode

from overtrick.core.notation import is_number
from overtrick.show.text.display import make_printable

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

MOST_BYTES: Final = 64 * 1024 * 1024
"""Bytes that a request may have; a club's files have a hundredth of it."""

HEADERS: Final = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "form-action 'self'; frame-src 'self'; frame-ancestors 'self'; base-uri 'none'"
    ),
    "x-content-type-options": "nosniff",
    # A form's Origin would be `null` under `no-referrer`.
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
"""The headers of every answer."""

_SAFE: Final = {"GET", "HEAD"}


@dataclass(frozen=True)
class _Refusal:
    status: int
    reason: str


@dataclass(frozen=True)
class Guard:
    """An application that lets requests through to another one only if they are the scorer's own.

    Attributes:
        app: the application inside.
        hosts: the values of `Host` that it answers to, with their port: other names may point here to reach it.
        token: the token in the address that the desk printed.
        cookie: the name of the cookie that the token becomes.
        log: takes one line about each refusal.
        may_write: whether anything but `GET` and `HEAD` is allowed.
        most: the most bytes of a request.
    """

    app: App
    hosts: frozenset[str]
    token: str
    cookie: str
    log: Callable[[str], None]
    may_write: bool = True
    most: int = MOST_BYTES

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        if refusal := self._refuse(scope, headers):
            await self._answer(scope, send, refusal)
            return
        given = dict(query).get("token")
        if given is not None and scope["method"] in _SAFE and self._is_token(given):
            await self._let_in(scope, send, query)
            return
        if not self._has_cookie(headers):
            await self._answer(scope, send, _Refusal(401, "no token; open the address that overtrick desk printed"))
            return
        body = await self._read(receive)
        if body is None:
            await self._answer(scope, send, _Refusal(413, f"more than {self.most} bytes"))
            return
        await self.app(scope, _replay(body, receive), _with_headers(send))

    def _refuse(self, scope: Scope, headers: Mapping[str, str]) -> _Refusal | None:
        if headers.get("host", "").lower() not in self.hosts:
            return _Refusal(421, f"the host {headers.get('host', '')!r}")
        if scope["method"] in _SAFE:
            return None
        if not self.may_write:
            return _Refusal(405, "this page is only for reading")
        if not self._is_own_origin(headers):
            return _Refusal(403, f"a form from {headers.get('origin') or 'an unknown page'}")
        stated = headers.get("content-length", "0")
        if not is_number(stated) or len(stated) > 18 or int(stated) > self.most:
            return _Refusal(413, f"{stated[:20]} bytes")
        return None

    def _is_own_origin(self, headers: Mapping[str, str]) -> bool:
        """Return whether a form comes from one of the desk's own pages."""
        origin = headers.get("origin")
        if origin is None:
            return headers.get("sec-fetch-site") == "same-origin"
        return origin.lower() == f"http://{headers.get('host', '').lower()}"

    def _has_cookie(self, headers: Mapping[str, str]) -> bool:
        try:
            sent = SimpleCookie(headers.get("cookie", "")).get(self.cookie)
        except CookieError:
            return False
        return sent is not None and self._is_token(sent.value)

    def _is_token(self, text: str) -> bool:
        return secrets.compare_digest(_bytes(text), _bytes(self.token))

    async def _let_in(self, scope: Scope, send: Send, query: Iterable[tuple[str, str]]) -> None:
        """Turn the token of the address into a cookie, and take it out of the address."""
        left = urlencode([(name, value) for name, value in query if name != "token"])
        place = scope["raw_path"].decode("latin-1").partition("?")[0]
        # Two slashes would begin the name of another host.
        place = "/" + place.lstrip("/") + (f"?{left}" if left else "")
        cookie = f"{self.cookie}={self.token}; Path=/; HttpOnly; SameSite=Strict"
        await _send(send, 303, b"", {"location": place, "set-cookie": cookie})

    async def _read(self, receive: Receive) -> bytes | None:
        """Return the body of a request; None if it is too long, whatever its length said."""
        parts: list[bytes] = []
        size = 0
        while True:
            message = await receive()
            if message["type"] != "http.request":
                return b""
            size += len(message.get("body", b""))
            if size > self.most:
                return None
            parts.append(message.get("body", b""))
            if not message.get("more_body"):
                return b"".join(parts)

    async def _answer(self, scope: Scope, send: Send, refusal: _Refusal) -> None:
        request = f"{scope['method']} {scope['path']}"[:200]
        self.log(make_printable(f"refused: {request}: {refusal.reason[:200]}"))
        text = f"overtrick desk: refused: {refusal.reason}\n".encode()
        await _send(send, refusal.status, text, {"content-type": "text/plain; charset=utf-8", "connection": "close"})


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _replay(body: bytes, receive: Receive) -> Receive:
    """Return a function that gives the application a body that was read, and then what comes after it."""
    sent = False

    async def replay() -> MutableMapping[str, Any]:
        nonlocal sent
        if sent:
            return await receive()
        sent = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay


def _with_headers(send: Send) -> Send:
    async def add(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            stated = {name.lower() for name, _ in message["headers"]}
            added = [(n.encode(), v.encode()) for n, v in HEADERS.items() if n.encode() not in stated]
            message = {**message, "headers": [*message["headers"], *added]}
        await send(message)

    return add


async def _send(send: Send, status: int, content: bytes, headers: Mapping[str, str]) -> None:
    named = {**HEADERS, **headers, "content-length": str(len(content))}
    raw = [(name.encode("latin-1"), value.encode("latin-1", "replace")) for name, value in named.items()]
    await send({"type": "http.response.start", "status": status, "headers": raw})
    await send({"type": "http.response.body", "body": content})
