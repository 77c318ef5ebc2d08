"""Problems in French and Polish: every code has its texts, with the values of the English sentence in their places."""

from string import Formatter

import pytest

from overtrick.formats.pbn.tags import TAGS
from overtrick.machine import resource
from overtrick.problems import CODES, Finding, report_findings
from overtrick.render.problem_texts import open_parts, open_texts, translate_hint, translate_message
from tests.problems.test_wording import VERBS

LANGUAGES = sorted(path.stem for path in resource("templates", "languages").glob("*.po"))


def placeholders(sentence: str) -> list[str]:
    return sorted(name for _, name, _, _ in Formatter().parse(sentence) if name)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_code_has_a_sentence_with_the_same_values_and_a_hint(language: str) -> None:
    texts = open_texts(language)
    assert [*CODES] == [code for code in CODES if code in texts]
    assert set(texts) <= set(CODES)
    assert [] == [
        code for code, (said, _) in texts.items() if set(placeholders(said)) != set(placeholders(CODES[code].sentence))
    ]
    assert [] == [code for code, (_, hint) in texts.items() if not hint.strip() or hint.split()[0] in VERBS]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_is_found_again_by_its_form(language: str) -> None:
    for code, text in CODES.items():
        values = {name: f"<{name}>" for name in placeholders(text.sentence)}
        said = translate_message(language, text.sentence.format(**values), code)
        assert open_texts(language)[code][0].format(**values) == said
        assert all(value in said for value in values.values())


def test_a_problem_is_told_in_french_with_its_own_values() -> None:
    found = Finding("bws-missing", values={"board": "7", "round": "2", "at": ", section B", "pairs": "3 against 4"})
    (row,) = report_findings([found], "x.bws").to_dicts()
    said = translate_message("fr", row["message"], row["code"])
    assert said.startswith("donne 7, tour 2")
    assert said.endswith("le résultat de 3 contre 4 manque")
    assert "Saisissez le résultat" in translate_hint("fr", row["hint"], row["code"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_parts_with_the_same_values(language: str) -> None:
    parts = open_parts(language)
    assert [*open_parts("fr")] == [*parts]
    assert [] == [english for english, said in parts.items() if placeholders(english) != placeholders(said)]
    assert {"HH:MM:SS"} == {tag.form.expected for tag in TAGS.values() if tag.form and tag.form.expected} - set(parts)


@pytest.mark.parametrize(
    ("language", "code", "values", "expected"),
    [
        ("fr", "pbn-tag-value", ("[Declarer]", "N, E, S or W", "Q"), "attendu N, E, S ou W"),
        ("pl", "pbn-tag-value", ("[Declarer]", "N, E, S or W", "Q"), "oczekiwano N, E, S albo W"),
        ("fr", "bws-deal", ("3", "West has 12 cards instead of 13"), "Ouest a 12 cartes au lieu de 13"),
        ("pl", "auction-double-not-allowed", ("3", "West", "2♥ is a bid by their own side"), "2♥ to odzywka ich"),
        (
            *("fr", "correction-unmatched"),
            ("board 6, pair 3", "there is no contestant 3; did you mean 13?"),
            "donne 6, paire 3 : il n’y a pas de concurrent 3 ; vouliez-vous dire 13 ?",
        ),
        ("pl", "bws-missing", ("7", "2", ", section B", "3 against 4"), ", sektor B"),
    ],
)
def test_parts_of_a_sentence_are_translated_too(
    language: str, code: str, values: tuple[str, ...], expected: str
) -> None:
    sentence = CODES[code].sentence
    names = dict.fromkeys(name for _, name, _, _ in Formatter().parse(sentence) if name)
    message = sentence.format(**dict(zip(names, values, strict=True)))
    assert expected in translate_message(language, message, code)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_what_has_no_translation_stays_as_it_is(language: str) -> None:
    assert "of a plugin" == translate_message(language, "of a plugin", "our-own-code")
    assert "other words" == translate_message(language, "other words", "file-empty")
    assert "Ask us." == translate_hint(language, "Ask us.", "file-empty")
