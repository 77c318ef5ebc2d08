"""Results that a scorer should look at."""

from dataclasses import replace

import polars as pl

from overtrick.core.config import Config
from overtrick.judge.analyse.deals import find_unusual
from tests.support.commands import EVENING
from tests.support.evaluating import evaluate


def test_results_far_from_double_dummy_and_scores_of_their_own_are_found() -> None:
    session = evaluate([EVENING], Config())
    found = find_unusual(session.results, session.double_dummy)
    assert session.results.height == found.height
    board = session.results.with_columns(found).filter(pl.col("board") == 1)
    # North makes 3 tricks at clubs and 2 at notrump, East 11 and 8: the file states "32242322428ba8b8ba8b".
    assert [8, 8, 8, 8, 8, 8, 8] == board.filter(pl.col("strain") == "NT")["dd_tricks"].to_list()
    assert board.filter("alone")["score_ns"].is_unique().all()
    far = session.results.with_columns(found).filter("far")
    assert ((far["tricks"].cast(pl.Int16) - far["dd_tricks"].cast(pl.Int16)).abs() > 2).all()


def test_nothing_is_far_where_no_table_is_known() -> None:
    session = evaluate([EVENING], Config())
    none = replace(session, double_dummy=session.double_dummy.clear())
    assert not find_unusual(none.results, none.double_dummy)["far"].any()
