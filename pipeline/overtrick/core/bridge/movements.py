"""Who sits where in a session (movements), as far as the results show it.

Every cyclic movement, Mitchell or Howell, with a skip or a bye-stand, a stationary pair or moving boards, works in one
way: the pairs (or sets of boards) that move follow each other, and each round they move on by the same step. So a
movement is known from who follows whom, and needs no table of its own.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import accumulate, chain
from typing import Final, Literal, NamedTuple, TypeVar

import polars as pl

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


def _start(line: str) -> Start:
    """Return a first round: `2-3-1` is a table at which pair 2 sits N-S, pair 3 E-W, and they play set 1."""
    return [[int(number) for number in place.split("-")] for place in line.split()]


_HOWELLS: Final = """\
2-3-1 6-8-2 1-5-7 4-7-8 10-9-9
6-8-3 1-7-5 3-4-6 2-10-9 5-9-10 12-11-11
6-9-2 4-8-3 2-7-5 1-3-8 5-12-9 10-11-12 14-13-13
3-12-1 5-9-2 2-4-5 1-11-6 6-14-8 10-13-9 7-8-14 16-15-15
4-13-1 10-12-4 11-16-6 8-14-7 5-6-8 3-7-11 2-9-15 1-15-16 18-17-17
11-17-3 2-14-5 7-12-9 3-4-10 10-13-11 8-16-12 1-18-13 6-15-14 5-9-18 20-19-19
12-13-1 4-20-2 16-18-3 2-10-4 3-14-10 8-17-12 11-15-16 5-19-18 1-7-19 6-9-20 22-21-21
7-19-2 1-4-5 12-16-10 14-21-13 2-17-14 3-9-17 13-22-18 6-8-19 10-11-20 5-18-21 15-20-22 24-23-23
18-22-1 11-12-4 9-15-5 6-21-7 5-13-11 4-24-13 20-23-14 8-10-15 3-17-16 7-16-19 1-19-21 2-14-24 26-25-25
13-21-2 7-10-3 9-18-6 3-23-10 1-2-11 8-14-12 16-20-15 4-26-16 11-25-17 17-19-22 6-22-24 12-24-25 5-15-26 28-27-27
"""
"""The first rounds of Howells from 5 tables on. Each pair meets each other pair once, and each set once.

The differences between the pairs at a table are all different, and so are those between a pair and its set: each round
adds one to all of them, so no meeting and no set comes twice.
"""

KNOWN: Final[Mapping[tuple[KnownKind, int], Cyclic]] = {
    ("howell", 4): Cyclic(_start("8-1-1 6-5-2 4-2-3 7-3-5"), 7, {}),
    **{("howell", len(start)): Cyclic(start, 2 * len(start) - 1, {}) for start in map(_start, _HOWELLS.splitlines())},
    ("three-quarter-howell", 8): Cyclic(
        _start("1-16-1 7-12-3 9-6-4 14-13-5 3-4-6 2-11-8 8-10-9 15-5-12"),
        13,
        {
            1: (9, 12),
            2: (4, 5, 6, 7, 8),
            3: (3, 4, 6, 7, 9, 10),
            4: (5, 6, 8, 10),
            5: (13,),
            6: (9, 11, 13),
            7: (7, 9, 11),
            8: (2,),
        },
    ),
    ("individual", 2): Cyclic(_start("8-1-5-7-1 2-6-4-3-1"), 7, {}),
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
    who = [(pair + step - 1) % moving + 1 if pair <= moving else pair for pair in seats]
    boards = (first + gone - 1) % moving + 1 if first <= moving else first
    half = len(who) // 2
    ns, ew = tuple(who[:half]), tuple(who[half:])
    if number in movement.turned.get(table, ()):
        ns, ew = ew, ns
    return Sitting(number, table, ns, ew, (boards,))


def switched(schedule: Sequence[Sitting], rounds: Collection[int]) -> list[Sitting]:
    """Swap the directions of all tables in some rounds: an arrow-switch."""
    return [
        sitting._replace(ns=sitting.ew, ew=sitting.ns) if sitting.round in rounds else sitting for sitting in schedule
    ]


def with_boards(schedule: Sequence[Sitting], each: int, first: int = 1) -> list[Sitting]:
    """Replace sets by their boards: `each` boards in a set, the first set beginning with board `first`."""

    def boards(number: int) -> range:
        return range(first + (number - 1) * each, first + number * each)

    return [sitting._replace(boards=tuple(chain(*map(boards, sitting.boards)))) for sitting in schedule]


def numbers_repeat(seats: pl.DataFrame, by: Literal["direction", "section"]) -> bool:
    """Return whether one number stands for different contestants in different directions or sections.

    A Mitchell may number its pairs from 1 both N-S and E-W, and every section may begin again at 1. No contestant plays
    a board twice (Law 15), so a number that does stands for two. That must hold for more than half of the numbers seen
    both ways, so that one slip on a traveller does not make a second pair 7.

    Args:
        seats: one row for each contestant and result: `section board direction contestant`, null where unknown.
        by: the column that may distinguish equal numbers.
    """
    if seats[by].n_unique() < 2:
        return False
    return not where_numbers_repeat(seats.with_columns(field=None), by).is_empty()


def where_numbers_repeat(seats: pl.DataFrame, by: Literal["direction", "section"]) -> pl.Series:
    """Return in which fields `numbers_repeat`, for all of them at once.

    Args:
        seats: as for `numbers_repeat`, with the `field` of each row.
        by: as for `numbers_repeat`.

    Returns:
        The values of `field`, each once.
    """
    known = seats.lazy().filter(pl.col("contestant").is_not_null(), pl.col(by).is_not_null())
    number = ["field", "contestant"] if by == "section" else ["field", "section", "contestant"]
    apart = pl.col(by).drop_nulls().n_unique() > 1
    both_ways = known.group_by(number).agg(apart).filter(by).collect()
    if both_ways.is_empty():
        return both_ways["field"]
    twice = known.drop_nulls("board").group_by([*number, "board"]).agg(apart).filter(by)
    on_one_board = twice.select(number).unique().collect()
    counts = [frame.group_by("field").len(name) for name, frame in (("either", both_ways), ("certain", on_one_board))]
    counted = counts[0].join(counts[1], on="field", nulls_equal=True)
    return counted.filter(2 * pl.col("certain") > pl.col("either"))["field"]


Place = tuple[str, str]
"""A table, and the place at it: `ns`, `ew` or `boards`."""
Seating = Mapping[tuple[Place, int], str]
"""Which pair, or set of boards, is at a place in a round; rounds count up by one."""

_Value = TypeVar("_Value")


_FEWEST_IN_RING: Final = 3


class _Ring(NamedTuple):
    """Pairs or sets of boards that follow each other; in a closed ring the first follows the last."""

    members: tuple[str, ...]
    closed: bool

    def at(self, step: int) -> str | None:
        """Return the member that many steps from the first."""
        if self.closed:
            return self.members[step % len(self.members)]
        return self.members[step] if 0 <= step < len(self.members) else None

    def steps(self, number: int) -> int:
        return number % len(self.members) if self.closed else number


def expected_seating(seating: Seating, *, gaps: bool) -> dict[tuple[Place, int], str]:
    """Return who belongs at each place in each round, by the movement that most of the seating follows.

    There is an answer for any seating, even one without a movement: trust it only where nearly all of the seating
    agrees with it.

    Args:
        seating: who is at each place in each round.
        gaps: whether somebody may be missing, as a pair whose opponents sit out. Sets of boards are all there.
    """
    rings = _rings(_followers(seating), gaps=gaps)
    where = {member: (ring, step) for ring in rings for step, member in enumerate(ring.members) if member}
    gone = _gone(seating, where)
    starts: dict[Place, list[tuple[_Ring, int]]] = defaultdict(list)
    for (place, number), member in seating.items():
        ring, step = where[member]
        starts[place].append((ring, ring.steps(step - gone[ring, number])))
    begins = {place: _most_common(found) for place, found in starts.items()}
    expected = {}
    for place, number in seating:
        ring, begin = begins[place]
        if due := ring.at(begin + gone[ring, number]):
            expected[place, number] = due
    return expected


def turned_meetings(meetings: Mapping[tuple[str, int], tuple[str, str]]) -> set[tuple[str, int]]:
    """Return the tables and rounds in which two pairs sit the other way round than the pairs before and after them.

    Where a table turns often, nobody follows the pair that sits N-S. So this takes who follows whom from both pairs of
    a table together, and then finds the two pairs of its first round that each meeting goes back to.

    Args:
        meetings: by table and round, who sits N-S and who E-W.

    Returns:
        The tables and rounds that are turned; at each table these are fewer than the others.
    """
    # A table at which pair 8 stays and turns each round, and the pairs that follow each other are 1, 2, 3:
    #
    #     round  ns  ew  goes back to  turned
    #     1      8   1   8 1           false
    #     2      2   8   1 8           true
    #     3      8   3   8 1           false
    who_follows = _followers_of({who for pairs in meetings.values() for who in pairs}, _count_next(meetings))
    rings = _rings(who_follows, gaps=True)
    where = {
        member: (place, ring, step) for place, ring in enumerate(rings) for step, member in enumerate(ring.members)
    }
    origins: dict[str, dict[int, tuple[tuple[int, int], ...]]] = defaultdict(dict)
    for (table, number), pairs in meetings.items():
        found = [where[who] for who in pairs]
        origins[table][number] = tuple((place, ring.steps(step - number)) for place, ring, step in found)
    return {(table, number) for table, rounds in origins.items() for number in _turned_rounds(rounds)}


def _count_next(meetings: Mapping[tuple[str, int], tuple[str, str]]) -> Counter[tuple[str, str]]:
    """Count how many times each pair is at a table in the round after each other pair."""
    return Counter(
        (before, after)
        for (table, number), pairs in meetings.items()
        for before in pairs
        for after in meetings.get((table, number + 1), ())
    )


def _turned_rounds(origins: Mapping[int, tuple[tuple[int, int], ...]]) -> list[int]:
    """Return the rounds in which a table is turned, by the origins of its pairs N-S and E-W in each round."""
    counted = Counter(origin for both in origins.values() for origin in both).most_common(2)
    first, second = counted[0][0], counted[-1][0]
    sides = {
        number: both.index(first) if first in both else 1 - both.index(second)
        for number, both in origins.items()
        if first in both or second in both
    }
    usual = _most_common(sides.values())
    return [number for number, side in sides.items() if side != usual]


def _gone(seating: Seating, where: Mapping[str, tuple[_Ring, int]]) -> dict[tuple[_Ring, int], int]:
    """Return how far each ring has moved on before a round: by one each time, unless most of it moves otherwise."""
    steps = _list_steps(seating, where)
    numbers = sorted({number for _, number in seating})
    gone = {}
    for ring in {ring for ring, _ in where.values()}:
        totals = accumulate((_usual_step(steps[ring, number]) for number in numbers), initial=0)
        gone.update({(ring, number): total for number, total in zip(numbers, totals, strict=False)})
    return gone


def _list_steps(
    seating: Seating, where: Mapping[str, tuple[_Ring, int]]
) -> defaultdict[tuple[_Ring, int], list[int | None]]:
    """Return by ring and round how far the ring moved on at each of its places; None where another ring comes."""
    steps: defaultdict[tuple[_Ring, int], list[int | None]] = defaultdict(list)
    for (place, number), member in seating.items():
        if (place, number + 1) in seating:
            ring, step = where[member]
            after, next_step = where[seating[place, number + 1]]
            steps[ring, number].append(ring.steps(next_step - step) if after is ring else None)
    return steps


def _usual_step(steps: Sequence[int | None]) -> int:
    # Where another ring takes most of its places, as after an arrow-switch, the rest may be slips.
    known = [step for step in steps if step is not None]
    return _most_common(known) if 2 * len(known) > len(steps) else 1


def _followers(seating: Seating) -> dict[str, str]:
    """Return who comes to each member's place in the next round: nobody follows two, and the most frequent counts.

    A number that was mistyped once follows and is followed once; so it does not replace anybody.
    """
    times = Counter(
        (member, seating[place, number + 1])
        for (place, number), member in seating.items()
        if (place, number + 1) in seating
    )
    return _followers_of(seating.values(), times)


def _followers_of(members: Iterable[str], times: Counter[tuple[str, str]]) -> dict[str, str]:
    """Return who follows each member, by how many `times` one came to the place of another."""
    followers = dict.fromkeys(members, "")
    followed: set[str] = set()
    for (member, after), _ in times.most_common():
        if not followers[member] and after not in followed:
            followers[member] = after
            followed.add(after)
    return followers


def _rings(followers: Mapping[str, str], *, gaps: bool) -> list[_Ring]:
    """Chain all members to their followers, beginning with members that follow no one."""
    followed = set(followers.values())
    seen: set[str] = set()
    rings = []
    for start in sorted(followers, key=lambda member: member in followed):
        chain: list[str] = []
        member = start
        while member in followers and member not in seen:
            seen.add(member)
            chain.append(member)
            member = followers[member]
        if chain:
            closed = member == chain[0]
            # A pair that is missing, whose opponents sit out, opens a ring: it keeps a place in it.
            missing = ("",) if gaps and not closed and len(chain) >= _FEWEST_IN_RING else ()
            rings.append(_Ring((*chain, *missing), closed=closed or bool(missing)))
    return rings


def _most_common(values: Iterable[_Value]) -> _Value:
    """Return the value that occurs most often, the earliest of several."""
    return Counter(values).most_common(1)[0][0]
