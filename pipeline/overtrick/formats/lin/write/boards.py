"""Records as LIN: the auction with what is said of it, the play card by card, the claim; all boards at once.

A board is a run of pieces, one a call, card or remark. Pieces are rows of a frame, put in order by `stage` (of the
board), `index` (of the call or card) and `turn` (what stands first).
"""

from dataclasses import dataclass
from enum import IntEnum
from typing import Final

import numpy as np
import numpy.typing as npt
import polars as pl

from overtrick.bridge import replays
from overtrick.bridge.auction import Auctions
from overtrick.bridge.calls import CALLS
from overtrick.bridge.cards import UNKNOWN
from overtrick.bridge.play import TRICKS, Plays
from overtrick.formats.lin.write.remarks import remarks
from overtrick.formats.lin.write.spelling import call, card
from overtrick.frames import Session
from overtrick.problems import report

Mask = npt.NDArray[np.bool_]
Places = npt.NDArray[np.int64]

_ORDER: Final = ("record", "stage", "index", "turn")
_PAGE: Final = "pg||"


class _Stage(IntEnum):
    AUCTION = 1
    PLAY = 2
    END = 3


@dataclass(frozen=True)
class Bodies:
    """What stands below the heading of each board."""

    frame: pl.DataFrame
    """One row a record, in their order: `record`, `body`, and `told`: whether contract and tricks are those that a
    reader finds from the auction, the play and the claim."""
    problems: pl.DataFrame


def bodies(session: Session) -> Bodies:
    """Write auctions, plays and claims of `session.records`, sorted by `record`."""
    records = session.records
    auctions = replays.auctions(records, session.annotations)
    played = replays.plays(records, session.annotations)
    cards = replays.in_order(records, played)
    calls = _calls(records)
    cut = calls.filter("cut").unique("record", keep="first", maintain_order=True)
    told = _told(records, auctions, played, cards) & ~records["record"].is_in(cut["record"].implode()).to_numpy()
    written = _texts(session, calls, cards)
    frame = records.select("record").join(written, on="record", how="left", maintain_order="left")
    return Bodies(
        frame.with_columns(pl.col("body").fill_null(""), pl.Series("told", told)),
        pl.concat([_cut_auctions(cut), _cut_plays(records, cards)]),
    )


def texts(session: Session, cards: replays.InOrder) -> pl.DataFrame:
    """Write what there is of auction, play and claim: `record body`.

    Args:
        session: `records` sorted by `record`.
        cards: their plays, card by card.
    """
    return _texts(session, _calls(session.records), cards)


def _texts(session: Session, calls: pl.DataFrame, cards: replays.InOrder) -> pl.DataFrame:
    records, said = session.records, remarks(session)
    claimed = records.with_columns(pl.Series("count", cards.count)).filter(
        (pl.col("count") < 4 * TRICKS) & pl.col("tricks").is_not_null() & (pl.col("level") != 0)
    )
    pieces = [
        _auction(calls, said),
        _play(records, cards, said),
        _pieces(claimed, _Stage.END, index=0, turn=0, text=pl.format("mc|{}|", "tricks")),
        _pieces(_scored(records), _Stage.END, index=0, turn=1, text=pl.format("zz|{}|", "score")),
    ]
    ends = pl.concat(pieces[2:]).unique("record", maintain_order=True)
    pieces.append(ends.with_columns(turn=pl.lit(2, pl.Int64), text=pl.lit(_PAGE)))
    written = pl.concat(pieces).sort(_ORDER).group_by("record", maintain_order=True)
    return written.agg(pl.col("text").str.join("").alias("body"))


def _pieces(frame: pl.DataFrame, stage: _Stage, **columns: pl.Expr | int) -> pl.DataFrame:
    exprs = {name: pl.lit(column) if isinstance(column, int) else column for name, column in columns.items()}
    made = frame.select("record", stage=pl.lit(int(stage)), **exprs)
    return made.select("record", *(pl.col(name).cast(pl.Int64) for name in _ORDER[1:]), "text").drop_nulls("text")


def _scored(records: pl.DataFrame) -> pl.DataFrame:
    """Give the scores that are stated in percent, matchpoints or IMPs, as a table's own."""
    percentage = pl.format("{}%", _number(pl.col("stated_percentage_ns")))
    score = pl.coalesce(_number(pl.col("stated_points_ns")), percentage)
    return records.select("record", score.alias("score")).drop_nulls()


def _number(value: pl.Expr) -> pl.Expr:
    return value.round(6).cast(pl.String).str.strip_suffix(".0")


def _calls(records: pl.DataFrame) -> pl.DataFrame:
    """List the calls of all records: `record index code`, and from where on nobody can say whose they are (`cut`)."""
    begins = (pl.col("auction_start") == pl.col("dealer")).fill_null(value=True)
    listed = records.select("record", "line", "source", "board_label", begins=begins, code="calls")
    calls = listed.explode("code", empty_as_null=False, keep_nulls=False)
    odd = (pl.col("code") >= len(CALLS)) | ~pl.col("begins")
    return calls.with_columns(
        pl.int_range(pl.len()).over("record").alias("index"),
        (odd.cast(pl.UInt32).cum_sum().over("record") > 0).alias("cut"),
    )


def _cut_auctions(cut: pl.DataFrame) -> pl.DataFrame:
    """Report the auctions of which calls are left out, by the first of these."""
    fault = pl.when("begins").then(pl.lit("this is no call")).otherwise(pl.lit("the first call is not the dealer's"))
    return report("lin-auction-not-written", cut.with_columns(fault.alias("fault"), board=pl.col("board_label")))


def _auction(calls: pl.DataFrame, said: pl.DataFrame) -> pl.DataFrame:
    """Write calls, each with its alert and explanation, and what is said behind it."""
    of_auction = said.filter(pl.col("part") == "auction").with_columns(pl.col("index").cast(pl.Int64))
    alerts = of_auction.filter(pl.col("kind") == "alert").select("record", "index", alert=pl.lit("!")).unique()
    calls = calls.filter(~pl.col("cut"))
    marked = calls.join(alerts, on=["record", "index"], how="left", maintain_order="left")
    word = pl.format("mb|{}{}|", call(pl.col("code")), pl.col("alert").fill_null(""))
    ends = calls.group_by("record", maintain_order=True).agg(pl.col("index").max())
    return pl.concat(
        [
            _pieces(marked, _Stage.AUCTION, index=pl.col("index"), turn=0, text=word),
            _remarks(of_auction.filter(pl.col("kind") != "alert"), _Stage.AUCTION),
            _pieces(ends, _Stage.AUCTION, index=pl.col("index"), turn=3, text=pl.lit(_PAGE)),
        ]
    )


def _remarks(said: pl.DataFrame, stage: _Stage) -> pl.DataFrame:
    explained = pl.col("kind") == "explanation"
    text = pl.when(explained).then(pl.format("an|{}|", "written")).otherwise(pl.format("nt|{}|pg||", "written"))
    turn = pl.when(explained).then(1).otherwise(2)
    return _pieces(said, stage, index=pl.col("index").fill_null(-1), turn=turn, text=text)


def _play(records: pl.DataFrame, cards: replays.InOrder, said: pl.DataFrame) -> pl.DataFrame:
    """Write cards in the order played, a page a trick, and what is said behind each."""
    row, index = np.nonzero(cards.cards != UNKNOWN)
    frame = pl.DataFrame(
        {"record": records["record"].gather(pl.Series(row)), "index": index, "code": cards.cards[row, index]}
    )
    last = pl.Series(index == cards.count[row] - 1) | (pl.col("index") % 4 == 3)
    of_play = said.filter(pl.col("part") == "play").join(
        records.select("record").with_row_index("row"), on="record", how="inner", maintain_order="left"
    )
    at = of_play["index"].fill_null(0).clip(0, 4 * TRICKS - 1).to_numpy()
    rows = of_play["row"].to_numpy()
    place = np.minimum(cards.place[rows, at], cards.count[rows] - 1)
    of_play = of_play.with_columns(pl.Series("place", np.where(of_play["index"].is_null(), -1, place), dtype=pl.Int64))
    return pl.concat(
        [
            _pieces(frame, _Stage.PLAY, index=pl.col("index"), turn=0, text=pl.format("pc|{}|", card(pl.col("code")))),
            _remarks(of_play.with_columns(pl.col("place").alias("index")), _Stage.PLAY),
            _pieces(frame.filter(last), _Stage.PLAY, index=pl.col("index"), turn=3, text=pl.lit(_PAGE)),
        ]
    )


def _cut_plays(records: pl.DataFrame, cards: replays.InOrder) -> pl.DataFrame:
    """Report plays of which cards are left out."""
    known = records.select(pl.col("cards").list.eval(pl.element() != UNKNOWN).list.sum())["cards"].fill_null(0)
    cut = records.select("record", "line", "source", board="board_label", index=pl.Series(cards.count))
    return report("lin-play-not-written", cut.filter(known > pl.Series(cards.count)))


def _told(records: pl.DataFrame, auctions: Auctions, played: Plays, cards: replays.InOrder) -> Mask:
    """Say where auction, play and claim come to the contract and the tricks that are stated."""
    bid = {
        "level": auctions.level,
        "strain": auctions.strain,
        "doubled": auctions.doubled,
        "declarer": auctions.declarer,
    }
    same = np.ones(len(records), dtype=np.bool_)
    passed = (records["level"] == 0).fill_null(value=False).to_numpy()
    for name, codes in bid.items():
        stated = records[name].to_physical().cast(pl.UInt8).fill_null(UNKNOWN).to_numpy()
        same &= (stated == codes) | (passed & (name != "level"))
    same[auctions.faults.auction] = False
    claimed = records["tricks"].is_not_null().to_numpy() & (cards.count < 4 * TRICKS)
    same &= auctions.closed | (cards.count > 0) | claimed
    won = np.where(replays.seats(records["declarer"]) % 2 == 0, played.won(0)[:, -1], played.won(1)[:, -1])
    tricks = records["tricks"].cast(pl.Int64).fill_null(-1).to_numpy()
    whole = (played.winner != UNKNOWN).all(axis=1)
    same &= passed | (tricks < 0) | claimed | (whole & (won == tricks))
    told: Mask = same | records["level"].is_null().to_numpy()
    return told
