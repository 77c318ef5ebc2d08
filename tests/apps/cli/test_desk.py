"""`overtrick desk`: its address, its end, its shortcut, and what it needs."""

import os
import random
import signal
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from itertools import count
from pathlib import Path

import pytest

from overtrick.apps.desk.shortcut import install_shortcut
from tests.support.commands import FIXTURES, run
from tests.support.desk import running


def status(url: str) -> int:
    try:
        with urllib.request.urlopen(url, timeout=20) as answer:  # noqa: S310 - the desk's own address
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


@pytest.mark.slow
def test_it_prints_an_address_that_lets_in_and_ends_when_interrupted(tmp_path: Path) -> None:
    with running(tmp_path) as desk:
        assert desk.address.startswith("http://127.0.0.1:")
        assert 401 == status(f"{desk.base}/")
        again = run("desk", tmp_path, "--no-browser")
        assert (0, f"{desk.address}\n") == (again.status, again.out)
        desk.process.send_signal(signal.SIGINT)
        desk.process.wait(15)


@pytest.mark.slow
def test_the_desk_of_a_folder_keeps_its_address_and_no_file_of_the_club_holds_it(tmp_path: Path) -> None:
    folder, settings = tmp_path / "club", tmp_path / "settings"
    folder.mkdir()
    addresses = []
    for _ in range(2):
        with running(folder, port=None, environment={"XDG_CONFIG_HOME": str(settings)}) as desk:
            addresses.append(desk.address)
    token = addresses[0].rpartition("=")[2]
    assert addresses[0] == addresses[1]
    assert [token in path.read_text("utf-8") for path in settings.rglob("*.json")] == [True]
    assert not any(token.encode() in path.read_bytes() for path in folder.rglob("*") if path.is_file())


def test_a_folder_that_is_not_there_is_wrong_usage(tmp_path: Path) -> None:
    done = run("desk", tmp_path / "none", "--no-browser")
    assert (2, f"overtrick: {tmp_path / 'none'}: there is no such file or folder\n") == (done.status, done.err)


def test_a_missing_package_is_named_in_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        import_module("overtrick.apps.cli.desk"), "find_spec", lambda name: None if name == "starlette" else object()
    )
    done = run("desk", tmp_path, "--no-browser")
    assert (2, "overtrick: the desk needs more packages; get them with: pip install 'overtrick[desk]'\n") == (
        done.status,
        done.err,
    )


@pytest.mark.slow
def test_a_taken_port_is_wrong_usage(tmp_path: Path) -> None:
    with running(tmp_path) as desk:
        (tmp_path / "other").mkdir()
        done = run("desk", tmp_path / "other", "--no-browser", "--port", desk.base.rpartition(":")[2])
    assert 2 == done.status
    assert "choose another one" in done.err


@pytest.mark.parametrize(
    ("system", "name"), [("linux", "overtrick-desk.desktop"), ("darwin", "overtrick desk.command")]
)
def test_a_shortcut_is_a_program_on_the_desktop(tmp_path: Path, system: str, name: str) -> None:
    path = install_shortcut(tmp_path / "our $club's", system, tmp_path / "Desktop")
    assert tmp_path / "Desktop" / name == path
    assert os.access(path, os.X_OK)
    assert "desk" in path.read_text("utf-8")


def test_a_shortcut_of_windows_is_a_batch_file(tmp_path: Path) -> None:
    path = install_shortcut(tmp_path / "50% of A&B", "win32", tmp_path / "Desktop")
    assert tmp_path / "Desktop" / "overtrick desk.cmd" == path
    first, second, third, end = path.read_bytes().split(b"\r\n")
    assert (b"@echo off", b"chcp 65001 >nul", b"") == (first, second, end)
    assert third.endswith(f'"desk" "{tmp_path}/50%% of A&B"'.encode())


def status_elsewhere(url: str, host: str = "") -> int:
    """Return the status of a page as another machine gets it, which keeps the cookie."""
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    try:
        with opener.open(urllib.request.Request(url, headers={"Host": host} if host else {}), timeout=60) as answer:  # noqa: S310 - its own
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


@pytest.mark.slow
def test_the_local_network_sees_the_ranking_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "tuesday.csv").write_bytes((FIXTURES / "spring-pairs.csv").read_bytes())
    with running(tmp_path, "--lan") as desk:
        assert desk.process.stdout
        wall = desk.process.stdout.readline().strip()
        base, _, token = wall.partition("/live?token=")
        assert token
        assert 200 == status_elsewhere(wall)
        assert 404 == status_elsewhere(f"{base}/evening/tuesday/grid?token={token}")
        port = base.rpartition(":")[2]
        refused = [
            status_elsewhere(f"{base}/live"),
            status_elsewhere(f"{base}/live?token={desk.address.rpartition('=')[2]}"),
            status_elsewhere(wall, "evil.example"),
            # The wall answers to the names of this machine in the network alone.
            status_elsewhere(f"http://127.0.0.2:{port}/live?token={token}"),
        ]
        assert [401, 401, 421, 421] == refused
        # The desk itself listens on 127.0.0.1 alone.
        with pytest.raises(urllib.error.URLError):
            status_elsewhere(f"http://127.0.0.2:{desk.base.rpartition(':')[2]}/")


@pytest.mark.slow
def test_a_kill_at_any_moment_loses_no_saved_edit(tmp_path: Path) -> None:
    (tmp_path / "tuesday.csv").write_bytes((FIXTURES / "spring-pairs.csv").read_bytes())
    corrections = tmp_path / "tuesday.corrections.toml"
    kills = int(os.environ.get("OVERTRICK_KILLS", "1"))
    dice = random.Random(5)
    for _ in range(kills):
        with running(tmp_path) as desk:
            # The first edit that is saved starts the clock, however slow the machine is.
            killer = threading.Timer(dice.uniform(0, 3), desk.process.kill)
            with suppress(OSError):
                for name in edits(desk.base, desk.address):
                    assert f'name = "{name}"' in corrections.read_text("utf-8")
                    if killer.ident is None:
                        killer.start()
            desk.process.wait(10)
        assert killer.ident is not None
        if corrections.exists():
            text = corrections.read_text("utf-8")
            assert text.endswith("\n")
            assert 1 == text.count("[[corrections]]")


def edits(base: str, address: str) -> Iterator[str]:
    """Name a pair again and again, and take it back each time; yield the name when the desk says that it is saved."""
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    opener.open(address, timeout=30).read()

    def post(path: str, fields: str = "") -> None:
        asked = urllib.request.Request(f"{base}{path}", fields.encode(), {"Origin": base})  # noqa: S310 - its own
        opener.open(asked, timeout=30).read()

    for number in count():
        post("/evening/tuesday/undo")
        post("/evening/tuesday/entry", f"name=Ann+{number}+-+Bob&pair=2&why=x&do=save&seen={seen(opener, base)}")
        yield f"Ann {number} - Bob"


def seen(opener: urllib.request.OpenerDirector, base: str) -> str:
    page = opener.open(f"{base}/evening/tuesday/people", timeout=30).read().decode()
    return str(page.partition('name="seen" value="')[2].partition('"')[0])
