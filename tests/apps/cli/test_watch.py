"""`overtrick watch`."""

import re
from contextlib import suppress
from pathlib import Path

import pytest

from tests.support.commands import Ran, run
from tests.support.inboxes import drop, evening, lying
from tests.support.servers import small_disk

pytestmark = pytest.mark.usefixtures("watched_here")


@pytest.fixture
def inbox(tmp_path: Path) -> Path:
    (tmp_path / "in").mkdir()
    return tmp_path / "in"


def once(inbox: Path, *options: str | Path, settings: str = "", base: Path | None = None) -> Ran:
    base = base or inbox.parent
    config = base / "club.toml"
    config.write_text(f"[inbox]\nsettle = 0\n{settings}", "utf-8")
    return run("watch", inbox, "--out", base / "out", "--config", config, "--once", *options)


def messages(err: str) -> list[str]:
    """Return the lines about evenings, without the time of day that each begins with."""
    stamped = [line.partition(" ") for line in err.splitlines() if not line.startswith("Settings: ")]
    assert all(re.fullmatch(r"[0-9]{2}:[0-9]{2}:[0-9]{2}", time) for time, _, _ in stamped)
    return [message for _, _, message in stamped]


@pytest.mark.slow
def test_the_path_of_each_first_page_is_printed(inbox: Path) -> None:
    drop(inbox, monday_pbn=evening(), tuesday_pbn=evening())
    ran = once(inbox)
    assert 0 == ran.status
    assert [str(inbox.parent / "out" / day / "index.html") for day in ("monday", "tuesday")] == ran.out.splitlines()
    assert ["monday: done", "tuesday: done"] == messages(ran.err)


@pytest.mark.slow
def test_a_bulletin_is_published_first_and_analysed_afterwards(inbox: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Other tests have solved this evening already.
    monkeypatch.setenv("XDG_CACHE_HOME", str(inbox.parent / "cache"))
    drop(inbox, monday_pbn=evening())
    ran = once(inbox, "--analyse")
    assert (0, ["monday: done", "monday: analysed"]) == (ran.status, messages(ran.err))
    assert (inbox.parent / "out" / "monday" / "analysis" / "index.html").is_file()


def test_with_an_empty_inbox_there_is_nothing_to_do(inbox: Path) -> None:
    assert Ran(0, "", "") == once(inbox, "--quiet")


@pytest.mark.parametrize("by_option", [True, False])
@pytest.mark.slow
def test_bulletins_are_published_where_the_option_or_the_settings_say(inbox: Path, by_option: bool) -> None:
    www = inbox.parent / "www"
    drop(inbox, monday_pbn=evening())
    ran = once(inbox, "--publish", www) if by_option else once(inbox, settings=f"[publish]\ntarget = '{www}'\n")
    assert 0 == ran.status
    assert (www / "monday" / "index.html").is_file()


@pytest.mark.slow
def test_a_rejected_file_ends_with_status_1(inbox: Path) -> None:
    drop(inbox, letter_pbn="Dear club,")
    assert 1 == once(inbox).status
    assert ["rejected/letter.pbn", "rejected/letter.pbn.reason.txt"] == lying(inbox)


@pytest.mark.slow
def test_a_bulletin_that_can_t_be_written_ends_with_status_3_and_is_written_by_the_next_run(inbox: Path) -> None:
    drop(inbox, monday_pbn=evening())
    drop(inbox.parent / "out" / "monday", accounts_xls="1")
    ran = once(inbox)
    assert 3 == ran.status
    assert "holds files that overtrick did not write" in ran.err
    (inbox.parent / "out" / "monday" / "accounts.xls").unlink()
    assert 0 == once(inbox).status
    assert ["done/monday/monday.pbn"] == lying(inbox)


@pytest.mark.slow
def test_a_full_disk_of_bulletins_ends_with_status_3_and_loses_nothing(inbox: Path) -> None:
    drop(inbox, monday_pbn=evening())
    with small_disk(inbox.parent / "disk") as disk:
        with suppress(OSError):
            (disk / "fill").write_bytes(bytes(300_000))
        ran = once(inbox, "--out", disk / "out")
    assert (3, "") == (ran.status, ran.out)
    assert "No space left on device" in ran.err
    assert 0 == once(inbox).status
    assert ["done/monday/monday.pbn"] == lying(inbox)


@pytest.mark.slow
def test_an_inbox_on_a_full_disk_ends_with_status_3(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk") as disk:
        drop(disk / "in", monday_pbn=evening(), letter_pbn="Dear club,")
        with suppress(OSError):
            (disk / "fill").write_bytes(bytes(300_000))
        ran = once(disk / "in", base=tmp_path)
        assert 3 == ran.status
        assert "can't be read or moved now: No space left on device; overtrick leaves it and tries again" in ran.err
        (disk / "fill").unlink()
        assert 1 == once(disk / "in", base=tmp_path).status
        assert {"done/monday/monday.pbn", "rejected/letter.pbn"} <= set(lying(disk / "in"))


@pytest.mark.slow
def test_a_bulletin_that_can_t_be_published_ends_with_status_3_and_is_published_by_the_next_run(inbox: Path) -> None:
    drop(inbox, monday_pbn=evening())
    ran = once(inbox, "--publish", inbox.parent / "unmounted" / "www")
    assert 3 == ran.status
    assert f"the folder {inbox.parent / 'unmounted'} does not exist" in ran.err
    (inbox.parent / "unmounted").mkdir()
    assert 0 == once(inbox, "--publish", inbox.parent / "unmounted" / "www").status
    assert ["done/monday/monday.pbn"] == lying(inbox)


def test_a_missing_inbox_is_wrong_usage(tmp_path: Path) -> None:
    ran = once(tmp_path / "in", "--quiet")
    assert (2, f"overtrick: {tmp_path / 'in'}: there is no such file or folder\n") == (ran.status, ran.err)
