"""Results as a scorer types them."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overtrick.files.correct.entry import ShorthandError, read_shorthand, write_shorthand

NOTHING: dict[str, Any] = dict.fromkeys(
    ("award_ns", "award_ew", "lead", "stated_score_ns", "tricks", "declarer", "strain")
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("4SN+1", {"contract": "4S", "by": "N", "tricks": 11}),
        ("4s n 11", {"contract": "4S", "by": "N", "tricks": 11}),
        ("3nn=", {"contract": "3NT", "by": "N", "tricks": 9}),
        ("3NTXE-2", {"contract": "3NTX", "by": "E", "tricks": 7}),
        ("3N**W−1", {"contract": "3NTXX", "by": "W", "tricks": 8}),
        ("4♠ by S = ♥10", {"contract": "4S", "by": "S", "tricks": 10, "lead": "HT"}),
        ("1CE+1 dk", {"contract": "1C", "by": "E", "tricks": 8, "lead": "DK"}),
        ("p", {"contract": "Pass"}),
        ("Passed out", {"contract": "Pass"}),
        ("np", {"not_played": True}),
        ("60/40", {"award": ("60%", "40%")}),
        ("A+ A-", {"award": ("A+", "A-")}),
        ("55.5%/44.5%", {"award": ("55.5%", "44.5%")}),
        ("-100", {"score": -100}),
        ("+620", {"score": 620}),
        ("0", {"score": 0}),
    ],
)
def test_a_result_is_read(text: str, expected: dict[str, Any]) -> None:
    assert expected == read_shorthand(text)


@pytest.mark.parametrize("text", ["", "4S", "4SN", "8SN=", "4SN+4", "1CN-8", "4SN+1 ZZ", "600", "yes", "4SNN="])
def test_what_is_not_a_result_is_refused(text: str) -> None:
    with pytest.raises(ShorthandError, match="expected"):
        read_shorthand(text)


PLAYED = st.fixed_dictionaries(
    {
        "level": st.integers(1, 7),
        "strain": st.sampled_from(["C", "D", "H", "S", "NT"]),
        "doubled": st.integers(0, 2),
        "declarer": st.sampled_from("NESW"),
        "tricks": st.integers(0, 13),
        "lead": st.sampled_from([None, "DK", "HT"]),
    }
)


@given(PLAYED)
def test_what_is_written_is_read_back(played: dict[str, Any]) -> None:
    contract = f"{played['level']}{played['strain']}{'X' * played['doubled']}"
    expected = {"contract": contract, "by": played["declarer"], "tricks": played["tricks"]}
    expected |= {"lead": played["lead"]} if played["lead"] else {}
    assert expected == read_shorthand(write_shorthand({**NOTHING, "status": "played", **played}))


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ({"status": "not played", "level": None}, "NP"),
        ({"status": "passed", "level": 0}, "P"),
        ({"status": "adjusted", "level": None, "award_ns": "60%", "award_ew": "40%"}, "60%/40%"),
        ({"status": "played", "level": None, "stated_score_ns": -100}, "-100"),
        ({"status": "unknown", "level": 4, "strain": "S", "declarer": "N"}, ""),
    ],
)
def test_other_results_are_written(row: dict[str, Any], expected: str) -> None:
    assert expected == write_shorthand({**NOTHING, "doubled": 0, **row})
