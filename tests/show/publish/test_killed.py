"""`overtrick publish` is killed at random moments while somebody reads the site.

`OVERTRICK_KILLS` sets the number of kills for each kind of target.
"""

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Final

import pytest

from overtrick.show.publish.manifest import JOURNAL
from tests.support.servers import Server, bucket_client, ftp_server, s3_server, sftp_server, sshd_path
from tests.support.sites import held, lay, links_of, pages

pytestmark = pytest.mark.slow

KILLS: Final = int(os.environ.get("OVERTRICK_KILLS", "1"))
BOARDS: Final = 15

Read = Callable[[str], str | None]
"""Returns a page as the server shows it; None if it does not exist."""


@contextmanager
def local(base: Path) -> Iterator[Server]:
    folder = base / "www"
    folder.mkdir(parents=True)
    yield Server(str(folder), folder, {})


KINDS: Final[dict[str, Callable[[Path], AbstractContextManager[Server]]]] = {
    "folder": local,
    "sftp": sftp_server,
    "ftp": ftp_server,
    "ftps": partial(ftp_server, tls=True),
    "s3": lambda _base: s3_server(),
}


class Reader(threading.Thread):
    """Visits the site again and again, and records whatever a visitor would complain about."""

    def __init__(self, read: Read, lasting: Collection[str], complete: Collection[str]) -> None:
        """Take how to read pages, the paths of those in every edition, and the text of all pages of all editions."""
        super().__init__()
        self.read = read
        self.lasting = lasting
        self.complete = complete
        self.complaints: list[str] = []
        self.rounds = 0
        self._gone = threading.Event()

    def run(self) -> None:
        while not self._gone.is_set():
            self._visit("index.html")
            self.rounds += 1
            time.sleep(0.05)

    def _visit(self, start: str) -> None:
        todo, met = [start], {start}
        while todo and not self._gone.is_set():
            path = todo.pop()
            text = self.read(path)
            if text is None:
                if path in self.lasting:
                    self.complaints.append(f"{path} was there and is gone")
                continue
            if text not in self.complete:
                self.complaints.append(f"{path} is not a whole page: {text[:30]!r}, {len(text)} letters")
            for link in links_of(path, text):
                if link not in met:
                    met.add(link)
                    if self.read(link) is None and self._still_links(path, link):
                        self.complaints.append(f"{path} links to {link}, which is not there")
                    if link.endswith(".html"):
                        todo.append(link)

    def _still_links(self, path: str, link: str) -> bool:
        """Read a page again: a newer one may have replaced it in between."""
        text = self.read(path)
        return text is not None and link in links_of(path, text) and self.read(link) is None

    def leave(self) -> None:
        self._gone.set()
        self.join()


@contextmanager
def visited(read: Read, lasting: Collection[str], complete: Collection[str]) -> Iterator[Reader]:
    reader = Reader(read, lasting, complete)
    reader.start()
    try:
        yield reader
    finally:
        reader.leave()


@pytest.fixture(params=[pytest.param(name, id=name) for name in KINDS])
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Server]:
    if request.param == "sftp" and sshd_path() is None and not os.environ.get("OVERTRICK_REQUIRE_SERVERS"):
        pytest.skip("OpenSSH's sshd is not installed")
    with KINDS[request.param](tmp_path / "server") as started:
        yield started


@pytest.fixture
def read(server: Server) -> Iterator[Read]:
    if not server.url.startswith("s3:"):
        yield partial(read_file, server.folder)
        return
    with closing(bucket_client(server.environment)) as client:
        yield partial(read_key, client)


def read_file(folder: Path, path: str) -> str | None:
    try:
        return (folder / path).read_text("utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return None


def read_key(client: object, path: str) -> str | None:
    missing = client.exceptions.NoSuchKey  # type: ignore[attr-defined]  # boto3 makes its clients as it goes
    try:
        answer = client.get_object(Bucket="club", Key=f"results/{path}")  # type: ignore[attr-defined]
    except missing:
        return None
    return str(answer["Body"].read().decode())


def publisher(site: Path, server: Server) -> subprocess.Popen[bytes]:
    command = [
        sys.executable,
        "-c",
        "from overtrick.apps.cli import main; main()",
        "publish",
        str(site),
        server.url,
        "--yes",
    ]
    surroundings = {name: value for name, value in os.environ.items() if name != "SSH_AUTH_SOCK"}
    return subprocess.Popen(command, env=surroundings | server.environment, stderr=subprocess.PIPE)


def finished(site: Path, server: Server, read: Read) -> float:
    """Publish to the end, and return the seconds that it took from its first sign on the target."""
    process = publisher(site, server)
    begun(process, read)
    began = time.monotonic()
    _, message = process.communicate()
    assert 0 == process.returncode, message.decode()
    return time.monotonic() - began


def begun(process: subprocess.Popen[bytes], read: Read) -> None:
    """Wait until a run has left its first sign on the target, or is over."""
    while process.poll() is None and read(JOURNAL) is None:
        time.sleep(0.01)


def served(server: Server, read: Read, edition: dict[str, str]) -> dict[str, str | None]:
    """Return all pages on the server; in a bucket, those of the edition."""
    return {path: read(path) for path in edition} if server.url.startswith("s3:") else {**held(server.folder)}


@pytest.mark.sweep(2)
def test_readers_never_see_a_broken_site_and_the_next_run_completes_it(
    tmp_path: Path, server: Server, read: Read
) -> None:
    editions = [pages(BOARDS, 1), pages(BOARDS, 2, first=4)]
    site = lay(tmp_path / "site", editions[0])
    seconds = finished(site, server, read)
    lasting = editions[0].keys() & editions[1].keys()
    with visited(read, lasting, {text for edition in editions for text in edition.values()}) as reader:
        for turn in range(1, KILLS + 1):
            edition = editions[turn % 2]
            lay(site, edition)
            started = publisher(site, server)
            begun(started, read)
            time.sleep(random.uniform(0, seconds))
            started.send_signal(signal.SIGKILL)
            started.communicate()
            finished(site, server, read)
            assert edition == served(server, read, edition)
    assert [] == reader.complaints
    assert 0 < reader.rounds


@pytest.mark.sweep(2)
def test_of_two_that_publish_together_at_least_one_succeeds_and_the_site_is_of_one(
    tmp_path: Path, server: Server, read: Read
) -> None:
    editions = [pages(BOARDS, 1), pages(BOARDS, 2, first=4)]
    sites = [lay(tmp_path / f"site-{number}", edition) for number, edition in enumerate(editions)]
    runs = [publisher(site, server) for site in sites]
    messages = [run.communicate()[1].decode() for run in runs]
    assert 0 in [run.returncode for run in runs], messages
    assert {0, 3} >= {run.returncode for run in runs}
    assert all("another run" in said for run, said in zip(runs, messages, strict=True) if run.returncode)
    assert any(edition == served(server, read, edition) for edition in editions), messages
