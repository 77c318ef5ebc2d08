"""Pages of ACBL Live: a board, and the scorecard of a pair."""

import pytest

from overtrick.files.formats.acbl_pages import is_acbl_page, read_acbl_page
from tests.support.commands import FIXTURES
from tests.support.reading import codes

BOARD = (FIXTURES / "acbl-live-board.html").read_bytes()
CARD = b"""<html><body><h1>Apr 25, 2026 - Saturday 2:30 pm</h1>
<h4 title="1000003 | 1000004"><span class="orange-text">4EW</span> - Cy Cole &amp; Di Dove</h4>
<table class="tablesorter scorecard"><tbody>
<tr><td></td><td><a href="/event/2600000/25/2/board-detail/A?board_num=1">01</a></td><td>3NT</td><td>N</td><td></td>
<td>-400</td><td>3</td><td>25</td><td title="1000001 | 1000002">7 - Ann Ash - Bo Birch</td></tr>
<tr><td></td><td><a href="/event/2600000/25/2/board-detail/A?board_num=2">02</a></td>
<td>2<span class="diams symbol contract"></span>x</td><td>E</td><td>180</td><td></td><td>12</td><td>100</td>
<td title="1000005 | 1000006">8 - Ed Elm - Flo Fir</td></tr></tbody></table></body></html>"""


def test_a_board_has_its_results_pairs_and_hands() -> None:
    assert is_acbl_page(BOARD)
    reading = read_acbl_page(BOARD)
    columns = ("ns", "ew", "level", "doubled", "declarer", "stated_score_ns", "award_ns", "award_ew", "section")
    assert [
        ("1", "6", 4, 0, "N", 420, None, None, "A"),
        ("2", "4", 4, 1, "N", -100, None, None, "A"),
        ("3", "5", None, None, None, None, "A+", "A-", "A"),
    ] == reading.results.select(*columns).rows()
    record = reading.records.select("board", "dealer", "vulnerable", "date", "event", "deal").row(0)
    assert (3, "S", "EW", "2026.11.03", "Lantern Street Sectional") == record[:-1]
    assert "N:AJ9.K9542.Q.KT83 T8654.A3.AT75.95 KQ3.JT86.984.AJ4 72.Q7.KJ632.Q762" == record[-1]
    assert ("Ann Ash - Bo Birch", "1000001 - 1000002") == reading.contestants.select("names", "members").row(0)
    assert [] == codes(reading.problems)


@pytest.mark.parametrize("number", [b"<td>2-", b"<br>4-"])
def test_a_row_without_the_number_of_a_pair_is_told_and_the_others_are_read(number: bytes) -> None:
    assert number in BOARD
    reading = read_acbl_page(BOARD.replace(number, number[:-2]))
    assert ["1", "3"] == reading.results["ns"].to_list()
    assert codes(reading.problems)


def test_a_scorecard_has_the_results_of_its_pair_from_its_side() -> None:
    assert is_acbl_page(CARD)
    reading = read_acbl_page(CARD)
    columns = ("ns", "ew", "level", "strain", "doubled", "declarer", "stated_score_ns")
    assert [("7", "4", 3, "NT", 0, "N", 400), ("8", "4", 2, "D", 1, "E", -180)] == reading.results.select(
        *columns
    ).rows()
    listed = reading.contestants.select("contestant", "direction", "names", "members").rows()
    assert 1 == listed.count(("4", "EW", "Cy Cole - Di Dove", "1000003 - 1000004"))
    assert [1, 2] == reading.records["board"].to_list()


@pytest.mark.parametrize("page", [BOARD, CARD], ids=["board", "scorecard"])
@pytest.mark.slow
def test_a_page_cut_off_or_with_odd_cells_never_raises(page: bytes) -> None:
    for end in range(200, len(page), 701):
        read_acbl_page(page[:end])
    for one, other in ((b"420", b"<b>x"), (b"<td>", b""), (b"data-acbl", b"class"), (b"spades", b""), (b"vs.", b"")):
        read_acbl_page(page.replace(one, other))
