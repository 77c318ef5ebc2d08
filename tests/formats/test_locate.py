"""What a record states is located in its file, each format in its own way."""

from pathlib import Path

import pytest

from overtrick.assemble import read
from overtrick.formats.locate import locate, place, place_entries
from overtrick.frames import Session
from tests.support.lin_texts import HANDS

PBN = """[Board "1"]
[Dealer "N"]
[Deal "N:AK... - - -"]
[Declarer "S"]
[Auction "N"]
1C =1= Pass
1NT AP
[Play "W"]
SA HK

[Board "2"]
"""
LIN = f"""pn|Ada,Ben,Cid,Dot|
md|3{",".join(HANDS[:3])},|ah|Board 5|
mb|1N|mb|p|
mb|p|mb|p|
pc|C2C5|
pc|H2C6|
mc|7|
"""
CSV = "board,ns,ew,contract,declarer,tricks\n1,1,2,4S,N,10\n"


@pytest.fixture
def session(tmp_path: Path) -> Session:
    """Two games of PBN (the second states nothing but its board), a board of LIN and a line of a table."""
    for name, text in {"a.pbn": PBN, "b.lin": LIN, "c.csv": CSV}.items():
        (tmp_path / name).write_text(text, "utf-8")
    return read([str(tmp_path / name) for name in ("a.pbn", "b.lin", "c.csv")])


def places(session: Session, column: str) -> list[tuple[int, int, int]]:
    found = locate(session, session.records["record"], column)
    return found.select("record", "line", "column").rows()


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        ("deal", [(0, 3, 1), (2, 2, 1)]),
        ("declarer", [(0, 4, 1), (2, 4, 6)]),
        ("tricks", [(2, 7, 1)]),
        ("auction_start", [(0, 5, 1), (2, 3, 1)]),
        ("play_start", [(0, 8, 1), (2, 5, 1)]),
        ("board", []),
    ],
)
def test_a_column_is_located_in_every_format_that_can(
    session: Session, column: str, expected: list[tuple[int, int, int]]
) -> None:
    assert expected == places(session, column)


def test_each_call_has_its_place_and_passes_in_one_word_share_it(session: Session) -> None:
    calls = [(0, 6, 1), (0, 6, 8), (0, 7, 1), *[(0, 7, 5)] * 3, (2, 3, 1), (2, 3, 7), (2, 4, 1), (2, 4, 6)]
    assert calls == places(session, "calls")


def test_each_card_has_its_place_and_those_of_one_command_are_told_apart(session: Session) -> None:
    cards = [(0, 9, 1), (0, 9, 4), (2, 5, 1), (2, 5, 6), (2, 6, 1), (2, 6, 6)]
    assert cards == places(session, "cards")


def test_what_is_not_stated_is_placed_at_the_first_line_of_its_record(session: Session) -> None:
    placed = place(session, session.records.select("record"), "deal")
    files = [Path(source).name for source in placed["source"]]
    assert [("a.pbn", 3), ("a.pbn", 11), ("b.lin", 2), ("c.csv", 2)] == list(zip(files, placed["line"], strict=True))
    assert ["1", "2", "5", "1"] == placed["board"].to_list()


def test_an_entry_that_is_not_written_is_placed_where_the_entries_begin(session: Session) -> None:
    late = session.records.select("record").head(1).with_columns(index=51)
    assert [(8, 1)] == place_entries(session, late, "cards").select("line", "column").rows()
