"""A folder of a server, over SSH. Only servers that `known_hosts` vouches for are talked to."""

import errno
import getpass
import logging
import posixpath
import stat
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from io import BytesIO
from typing import Final

import paramiko

from overtrick.publish.address import Address
from overtrick.publish.errors import DroppedError, PublishError
from overtrick.publish.passwords import VARIABLE, password_for
from overtrick.publish.targets.base import folder_of, folders_above, joined, part_name, take_place

_TIMEOUT: Final = 30.0
_SSH: Final = 22
_HOME: Final = "/~/"

# paramiko logs what it raises as well, with tracebacks.
logging.getLogger("paramiko").addHandler(logging.NullHandler())


class SftpTarget:
    """Files are written beside their place and renamed onto it."""

    def __init__(self, address: Address) -> None:
        """Connect and log in, by a key of the agent or of `~/.ssh`, or by the password that the environment holds.

        Raises:
            PublishError: the host key is not known or has changed, or the login is refused, or the folder is not there.
            DroppedError: the server can't be reached.
        """
        self._host = address.host
        self._client = _connected(address)
        at_home = f"{address.path}/".startswith(_HOME)
        self._root = (address.path[len(_HOME) :].strip("/") or ".") if at_home else (address.path.rstrip("/") or "/")
        self._made: set[str] = set()
        try:
            with self._told(address.path):
                self._sftp = self._client.open_sftp()
                self._sftp.get_channel().settimeout(_TIMEOUT)  # type: ignore[union-attr]  # an open one has a channel
                self._enter()
        except BaseException:
            self.close()
            raise

    def _enter(self) -> None:
        """Make the folder, if the one around it is there."""
        if not self._is_folder(self._root):
            parent = posixpath.dirname(self._root) or "."
            if not self._is_folder(parent):
                raise PublishError(f"{self._host} has no folder {parent} to publish in")
            self._sftp.mkdir(self._root)

    def listing(self, paths: Collection[str]) -> dict[str, int | None]:
        """List the folders that some files are in."""
        found: dict[str, int | None] = {}
        for folder in {folder_of(path) for path in paths}:
            with self._told(folder):
                try:
                    found |= self._files(folder)
                except UnicodeDecodeError:
                    # Among the files of others is a name that paramiko can't read.
                    found |= self._sizes(path for path in paths if folder_of(path) == folder)
        return found

    def _files(self, folder: str) -> dict[str, int | None]:
        with suppress(FileNotFoundError):
            entries = self._sftp.listdir_attr(joined(self._root, folder))
            return {joined(folder, e.filename): e.st_size for e in entries if not stat.S_ISDIR(e.st_mode or 0)}
        return {}

    def _sizes(self, paths: Iterable[str]) -> dict[str, int | None]:
        found: dict[str, int | None] = {}
        for path in paths:
            with suppress(FileNotFoundError):
                found[path] = self._sftp.stat(joined(self._root, path)).st_size
        return found

    def read(self, path: str) -> bytes | None:
        """Read a file."""
        content = BytesIO()
        with self._told(path), suppress(FileNotFoundError):
            self._sftp.getfo(joined(self._root, path), content)
            return content.getvalue()
        return None

    def write(self, path: str, content: bytes) -> None:
        """Put a file there."""
        place = joined(self._root, path)
        part = part_name(place)
        with self._told(path):
            self._make_folders(path)
            try:
                self._sftp.putfo(BytesIO(content), part, len(content))
                self._rename(part, place)
            except OSError:
                with suppress(OSError, paramiko.SSHException):
                    self._sftp.remove(part)
                raise

    def delete(self, path: str) -> None:
        """Take a file away, and folders that are empty then."""
        with self._told(path):
            with suppress(FileNotFoundError):
                self._sftp.remove(joined(self._root, path))
            for folder in folders_above(path):
                try:
                    self._sftp.rmdir(joined(self._root, folder))
                except OSError:
                    return
                self._made.discard(folder)

    def close(self) -> None:
        """Hang up."""
        self._client.close()

    def _rename(self, part: str, place: str) -> None:
        try:
            self._sftp.posix_rename(part, place)
        except OSError:
            # A server without OpenSSH's rename: its own refuses to write over a file.
            if self._is_there(place):
                take_place(part, place, self._sftp.rename, self._sftp.remove)
            else:
                self._sftp.rename(part, place)

    def _make_folders(self, path: str) -> None:
        for folder in reversed(folders_above(path)):
            if folder not in self._made and not self._is_folder(joined(self._root, folder)):
                self._sftp.mkdir(joined(self._root, folder))
            self._made.add(folder)

    def _is_there(self, path: str) -> bool:
        try:
            self._sftp.stat(path)
        except FileNotFoundError:
            return False
        return True

    def _is_folder(self, path: str) -> bool:
        try:
            return stat.S_ISDIR(self._sftp.stat(path).st_mode or 0)
        except FileNotFoundError:
            return False

    @contextmanager
    def _told(self, path: str) -> Iterator[None]:
        try:
            yield
        except (TimeoutError, ConnectionError, EOFError, paramiko.SSHException) as error:
            raise DroppedError(f"{self._host} broke off the connection; publish again to go on") from error
        except FileNotFoundError as error:
            raise PublishError(f"{self._host} can't write {path}: its folder is gone") from error
        except PermissionError as error:
            raise PublishError(f"{self._host} doesn't let you change {path}: it is read-only for you") from error
        except OSError as error:
            if "closed" in str(error):
                raise DroppedError(f"{self._host} broke off the connection; publish again to go on") from error
            raise PublishError(
                f"{self._host} can't write {path}: its disk may be full, your quota used up or the folder read-only"
            ) from error


def _connected(address: Address) -> paramiko.SSHClient:
    """Open a connection that the host key of the server was checked for."""
    host, user = address.host, address.user or getpass.getuser()
    client = paramiko.SSHClient()
    client.load_system_host_keys()
    with suppress(OSError):
        client.load_system_host_keys("/etc/ssh/ssh_known_hosts")
    client.set_missing_host_key_policy(paramiko.RejectPolicy())
    try:
        _connect(client, host, user, address.port or _SSH)
    except BaseException:
        client.close()
        raise
    return client


def _connect(client: paramiko.SSHClient, host: str, user: str, port: int) -> None:
    try:
        client.connect(
            host,
            port,
            user,
            password_for(user, host),
            timeout=_TIMEOUT,
            banner_timeout=_TIMEOUT,
            auth_timeout=_TIMEOUT,
        )
    except paramiko.BadHostKeyException as error:
        raise PublishError(
            f"{host} shows another host key than known_hosts holds for it: nothing was sent; ask the host whether its "
            "key was changed, for else somebody is in between"
        ) from error
    except paramiko.AuthenticationException as error:
        raise PublishError(
            f"{host} refuses the login of {user}: check the key, or the password in {VARIABLE}"
        ) from error
    except paramiko.SSHException as error:
        if "known_hosts" in str(error):
            raise PublishError(
                f"{host} is not in known_hosts, so nobody vouches for it: connect once with `ssh {user}@{host}`, "
                "compare the key with the one that the host names, and publish again"
            ) from error
        if "authentication methods" in str(error).lower():
            raise PublishError(f"{host} wants a key or a password for {user}: set {VARIABLE}") from error
        raise DroppedError(f"{host} broke off while connecting: {error}") from error
    except (OSError, EOFError) as error:
        raise DroppedError(f"{host} can't be reached: {_reason(error)}") from error


def _reason(error: OSError | EOFError) -> str:
    if isinstance(error, TimeoutError):
        return "it doesn't answer"
    number = getattr(error, "errno", None)
    return "the connection was refused" if number in {errno.ECONNREFUSED, None} else str(error)
