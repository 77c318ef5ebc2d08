"""The corrections file of an evening."""

from typing import Final

from overtrick.core.problems.code import Code

CODES: Final[dict[str, Code]] = {
    "correction-invalid": Code(
        "error",
        "{reason}",
        "Correct the entry; docs/corrections.md lists the keys. Until then the evening is shown without it.",
    ),
    "correction-unmatched": Code(
        "error",
        "{named}: {reason}",
        "Correct the board, the pair or the name in the entry. It changes nothing as it is.",
    ),
    "correction-ambiguous": Code(
        "error",
        "{named} fits {count} {things}: {which}",
        "Add section, direction, or round and table to the entry. It changes nothing until it names only one.",
    ),
    "correction-contradicts": Code(
        "error",
        "{named}: the entry on line {other} already {says}",
        "Remove one of the two entries: `overtrick correct --undo` removes the last. Only the first one counts.",
    ),
    "correction-impossible": Code(
        "error",
        "{named}: {reason}",
        "Correct the entry, or remove it. It changes nothing as it is.",
    ),
    "correction-no-tie": Code(
        "error",
        "{contestant} is not tied with anybody, so no tie was decided",
        "Remove the entry, or correct the winner. It changes nothing as it is.",
    ),
    "correction-no-change": Code(
        "warning",
        "{named}: the file already says so",
        "Remove the entry if the file was corrected after it was written.",
    ),
    "correction-left-out": Code(
        "error",
        "the corrections are not applied: {source_file} is too large to be read as one session",
        "Save each session in a file of its own.",
    ),
}
