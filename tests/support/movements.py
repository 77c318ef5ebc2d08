"""Published movements, written down by their rules: what recognising a movement is tried with."""

from collections.abc import Sequence
from typing import Literal

Table = tuple[str, str, int]
"""Who sits N-S, who E-W, and the number of their set of boards, from 1."""
Movement = list[list[Table]]
"""The tables of each round."""

HOWELL_8: Sequence[tuple[int, int, int]] = ((8, 1, 1), (6, 5, 2), (4, 2, 3), (7, 3, 5))
"""First round of a Howell of eight pairs: pair 8 stays, the others and the boards go on by one of seven."""


def mitchell(tables: int, rounds: int, kind: Literal["plain", "skip", "relay"] = "plain") -> Movement:
    """Write a Mitchell: N-S stay, E-W go up a table, boards down; N-S are 1 and up, E-W 101 and up."""
    return [
        [_mitchell_table(tables, number, table, kind) for table in range(1, tables + 1)] for number in range(rounds)
    ]


def _mitchell_table(tables: int, number: int, table: int, kind: str) -> Table:
    skipped = 1 if kind == "skip" and number >= tables // 2 else 0
    beyond = 1 if kind == "relay" and table > tables // 2 else 0
    pair = (table - 1 - number - skipped) % tables + 1
    return str(table), str(100 + pair), (table - 1 + number + beyond) % tables + 1


def howell(rounds: int = 7) -> Movement:
    """Write the Howell of eight pairs."""

    def on(value: int, number: int) -> int:
        return value if value == 8 else (value - 1 + number) % 7 + 1

    return [
        [(str(on(ns, number)), str(on(ew, number)), on(boards, number)) for ns, ew, boards in HOWELL_8]
        for number in range(rounds)
    ]


def individual() -> Movement:
    """Move seven of eight players on by one each round, at two tables; all meet as partners once."""

    def on(value: int, number: int) -> int:
        return (value + number - 1) % 7 + 1

    return [
        [
            (f"8+{on(0, number)}", f"{on(1, number)}+{on(3, number)}", number),
            (f"{on(2, number)}+{on(6, number)}", f"{on(4, number)}+{on(5, number)}", number % 7 + 1),
        ]
        for number in range(1, 8)
    ]


def three_quarter_howell() -> Movement:
    """Write a movement of sixteen pairs in thirteen rounds, not all of whom meet; some tables turn round now and then.

    Pairs 14, 15 and 16 stay at a table of theirs; the others and the boards go on by one of thirteen.
    """

    def on(value: int, number: int) -> int:
        return value if value > 13 else (value - 1 + number) % 13 + 1

    first = ((1, 16, 1), (7, 12, 3), (9, 6, 4), (14, 13, 5), (3, 4, 6), (2, 11, 8), (8, 10, 9), (15, 5, 12))
    turned = {0: (8, 11), 3: (4, 5, 7, 9), 4: (12,), 7: (1,)}

    def table(place: int, number: int) -> Table:
        ns, ew, boards = first[place]
        pair = str(on(ns, number)), str(on(ew, number))
        one, other = pair[::-1] if number in turned.get(place, ()) else pair
        return one, other, on(boards, number)

    return [[table(place, number) for place in range(len(first))] for number in range(13)]
