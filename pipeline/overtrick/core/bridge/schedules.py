"""Movements written out: who sits where in each round, and with which set of boards.

A schedule is a list of `Sitting`s. Rounds, tables, sets and contestants are numbers from 1.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Final, Literal, NamedTuple

KnownKind = Literal["howell", "three-quarter-howell", "individual"]
Start = Sequence[Sequence[int]]
"""The first round, table by table: N-S, E-W and the set of boards, or North, South, East, West and the set."""


class Sitting(NamedTuple):
    """One table in one round: the contestants N-S and E-W, one pair or two players each, and their boards."""

    round: int
    table: int
    ns: tuple[int, ...]
    ew: tuple[int, ...]
    boards: tuple[int, ...]


class Cyclic(NamedTuple):
    """A movement in which some contestants stay, and all others and the sets of boards move on by one each round.

    Attributes:
        start: the first round.
        moving: how many move; contestants with a higher number stay.
        turned: by table, the rounds in which its pairs sit the other way round.
        down: whether the next lower number follows, for contestants.
    """

    start: Start
    moving: int
    turned: Mapping[int, Collection[int]]
    down: bool = False


_TURNED: Final = {
    1: (9, 12),
    2: (4, 5, 6, 7, 8),
    3: (3, 4, 6, 7, 9, 10),
    4: (5, 6, 8, 10),
    5: (13,),
    6: (9, 11, 13),
    7: (7, 9, 11),
    8: (2,),
}

_HOWELLS: Final[Mapping[int, Start]] = {
    5: (
        (2, 3, 1),
        (6, 8, 2),
        (1, 5, 7),
        (4, 7, 8),
        (10, 9, 9),
    ),
    6: (
        (6, 8, 3),
        (1, 7, 5),
        (3, 4, 6),
        (2, 10, 9),
        (5, 9, 10),
        (12, 11, 11),
    ),
    7: (
        (6, 9, 2),
        (4, 8, 3),
        (2, 7, 5),
        (1, 3, 8),
        (5, 12, 9),
        (10, 11, 12),
        (14, 13, 13),
    ),
    8: (
        (3, 12, 1),
        (5, 9, 2),
        (2, 4, 5),
        (1, 11, 6),
        (6, 14, 8),
        (10, 13, 9),
        (7, 8, 14),
        (16, 15, 15),
    ),
    9: (
        (4, 13, 1),
        (10, 12, 4),
        (11, 16, 6),
        (8, 14, 7),
        (5, 6, 8),
        (3, 7, 11),
        (2, 9, 15),
        (1, 15, 16),
        (18, 17, 17),
    ),
    10: (
        (11, 17, 3),
        (2, 14, 5),
        (7, 12, 9),
        (3, 4, 10),
        (10, 13, 11),
        (8, 16, 12),
        (1, 18, 13),
        (6, 15, 14),
        (5, 9, 18),
        (20, 19, 19),
    ),
    11: (
        (12, 13, 1),
        (4, 20, 2),
        (16, 18, 3),
        (2, 10, 4),
        (3, 14, 10),
        (8, 17, 12),
        (11, 15, 16),
        (5, 19, 18),
        (1, 7, 19),
        (6, 9, 20),
        (22, 21, 21),
    ),
    12: (
        (7, 19, 2),
        (1, 4, 5),
        (12, 16, 10),
        (14, 21, 13),
        (2, 17, 14),
        (3, 9, 17),
        (13, 22, 18),
        (6, 8, 19),
        (10, 11, 20),
        (5, 18, 21),
        (15, 20, 22),
        (24, 23, 23),
    ),
    13: (
        (18, 22, 1),
        (11, 12, 4),
        (9, 15, 5),
        (6, 21, 7),
        (5, 13, 11),
        (4, 24, 13),
        (20, 23, 14),
        (8, 10, 15),
        (3, 17, 16),
        (7, 16, 19),
        (1, 19, 21),
        (2, 14, 24),
        (26, 25, 25),
    ),
    14: (
        (13, 21, 2),
        (7, 10, 3),
        (9, 18, 6),
        (3, 23, 10),
        (1, 2, 11),
        (8, 14, 12),
        (16, 20, 15),
        (4, 26, 16),
        (11, 25, 17),
        (17, 19, 22),
        (6, 22, 24),
        (12, 24, 25),
        (5, 15, 26),
        (28, 27, 27),
    ),
}
"""The first round of a Howell by its number of tables. Each pair meets each other pair once, and each set once.

The differences between the pairs at a table are all different, and so are those between a pair and its set: each round
adds one to all of them, so no meeting and no set comes twice.
"""

KNOWN: Final[Mapping[tuple[KnownKind, int], Cyclic]] = {
    ("howell", 4): Cyclic(((8, 1, 1), (6, 5, 2), (4, 2, 3), (7, 3, 5)), 7, {}),
    **{("howell", tables): Cyclic(start, 2 * tables - 1, {}) for tables, start in _HOWELLS.items()},
    ("three-quarter-howell", 8): Cyclic(
        (
            *((1, 16, 1), (7, 12, 3), (9, 6, 4), (14, 13, 5)),
            *((3, 4, 6), (2, 11, 8), (8, 10, 9), (15, 5, 12)),
        ),
        13,
        _TURNED,
    ),
    ("individual", 2): Cyclic(((8, 1, 5, 7, 1), (2, 6, 4, 3, 1)), 7, {}),
}
"""Published movements, by kind and number of tables."""


def mitchell(
    tables: int, rounds: int, *, skip_after: int | None = None, relay: bool = False, first_ew: int = 1
) -> list[Sitting]:
    """Return the sittings of a Mitchell: N-S stay, E-W move up a table, boards move down one.

    Args:
        tables: number of tables.
        rounds: number of rounds.
        skip_after: the round after which E-W skip a table, where the number of tables is even.
        relay: whether sets wait at a stand half-way, and the first and the last table share boards.
        first_ew: number of the pair that begins E-W at table 1; N-S have the numbers of their tables.
    """
    return [
        Sitting(
            number,
            table,
            (table,),
            ((table - number - (skip_after is not None and number > skip_after)) % tables + first_ew,),
            ((table + number - 2 + (relay and 2 * table > tables)) % tables + 1,),
        )
        for number in range(1, rounds + 1)
        for table in range(1, tables + 1)
    ]


def cyclic(movement: Cyclic, rounds: int) -> list[Sitting]:
    """Return the sittings of a Howell, a shortened Howell or an individual from its first round."""
    return [
        _moved(movement, number, table, place)
        for number in range(1, rounds + 1)
        for table, place in enumerate(movement.start, 1)
    ]


def _moved(movement: Cyclic, number: int, table: int, place: Sequence[int]) -> Sitting:
    gone, moving = number - 1, movement.moving
    *seats, first = place
    step = -gone if movement.down else gone
    who = [(one + step - 1) % moving + 1 if one <= moving else one for one in seats]
    boards = (first + gone - 1) % moving + 1 if first <= moving else first
    half = len(who) // 2
    ns, ew = tuple(who[:half]), tuple(who[half:])
    if number in movement.turned.get(table, ()):
        ns, ew = ew, ns
    return Sitting(number, table, ns, ew, (boards,))


def switched(schedule: Sequence[Sitting], rounds: Collection[int]) -> list[Sitting]:
    """Swap the directions of all tables in some rounds: an arrow-switch."""
    return [one._replace(ns=one.ew, ew=one.ns) if one.round in rounds else one for one in schedule]


def with_boards(schedule: Sequence[Sitting], each: int, first: int = 1) -> list[Sitting]:
    """Replace sets by their boards: `each` boards in a set, the first set beginning with board `first`."""
    return [
        one._replace(
            boards=tuple(first + (number - 1) * each + board for number in one.boards for board in range(each))
        )
        for one in schedule
    ]
