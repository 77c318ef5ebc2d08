"""Replays: what happened at each table, its auction and its play trick by trick, ready to be stepped through."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import polars as pl

from overtrick.core.bridge.cards import CARDS, SEAT_NAMES, SEATS, UNKNOWN, Bytes
from overtrick.core.bridge.play import TRICKS, Plays
from overtrick.core.bridge.replays import plays
from overtrick.core.frames import SEAT, VULNERABLE, ColumnType, Session
from overtrick.core.notation import clean
from overtrick.files.formats.lin.write.travellers import Viewed, view_deals, view_records
from overtrick.show.html.auctions import Auction, collect_remarks, make_auction
from overtrick.show.html.contestants import (
    SEAT_WORDS,
    Card,
    Contestants,
    Contract,
    format_result,
    make_card,
    make_contract,
    make_slugs,
)
from overtrick.show.html.result_lines import Line, add_board_keys
from overtrick.show.text.display import format_signed

Board = Mapping[str, Any]
"""A row of `board_pages.list_boards`."""


@dataclass(frozen=True)
class PlayedCard:
    """A card of a trick."""

    seat: str
    """`North East South West`."""
    card: Card | None
    """None where the file does not say."""
    code: str
    """Suit and rank, `SA`, `HT`; empty where the file does not say."""
    leads: bool
    wins: bool
    cost: int = 0
    """Tricks that it gave up double dummy."""
    best: tuple[Card, ...] = ()
    """The cards that would have given up none; empty where they are not known."""


@dataclass(frozen=True)
class Trick:
    """One trick."""

    number: str
    cards: tuple[PlayedCard, ...]
    """West, North, East, South."""
    winner: str
    """The seat that won it; empty when unknown."""
    won_ns: str
    """Tricks that N-S have won so far."""
    won_ew: str


@dataclass(frozen=True)
class Play:
    """The play of a board at one table, as far as it was recorded."""

    tricks: tuple[Trick, ...]
    rest: int
    """Tricks that were not recorded, most often because declarer claimed."""
    claim_cost: int = 0
    """Tricks that declarer's side gave up by the claim that ended the play; negative for the defenders'."""

    @property
    def is_analysed(self) -> bool:
        """Whether any card or claim is known to have given up tricks."""
        return bool(self.claim_cost) or any(card.cost for trick in self.tricks for card in trick.cards)


@dataclass(frozen=True)
class Replay:
    """The auction and the play at one table."""

    slug: str
    """Names it within its board: `table-3`."""
    heading: str
    """`Open Room`, `Table 3`; empty where only one table is shown."""
    players: tuple[str, ...]
    """West, North, East, South; empty texts where the file names nobody."""
    contract: Contract
    declarer: str
    """The seat, `South`; empty when unknown."""
    result: str
    tricks: str
    score: str
    """Points for N-S with their sign; empty when unknown."""
    auction: Auction | None
    play: Play | None
    viewer: str
    """Address of the BBO hand viewer that shows this table; empty where the deal is not known."""
    anchors: tuple[str, str]
    """Slugs of the scorecards of N-S and E-W; empty texts where they have none."""
    record: int = -1
    """The record that has the auction and play."""

    @property
    def named(self) -> bool:
        """Whether any player is named."""
        return any(self.players)


@dataclass(frozen=True)
class Replays:
    """The records of one board."""

    shown: tuple[Replay, ...] = ()
    """The tables with an auction or a play."""
    lin: tuple[Viewed, ...] = ()
    """A line of LIN for each of these tables; for the bare deal if there are none."""


_COLUMNS: Final = (3, 0, 1, 2)
"""Seats from West, the order of the columns of auctions and plays in books."""
_ROOMS: Final = ("Open", "Closed")
_BOARD: Final[dict[str, ColumnType]] = {
    **dict.fromkeys(("key", "board_label", "deal"), pl.String),
    "board": pl.Int32,
    "dealer": SEAT,
    "vulnerable": VULNERABLE,
}
"""The columns of a board that fill in what its records leave out."""


@dataclass(frozen=True)
class _Table:
    record: Mapping[str, Any]
    auction: Auction | None
    play: Play | None
    viewed: Viewed | None


def make_replays(
    session: Session, boards: Sequence[Board], lines: Sequence[Line], contestants: Contestants
) -> tuple[dict[str, Replays], dict[int, str]]:
    """Make the replays of all boards.

    Args:
        session: scored.
        boards: from `board_pages.list_boards`.
        lines: the own lines of records, from `result_lines.find_own_lines`.
        contestants: who played.

    Returns:
        The records of each board, by its key, and the slug of each replay by record.
    """
    first = {line["record"]: line for line in reversed(lines)}
    known = pl.DataFrame(boards, schema=_BOARD, infer_schema_length=None)
    at_board: dict[str, list[_Table]] = defaultdict(list)
    for table in _read_tables(session, known):
        line = first.get(table.record["record"])
        if line:
            at_board[line["key"]].append(table)
    bare = view_deals(known.filter(~pl.col("key").is_in(list(at_board))))
    replays: dict[str, Replays] = {}
    slugs: dict[int, str] = {}
    for board in boards:
        tables = at_board[board["key"]]
        shown = []
        for table, name in zip(tables, make_slugs(_compose_slug(table.record) for table in tables), strict=True):
            record = table.record["record"]
            slugs[record] = name
            replay = _make_replay(table, first[record], contestants, name)
            shown.append(_add_heading(replay, table) if len(tables) > 1 else replay)
        lin = [table.viewed for table in tables] or [bare.get(board["key"])]
        replays[board["key"]] = Replays(tuple(shown), tuple(filter(None, lin)))
    return replays, slugs


def _read_tables(session: Session, boards: pl.DataFrame) -> Iterator[_Table]:
    """Read what was recorded, in the order of the records; records with neither auction nor play are left out.

    `boards` fills in the deal, dealer and vulnerability that a record lacks.
    """
    sizes = (pl.col(name).list.len().fill_null(0) for name in ("calls", "cards"))
    records = add_board_keys(session.records.filter(pl.sum_horizontal(*sizes) > 0).sort("record"), session)
    if records.is_empty():
        return
    records = records.join(boards, on="key", how="left", maintain_order="left", suffix="_of_board").with_columns(
        pl.coalesce(name, f"{name}_of_board").alias(name) for name in ("deal", "dealer", "vulnerable")
    )
    played = plays(records, session.annotations)
    lin = view_records(replace(session, records=records), played)
    remarks = collect_remarks(session)
    for row, record in enumerate(records.iter_rows(named=True)):
        of_calls = remarks.get(record["record"], ())
        auction = make_auction(record["auction_start"], record["calls"] or (), of_calls)
        play = make_play(record["cards"] or [], record["play_start"], played, row)
        yield _Table(record, auction, play, lin.get(record["record"]))


def _compose_slug(record: Mapping[str, Any]) -> str:
    return clean(record["room"]) or f"table {clean(record['table'])}".strip()


def _add_heading(replay: Replay, table: _Table) -> Replay:
    """Head one of several tables: by its room or its number, else by who sat there."""
    room, number = clean(table.record["room"]), clean(table.record["table"])
    if room:
        return replace(replay, heading=f"{room} Room" if room in _ROOMS else room)
    if number:
        return replace(replay, heading=f"Table {number}")
    west, north, east, south = replay.players
    return replace(replay, heading=f"{north} – {south} v {east} – {west}" if replay.named else replay.slug.capitalize())


def _make_replay(table: _Table, line: Line, contestants: Contestants, slug: str) -> Replay:
    record = table.record
    ns, ew = contestants.find_sides(line)
    return Replay(
        slug=slug,
        heading="",
        players=tuple(clean(record[SEAT_NAMES[seat].lower()]) for seat in _COLUMNS),
        contract=make_contract(record["level"], record["strain"], record["doubled"]),
        declarer=SEAT_WORDS.get(record["declarer"], ""),
        result=format_result(record["level"], record["tricks"]),
        tricks="" if record["tricks"] is None else str(record["tricks"]),
        score="" if line["score_ns"] is None else format_signed(line["score_ns"]),
        auction=table.auction,
        play=table.play and mark_costs(table.play, line["costs"]),
        viewer=table.viewed.link if table.viewed else "",
        anchors=(ns.slug if ns else "", ew.slug if ew else ""),
        record=record["record"],
    )


def make_play(cards: list[int], start: str | None, played: Plays, row: int) -> Play | None:
    """Return the play of one record; None when no card is known.

    Args:
        cards: as in `frames.RECORDS["cards"]`.
        start: as in `frames.RECORDS["play_start"]`.
        played: the plays of all records, replayed.
        row: of this record in `played`.
    """
    table = _lay_out_by_seat(cards, start, played.turns[row])
    shown = (table != UNKNOWN).any(axis=1)
    if not shown.any():
        return None
    last = int(np.flatnonzero(shown)[-1]) + 1
    won = played.won(0)[row], played.won(1)[row]
    tricks = tuple(
        _make_trick(number, table[number], int(played.leader[row, number]), int(played.winner[row, number]), won)
        for number in range(last)
    )
    finished = sum(bool(trick.winner) for trick in tricks)
    return Play(tricks, TRICKS - finished)


def mark_costs(play: Play, costs: Sequence[Mapping[str, Any]] | None) -> Play:
    """Return a play with what its cards gave up, as in `frames.ANALYSIS["costs"]`; None for not known."""
    at = {(cost["place"] // 4, cost["seat"]): cost for cost in costs or () if cost["card"] is not None}
    claim = sum(cost["cost"] for cost in costs or () if cost["card"] is None)
    if not at:
        return replace(play, claim_cost=claim)
    tricks = [
        replace(trick, cards=tuple(_mark_cost(card, at.get((number, card.seat[0]))) for card in trick.cards))
        for number, trick in enumerate(play.tricks)
    ]
    return replace(play, tricks=tuple(tricks), claim_cost=claim)


def _mark_cost(card: PlayedCard, cost: Mapping[str, Any] | None) -> PlayedCard:
    if cost is None or card.code != CARDS[cost["card"]]:
        return card
    best = tuple(filter(None, (make_card(CARDS[code]) for code in reversed(cost["best"] or ()))))
    return replace(card, cost=cost["cost"], best=best)


def _lay_out_by_seat(cards: list[int], start: str | None, turns: Bytes) -> Bytes:
    """Lay out the cards of a play by trick and seat, North first.

    With `start` W and no turns, the first four cards go to W, N, E, S: columns 3, 0, 1, 2.

    Args:
        cards: as in `frames.RECORDS["cards"]`, four a trick from the seat `start`.
        start: that seat; without it all cards are unknown.
        turns: by how many seats each trick is turned, shape (13,), as in `bridge.play.Plays`.

    Returns:
        Shape (13, 4), dtype uint8; `UNKNOWN` where no card is given.
    """
    table = np.full((TRICKS, 4), UNKNOWN, dtype=np.uint8)
    if start not in SEATS:
        return table
    first = SEATS.index(start)
    for place, code in enumerate(cards[: 4 * TRICKS]):
        trick, column = divmod(place, 4)
        table[trick, (first + column + int(turns[trick])) % 4] = code
    return table


def _make_trick(number: int, cards: Bytes, leader: int, winner: int, won: tuple[Bytes, Bytes]) -> Trick:
    return Trick(
        number=str(number + 1),
        cards=tuple(_make_played(seat, int(cards[seat]), seat == leader, seat == winner) for seat in _COLUMNS),
        winner="" if winner == UNKNOWN else SEAT_NAMES[winner],
        won_ns=str(won[0][number]),
        won_ew=str(won[1][number]),
    )


def _make_played(seat: int, code: int, leads: bool, wins: bool) -> PlayedCard:
    text = CARDS[code] if code < len(CARDS) else ""
    return PlayedCard(SEAT_NAMES[seat], make_card(text), text, leads, wins)
