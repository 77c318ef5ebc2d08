"""Movements written out by their rules."""

from collections import Counter
from itertools import combinations

import pytest

from overtrick.core.bridge.movements import KNOWN, Sitting, cyclic, mitchell, switched, with_boards


def sound(schedule: list[Sitting]) -> bool:
    """Say whether everybody plays a set once, and sits at one table in each round."""
    seats = [
        (who, one)
        for one in schedule
        for side, players in (("NS", one.ns), ("EW", one.ew))
        for who in ((side, player) for player in players)
    ]
    at = Counter((who, one.round) for who, one in seats)
    sets = Counter((who, one.boards) for who, one in seats)
    return max(at.values()) == 1 == max(sets.values())


def line(one: Sitting) -> tuple[int, int, int]:
    return one.ns[0], one.ew[0], one.boards[0]


@pytest.mark.parametrize("tables", [3, 5, 7, 9, 13])
def test_a_mitchell_of_odd_tables_repeats_nothing(tables: int) -> None:
    assert sound(mitchell(tables, tables))


@pytest.mark.parametrize("tables", [4, 6, 8, 14])
def test_even_tables_need_a_skip_or_a_stand_half_way(tables: int) -> None:
    assert not sound(mitchell(tables, tables))
    assert sound(mitchell(tables, tables - 1, skip_after=tables // 2))
    assert sound(mitchell(tables, tables, relay=True))


def test_n_s_stay_and_e_w_go_up_while_boards_go_down() -> None:
    rounds = [[line(one) for one in mitchell(3, 3, first_ew=11) if one.round == number] for number in (1, 2, 3)]
    assert [(1, 11, 1), (2, 12, 2), (3, 13, 3)] == rounds[0]
    assert [(1, 13, 2), (2, 11, 3), (3, 12, 1)] == rounds[1]
    assert [(1, 12, 3), (2, 13, 1), (3, 11, 2)] == rounds[2]


def test_tables_1_and_n_share_where_boards_wait_half_way() -> None:
    first = [one.boards for one in mitchell(8, 8, relay=True) if one.round == 1]
    assert [(1,), (2,), (3,), (4,), (6,), (7,), (8,), (1,)] == first


def test_in_the_howell_of_eight_pairs_all_meet_once() -> None:
    meetings = Counter(frozenset(one.ns + one.ew) for one in cyclic(KNOWN["howell", 4], 7))
    assert {frozenset(two): 1 for two in combinations(range(1, 9), 2)} == meetings


def test_in_the_shortened_howell_of_sixteen_pairs_104_of_120_meet_and_each_set_is_played_eight_times() -> None:
    schedule = cyclic(KNOWN["three-quarter-howell", 8], 13)
    assert (104, 104) == (len(schedule), len({frozenset(one.ns + one.ew) for one in schedule}))
    assert {8} == set(Counter(one.boards for one in schedule).values())


def test_in_the_individual_of_eight_all_are_partners_once() -> None:
    partners = Counter(frozenset(side) for one in cyclic(KNOWN["individual", 2], 7) for side in (one.ns, one.ew))
    assert {frozenset(two): 1 for two in combinations(range(1, 9), 2)} == partners


def test_an_arrow_switch_turns_all_tables_of_a_round() -> None:
    turned = switched(mitchell(3, 3, first_ew=11), [3])
    assert [(1, 13), (12, 1)] == [line(turned[3])[:2], line(turned[6])[:2]]


def test_sets_become_boards() -> None:
    assert [(4, 5, 6), (7, 8, 9), (10, 11, 12)] == [one.boards for one in with_boards(mitchell(3, 1), 3, 4)]
