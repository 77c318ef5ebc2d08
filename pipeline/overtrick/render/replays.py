"""What happened at the tables: auctions and plays of all boards, ready to be stepped through."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import polars as pl
from polars._typing import PolarsDataType

from overtrick.bridge.cards import SEAT_NAMES, SEATS
from overtrick.bridge.replays import plays
from overtrick.formats.lin.write.viewer import Viewed, view_deals, view_records
from overtrick.frames import SEAT, VULNERABLE, Session
from overtrick.notation import clean
from overtrick.render.auctions import auction, auction_notes, auction_remarks
from overtrick.render.contestants import Contestants
from overtrick.render.context_tables import TABLE_ORDER, Auction, Play, Replay
from overtrick.render.lines import Line, board_key
from overtrick.render.notation import contract, result
from overtrick.render.plays import play
from overtrick.render.slugs import unique_slugs
from overtrick.render.text import signed

Board = Mapping[str, Any]
"""A row of `boards.board_frame` with `number`, as people read it."""

_NAMES: Final = dict(zip(SEATS, SEAT_NAMES, strict=True))
_ROOMS: Final = ("Open", "Closed")
_BOARD: Final[dict[str, PolarsDataType]] = {
    **dict.fromkeys(("key", "board_label", "deal"), pl.String),
    "board": pl.Int32,
    "dealer": SEAT,
    "vulnerable": VULNERABLE,
}
"""What is known of a board, whoever played it."""


@dataclass(frozen=True)
class Replays:
    """What was recorded of one board."""

    shown: tuple[Replay, ...] = ()
    """Tables of which an auction or a play is known."""
    lin: tuple[Viewed, ...] = ()
    """A line of LIN each table, or one of the bare deal."""


def replays_by_board(
    session: Session, boards: Sequence[Board], lines: Sequence[Line], contestants: Contestants
) -> tuple[dict[str, Replays], dict[int, str]]:
    """Write out all auctions and plays.

    Args:
        session: scored.
        boards: from `boards.board_frame`, with `number`.
        lines: from `lines.display_lines`.
        contestants: who played.

    Returns:
        What was recorded of each board, by its key, and the slug of each replay by record.
    """
    first = {line["record"]: line for line in reversed(lines)}
    known = pl.DataFrame(boards, schema=_BOARD, infer_schema_length=None)
    at_board: dict[str, list[_Table]] = defaultdict(list)
    for table in _tables(session, known):
        line = first.get(table.record["record"])
        if line:
            at_board[line["key"]].append(table)
    bare = view_deals(known.filter(~pl.col("key").is_in(list(at_board))))
    found: dict[str, Replays] = {}
    slugs: dict[int, str] = {}
    for board in boards:
        tables = at_board[board["key"]]
        names = unique_slugs(_slug_text(table.record) for table in tables)
        slugs |= {table.record["record"]: name for table, name in zip(tables, names, strict=True)}
        shown = tuple(
            _replay(table, first[table.record["record"]], contestants, name)
            for table, name in zip(tables, names, strict=True)
        )
        lin = [table.viewed for table in tables] or [bare.get(board["key"])]
        found[board["key"]] = Replays(
            shown if len(shown) == 1 else tuple(_headed(one, table) for one, table in zip(shown, tables, strict=True)),
            tuple(one for one in lin if one),
        )
    return found, slugs


@dataclass(frozen=True)
class _Table:
    record: Mapping[str, Any]
    auction: Auction | None
    play: Play | None
    viewed: Viewed | None


def _tables(session: Session, boards: pl.DataFrame) -> Iterator[_Table]:
    """Read what was recorded, in the order of the records; those with neither auction nor play are left out.

    What a record does not say of its board is taken from `boards`.
    """
    sizes = (pl.col(name).list.len().fill_null(0) for name in ("calls", "cards"))
    records = board_key(session.records.filter(pl.sum_horizontal(*sizes) > 0).sort("record"))
    records = records.join(boards, on="key", how="left", maintain_order="left", suffix="_of_board").with_columns(
        pl.coalesce(name, f"{name}_of_board").alias(name) for name in ("deal", "dealer", "vulnerable")
    )
    played = plays(records, session.annotations)
    lin = view_records(replace(session, records=records), played)
    remarks, notes = auction_remarks(session), auction_notes(session)
    for row, record in enumerate(records.iter_rows(named=True)):
        said, texts = remarks.get(record["record"], ()), notes.get(record["record"], {})
        called = auction(record["auction_start"], record["calls"] or (), said, texts)
        stepped = play(record["cards"] or [], record["play_start"], played, row)
        yield _Table(record, called, stepped, lin.get(record["record"]))


def _slug_text(record: Mapping[str, Any]) -> str:
    return clean(record["room"]) or f"table {clean(record['table'])}".strip()


def _headed(one: Replay, table: _Table) -> Replay:
    """Name a table of several: by its room, its number, else by who sat there."""
    room, number = clean(table.record["room"]), clean(table.record["table"])
    if room:
        return replace(one, heading=f"{room} Room" if room in _ROOMS else room)
    if number:
        return replace(one, heading=f"Table {number}")
    west, north, east, south = one.players
    return replace(one, heading=f"{north} – {south} v {east} – {west}" if one.named else one.slug.capitalize())


def _replay(table: _Table, line: Line, contestants: Contestants, slug: str) -> Replay:
    record = table.record
    ns, ew = (contestants.find(line[side.lower()], side, line["section"]) for side in ("NS", "EW"))
    return Replay(
        slug=slug,
        heading="",
        players=tuple(clean(record[seat.lower()]) for seat in TABLE_ORDER),
        contract=contract(record["level"], record["strain"], record["doubled"]),
        declarer=_NAMES.get(record["declarer"], ""),
        result=result(record["level"], record["tricks"]),
        tricks="" if record["tricks"] is None else str(record["tricks"]),
        score="" if line["score_ns"] is None else signed(line["score_ns"]),
        auction=table.auction,
        play=table.play,
        viewer=table.viewed.link if table.viewed else "",
        anchors=(ns.slug if ns else "", ew.slug if ew else ""),
    )
