"""Problems in French and Polish: every code has its texts, with the values of the English sentence in their places."""

from string import Formatter

import pytest

from overtrick.machine import resource
from overtrick.problems import CODES, Finding, report_findings
from overtrick.render.problem_texts import open_texts, translate_hint, translate_message
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


@pytest.mark.parametrize("language", ["en", "fr"])
def test_what_has_no_translation_stays_as_it_is(language: str) -> None:
    assert "of a plugin" == translate_message(language, "of a plugin", "our-own-code")
    assert "other words" == translate_message(language, "other words", "file-empty")
    assert "Ask us." == translate_hint(language, "Ask us.", "file-empty")
