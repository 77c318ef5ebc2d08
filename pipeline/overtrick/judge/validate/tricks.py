"""Declarer's tricks as stated, compared with those that the play comes to or leaves possible."""

from typing import Final

import numpy as np
import polars as pl

from overtrick.core.bridge import replays
from overtrick.core.bridge.cards import codes_of
from overtrick.core.bridge.play import LAST_REVOKE, Mask, PlayFault, Plays
from overtrick.core.bridge.revoke import Revokes, Rule, transferred_tricks
from overtrick.core.frames import Records
from overtrick.core.problems import ABOUT_RECORD, report

_RULES: Final[dict[Rule, str]] = {
    "law-64": "Law 64",
    "two-tricks": "two tricks for a revoke",
    "two-tricks-any": "two tricks for a revoke",
}


_FITS: Final = pl.col("stated").is_between("fewest", "most")
_MARKED: Final = pl.col("irregular_tricks").fill_null(value=False)


def check_tricks(records: Records, played: Plays, marks: pl.DataFrame) -> list[pl.DataFrame]:
    """Compare stated tricks with the play: a revoke explains a difference, and `^` records one.

    Args:
        records: the records with a play.
        played: their plays.
        marks: their irregularities, as `replays.irregularities` gives them.
    """
    compared = _compared(records, played, marks)
    if compared.is_empty():
        return []
    fits, marked = _FITS, _MARKED
    differs = compared.filter(~fits)
    explained = pl.col("rule").is_not_null()
    whole = pl.col("fewest") == pl.col("most")
    wrong = differs.filter(~marked & ~explained)
    return [
        report("result-differs-from-play", wrong.filter(whole), "records.tricks"),
        report("result-out-of-reach", wrong.filter(~whole), "records.tricks"),
        report("result-after-revoke", differs.filter(explained), "records.tricks"),
        report("irregularity-recorded", differs.filter(marked & ~explained), "records.tricks"),
        report("irregularity-unfounded", compared.filter(fits & marked & ~pl.col("irregular")), "records.tricks"),
    ]


def _compared(records: Records, played: Plays, marks: pl.DataFrame) -> pl.DataFrame:
    """Return stated results that the play does not allow or that are marked, and the revoke rule that explains each."""
    fewest, most = replays.tricks_in_reach(records, played)
    whole_hands = (pl.col("deal").str.count_matches(r"[2-9TJQKA]") % 13 == 0).fill_null(value=True)
    known = pl.col("declarer").is_not_null() & pl.col("tricks").is_not_null() & (pl.col("level") > 0)
    rows = records.select(
        *ABOUT_RECORD,
        "deal",
        pl.col("tricks").cast(pl.Int64).alias("stated"),
        "irregular_tricks",
        pl.Series("fewest", fewest),
        pl.Series("most", most),
        pl.Series("irregular", _irregular(records, played, marks)),
        known.alias("known"),
    ).with_columns(_explained(records, played))
    # These are few: cards are counted, and words made, for them alone.
    told = rows.filter(pl.col("known") & (~_FITS | _MARKED)).filter(whole_hands)
    return told.with_columns(
        pl.format("the result of {}", _tricks(pl.col("stated"))).alias("what"),
        pl.lit("^").alias("mark"),
    )


def _irregular(records: Records, played: Plays, marks: pl.DataFrame) -> Mask:
    """Report which plays have anything that can change a result: a fault, or a mark of one."""
    irregular = np.zeros(records.height, dtype=np.bool_)
    irregular[played.faults.board] = True
    irregular[marks["row"].to_numpy()] = True
    return irregular


def _explained(records: Records, played: Plays) -> list[pl.Expr]:
    """Return the first rule by which established revokes explain the stated tricks: `cost`, `rule` or null.

    Once a play is over, every revoke up to the eleventh trick is established, by a claim if not by further play.
    """
    faults, winner = played.faults, played.winner
    trick = faults.place // 4
    over = (records["play_end"].fill_null("") != "+").to_numpy()
    established = (faults.fault == PlayFault.REVOKE) & (
        faults.established | (over[faults.board] & (trick <= LAST_REVOKE))
    )
    revokes = Revokes(
        faults.board[established], trick[established], faults.player[established], faults.other[established] // 13
    )
    cost, rule = pl.lit(None, pl.Int64), pl.lit(None, pl.String)
    if not established.any():
        return [_tricks(cost).alias("cost"), rule.alias("rule")]
    declarer = codes_of(records["declarer"])
    for name, words in reversed(_RULES.items()):
        gain = transferred_tricks(revokes, winner, declarer, name)
        brought = pl.Series(gain)
        fits = (brought != 0) & (pl.col("stated") - brought).is_between("fewest", "most")
        cost, rule = (
            pl.when(fits).then(brought.abs()).otherwise(cost),
            pl.when(fits).then(pl.lit(words)).otherwise(rule),
        )
    return [_tricks(cost).alias("cost"), rule.alias("rule")]


def _tricks(count: pl.Expr) -> pl.Expr:
    return pl.format("{} trick{}", count, pl.when(count == 1).then(pl.lit("")).otherwise(pl.lit("s")))
