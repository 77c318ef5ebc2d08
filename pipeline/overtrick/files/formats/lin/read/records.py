"""Boards to records: which board and room, the deal, the auction, the contract, the play and the result of each."""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import polars as pl

from overtrick.core.frames import ANNOTATIONS, CONTESTANTS, RECORDS, RESULTS, conform, empty
from overtrick.core.problems import report
from overtrick.files.formats.lin.read import header
from overtrick.files.formats.lin.read.auctions import Calls, judge_auctions, read_calls
from overtrick.files.formats.lin.read.boards import Boards, fill_from_other_room, number_boards
from overtrick.files.formats.lin.read.contracts import add_contracts, add_tricks
from overtrick.files.formats.lin.read.deals import DIAGRAM, Deals, mark_changes, read_deals, respell_deals
from overtrick.files.formats.lin.read.entries import find_counted, find_left_out, repair_texts
from overtrick.files.formats.lin.read.evening import Places
from overtrick.files.formats.lin.read.own import read_own
from overtrick.files.formats.lin.read.plays import Cards, Plays, follow_plays, read_cards
from overtrick.files.formats.lin.spelling import PLAYERS, read_vulnerability

_TABLE: Final = ("session", "board", "room", "deal", "north", "east", "south", "west")
"""Columns that are equal in two records of the same board in the same room of a session."""


@dataclass(frozen=True)
class Records:
    """The records of a file."""

    frame: pl.DataFrame
    """`frames.RECORDS`; `record` counts from 0 and `source` is null."""
    annotations: pl.DataFrame
    results: pl.DataFrame
    """`frames.RESULTS`: of the boards beside which overtrick wrote who sat there."""
    contestants: pl.DataFrame
    problems: pl.DataFrame
    number: pl.Series
    """By record of `Boards`, the record that it became: two of the same board in a session become one."""


def read_records(boards: Boards) -> Records:
    """Read the records of a file; results that only the session's list states are records too."""
    headers, header_faults = header.read_sessions(boards)
    if boards.film:
        frame, _, faults = _read_headings(boards, headers)
        about = pl.DataFrame({"line": 1, "column": 1, "count": len(boards.begins)})
        frame = frame.hstack(header.read_players(boards, frame.select("record", "room", "session")))
        problems = [header_faults, *faults, report("lin-film", about)]
        nothing = empty(ANNOTATIONS), empty(RESULTS), empty(CONTESTANTS)
        return Records(conform(RECORDS, frame), *nothing, pl.concat(problems), frame["record"])
    calls, cards = read_calls(boards), read_cards(boards)
    frame, dealt, faults = _read_headings(boards, headers)
    auctions = judge_auctions(calls, dealt.dealer)
    frame, result_faults = add_contracts(boards, headers, frame, auctions, pl.Series(cards.count))
    there = frame.head(boards.count)
    plays = follow_plays(boards, cards, dealt.owner, there["declarer"], there["strain"])
    names = header.read_players(boards, frame.select("record", "room", "session"))
    frame = _add_players(boards, headers, frame.hstack(names))
    bodies = auctions.select("calls", "auction_start").hstack(plays.frame).hstack(there.select("record"))
    frame, trick_faults = add_tricks(frame.join(bodies, on="record", how="left", maintain_order="left"))
    frame = _add_scores(frame, boards, headers)
    annotations = _read_annotations(boards, calls, cards, plays)
    problems = [header_faults, *faults, calls.problems, cards.problems]
    problems += [result_faults, plays.problems, trick_faults, _report_unstated(frame)]
    problems.append(report("lin-deal-again", find_left_out(boards)))
    stated = read_own(boards, frame)
    found = pl.concat([*problems, stated.problems])
    records = Records(stated.records, annotations, stated.results, stated.contestants, found, frame["record"])
    return _merge_repeated(records, boards)


def _read_headings(boards: Boards, headers: pl.DataFrame) -> tuple[pl.DataFrame, Deals, list[pl.DataFrame]]:
    """Read what comes before the calls of each record: the board, the session, the deal and who is vulnerable."""
    frame, faults = number_boards(boards)
    frame = frame.join(headers.select("session", *header.OF_SESSION), on="session", how="left", maintain_order="left")
    dealt, deal_faults = _read_dealt(boards, frame)
    vulnerable, vulnerability_faults = _read_vulnerable(boards, frame)
    frame = frame.with_columns(dealt.deal.alias("deal"), dealt.dealer.alias("dealer"), vulnerable)
    frame = fill_from_other_room(frame, "vulnerable")
    return frame, dealt, [faults, deal_faults, vulnerability_faults]


def _read_dealt(boards: Boards, frame: pl.DataFrame) -> tuple[Deals, pl.DataFrame]:
    """Read the deals; in a session both rooms should have the same."""
    at = np.zeros(0, dtype=np.int64) if boards.film else boards.find("md")
    changes = boards.get_rows(at).filter(mark_changes(pl.col("text")))
    dealt = read_deals(frame["md"], changes["record"], changes["text"])
    if dealt.fault.count():
        spoken = boards.tokens.dialect
        respelt = respell_deals(frame["md"], spoken)
        dealt = read_deals(respelt, changes["record"], respell_deals(changes["text"], spoken))
    placed = frame.select("record", "board", "room", "session", line="md_line", column="md_column", text="md")
    placed = placed.with_columns(dealt.deal.alias("deal"), dealt.fault.alias("fault"))
    in_session = (pl.col("session") > 0) & pl.col("room").is_not_null()
    other = pl.col("deal").drop_nulls().first().over("session", "board")
    rooms = placed.filter(in_session).filter(pl.col("deal") != other) if frame["room"].count() else placed.clear()
    faulty = placed.filter(pl.col("fault").is_not_null())
    diagram = pl.lit(boards.film) | (pl.col("fault") == DIAGRAM)
    return dealt, pl.concat(
        [
            report("lin-diagram", faulty.filter(diagram)),
            report("lin-deal", faulty.filter(~diagram)),
            report("lin-deal-differs", rooms),
        ]
    )


def _read_vulnerable(boards: Boards, frame: pl.DataFrame) -> tuple[pl.Series, pl.DataFrame]:
    """Read `sv` of each record: as in the viewer, any unknown letter is nobody; a `?` says nothing."""
    stated = boards.get_first("sv")
    known = read_vulnerability(stated["text"])
    odd = known.is_null() & ~stated["text"].str.strip_chars().str.starts_with("?")
    read = stated.select("record").with_columns(vulnerable=known.set(odd, "None"))
    joined = frame.select("record").join(read, on="record", how="left", maintain_order="left")
    return joined["vulnerable"], report("lin-vulnerability", stated.filter(odd))


def _report_unstated(frame: pl.DataFrame) -> pl.DataFrame:
    """Report boards that were played at a vulnerability that only the board's number tells."""
    known = pl.all_horizontal(pl.col("deal", "board").is_not_null()) & (pl.col("level") > 0)
    return report("lin-vulnerability-missing", frame.filter(known & pl.col("vulnerable").is_null()))


def _add_players(boards: Boards, headers: pl.DataFrame, frame: pl.DataFrame) -> pl.DataFrame:
    """Name the players as the records do, else as the list by board does; else the sides by their teams."""
    by_board = header.read_players_by_board(boards, headers)
    if not by_board.is_empty():
        frame = frame.join(by_board, on=["session", "board"], how="left", maintain_order="left", suffix="_listed")
        single = pl.col("room").ne_missing("Closed")
        frame = frame.with_columns(
            pl.coalesce(seat, pl.when(single).then(f"{seat}_listed")).alias(seat) for seat in PLAYERS
        )
    return frame.with_columns(_teams())


def _teams() -> list[pl.Expr]:
    """Name the sides by their teams where no player is known: the home team sits N-S in the open room."""
    nobody = pl.all_horizontal(pl.col(PLAYERS).is_null())
    seated = pl.when(nobody & (pl.col("room") == "Open")), pl.when(nobody & (pl.col("room") == "Closed"))
    home, away = pl.col("home_team"), pl.col("visit_team")
    return [
        pl.coalesce(seated[0].then(opened), seated[1].then(closed)).alias(side)
        for side, opened, closed in (("pair_ns", home, away), ("pair_ew", away, home))
    ]


def _add_scores(frame: pl.DataFrame, boards: Boards, headers: pl.DataFrame) -> pl.DataFrame:
    if not header.has_scores(boards):
        return frame
    by_board, by_record = header.read_scores(boards, headers)
    frame = frame.join(by_record, on="record", how="left", maintain_order="left")
    frame = frame.join(by_board, on=["session", "board"], how="left", maintain_order="left")
    listed = pl.when(pl.col("room").ne_missing("Closed")).then("listed_points_ns")
    return frame.with_columns(pl.coalesce("stated_points_ns", listed).alias("stated_points_ns"))


def _read_annotations(boards: Boards, calls: Calls, cards: Cards, plays: Plays) -> pl.DataFrame:
    """Read remarks: an `an` belongs to the call before it, an `nt` or `at` to the last card, else to the last call.

    Returns:
        A frame of `frames.ANNOTATIONS`. An explanation before the first call belongs to nothing and is left out; chat
        before the first call has no index. An explanation that is a bare `!` is an alert.
    """
    explained, chat = find_counted(boards, "an"), find_counted(boards, "nt", "at")
    if not len(explained) and not len(chat) and not len(calls.alerts):
        return empty(ANNOTATIONS)
    explained = explained[_count_before(boards, calls.at, explained) >= 0]
    call, card = _count_before(boards, calls.at, chat), _count_before(boards, cards.at, chat)
    after_card = card >= 0
    place = plays.place[card[after_card], boards.record[chat[after_card]]].astype(np.int64)
    before = _count_before(boards, calls.at, explained)
    explanations = _annotate(boards, explained, "explanation", "auction", before)
    bare = pl.col("text").str.strip_chars() == "!"
    annotations = [
        explanations.filter(~bare),
        explanations.filter(bare).with_columns(kind=pl.lit("alert"), text=pl.lit("!")),
        _place(boards, calls.alerts, "alert", "auction", calls.alerted).with_columns(text=pl.lit("!")),
        _annotate(boards, chat[after_card], "comment", "play", place),
        _annotate(boards, chat[~after_card], "comment", "auction", call[~after_card]),
    ]
    in_order = pl.concat(annotations).sort("at", maintain_order=True)
    return conform(ANNOTATIONS, in_order.filter(pl.col("text").str.strip_chars() != ""))


def _count_before(boards: Boards, rows: Places, at: Places) -> Places:
    """Return for each row of `at` the place, within its record, of the last of `rows` up to it; -1 for none."""
    first = np.searchsorted(boards.record[rows], boards.record[at])
    place: Places = np.searchsorted(rows, at, side="right") - first - 1
    return place


def _annotate(boards: Boards, at: Places, kind: str, part: str, index: Places) -> pl.DataFrame:
    placed = _place(boards, at, kind, part, index)
    return placed.with_columns(repair_texts(boards.tokens.get_texts(at)).alias("text"))


def _place(boards: Boards, at: Places, kind: str, part: str, index: Places) -> pl.DataFrame:
    """Place annotations without their texts; an alert has the text of all calls in its value."""
    order = pl.Series("index", index, dtype=pl.Int64).replace(-1, None)
    return boards.get_places(at).with_columns(order, kind=pl.lit(kind), part=pl.lit(part))


def _merge_repeated(read: Records, boards: Boards) -> Records:
    """Keep the fuller one of two records of a session with the same board, room, cards and players.

    Worked example, where record 2 has the same board in the same room as record 0, and more calls and cards:

        record     0  1  2
        kept       2     2      of the two
        left_out   0
        moved      2  1  2
        remaining     1  2      numbered 0 and 1 from now on
        number     1  0  1
    """
    size = pl.col("calls").list.len().fill_null(0) + pl.col("cards").list.len().fill_null(0)
    in_room = pl.col("room").is_not_null() & pl.col("board").is_not_null() & (pl.col("session") > 0)
    frame = read.frame
    roomy = frame.filter(in_room).select("record", "line", *_TABLE, size=size)
    again = roomy.filter(pl.struct(_TABLE).is_duplicated())
    if again.is_empty():
        return replace(read, frame=conform(RECORDS, frame))
    fullest = pl.col("record").sort_by("size", descending=True, maintain_order=True).first().over(_TABLE)
    fuller = again.with_columns(fullest.alias("kept"))
    left_out = fuller.filter(pl.col("record") != pl.col("kept"))
    moved = frame["record"].replace(left_out["record"], left_out["kept"])
    remaining = frame.filter(~pl.col("record").is_in(left_out["record"].to_list()))
    number = moved.replace_strict(remaining["record"], range(len(remaining)), return_dtype=pl.UInt32)
    to_new = pl.DataFrame({"record": frame["record"], "new": number})
    stays = ~pl.col("record").is_in(left_out["record"].to_list())
    annotations, results, problems = (
        part.join(to_new, on="record", how="left", maintain_order="left")
        .with_columns(pl.col("new").alias("record"))
        .drop("new")
        for part in (read.annotations.filter(stays), read.results, read.problems)
    )
    begun = boards.get_rows(boards.begins).select("record", "column")
    faults = report(
        "lin-board-again", left_out.join(begun, on="record", how="left", maintain_order="left").drop("record")
    )
    renumbered = conform(RECORDS, remaining.with_columns(pl.Series("record", range(len(remaining)))))
    return Records(renumbered, annotations, results, read.contestants, pl.concat([problems, faults]), number)
