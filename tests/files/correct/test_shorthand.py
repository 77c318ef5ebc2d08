"""Results as a scorer types them."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overtrick.core.words import Club, dialects, spoken
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
        ("4S+1 N", {"contract": "4S", "by": "N", "tricks": 11}),
        ("4S+1N", {"contract": "4S", "by": "N", "tricks": 11}),
        ("4S-1S", {"contract": "4S", "by": "S", "tricks": 9}),
        ("4S -1 S, ♦K", {"contract": "4S", "by": "S", "tricks": 9, "lead": "DK"}),
        ("4S+1 N SK", {"contract": "4S", "by": "N", "tricks": 11, "lead": "SK"}),
        ("3NT= by W", {"contract": "3NT", "by": "W", "tricks": 9}),
        ("3N=N", {"contract": "3NT", "by": "N", "tricks": 9}),
        ("4Sx-2 W", {"contract": "4SX", "by": "W", "tricks": 8}),
        ("4H E x -1", {"contract": "4HX", "by": "E", "tricks": 9}),
        ("2♥ S 8", {"contract": "2H", "by": "S", "tricks": 8}),
        ("4♠ (N) +1", {"contract": "4S", "by": "N", "tricks": 11}),
        ("4S 10 N", {"contract": "4S", "by": "N", "tricks": 10}),
        ("3SA N =", {"contract": "3NT", "by": "N", "tricks": 9}),
        ("1NT by South made", {"contract": "1NT", "by": "S", "tricks": 7}),
        ("55,5/44,5", {"award": ("55.5%", "44.5%")}),
        ("60-40", {"award": ("60%", "40%")}),
        ("AVE+/AVE-", {"award": ("A+", "A-")}),
        ("avg", {"award": ("A", "A")}),
    ],
)
def test_a_result_is_read(text: str, expected: dict[str, Any]) -> None:
    assert expected == read_shorthand(text)


STRAINS = {
    "S": ("S", "s", "♠", "Spades"),
    "H": ("H", "♥", "♡", "hearts"),
    "D": ("D", "d", "♦"),
    "C": ("C", "♣", "clubs"),
    "NT": ("NT", "N", "nt", "SA", "no trump"),
}
DOUBLED = {"": ("",), "X": ("X", "x", "*", "dbl", " x", "\u00d7"), "XX": ("XX", "**", "rdbl", " xx")}
TRICKS = {0: ("=", "made", "+0"), 1: ("+1", "+ 1"), -1: ("-1", "−1", "–1"), -2: ("-2",)}
FORMS = (
    "{c}{d}{by}{t}",
    "{c}{d} {by} {t}",
    "{c} {d} {by} {t}",
    "{c}{d}{t} {by}",
    "{c}{d} by {by} {t}",
    "{c}{d} {t} by {by}",
)
SEAT_FIRST = ("{by} {c}{d} {t}", "{by}{c}{d}{t}", "{by}: {c}{d}{t}", "{c}{d}/{by}/{t}", "{c}{d}, {by}, {t}")
IN_WORDS = {0: ("just made", "made 3"), 1: ("plus 1", "1 over", "made 4", "making 10"), -1: ("down 1", "1 off")}
ODD_FORMS = ("{c}{d}-{by}-{t}", "{by}-{c}{d}-{t}", "{by} {c}{d} {by} {t}", "{c}{d} {by} {t} {by}", "{t} {c}{d} {by}")
ODD_TRICKS = {1: ("made +1", "1", "plus one"), -1: ("one off", "off", "1 down 1", "made 7")}


def spell(forms: Iterable[str], tricks: Mapping[int, Iterable[str]]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield spellings of results, each with what it means."""
    for form, (strain, words), (doubled, signs), (over, ends) in product(
        forms, STRAINS.items(), DOUBLED.items(), tricks.items()
    ):
        for word, sign, end, by in product(words, signs, ends, "NW"):
            meant = {"contract": f"3{strain}{doubled}", "by": by, "tricks": 9 + over}
            yield form.format(c=f"3{word}", d=sign, by=by, t=end), meant


def test_a_result_is_read_in_every_usual_spelling() -> None:
    spelt = dict([*spell((*FORMS, *SEAT_FIRST), TRICKS), *spell((*FORMS[1:], *SEAT_FIRST[:1]), IN_WORDS)][::13])
    assert 700 < len(spelt)
    assert spelt == {text: read_shorthand(text) for text in spelt}


def test_an_odd_spelling_is_refused_or_means_what_it_says() -> None:
    for text, meant in [*spell(ODD_FORMS, TRICKS), *spell((*FORMS, *SEAT_FIRST), ODD_TRICKS)][::7]:
        try:
            assert meant == read_shorthand(text), text
        except ShorthandError as error:
            assert "expected" in str(error)  # noqa: PT017 - either is right, a wrong result is not


@pytest.mark.parametrize(
    "text", ["", "4S", "4SN", "8SN=", "4SN+4", "1CN-8", "4SN+1 ZZ", "600", "yes", "4SNN=", "4SXNX=", "A+", "60"]
)
def test_what_is_not_a_result_is_refused(text: str) -> None:
    with pytest.raises(ShorthandError, match="expected"):
        read_shorthand(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("7NT N +1", "expected 0 to 13 tricks, got 14: 7NT can be -13 to ="),
        ("4SN+4", "expected 0 to 13 tricks, got 14: 4S can be -10 to +3"),
        ("4S N 5", "expected = or a sign: 4♠ N +1 if 5 was made, 4♠ N -5 for 5 tricks"),
        ("4S N 2", "expected = or a sign: 4♠ N +2 for overtricks, 4♠ N -8 for 2 tricks"),
        ("A+", "expected a score for each side, such as 60/40 or A+/A-, got A+"),
        ("60", "expected a score for each side, such as 60/40 or A+/A-, got 60"),
        ("3NT S", "expected the tricks too, such as 3NT S = or -1"),
    ],
)
def test_a_refusal_says_what_would_be_possible(text: str, expected: str) -> None:
    with pytest.raises(ShorthandError) as error:
        read_shorthand(text)
    assert expected == str(error.value)


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


@given(PLAYED, st.sampled_from(["", *dialects()]))
def test_what_is_written_is_read_back(played: dict[str, Any], language: str) -> None:
    contract = f"{played['level']}{played['strain']}{'X' * played['doubled']}"
    expected = {"contract": contract, "by": played["declarer"], "tricks": played["tricks"]}
    expected |= {"lead": played["lead"]} if played["lead"] else {}
    with spoken(Club(language=language or None)):
        assert expected == read_shorthand(write_shorthand({**NOTHING, "status": "played", **played}))


@pytest.mark.parametrize(
    ("language", "expected"), [("english", "3NW-1 SQ"), ("french", "3SAO-1 ♠D"), ("polish", "3BAW-1 ♠D")]
)
def test_a_result_is_written_in_the_words_that_a_scorer_types(language: str, expected: str) -> None:
    row = {"status": "played", "level": 3, "strain": "NT", "declarer": "W", "tricks": 8, "lead": "SQ", "doubled": 0}
    with spoken(Club(language=language)):
        assert expected == write_shorthand({**NOTHING, **row})


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
