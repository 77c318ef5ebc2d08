"""A folder on a server, over FTP, or over FTP with TLS and a checked certificate."""

import ftplib
import ssl
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from io import BytesIO
from itertools import count
from socket import socket
from typing import Final, cast

from overtrick.core.notation import is_number
from overtrick.show.publish.address import Address, DroppedError, PublishError
from overtrick.show.publish.targets import base

_TIMEOUT: Final = 30.0
_FULL: Final = ("452", "552")
_NOT_LOGGED_IN: Final = ("530", "331", "332", "430", "532")
_ABSENT: Final = "550"


def _encode(text: str) -> str:
    """Return UTF-8 text as the Latin-1 text that `ftplib` sends: Latin-1 can decode any answer of a server."""
    return text.encode("utf-8", "surrogateescape").decode("latin-1")


def _decode(text: str) -> str:
    """Undo `_encode`. Names that are not UTF-8 become texts that no UTF-8 name becomes."""
    return text.encode("latin-1").decode("utf-8", "surrogateescape")


class _Ftp(ftplib.FTP):
    """FTP with bounds on what a server says and lists."""

    def getmultiline(self) -> str:
        """Return an answer of one or more lines (RFC 959 4.2).

        Raises:
            PublishError: it has more than `MOST_SAID` lines.
        """
        first = self.getline()
        lines = [first]
        while first[3:4] == "-" and (len(lines) == 1 or lines[-1][:4] != f"{first[:3]} "):
            if len(lines) >= base.MOST_SAID:
                raise PublishError(f"{self.host} answers with more than {base.MOST_SAID:,} lines; check the address")
            lines.append(self.getline())
        return "\n".join(lines)

    def retrlines(self, cmd: str, callback: Callable[[str], object] | None = None) -> str:
        """Pass each line of a listing to `callback`, and return the server's answer."""
        numbers = base.list_bounded(count())

        def take(line: str) -> None:
            next(numbers)
            if callback:
                callback(line)

        return super().retrlines(cmd, take)


class _Tls(_Ftp, ftplib.FTP_TLS):
    """FTP with TLS that reuses the session of the control connection for data connections, as many servers demand."""

    def ntransfercmd(self, cmd: str, rest: int | str | None = None) -> tuple[socket, int | None]:
        connection, size = ftplib.FTP.ntransfercmd(self, cmd, rest)  # noqa: S321 - TLS follows below
        session = cast("ssl.SSLSocket", self.sock).session
        try:
            return self.context.wrap_socket(connection, server_hostname=self.host, session=session), size
        except BaseException:
            connection.close()
            raise


class FtpTarget:
    """A folder on an FTP server. A file is written beside its place and renamed onto it."""

    def __init__(self, address: Address) -> None:
        """Connect, and log in with the password from the environment or the keyring.

        Raises:
            PublishError: the certificate is not valid, the server refuses the login, or the folder does not exist.
            DroppedError: the server can't be reached.
        """
        self._host = address.host
        self._made: set[str] = set()
        self._ftp: ftplib.FTP = (
            _Tls(timeout=_TIMEOUT, context=ssl.create_default_context(), encoding="latin-1")
            if address.scheme == "ftps"
            else _Ftp(timeout=_TIMEOUT, encoding="latin-1")
        )
        try:
            self._connect(address)
            with self._errors(address.path):
                self._log_in(address)
                if isinstance(self._ftp, ftplib.FTP_TLS):
                    self._ftp.prot_p()
                self._enter(_encode(address.path))
        except BaseException:
            self.close()
            raise

    def _connect(self, address: Address) -> None:
        try:
            self._ftp.connect(address.host, address.port or 0)
        except TimeoutError as error:
            raise DroppedError(f"{self._host} does not answer; check the address and your network") from error
        except (OSError, EOFError, ftplib.Error) as error:
            reason = getattr(error, "strerror", None) or _said(error)
            raise DroppedError(f"{self._host} can't be reached: {reason}") from error

    def _log_in(self, address: Address) -> None:
        user = address.user or "anonymous"
        try:
            self._ftp.login(_encode(user), _encode(base.find_password(user, address.host) or ""))
        except ftplib.Error as error:
            if not str(error).startswith(_NOT_LOGGED_IN):
                raise
            raise PublishError(
                f"{self._host} refuses the login of {user}; check the name, and the password in {base.VARIABLE}"
            ) from error

    def _enter(self, path: str) -> None:
        """Change to the folder, and create it if its parent exists."""
        path = path.rstrip("/") or path
        if not path:
            return
        try:
            self._ftp.cwd(path)
        except ftplib.error_perm as error:
            parent, _, name = path.rpartition("/")
            try:
                if parent:
                    self._ftp.cwd(parent)
            except ftplib.error_perm:
                raise PublishError(f"{self._host} has no folder {parent}; create it there first") from error
            self._ftp.mkd(name)
            self._ftp.cwd(name)

    def listing(self, paths: Collection[str]) -> dict[str, int | None]:
        """List the folders of some files."""
        found: dict[str, int | None] = {}
        for folder in {base.folder_of(path) for path in paths}:
            with self._errors(folder):
                found |= {base.join(folder, _decode(name)): size for name, size in self._files(_encode(folder)).items()}
        return found

    def _files(self, folder: str) -> dict[str, int | None]:
        try:
            entries = dict(self._ftp.mlsd(folder or ".", ["type", "size"]))
        except ftplib.error_perm as error:
            if str(error).startswith(_ABSENT):
                return {}
            return self._names(folder)
        return {
            name: int(facts["size"]) if is_number(facts.get("size", "")) else None
            for name, facts in entries.items()
            if facts.get("type", "file").lower() == "file"
        }

    def _names(self, folder: str) -> dict[str, int | None]:
        """List the names in a folder, which may include folders, of a server without the command MLSD."""
        try:
            lines = self._ftp.nlst(folder) if folder else self._ftp.nlst()
        except ftplib.error_perm as error:
            if str(error).startswith(_ABSENT):
                return {}
            raise
        return {line.rpartition("/")[2]: None for line in lines}

    def read(self, path: str) -> bytes | None:
        """Read a file."""
        content = base.BoundedContent()
        with self._errors(path):
            try:
                self._ftp.retrbinary(f"RETR {_encode(path)}", content.write)
            except ftplib.error_perm as error:
                if str(error).startswith(_ABSENT):
                    return None
                raise
        return content.getvalue()

    def write(self, path: str, content: bytes) -> None:
        """Write a file."""
        place = _encode(path)
        part = base.part_name(place)
        with self._errors(path):
            self._make_folders(place)
            try:
                self._ftp.storbinary(f"STOR {part}", BytesIO(content))
                self._rename(part, place)
            except ftplib.Error:
                with suppress(ftplib.Error):
                    self._ftp.delete(part)
                raise

    def _rename(self, part: str, path: str) -> None:
        try:
            self._ftp.rename(part, path)
        except ftplib.error_perm:
            base.replace_file(part, path, self._ftp.rename, self._ftp.delete)

    def _make_folders(self, path: str) -> None:
        for folder in reversed(base.folders_above(path)):
            if folder not in self._made:
                # Not all servers can say whether a folder exists. If it can't be created, writing the file fails.
                with suppress(ftplib.error_perm):
                    self._ftp.mkd(folder)
                self._made.add(folder)

    def delete(self, path: str) -> None:
        """Delete a file, and the folders that are then empty."""
        place = _encode(path)
        with self._errors(path):
            try:
                self._ftp.delete(place)
            except ftplib.error_perm:
                if place.rpartition("/")[2] in self._files(base.folder_of(place)):
                    raise
            for folder in base.folders_above(place):
                try:
                    self._ftp.rmd(folder)
                except ftplib.error_perm:
                    return
                self._made.discard(folder)

    def close(self) -> None:
        """Close the connection."""
        self._ftp.close()

    @contextmanager
    def _errors(self, path: str) -> Iterator[None]:
        try:
            yield
        except ssl.SSLCertVerificationError as error:
            raise PublishError(
                f"{self._host} has a certificate that is not valid, so nothing was sent: {error.verify_message}"
            ) from error
        except ftplib.Error as error:
            raise _refusal(self._host, path, error) from error
        except (OSError, EOFError) as error:
            raise DroppedError(
                f"{self._host} dropped the connection at {path}; publish again to resume, and if it drops there again, "
                "check whether its disk is full"
            ) from error


def _refusal(host: str, path: str, error: ftplib.Error) -> PublishError:
    code = str(error)[:3]
    if code in _FULL or "space" in str(error).lower() or "quota" in str(error).lower():
        return PublishError(f"{host} can't write {path}: its disk is full, or your quota is used up")
    if isinstance(error, ftplib.error_temp):
        return DroppedError(
            f"{host} could not take {path} ({code}): its disk may be full, or the connection broke; "
            "publish again to resume"
        )
    if code == _ABSENT:
        return PublishError(f"{host} does not let you change {path}: its folder is gone, or read-only for you")
    return PublishError(f"{host} refuses {path}: {_said(error)}")


def _said(error: Exception) -> str:
    """Return the first line that a server said, as far as it is UTF-8 in its own letters."""
    return _decode((str(error).splitlines() or ["no reason given"])[0]).encode("utf-8", "replace").decode()
