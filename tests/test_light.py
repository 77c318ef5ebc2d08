"""Dataclasses that are quick to define do what those of the standard library do."""

from dataclasses import FrozenInstanceError, astuple, replace

import pytest

from overtrick.light import dataclass, field


@dataclass(frozen=True)
class Place:
    """A place in a file."""

    line: int
    column: int = 1
    notes: list[str] = field(default_factory=list, compare=False, repr=False)


def test_values_have_their_places_names_and_defaults() -> None:
    assert (3, 1, []) == astuple(Place(3))
    assert (3, 2, ["a"]) == astuple(replace(Place(3, notes=["a"]), column=2))
    assert "Place(line=3, column=2)" == repr(Place(3, 2))


def test_equal_values_are_equal_and_found_in_sets() -> None:
    assert {Place(3, 1)} == {Place(3), Place(3, notes=["a"])}
    assert Place(3) != Place(4)
    assert Place(3) != 3


@pytest.mark.parametrize("arguments", [{}, {"line": 1, "row": 2}])
def test_missing_and_unknown_arguments_are_refused(arguments: dict[str, int]) -> None:
    with pytest.raises(TypeError):
        Place(**arguments)
    with pytest.raises(TypeError):
        Place(1, **arguments, line=1)  # type: ignore[misc] # the point of the test


def test_a_frozen_value_never_changes() -> None:
    with pytest.raises(FrozenInstanceError):
        Place(3).line = 4  # type: ignore[misc] # the point of the test


def test_other_values_may_change_and_have_no_hash() -> None:
    @dataclass
    class Count:
        number: int = 0

    count = Count()
    count.number += 1
    assert Count(1) == count
    with pytest.raises(TypeError):
        hash(count)
