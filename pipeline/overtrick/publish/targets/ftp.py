"""A folder of a server, over FTP, and over FTP with TLS where the certificate of the server is checked."""

import ftplib
import ssl
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from io import BytesIO
from socket import socket
from typing import Final, cast

from overtrick.publish.address import Address
from overtrick.publish.errors import DroppedError, PublishError
from overtrick.publish.passwords import VARIABLE, password_for
from overtrick.publish.targets.base import folder_of, folders_above, joined, part_name, take_place

_TIMEOUT: Final = 30.0
_FULL: Final = ("452", "552")
_NOT_LOGGED_IN: Final = ("530", "331", "332", "430", "532")
_ABSENT: Final = "550"


def _sent(text: str) -> str:
    """Write a text as it goes over a connection that is read as Latin-1, which nothing that a server says can break."""
    return text.encode("utf-8", "surrogateescape").decode("latin-1")


def _received(text: str) -> str:
    """Undo `_sent`; names that are not UTF-8 stay apart from all that are."""
    return text.encode("latin-1").decode("utf-8", "surrogateescape")


class _Tls(ftplib.FTP_TLS):
    """Goes on with the session of the control connection on every data connection, as many servers demand."""

    def ntransfercmd(self, cmd: str, rest: int | str | None = None) -> tuple[socket, int | None]:
        connection, size = ftplib.FTP.ntransfercmd(self, cmd, rest)  # noqa: S321 - with TLS below
        session = cast("ssl.SSLSocket", self.sock).session
        try:
            return self.context.wrap_socket(connection, server_hostname=self.host, session=session), size
        except BaseException:
            connection.close()
            raise


class FtpTarget:
    """Files are written beside their place and renamed onto it."""

    def __init__(self, address: Address) -> None:
        """Connect and log in with the password that the environment or the keyring holds.

        Raises:
            PublishError: the certificate or the login is refused, or the folder is not there.
            DroppedError: the server can't be reached.
        """
        self._host = address.host
        self._made: set[str] = set()
        self._ftp: ftplib.FTP = (
            _Tls(timeout=_TIMEOUT, context=ssl.create_default_context(), encoding="latin-1")
            if address.scheme == "ftps"
            else ftplib.FTP(timeout=_TIMEOUT, encoding="latin-1")  # noqa: S321 - many clubs have nothing else
        )
        try:
            self._connect(address)
            with self._told(address.path):
                self._log_in(address)
                if isinstance(self._ftp, ftplib.FTP_TLS):
                    self._ftp.prot_p()
                self._enter(_sent(address.path))
        except BaseException:
            self.close()
            raise

    def _connect(self, address: Address) -> None:
        try:
            self._ftp.connect(address.host, address.port or 0)
        except TimeoutError as error:
            raise DroppedError(f"{self._host} can't be reached: it doesn't answer") from error
        except (OSError, EOFError, ftplib.Error) as error:
            reason = getattr(error, "strerror", None) or error
            raise DroppedError(f"{self._host} can't be reached: {reason}") from error

    def _log_in(self, address: Address) -> None:
        user = address.user or "anonymous"
        try:
            self._ftp.login(_sent(user), _sent(password_for(user, address.host) or ""))
        except ftplib.Error as error:
            if not str(error).startswith(_NOT_LOGGED_IN):
                raise
            raise PublishError(
                f"{self._host} refuses the login of {user}: check the name and the password in {VARIABLE}"
            ) from error

    def _enter(self, path: str) -> None:
        """Make the folder the current one, and make it if the one around it is there."""
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
                raise PublishError(f"{self._host} has no folder {parent} to publish in") from error
            self._ftp.mkd(name)
            self._ftp.cwd(name)

    def listing(self, paths: Collection[str]) -> dict[str, int | None]:
        """List the folders that some files are in."""
        found: dict[str, int | None] = {}
        for folder in {folder_of(path) for path in paths}:
            with self._told(folder):
                found |= {joined(folder, _received(name)): size for name, size in self._files(_sent(folder)).items()}
        return found

    def _files(self, folder: str) -> dict[str, int | None]:
        try:
            entries = dict(self._ftp.mlsd(folder or ".", ["type", "size"]))
        except ftplib.error_perm as error:
            if str(error).startswith(_ABSENT):
                return {}
            return self._names(folder)
        return {
            name: int(facts["size"]) if facts.get("size", "").isdecimal() else None
            for name, facts in entries.items()
            if facts.get("type", "file").lower() == "file"
        }

    def _names(self, folder: str) -> dict[str, int | None]:
        """List a folder of a server that doesn't know how to list files for programs; folders may be among them."""
        try:
            lines = self._ftp.nlst(folder) if folder else self._ftp.nlst()
        except ftplib.error_perm as error:
            if str(error).startswith(_ABSENT):
                return {}
            raise
        return {line.rpartition("/")[2]: None for line in lines}

    def read(self, path: str) -> bytes | None:
        """Read a file."""
        content = BytesIO()
        with self._told(path):
            try:
                self._ftp.retrbinary(f"RETR {_sent(path)}", content.write)
            except ftplib.error_perm as error:
                if str(error).startswith(_ABSENT):
                    return None
                raise
        return content.getvalue()

    def write(self, path: str, content: bytes) -> None:
        """Put a file there."""
        place = _sent(path)
        part = part_name(place)
        with self._told(path):
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
            take_place(part, path, self._ftp.rename, self._ftp.delete)

    def _make_folders(self, path: str) -> None:
        for folder in reversed(folders_above(path)):
            if folder not in self._made:
                # There is no asking whether a folder exists that all servers answer; one that can't be made shows when
                # a file is put into it.
                with suppress(ftplib.error_perm):
                    self._ftp.mkd(folder)
                self._made.add(folder)

    def delete(self, path: str) -> None:
        """Take a file away, and folders that are empty then."""
        place = _sent(path)
        with self._told(path):
            try:
                self._ftp.delete(place)
            except ftplib.error_perm:
                if place.rpartition("/")[2] in self._files(folder_of(place)):
                    raise
            for folder in folders_above(place):
                try:
                    self._ftp.rmd(folder)
                except ftplib.error_perm:
                    return
                self._made.discard(folder)

    def close(self) -> None:
        """Hang up."""
        self._ftp.close()

    @contextmanager
    def _told(self, path: str) -> Iterator[None]:
        try:
            yield
        except ssl.SSLCertVerificationError as error:
            raise PublishError(
                f"{self._host} shows a certificate that can't be trusted, nothing was sent: {error.verify_message}"
            ) from error
        except ftplib.Error as error:
            raise _refusal(self._host, path, error) from error
        except (OSError, EOFError) as error:
            raise DroppedError(
                f"{self._host} broke off at {path}; publish again to go on, and if it breaks off there again "
                "its disk may be full"
            ) from error


def _refusal(host: str, path: str, error: ftplib.Error) -> PublishError:
    code = str(error)[:3]
    if code in _FULL or "space" in str(error).lower() or "quota" in str(error).lower():
        return PublishError(f"{host} can't write {path}: its disk is full, or your quota used up")
    if isinstance(error, ftplib.error_temp):
        return DroppedError(
            f"{host} could not take {path} ({code}): its disk may be full, or the connection broke; "
            "publish again to go on"
        )
    if code == _ABSENT:
        return PublishError(f"{host} doesn't let you change {path}: its folder is gone, or read-only for you")
    return PublishError(f"{host} refuses {path}: {str(error).splitlines()[0]}")
