"""`LIN_DATA`: auctions and plays beside the results of a board."""

from pathlib import Path

import polars as pl
import pytest

from overtrick.core.bridge.auction import CALLS
from overtrick.files.assemble import read
from overtrick.files.formats.base import Reading
from overtrick.files.formats.pbn.write import export_pbn
from overtrick.files.formats.usebio.reader import read_usebio
from tests.support.reading import codes
from tests.support.usebio_texts import board, event, hand, line

MD = "md|3SAQT632HK7DK4CQ62,S9874HAJ54D82C973,SKJHT983DQT63CAK5|"
DEAL = "N:KJ.T983.QT63.AK5 5.Q62.AJ975.JT84 AQT632.K7.K4.Q62 9874.AJ54.82.973"
LIN = (
    f"qx||pn|Ann%20Lee%2312%2CBo%2CCy%2CDi|st||{MD}rh||ah|Board%201|sv|o|"
    "mb|1S|an|five%2B|mb|p|mb|4S|mb|p|mb|p|mb|p|pc|C3|"
)
HANDS = "".join(
    hand(seat, *cards.split("."))
    for seat, cards in zip(("North", "East", "South", "West"), DEAL[2:].split(" "), strict=True)
)
PLAYED = ("4S", "S", 10)


def told(*lines: str, **values: object) -> Reading:
    return read_usebio(event(board(1, lines, **values)))


def test_a_result_has_the_auction_and_the_play_beside_it() -> None:
    reading = told(line(1, 2, *PLAYED, LIN_DATA=LIN), line(3, 4, "3NT", "N", 9, LIN_DATA=LIN.replace("pc|C3|", "")))
    assert [0, 1] == reading.results["record"].to_list()
    assert [DEAL, DEAL] == reading.records["deal"].to_list()
    assert [["1S", "Pass", "4S", "Pass", "Pass", "Pass"]] * 2 == [
        [CALLS[call] for call in calls] for calls in reading.records["calls"]
    ]
    assert [1, None] == reading.records["cards"].list.eval(pl.element() < 52).list.sum().to_list()
    assert [(1, "4S"), (1, "3NT")] == [
        (row["board"], f"{row['level']}{row['strain']}") for row in reading.records.iter_rows(named=True)
    ]
    assert [("explanation", "five+", 6)] == reading.annotations.filter(record=0).select("kind", "text", "line").rows()
    assert not codes(reading.problems)


def test_a_result_without_a_text_stays_with_the_board() -> None:
    reading = told(line(1, 2, *PLAYED), line(3, 4, *PLAYED, LIN_DATA=LIN), line(5, 6, *PLAYED))
    assert [0, 1, 0] == reading.results["record"].to_list()
    assert [None, DEAL] == reading.records["deal"].to_list()


def test_the_hands_of_the_board_serve_a_text_without_them() -> None:
    lin = LIN.replace(MD, "md|3,,,|")
    reading = read_usebio(
        event(f"<BOARD><BOARD_NUMBER>1</BOARD_NUMBER>{HANDS}{line(1, 2, *PLAYED, LIN_DATA=lin)}</BOARD>")
    )
    assert [DEAL] == reading.records["deal"].to_list()


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("pn|a,b,c,d|", "does not hold one board"),
        ("see the site", "does not hold one board"),
        (LIN + LIN, "does not hold one board"),
        (LIN.replace("|sv|", "|s"), "does not hold one board"),
        (LIN.replace("%201", "%202"), "is of another board"),
        (LIN.replace("SKJ", "SKQ").replace("SAQ", "SAJ"), "shows other cards than the hands of the board"),
    ],
)
def test_a_text_that_does_not_fit_is_named_and_kept(text: str, fault: str) -> None:
    content = f"<BOARD><BOARD_NUMBER>1</BOARD_NUMBER>{HANDS}{line(1, 2, *PLAYED, LIN_DATA=text)}</BOARD>"
    reading = read_usebio(event(content))
    [problem] = reading.problems.iter_rows(named=True)
    assert ("usebio-lin-data", 6, "1", 0) == tuple(problem[name] for name in ("code", "line", "board", "record"))
    assert fault in problem["message"]
    assert [text] == reading.items["text"].to_list()
    assert [None] == reading.records["calls"].to_list()
    assert [0] == reading.results["record"].to_list()


def test_one_broken_text_changes_no_other() -> None:
    lines = [line(n, n + 20, *PLAYED, LIN_DATA="vg|x|rs|4S|{" if n == 3 else LIN) for n in range(1, 6)]
    reading = told(*lines)
    assert [1, 2, 0, 3, 4] == reading.results["record"].to_list()
    assert 4 == len(reading.records.drop_nulls("calls"))


def test_each_result_counts_once(tmp_path: Path) -> None:
    path = tmp_path / "evening.xml"
    path.write_bytes(event(board(1, [line(1, 2, *PLAYED, LIN_DATA=LIN), line(3, 4, "3NT", "N", 9, LIN_DATA=LIN)])))
    session = read([str(path)])
    assert [(4, "1", "2"), (3, "3", "4")] == session.results.select("level", "ns", "ew").rows()


def test_the_auction_is_written_to_other_formats(tmp_path: Path) -> None:
    path = tmp_path / "evening.xml"
    path.write_bytes(event(board(1, [line(1, 2, *PLAYED, LIN_DATA=LIN)])))
    assert b"1S =1= Pass 4S Pass" in export_pbn(read([str(path)])).content
