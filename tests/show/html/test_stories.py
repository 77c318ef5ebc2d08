"""The sentence of a board says what moved the score most, as the reader sees it and with numbers of the field."""

from fractions import Fraction
from typing import Any

import pytest

from overtrick.core.bridge.cards import CARDS
from overtrick.judge.analyse.deals import CAUSES
from overtrick.show.html.splits import Stories, Story

_CODE = CARDS.index("D4")


def line(contract: str, declarer: str, tricks: int, **columns: object) -> dict[str, Any]:
    return {
        "key": "7", "level": int(contract[0]), "strain": contract[1:], "doubled": 0, "declarer": declarer,
        "tricks": tricks, "multiplicity": None, "costs": None, **columns,
    }  # fmt: skip


HAND_MADE = [*(line("4H", "N", tricks) for tricks in (10, 10, 11, 9)), line("3H", "N", 10), line("3NT", "E", 8)]
"""Six tables: four in 4H, which made ten tricks on average, one in 3H, and one where the other side declared."""


def tell(at: int, side: str, lines: list[dict[str, Any]] = HAND_MADE, **parts: int) -> Story | None:
    values = [Fraction(parts.get(name, 0)) for name in CAUSES]
    return Stories(lines, []).tell(lines[at], side, values, 0)


def test_another_contract_than_the_usual_one_is_named_with_the_numbers_of_tables() -> None:
    story = tell(4, "NS", bidding=-7, declarer=2)
    assert story
    assert story.usual
    assert ("bidding", "−7", "4♥", 4, 6, "3♥") == (
        story.cause, story.points, story.usual.text, story.count, story.tables, story.contract.text,
    )  # fmt: skip


def test_the_same_contract_of_the_other_side_is_told_apart_by_its_side() -> None:
    lines = [*(line("2NT", "N", 8) for _ in range(3)), line("2NT", "E", 7)]
    story = tell(3, "EW", lines, bidding=-2)
    assert story
    assert story.usual
    assert ("2NT", "2NT", ("N-S", "E-W")) == (story.usual.text, story.contract.text, story.sides)
    assert ("", "") == (tell(4, "NS", bidding=-2) or story).sides


def test_the_usual_contract_is_not_another_one_and_neither_is_one_of_two_as_frequent() -> None:
    assert (story := tell(0, "NS", bidding=3))
    assert story.usual is None
    two = [line("4H", "N", 10), line("3NT", "N", 9)]
    assert (story := tell(1, "NS", two, bidding=3))
    assert story.usual is None


@pytest.mark.parametrize(("at", "others"), [(0, "10"), (3, "10.2"), (4, "10"), (5, "")])
def test_tricks_are_compared_with_the_other_tables_in_that_strain_by_that_side(at: int, others: str) -> None:
    story = tell(at, "NS", declarer=-4)
    assert story
    assert (HAND_MADE[at]["tricks"], others) == (story.tricks, others)
    assert others == story.others


COSTS = [
    {"place": 0, "card": 0, "seat": "E", "cost": 1, "best": [_CODE]},
    {"place": 6, "card": 1, "seat": "S", "cost": 1, "best": [_CODE + 1]},
    {"place": 9, "card": 2, "seat": "W", "cost": 1, "best": [_CODE + 2]},
]


@pytest.mark.parametrize(
    ("cause", "side", "card", "trick"),
    [
        ("lead", "EW", "♦4", 1),
        ("declarer", "NS", "♦5", 2),
        ("defence", "EW", "♦6", 3),
        ("opponents", "NS", None, 0),
        ("lead", "NS", None, 0),
    ],
)
def test_the_better_card_is_the_reader_s_own_with_its_trick(
    cause: str, side: str, card: str | None, trick: int
) -> None:
    lines = [line("4H", "N", 9, costs=COSTS), *HAND_MADE]
    story = tell(0, side, lines, **{cause: -3})
    assert story
    assert (card, trick) == (story.better and story.better.symbol + story.better.rank, story.trick)
    won = tell(0, side, lines, **{cause: 3})
    assert won
    assert won.better is None


def test_a_board_on_which_nothing_moved_has_no_sentence() -> None:
    assert tell(0, "NS") is None
    passed = {**line("4H", "N", 9), "level": 0, "declarer": None}
    assert tell(0, "NS", [passed], unknown=3) is None
