"""`docs/problems.md` lists the problem codes of the package.

`OVERTRICK_UPDATE_GOLDEN=1` writes it anew.
"""

from collections.abc import Iterator

from overtrick.core.problems import CODES, Code, list_subjects
from tests.support.commands import ROOT
from tests.support.golden import assert_as_before

LIST = ROOT / "docs" / "problems.md"

INTRODUCTION = """# Problems

All problem codes. Use `[checks]` in `club.toml` to silence codes or to change their severity.

- **error**: overtrick leaves something out of the scoring, or something happened that the Laws do not allow.
- **warning**: overtrick uses the data and marks it, because it may be wrong.
- **info**: nothing changes.

A star marks data that breaks a rule of the file format or of the Laws, but that overtrick accepts.
`overtrick check --strict` reports all of these as errors.
You cannot silence an error without a star, because it tells you that something is missing from the scores.

A name in braces, such as `{board}`, stands for a value from your file.
A code with several messages has a line for each; severity and `[checks]` are for all of them.
"""


def lines() -> Iterator[str]:
    yield INTRODUCTION.rstrip("\n")
    for heading, codes in list_subjects().items():
        yield f"\n## {heading}\n"
        yield "| code | severity | message | what to do | rule |"
        yield "|---|---|---|---|---|"
        for name, code in codes.items():
            yield from (row(name if at == 0 else "", text) for at, text in enumerate(code.texts))


def row(name: str, code: Code) -> str:
    star = "*" if code.tolerance else ""
    head = (f"`{name}`{star}", code.severity) if name else ("", "")
    cells = (*head, code.sentence, code.hint, code.rule)
    return "| " + " | ".join(text.replace("|", "\\|") for text in cells) + " |"


def test_the_list_of_problems_is_complete() -> None:
    listed = "\n".join(lines()) + "\n"
    assert_as_before(LIST, listed)


def test_every_code_has_one_subject() -> None:
    assert len(CODES) == sum(len(codes) for codes in list_subjects().values())
