"""Who wins a trick (Laws 44 and 45)."""

import numpy as np
import pytest

from overtrick.core.bridge.cards import CARDS, STRAINS, UNKNOWN
from overtrick.core.bridge.play import winning_places


@pytest.mark.parametrize(
    ("cards", "strain", "winner"),
    [
        ("S2 SK SA S3", "NT", 2),
        ("S2 HA DA CA", "NT", 0),
        ("S2 SA H2 S3", "H", 2),
        ("S2 H3 H2 SA", "H", 1),
        ("H2 H3 SA HK", "H", 3),
        ("S2 - - -", "NT", 0),
        ("S2 SQ - -", "NT", 1),
    ],
)
def test_the_highest_trump_wins_else_the_highest_card_of_the_suit_led(cards: str, strain: str, winner: int) -> None:
    codes = [UNKNOWN if card == "-" else CARDS.index(card) for card in cards.split()]
    trump = np.array([STRAINS.index(strain)], dtype=np.int64)
    assert [winner] == winning_places(np.array([codes], dtype=np.uint8), trump).tolist()
