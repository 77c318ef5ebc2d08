"""What a file looks like that no reader knows."""

import io
import zipfile
from pathlib import Path

import pytest

from overtrick.files.assemble import read
from overtrick.files.formats.looks import looks_like
from tests.support.commands import run


def packed(name: str, content: bytes = b"") -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(name, content)
    return buffer.getvalue()


FILES = {
    "a zip archive": packed("letter.doc", b"Dear scorer"),
    "a Word document": packed("word/document.xml"),
    "a gzip archive": b"\x1f\x8b\x08\x00",
    "a PDF document": b"%PDF-1.7\n",
    "a picture": b"\x89PNG\r\n\x1a\n\0\0",
    "a web page": b"<!DOCTYPE html>\n<html><body>Results</body></html>",
    "an XML file with the root element <results>": b'<?xml version="1.0"?>\n<results/>',
    "a JSON file": b'{"board": 1}',
    "a report of ACBLscore": b"ACBLscore Game Listing\nPair 1 Ada Quill\n",
    "an email": b"From: Ada\nSubject: results\n",
    "a table without the columns board, ns and ew": b"place;pair;score\n1;3;60\n",
    'plain text that begins "Dear scorer,"': b"Dear scorer,\n",
}


@pytest.mark.parametrize("name", ["evening.txt", "evening.pbn"])
@pytest.mark.parametrize("words", FILES)
def test_an_unknown_file_is_an_error_that_says_what_it_looks_like(words: str, name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(FILES[words])
    problems = read([str(path)]).problems
    assert [("error", "file-unknown")] == problems.select("severity", "code").rows()
    assert f"looks like {words};" in problems["message"][0]
    assert 1 == run("check", path).status


def test_what_is_not_read_is_not_converted(tmp_path: Path) -> None:
    (tmp_path / "club.txt").write_bytes(FILES["a report of ACBLscore"])
    assert 1 == run("convert", tmp_path / "club.txt", tmp_path / "club.pbn").status
    assert not (tmp_path / "club.pbn").exists()


@pytest.mark.parametrize("text", ["% a note\n", "; nothing yet\n", 'stray\n[Board "1"]\n', "[Event\n"])
def test_what_may_be_pbn_is_read_as_pbn(text: str, tmp_path: Path) -> None:
    (tmp_path / "a.pbn").write_text(text)
    assert "pbn" == read([str(tmp_path / "a.pbn")]).sources["format"][0]


def test_bytes_of_no_known_kind_look_like_nothing() -> None:
    assert None is looks_like(bytes(range(256)) * 4)
