"""Servers on this machine's loopback that take results: one for forms, as BridgeWebs', and one for e-mail."""

import socketserver
import ssl
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from typing import IO, Any, cast
from urllib.parse import parse_qsl

HOST = "127.0.0.1"


@dataclass
class Web:
    """A web server.

    Attributes:
        answers: what it answers, in this order; the last one always. Empty bytes end the connection.
        requests: the first line of each request.
        forms: what it got: bytes by name.
        port: where it listens.
    """

    answers: list[bytes] = field(default_factory=lambda: [answer("message = Upload Successful")])
    requests: list[str] = field(default_factory=list)
    forms: list[dict[str, bytes]] = field(default_factory=list)
    port: int = 0

    @property
    def url(self) -> str:
        """The address of its API."""
        return f"http://{HOST}:{self.port}/cgi-bin/api.cgi"

    def talk(self, lines: IO[bytes], out: IO[bytes]) -> None:
        """Take one request."""
        self.requests.append(lines.readline().decode().strip())
        length = 0
        while header := lines.readline().strip():
            name, _, value = header.partition(b":")
            length = int(value) if name.lower() == b"content-length" else length
        pairs = parse_qsl(lines.read(length).decode("ascii"), encoding="latin-1", keep_blank_values=True)
        self.forms.append({name: value.encode("latin-1") for name, value in pairs})
        out.write(self.answers[0])
        self.answers[:-1] = self.answers[1:-1] if len(self.answers) > 1 else []


def answer(text: str, status: str = "200 OK", header: str = "") -> bytes:
    """Return an answer of a web server."""
    return f"HTTP/1.1 {status}\r\nContent-Type: text/plain\r\n{header}\r\n{text}\n".encode()


@dataclass
class Mailbox:
    """A mail server.

    Attributes:
        answers: what it answers by the first word of a command, instead of taking it. Empty text ends the connection;
            `.` is the end of a message.
        messages: what it got, with the addresses of the envelope.
        commands: all lines that were no part of a message.
        certificate: for STARTTLS; None without TLS.
        port: where it listens.
    """

    answers: dict[str, str] = field(default_factory=dict)
    messages: list[tuple[str, str, EmailMessage]] = field(default_factory=list)
    commands: list[str] = field(default_factory=list)
    certificate: Path | None = None
    port: int = 0

    @property
    def url(self) -> str:
        """Its address for the settings."""
        return f"{'smtps' if self.certificate else 'smtp'}://{HOST}:{self.port}"

    def serve(self, connection: Any) -> None:
        """Serve one connection."""
        connection.sendall(b"220 hello\r\n")
        if self._talk(connection):
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(cast("Path", self.certificate))
            with closing(context.wrap_socket(connection, server_side=True)) as secure:
                self._talk(secure)

    def _talk(self, connection: Any) -> bool:
        """Answer commands, and return whether TLS comes next."""
        lines, sender, to = connection.makefile("rb"), "", ""
        while line := lines.readline():
            text = line.decode().strip()
            word = text.partition(" ")[0].upper()
            self.commands.append(text)
            said = self.answers.get(word, "250 fine")
            if word == "EHLO" and self.certificate and not isinstance(connection, ssl.SSLSocket):
                said = "250-hello\r\n250 STARTTLS"
            elif word == "EHLO":
                said = "250-hello\r\n250 AUTH PLAIN"
            elif word == "STARTTLS" and self.certificate:
                said = "220 go ahead"
            elif word == "AUTH":
                said = self.answers.get(word, "235 welcome")
            elif word == "DATA" and word not in self.answers:
                connection.sendall(b"354 go ahead\r\n")
                said = self._take(lines, sender, to)
            sender = text if word == "MAIL" else sender
            to = text if word == "RCPT" else to
            if not said:
                return False
            connection.sendall(f"{said}\r\n".encode())
            if word in {"STARTTLS", "QUIT"}:
                return bool(word == "STARTTLS")
        return False

    def _take(self, lines: IO[bytes], sender: str, to: str) -> str:
        content = b""
        while (line := lines.readline()) not in {b".\r\n", b""}:
            content += line.removeprefix(b".") if line.startswith(b"..") else line
        said = self.answers.get(".", "250 taken as 42")
        if said.startswith("250"):
            self.messages.append((sender, to, message_from_bytes(content, policy=default)))
        return said


@contextmanager
def web_server(*answers: bytes) -> Iterator[Web]:
    """Run a web server."""
    web = Web(list(answers)) if answers else Web()

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            web.talk(cast("IO[bytes]", self.rfile), cast("IO[bytes]", self.wfile))

    with _serving(Handler) as web.port:
        yield web


@contextmanager
def mail_server(certificate: Path | None = None, **answers: str) -> Iterator[Mailbox]:
    """Run a mail server, which takes everything but what `answers` refuse."""
    mailbox = Mailbox(dict(answers), certificate=certificate)

    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            mailbox.serve(self.request)

    with _serving(Handler) as mailbox.port:
        yield mailbox


@contextmanager
def _serving(handler: type[socketserver.BaseRequestHandler]) -> Iterator[int]:
    class Server(socketserver.ThreadingTCPServer):
        daemon_threads = True

        def handle_error(self, request: object, client_address: object) -> None:
            """Say nothing of clients that hang up."""

    with Server((HOST, 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()
            thread.join()
