"""Auctions as pages set them out."""

from typing import Any

from overtrick.core.bridge.auction import CALLS
from overtrick.core.frames import ANNOTATIONS, Session
from overtrick.show.html.auctions import collect_remarks, make_auction, replace_suit_codes
from tests.support.builders import frame


def called(start: str | None, text: str, *remarks: tuple[int, str, str]) -> Any:
    rows = [{"index": at, "kind": kind, "text": said} for at, kind, said in remarks]
    return make_auction(start, [CALLS.index(call) for call in text.split()], rows)


def texts(one: Any) -> list[list[str]]:
    return [[call.text for call in row] for row in one.rows]


def test_rows_begin_with_west_whoever_dealt() -> None:
    assert [["", "", "1NT", "Pass"], ["3NT", "Pass", "Pass", "Pass"]] == texts(
        called("E", "1NT Pass 3NT Pass Pass Pass")
    )


def test_without_calls_there_is_no_auction() -> None:
    assert called("N", "") is None


def test_a_call_that_nobody_can_read_is_a_question_mark() -> None:
    assert "?" == make_auction("W", [255], []).rows[0][0].text  # type: ignore[union-attr]


def test_an_alerted_call_is_marked_and_needs_no_explanation() -> None:
    one = called("W", "1C", (0, "alert", "!"))
    assert (True, "") == (one.rows[0][0].alerted, one.rows[0][0].note)
    assert () == one.explanations


def test_the_same_explanation_is_listed_once() -> None:
    one = called("W", "1C Pass 1D", (0, "explanation", "16+"), (1, "explanation", "weak"), (2, "explanation", "16+"))
    assert ["1", "2", "1"] == [call.note for call in one.rows[0]]
    assert ["16+", "weak"] == [note.text for note in one.explanations]


def test_a_note_without_a_text_is_not_a_remark() -> None:
    said = [{"record": 1, "part": "auction", "index": 0, "kind": "note", "text": text} for text in (None, "clubs")]
    assert ["clubs"] == [row["text"] for row in collect_remarks(Session(annotations=frame(ANNOTATIONS, said)))[1]]
    assert "1" == called("W", "1C", (0, "note", "clubs")).rows[0][0].note


def test_judgements_of_a_call_are_signs() -> None:
    assert ["!?", "??"] == [c.mark for c in called("W", "1C Pass", (0, "suffix", "!?"), (1, "nag", "4")).rows[0]]


def test_suits_of_explanations_become_signs() -> None:
    assert "5+ ♥ or ♠, no 4cM!" == replace_suit_codes(r"5+ !H or \S, no 4cM!")


def test_chat_is_not_a_remark() -> None:
    said = [{"record": 1, "part": "auction", "index": 0, "kind": kind, "text": "x"} for kind in ("comment", "alert")]
    remarks = collect_remarks(Session(annotations=frame(ANNOTATIONS, said)))
    assert ["alert"] == [row["kind"] for row in remarks[1]]


def test_an_auction_longer_than_any_is_shown_up_to_the_longest() -> None:
    assert 319 == sum(len(row) for row in called("N", "Pass " * 5000).rows) - 1
