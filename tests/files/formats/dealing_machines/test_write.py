"""Files for dealing machines: what they hold, and what is said of boards that they can't."""

from overtrick.files.formats.dealing_machines.machines import MACHINES
from overtrick.files.formats.looks import get_format
from tests.support.machine_files import SUIT_EACH, session, written
from tests.support.reading import codes

OTHER = "N:.AKQJT98765432.. AKQJT98765432... ..AKQJT98765432. ...AKQJT98765432"


def test_bri_has_39_numbers_and_blanks() -> None:
    numbers = "".join(f"{number:02}" for number in range(1, 40)).encode()
    assert numbers + b" " * 32 + bytes(18) == written(session([SUIT_EACH]), "bri").content


def test_dge_shows_a_void_by_its_sign_alone() -> None:
    spades = b"\x06AKQJT98765432\x03\x04\x05"
    assert written(session([SUIT_EACH]), "dge").content.startswith(spades + b"\x06\x03AK")


def test_bhg_begins_with_the_dealer() -> None:
    _, first, second, _ = written(session([SUIT_EACH, SUIT_EACH]), "bhg").content.split(b"\r\n")
    assert b"ABC" == first[:3]
    assert b"NOP" == second[:3]


def test_a_dlm_file_has_99_boards_each_with_its_check_number() -> None:
    lines = written(session([SUIT_EACH]), "dlm").content.decode().split("\r\n")
    assert 99 == sum(line.startswith("Board ") for line in lines)
    assert "Board 17=aaaaaabffffffkkkkkklpppppp031" in lines


def test_boards_that_have_no_deal_are_left_out_and_named() -> None:
    found = written(session([SUIT_EACH, "N:A... - - -"]), "dlm")
    assert ["not-written"] == codes(found.problems)
    assert ["2"] == found.problems["board"].to_list()


def test_a_board_with_two_deals_is_written_once() -> None:
    two = session([SUIT_EACH, OTHER])
    both = two.records.with_columns(board=1)
    found = written(type(two)(records=both.cast(two.records.schema)), "ber")
    assert 52 == len(found.content)
    assert ["not-written"] == codes(found.problems)


def test_numbers_that_a_format_does_not_hold_are_named() -> None:
    found = written(session([SUIT_EACH], first=5), "ber")
    assert ["the format cannot store board numbers: boards 5 become 1"] == found.problems["message"].to_list()
    assert written(session([SUIT_EACH], first=5), "dup").problems.is_empty()


def test_each_machine_of_the_table_is_a_format_that_is_written_if_the_table_says_so() -> None:
    assert {name: machine.encode is not None for name, machine in MACHINES.items()} == {
        name: get_format(name).write is not None for name in MACHINES
    }
