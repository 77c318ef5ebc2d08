"""Writing PBN: the form that each session gets."""

from dataclasses import replace

import polars as pl
import pytest

from overtrick.core.frames import Session
from overtrick.files.formats.pbn.write import export_pbn, pbn_again, write_pbn
from tests.support.pbn_texts import session
from tests.support.reading import codes

GAME = '[Board "1"]\n[North "Éva"]\n{a remark}\n'


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1", "utf-16"])
def test_a_file_of_pbn_is_kept_as_it_was_read_in_its_own_encoding(encoding: str) -> None:
    written = write_pbn(session(GAME.encode(encoding)))
    assert GAME.encode(encoding) == written.content
    assert [] == codes(written.problems)


def test_several_files_are_written_in_export_form() -> None:
    first, second = session(GAME), session(GAME)
    both = replace(first, sources=pl.concat([first.sources, second.sources]))
    assert export_pbn(both).content == write_pbn(both).content
    assert write_pbn(both).content.startswith(b"% PBN 2.1\r\n% EXPORT\r\n")


def test_export_form_is_in_the_character_set_of_the_standard() -> None:
    assert '[North "Éva"]'.encode("latin-1") in export_pbn(session(GAME)).content


def test_what_an_archive_holds_is_written_in_utf_8() -> None:
    read = session(GAME)
    archived = replace(read, sources=read.sources.with_columns(format=pl.lit("archive")))
    assert GAME.encode() == pbn_again(archived).content


def test_a_session_of_no_file_is_an_export_form_without_games() -> None:
    assert b"% PBN 2.1\r\n% EXPORT\r\n" == write_pbn(Session()).content
