"""`overtrick publish`."""

from pathlib import Path

import pytest

from tests.support.commands import EVENING, run
from tests.support.sites import bulletin, held, lay

SITE = bulletin(2)


@pytest.fixture
def site(tmp_path: Path) -> Path:
    return lay(tmp_path / "site", SITE)


@pytest.mark.slow
def test_a_bulletin_goes_to_a_folder_with_every_file(tmp_path: Path) -> None:
    site, www = tmp_path / "site", tmp_path / "www"
    run("bulletin", EVENING, "--out", site, "--no-pdf")
    for changes in ("added", "unchanged"):
        ran = run("publish", site, www)
        assert (0, "") == (ran.status, ran.out)
        assert f"{len(held(site))} {changes}" in ran.err
        assert held(site) == held(www)


def test_a_dry_run_lists_the_changes_on_standard_output(site: Path, tmp_path: Path) -> None:
    ran = run("publish", site, tmp_path / "www", "--dry-run")
    assert (0, ["add     overtrick-site.json", "add     style.1.css"]) == (ran.status, ran.out.splitlines()[:2])
    assert f"{tmp_path / 'www'}: 5 to add, 0 to change, 0 to delete, 0 unchanged\n" == ran.err
    assert not (tmp_path / "www").exists()


def test_files_to_overwrite_are_marked_and_need_consent(site: Path, tmp_path: Path) -> None:
    www = lay(tmp_path / "www", {"index.html": "welcome"})
    assert "change  index.html (not from overtrick)\n" in run("publish", site, www, "--dry-run").out
    assert 3 == run("publish", site, www).status
    assert {"index.html": "welcome"} == held(www)
    assert 0 == run("publish", site, www, "--yes").status
    assert SITE == held(www)


def test_the_target_can_be_in_the_settings(site: Path, tmp_path: Path) -> None:
    config = tmp_path / "club.toml"
    config.write_text(f"[publish]\ntarget = '{tmp_path / 'www'}'\n", "utf-8")
    assert 0 == run("publish", site, "--config", config).status
    assert SITE == held(tmp_path / "www")


@pytest.mark.parametrize(
    ("reason", "arguments"),
    [
        ("nowhere: there is no such file or folder", ("nowhere", "www")),
        ("www: inside the folder to publish", (".", "www")),
        ("unknown scheme http:", (".", "http://host/www")),
        ("missing target; name it after the folder", (".",)),
        ("the address holds a password", (".", "ftp://club:geheim@host")),
    ],
)
def test_wrong_usage_ends_with_2(reason: str, arguments: tuple[str, ...]) -> None:
    ran = run("publish", *arguments)
    assert (2, "") == (ran.status, ran.out)
    assert reason in ran.err
    assert "geheim" not in ran.err


def test_a_missing_folder_ends_with_3(site: Path, tmp_path: Path) -> None:
    ran = run("publish", site, tmp_path / "unmounted" / "www")
    assert (3, "") == (ran.status, ran.out)
    assert f"the folder {tmp_path / 'unmounted'} does not exist; create it first\n" in ran.err


@pytest.mark.parametrize(("scheme", "library"), [("sftp", "paramiko"), ("s3", "boto3")])
def test_a_missing_library_is_reported_with_the_command_that_installs_it(
    site: Path, monkeypatch: pytest.MonkeyPatch, scheme: str, library: str
) -> None:
    monkeypatch.setitem(__import__("sys").modules, library, None)
    monkeypatch.delitem(__import__("sys").modules, f"overtrick.show.publish.targets.{scheme}", raising=False)
    ran = run("publish", site, f"{scheme}://host/www")
    assert 3 == ran.status
    assert f"overtrick: {scheme}: needs the package {library}; get it with: pip install 'overtrick[publish]'" in ran.err


def test_a_folder_that_overtrick_did_not_make_needs_consent(tmp_path: Path) -> None:
    home = lay(tmp_path / "home", {"accounts.xls": "1", "letters/a.txt": "Dear club,"})
    ran = run("publish", home, tmp_path / "www")
    assert (3, False) == (ran.status, (tmp_path / "www").exists())
    assert "overtrick did not make this folder, which holds accounts.xls and no overtrick-site.json" in ran.err
    assert 0 == run("publish", home, tmp_path / "www", "--yes").status


def test_ftp_without_encryption_is_warned_of(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("overtrick.show.publish.targets._WAITS", ())
    ran = run("publish", site, "ftp://club@127.0.0.1:1/www", "--dry-run")
    assert "ftp: sends your password so that others on the network can read it" in ran.err
    assert "others on the network" not in run("publish", site, "ftps://club@127.0.0.1:1/www", "--dry-run").err
