"""Auctions and plays of game records, replayed: validation judges them, and pages step through them.

The functions take `frames.RECORDS`, and `frames.ANNOTATIONS` for the marks of irregularities. They return one element a
record, in the order of the records.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
import polars as pl

from overtrick.core.bridge import auction, claim, play
from overtrick.core.bridge.auction import SKIPPED, Auctions, Places, replay_auctions
from overtrick.core.bridge.cards import UNKNOWN, Bytes, codes_of, held
from overtrick.core.bridge.play import TRICKS, Boards, Plays, replay_plays
from overtrick.core.machine import on_all_cores

_LOT: Final = 20_000
"""Records that are replayed at a time: their arrays fit into the processor's cache, and memory stays bounded."""


def auctions(records: pl.DataFrame, annotations: pl.DataFrame) -> Auctions:
    """Replay the auctions of records; a record without an auction has one of no calls.

    Args:
        records: `frames.RECORDS`, sorted by `record`.
        annotations: `frames.ANNOTATIONS`; those of other records are ignored.
    """
    calls, sizes = _entries(records["calls"])
    marks = irregularities(records, annotations, "auction").filter(pl.col("mark") == "S")
    begin = np.cumsum(sizes) - sizes
    calls[begin[marks["row"].to_numpy()] + marks["index"].to_numpy()] = SKIPPED
    cuts = np.arange(_LOT, len(sizes), _LOT)
    lots = [np.split(calls, begin[cuts]), np.split(sizes, cuts), np.split(codes_of(records["auction_start"]), cuts)]
    return auction.join_lots(on_all_cores(lambda lot: replay_auctions(*lot), zip(*lots, strict=True)), _LOT)


def plays(records: pl.DataFrame, annotations: pl.DataFrame) -> Plays:
    """Replay the plays of records; a record without a play has one of no cards.

    Declarer and strain are as the record states them. A card in the column of an unknown player is unknown.

    Args:
        records: `frames.RECORDS`, sorted by `record`.
        annotations: `frames.ANNOTATIONS`; those of other records are ignored.
    """
    leads = _recorded_leads(records, annotations)
    lots = [(records.slice(begin, _LOT), leads[begin : begin + _LOT]) for begin in range(0, max(len(leads), 1), _LOT)]
    played = on_all_cores(lambda lot: replay_plays(_boards(*lot)), lots)
    return play.join_lots(played, _LOT)


@dataclass(frozen=True)
class InOrder:
    """Cards in the order in which they were played, one row a record."""

    cards: Bytes
    """(records, 52), `UNKNOWN` from where the next card is not known."""
    count: Places
    """The number of cards of each record."""
    place: Places
    """(records, 52): for each card as written its place in the order played; 52 where it has none."""


def in_order(records: pl.DataFrame, played: Plays) -> InOrder:
    """Return the cards of records in the order in which they were played.

    Args:
        records: `frames.RECORDS`, sorted by `record`.
        played: their `plays`.
    """
    # One trick whose first column is West (3); East (1) led to it:
    #
    #     cards as written        H5  HA  H2  HK
    #     seat                    3   0   1   2
    #     (seat - leader) % 4     2   3   0   1      the place, 4 * trick more for later tricks
    #     cards in order          H2  HK  H5  HA
    first = codes_of(records["play_start"]).astype(np.int64)
    trick = np.arange(TRICKS)
    seat = first[:, None, None] + played.turns.astype(np.int64)[:, :, None] + np.arange(4)
    place = 4 * trick[:, None] + (seat - played.leader.astype(np.int64)[:, :, None]) % 4
    place[(played.leader == UNKNOWN) | (first == UNKNOWN)[:, None]] = 4 * TRICKS
    place = place.reshape(-1, 4 * TRICKS)
    cards = np.full((len(place), 4 * TRICKS + 1), UNKNOWN, dtype=np.uint8)
    np.put_along_axis(cards, place, _table_of_cards(records["cards"]), axis=1)
    cards[:, -1] = UNKNOWN
    count = (cards == UNKNOWN).argmax(axis=1)
    cards[np.arange(4 * TRICKS + 1) >= count[:, None]] = UNKNOWN
    return InOrder(cards[:, :-1], count, np.where(place < count[:, None], place, 4 * TRICKS))


def tricks_in_reach(records: pl.DataFrame, played: Plays) -> tuple[Places, Places]:
    """Return the fewest and the most tricks that declarer can have, by record.

    Args:
        records: with a known declarer, and a deal of four hands of thirteen.
        played: their `plays`.
    """
    declarer = codes_of(records["declarer"])
    fewest, most = claim.tricks_by_winners(played.winner, declarer)
    cut_short = np.flatnonzero((played.winner == UNKNOWN).any(axis=1))
    for begin in range(0, len(cut_short), _LOT):
        some = cut_short[begin : begin + _LOT]
        lot = records[some]
        boards = _boards(lot, np.full((lot.height, TRICKS), UNKNOWN, dtype=np.uint8))
        needs, loses = claim.trick_under_way(boards, played.leader[some], played.turns[some], declarer[some])
        fewest[some] += needs
        most[some] -= loses
    return fewest, most


def _boards(records: pl.DataFrame, leads: Bytes) -> Boards:
    first = codes_of(records["play_start"])
    declarer = codes_of(records["declarer"])
    cards = _table_of_cards(records["cards"])
    cards[first == UNKNOWN] = UNKNOWN
    return Boards(
        hands=held(records["deal"]),
        cards=cards,
        first=np.where(first == UNKNOWN, np.uint8(0), first),
        leader=np.where(declarer == UNKNOWN, first, (declarer + 1) % 4).astype(np.uint8),
        strain=codes_of(records["strain"]),
        leads=leads,
    )


def _table_of_cards(column: pl.Series) -> Bytes:
    """Return lists of cards as rows of 52: a short list is filled up with `UNKNOWN`, a long one is cut."""
    cards, sizes = _entries(column.list.head(4 * TRICKS))
    table = np.full((len(sizes), 4 * TRICKS), UNKNOWN, dtype=np.uint8)
    table[np.arange(4 * TRICKS) < sizes[:, None]] = cards
    return table


def _recorded_leads(records: pl.DataFrame, annotations: pl.DataFrame) -> Bytes:
    """Return who leads to each trick where `^L` records a lead out of turn; a second mark in a trick is ignored."""
    leads = np.full((records.height, TRICKS), UNKNOWN, dtype=np.uint8)
    if not (annotations["kind"] == "irregularity").any():
        return leads
    marks = (
        irregularities(records, annotations, "play")
        .with_columns((pl.col("index") // 4).alias("trick"))
        .filter((pl.col("mark") == "L") & (pl.col("trick") < TRICKS))
        .unique(["row", "trick"], keep="first", maintain_order=True)
    )
    row, trick, place = (marks[name].to_numpy() for name in ("row", "trick", "index"))
    first = codes_of(records["play_start"])[row]
    leads[row, trick] = np.where(first == UNKNOWN, UNKNOWN, (first + place) % 4)
    return leads


def irregularities(records: pl.DataFrame, annotations: pl.DataFrame, part: str) -> pl.DataFrame:
    """List the recorded irregularities (PBN 3.9) of one part, `auction` or `play`, that mark a call or card.

    Returns:
        `row` (of the record in `records`), `record`, `index` (of the call or card), `mark` (a capital letter), and the
        `line` and `column` of the mark.
    """
    marks = annotations.filter((pl.col("kind") == "irregularity") & (pl.col("part") == part))
    sizes = records.select("record", pl.col("calls" if part == "auction" else "cards").list.len().alias("size"))
    return (
        marks.join(sizes.with_row_index("row"), on="record", how="inner", maintain_order="left")
        .filter(pl.col("index") < pl.col("size"))
        .select(
            "row",
            "record",
            pl.col("index").cast(pl.Int64),
            pl.col("text").str.to_uppercase().alias("mark"),
            "line",
            "column",
        )
    )


def entries_at(column: pl.Series, rows: Places, index: Places) -> Bytes:
    """Return one entry of each of some lists, `UNKNOWN` where a list has none there.

    Lists are not repeated, however many of their entries are asked for.

    Args:
        column: the lists of calls or cards.
        rows: for each entry, the row of its list.
        index: for each entry, its place in that list.
    """
    codes, sizes = _entries(column)
    inside = (index >= 0) & (index < sizes[rows])
    found = np.full(len(rows), UNKNOWN, dtype=np.uint8)
    found[inside] = codes[(np.cumsum(sizes) - sizes)[rows[inside]] + index[inside]]
    return found


def _entries(column: pl.Series) -> tuple[Bytes, Places]:
    """Return the codes of all lists in one row, as a copy that can be written to, and the size of each list."""
    sizes: Places = column.list.len().fill_null(0).cast(pl.Int64).to_numpy()
    return column.explode(empty_as_null=False, keep_nulls=False).to_numpy().copy(), sizes
