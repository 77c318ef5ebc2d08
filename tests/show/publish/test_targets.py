"""Publishing to real servers that the tests start: OpenSSH, FTP, FTP with TLS, S3."""

import os
import pwd
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing
from functools import partial
from pathlib import Path

import pytest

from overtrick.show.publish.address import PublishError
from overtrick.show.publish.bulletin import SiteFile
from overtrick.show.publish.manifest import JOURNAL, MANIFEST
from overtrick.show.publish.targets import base, ftp
from tests.support.commands import Ran, run
from tests.support.servers import (
    HOST,
    PASSWORD,
    Server,
    bucket_client,
    command,
    free_port,
    ftp_server,
    make_key,
    s3_server,
    sftp_server,
    small_disk,
    sshd_path,
    trust,
)
from tests.support.sites import bulletin, held, lay

KINDS: dict[str, Callable[[Path], AbstractContextManager[Server]]] = {
    "sftp": sftp_server,
    "sftp without OpenSSH's rename": partial(sftp_server, options="-P posix-rename"),
    "ftp": ftp_server,
    "ftp that lists no facts": partial(ftp_server, without=("MLSD",)),
    "ftp that renames onto nothing": partial(ftp_server, renames=False),
    "ftps": partial(ftp_server, tls=True),
    "s3": lambda _base: s3_server(),
}
needs_sshd = pytest.mark.skipif(
    sshd_path() is None and not os.environ.get("OVERTRICK_REQUIRE_SERVERS"), reason="OpenSSH's sshd is not installed"
)


def kinds(*names: str) -> pytest.MarkDecorator:
    """Run a test with each of these servers."""
    marked = [pytest.param(name, marks=needs_sshd if name.startswith("sftp") else ()) for name in names or KINDS]
    return pytest.mark.parametrize("server", marked, indirect=True)


@pytest.fixture
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Server]:
    with KINDS[request.param](tmp_path / "server") as started:
        yield started


@pytest.fixture
def site(tmp_path: Path) -> Path:
    return lay(tmp_path / "site", bulletin(4))


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ignore the settings of this machine's user, and don't wait between tries."""
    for name in ("SSH_AUTH_SOCK", "OVERTRICK_PASSWORD", "OVERTRICK_CONFIG", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("overtrick.show.publish.targets._WAITS", (0.0, 0.0, 0.0))


def put(site: Path, server: Server, *options: str, url: str = "", **environment: str) -> Ran:
    """Publish, and check that no message shows the password."""
    ran = run("publish", site, url or server.url, *options, environment=server.environment | environment)
    assert PASSWORD not in ran.out + ran.err
    return ran


def contents(server: Server) -> dict[str, str]:
    """List what the server holds, without manifest and journal."""
    if not server.url.startswith("s3:"):
        return held(server.folder)
    with closing(bucket_client(server.environment)) as client:
        entries = client.list_objects_v2(Bucket="club", Prefix="results/").get("Contents", ())
        texts = {e["Key"]: client.get_object(Bucket="club", Key=e["Key"])["Body"].read().decode() for e in entries}
    found = {key.removeprefix("results/"): text for key, text in texts.items()}
    return {name: text for name, text in found.items() if name not in {MANIFEST, JOURNAL}}


def failure(ran: Ran) -> str:
    """Return the only message of a failed run, apart from the warning that comes with every ftp: address."""
    assert (3, "") == (ran.status, ran.out)
    (sentence,) = (line for line in ran.err.splitlines() if not line.startswith("overtrick: ftp: sends your password"))
    return sentence.removeprefix("overtrick: ")


@kinds()
@pytest.mark.slow
@pytest.mark.sweep(2)
def test_a_site_is_sent_corrected_and_left_alone_when_nothing_changed(site: Path, server: Server) -> None:
    assert (0, "7 added, 0 changed, 0 deleted, 0 unchanged") == counted(put(site, server))
    assert bulletin(4).keys() == contents(server).keys()
    assert bulletin(4) == contents(server)
    assert (0, "0 added, 0 changed, 0 deleted, 7 unchanged") == counted(put(site, server))
    lay(site, bulletin(4, 2, first=2))
    assert (0, "2 added, 4 changed, 2 deleted, 1 unchanged") == counted(put(site, server))
    assert bulletin(4, 2, first=2) == contents(server)


def counted(ran: Ran) -> tuple[int, str]:
    return ran.status, ran.err.strip().rpartition(": ")[2]


@kinds()
@pytest.mark.slow
@pytest.mark.sweep(2)
def test_files_of_others_stay(site: Path, server: Server) -> None:
    put(site, server)
    theirs = {"photo.jpg": "smile", "board-4/notes.txt": "a lucky slam"}
    if server.url.startswith("s3:"):
        with closing(bucket_client(server.environment)) as client:
            for name, text in theirs.items():
                client.put_object(Bucket="club", Key=f"results/{name}", Body=text.encode())
    else:
        for name, text in theirs.items():
            (server.folder / name).write_text(text, "utf-8")
    lay(site, bulletin(3))
    assert 0 == put(site, server).status
    assert bulletin(3) | theirs == contents(server)


@kinds("sftp", "ftp", "ftp that lists no facts")
def test_others_file_names_may_be_in_any_encoding_and_ours_in_any_script(site: Path, server: Server) -> None:
    theirs = os.fsencode(server.folder) + b"/\xdcbersicht.htm"
    Path(os.fsdecode(theirs)).touch()
    lay(site, bulletin(1) | {"dürfen/日曜 100%.html": "ja"})
    for changes in ("5 added", "5 unchanged"):
        assert changes in put(site, server).err
    assert Path(os.fsdecode(theirs)).exists()
    assert "ja" == (server.folder / "dürfen" / "日曜 100%.html").read_text("utf-8")


@pytest.mark.slow
@kinds("sftp", "ftp", "ftps", "s3")
@pytest.mark.sweep(2)
def test_a_dry_run_lists_what_would_be_done_and_changes_nothing(site: Path, server: Server) -> None:
    put(site, server)
    lay(site, bulletin(3))
    ran = put(site, server, "--dry-run")
    assert "change  board-3/index.html\nchange  index.html\ndelete  board-4/index.html\n" == ran.out
    assert (0, "0 to add, 2 to change, 1 to delete, 4 unchanged") == counted(ran)
    assert bulletin(4) == contents(server)


@kinds("sftp", "ftp", "ftps")
def test_a_folder_is_created_only_if_its_parent_exists(site: Path, server: Server) -> None:
    base = server.url.rstrip("/")
    assert 0 == put(site, server, url=f"{base}/results/").status
    assert bulletin(4) == held(server.folder / "results")
    assert "a; create it there first" in failure(put(site, server, url=f"{base}/a/b"))
    assert not (server.folder / "a").exists()


@pytest.mark.slow
@kinds("sftp")
def test_an_address_may_start_at_the_users_home(site: Path, server: Server) -> None:
    user = pwd.getpwuid(os.getuid())
    place = os.path.relpath(server.folder, user.pw_dir)
    assert 0 == put(site, server, url=f"{'/'.join(server.url.split('/')[:3])}/~/{place}").status
    assert bulletin(4) == contents(server)


@kinds("s3")
def test_pages_in_a_bucket_are_served_as_pages(site: Path, server: Server) -> None:
    put(site, server)
    with closing(bucket_client(server.environment)) as client:
        head = client.head_object(Bucket="club", Key="results/index.html")
    assert "text/html; charset=utf-8" == head["ContentType"]


@kinds("sftp", "ftp", "ftps")
def test_a_wrong_password_is_reported_but_not_shown(site: Path, server: Server) -> None:
    shutil.rmtree(Path(server.environment.get("HOME", "/nowhere")) / ".ssh" / "id_ed25519", ignore_errors=True)
    for key in Path(server.environment.get("HOME", "/nowhere")).glob(".ssh/id_*"):
        key.unlink()
    message = failure(put(site, server, OVERTRICK_PASSWORD="a doubleton"))
    assert f"{HOST} refuses the login of " in message
    assert "doubleton" not in message
    assert {} == contents(server)


@kinds("s3")
def test_wrong_credentials_are_reported(site: Path, server: Server) -> None:
    command(server.environment, "reset-auth", b"0")
    assert "the bucket club refuses the credentials; check AWS_ACCESS_KEY_ID and its secret" == failure(
        put(site, server)
    )


@kinds("s3")
def test_a_missing_bucket_is_reported(site: Path, server: Server) -> None:
    assert "the bucket cub does not exist" == failure(put(site, server, url="s3://cub/results"))


@kinds("sftp")
def test_a_server_with_a_changed_host_key_gets_nothing(site: Path, server: Server, tmp_path: Path) -> None:
    port = int(server.url.split(":")[2].partition("/")[0])
    trust(Path(server.environment["HOME"]), port, make_key(tmp_path / "another"))
    assert failure(put(site, server)).startswith(
        f"{HOST} has another host key than the one in known_hosts, so nothing was sent"
    )
    assert {} == contents(server)


@kinds("sftp")
def test_a_server_with_an_unknown_host_key_gets_nothing(site: Path, server: Server) -> None:
    (Path(server.environment["HOME"]) / ".ssh" / "known_hosts").unlink()
    assert failure(put(site, server)).startswith(f"{HOST} is not in known_hosts")
    assert {} == contents(server)


@kinds("ftps")
def test_a_server_without_a_valid_certificate_gets_nothing(site: Path, server: Server) -> None:
    message = failure(put(site, server, SSL_CERT_FILE=os.devnull))
    assert message.startswith(f"{HOST} has a certificate that is not valid, so nothing was sent: ")
    assert {} == contents(server)


@needs_sshd
def test_a_read_only_sftp_target_is_reported(site: Path, tmp_path: Path) -> None:
    with sftp_server(tmp_path, "-R") as server:
        assert failure(put(site, server)).endswith("is read-only for you")


@pytest.mark.parametrize("tls", [False, True])
def test_a_read_only_ftp_target_is_reported(site: Path, tmp_path: Path, tls: bool) -> None:
    with ftp_server(tmp_path, tls=tls, rights="elr") as server:
        assert failure(put(site, server)).endswith("read-only for you")


def test_a_read_only_local_target_is_reported(site: Path, tmp_path: Path) -> None:
    with small_disk(tmp_path / "www") as www:
        subprocess.run(["mount", "-o", "remount,ro", str(www)], check=True)
        message = failure(run("publish", site, www))
        assert message.endswith("can't be written: you may not change this folder, or it is read-only")


@kinds("sftp", "ftp")
@pytest.mark.slow
def test_a_full_disk_is_reported_and_the_next_run_resumes(site: Path, server: Server) -> None:
    with small_disk(server.folder):
        lay(site, bulletin(4) | {"bulletin.pdf": "%" * 300_000})
        assert "disk" in failure(put(site, server))
        lay(site, bulletin(4))
        assert 0 == put(site, server).status
        assert bulletin(4) == contents(server)


def test_a_full_local_disk_is_reported(site: Path, tmp_path: Path) -> None:
    with small_disk(tmp_path / "www") as www:
        lay(site, bulletin(4) | {"bulletin.pdf": "%" * 300_000})
        assert f"{www / 'bulletin.pdf'}: can't be written: the disk is full" == failure(run("publish", site, www))


@kinds("sftp", "ftp", "ftps")
def test_a_folder_that_vanishes_during_a_run_is_reported(
    site: Path, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = SiteFile.read

    def vanish(file: SiteFile) -> bytes:
        if file.path.name == "index.html":
            shutil.rmtree(server.folder)
        return content(file)

    monkeypatch.setattr(SiteFile, "read", vanish)
    assert "its folder is gone" in failure(put(site, server))


@pytest.mark.slow
@kinds("sftp")
def test_a_broken_connection_is_opened_again(site: Path, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    content = SiteFile.read
    breaks: list[Path] = []

    def hang_up(file: SiteFile) -> bytes:
        if file.path.name == "index.html" and len(breaks) < 2:
            breaks.append(file.path)
            server.hang_up()
        return content(file)

    monkeypatch.setattr(SiteFile, "read", hang_up)
    assert 0 == put(site, server).status
    assert 2 == len(breaks)
    assert bulletin(4) == contents(server)


@pytest.mark.parametrize("scheme", ["sftp", "ftp", "ftps", "s3"])
def test_a_server_that_can_t_be_reached_is_reported(site: Path, tmp_path: Path, scheme: str) -> None:
    port = free_port()
    server = Server("", tmp_path, {"AWS_ENDPOINT_URL": f"http://{HOST}:{port}", "HOME": str(tmp_path)})
    keys = {"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": PASSWORD, "AWS_DEFAULT_REGION": "us-east-1"}
    url = "s3://club/results" if scheme == "s3" else f"{scheme}://scorer@{HOST}:{port}/www"
    assert "can't be reached" in failure(put(site, server, url=url, OVERTRICK_PASSWORD=PASSWORD, **keys))


@kinds()
def test_a_file_that_is_too_large_to_be_a_manifest_is_not_read(
    site: Path, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert put(site, server).status == 0
    monkeypatch.setattr(base, "LARGEST", 100)
    assert "a file on the target has more than 100 bytes; remove it and publish again" in failure(put(site, server))


@kinds()
def test_a_folder_with_too_many_files_is_not_listed(
    site: Path, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert put(site, server).status == 0
    monkeypatch.setattr(base, "MOST_LISTED", 1)
    assert "a folder on the target has more than 1 files; publish to another one" in failure(put(site, server))


def test_a_server_that_never_ends_its_answer_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    client = ftp._Ftp()  # noqa: SLF001 - no server of ours talks without an end
    monkeypatch.setattr(client, "getline", lambda: "220-welcome")
    with pytest.raises(PublishError, match="answers with more than 1,000 lines"):
        client.getresp()
