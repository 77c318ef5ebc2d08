"""Sound movements of many kinds and sizes, by their rules: nobody sits at two tables or plays a board twice in them."""

from collections.abc import Collection, Iterator

from overtrick.core.bridge.movements import KNOWN, Cyclic, Sitting, cyclic, mitchell, switched, with_boards

HOWELLS: dict[int, tuple[tuple[int, int, int], ...]] = {
    6: ((6, 1, 1), (4, 3, 2), (2, 5, 5)),
    8: ((8, 1, 1), (3, 6, 4), (2, 7, 6), (5, 4, 7)),
    10: ((7, 3, 1), (5, 2, 2), (10, 1, 3), (9, 8, 4), (4, 6, 5)),
    12: ((12, 1, 1), (6, 7, 4), (11, 4, 6), (3, 9, 8), (2, 5, 9), (10, 8, 11)),
    14: ((5, 12, 1), (2, 4, 2), (9, 10, 3), (14, 1, 4), (8, 13, 5), (7, 11, 6), (6, 3, 7)),
}
"""The first round of Howells, by the number of pairs: N-S, E-W and their set."""

TWO_STAY = Cyclic(((10, 1, 1), (9, 5, 1), (4, 7, 2), (2, 3, 4), (6, 8, 5)), 8, {2: (5, 6, 7, 8)})
"""A Howell of ten pairs in eight rounds: tables 1 and 2 share boards, and pair 9 changes direction halfway."""


IN_PATTERNS = Cyclic(HOWELLS[12], 11, {1: range(2, 12, 2), 2: range(6, 12)})
"""A Howell of twelve pairs: table 1 turns in each second round, and table 2 from round 6 on."""


def scissors(tables: int, first: int) -> list[Sitting]:
    """Return a scissors Mitchell with sets of four boards.

    In round `first`, and again half of the rounds later, each table plays two boards of its set, passes them down to
    the next table, and plays two of the set that comes from above.
    """
    held = [[(place, half) for half in (0, 1)] for place in range(tables)]
    schedule = []
    for number in range(1, tables + 1):
        cut = number in (first, first + tables // 2)
        half = 0 if number == first else 1
        given = [[one for one in each if one[1] == half] for each in held]
        for place in range(tables):
            played = given[place] + given[(place + 1) % tables] if cut else held[place]
            boards = tuple(sorted(4 * one + 2 * part + k for one, part in played for k in (1, 2)))
            pair = (place + 1 - number) % tables + 1 + tables
            schedule.append(Sitting(number, place + 1, (place + 1,), (pair,), boards))
        kept = [[one for one in each if one[1] != half] for each in held]
        if cut:
            held = [
                sorted(given[(place + 2) % tables] + kept[place], key=lambda one: one[1]) for place in range(tables)
            ]
        else:
            held = held[1:] + held[:1]
    return schedule


def rover(tables: int) -> list[Sitting]:
    """Return a Mitchell in which one more pair takes another pair's place E-W in each round but the first."""
    return [
        Sitting(one.round, one.table, one.ns, (2 * tables + 1,), one.boards)
        if one.round > 1 and one.table == (2 * one.round - 3) % tables + 1
        else one
        for one in mitchell(tables, tables, first_ew=tables + 1)
    ]


def without(schedule: list[Sitting], pair: int) -> list[Sitting]:
    return [one for one in schedule if pair not in one.ns + one.ew]


def is_sound(schedule: Collection[Sitting]) -> bool:
    seats = [(who, one) for one in schedule for who in one.ns + one.ew]
    at = [(who, one.round) for who, one in seats]
    played = [(who, board) for who, one in seats for board in one.boards]
    return len(at) == len(set(at)) and len(played) == len(set(played))


def every_kind() -> Iterator[tuple[str, list[Sitting]]]:
    """Yield sound movements with names: pairs have a number of their own."""
    for tables in (5, 7, 9, 13):
        yield f"mitchell {tables}", with_boards(mitchell(tables, tables, first_ew=tables + 1), 2)
    for tables in (6, 8, 10):
        skip = with_boards(mitchell(tables, tables - 1, skip_after=tables // 2, first_ew=101), 3)
        yield f"skip {tables}", skip
        relay = with_boards(mitchell(tables, tables, relay=True, first_ew=tables + 1), 2)
        yield f"relay and share {tables}", relay
        yield f"relay and share {tables}, half a table", without(relay, 2 * tables)
        yield f"relay and share {tables}, arrow-switched", switched(relay, [tables])
        yield f"scissors {tables}", scissors(tables, 2)
        yield f"scissors {tables}, later", scissors(tables, tables // 2)
    for tables in (7, 11):
        yield f"rover {tables}", with_boards(rover(tables), 2)
    for pairs, start in HOWELLS.items():
        howell = with_boards(cyclic(Cyclic(start, pairs - 1, {}), pairs - 1), 2)
        if is_sound(howell):
            yield f"howell {pairs}", howell
            yield f"howell {pairs}, a pair missing", without(howell, 3)
            turns = Cyclic(start, pairs - 1, {1: range(2, pairs, 2), 2: range(pairs // 2, pairs)})
            yield f"howell {pairs}, tables turn", with_boards(cyclic(turns, pairs - 1), 2)
    yield "howell 12, in patterns", with_boards(cyclic(IN_PATTERNS, 11), 2)
    yield "howell 10, two stay", with_boards(cyclic(TWO_STAY, 8), 3)
    yield "three-quarter howell 16", with_boards(cyclic(KNOWN["three-quarter-howell", 8], 13), 2)
