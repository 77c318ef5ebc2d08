"""Lists of deals of the double-dummy solver."""

from overtrick.files.formats.dealing_machines.text import is_dds
from tests.support.machine_files import SUIT_EACH, read
from tests.support.reading import codes

TEXT = f'NUMBER 2 \nPBN 0 0 4 0 "{SUIT_EACH}" \nTABLE 13 0 13 0 \nPBN 3 2 1 1 "{SUIT_EACH}" \n'


def test_dealer_and_vulnerability_are_numbers() -> None:
    assert is_dds(TEXT.encode())
    records = read(TEXT.encode(), "dds").records
    assert [("N", "None", SUIT_EACH), ("W", "NS", SUIT_EACH)] == records.select("dealer", "vulnerable", "deal").rows()
    assert [None, None] == records["board"].to_list()


def test_what_was_solved_is_kept_with_its_deal() -> None:
    items = read(TEXT.encode(), "dds").items
    assert [(None, "NUMBER"), (0, "PBN"), (0, "TABLE"), (1, "PBN")] == items.select("record", "name").rows()


def test_a_number_that_is_not_the_number_of_deals_is_reported() -> None:
    assert ["deal-file-header"] == codes(read(TEXT.replace("NUMBER 2", "NUMBER 3").encode(), "dds").problems)


def test_a_deal_that_is_none_and_a_line_that_is_none_are_named() -> None:
    one = read(b'NUMBER 1\nPBN 0 0 0 0 "N:AK"\n!?\n', "dds")
    assert [("deal-file-deal", 2), ("line-unknown", 3)] == one.problems.select("code", "line").rows()
