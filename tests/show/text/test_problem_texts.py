"""Problems in French and Polish, with the values of the English sentence in their places."""

from string import Formatter

import pytest

pytest.importorskip("babel", reason="the extra `languages` is not installed")

from overtrick.core.languages import open_language
from overtrick.core.problems import CODES, Finding, report_findings
from overtrick.show.text.sentences import translate_message
from tests.support.catalogues import LANGUAGES


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_is_found_again_by_its_form(language: str) -> None:
    spoken = open_language(language)
    for code, text in [(code, text) for code, known in CODES.items() for text in known.texts]:
        values = {name: f"<{name}>" for _, name, _, _ in Formatter().parse(text.sentence) if name}
        expected = spoken.problems.get(text.sentence, text.sentence).format(**values)
        assert expected == translate_message(spoken, text.sentence.format(**values), code)


def test_a_problem_is_told_in_french_with_its_own_values() -> None:
    found = Finding("bws-missing", values={"board": "7", "round": "2", "at": ", section B", "pairs": "3 against 4"})
    (row,) = report_findings([found], "x.bws").to_dicts()
    french = open_language("fr")
    said = translate_message(french, row["message"], row["code"])
    assert said.startswith("donne 7, tour 2")
    assert said.endswith("le résultat de 3 contre 4 manque")
    assert "Saisissez le résultat" in french.problems[row["hint"]]


@pytest.mark.parametrize(
    ("language", "code", "values", "expected"),
    [
        ("fr", "pbn-tag-value/tag", ("[Declarer]", "N, E, S or W", "Q"), "attendu N, E, S ou W"),
        ("pl", "pbn-tag-value/tag", ("[Declarer]", "N, E, S or W", "Q"), "oczekiwano N, E, S albo W"),
        ("fr", "deal-unread/usebio", ("3", "West has 12 cards instead of 13"), "Ouest a 12 cartes au lieu de 13"),
        ("pl", "auction-illegal/double", ("3", "West", "2♥ is a bid by their own side"), "2♥ to odzywka ich"),
        (
            *("fr", "correction-unmatched"),
            ("board 6, pair 3", "there is no contestant 3; did you mean 13?"),
            "donne 6, paire 3 : il n’y a pas de concurrent 3 ; vouliez-vous dire 13 ?",
        ),
        ("fr", "correction-invalid", ("there is no bid yet",), "il n’y a pas encore d’enchère"),
        ("fr", "correction-no-change", ("board 6, 3 against 4",), "donne 6, 3 contre 4"),
        ("pl", "bws-missing", ("7", "2", ", section B", "3 against 4"), ", sektor B"),
    ],
)
def test_parts_of_a_sentence_are_translated_too(
    language: str, code: str, values: tuple[str, ...], expected: str
) -> None:
    name, _, case = code.partition("/")
    sentence = CODES[name].cases[case].sentence if case else CODES[name].sentence
    names = dict.fromkeys(name for _, name, _, _ in Formatter().parse(sentence) if name)
    message = sentence.format(**dict(zip(names, values, strict=True)))
    assert expected in translate_message(open_language(language), message, name)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_what_has_no_translation_stays_as_it_is(language: str) -> None:
    spoken = open_language(language)
    assert "of a plugin" == translate_message(spoken, "of a plugin", "our-own-code")
    assert "other words" == translate_message(spoken, "other words", "file-no-games")
