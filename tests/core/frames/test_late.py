"""Frames that are made when something first looks at them."""

import pickle
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import polars as pl
import pytest

from overtrick.core.frames import Facts, Session
from overtrick.core.late import MOST_NAMES, Late, change, list_names, may_name


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


def test_a_late_frame_is_made_once_and_only_when_something_asks_for_it(maker: Maker) -> None:
    late = Late(maker)
    assert (False, 0) == (late.is_made, maker.times)
    assert [2, 2] == [len(late.frame), late.frame["line"].max()]
    assert (True, 1) == (late.is_made, maker.times)


def test_of_several_threads_the_first_makes_it(maker: Maker) -> None:
    late = Late(maker)
    with ThreadPoolExecutor(8) as pool:
        frames = list(pool.map(lambda _: late.frame, range(64)))
    assert 1 == maker.times
    assert all(frame is frames[0] for frame in frames)


def test_a_change_of_a_late_frame_waits_too(maker: Maker) -> None:
    moved = change(Late(maker), lambda frame: frame.with_columns(pl.col("line") + 10))
    assert 0 == maker.times
    assert [11, 12] == moved.frame["line"].to_list()


def test_a_change_of_a_frame_does_not_wait(maker: Maker) -> None:
    assert [1] == change(maker(), lambda frame: frame.head(1))["line"].to_list()


def test_items_are_listed_once_for_all_sessions_that_come_from_a_session(maker: Maker) -> None:
    session = Session(listed=Late(maker))
    changed = replace(session, facts=Facts(event="Tuesday"))
    assert 0 == maker.times
    assert changed.items is session.items
    assert 1 == maker.times


def test_a_late_frame_can_be_pickled(maker: Maker) -> None:
    late = pickle.loads(pickle.dumps(Late(maker)))  # noqa: S301 - what was just written
    assert maker().equals(late.frame)


def test_what_a_late_frame_can_name_is_known_before_it_is_made() -> None:
    late = change(Late(lambda: pl.DataFrame({"name": ["Board", "Par"]}), frozenset({"Board", "Par"})), pl.DataFrame)
    assert [True, False] == [may_name(late, ["Par"]), may_name(late, ["Deal"])]
    assert not late.is_made
    assert ["Board", "Par"] == late.frame["name"].to_list()
    assert [True, False] == [may_name(late, ["Par"]), may_name(late, ["Deal"])]
    assert [True, False] == [may_name(late.frame, ["Par"]), may_name(late.frame, ["Deal"])]


def test_names_are_known_of_several_frames_if_they_are_of_each() -> None:
    board, deal = (Late(pl.DataFrame, frozenset({name})) for name in ("Board", "Deal"))
    assert frozenset({"Board", "Deal"}) == list_names(board, deal)
    assert list_names(board, Late(pl.DataFrame)) is None
    assert list_names(board, pl.DataFrame()) is None


def test_no_more_names_are_remembered_than_formats_have() -> None:
    names = [str(number) for number in range(MOST_NAMES + 1)]
    assert list_names(Late(pl.DataFrame, names)) is None
    assert frozenset(names[1:]) == list_names(Late(pl.DataFrame, names[1:]))
