"""`overtrick init`: settings that every command then finds."""

import json
import tomllib
from pathlib import Path

import pytest
from typer.testing import CliRunner

from overtrick.apps.cli.app import make_app
from overtrick.core.config import Config
from tests.support.commands import run


def test_the_answers_are_in_the_file_and_the_file_is_right(tmp_path: Path) -> None:
    options = ("--name", 'The "Lantern" Club', "--colour", "#14532d", "--hide", "Ada Quill, Ann Ash", "--target", "www")
    assert 0 == run("init", tmp_path / "club", "--yes", *options).status
    path = tmp_path / "club" / "club.toml"
    written = tomllib.loads(path.read_text("utf-8"))
    assert 'The "Lantern" Club' == written["club"]["name"]
    assert ("#14532d", "www") == (written["site"]["accent"], written["publish"]["target"])
    assert {"Ada Quill": "hidden", "Ann Ash": "hidden"} == written["privacy"]["players"]
    assert 0 == run("config", "check", path).status
    named = path.read_text("utf-8").splitlines()[0].removeprefix("#:schema ")
    assert "accent" in json.loads((path.parent / named).read_text("utf-8"))["$defs"]["Site"]["properties"]


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["", "\r\n# by hand\r\n"])
def test_a_new_corrections_file_names_its_schema_for_editors(ending: str, tmp_path: Path) -> None:
    run("init", tmp_path, "--yes", "--example")
    (tmp_path / "autumn").mkdir()
    evening = (tmp_path / "made-up-evening.csv").rename(tmp_path / "autumn" / "evening.csv")
    written = evening.with_name("evening.corrections.toml")
    one = ("--board", "1", "--pair", "1", "--score", "-100", "--why", "misread")
    assert 0 == run("correct", evening, *one).status
    named = written.read_text("utf-8").splitlines()[0].removeprefix("#:schema ")
    assert "corrections" in json.loads((written.parent / named).read_text("utf-8"))["properties"]
    assert 0 == run("check", evening).status
    text = written.read_bytes()
    assert 0 == run("correct", evening, "--board", "2", *one[2:]).status
    assert 1 == written.read_bytes().count(b"#:schema")
    run("correct", evening, "--undo")
    assert text == written.read_bytes()
    written.write_bytes(text + ending.encode())
    run("correct", evening, "--undo")
    assert (b"by hand" in written.read_bytes()) if ending else not written.exists()


def test_what_no_option_says_is_asked(tmp_path: Path) -> None:
    """A wrong answer is told, and its question comes again."""
    answers = "Lantern\n\ngreen\n#14532d\nsurname\ninitials\n\n\n"
    asked = CliRunner().invoke(make_app(), ["init", str(tmp_path)], input=answers)
    assert 0 == asked.exit_code
    assert '[site] accent = "green": expected a text like #14532d\n' in asked.output
    assert "[privacy] names = \"surname\": expected 'full', 'initials', 'number' or 'hidden'\n" in asked.output
    written = tomllib.loads((tmp_path / "club.toml").read_text("utf-8"))
    assert ("Lantern", "initials") == (written["club"]["name"], written["privacy"]["names"])
    assert "target" not in written["publish"]


def test_a_file_that_is_there_is_kept_and_a_wrong_answer_writes_none(tmp_path: Path) -> None:
    wrong = run("init", tmp_path, "--yes", "--colour", "green")
    assert (2, []) == (wrong.status, list(tmp_path.iterdir()))
    assert "expected a text like #14532d" in wrong.err
    (tmp_path / "club.toml").write_text("# mine\n", "utf-8")
    assert 2 == run("init", tmp_path, "--yes").status
    assert "# mine\n" == (tmp_path / "club.toml").read_text("utf-8")


def test_a_wrong_option_is_told_before_anything_is_asked(tmp_path: Path) -> None:
    asked = CliRunner().invoke(make_app(), ["init", str(tmp_path), "--names", "surname"], input="Lantern\n")
    assert 2 == asked.exit_code
    assert "The club's name" not in asked.output
    assert [] == list(tmp_path.iterdir())


@pytest.mark.slow
def test_the_made_up_evening_becomes_the_clubs_website(tmp_path: Path) -> None:
    run("init", tmp_path, "--yes", "--example", "--name", "Lantern", "--hide", "Ada Quill")
    for _ in range(2):
        assert 0 == run("season", tmp_path, "--out", tmp_path / "site", "--no-pdf").status
    assert ["made-up-evening"] == [place.parent.name for place in (tmp_path / "site").glob("*/session.json")]
    pages = "".join(page.read_text("utf-8") for page in (tmp_path / "site").rglob("*.html"))
    assert "Lantern" in pages
    assert "Quill" not in pages


def test_no_config_leaves_the_settings_out(tmp_path: Path) -> None:
    run("init", tmp_path, "--yes", "--example")
    evening = tmp_path / "made-up-evening.csv"
    assert "Settings: " in run("check", evening).err
    assert "Settings: " not in run("check", evening, "--no-config").err


def test_the_schema_describes_all_settings_and_corrections() -> None:
    assert {*Config.model_fields} == {*json.loads(run("config", "schema").out)["properties"]}
    corrections = json.loads(run("config", "schema", "--corrections").out)
    assert "penalty" in corrections["$defs"]["Entry"]["properties"]


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("[site]\ncolours = 'red'", "did you mean accent in [site]?"),
        ("[club]\ncolor = 'red'", "did you mean accent in [site]?"),
        ("[club]\nlogo = 'a.svg'", "did you mean logo in [site]?"),
        ("[site]\nfont = 'Arial'", "did you mean templates in [site], which may hold a style sheet?"),
        ("[privacy]\nhide = ['A']", "did you mean the table [privacy.players]?"),
        ("[publish]\npassword = 'x'", "did you mean OVERTRICK_PASSWORD in the environment, or the keyring?"),
    ],
)
def test_an_unknown_key_is_answered_by_meaning(tmp_path: Path, key: str, expected: str) -> None:
    (tmp_path / "club.toml").write_text(key, "utf-8")
    assert expected in run("config", "check", tmp_path / "club.toml").err
