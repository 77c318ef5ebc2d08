"""Boards to records: which board and room, the deal, the auction, the contract, the play and the result of each."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt
import polars as pl

from overtrick.formats.lin.read.auctions import auctions, called
from overtrick.formats.lin.read.boards import Boards
from overtrick.formats.lin.read.contracts import OF_SESSION, with_contracts
from overtrick.formats.lin.read.deals import Deals, deals
from overtrick.formats.lin.read.header import players, players_by_board, sessions, stated_scores, states_scores
from overtrick.formats.lin.read.numbering import from_other_room, numbered
from overtrick.formats.lin.read.plays import played, plays
from overtrick.formats.lin.read.remarks import remarks
from overtrick.formats.lin.read.results import with_tricks
from overtrick.frames import ANNOTATIONS, RECORDS, VULNERABLE, conform, empty
from overtrick.problems import report

Places = npt.NDArray[np.int64]

_VULNERABLE: Final = {"n": "NS", "e": "EW", "b": "All", "o": "None", "0": "None", "-": "None", "": "None"}


@dataclass(frozen=True)
class Records:
    """The records of a file."""

    frame: pl.DataFrame
    """`frames.RECORDS`; `record` counts from 0 and `source` is null."""
    annotations: pl.DataFrame
    problems: pl.DataFrame
    number: pl.Series
    """By record of `Boards` the record that it became: a board that stands twice in a session became one."""


def records(boards: Boards) -> Records:
    """Read the records of a file; results that only the session's list states are records too."""
    headers, header_faults = sessions(boards)
    if boards.film:
        frame, _, faults = _set_out(boards, headers)
        about = pl.DataFrame({"line": [1], "column": [1], "count": [len(frame)]})
        frame = frame.hstack(players(boards, frame.select("record", "room", "session")))
        problems = [header_faults, *faults, report("lin-film", about)]
        return Records(conform(RECORDS, frame), empty(ANNOTATIONS), pl.concat(problems), frame["record"])
    # Cards and names on one core, deals and calls on another: arrays let go of the interpreter's lock.
    with ThreadPoolExecutor(1) as beside:
        calls, coming = beside.submit(called, boards), beside.submit(played, boards)
        frame, dealt, faults = _set_out(boards, headers)
        bid = auctions(calls.result(), dealt.dealer)
        cards = coming.result()
        frame, result_faults = with_contracts(boards, headers, frame, bid, cards)
        names = beside.submit(players, boards, frame.select("record", "room", "session"))
        own = frame.head(len(boards.frame))
        followed = plays(boards, cards, dealt.owner, own["declarer"], own["strain"])
        frame = _with_players(boards, headers, frame.hstack(names.result()))
    bodies = bid.frame.select("calls", "auction_start").hstack(followed.frame).hstack(own.select("record"))
    frame, trick_faults = with_tricks(frame.join(bodies, on="record", how="left", maintain_order="left"))
    frame = _with_scores(frame, boards, headers)
    said = remarks(boards, bid.called, cards, followed)
    problems = [header_faults, *faults, bid.called.problems, cards.problems]
    problems += [result_faults, followed.problems, trick_faults, _unstated(frame)]
    problems.append(report("lin-deal-again", boards.left_out()))
    return _once_each(Records(frame, said, pl.concat(problems), frame["record"]))


def _set_out(boards: Boards, headers: pl.DataFrame) -> tuple[pl.DataFrame, Deals, list[pl.DataFrame]]:
    """Say of each record what stands before its calls: the board, the session, the deal and who is vulnerable."""
    frame, faults = numbered(boards)
    frame = frame.join(headers.select("session", *OF_SESSION), on="session", how="left", maintain_order="left")
    dealt, deal_faults = _dealt(boards, frame)
    vulnerable, vulnerability_faults = _vulnerable(boards)
    frame = frame.with_columns(dealt.deal.alias("deal"), dealt.dealer.alias("dealer"), vulnerable)
    frame = from_other_room(frame, "vulnerable")
    return frame, dealt, [faults, deal_faults, vulnerability_faults]


def _dealt(boards: Boards, frame: pl.DataFrame) -> tuple[Deals, pl.DataFrame]:
    """Read the deals; in a session both rooms should have the same."""
    edits = np.zeros(0, dtype=np.int64) if boards.film else boards.places("md")
    changes = boards.rows(edits).filter(pl.col("text").str.contains(r"^\s*0"))
    read = deals(frame["md"], changes["record"], changes["text"])
    placed = frame.select("record", "board", "room", "session", line="md_line", column="md_column", text="md")
    placed = placed.with_columns(read.deal.alias("deal"), read.fault.alias("fault"))
    in_session = (pl.col("session") > 0) & pl.col("room").is_not_null()
    other = pl.col("deal").drop_nulls().first().over("session", "board")
    rooms = placed.filter(in_session).filter(pl.col("deal") != other) if frame["room"].count() else placed.clear()
    return read, pl.concat(
        [report("lin-deal", placed.filter(pl.col("fault").is_not_null())), report("lin-deal-differs", rooms)]
    )


def _vulnerable(boards: Boards) -> tuple[pl.Series, pl.DataFrame]:
    """Read `sv`: its first letter, anything unknown is nobody, as in the viewer; a `?` says nothing."""
    stated = boards.once("sv")
    letter = stated["text"].str.strip_chars().str.to_lowercase().str.head(1)
    known = letter.replace_strict(_VULNERABLE, default=None, return_dtype=VULNERABLE)
    odd = known.is_null() & (letter != "?")
    read = stated.select("record").with_columns(vulnerable=known.set(odd, "None"))
    joined = boards.frame.select("record").join(read, on="record", how="left", maintain_order="left")
    return joined["vulnerable"], report("lin-vulnerability", stated.filter(odd))


def _unstated(frame: pl.DataFrame) -> pl.DataFrame:
    """Note what was played at a vulnerability that nothing but the board's number tells."""
    known = pl.all_horizontal(pl.col("deal", "board").is_not_null()) & (pl.col("level") > 0)
    return report("lin-vulnerability-missing", frame.filter(known & pl.col("vulnerable").is_null()))


def _with_players(boards: Boards, headers: pl.DataFrame, frame: pl.DataFrame) -> pl.DataFrame:
    """Name the players as the records do, else as the list by board does; else the sides by their teams."""
    by_board = players_by_board(boards, headers)
    if not by_board.is_empty():
        frame = frame.join(by_board, on=["session", "board"], how="left", maintain_order="left", suffix="_listed")
        single = pl.col("room").ne_missing("Closed")
        frame = frame.with_columns(
            pl.coalesce(seat, pl.when(single).then(f"{seat}_listed")).alias(seat)
            for seat in ("south", "west", "north", "east")
        )
    return frame.with_columns(_teams())


def _with_scores(frame: pl.DataFrame, boards: Boards, headers: pl.DataFrame) -> pl.DataFrame:
    if not states_scores(boards):
        return frame
    by_board, own = stated_scores(boards, headers)
    frame = frame.join(own, on="record", how="left", maintain_order="left")
    frame = frame.join(by_board, on=["session", "board"], how="left", maintain_order="left")
    listed = pl.when(pl.col("room").ne_missing("Closed")).then("listed_points_ns")
    return frame.with_columns(pl.coalesce("stated_points_ns", listed).alias("stated_points_ns"))


def _teams() -> list[pl.Expr]:
    """Name the sides by their teams where no player is known: the home team sits N-S in the open room."""
    nobody = pl.all_horizontal(pl.col("south", "west", "north", "east").is_null())
    seated = pl.when(nobody & (pl.col("room") == "Open")), pl.when(nobody & (pl.col("room") == "Closed"))
    home, away = pl.col("home_team"), pl.col("visit_team")
    return [
        pl.coalesce(seated[0].then(opened), seated[1].then(closed)).alias(side)
        for side, opened, closed in (("pair_ns", home, away), ("pair_ew", away, home))
    ]


def _once_each(read: Records) -> Records:
    """Keep of a board and room that stand twice in a session, with the same cards and players, the fuller one."""
    names = ["north", "east", "south", "west"]
    table = ["session", "board", "room", "deal", *names]
    told = pl.col("calls").list.len().fill_null(0) + pl.col("cards").list.len().fill_null(0)
    in_room = pl.col("room").is_not_null() & pl.col("board").is_not_null() & (pl.col("session") > 0)
    frame = read.frame
    roomy = frame.filter(in_room).select("record", "line", *table, told=told)
    again = roomy.filter(pl.struct(table).is_duplicated())
    if again.is_empty():
        return replace(read, frame=conform(RECORDS, frame))
    fullest = pl.col("record").sort_by("told", descending=True, maintain_order=True).first().over(table)
    kept = again.with_columns(fullest.alias("kept"))
    left_out = kept.filter(pl.col("record") != pl.col("kept"))
    moved = frame["record"].replace(left_out["record"], left_out["kept"])
    remaining = frame.filter(~pl.col("record").is_in(left_out["record"].to_list()))
    number = moved.replace_strict(remaining["record"], range(len(remaining)), return_dtype=pl.UInt32)
    to_new = pl.DataFrame({"record": frame["record"], "new": number})
    stays = ~pl.col("record").is_in(left_out["record"].to_list())
    annotations, problems = (
        part.join(to_new, on="record", how="left", maintain_order="left")
        .with_columns(pl.col("new").alias("record"))
        .drop("new")
        for part in (read.annotations.filter(stays), read.problems)
    )
    faults = report("lin-board-again", left_out.drop("record"))
    renumbered = conform(RECORDS, remaining.with_columns(pl.Series("record", range(len(remaining)))))
    return Records(renumbered, annotations, pl.concat([problems, faults]), number)
