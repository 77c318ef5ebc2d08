"""Frames that are made when something first looks at them."""

import pickle

import polars as pl
import pytest

from overtrick.late import change, is_late, make_late


class Maker:
    """Makes a frame, and counts how often it is asked to."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self) -> pl.DataFrame:
        self.times += 1
        return pl.DataFrame({"card": ["SA", "SK"], "line": [1, 2]})


@pytest.fixture
def maker() -> Maker:
    return Maker()


def test_a_late_frame_is_made_once_and_only_when_something_looks_at_it(maker: Maker) -> None:
    frame = make_late(maker)
    assert (True, 0) == (is_late(frame), maker.times)
    assert [2, 2] == [len(frame), frame["line"].max()]
    assert (False, 1) == (is_late(frame), maker.times)


def test_a_change_of_a_late_frame_waits_too(maker: Maker) -> None:
    moved = change(make_late(maker), lambda frame: frame.with_columns(pl.col("line") + 10))
    assert 0 == maker.times
    assert [11, 12] == moved["line"].to_list()


def test_a_late_frame_is_like_any_other(maker: Maker) -> None:
    made = maker()
    assert made.equals(make_late(maker))
    assert make_late(maker).equals(made)
    assert pl.concat([made, made]).equals(pl.concat([make_late(maker), made]))
    assert made.filter(line=2).equals(make_late(maker).filter(line=2))
    assert made.equals(made.join(make_late(maker), on=["card", "line"], how="semi"))
    assert type(make_late(maker).clone()) is pl.DataFrame


def test_a_late_frame_can_be_pickled(maker: Maker) -> None:
    assert maker().equals(pickle.loads(pickle.dumps(make_late(maker))))  # noqa: S301 - what was just written
