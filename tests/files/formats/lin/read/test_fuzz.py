"""Any text at all is read: nothing raises, nothing is lost."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.fuzz_lin import PIECES, WHOLE, broken, survive
from tests.support.reading import codes
from tests.support.sweeps import some


@settings(max_examples=some(60), deadline=None)
@given(st.randoms(use_true_random=False))
@pytest.mark.slow
def test_a_session_broken_anywhere_is_read(chance: random.Random) -> None:
    survive(broken(WHOLE, chance))


@pytest.mark.slow
@settings(max_examples=some(40), deadline=None)
@given(st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=6)), max_size=30).map("".join))
def test_commands_and_noise_in_any_order_are_read(text: str) -> None:
    survive(text.encode("utf-8", "replace").decode())


def test_the_sound_session_is_read_without_problems() -> None:
    reading = survive(WHOLE)
    assert (4, []) == (len(reading.records), codes(reading.problems))
