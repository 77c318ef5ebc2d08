"""Opening bids as the Standard American card names them for points and lengths."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from overtrick.core.bridge.auction import note_openings
from overtrick.core.bridge.par import evaluated
from tests.support.deals import pbn, random_boards
from tests.support.pbn_texts import session


@pytest.mark.parametrize(
    ("hand", "bid"),
    [
        ("AQ2.KJ4.KT98.765", "1D"),
        ("AQ2.KJ4.AT98.Q65", "1NT"),
        ("AQ732.KJ4.AT9.Q6", "1NT"),
        ("AQ732.KJ42.AT9.Q", "1S"),
        ("AQ732.KJ942.A9.6", "1H / 1S"),
        ("AQ732.KJ9542.A.6", "1H"),
        ("AQ73.KJ95.A94.76", "1D"),
        ("AQ73.KJ95.A9.764", "1C"),
        ("AQ7.K6.K954.Q764", "1D"),
        ("AQ7.6.K954.KQ764", "1C / 1D"),
        ("AQ2.KQ4.AT98.A65", "1D"),
        ("AQ2.KQ4.AQ98.A65", "2NT"),
        ("AKQ2.KQ4.AQ98.A5", "2C"),
        ("AKQ2.KQ4.AQ98.AK", "3NT"),
        ("AKQ832.KQ4.AQ9.A", "2C"),
        ("KQ9832.J84.Q92.6", "2S"),
        ("6.KQ9832.J8742.6", "2H"),
        ("6.842.J87.KQ9832", None),
        ("6.842.J8.KQJ9832", "3C"),
        ("6.8.J84.KQJ98432", "4C"),
        ("6.8.J8.KQJ984532", "5C"),
        ("KQJ984532.8.J8.6", None),
        ("AQ2.KJ4.JT98.765", None),
        ("A932.K84.T98.765", None),
    ],
)
def test_the_card_names_a_bid_for_points_and_lengths(hand: str, bid: str | None) -> None:
    assert bid == note_openings(pl.Series([f"N:{hand} - - -"]))["opening_n"][0]


def test_a_hand_that_is_not_shown_whole_has_no_note() -> None:
    found = note_openings(pl.Series(["N:AKQ2.KQ4.AQ98.A - 9... -", None]))
    assert [(None,) * 4] * 2 == found.rows()


@given(st.integers(0, 10**6))
@pytest.mark.slow
def test_every_hand_of_13_points_has_a_note(seed: int) -> None:
    deals = session(pbn(random_boards(4, seed))).records["deal"]
    found = note_openings(deals)
    points = evaluated(deals)
    for seat in "nesw":
        strong = points[f"points_{seat}"] >= 13
        assert not found.filter(strong)[f"opening_{seat}"].has_nulls()
