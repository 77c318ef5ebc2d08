"""What words stand for: the dialect of a whole text decides, or nothing does."""

from collections.abc import Mapping, Sequence
from itertools import chain, combinations
from typing import get_args

import pytest

from overtrick.core.config import Language
from overtrick.core.words import ENGLISH, Club, Form, Kind, all_words, decide, dialects, plain, shipped, spoken
from overtrick.files.formats.tables.typed import COLUMNS, COMPUTED, TYPED

Values = Mapping[Form, Sequence[str]]


@pytest.mark.parametrize(
    ("expected", "values"),
    [
        (["4C", "4S"], {"contract": ["4C", "4S"]}),
        (["4H", "4C"], {"contract": ["4C", "4T"]}),
        (["4H", "3NT"], {"contract": ["4C", "3SA"]}),
        (["4C", "3NT", "4S", "4H", "4D"], {"contract": ["4C", "3SA", "4S", "4H", "4D"]}),
        (["4C", "2D"], {"contract": ["4K", "2R"]}),
        (["4C", "4S N +1", "Pass"], {"contract": ["4♣", "4♠ by North +1", "passed out"]}),
        (["4C", "4S W -1 HK", "3NTX E"], {"contract": ["4♣", "4P par Ouest -1, CR", "3SA contre E"]}),
    ],
)
def test_the_whole_text_decides_what_a_contract_is(expected: list[str], values: Values) -> None:
    dialect = decide(values)
    assert expected == [dialect.read("contract", text) for text in values["contract"]]


@pytest.mark.parametrize(
    ("expected", "cards"),
    [(["SJ", "HK", "DQ"], ["PV", "CR", "KD"]), (["DQ", "CJ", "HK"], ["RV", "KB", "HH"]), (["HJ", "DA"], ["HKn", "RE"])],
)
def test_the_whole_text_decides_what_a_card_is(expected: list[str], cards: list[str]) -> None:
    dialect = decide({"card": cards})
    assert expected == [dialect.read("card", text) for text in cards]


def test_what_two_dialects_disagree_on_is_not_read() -> None:
    dialect = decide({"contract": ["3SA"], "seat": ["O", "N"]})
    assert ("3NT", "N", None) == (dialect.read("contract", "3SA"), dialect.read("seat", "N"), dialect.read("seat", "O"))
    assert {"french": "W", "german": "E", "dutch": "E"} == dialect.readings("seat", "O")


def test_headers_decide_what_the_values_leave_open() -> None:
    assert "4C" == decide({"contract": ["4C"]}).read("contract", "4C")
    assert "4H" == decide({"contract": ["4C"], "column": ["Donne", "Contrat"]}).read("contract", "4C")


def test_a_slip_does_not_change_the_language() -> None:
    assert "4C" == decide({"contract": ["4C", "4?"]}).read("contract", "4C")


def test_the_clubs_language_decides_what_a_text_leaves_open() -> None:
    with spoken(Club("french")):
        assert "4H" == decide({"contract": ["4C"]}).read("contract", "4C")
        assert "4C" == decide({"contract": ["4C", "4S"]}).read("contract", "4C")


def test_a_club_has_words_of_its_own() -> None:
    words = (
        ("strain", "F", "C"),
        ("strain", "Q", "D"),
        ("strain", "C", "H"),
        ("strain", "P", "S"),
        ("strain", "zw", "NT"),
    )
    with spoken(Club(words=words)):
        dialect = decide({"contract": ["4C", "4Q", "4F"]})
        assert ["4H", "4D", "4C"] == [dialect.read("contract", text) for text in ("4C", "4Q", "4F")]
        assert "3NT" == decide({"contract": ["4C", "4S", "4H", "3ZW"]}).read("contract", "3ZW")


@pytest.mark.parametrize("kind", ["column", "outcome", "joined"])
def test_words_of_tables_mean_the_same_in_all_dialects(kind: Kind) -> None:
    words = chain.from_iterable(shipped(kind, name).items() for name in dialects())
    assert [] == [pair for pair in combinations(set(words), 2) if pair[0][0] == pair[1][0]]


def test_the_settings_know_the_dialects_and_the_table_knows_the_columns() -> None:
    assert get_args(Language) == dialects()
    assert set(all_words("column", Club()).values()) <= {*COLUMNS, *TYPED, *COMPUTED}


def test_english_is_what_the_standards_write() -> None:
    assert {"C": "C", "D": "D", "H": "H", "S": "S", "N": "NT", "NT": "NT"}.items() <= ENGLISH.words("strain").items()
    assert "SA" not in ENGLISH.words("strain")


def test_words_are_compared_without_accents() -> None:
    assert ["OUEST", "POLNOC", "COEUR", "-1"] == [plain(text) for text in (" ouest ", "północ", "Cœur", "−1")]
