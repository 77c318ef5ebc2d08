"""The order of numbers and names."""

import pytest

from overtrick.core.notation import natural


@pytest.mark.parametrize(
    "ordered",
    [["2", "10"], ["A2", "A10", "b1"], [None, "1"], ["1", "1EW", "1NS", "2EW"], ["7", "Ann - Bo"], ["1", "9" * 5000]],
)
def test_texts_are_ordered_as_people_do(ordered: list[str | None]) -> None:
    assert ordered == sorted(set(ordered), key=natural)
