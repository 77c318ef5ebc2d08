"""Lists of deals of the double-dummy solver."""

from overtrick.formats.dealing_machines.dds import is_dds, read_dds
from tests.support.machine_files import SUIT_EACH
from tests.support.reading import codes

TEXT = f'NUMBER 2 \nPBN 0 0 4 0 "{SUIT_EACH}" \nTABLE 13 0 13 0 \nPBN 3 2 1 1 "{SUIT_EACH}" \n'


def test_dealer_and_vulnerability_are_numbers() -> None:
    assert is_dds(TEXT.encode())
    records = read_dds(TEXT.encode()).records
    assert [("N", "None", SUIT_EACH), ("W", "NS", SUIT_EACH)] == records.select("dealer", "vulnerable", "deal").rows()
    assert [None, None] == records["board"].to_list()


def test_what_was_solved_is_kept_with_its_deal() -> None:
    items = read_dds(TEXT.encode()).items
    assert [(None, "NUMBER"), (0, "PBN"), (0, "TABLE"), (1, "PBN")] == items.select("record", "name").rows()


def test_a_number_that_is_not_the_number_of_deals_is_reported() -> None:
    assert ["deal-file-header"] == codes(read_dds(TEXT.replace("NUMBER 2", "NUMBER 3").encode()).problems)


def test_a_deal_that_is_none_and_a_line_that_is_none_are_named() -> None:
    read = read_dds(b'NUMBER 1\nPBN 0 0 0 0 "N:AK"\n!?\n')
    assert [("deal-file-cards", 2), ("deal-file-line", 3)] == read.problems.select("code", "line").rows()
