"""The bulletin as a folder."""

from pathlib import Path

import pytest

from overtrick.config import Config
from overtrick.render.atomic_write import OutputError
from overtrick.render.bulletin import write_bulletin
from tests.support.pages import broken_links
from tests.support.render_sample import evening


def held(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_bulletin_is_a_website_with_its_pdf(tmp_path: Path) -> None:
    write_bulletin(evening(), tmp_path / "site", Config())
    site = held(tmp_path / "site")
    assert site["bulletin.pdf"].startswith(b"%PDF")
    assert b'href="bulletin.pdf"' in site["index.html"]
    assert [] == broken_links(site)


def test_a_bulletin_without_its_pdf_does_not_link_to_one(tmp_path: Path) -> None:
    write_bulletin(evening(), tmp_path / "site", Config(), pdf=False)
    site = held(tmp_path / "site")
    assert "bulletin.pdf" not in site
    assert [] == broken_links(site)


def test_the_same_session_makes_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        write_bulletin(evening(), tmp_path / name, Config(), pdf=False)
    assert held(tmp_path / "one") == held(tmp_path / "two")


def test_a_home_folder_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_bytes(b"1")
    with pytest.raises(OutputError):
        write_bulletin(evening(), tmp_path, Config(), pdf=False)
    assert {"thesis.tex": b"1"} == held(tmp_path)
