"""Messages and hints are plain English: a scorer understands them at first reading."""

import re
from collections.abc import Iterator

import pytest

from overtrick.core.problems import CODES

UNWANTED = {
    r"\b(is|are) no\b": 'write "is not a"',
    r"\bstand(s|ing)?\b": 'write "is", "comes" or "appears"',
    r"\bheld against\b": 'write "compared with"',
    r"\b(is|are|be) told\b|\btells? of\b": "say who reports what",
    r"\bso many\b|\bof one that\b|\bin any case\b": "leave it out",
    r"^what (has|is|can)\b|[.:;,] what (has|is|can)\b": "put the subject first",
    r"\bbehind\b": 'write "after"',
    r"\b(has|have) not\b": 'write "does not have"',
    r"\bnone of \w+'s own\b": 'write "is not in"',
    r"n't\b": 'write "cannot", "do not" and so on in full',
    r"\bin order to\b|\bplease\b": "leave it out",
}
"""What is not plain English, and what to do about it."""

NOT_VERBS = frozenset(
    """
    A All An Any At By Each Every For From He If In Into It Its Many Most Nobody Not Nothing Of On One Only Other Our
    Overtrick Please She Some That The Their There These They This Those To We What When Where Which Who With You Your
    """.split()
)
"""How a hint does not begin."""

SAID = [(name, text) for name, code in CODES.items() for text in code.texts]
"""What overtrick says of each problem, case by case."""
TEXTS = [(name, text) for name, code in SAID for text in (code.sentence, code.hint)]


def faults(text: str) -> Iterator[str]:
    for pattern, advice in UNWANTED.items():
        if wrong := re.search(pattern, text, re.IGNORECASE):
            yield f'"{wrong[0]}": {advice}'


def test_messages_and_hints_are_plain_english() -> None:
    assert [] == [f"{name}: {fault} in: {text}" for name, text in TEXTS for fault in faults(text)]


@pytest.mark.parametrize(
    "text",
    [
        "[Board 1A] is no board number",
        "this text stands at no card",
        "a deal can't be read",
        "the cards behind it are left out",
        "an error is told in any case",
    ],
)
def test_other_english_is_refused(text: str) -> None:
    assert [*faults(text)]


def test_a_message_is_a_fragment_that_follows_the_code() -> None:
    # A message may begin with a name or a value of the file: "USEBIO cannot ...", "[Board "1A"] ...".
    capitals = re.compile(r"(?!PBN|LIN|USEBIO)[A-Z]")
    assert [] == [code.sentence for _, code in SAID if capitals.match(code.sentence)]
    assert [] == [code.sentence for _, code in SAID if code.sentence.endswith((".", " "))]


def test_a_hint_is_a_sentence_that_begins_with_what_to_do() -> None:
    assert [] == [
        f"{name}: {code.hint}"
        for name, code in SAID
        if not re.match("[A-Z][a-z]+ ", code.hint.replace("No action is", "Do")) or code.hint.split()[0] in NOT_VERBS
    ]
    assert [] == [f"{name}: {code.hint}" for name, code in SAID if not code.hint.endswith(".")]


def test_a_placeholder_is_a_plain_name() -> None:
    # `report` fills `{name}` from a column of that name: it does not know `{}`, `{0}` or `{name:>3}`.
    placeholder = re.compile(r"\{[a-z_]+\}")
    rest = [placeholder.sub("", code.sentence) for _, code in SAID]
    assert [] == [text for text in rest if "{" in text or "}" in text]


def test_a_hint_is_the_same_for_every_row() -> None:
    placeholder = re.compile(r"\{[a-z_]+\}")
    assert [] == [f"{name}: {code.hint}" for name, code in SAID if placeholder.search(code.hint)]
