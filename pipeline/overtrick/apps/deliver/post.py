"""Sending a form to a web server, and e-mail over one connection to the club's mail server.

The connection uses TLS unless the settings say otherwise.
"""

import re
import smtplib
import ssl
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import formataddr, formatdate, make_msgid
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from mimetypes import guess_type
from smtplib import SMTPNotSupportedError, SMTPResponseException
from typing import IO, Final
from urllib.parse import quote, unquote, urlencode, urlsplit

from overtrick.apps.deliver.order import ClosedError, Order, OrderError, Parcel, UnsureError, missing, no_password
from overtrick.show.publish.address import DroppedError, PublishError, keep_secret
from overtrick.show.publish.targets import keep_trying
from overtrick.show.publish.targets.base import MOST_SAID, find_password

# Sending a form to a web server: one POST, no redirects, bounded answers.

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


VARIABLE: Final = "OVERTRICK_MAIL_PASSWORD"
"""The environment variable that holds the password of the mail server."""

_POLICY: Final = SMTP.clone(cte_type="7bit")
_TLS_FROM_START: Final = 465
_GO_AHEAD: Final = 354
_NAME: Final = "[127.0.0.1]"
"""How overtrick names this machine to the server: its real name is nobody's business."""
_ANY_ADDRESS: Final = re.compile(r"[^\s<>:;,\"'()]+@[^\s<>:;,\"'()]+")

Letter = Callable[[Parcel, bool], EmailMessage]
"""Writes the message of a parcel; the second argument says that an earlier version was delivered."""


@dataclass(frozen=True)
class Server:
    """The club's mail server.

    Attributes:
        host: its name.
        port: the port.
        user: the login; empty for none.
        tls: whether everything is encrypted.
    """

    host: str
    port: int
    user: str
    tls: bool


def read_server(order: Order, place: str) -> Server:
    """Return the mail server of the settings.

    Raises:
        OrderError: the settings have none, or its address has an error.
    """
    stated = order.config.deliver.server
    if stated is None:
        raise missing(place, "server", "deliver")
    parts = urlsplit(stated)
    try:
        port = parts.port
    except ValueError:
        raise OrderError("[deliver] server: the port is not a number") from None
    tls = parts.scheme == "smtps"
    return Server(parts.hostname or "", port or (_TLS_FROM_START if tls else 25), unquote(parts.username or ""), tls)


def check_mail(order: Order, place: str) -> None:
    """Check that the settings have all that any e-mail needs.

    Raises:
        OrderError: something is missing.
    """
    read_server(order, place)
    if order.config.deliver.sender is None:
        raise missing(place, "sender", "deliver")


def begin_letter(order: Order, to: str, subject: str) -> EmailMessage:
    """Return a message without content from the club.

    Raises:
        PublishError: the subject or an address can't be in an e-mail.
    """
    sender = order.config.deliver.sender or ""
    message = EmailMessage(_POLICY)
    try:
        message["From"] = formataddr((order.club, sender))
        message["To"] = to
        message["Subject"] = " ".join(subject.split())
    except ValueError as error:
        raise PublishError("the subject or an address holds what no e-mail can hold") from error
    message["Date"] = formatdate(localtime=True)
    message["Message-ID"] = make_msgid(domain=sender.rpartition("@")[2])
    return message


def write_letter(order: Order, parcel: Parcel) -> EmailMessage:
    """Return the message that takes files to a place: nothing but the subject and the files."""
    message = begin_letter(order, parcel.recipient, parcel.fields["subject"])
    for name, content in parcel.files.items():
        kind = guess_type(name)[0] or "application/octet-stream"
        main, _, sub = kind.partition("/")
        message.add_attachment(content, maintype=main, subtype=sub, filename=name)
    return message


class Postbox:
    """Sends e-mail."""

    def __init__(self, order: Order, place: str, letter: Letter, *, private: bool = False) -> None:
        """Take what writes the messages, and whether recipients are private: then no message shows them."""
        self._server = read_server(order, place)
        self._sender = order.config.deliver.sender or ""
        self._letter = letter
        self._private = private
        self._smtp: smtplib.SMTP | None = None

    def send(self, parcel: Parcel, *, again: bool) -> str:
        """Send a parcel; `again` says that an earlier version of it was delivered."""
        message = self._letter(parcel, again)
        if self._private:
            keep_secret(parcel.recipient)
            keep_secret(parcel.recipient.lower())
        if self._smtp is None:
            try:
                self._smtp = keep_trying(self._connect, lambda: None)
            except PublishError as error:
                raise ClosedError(str(error)) from error
        try:
            return self._clean(self._hand_over(self._smtp, parcel.recipient, message.as_bytes()))
        except OSError as error:
            self.close()
            raise DroppedError(f"{self._server.host}: the connection failed: {self._clean(str(error))}") from error

    def close(self) -> None:
        """Close the connection."""
        if self._smtp is not None:
            try:
                self._smtp.quit()
            except OSError:
                self._smtp.close()
            self._smtp = None

    def _connect(self) -> smtplib.SMTP:
        host = self._server.host
        try:
            with explained(host):
                return self._greet()
        except (smtplib.SMTPResponseException, smtplib.SMTPNotSupportedError) as error:
            raise PublishError(f"{host}: the server refused: {self._clean(_said(error))}") from error

    def _greet(self) -> smtplib.SMTP:
        smtp = self._open()
        try:
            self._log_in(smtp)
            smtp.ehlo_or_helo_if_needed()
        except BaseException:
            smtp.close()
            raise
        return smtp

    def _open(self) -> smtplib.SMTP:
        server = self._server
        context = ssl.create_default_context()
        if server.tls and server.port == _TLS_FROM_START:
            return _BoundedTls(server.host, server.port, local_hostname=_NAME, timeout=PATIENCE, context=context)
        smtp = _Bounded(server.host, server.port, local_hostname=_NAME, timeout=PATIENCE)
        if server.tls:
            try:
                smtp.starttls(context=context)
            except BaseException:
                smtp.close()
                raise
        return smtp

    def _log_in(self, smtp: smtplib.SMTP) -> None:
        server = self._server
        if not server.user:
            return
        password = find_password(server.user, server.host, VARIABLE)
        if password is None:
            raise no_password(server.user, server.host, VARIABLE)
        smtp.login(server.user, password)

    def _hand_over(self, smtp: smtplib.SMTP, recipient: str, content: bytes) -> str:
        """Send a message step by step, to know whether a failure came before or after all of it was sent."""
        for command in (f"FROM:<{self._sender}>", f"TO:<{recipient}>"):
            self._expect(smtp, smtp.docmd("MAIL" if command.startswith("FROM") else "RCPT", command), 250, 251)
        self._expect(smtp, smtp.docmd("DATA"), _GO_AHEAD)
        # A line that begins with a dot would end the message.
        smtp.send(re.sub(rb"(?m)^\.", b"..", content) + (b"" if content.endswith(b"\r\n") else b"\r\n") + b".\r\n")
        try:
            answer = smtp.getreply()
        except OSError as error:
            self.close()
            raise UnsureError(f"{self._server.host}: the connection failed before the answer came") from error
        return self._expect(smtp, answer, 250)

    def _expect(self, smtp: smtplib.SMTP, answer: tuple[int, bytes], *codes: int) -> str:
        code, said = answer
        text = f"{code} {said.decode('utf-8', 'replace')}"
        if code not in codes:
            with suppress(OSError):
                smtp.docmd("RSET")
            raise PublishError(f"{self._server.host}: the server refused: {self._clean(text)}")
        return text

    def _clean(self, text: str) -> str:
        """Remove addresses from what a server said of a private message."""
        return _ANY_ADDRESS.sub("***", text) if self._private else text


def _said(error: smtplib.SMTPException) -> str:
    if isinstance(error, smtplib.SMTPResponseException):
        said = error.smtp_error
        return f"{error.smtp_code} {said.decode('utf-8', 'replace') if isinstance(said, bytes) else said}"
    return str(error)


class _Lines:
    """The lines of a server; one answer may have at most `MOST_SAID`."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.read = 0

    def readline(self, size: int = -1) -> bytes:
        """Return the next line; none if the server says too much, as if it had closed the connection."""
        self.read += 1
        return self._file.readline(size) if self.read <= MOST_SAID else b""

    def close(self) -> None:
        """Close the file."""
        self._file.close()


class _Bounded(smtplib.SMTP):
    """A connection that reads bounded answers."""

    def getreply(self) -> tuple[int, bytes]:
        """Read one answer."""
        if self.file is None and self.sock:
            self.file = _Lines(self.sock.makefile("rb"))
        if self.file:
            self.file.read = 0
        return super().getreply()


class _BoundedTls(smtplib.SMTP_SSL, _Bounded):
    """The same with TLS from the start."""
