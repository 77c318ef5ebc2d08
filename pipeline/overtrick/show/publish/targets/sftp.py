"""A folder on a server, over SSH. overtrick connects only to servers whose key is in `known_hosts`."""

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

from overtrick.show.publish.address import Address, DroppedError, PublishError
from overtrick.show.publish.targets import base

_TIMEOUT: Final = 30.0
_SSH: Final = 22
_HOME: Final = "/~/"

# paramiko also logs the exceptions that it raises, with tracebacks.
logging.getLogger("paramiko").addHandler(logging.NullHandler())


class SftpTarget:
    """A folder on an SSH server. A file is written beside its place and renamed onto it."""

    def __init__(self, address: Address) -> None:
        """Connect, and log in with a key from the agent or `~/.ssh`, or a password from the environment or the keyring.

        Raises:
            PublishError: the host key is unknown or has changed, the server refuses the login, or the folder does not
                exist.
            DroppedError: the server can't be reached.
        """
        self._host = address.host
        self._client = _open_client(address)
        at_home = f"{address.path}/".startswith(_HOME)
        self._root = (address.path[len(_HOME) :].strip("/") or ".") if at_home else (address.path.rstrip("/") or "/")
        self._made: set[str] = set()
        try:
            with self._errors(address.path):
                self._sftp = self._client.open_sftp()
                self._sftp.get_channel().settimeout(_TIMEOUT)  # type: ignore[union-attr]  # an open one has a channel
                self._enter()
        except BaseException:
            self.close()
            raise

    def _enter(self) -> None:
        """Create the folder if its parent exists."""
        if not self._is_folder(self._root):
            parent = posixpath.dirname(self._root) or "."
            if not self._is_folder(parent):
                raise PublishError(f"{self._host} has no folder {parent}; create it there first")
            self._sftp.mkdir(self._root)

    def listing(self, paths: Collection[str]) -> dict[str, int | None]:
        """List the folders of some files."""
        found: dict[str, int | None] = {}
        for folder in {base.folder_of(path) for path in paths}:
            with self._errors(folder):
                try:
                    found |= self._files(folder)
                except UnicodeDecodeError:
                    # Some other file there has a name that paramiko can't decode.
                    found |= self._sizes(path for path in paths if base.folder_of(path) == folder)
        return found

    def _files(self, folder: str) -> dict[str, int | None]:
        with suppress(FileNotFoundError):
            entries = base.list_bounded(self._sftp.listdir_iter(base.join(self._root, folder)))
            return {base.join(folder, e.filename): e.st_size for e in entries if not stat.S_ISDIR(e.st_mode or 0)}
        return {}

    def _sizes(self, paths: Iterable[str]) -> dict[str, int | None]:
        found: dict[str, int | None] = {}
        for path in paths:
            with suppress(FileNotFoundError):
                found[path] = self._sftp.stat(base.join(self._root, path)).st_size
        return found

    def read(self, path: str) -> bytes | None:
        """Read a file."""
        content = base.BoundedContent()
        with self._errors(path), suppress(FileNotFoundError):
            self._sftp.getfo(base.join(self._root, path), content)
            return content.getvalue()
        return None

    def write(self, path: str, content: bytes) -> None:
        """Write a file."""
        place = base.join(self._root, path)
        part = base.part_name(place)
        with self._errors(path):
            self._make_folders(path)
            try:
                self._sftp.putfo(BytesIO(content), part, len(content))
                self._rename(part, place)
            except OSError:
                with suppress(OSError, paramiko.SSHException):
                    self._sftp.remove(part)
                raise

    def delete(self, path: str) -> None:
        """Delete a file, and the folders that are then empty."""
        with self._errors(path):
            with suppress(FileNotFoundError):
                self._sftp.remove(base.join(self._root, path))
            for folder in base.folders_above(path):
                try:
                    self._sftp.rmdir(base.join(self._root, folder))
                except OSError:
                    return
                self._made.discard(folder)

    def close(self) -> None:
        """Close the connection."""
        self._client.close()

    def _rename(self, part: str, place: str) -> None:
        try:
            self._sftp.posix_rename(part, place)
        except OSError:
            # The server lacks OpenSSH's rename, and the standard one refuses to overwrite a file.
            if self._exists(place):
                base.replace_file(part, place, self._sftp.rename, self._sftp.remove)
            else:
                self._sftp.rename(part, place)

    def _make_folders(self, path: str) -> None:
        for folder in reversed(base.folders_above(path)):
            if folder not in self._made and not self._is_folder(base.join(self._root, folder)):
                self._sftp.mkdir(base.join(self._root, folder))
            self._made.add(folder)

    def _exists(self, path: str) -> bool:
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
    def _errors(self, path: str) -> Iterator[None]:
        try:
            yield
        except (TimeoutError, ConnectionError, EOFError, paramiko.SSHException) as error:
            raise DroppedError(f"{self._host} dropped the connection; publish again to resume") from error
        except FileNotFoundError as error:
            raise PublishError(f"{self._host} can't write {path}: its folder is gone") from error
        except PermissionError as error:
            raise PublishError(f"{self._host} does not let you change {path}: it is read-only for you") from error
        except OSError as error:
            if "closed" in str(error):
                raise DroppedError(f"{self._host} dropped the connection; publish again to resume") from error
            raise PublishError(
                f"{self._host} can't write {path}: its disk may be full, your quota used up, or the folder read-only"
            ) from error


def _open_client(address: Address) -> paramiko.SSHClient:
    """Open a connection to a server whose host key is right."""
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
            base.find_password(user, host),
            timeout=_TIMEOUT,
            banner_timeout=_TIMEOUT,
            auth_timeout=_TIMEOUT,
        )
    except paramiko.BadHostKeyException as error:
        raise PublishError(
            f"{host} has another host key than the one in known_hosts, so nothing was sent; ask your provider whether "
            "the key has changed. If not, somebody is intercepting the connection"
        ) from error
    except paramiko.AuthenticationException as error:
        raise PublishError(
            f"{host} refuses the login of {user}; check the key, or the password in {base.VARIABLE}"
        ) from error
    except paramiko.SSHException as error:
        if "known_hosts" in str(error):
            raise PublishError(
                f"{host} is not in known_hosts, so nothing was sent; connect once with `ssh {user}@{host}`, compare "
                "its key with the one that your provider gives you, and publish again"
            ) from error
        if "authentication methods" in str(error).lower():
            raise PublishError(f"{host} needs a key or a password for {user}; set {base.VARIABLE}") from error
        raise DroppedError(f"{host} dropped the connection during login: {error}") from error
    except (OSError, EOFError) as error:
        raise DroppedError(f"{host} can't be reached: {_reason(error)}") from error


def _reason(error: OSError | EOFError) -> str:
    if isinstance(error, TimeoutError):
        return "it doesn't answer"
    number = getattr(error, "errno", None)
    return "the connection was refused" if number in {errno.ECONNREFUSED, None} else str(error)
