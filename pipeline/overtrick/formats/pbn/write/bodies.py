"""The sections Auction and Play in export form (PBN 3.5, 3.6): four entries a line, in the columns that are due."""

from typing import Final

import numpy as np
import numpy.typing as npt
import polars as pl

from overtrick.bridge.calls import CALLS, PASS
from overtrick.bridge.cards import CARDS, SEATS, UNKNOWN, owners
from overtrick.formats.pbn.write.lines import SUFFIXES, section_texts
from overtrick.frames import Session

_TRICKS: Final = 13
_COLUMNS: Final = np.arange(len(SEATS))

Codes = npt.NDArray[np.uint8]
Seats = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


def auctions(session: Session, stated: pl.DataFrame, written: pl.DataFrame) -> pl.DataFrame:
    """Write auctions from the dealer on, `AP` spelled out (3.5).

    Args:
        session: its records and annotations.
        stated: record, text: the value of each Auction tag.
        written: record, text: the sections as written, for those that hold words that are no calls.

    Returns:
        A row an auction: record, name, value (of the tag), text, and fault: why it had to stay as it was.
    """
    games = _games(session, stated, written, "pbn-call-unknown")
    calls = games.filter(pl.col("kept").is_null()).explode("calls", empty_as_null=False, keep_nulls=False)
    index = pl.int_range(pl.len(), dtype=pl.Int64).over("record")
    words = calls.select("record", index=index, row=index // 4, place=index % 4, text=_named(calls["calls"], CALLS))
    passes = pl.col("calls").list.tail(3).list.eval(pl.element() == PASS).list.all()
    ended = (pl.col("calls").list.len() >= len(SEATS)) & passes
    end = pl.when(ended.fill_null(value=False)).then(pl.lit("")).otherwise(pl.col("auction_end").fill_null("*"))
    marks = session.annotations.filter(pl.col("part") == "auction")
    texts = section_texts(words, marks, games.select("record", end=end), first_glyph=1)
    begins = pl.col("auction_start").cast(pl.String)
    odd = (begins != pl.col("dealer").cast(pl.String)).fill_null(value=False)
    return games.with_columns(texts).select(
        "record",
        name=pl.lit("Auction"),
        value=pl.when(pl.col("kept").is_null()).then(begins.fill_null("?")).otherwise("value"),
        text=pl.coalesce("kept", "text"),
        fault=pl.when(pl.col("kept").is_not_null())
        .then(pl.lit("the auction holds words that are not calls"))
        .when(odd)
        .then(pl.lit("the first call is not the dealer's")),
    )


def plays(session: Session, stated: pl.DataFrame, written: pl.DataFrame) -> pl.DataFrame:
    """Write plays a trick a line, a column a seat, the opening leader's first (3.6).

    Each card goes to the column of the hand that holds it where the deal shows that, else it stays in its own. A play
    with a `+` for the next card stays as written. Arguments and result as for `auctions`.
    """
    games = _games(session, stated, written, "pbn-card-unknown")
    left_open = (pl.col("play_end") == "+").fill_null(value=False)
    games = games.with_columns(
        unread=pl.col("kept").is_not_null(), kept=pl.when(left_open).then("written").otherwise("kept")
    )
    declarer, start = (pl.col(name).to_physical().cast(pl.Int64) for name in ("declarer", "play_start"))
    leader = pl.coalesce((declarer + 1) % 4, start)
    games = games.with_columns(leader=leader, first=pl.coalesce(start, leader))
    # A row that is not full is filled with `-`: then the play is not whole, whatever stands before it.
    played = pl.col("cards").list.len()
    rows_full = (played >= _TRICKS * len(SEATS)) & (played % len(SEATS) == 0)
    whole = pl.col("cards").list.eval(pl.element() != UNKNOWN).list.all() & rows_full
    end = pl.when(whole.fill_null(value=False)).then(pl.lit("")).otherwise(pl.lit("*"))
    marks = session.annotations.filter(pl.col("part") == "play")
    texts = section_texts(_cards(games), marks, games.select("record", end=end), first_glyph=1 + len(SUFFIXES))
    seat = pl.col("leader").replace_strict(dict(enumerate(SEATS)), default="?", return_dtype=pl.String)
    return games.with_columns(texts).select(
        "record",
        name=pl.lit("Play"),
        value=pl.when("unread").then("value").when(left_open).then(pl.col("value").str.to_uppercase()).otherwise(seat),
        text=pl.coalesce("kept", "text"),
        fault=pl.when("unread").then(pl.lit("the play holds words that are not cards")),
    )


def _games(session: Session, stated: pl.DataFrame, written: pl.DataFrame, code: str) -> pl.DataFrame:
    """Put beside the records that have the section: its tag's `value`, it as `written`, and `kept` where it stays so.

    A section stays as it is where a word in it was not understood.
    """
    odd = session.problems.filter(pl.col("code") == code)["record"].unique()
    tags = stated.select("record", value="text")
    texts = written.select("record", written="text")
    games = session.records.join(tags, on="record", how="inner", maintain_order="left")
    games = games.join(texts, on="record", how="left", maintain_order="left")
    return games.with_columns(kept=pl.when(pl.col("record").is_in(odd.implode())).then("written"))


def _named(code: pl.Series, names: tuple[str, ...]) -> pl.Series:
    return code.replace_strict(list(range(len(names))), list(names), default=None, return_dtype=pl.String)


def _cards(games: pl.DataFrame) -> pl.DataFrame:
    """List the words of plays, `-` for cards that are not known and for seats that a last row does not reach."""
    games = games.filter(pl.col("kept").is_null(), pl.col("cards").list.len() > 0)
    sizes = games["cards"].list.len().to_numpy().astype(np.int64)
    tricks = -(-sizes // 4)
    game = np.repeat(np.arange(len(games)), tricks)
    row = np.arange(len(game)) - np.repeat(np.cumsum(tricks) - tricks, tricks)
    in_row = 4 * row[:, None] + _COLUMNS < sizes[game, None]
    code = np.full(in_row.shape, UNKNOWN, dtype=np.uint8)
    code[in_row] = games["cards"].explode().to_numpy()
    first, leader = (games[name].fill_null(0).to_numpy()[game, None] for name in ("first", "leader"))
    seat = _seats(code, in_row, owners(games["deal"])[game], (first + _COLUMNS) % 4)
    columns = pl.DataFrame(
        {
            "record": games["record"].gather(pl.Series(np.repeat(game, 4))),
            "index": pl.Series((4 * row[:, None] + _COLUMNS).ravel()).set(pl.Series(~in_row.ravel()), None),
            "row": np.repeat(row, 4),
            "place": ((seat - leader) % 4).ravel(),
        }
    )
    return columns.with_columns(_named(pl.Series(code.ravel()), CARDS).fill_null("-").alias("text"))


def _seats(code: Codes, in_row: Mask, holder: Codes, column: Seats) -> Seats:
    """Say whose each place of a row is: the holder of its card, where each hand of the deal has one card of the row.

    Args:
        code: (rows, 4) the cards.
        in_row: (rows, 4) the places that are written; the others take the seats that are left.
        holder: (rows, 52) who holds each card, as `owners` gives it.
        column: (rows, 4) the seat whose column each place is.
    """
    known = code != UNKNOWN
    held = np.where(known, np.take_along_axis(holder, np.minimum(code, 51).astype(np.int64), axis=1), 0).astype(
        np.int64
    )
    bits = np.where(known, 1 << np.minimum(held, 4), 0)
    taken = np.bitwise_or.reduce(bits, axis=1)
    sound = (taken == bits.sum(axis=1)) & (taken < 1 << 4)
    free = (taken[:, None] >> column) & 1 == 0
    # The seats that are free, those of written places first, go to the places without a card in their order.
    order = np.argsort(np.where(free, np.where(in_row, 0, 1), 2), axis=1, kind="stable")
    spare = np.take_along_axis(column, order, axis=1)
    rank = np.cumsum(~known, axis=1) - 1
    filled = np.where(known, held, np.take_along_axis(spare, np.maximum(rank, 0), axis=1))
    return np.where(sound[:, None], filled, column)
