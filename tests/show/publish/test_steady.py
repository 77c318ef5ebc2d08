"""A target whose connection breaks."""

from collections.abc import Callable
from pathlib import Path

import pytest

from overtrick.show.publish.address import DroppedError, PublishError
from overtrick.show.publish.targets import SteadyTarget
from overtrick.show.publish.targets.local import LocalTarget


class Shaky(LocalTarget):
    """A folder whose connection breaks several times before it takes a file."""

    breaks = 0

    def write(self, path: str, content: bytes) -> None:
        if Shaky.breaks:
            Shaky.breaks -= 1
            raise DroppedError("the line is dead")
        super().write(path, content)


@pytest.fixture
def waited() -> list[float]:
    return []


@pytest.fixture
def steady(tmp_path: Path, waited: list[float]) -> Callable[[int], SteadyTarget]:
    def made(breaks: int) -> SteadyTarget:
        Shaky.breaks = breaks
        return SteadyTarget(lambda: Shaky(str(tmp_path)), waited.append)

    return made


def test_a_dropped_step_is_tried_again_after_longer_and_longer_waits(
    tmp_path: Path, steady: Callable[[int], SteadyTarget], waited: list[float]
) -> None:
    steady(3).write("a", b"1")
    assert b"1" == (tmp_path / "a").read_bytes()
    assert 3 == len(waited)
    assert 0.5 <= waited[0] <= 1 < waited[1] <= 3 < waited[2] <= 9


def test_a_step_that_drops_every_time_is_an_error(steady: Callable[[int], SteadyTarget], waited: list[float]) -> None:
    with pytest.raises(DroppedError, match="the line is dead"):
        steady(4).write("a", b"1")
    assert 3 == len(waited)


def test_a_refusal_is_not_tried_again(tmp_path: Path, waited: list[float]) -> None:
    (tmp_path / "a").mkdir()
    with pytest.raises(PublishError):
        SteadyTarget(lambda: LocalTarget(str(tmp_path)), waited.append).write("a", b"1")
    assert [] == waited


def test_no_target_is_opened_before_it_is_needed() -> None:
    def fail() -> LocalTarget:
        raise AssertionError

    SteadyTarget(fail).close()
