"""A stage that notes the slams of an evening, and the codes of the problems of this package."""

from dataclasses import replace

import polars as pl

from overtrick.core.frames import Session
from overtrick.core.plugins import Stage
from overtrick.core.problems import Code, report

CODES = {
    "house-slam": Code("info", "a slam: {level}{strain}", "Put it on the notice board."),
    "house-slip": Code("error", "this slip cannot be read: {text}", "Write board, pairs, contract, declarer, tricks."),
}


def _note_slams(session: Session) -> Session:
    slams = session.results.filter(pl.col("level") >= 6).with_columns(pl.col("board", "table").cast(pl.String))
    return replace(session, problems=pl.concat([session.problems, report("house-slam", slams)]))


STAGE = Stage(_note_slams, after="validate")
