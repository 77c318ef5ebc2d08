"""LIN written as it was read."""

from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from pathlib import Path

import pytest

from overtrick.files.assemble import read
from overtrick.files.formats.lin.write import keep_lin
from tests.support.deals import random_boards
from tests.support.lin_boards import lin
from tests.support.lin_texts import HAND, session


def kept(data: bytes, folder: Path) -> bytes:
    path = folder / "a.lin"
    path.write_bytes(data)
    return keep_lin(read([str(path)]))


@pytest.mark.parametrize(
    "text",
    [
        lin(random_boards(5)),
        session("3NN=,2SE-1", f"o1|{HAND}", f"c1|{HAND}"),
        f"\n\n  {HAND}\n\n\n",
        HAND,
        f"{HAND}\n%% a remark\n{HAND}nt|said:\non two lines|pg||\nan|honou\nrs|mb|p|\n",
    ],
)
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_sound_commands_come_back_to_the_byte(text: str, line_end: str, tmp_path: Path) -> None:
    data = text.replace("\n", line_end).encode()
    assert data == kept(data, tmp_path)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252"])
def test_a_file_keeps_its_encoding(encoding: str, tmp_path: Path) -> None:
    data = HAND.replace("Ada", "Ad\xe8le \u201cA\u201d").encode(encoding)
    assert data == kept(data, tmp_path)


@pytest.mark.parametrize(("mark", "encoding"), [(BOM_UTF16_LE, "utf-16-le"), (BOM_UTF16_BE, "utf-16-be")])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_a_file_in_utf_16_comes_back_to_the_byte(mark: bytes, encoding: str, line_end: str, tmp_path: Path) -> None:
    data = mark + f"{HAND}\n\n{HAND}\n\n".replace("Ada", "Ad\xe8le").replace("\n", line_end).encode(encoding)
    assert data == kept(data, tmp_path)


def test_commands_are_written_in_small_letters_with_the_pipes_that_are_due(tmp_path: Path) -> None:
    assert b"pn|Ada,Ben,Cid,Dot|\nah|Board 5|mb|P|\n" == kept(b"PN|Ada,Ben,Cid,Dot|\nah|Board 5|mb|P", tmp_path)


def test_a_text_with_faults_comes_back_the_same_again_and_again(tmp_path: Path) -> None:
    once = kept(f"{HAND}||\n\n{HAND}".encode(), tmp_path)
    assert once == kept(once, tmp_path)


def test_the_hands_of_a_page_have_a_line_each(tmp_path: Path) -> None:
    page = f"<html>\n<a href='x?lin={HAND}'></a> <a href='x?lin={HAND.replace('Ada', 'Eve')}'></a>\n\n</html>"
    assert f"{HAND}\n{HAND.replace('Ada', 'Eve')}\n".encode() == kept(page.encode(), tmp_path)
