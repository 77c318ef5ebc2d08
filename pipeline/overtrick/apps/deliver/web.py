"""Sending a form to a web server: one POST, no redirects, bounded answers."""

import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from smtplib import SMTPNotSupportedError, SMTPResponseException
from typing import Final
from urllib.parse import quote, urlencode, urlsplit

from overtrick.apps.deliver.order import UnsureError
from overtrick.show.publish.address import DroppedError, PublishError
from overtrick.show.publish.targets import keep_trying

PATIENCE: Final = 60.0
"""Seconds to wait for a server."""

_LONGEST: Final = 64 * 1024
"""Bytes of an answer that are read."""


def post_form(address: str, query: Mapping[str, str], fields: Mapping[str, str | bytes]) -> str:
    """Send a form as a browser does, and return the text of the answer, of which only the start is read.

    Only connecting is tried again: once the form is on its way, the server may have taken it.

    Raises:
        PublishError: the server refused it, or can't be reached or trusted.
        UnsureError: the connection or the server failed after the form was sent.
    """
    parts = urlsplit(address)
    connection = keep_trying(lambda: _connect(parts.scheme, parts.hostname or "", parts.port), lambda: None)
    path = f"{quote(parts.path, safe='/%') or '/'}?{urlencode(query)}"
    try:
        connection.request("POST", path, urlencode(fields).encode(), {"Content-Type": _FORM, "Connection": "close"})
        response = connection.getresponse()
        answer = response.read(_LONGEST).decode("utf-8", "replace")
    except (OSError, HTTPException) as error:
        raise UnsureError(f"{parts.hostname}: the connection failed before the answer came: {_say(error)}") from error
    finally:
        connection.close()
    _check_status(parts.hostname or "", response)
    return answer


_FORM: Final = "application/x-www-form-urlencoded"


def _connect(scheme: str, host: str, port: int | None) -> HTTPConnection:
    connection: HTTPConnection
    if scheme == "https":
        connection = HTTPSConnection(host, port, timeout=PATIENCE, context=ssl.create_default_context())
    else:
        connection = HTTPConnection(host, port, timeout=PATIENCE)
    with explained(host):
        connection.connect()
    return connection


@contextmanager
def explained(host: str) -> Iterator[None]:
    """Turn the errors of connecting to a server into ours; what a mail server answers stays as it is.

    Raises:
        PublishError: its certificate can't be trusted; trying again would not help.
        DroppedError: it can't be reached.
    """
    try:
        yield
    except ssl.SSLCertVerificationError as error:
        raise PublishError(f"{host}: the server's certificate can't be trusted: {error.verify_message}") from error
    except (SMTPResponseException, SMTPNotSupportedError):
        raise
    except OSError as error:
        raise DroppedError(f"{host}: can't be reached: {_say(error)}") from error


def _say(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


def _check_status(host: str, response: HTTPResponse) -> None:
    """Refuse all but success: a redirect could lead the password elsewhere."""
    if 300 <= response.status < 400:
        raise PublishError(f"{host}: the server redirects to another address; correct address in the settings")
    answered = f"{host}: the server answered {response.status} {response.reason}"
    if response.status >= 500:
        # It may have failed after it took the form.
        raise UnsureError(answered)
    if not 200 <= response.status < 300:
        raise PublishError(answered)
