"""Reading LIN: what can't be read, and what is read although it is written in another way."""

from typing import Final

from overtrick.problems.code import Code

CODES: Final[dict[str, Code]] = {
    "lin-pipe-missing": Code(
        "warning",
        "a pipe is missing here; it is read as {name}|{text}|",
        "Two characters, a pipe, the value, a pipe: write both pipes of each command.",
        "LIN",
        tolerance=True,
    ),
    "lin-pipe-extra": Code(
        "warning",
        "there is a pipe too many here; it is passed over",
        "Remove it: a command has one pipe before its value and one behind it.",
        "LIN",
        tolerance=True,
    ),
    "lin-board-without-qx": Code(
        "warning",
        "{text} is taken for the board and room of a qx that is missing",
        "Write qx| before it.",
        "LIN",
        tolerance=True,
    ),
    "lin-value-unclosed": Code(
        "warning",
        "the text ends within {name}; what there is of it is kept",
        "The file may have been cut off: export it again, or end it with a pipe.",
        "LIN",
        tolerance=True,
    ),
    "lin-value-broken": Code(
        "info",
        "this text is broken before its last two letters, which look like the command rs; the line end is left out",
        "Nothing to do.",
        "LIN",
        tolerance=True,
    ),
    "lin-command-unknown": Code(
        "info",
        "{name} is no command that is known; it is kept as it is",
        "Nothing to do, unless it is a slip of the pen.",
        "LIN",
    ),
    "lin-stray-text": Code(
        "warning",
        "this text belongs to no command and is passed over: {text}",
        "Remove it, or begin its line with %.",
        "LIN",
        tolerance=True,
    ),
}
