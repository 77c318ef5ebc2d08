"""Real servers on this machine's loopback, each serving a folder: OpenSSH, FTP with and without TLS, S3."""

import os
import shutil
import signal
import socket
import subprocess
import threading
import time
import warnings
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from http import HTTPStatus
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import boto3
import pytest
from moto.server import ThreadedMotoServer

with warnings.catch_warnings():
    # Python 3.11 warns that asyncore, which pyftpdlib uses, is gone in 3.12; there pyftpdlib brings its own.
    warnings.simplefilter("ignore", DeprecationWarning)
    from pyftpdlib.authorizers import DummyAuthorizer
    from pyftpdlib.filesystems import AbstractedFS, FilesystemError
    from pyftpdlib.handlers import FTPHandler, TLS_FTPHandler
    from pyftpdlib.servers import FTPServer

USER = "scorer"
PASSWORD = "a void in hearts"
HOST = "127.0.0.1"


@dataclass(frozen=True)
class Server:
    """A running server.

    Attributes:
        url: address of the folder it serves.
        folder: that folder on this machine.
        environment: what a publisher needs in its environment to be let in.
        process: the number of its process, where it has one of its own.
    """

    url: str
    folder: Path
    environment: dict[str, str]
    process: int = 0

    def hang_up(self) -> None:
        """Break all connections: each is a child process of the server."""
        for child in Path(f"/proc/{self.process}/task/{self.process}/children").read_text("utf-8").split():
            os.kill(int(child), signal.SIGKILL)


def free_port() -> int:
    with closing(socket.socket()) as listener:
        listener.bind((HOST, 0))
        return int(listener.getsockname()[1])


def make_key(path: Path) -> str:
    """Make an SSH key, and return its public part."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(path)], check=True)
    return path.with_suffix(".pub").read_text("utf-8")


def sshd_path() -> str | None:
    return shutil.which("sshd", path=f"{os.environ.get('PATH', '')}:/usr/sbin")


@contextmanager
def sftp_server(base: Path, options: str = "") -> Iterator[Server]:
    """Run OpenSSH as the user of the test, with host key, login key and known_hosts of its own below `base`.

    `options` are those of its SFTP server.
    """
    program, port, home, www = sshd_path(), free_port(), base / "home", base / "sftp"
    assert program, "OpenSSH's sshd is not installed"
    www.mkdir(parents=True, exist_ok=True)
    host_key = make_key(base / "host_key")
    (base / "authorized_keys").write_text(make_key(home / ".ssh" / "id_ed25519"), "utf-8")
    trust(home, port, host_key)
    config = base / "sshd_config"
    config.write_text(
        f"ListenAddress {HOST}:{port}\nHostKey {base / 'host_key'}\nAuthorizedKeysFile {base / 'authorized_keys'}\n"
        f"PidFile none\nStrictModes no\nUsePAM no\nPermitRootLogin yes\nPasswordAuthentication yes\nMaxStartups 100\n"
        f"Subsystem sftp internal-sftp {options}\n",
        "utf-8",
    )
    if os.getuid() == 0:
        # As root, sshd needs this folder, which the system creates only for the service.
        Path("/run/sshd").mkdir(mode=0o755, exist_ok=True)
    with (base / "sshd.log").open("w") as log:
        process = subprocess.Popen([program, "-D", "-e", "-f", str(config)], stderr=log)
        try:
            wait_for(port)
            yield Server(f"sftp://{HOST}:{port}{www}", www, {"HOME": str(home)}, process.pid)
        finally:
            process.terminate()
            process.wait()


def trust(home: Path, port: int, host_key: str) -> None:
    """Write a `known_hosts` file with one server."""
    kind, key = host_key.split()[:2]
    (home / ".ssh" / "known_hosts").write_text(f"[{HOST}]:{port} {kind} {key}\n", "utf-8")


def wait_for(port: int) -> None:
    for _ in range(200):
        with suppress(OSError), closing(socket.create_connection((HOST, port), 1)):
            return
        time.sleep(0.05)
    raise AssertionError(f"nothing listens on {port}")


@contextmanager
def ftp_server(
    base: Path, *, tls: bool = False, rights: str = "elradfmwMT", without: tuple[str, ...] = (), renames: bool = True
) -> Iterator[Server]:
    """Run an FTP server.

    Args:
        base: a folder for what it needs; it serves one below.
        tls: whether it insists on TLS.
        rights: of the user, as pyftpdlib's letters.
        without: commands that it doesn't know.
        renames: whether it renames a file onto another one.
    """

    class Files(AbstractedFS):  # type: ignore[misc]  # pyftpdlib has no types
        def rename(self, src: str, dst: str) -> None:
            if not renames and os.path.lexists(dst):
                raise FilesystemError("file exists")
            super().rename(src, dst)

    www = base / "ftp"
    www.mkdir(parents=True, exist_ok=True)
    authorizer = DummyAuthorizer()
    authorizer.add_user(USER, PASSWORD, str(www), perm=rights)
    environment = {"OVERTRICK_PASSWORD": PASSWORD}
    settings: dict[str, Any] = {"authorizer": authorizer, "abstracted_fs": Files, "auth_failed_timeout": 0}
    settings["proto_cmds"] = {name: what for name, what in FTPHandler.proto_cmds.items() if name not in without}
    if tls:
        certificate = make_certificate(base)
        settings |= {"certfile": str(certificate), "tls_control_required": True, "tls_data_required": True}
        settings["proto_cmds"] = TLS_FTPHandler.proto_cmds
        environment["SSL_CERT_FILE"] = str(certificate)
    handler = type("Handler", (TLS_FTPHandler if tls else FTPHandler,), settings)
    server = FTPServer((HOST, 0), handler)
    ended = threading.Event()

    def serve() -> None:
        # A server that another thread closes may be waiting on its closed socket.
        while not ended.is_set():
            server.ioloop.loop(timeout=0.05, blocking=False)
        server.close_all()

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        scheme = "ftps" if tls else "ftp"
        yield Server(f"{scheme}://{USER}@{HOST}:{server.address[1]}/", www, environment)
    finally:
        ended.set()
        thread.join()


def make_certificate(base: Path) -> Path:
    """Make a self-signed certificate for this machine, with its key in the same file."""
    base.mkdir(parents=True, exist_ok=True)
    key, certificate, both = base / "key.pem", base / "certificate.pem", base / "both.pem"
    subprocess.run(
        [
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "rsa:2048",
            "-nodes",
            "-days",
            "2",
            "-subj",
            "/CN=club",
            "-addext",
            f"subjectAltName=IP:{HOST}",
            "-keyout",
            str(key),
            "-out",
            str(certificate),
        ],
        check=True,
        capture_output=True,
    )
    both.write_bytes(key.read_bytes() + certificate.read_bytes())
    return both


@contextmanager
def s3_server(bucket: str = "club") -> Iterator[Server]:
    """Run an S3 server with one bucket. Its files are in memory, so `folder` does not exist."""
    server = ThreadedMotoServer(ip_address=HOST, port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    environment = {
        "AWS_ENDPOINT_URL": f"http://{host}:{port}",
        "AWS_ACCESS_KEY_ID": "key",
        "AWS_SECRET_ACCESS_KEY": PASSWORD,
        "AWS_DEFAULT_REGION": "us-east-1",
    }
    try:
        with closing(bucket_client(environment)) as client:
            client.create_bucket(Bucket=bucket)
        yield Server(f"s3://{bucket}/results", Path(), environment)
    finally:
        # Otherwise its files would stay in the memory of this process.
        command(environment, "reset-auth", b"inf")
        command(environment, "reset")
        server.stop()


def command(environment: dict[str, str], name: str, body: bytes = b"") -> None:
    """Send a command that changes the behaviour of the server of `s3_server`."""
    with closing(HTTPConnection(environment["AWS_ENDPOINT_URL"].removeprefix("http://"))) as connection:
        connection.request("POST", f"/moto-api/{name}", body, {"Content-Type": "text/plain"})
        assert HTTPStatus.OK == connection.getresponse().status


def bucket_client(environment: dict[str, str]) -> Any:
    return boto3.client(
        "s3",
        endpoint_url=environment["AWS_ENDPOINT_URL"],
        aws_access_key_id="key",
        aws_secret_access_key=PASSWORD,
        region_name="us-east-1",
    )


@contextmanager
def small_disk(place: Path) -> Iterator[Path]:
    """Mount a disk of 256 kB. Only root can; for other users the test is skipped."""
    place.mkdir(parents=True, exist_ok=True)
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(place)], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("mounting a small disk takes root")
    try:
        yield place
    finally:
        subprocess.run(["umount", "--lazy", str(place)], check=True)
