"""Frames that are made when something first looks at them."""

import pickle

import polars as pl
import pytest

from overtrick.core.late import MOST_NAMES, change, is_late, list_names, make_late, may_name


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


def test_what_a_late_frame_can_name_is_known_before_it_is_made() -> None:
    frame = change(
        make_late(lambda: pl.DataFrame({"name": ["Board", "Par"]}), frozenset({"Board", "Par"})), pl.DataFrame
    )
    assert [True, False] == [may_name(frame, ["Par"]), may_name(frame, ["Deal"])]
    assert is_late(frame)
    assert ["Board", "Par"] == frame["name"].to_list()
    assert [True, False] == [may_name(frame, ["Par"]), may_name(frame, ["Deal"])]


def test_names_are_known_of_several_frames_if_they_are_of_each() -> None:
    one, two = (make_late(pl.DataFrame, frozenset({name})) for name in ("Board", "Deal"))
    assert frozenset({"Board", "Deal"}) == list_names(one, two)
    assert list_names(one, make_late(pl.DataFrame)) is None
    assert list_names(one, pl.DataFrame()) is None


def test_no_more_names_are_remembered_than_formats_have() -> None:
    names = [str(number) for number in range(MOST_NAMES + 1)]
    assert list_names(make_late(pl.DataFrame, names)) is None
    assert frozenset(names[1:]) == list_names(make_late(pl.DataFrame, names[1:]))
