"""How a player wants to be named: whatever a wish goes by, and whatever a file states of the player."""

from itertools import product

import pytest

from overtrick.core.config.members import Member
from overtrick.core.config.site import Naming, Privacy
from overtrick.judge.people.identity import STRICTEST_FIRST, Wishes

STATED = ("Ada Quill", "ADA  QUÍLL", "A. Quill", "7", "0007", "00123")
"""Keys of `[privacy.players]` that mean Ada Quill, member 7."""

MENTIONED = (
    ("Ada Quill", ""),
    ("ada quíll", ""),
    ("A. Quill", ""),
    ("Somebody", "7"),
    ("Somebody", "123"),
    ("?", "007"),
)
OTHERS = (("Ben Moss", ""), ("Ada Moss", "8"), ("", ""))
NEAR = (("Quill", ""), ("Ada Quill Moss", ""), ("Mrs Ada Quill", ""), ("Ada Quill (sub)", ""))


def ada(privacy: Naming | None = None) -> Member:
    return Member("Ada Quill", "7", aliases=("A. Quill",), national=("00123",), privacy=privacy, line=2)


@pytest.mark.parametrize(("key", "mention"), [*product(STATED, MENTIONED)])
def test_a_wish_counts_by_whatever_name_or_number_it_goes(key: str, mention: tuple[str, str]) -> None:
    wishes = Wishes(Privacy(players={key: "hidden"}), [ada(), Member("Ben Moss", "8", line=3)])
    assert "hidden" == wishes.find(*mention)
    assert not wishes.is_plain
    assert ["full"] * len(OTHERS) == [wishes.find(*other) for other in OTHERS]
    assert ["hidden"] * len(NEAR) == [wishes.find(*near) for near in NEAR]


@pytest.mark.parametrize("mention", MENTIONED)
def test_the_wish_in_the_list_of_members_counts(mention: tuple[str, str]) -> None:
    wishes = Wishes(Privacy(), [ada("initials")])
    assert "initials" == wishes.find(*mention)
    assert "full" == wishes.find("Ben Moss")
    assert not wishes.is_plain


def test_of_two_wishes_the_strictest_counts() -> None:
    for at, strict in enumerate(STRICTEST_FIRST):
        for other in STRICTEST_FIRST[at:]:
            stated = Privacy(players={"Ada Quill": other, "7": strict})
            assert strict == Wishes(stated, [ada()]).find("Ada Quill")
            assert strict == Wishes(Privacy(players={"7": other, "A. Quill": strict}), [ada()]).find("Ada Quill")


def test_what_the_settings_state_of_a_player_counts_before_the_list_and_that_before_the_usual() -> None:
    assert "full" == Wishes(Privacy(names="hidden", players={"Ada Quill": "full"}), [ada("initials")]).find("Ada Quill")
    assert "initials" == Wishes(Privacy(names="hidden"), [ada("initials")]).find("Ada Quill")
    assert "hidden" == Wishes(Privacy(names="hidden"), [ada()]).find("Ada Quill")
    assert "full" == Wishes(Privacy(), [ada()]).find("Ada Quill")


def test_only_where_everybody_is_named_in_full_are_wishes_plain() -> None:
    assert Wishes(Privacy(players={"Ada Quill": "full"}), [ada("full"), ada()]).is_plain
    assert not Wishes(Privacy(names="initials")).is_plain


def test_a_wish_of_nobody_is_listed() -> None:
    wishes = Wishes(Privacy(players={"Ada Quill": "hidden", "Cy Dunn": "hidden", "9": "hidden", "07": "hidden"}), [])
    assert ["Cy Dunn", "9"] == wishes.list_unused([("ada quill", ""), ("Ben Moss", "7")])


def test_a_player_without_a_number_is_not_the_member_with_number_zero() -> None:
    wishes = Wishes(Privacy(players={"0": "hidden"}), [Member("Cy Dunn", "00", privacy="hidden", line=2)])
    assert "full" == wishes.find("Ben Moss", "")
    assert "hidden" == wishes.find("Cy Dunn", "")
