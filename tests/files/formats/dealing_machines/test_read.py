"""The formats of dealing machines: cards by number, by suit sign, by seat and by letter."""

import re
from collections.abc import Callable

import pytest
from hypothesis import given

from overtrick.files.formats.base import Reading
from overtrick.files.formats.dealing_machines.binary import is_rzd
from overtrick.files.formats.looks import recognise
from overtrick.files.formats.registry import FORMATS
from tests.support.machine_files import FORMS, SUIT_EACH, dealt, session, written
from tests.support.machine_files import read as read_as
from tests.support.reading import codes

SPADES_DOWN = "".join(f"{number:02}" for number in range(1, 40)).encode()
"""BRI's numbers of `SUIT_EACH`."""


def read_any(data: bytes) -> Reading:
    known = recognise(data)
    assert known is not None
    assert known.read is not None
    return known.read(data)


def one(form: str) -> bytes:
    return written(session([SUIT_EACH]), form).content


@pytest.mark.parametrize("form", FORMS)
@given(deals=dealt())
def test_what_is_written_for_a_machine_reads_back(form: str, deals: list[str]) -> None:
    data = written(session(deals), form).content
    known = recognise(data)
    assert known is not None
    assert form == known.name
    read = read_any(data)
    assert deals == read.records["deal"].to_list()
    assert list(range(1, len(deals) + 1)) == read.records["board"].to_list()
    assert [] == read.problems["message"].to_list()


@given(deals=dealt())
def test_dup_and_dlm_keep_board_numbers(deals: list[str]) -> None:
    for form in ("dup", "dlm"):
        read = read_any(written(session(deals, first=17), form).content)
        assert list(range(17, 17 + len(deals))) == read.records["board"].to_list()


@pytest.mark.parametrize("form", FORMS)
def test_a_file_that_was_cut_or_garbled_gives_problems(form: str) -> None:
    data = written(session([SUIT_EACH, SUIT_EACH, SUIT_EACH]), form).content
    known = recognise(data)
    assert known is not None
    assert known.read is not None
    whole = known.read(data)
    for place in range(0, min(len(data), 600), 19):
        cut, garbled = known.read(data[:place]), known.read(data[:place] + b"\xff" + data[place + 1 :])
        for read in (cut, garbled):
            lost = set(whole.records["deal"]) - set(read.records["deal"].drop_nulls())
            assert not lost or not read.problems.is_empty()


@pytest.mark.parametrize("read", [pytest.param(known.read, id=known.name) for known in FORMATS if known.read])
@pytest.mark.parametrize("data", [b"", b"\n", b"\xff" * 300, b"[Board 1]\n", b"H W:\n", b"NUMBER 1\nPBN 9"])
def test_no_reader_raises_for_what_is_not_its_own(read: Callable[[bytes], Reading], data: bytes) -> None:
    assert not read(data).problems.is_empty()


def test_west_has_the_cards_that_bri_does_not_name() -> None:
    read = read_as(SPADES_DOWN + b" " * 50, "bri")
    assert [SUIT_EACH] == read.records["deal"].to_list()


def test_a_card_named_twice_leaves_its_deal_out_and_says_where() -> None:
    twice = b"0101" + SPADES_DOWN[4:] + b" " * 50
    read = read_as(SPADES_DOWN + b" " * 50 + twice, "bri")
    assert [SUIT_EACH, None] == read.records["deal"].to_list()
    assert ["deal 2 (byte 128): SA is dealt twice; overtrick leaves out the deal"] == read.problems["message"].to_list()
    assert [twice[:78].decode()] == read.items.filter(kind="stray")["text"].to_list()


def test_the_rest_of_a_file_that_is_no_whole_deal_is_named() -> None:
    read = read_as(SPADES_DOWN + b" " * 50 + SPADES_DOWN, "bri")
    assert ["the last 78 bytes, from byte 128 on, are not a whole deal"] == read.problems["message"].to_list()


def test_a_screen_that_shows_other_hands_is_reported_and_the_machine_counts() -> None:
    data = one("dup")
    shown = data[78:146].replace(b"AK", b"KA").replace(b"\x06KAQ", b"\x06KA2").replace(b"32\x03", b"3Q\x03", 1)
    swapped = data[:78] + one("dge")[51:68] + data[95:129] + data[78:95] + data[146:]
    assert [] == codes(read_as(data[:78] + shown + data[146:], "dup").problems)
    read = read_as(swapped, "dup")
    assert ["deal-file-two-forms"] == codes(read.problems)
    assert [SUIT_EACH] == read.records["deal"].to_list()


def test_a_duplimate_file_for_nobody_to_see_has_blanks_for_the_screen() -> None:
    data = one("dup")
    assert [] == codes(read_any(data[:78] + b" " * 68 + data[146:]).problems)


def test_a_range_of_boards_that_is_not_there_is_reported() -> None:
    data = one("dup").replace(b"YN1  0 1  ", b"YN1  0 24 ")
    assert ["the file says that it has boards 1 to 24, but overtrick found 1 boards"] == read_as(data, "dup").problems[
        "message"
    ].to_list()


def test_boards_of_a_file_that_counts_backwards_are_numbered_so() -> None:
    data = written(session([SUIT_EACH] * 3), "dup").content.replace(b"YN1", b"YY1")
    assert [3, 2, 1] == read_as(data, "dup").records["board"].to_list()


def test_a_wrong_check_number_leaves_its_board_out() -> None:
    read = read_as(re.sub(rb"(Board 01=[a-p]+)\d+", rb"\g<1>007", one("dlm")), "dlm")
    assert [None] == read.records["deal"].to_list()
    assert [("deal-file-deal", 12)] == read.problems.select("code", "line").rows()


def test_a_wrong_check_number_of_the_head_is_reported_and_nothing_is_left_out() -> None:
    read = read_as(one("dlm").replace(b"Checksum=1", b"Checksum=9"), "dlm")
    assert ["deal-file-header"] == codes(read.problems)
    assert [SUIT_EACH] == read.records["deal"].to_list()


def test_encrypted_deals_are_not_guessed_at() -> None:
    read = read_as(one("dlm").replace(b"Crypto key=0", b"Crypto key=7"), "dlm")
    assert ["deal-file-encrypted", "file-no-games"] == sorted(codes(read.problems))


def test_every_line_that_is_no_deal_is_kept() -> None:
    data = one("dlm")
    kept = read_as(data, "dlm").items
    assert len(data.split(b"\r\n")) - len(["[Document] is a stray", "Board 01", "the last line end"]) + 1 == len(kept)


def test_bernasconi_deals_may_stand_on_lines() -> None:
    data = one("ber")
    read = read_as(data + b"\r\n" + data + b"\r\n", "ber")
    assert [(1, 1), (2, 2)] == read.records.select("board", "line").rows()


def test_a_digit_that_is_no_seat_is_with_nobody() -> None:
    read = read_as(one("ber").replace(b"4", b"5", 1), "ber")
    assert ["deal 1: 1 cards are not in any hand; overtrick leaves out the deal"] == read.problems["message"].to_list()
    assert [(1, 1)] == read.problems.select("line", "column").rows()


def test_kops_files_hold_two_bits_a_card() -> None:
    deal = bytes([0b00_01_10_11] * 13)
    data = b"\x01\x00" + b" " * 11 + deal
    assert is_rzd(data)
    assert [SUIT_EACH] == read_as(data, "rzd").records["deal"].to_list()
    assert ["the file says that it has 2 deals, but overtrick found 1"] == read_as(b"\x02" + data[1:], "rzd").problems[
        "message"
    ].to_list()


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("filling", [b"\x1a", b"\x00" * 300, b"\x1a" * 300])
def test_what_fills_the_last_block_of_a_disk_is_no_deal(form: str, filling: bytes) -> None:
    read = read_any(written(session([SUIT_EACH, SUIT_EACH]), form).content + filling)
    assert [SUIT_EACH, SUIT_EACH] == read.records["deal"].to_list()
    assert [] == codes(read.problems)


@pytest.mark.parametrize("form", ["dlm", "ber", "bhg"])
def test_a_list_that_an_editor_saved_with_its_byte_order_mark_holds_the_same(form: str) -> None:
    read = read_any(b"\xef\xbb\xbf" + written(session([SUIT_EACH, SUIT_EACH]), form).content)
    assert [(1, SUIT_EACH), (2, SUIT_EACH)] == read.records.select("board", "deal").rows()


@pytest.mark.parametrize("form", ["ber", "bhg"])
def test_a_list_with_remarks_below_its_deals_is_known_and_they_are_named(form: str) -> None:
    read = read_any(one(form) + b"\r\nremarks of the club, longer than the deals are: " + b"not for the machine " * 9)
    assert SUIT_EACH == read.records["deal"][0]
    assert {"deal-file-deal"} == set(codes(read.problems))
