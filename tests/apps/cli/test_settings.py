"""One way to find the settings: every command and every function that reads evenings looks in the same places."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

import overtrick as ot
from overtrick.apps.archive.store import Store
from overtrick.apps.desk import serve
from overtrick.apps.lsp.server import read_text
from tests.support.archives import AtOnce
from tests.support.commands import FIXTURES, Ran, run

VERBS: dict[str, tuple[str, ...]] = {
    "check": ("check", "{file}"),
    "check a folder": ("check", "{folder}"),
    "score": ("score", "{file}"),
    "bulletin": ("bulletin", "{file}", "--out", "{out}", "--no-pdf", "--no-dd"),
    "season": ("season", "{folder}", "--out", "{out}", "--no-pdf"),
    "convert": ("convert", "{file}", "{out}.pbn", "--export"),
    "correct": ("correct", "{file}", "--list"),
    "correct a folder": ("correct", "{folder}", "--list"),
    "people": ("people", "{folder}"),
    "watch": ("watch", "{folder}", "--out", "{out}", "--once"),
    "deliver": ("deliver", "{file}", "--to", "ecats", "--session", "1", "--dry-run"),
    "publish": ("publish", "{folder}", "--dry-run"),
    "ingest": ("ingest", "{folder}", "--archive", "{out}"),
    "fix": ("fix", "{file}"),
    "terminals": ("terminals", "start", "{folder}/tuesday.json"),
}
FUNCTIONS: dict[str, Callable[[Path, Path], object]] = {
    "read": lambda file, out: ot.read(file),
    "evaluate": lambda file, out: ot.evaluate([file]),
    "check": lambda file, out: ot.check(str(file)),
    "bulletin": lambda file, out: ot.bulletin(file, out, pdf=False),
    "convert": lambda file, out: ot.convert(file, out.with_suffix(".csv")),
}
WAYS = ("beside", "above", "--config", "environment", "none")
MISTAKE = "[scoring]\nmethod = 'whist'\n"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a home folder, above which no settings are looked for."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("OVERTRICK_CONFIG", raising=False)
    monkeypatch.setattr("overtrick.apps.archive.workers.Processes", lambda _: AtOnce())
    return tmp_path


def put(home: Path, way: str, text: str = "[club]\nname = 'Owls'\n") -> tuple[Path, Path]:
    """Return an evening in a folder of its own, and the settings put where the way says."""
    folder = home / "bridge" / "2026" / "tuesday"
    folder.mkdir(parents=True)
    (folder / "tuesday.csv").write_bytes((FIXTURES / "spring-pairs.csv").read_bytes())
    places = {"beside": folder, "above": folder.parent.parent}
    settings = places.get(way, home / "elsewhere") / "club.toml"
    settings.parent.mkdir(exist_ok=True)
    if way != "none":
        settings.write_text(text)
    return folder / "tuesday.csv", settings


def run_verb(verb: str, way: str, file: Path, settings: Path) -> Ran:
    """Run a command on an evening, with the settings as the way says."""
    names = {"file": file, "folder": file.parent, "out": file.parents[3] / "out"}
    words = [word.format(**names) for word in VERBS[verb]] + (["--config", str(settings)] if way == "--config" else [])
    return run(*words, environment={"OVERTRICK_CONFIG": str(settings)} if way == "environment" else None)


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("verb", VERBS)
def test_every_command_finds_the_settings_and_names_them(verb: str, way: str, home: Path) -> None:
    file, settings = put(home, way, MISTAKE)
    done = run_verb(verb, way, file, settings)
    assert (way != "none") == (f"Settings: {settings}\n" in done.err)
    assert (way != "none") == ("'whist'" in done.err)
    assert way == "none" or done.status == 2


@pytest.mark.parametrize("way", [way for way in WAYS if way != "--config"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_function_finds_the_settings_as_the_commands_do(
    name: str, way: str, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file, settings = put(home, way, MISTAKE)
    if way == "environment":
        monkeypatch.setenv("OVERTRICK_CONFIG", str(settings))
    if way == "none":
        FUNCTIONS[name](file, home / "out")
    else:
        with pytest.raises(ot.ConfigError, match="whist"):
            FUNCTIONS[name](file, home / "out")
    assert ("" if way == "none" else f"Settings: {settings}\n") == capsys.readouterr().err


@pytest.mark.parametrize("way", WAYS)
def test_the_desk_finds_the_settings_as_the_commands_do(way: str, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, settings = put(home, way)
    given: list[Path | None] = []
    monkeypatch.setattr(serve, "serve", lambda folder, config, options, **_: given.append(config))
    VERBS["desk"] = ("desk", "{folder}", "--no-browser")
    done = run_verb("desk", way, file, settings)
    del VERBS["desk"]
    assert [None if way == "none" else settings] == given
    assert (way != "none") == (f"Settings: {settings}\n" in done.err)


def test_an_editor_checks_by_the_settings_near_the_file(home: Path) -> None:
    file, _ = put(home, "above", "[scoring]\nmethod = 'butler'\n")
    text = (FIXTURES / "passed-out-board.pbn").read_text()
    assert "butler" != read_text(text, "a.pbn").facts.method
    assert "butler" == read_text(text, "a.pbn", str(file)).facts.method


def test_the_nearest_settings_count(home: Path) -> None:
    file, settings = put(home, "beside")
    (file.parents[1] / "club.toml").write_text(MISTAKE)
    assert f"Settings: {settings}\n" in run("check", file).err


def test_above_the_home_folder_nothing_is_looked_for(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, _ = put(home, "above", MISTAKE)
    monkeypatch.setenv("HOME", str(file.parents[1]))
    assert 0 == run("check", file).status


@pytest.mark.parametrize("verb", [verb for verb in VERBS if "{folder}" in VERBS[verb]])
def test_a_folder_under_two_settings_is_refused_with_both_names(verb: str, home: Path) -> None:
    file, settings = put(home, "beside")
    other = file.parent / "old"
    other.mkdir()
    (other / "club.toml").write_text("")
    (other / "monday.csv").write_bytes(file.read_bytes())
    done = run_verb(verb, "beside", file, settings)
    assert 2 == done.status
    assert f"{settings} and {other / 'club.toml'}" in done.err


def test_files_under_two_settings_are_refused_unless_some_are_named(home: Path) -> None:
    file, settings = put(home, "beside")
    other = home / "other"
    other.mkdir()
    (other / "club.toml").write_text("")
    (other / "monday.csv").write_bytes(file.read_bytes())
    assert 2 == run("check", file, other / "monday.csv").status
    assert 0 == run("check", file, other / "monday.csv", "--config", settings).status


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="files have no owners here")
def test_settings_of_another_user_are_refused_unless_they_are_named(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, settings = put(home, "above")
    monkeypatch.setattr(os, "geteuid", lambda: settings.stat().st_uid + 1)
    refused = run("bulletin", file, "--out", home / "out", "--no-pdf")
    assert (2, False) == (refused.status, (home / "out").exists())
    assert f"{settings}: these settings belong to another user" in refused.err
    assert 0 == run("check", file, "--config", settings).status


@pytest.mark.slow
def test_an_archive_is_scored_and_read_by_the_settings(home: Path) -> None:
    file, _ = put(home, "above", "[scoring]\nmethod = 'butler'\n[dialect]\nstrain = { S = ['pikes'] }\n")
    file.write_text(file.read_text().replace("4S,N", "4pikes,N"))
    assert 0 == run("ingest", file.parent, "--archive", home / "archive").status
    columns = ["board", "ns", "level", "strain", "points_ns"]
    kept = Store(str(home / "archive")).scan()["results"].select(columns).sort("board", "ns").collect()
    assert "butler" == ot.evaluate(file).facts.method
    assert ot.evaluate(file).results.select(columns).sort("board", "ns").equals(kept)
    assert "S" in kept["strain"]


@pytest.mark.slow
def test_watching_leaves_the_settings_of_an_inbox_in_their_place(home: Path) -> None:
    file, settings = put(home, "beside", "[privacy]\nnames = 'hidden'\n[inbox]\nsettle = 0\n")
    members = file.with_name("members.csv")
    members.write_text("name\nAda Quill\n")
    assert 0 == run("watch", file.parent, "--out", home / "out", "--once").status
    assert settings.is_file()
    assert members.is_file()
    assert [] == [*(file.parent / "rejected").iterdir()]
    assert "Quill" not in (home / "out" / "tuesday" / "index.html").read_text()


def test_the_name_of_the_club_wins_over_the_place_in_a_file(home: Path) -> None:
    _, settings = put(home, "above")
    evening = settings.parent / "club.pbn"
    evening.write_bytes((FIXTURES / "club-evening.pbn").read_bytes())
    place = ot.read(evening).facts.site
    assert 0 == run("bulletin", evening, "--out", home / "out", "--no-pdf", "--no-dd").status
    page = (home / "out" / "index.html").read_text()
    assert place
    assert page.index('<p class="club"><bdi>Owls</bdi></p>') < page.index(f"<li><bdi>{place}</bdi></li>")
