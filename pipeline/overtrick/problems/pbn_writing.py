"""Writing PBN in export form."""

from typing import Final

from overtrick.problems.code import Code

CODES: Final[dict[str, Code]] = {
    "pbn-export-value": Code(
        "warning",
        '[{name} "{value}"] has no place in export form: "{written}" is written, and the value in a comment',
        "Correct the value, or keep the file in the form it has.",
        "PBN 3.4",
    ),
    "pbn-export-kept": Code(
        "warning",
        "{fault}: the section is written as it stands, which is not export form",
        "Correct the section, or keep the file in the form it has.",
        "PBN 2.1",
    ),
    "pbn-export-character": Code(
        "warning",
        "export form has no such characters: {characters}; others are written for them",
        "Keep the file in the form it has if names must stay as they are.",
        "PBN 2.2",
    ),
    "pbn-export-line": Code(
        "warning",
        "a line of {length} characters can't be broken; export form allows 253 and the line's end",
        "Shorten the value; other programs may cut it.",
        "PBN 2.3",
    ),
    "pbn-export-stray": Code(
        "info",
        "this text belongs to no section and is written as a comment: {text}",
        "Nothing to do.",
        "PBN 5.1",
    ),
    "pbn-commands-not-written": Code(
        "warning",
        "PBN has no place for these commands of LIN: {names}",
        "Keep the file in the form it has as well.",
        "LIN",
    ),
    "pbn-braces": Code(
        "info",
        "a comment of PBN holds no braces; brackets are written for them: {text}",
        "Nothing to do.",
        "PBN 3.8",
    ),
}
