"""`overtrick config check`."""

from pathlib import Path

import pytest

from tests.commands import run


def check(folder: Path, text: str) -> tuple[int, str]:
    path = folder / "club.toml"
    path.write_text(text, "utf-8")
    ran = run("config", "check", path)
    assert "" == ran.out
    return ran.status, ran.err.replace(f"{path}: ", "")


def test_settings_that_can_be_used_have_no_problems(tmp_path: Path) -> None:
    text = "[club]\nname = 'Club'\n[publish]\ntarget = 'sftp://club@host/www'\n[inbox]\nsettle = 5\npatience = 600\n"
    assert (0, "no problems\n") == check(tmp_path, text)


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ("[publish] targt: unknown key; did you mean target?", "[publish]\ntargt = 'www'"),
        ("publis: unknown key; did you mean publish?", "[publis]\ntarget = 'www'"),
        ("[inbox] settle = -1: expected greater than or equal to 0", "[inbox]\nsettle = -1"),
        ("[publish] target: http: is no way to publish", "[publish]\ntarget = 'http://host'"),
        (
            '[publish] target = "ftp://club:***@host": expected an address without',
            "[publish]\ntarget = 'ftp://club:geheim@host'",
        ),
    ],
)
def test_each_wrong_key_is_told_with_its_place(tmp_path: Path, answer: str, text: str) -> None:
    status, told = check(tmp_path, text)
    assert 1 == status
    assert told.startswith(answer)


def test_a_password_is_not_told_however_it_is_written(tmp_path: Path) -> None:
    for target in ("ftp://club:geheim@host", "ftp://:geheim@host/www", "ftp://club:geh@geheim@host", "//a:geheim@b"):
        assert "geheim" not in check(tmp_path, f"[publish]\ntarget = '{target}'")[1]
