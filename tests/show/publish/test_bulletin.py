"""The bulletin as a folder."""

from concurrent.futures import Future
from pathlib import Path

import pytest

from overtrick.core.atomic_write import OutputError
from overtrick.core.config import Config
from overtrick.show.publish import bulletin
from overtrick.show.publish.bulletin import write_bulletin
from tests.support.pages import broken_links
from tests.support.render_sample import evening
from tests.support.sites import differing, read_folder


def test_a_bulletin_is_a_website_with_its_pdf(tmp_path: Path) -> None:
    write_bulletin(evening(), tmp_path / "site", Config())
    site = read_folder(tmp_path / "site")
    assert site["bulletin.pdf"].startswith(b"%PDF")
    assert b'href="bulletin.pdf"' in site["index.html"]
    assert [] == broken_links(site)


def test_a_bulletin_without_its_pdf_does_not_link_to_one(tmp_path: Path) -> None:
    write_bulletin(evening(), tmp_path / "site", Config(), pdf=False)
    site = read_folder(tmp_path / "site")
    assert "bulletin.pdf" not in site
    assert [] == broken_links(site)


def test_the_same_session_makes_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        write_bulletin(evening(), tmp_path / name, Config(), pdf=False)
    assert [] == differing(read_folder(tmp_path / "one"), read_folder(tmp_path / "two"))


def test_a_home_folder_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_bytes(b"1")
    with pytest.raises(OutputError):
        write_bulletin(evening(), tmp_path, Config(), pdf=False)
    assert {"thesis.tex": b"1"} == read_folder(tmp_path)


@pytest.mark.parametrize("names", [("bulletin.pdf",), ("bulletin.pdf", "travellers.pdf")])
def test_pages_that_come_first_keep_the_earlier_pdf_until_the_new_one_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, names: tuple[str, ...]
) -> None:
    def publish(place: Path, club: str, content: bytes, named: tuple[str, ...], *, first: bool = False) -> None:
        def start(*_: object, **__: object) -> dict[str, Future[bytes]]:
            made: dict[str, Future[bytes]] = {name: Future() for name in named}
            for one in made.values():
                one.set_result(content)
            return made

        monkeypatch.setattr(bulletin, "start_documents", start)
        config = Config.model_validate({"club": {"name": club}})
        write_bulletin(evening(), place, config, on_pages=(lambda: seen.append(read_folder(place))) if first else None)

    seen: list[dict[str, bytes]] = []
    publish(tmp_path / "site", "Old", b"old", ("bulletin.pdf",))
    publish(tmp_path / "site", "New", b"new", names, first=True)
    publish(tmp_path / "whole", "New", b"new", names)
    assert (b"old", True) == (seen[0]["bulletin.pdf"], b"New" in seen[0]["index.html"])
    assert [] == broken_links(seen[0])
    assert [] == differing(read_folder(tmp_path / "whole"), read_folder(tmp_path / "site"))
