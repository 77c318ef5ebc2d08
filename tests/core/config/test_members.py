"""`members.csv`: what it may hold, and the messages about mistakes in it."""

from pathlib import Path

import pytest

from overtrick.core.config import ConfigError, load_config
from overtrick.core.config.members import Member, read_members


def members(folder: Path, text: str | bytes) -> tuple[Member, ...]:
    path = folder / "members.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_members(path)


def test_all_columns_are_read(tmp_path: Path) -> None:
    header = "number,name,aliases,privacy,handicap,grade,left,EBU,phone\n"
    text = f"{header}7,Ada Quill,A. Quill; ADA Q,hidden,2.5,B,2026,00123,1\n"
    one = Member("Ada Quill", "7", ("A. Quill", "ADA Q"), "hidden", 2.5, "B", "2026", ("00123",), 2, ("ebu",))
    assert (one,) == members(tmp_path, text)
    assert ("7", "00123") == one.numbers


@pytest.mark.parametrize("between", [",", ";", "\t"])
def test_any_sign_may_be_between_cells(tmp_path: Path, between: str) -> None:
    assert "Ada Quill" == members(tmp_path, f"Number{between}Name\r\n7{between}Ada Quill\r\n")[0].name


def test_a_list_from_windows_is_read(tmp_path: Path) -> None:
    assert "Zoë Müller" == members(tmp_path, "name\nZoë Müller\n".encode("cp1252"))[0].name


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("number,nam\n1,x\n", "members.csv:1: expected a column 'name'"),
        ("name,privcy\nAda,hidden\n", "members.csv:1: column 2, 'privcy': unknown column; did you mean 'privacy'?"),
        ("name,privacy\nAda,secret\n", "members.csv:2: column 2, privacy = 'secret': expected full, initials"),
        ("name,handicap\n\nAda,two\n", "members.csv:3: column 2, handicap = 'two': expected a number"),
        ("name,handicap\nAda,nan\n", "members.csv:2: column 2, handicap = 'nan': expected a number"),
        ("number,name\n7,\n", "members.csv:2: a member without a name"),
        ("name,name\nAda,Ben\n", "members.csv:1: column 2: a second column 'name'"),
    ],
)
def test_a_mistake_is_reported_with_its_place(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ConfigError) as error:
        members(tmp_path, text)
    assert message in str(error.value)


def test_the_list_beside_the_settings_is_read(tmp_path: Path) -> None:
    (tmp_path / "club.toml").write_text('[club]\nname = "Millbrook"\n')
    assert () == load_config(tmp_path / "club.toml").people.register
    (tmp_path / "members.csv").write_text("name\nAda Quill\n")
    assert ["Ada Quill"] == [one.name for one in load_config(tmp_path / "club.toml").people.register]


def test_a_list_that_is_named_must_be_there(tmp_path: Path) -> None:
    (tmp_path / "club.toml").write_text('[people]\nmembers = "list.csv"\n')
    with pytest.raises(ConfigError, match=r"list\.csv: can't be read"):
        load_config(tmp_path / "club.toml")


def test_only_yes_is_consent_to_mail_and_no_message_shows_an_address(tmp_path: Path) -> None:
    text = (
        "name,email,scorecard\nAda Quill,ada@home.example,yes\nBen Moss,ben@home.example,\nEva Holm,eva at home,Yes\n"
    )
    mailed = [(one.email, one.scorecard) for one in members(tmp_path, text)]
    assert [("ada@home.example", True), ("ben@home.example", False), ("", True)] == mailed
    with pytest.raises(ConfigError, match=r"members.csv:2: column 2, scorecard: expected yes, no or nothing$"):
        members(tmp_path, "name,scorecard\nAda Quill,ada@home.example\n")
    assert "home.example" not in repr(members(tmp_path, text))
