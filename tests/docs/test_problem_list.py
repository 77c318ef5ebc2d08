"""The list of problems in `docs/problems.md` is that of the package.

`OVERTRICK_UPDATE_GOLDEN=1` writes it anew.
"""

import os
from collections.abc import Iterator

from overtrick.problems import CODES
from tests.support.commands import ROOT

LIST = ROOT / "docs" / "problems.md"

INTRODUCTION = """# Problems

Every problem that overtrick tells of, by its code. `[checks]` in `club.toml` silences codes and changes their severity.

An error tells of a loss: what it names is left out of the scoring, so it is told in any case.
A warning is kept and marked, a note changes nothing.
Those with a star are against the description of the file format or the Laws and are understood all the same;
`overtrick check --strict` makes errors of them.
"""


def lines() -> Iterator[str]:
    yield INTRODUCTION
    yield "| code | severity | says | what to do | rule |"
    yield "|---|---|---|---|---|"
    for name, code in CODES.items():
        star = "*" if code.tolerance else ""
        told = (f"`{name}`{star}", code.severity, code.sentence, code.hint, code.rule)
        yield "| " + " | ".join(text.replace("|", "\\|") for text in told) + " |"


def test_the_list_of_problems_is_complete() -> None:
    listed = "\n".join(lines()) + "\n"
    if os.environ.get("OVERTRICK_UPDATE_GOLDEN"):
        LIST.write_text(listed, "utf-8")
    assert LIST.read_text("utf-8") == listed


def test_every_problem_says_what_to_do_and_ends_its_sentences_right() -> None:
    assert [] == [name for name, code in CODES.items() if not code.hint.endswith(".") or code.sentence.endswith(".")]
