"""`overtrick config check`."""

from pathlib import Path

import pytest

from tests.support.commands import run


def check(folder: Path, text: str) -> tuple[int, str]:
    path = folder / "club.toml"
    path.write_text(text, "utf-8")
    ran = run("config", "check", path)
    assert "" == ran.out
    return ran.status, ran.err.replace(f"{path}:", "").lstrip()


def test_usable_settings_have_no_problems(tmp_path: Path) -> None:
    text = "[club]\nname = 'Club'\n[publish]\ntarget = 'sftp://club@host/www'\n[inbox]\nsettle = 5\npatience = 600\n"
    assert (0, "no problems\n") == check(tmp_path, text)


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ("2:1: [publish] targt: unknown key; did you mean target?", "[publish]\ntargt = 'www'"),
        ("1:1: publis: unknown key; did you mean publish?", "[publis]\ntarget = 'www'"),
        ("2:10: [inbox] settle = -1: expected greater than or equal to 0", "[inbox]\nsettle = -1"),
        ("2:1: [publish] target: unknown scheme http:; use a path", "[publish]\ntarget = 'http://host'"),
        (
            '2:10: [publish] target = "ftp://club:***@host": expected an address without a password; set OVERTRICK_P',
            "[publish]\ntarget = 'ftp://club:geheim@host'",
        ),
        (
            '2:10: [deliver] server = "smtps://club:***@host": expected an address without a password; set OVERTRICK_M',
            "[deliver]\nserver = 'smtps://club:geheim@host'",
        ),
        (
            '2:11: [deliver.bridgewebs] address = "https://club:***@host": expected an address without',
            "[deliver.bridgewebs]\naddress = 'https://club:ge/heim@host'",
        ),
    ],
)
def test_each_wrong_key_is_reported_with_its_place(tmp_path: Path, answer: str, text: str) -> None:
    status, message = check(tmp_path, text)
    assert 1 == status
    assert message.startswith(answer)


def test_a_password_is_never_shown_however_it_is_written(tmp_path: Path) -> None:
    for target in ("ftp://club:geheim@host", "ftp://:geheim@host/www", "ftp://club:geh@geheim@host", "//a:geheim@b"):
        assert "geheim" not in check(tmp_path, f"[publish]\ntarget = '{target}'")[1]


def test_a_message_about_something_else_shows_no_password(tmp_path: Path) -> None:
    for text in (
        "[publish]\npassword = 'geheim'",
        "publish = { target = 'ftp://club:geheim@host', colour = 1 }",
        "publish = 'ftp://club:ge/heim@host'\nmethod = 1",
        "[publish]\ntarget = 'ftp://club:geheim@host\n",
        'publish.target = "ftp:\\u002f/club:geheim@host"',
    ):
        status, message = check(tmp_path, text)
        assert (1, False) == (status, "heim" in message)


def test_an_error_is_marked_below_its_line(tmp_path: Path) -> None:
    text = "[scoring]\n  metod = 'butler'\ndatum = \"median \"  # of all\n[[scoring.handicaps]]\namount = 1\n"
    status, message = check(tmp_path, text)
    assert 1 == status
    assert [
        "2:3: [scoring] metod: unknown key; did you mean method?",
        "    metod",
        "    ^^^^^",
        (
            "3:9: [scoring] datum = \"median \": expected 'mean', 'mean-2', 'mean-5%', 'mean-scaled', 'median' or"
            " 'stated'; did you mean 'median'?"
        ),
        '    datum = "median "',
        "            ^^^^^^^^^",
        "4:1: [scoring.handicaps.1] contestant: missing",
        "    [[scoring.handicaps]]",
        "    ^^^^^^^^^^^^^^^^^^^^^",
    ] == message.splitlines()


@pytest.mark.parametrize("address", ["sftp://host:22/x@y", "sftp://club@host/www", "sftp://[::1]:22/x@y"])
def test_an_address_without_a_password_may_have_an_at_sign(tmp_path: Path, address: str) -> None:
    assert (0, "no problems\n") == check(tmp_path, f"[publish]\ntarget = '{address}'")
