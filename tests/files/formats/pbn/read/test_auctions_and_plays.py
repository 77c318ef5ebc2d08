"""Calls and cards (PBN 3.5, 3.6 and 3.9)."""

from collections.abc import Callable

import polars as pl
import pytest

from overtrick.core.bridge.auction import CALLS
from overtrick.core.bridge.cards import CARDS, UNKNOWN
from overtrick.files.formats.base import Reading
from overtrick.files.formats.pbn.read import auctions_and_plays
from tests.support import deals
from tests.support.reading import codes, pbn, pbn_bodies_by_grammar, places

Read = Callable[[str], Reading]


def called(body: str, *, first: str = "N", read: Read = pbn) -> list[str]:
    calls = read(f'[Auction "{first}"]\n{body}\n').records["calls"][0]
    return ["?" if code == UNKNOWN else CALLS[code] for code in calls]


@pytest.mark.parametrize("read", [pbn, pbn_bodies_by_grammar])
@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("1C Pass 1NT X\nXX Pass Pass Pass", "1C Pass 1NT X XX Pass Pass Pass"),
        ("1c pass 1n dbl rdbl p p p", "1C Pass 1NT X XX Pass Pass Pass"),
        ("AP", "Pass Pass Pass Pass"),
        ("Pass AP", "Pass Pass Pass Pass"),
        ("1C AP", "1C Pass Pass Pass"),
        ("1C Pass AP", "1C Pass Pass Pass"),
        ("Pass Pass Pass 1C AP", "Pass Pass Pass 1C Pass Pass Pass"),
        ("1H =1= Pass $13 4H! AP", "1H Pass 4H Pass Pass Pass"),
        ("1H {a; b} Pass ; rest\n4H\n% hidden\nall pass", "1H Pass 4H Pass Pass Pass"),
        ("1H ^S ^I 1C Pass Pass Pass", "1H ? 1C Pass Pass Pass"),
        ("1H huh Pass", "1H ? Pass"),
        ("PASS 1NTPASS3Hx!xx{strong}2cPassAP", "Pass 1NT Pass 3H X XX 2C Pass Pass Pass"),
        ("1HhuhPass XS", "? ?"),
        ("", ""),
    ],
)
def test_an_auction_reads_the_same_by_columns_and_by_lark(body: str, expected: str, read: Read) -> None:
    assert expected.split() == called(body, read=read)


def test_padding_before_the_dealer_moves_the_start() -> None:
    record = pbn('[Auction "W"]\n- - 1D Pass\nPass Pass\n').records.row(0, named=True)
    assert ("E", [CALLS.index("1D"), 0, 0, 0]) == (record["auction_start"], record["calls"])


def test_no_auction_is_unknown_and_an_empty_one_is_not() -> None:
    assert [None, []] == pbn('[Board "1"]\n\n[Auction "N"]\n').records["calls"].to_list()


def test_calls_below_a_seat_that_cant_be_inherited_are_read() -> None:
    assert [[CALLS.index("1C"), 0, 0, 0]] == pbn('[Auction "#"]\n1C AP\n').records["calls"].to_list()


def test_a_section_longer_than_any_can_be_is_read_up_to_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auctions_and_plays, "MOST_FINE", 8)
    reading = pbn('[Auction "N"]\n1C! 1D? 1H! 1S?\n')
    assert [[CALLS.index("1C"), CALLS.index("1D"), UNKNOWN]] == reading.records["calls"].to_list()
    assert [("call-unknown", 2, 9)] == places(reading.problems)


@pytest.mark.parametrize(("body", "end"), [("1C *", "*"), ("1C +", "+"), ("1C", None)])
def test_how_an_auction_ends_is_kept(body: str, end: str | None) -> None:
    assert [end] == pbn(f'[Auction "N"]\n{body}\n').records["auction_end"].to_list()


def test_annotations_belong_to_their_call() -> None:
    marks = pbn('[Auction "W"]\n- 1D!? 1S =2= ^I 1H\n$14 Pass\n').annotations
    assert [
        (0, "suffix", "!?", 2, 5),
        (1, "note", None, 2, 11),
        (2, "irregularity", "I", 2, 15),
        (2, "nag", "14", 3, 1),
    ] == marks.select("index", "kind", "text", "line", "column").rows()


def test_comments_and_escape_lines_belong_to_the_call_before() -> None:
    marks = pbn('[Auction "N"]\n- {a}\n% b\n1C {c} AP ; =d=\n*\n').annotations
    assert [(None, "{a}"), (None, "% b"), (0, "{c}"), (3, "; =d=")] == marks.select("index", "text").rows()
    assert ["comment"] * 4 == marks["kind"].to_list()


def test_padding_may_hold_a_comment() -> None:
    record = pbn('[Auction "N"]\n- {of nobody} - 1C\n').records.row(0, named=True)
    assert ("S", 1) == (record["auction_start"], len(record["calls"]))


def test_a_word_that_is_no_call_is_named_at_its_place() -> None:
    reading = pbn('[Auction "N"]\n1C Pass\n1H XS\n')
    assert [("call-unknown", 3, 4, '"XS" is not a call')] == (
        reading.problems.select("code", "line", "column", "message").rows()
    )


@pytest.mark.parametrize("read", [pbn, pbn_bodies_by_grammar])
def test_play_keeps_its_rows_and_what_is_not_known(read: Read) -> None:
    body = "SK h3 S10 S3\n- C2 + CK\n*"
    record = read(f'[Play "W"]\n{body}\n').records.row(0, named=True)
    names = ["?" if code == UNKNOWN else CARDS[code] for code in record["cards"]]
    assert ["SK", "H3", "ST", "S3", "?", "C2", "?", "CK"] == names
    assert ("W", "*") == (record["play_start"], record["play_end"])


def test_a_word_that_is_no_card_keeps_its_place_in_the_row() -> None:
    reading = pbn('[Play "W"]\nS1 HHT SA\n')
    assert [UNKNOWN, UNKNOWN, CARDS.index("SA")] == reading.records["cards"][0].to_list()
    assert ["card-unknown", "card-unknown"] == codes(reading.problems)


def test_thousands_of_boards_come_out_as_they_were_written() -> None:
    boards = deals.random_boards(300, seed=5)
    columns = ["board", "dealer", "vulnerable", "deal", "level", "strain", "declarer", "tricks", "calls"]
    plain, free = pbn(deals.pbn(boards)).records, pbn(deals.free_pbn(boards, seed=6)).records
    assert plain.select(columns).equals(free.select(columns))
    assert [list(board.calls) for board in boards] == plain["calls"].to_list()


def test_a_star_right_after_a_bid_is_an_alert() -> None:
    reading = pbn('[Auction "N"]\n1C* Pass 3NT* AP\n')
    assert [(0, "alert", "*"), (2, "alert", "*")] == reading.annotations.select("index", "kind", "text").rows()
    assert [None] == reading.records["auction_end"].to_list()


def test_a_star_at_the_end_of_an_auction_ends_it() -> None:
    reading = pbn('[Auction "N"]\n1C Pass 3NT*\n')
    assert (["*"], 0) == (reading.records["auction_end"].to_list(), len(reading.annotations))


def test_a_note_has_its_text_and_keeps_its_number() -> None:
    """Notes below an auction and below a play are numbered apart; the first of a number counts (3.5.4, 3.6.4)."""
    auction = '[Auction "N"]\n1C =1= Pass =2=\n[Note "1: strong"]\n[Note "1:again"]\n'
    marks = pbn(auction + '[Play "E"]\nSA =1= S2\n[Note "1:signal"]\n').annotations
    assert [("auction", "strong", "1"), ("auction", None, "2"), ("play", "signal", "1")] == (
        marks.select(pl.col("part").cast(pl.String), "text", "reference").rows()
    )
