"""Boards whose result is known without any reader: LIN says of them what PBN says."""

import polars as pl

from tests.support.deals import pbn as pbn_text
from tests.support.deals import random_boards
from tests.support.lin_boards import lin as lin_text
from tests.support.reading import lin, pbn

BOARDS = random_boards(400, seed=7)
SAME = """
    board dealer vulnerable deal level strain doubled declarer tricks auction_start calls play_start cards play_end
""".split()


def test_random_boards_have_the_results_that_they_were_played_to() -> None:
    records = lin(lin_text(BOARDS)).records
    stated = [(board.contract.level, board.tricks) if board.contract else (0, None) for board in BOARDS]
    assert stated == records.select("level", "tricks").rows()


def test_the_same_boards_read_from_pbn_are_the_same_records() -> None:
    from_lin, from_pbn = lin(lin_text(BOARDS)).records, pbn(pbn_text(BOARDS)).records
    # PBN tells a play without a card from no play; LIN has no place to say so.
    led = pl.col("cards").list.len() > 0
    from_pbn = from_pbn.with_columns(pl.when(led).then(pl.col("cards", "play_end")))
    for name in SAME:
        assert from_pbn[name].to_list() == from_lin[name].to_list(), name
