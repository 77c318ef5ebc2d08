"""Compiled templates in the user's cache."""

from pathlib import Path

import pytest
from jinja2 import BytecodeCache, DictLoader, Environment

from overtrick.show.html import club_templates
from overtrick.show.html.club_templates import keep_compiled


def render(kept: BytecodeCache | None, text: str = "{{ 1 + 1 }}") -> str:
    return (
        Environment(loader=DictLoader({"sum": text}), bytecode_cache=kept, autoescape=True).get_template("sum").render()
    )


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(club_templates, "cache_folder", lambda: tmp_path / "cache")
    return tmp_path / "cache" / "templates"


def test_a_template_is_compiled_once_and_again_when_it_has_changed(folder: Path) -> None:
    assert "2" == render(keep_compiled("html", "en"))
    (file,) = folder.iterdir()
    written = file.read_bytes()
    assert "2" == render(keep_compiled("html", "en"))
    assert written == file.read_bytes()
    assert "5" == render(keep_compiled("html", "en"), "{{ 2 + 3 }}")


def test_languages_and_kinds_of_environments_are_kept_apart(folder: Path) -> None:
    for kind, code in (("html", "en"), ("html", "fr"), ("sandbox", "en")):
        render(keep_compiled(kind, code))
    assert 3 == len(list(folder.iterdir()))


def test_a_damaged_file_is_written_again(folder: Path) -> None:
    render(keep_compiled("html", "en"))
    (file,) = folder.iterdir()
    file.write_bytes(file.read_bytes()[:40])
    assert "2" == render(keep_compiled("html", "en"))


def test_without_a_place_nothing_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    monkeypatch.setattr(club_templates, "cache_folder", lambda: tmp_path / "file")
    assert keep_compiled("html", "en") is None
