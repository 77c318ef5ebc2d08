"""Boards as LIN, one a line: names, deal, title and vulnerability, then the auction, the play and the claim.

All boards are written at once. What follows the heading is a run of pieces, one a call, card or remark. Pieces are rows
of a frame, in the order of their `stage` (of the board), `index` (of the call or card) and `turn` (what comes first).
"""

from dataclasses import dataclass
from enum import IntEnum
from typing import Final

import numpy as np
import numpy.typing as npt
import polars as pl

from overtrick.core.bridge import replays
from overtrick.core.bridge.auction import CALLS, Auctions
from overtrick.core.bridge.cards import UNKNOWN, codes_of
from overtrick.core.bridge.play import TRICKS, Plays
from overtrick.core.frames import ANNOTATIONS, Session, conform, empty
from overtrick.core.problems import report
from overtrick.files.formats.lin import spelling

MARKS: Final = ("suffix", "nag", "irregularity")
"""Kinds of annotations that LIN has no place for."""

_ALERT: Final = "!"
_PARTS: Final = {"Auction": "calls", "Play": "cards"}


def find_remarks(session: Session) -> pl.DataFrame:
    """Return all remarks in their order: `record part index kind text line column written`.

    `kind` is `alert`, `explanation` or `comment`, `text` is what was meant, without braces, and `written` is the text
    as a value can hold it. An explanation of a card is a comment; a comment that is a bare `!` on a call is an alert.
    """
    found = pl.concat([session.annotations, _find_beside_sections(session)])
    found = found.filter(~pl.col("kind").is_in(list(MARKS)))
    found = found.filter(~((pl.col("kind") == "comment") & pl.col("text").str.starts_with("%")))
    comment, call = pl.col("kind") == "comment", pl.col("part") == "auction"
    bare = pl.col("text").str.replace(r"(?s)^(?:\{(.*?)\}?|;(.*))$", "${1}${2}").str.strip_chars()
    text = pl.when(comment).then(bare).otherwise(pl.coalesce("text", "reference").str.strip_chars())
    explained = pl.col("kind").is_in(["note", "explanation"])
    alert = (pl.col("kind") == "alert") | (comment & call & (pl.col("text") == _ALERT) & pl.col("index").is_not_null())
    kind = pl.when(explained & call).then(pl.lit("explanation")).otherwise(pl.lit("comment"))
    return (
        found.with_columns(text.alias("text"))
        .with_columns(pl.when(alert).then(pl.lit("alert")).otherwise(kind).alias("kind"))
        .filter(pl.col("text") != "")
        .select(session.annotations.columns)
        .with_columns(spelling.write_text(pl.col("text")).alias("written"))
    )


def _find_beside_sections(session: Session) -> pl.DataFrame:
    """Place comments of a PBN game outside auction and play: with its last call or card, or before the first.

    Those after an auction or a play, or after its notes, belong to it; those among the tags open the board.
    """
    files = list_pbn_files(session)
    if files.is_empty():
        return empty(ANNOTATIONS)
    items = session.items.filter(pl.col("source").is_in(files.implode()) & pl.col("record").is_not_null())
    section = pl.col("name").is_in(list(_PARTS))
    head = pl.when((pl.col("kind") == "tag") & (pl.col("name") != "Note")).then(
        pl.when(section).then("name").otherwise(pl.lit(""))
    )
    comments = items.with_columns(head.forward_fill().over("record").alias("head")).filter(pl.col("kind") == "comment")
    last = session.records.select(
        "record", *(pl.col(entries).list.len().cast(pl.Int64) - 1 for entries in _PARTS.values())
    )
    placed = comments.join(last, on="record", how="left", maintain_order="left")
    index = pl.when(pl.col("head") == "Auction").then("calls").when(pl.col("head") == "Play").then("cards")
    part = pl.when(pl.col("head") == "Play").then(pl.lit("play")).otherwise(pl.lit("auction"))
    return conform(
        ANNOTATIONS, placed.with_columns(index=pl.when(index >= 0).then(index), part=part, kind=pl.lit("comment"))
    )


def list_pbn_files(session: Session) -> pl.Series:
    """List the files that were read as PBN, or whose items can be those of PBN."""
    return session.sources.filter(pl.col("format").is_in(["pbn", "json"]))["source"]


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
    """The text after the heading of each board."""

    frame: pl.DataFrame
    """One row a record, in their order: `record`, `body`, and `implied`: whether a reader works out the stated contract
    and tricks from the auction, the play and the claim."""
    problems: pl.DataFrame


def write_bodies(session: Session) -> Bodies:
    """Write auctions, plays and claims of `session.records`, sorted by `record`."""
    records = session.records
    auctions = replays.auctions(records, session.annotations)
    played = replays.plays(records, session.annotations)
    cards = replays.in_order(records, played)
    calls = _list_calls(records)
    cut = calls.filter("cut").unique("record", keep="first", maintain_order=True)
    implied = _mark_implied(records, auctions, played, cards)
    implied &= ~records["record"].is_in(cut["record"].implode()).to_numpy()
    written = _join_pieces(session, calls, cards)
    frame = records.select("record").join(written, on="record", how="left", maintain_order="left")
    return Bodies(
        frame.with_columns(pl.col("body").fill_null(""), pl.Series("implied", implied)),
        pl.concat([_report_cut_auctions(cut), _report_cut_plays(records, cards)]),
    )


def write_texts(session: Session, cards: replays.InOrder) -> pl.DataFrame:
    """Write what is known of auction, play and claim: `record body`.

    Args:
        session: `records` sorted by `record`.
        cards: their plays, card by card.
    """
    return _join_pieces(session, _list_calls(session.records), cards)


def _join_pieces(session: Session, calls: pl.DataFrame, cards: replays.InOrder) -> pl.DataFrame:
    """Write pieces and join those of each record: `record body`.

    Worked example of one record's pieces, and the body they make:

        stage  index  turn  text
        1      0      0     mb|1N!|
        1      0      1     an|strong|
        1      1      0     mb|p|
        1      1      3     pg||
        2      0      0     pc|D8|
        2      0      3     pg||
        3      0      0     mc|7|
        3      0      2     pg||

        mb|1N!|an|strong|mb|p|pg||pc|D8|pg||mc|7|pg||
    """
    records, remarks = session.records, find_remarks(session)
    claimed = records.with_columns(pl.Series("count", cards.count)).filter(
        (pl.col("count") < 4 * TRICKS) & pl.col("tricks").is_not_null() & (pl.col("level") != 0)
    )
    pieces = [
        _write_auction(calls, remarks),
        _write_play(records, cards, remarks),
        _make_pieces(claimed, _Stage.END, index=0, turn=0, text=pl.format("mc|{}|", "tricks")),
        _make_pieces(_write_scores(records), _Stage.END, index=0, turn=1, text=pl.format("zz|{}|", "score")),
    ]
    ends = pl.concat(pieces[2:]).unique("record", maintain_order=True)
    pieces.append(ends.with_columns(turn=pl.lit(2, pl.Int64), text=pl.lit(_PAGE)))
    written = pl.concat(pieces).sort(_ORDER).group_by("record", maintain_order=True)
    return written.agg(pl.col("text").str.join("").alias("body"))


def _make_pieces(frame: pl.DataFrame, stage: _Stage, **columns: pl.Expr | int) -> pl.DataFrame:
    exprs = {name: pl.lit(column) if isinstance(column, int) else column for name, column in columns.items()}
    pieces = frame.select("record", stage=pl.lit(int(stage)), **exprs)
    return pieces.select("record", *(pl.col(name).cast(pl.Int64) for name in _ORDER[1:]), "text").drop_nulls("text")


def _write_scores(records: pl.DataFrame) -> pl.DataFrame:
    """Write the scores that are stated in percent, matchpoints or IMPs, as a table's own: `record score`."""
    percentage = pl.format("{}%", _write_number(pl.col("stated_percentage_ns")))
    score = pl.coalesce(_write_number(pl.col("stated_points_ns")), percentage)
    return records.select("record", score.alias("score")).drop_nulls()


def _write_number(value: pl.Expr) -> pl.Expr:
    return value.round(6).cast(pl.String).str.strip_suffix(".0")


def _list_calls(records: pl.DataFrame) -> pl.DataFrame:
    """List the calls of all records: `record index code`, and `cut` from the first whose caller nobody can tell."""
    begins = (pl.col("auction_start") == pl.col("dealer")).fill_null(value=True)
    listed = records.select("record", "line", "source", "board_label", begins=begins, code="calls")
    calls = listed.explode("code", empty_as_null=False, keep_nulls=False)
    odd = (pl.col("code") >= len(CALLS)) | ~pl.col("begins")
    return calls.with_columns(
        pl.int_range(pl.len()).over("record").alias("index"),
        (odd.cast(pl.UInt32).cum_sum().over("record") > 0).alias("cut"),
    )


def _report_cut_auctions(cut: pl.DataFrame) -> pl.DataFrame:
    """Report the auctions of which calls are left out, by the first of these."""
    fault = pl.when("begins").then(pl.lit("this is not a call")).otherwise(pl.lit("the first call is not the dealer's"))
    return report("not-written/auction", cut.with_columns(fault.alias("fault"), board=pl.col("board_label")))


def _write_auction(calls: pl.DataFrame, remarks: pl.DataFrame) -> pl.DataFrame:
    """Write calls, each with its alert and explanation, and the chat after it."""
    of_auction = remarks.filter(pl.col("part") == "auction").with_columns(pl.col("index").cast(pl.Int64))
    alerts = of_auction.filter(pl.col("kind") == "alert").select("record", "index", alert=pl.lit("!")).unique()
    calls = calls.filter(~pl.col("cut"))
    marked = calls.join(alerts, on=["record", "index"], how="left", maintain_order="left")
    word = pl.format("mb|{}{}|", spelling.write_call(pl.col("code")), pl.col("alert").fill_null(""))
    ends = calls.group_by("record", maintain_order=True).agg(pl.col("index").max())
    return pl.concat(
        [
            _make_pieces(marked, _Stage.AUCTION, index=pl.col("index"), turn=0, text=word),
            _write_remarks(of_auction.filter(pl.col("kind") != "alert"), _Stage.AUCTION),
            _make_pieces(ends, _Stage.AUCTION, index=pl.col("index"), turn=3, text=pl.lit(_PAGE)),
        ]
    )


def _write_remarks(remarks: pl.DataFrame, stage: _Stage) -> pl.DataFrame:
    explained = pl.col("kind") == "explanation"
    text = pl.when(explained).then(pl.format("an|{}|", "written")).otherwise(pl.format("nt|{}|pg||", "written"))
    turn = pl.when(explained).then(1).otherwise(2)
    return _make_pieces(remarks, stage, index=pl.col("index").fill_null(-1), turn=turn, text=text)


def _write_play(records: pl.DataFrame, cards: replays.InOrder, remarks: pl.DataFrame) -> pl.DataFrame:
    """Write cards in the order played, a page a trick, and the chat after each."""
    row, index = np.nonzero(cards.cards != UNKNOWN)
    frame = pl.DataFrame(
        {"record": records["record"].gather(pl.Series(row)), "index": index, "code": cards.cards[row, index]}
    )
    last = pl.Series(index == cards.count[row] - 1) | (pl.col("index") % 4 == 3)
    of_play = remarks.filter(pl.col("part") == "play").join(
        records.select("record").with_row_index("row"), on="record", how="inner", maintain_order="left"
    )
    at = of_play["index"].fill_null(0).clip(0, 4 * TRICKS - 1).to_numpy()
    rows = of_play["row"].to_numpy()
    place = np.minimum(cards.place[rows, at], cards.count[rows] - 1)
    of_play = of_play.with_columns(pl.Series("place", np.where(of_play["index"].is_null(), -1, place), dtype=pl.Int64))
    word = pl.format("pc|{}|", spelling.write_card(pl.col("code")))
    return pl.concat(
        [
            _make_pieces(frame, _Stage.PLAY, index=pl.col("index"), turn=0, text=word),
            _write_remarks(of_play.with_columns(pl.col("place").alias("index")), _Stage.PLAY),
            _make_pieces(frame.filter(last), _Stage.PLAY, index=pl.col("index"), turn=3, text=pl.lit(_PAGE)),
        ]
    )


def _report_cut_plays(records: pl.DataFrame, cards: replays.InOrder) -> pl.DataFrame:
    """Report plays of which cards are left out."""
    known = records.select(pl.col("cards").list.eval(pl.element() != UNKNOWN).list.sum())["cards"].fill_null(0)
    cut = records.select("record", "line", "source", board="board_label", index=pl.Series(cards.count))
    return report("not-written/play", cut.filter(known > pl.Series(cards.count)))


def _mark_implied(records: pl.DataFrame, auctions: Auctions, played: Plays, cards: replays.InOrder) -> Mask:
    """Mark the records whose auction, play and claim imply the contract and the tricks that are stated."""
    same = np.ones(len(records), dtype=np.bool_)
    passed = (records["level"] == 0).fill_null(value=False).to_numpy()
    for name in ("level", "strain", "doubled", "declarer"):
        stated = records[name].to_physical().cast(pl.UInt8).fill_null(UNKNOWN).to_numpy()
        same &= (stated == getattr(auctions, name)) | (passed & (name != "level"))
    same[auctions.faults.auction] = False
    claimed = records["tricks"].is_not_null().to_numpy() & (cards.count < 4 * TRICKS)
    same &= auctions.closed | (cards.count > 0) | claimed
    won = np.where(codes_of(records["declarer"]) % 2 == 0, played.won(0)[:, -1], played.won(1)[:, -1])
    tricks = records["tricks"].cast(pl.Int64).fill_null(-1).to_numpy()
    whole = (played.winner != UNKNOWN).all(axis=1)
    same &= passed | (tricks < 0) | claimed | (whole & (won == tricks))
    implied: Mask = same | records["level"].is_null().to_numpy()
    return implied
