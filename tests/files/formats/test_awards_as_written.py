"""Artificial scores as programs and people write them, for both sides, for one side, and for nobody."""

import pytest

from overtrick.files.formats.tables.typed import read_award

WRITTEN: dict[str, tuple[str | None, str | None] | None] = {
    "60/40": ("60%", "40%"),
    "60%/40%": ("60%", "40%"),
    "62,5/37.5": ("62.5%", "37.5%"),
    "A6040": ("60%", "40%"),
    "60-40": ("60%", "40%"),
    "60/": ("60%", None),
    "60%/-": ("60%", None),
    "A60--": ("60%", None),
    "/40": (None, "40%"),
    "-/40": (None, "40%"),
    "?/40": (None, "40%"),
    "A--40": (None, "40%"),
    "60%": ("60%", None),
    "100/0": ("100%", "0%"),
    "101/": None,
    "-/101": None,
    "60/140": None,
    "160/40": None,
    "A": ("A", "A"),
    "AVE": ("A", "A"),
    "A+": ("A+", None),
    "A-": ("A-", None),
    "A=": ("A", "A"),
    "A+/A-": ("A+", "A-"),
    "A-/A+": ("A-", "A+"),
    "A=/A+": ("A", "A+"),
    "A+-": ("A+", "A-"),
    "A+/-": ("A+", "A-"),
    "A-+": ("A-", "A+"),
    "A-/": ("A-", None),
    "AVE+/": ("A+", None),
    "A/": ("A", None),
    "A=/-": ("A", "A-"),
    "/A-": (None, "A-"),
    "-/A+": (None, "A+"),
    "?/AVE-": (None, "A-"),
    "/A=": (None, "A"),
    "4S": None,
    "": None,
}


@pytest.mark.parametrize("text", WRITTEN)
def test_an_artificial_score_is_read_for_the_side_that_it_is_written_for(text: str) -> None:
    said = read_award(text, alone=False)
    assert WRITTEN[text] == (said and (said.award_ns, said.award_ew))


@pytest.mark.parametrize("alone", [True, False])
def test_a_number_alone_is_a_percentage_in_the_column_of_the_contract_only(*, alone: bool) -> None:
    said = read_award("60", alone=alone)
    assert (("60%", None) if alone else None) == (said and (said.award_ns, said.award_ew))
