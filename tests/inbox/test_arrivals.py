"""When a file is complete."""

import os
from pathlib import Path

from overtrick.inbox.arrivals import Arrivals


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_file_is_complete_when_it_has_been_the_same_for_long_enough(tmp_path: Path) -> None:
    clock = Clock()
    arrivals = Arrivals(3, clock)
    path = tmp_path / "a.pbn"
    path.write_text("half", "utf-8")
    assert [] == arrivals.complete([path])
    clock.now = 2
    path.write_text("half and more", "utf-8")
    assert [] == arrivals.complete([path])
    clock.now = 4.9
    assert [] == arrivals.complete([path])
    clock.now = 5
    assert [path] == arrivals.complete([path])
    assert 3 == arrivals.age(path)


def test_a_file_that_was_written_anew_in_the_same_size_is_not_complete(tmp_path: Path) -> None:
    clock = Clock()
    arrivals = Arrivals(3, clock)
    path = tmp_path / "a.pbn"
    path.write_text("old", "utf-8")
    arrivals.complete([path])
    clock.now = 3
    path.write_text("new", "utf-8")
    os.utime(path, (1, 1))
    assert [] == arrivals.complete([path])


def test_an_old_file_that_is_being_copied_with_its_time_is_not_complete_at_the_first_look(tmp_path: Path) -> None:
    path = tmp_path / "a.pbn"
    path.write_text("half", "utf-8")
    os.utime(path, (1, 1))
    assert [] == Arrivals(3, Clock()).complete([path])


def test_a_file_that_is_gone_is_forgotten(tmp_path: Path) -> None:
    clock = Clock()
    arrivals = Arrivals(3, clock)
    path = tmp_path / "a.pbn"
    path.write_text("1", "utf-8")
    arrivals.complete([path])
    path.unlink()
    clock.now = 3
    assert [] == arrivals.complete([path])
    path.write_text("1", "utf-8")
    assert [] == arrivals.complete([path])


def test_the_clock_of_the_wall_may_jump(tmp_path: Path) -> None:
    clock = Clock()
    arrivals = Arrivals(3, clock)
    early, late = tmp_path / "early.pbn", tmp_path / "late.pbn"
    for path, seconds in ((early, 0), (late, 4_000_000_000)):
        path.write_text("1", "utf-8")
        os.utime(path, (seconds, seconds))
    arrivals.complete([early, late])
    clock.now = 3
    assert [early, late] == arrivals.complete([early, late])
