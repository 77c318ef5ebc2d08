"""Deals as the program `dealer` prints them, by its actions printoneline, printcompact, printall and printew.

A deal is a line `n AKQT3.J6.KJ42.95 e ...`, or a line for each hand, or a table with a line for each suit. A table has
the hands of North, East, South and West below the number of the deal, or those of West and East alone. Its columns are
20 characters wide, so a suit of ten cards fills one:

       1.
    A K Q T 3           9 8 7 6 5 4 2       -                   J
    J 6                 A                   K Q T 9 8 7 5 4     3 2
    K J 4 2             A Q                 T 9 8               7 6 5 3
    9 5                 A K Q               J T                 8 7 6 4 3 2

At its end the program counts what it has done.
"""

import re
from typing import Final

from overtrick.files.formats.dealing_machines.deals import Listed
from overtrick.files.formats.dealing_machines.text import HAND, strip_filling

_SUIT_LINE: Final = r"(?:-|[AKQJT2-9](?: [AKQJT2-9])*)(?: +(?:-|[AKQJT2-9](?: [AKQJT2-9])*))+[ \t]*\n"
_PRINTED: Final = re.compile(
    rf"(?m)^(?:n (?P<n>{HAND})\s+e (?P<e>{HAND})\s+s (?P<s>{HAND})\s+w (?P<w>{HAND})[ \t]*(?:\n|\Z)"
    rf"|(?:[ \t]*[0-9]+\.[ \t]*\n)?(?P<table>(?:{_SUIT_LINE}){{4}}))"
)
_COUNTED: Final = re.compile(r"(Generated|Produced|Initial random seed|Time needed)\s+(\S.*)")
_PRINTED_WIDTH: Final = 20


def is_dealer(head: bytes) -> bool:
    """Report whether a file begins with a deal as `dealer` prints it."""
    text = strip_filling(head).decode("latin-1").replace("\r", "")
    return _PRINTED.match(text.lstrip("\n")) is not None


def decode_dealer(data: bytes) -> Listed:
    """Decode what `dealer` printed; deals count from 1, and hands that it did not print are unknown."""
    listed = Listed.begin(strip_filling(data))
    text, end, line = listed.content, 0, 1
    for found in _PRINTED.finditer(text):
        _keep_between(listed, text[end : found.start()], line)
        line += text.count("\n", end, found.start())
        number = listed.count + 1
        hands = found.group("n", "e", "s", "w") if found["n"] else _read_columns(found["table"])
        listed.add(line, board=number, board_label=str(number), deal=f"N:{' '.join(hands)}")
        line, end = line + text.count("\n", found.start(), found.end()), found.end()
    _keep_between(listed, text[end:], line)
    return listed


def _keep_between(listed: Listed, text: str, first: int) -> None:
    """Keep what `dealer` counted; a line that is neither that nor a deal is kept and reported."""
    for line, written in enumerate(text.split("\n"), start=first):
        if counted := _COUNTED.fullmatch(written.strip()):
            listed.keep(line, counted[1], counted[2])
        elif written.strip():
            listed.keep_odd(line, written.strip())


def _read_columns(table: str) -> list[str]:
    """Return the hands N E S W of a table; with two columns, they are West and East."""
    rows = [line.rstrip() for line in table.splitlines()]
    columns = -(-max(map(len, rows)) // _PRINTED_WIDTH)
    suits = [
        [row[at : at + _PRINTED_WIDTH].replace(" ", "").replace("-", "") for row in rows]
        for at in range(0, columns * _PRINTED_WIDTH, _PRINTED_WIDTH)
    ]
    hands = [".".join(hand) for hand in suits]
    return ["-", hands[1], "-", hands[0]] if columns == 2 else hands
