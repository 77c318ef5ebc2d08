"""The last look before anything leaves."""

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from overtrick.core.config import Config
from overtrick.judge import privacy
from overtrick.judge.privacy import Crowd
from overtrick.show.pdf.documents import render_pdf
from overtrick.show.publish.address import LeakError
from overtrick.show.publish.gate import check_files, read_texts
from tests.support.commands import FIXTURES, run
from tests.support.public import make_session_page
from tests.support.render_sample import evening

CROWD = Crowd(["Ann Ashby", "Siobhán O'Neill", "Ed North"], ["Otto Ashford", "Kit O'Neill", "Ada Moss"])


def leak(files: Mapping[str, bytes], crowd: Crowd = CROWD) -> str:
    try:
        check_files(files, crowd, Config.model_validate({"club": {"name": "Ashby Road Bridge Club"}}))
    except LeakError as error:
        return str(error).partition(":")[0]
    return ""


@pytest.mark.parametrize(
    "text",
    [
        *(
            "Ann Ashby",
            "<b>ASHBY, Ann</b>",
            "/people/ann-ashby/",
            "ann_ashby",
            "ann%20ashby",
            "Ann M. Ashby",
            "ÁNN ÁSHBY",
        ),
        *("Siobhan O&#39;Neill", "Siobhán O\u2019Neill", "Ed North", "north, ed", "\\u00c1nn Ashby"),
    ],
)
def test_first_and_last_name_together_are_found(text: str) -> None:
    assert "a.html, line 2" == leak({"a.html": f"one\nof {text} and\n".encode()})


@pytest.mark.parametrize(
    "text",
    [
        "Otto Ashford",
        "Ashby Road",
        "North led",
        "O'Neill",
        "Ann Berg",
        "Kit O'Neill - Ann Berg",
        "Ed Moss - North",
        "Anna",
    ],
)
def test_parts_that_are_other_words_are_not_found(text: str) -> None:
    assert "" == leak({"a.html": text.encode()})


def test_a_surname_alone_is_found_if_nobody_else_has_it() -> None:
    crowd = Crowd(["Ann Quillfeather"], ["Bo Lind"])
    assert "a.pbn, line 1" == leak({"a.pbn": b"Mrs Quillfeather"}, crowd)
    assert "" == leak({"a.pbn": b"Mrs Quillfeather"}, Crowd(["Ann Quillfeather"], ["Otto Quillfeather"]))


def test_titles_that_stay_are_no_leak() -> None:
    crowd = Crowd(["Ann Ashby"], [], ["The Ann Ashby Cup"])
    assert "" == leak({"a.html": b"<h1>The Ann Ashby Cup</h1>"}, crowd)
    assert "a.html, line 1" == leak({"a.html": b"<h1>The Ann Ashby Cup</h1> Ann Ashby"}, crowd)


def test_addresses_archives_and_the_text_of_pdfs_are_searched() -> None:
    assert "pair-ann-ashby/index.html (the address)" == leak({"pair-ann-ashby/index.html": b""})
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("sheet.xml", "<c>Ann Ashby</c>")
    assert leak({"a.xlsx": packed.getvalue()}).startswith("a.xlsx")
    pdf = render_pdf(make_session_page(evening(), Config()))
    assert leak({"a.pdf": pdf}, Crowd(["Ada Moss"], [])).startswith("a.pdf")
    assert "" == leak({"a.pdf": pdf}, Crowd(["Ada Mossop"], []))
    assert "Ada Moss" in " ".join(read_texts("a.pdf", pdf))


def overlook(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let names pass as they are."""
    monkeypatch.setattr(privacy, "_rename_all", lambda session, _: session)


@pytest.mark.parametrize("verb", ["bulletin", "season"])
def test_nothing_is_published_if_a_name_was_overlooked(
    verb: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "club.toml").write_text('[privacy.players]\n"Ada Quill" = "hidden"\n')
    evening = tmp_path / "spring.csv"
    evening.write_bytes((FIXTURES / "spring-pairs.csv").read_bytes())
    overlook(monkeypatch)
    done = run(verb, evening, "--out", tmp_path / "out", "--no-pdf")
    assert 3 == done.status
    assert "names ada quill, who is not named in full; nothing was published" in done.err
    assert not (tmp_path / "out" / "index.html").exists()


def test_a_conversion_that_is_public_is_searched_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "club.toml").write_text('[privacy.players]\n"Ada Quill" = "hidden"\n')
    evening = tmp_path / "spring.csv"
    evening.write_bytes((FIXTURES / "spring-pairs.csv").read_bytes())
    overlook(monkeypatch)
    assert 3 == run("convert", "--public", evening, tmp_path / "out.pbn").status
    assert not (tmp_path / "out.pbn").exists()


@pytest.mark.parametrize(("hidden", "status"), [("Ada Quill", 3), ("Ada Quillfeather", 0)])
def test_a_folder_that_was_made_before_somebody_was_hidden_is_not_published(
    hidden: str, status: int, tmp_path: Path
) -> None:
    site, www = tmp_path / "site", tmp_path / "www"
    run("bulletin", FIXTURES / "spring-pairs.csv", "--out", site, "--no-pdf")
    (tmp_path / "club.toml").write_text(f'[privacy.players]\n"{hidden}" = "hidden"\n')
    done = run("publish", site, www)
    assert status == done.status
    assert ("names ada quill, who is not named in full; nothing was published" in done.err) == (status == 3)
    assert www.exists() == (status == 0)
