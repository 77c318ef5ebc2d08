"""Plays: the cards in the order played, one or more to a `pc`, to the columns of a play and the tricks won."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import polars as pl

from overtrick.bridge.cards import CARD_SIGNS, CARDS, SEAT_NAMES, SEATS, UNKNOWN
from overtrick.bridge.tricks import winning_places
from overtrick.formats.lin.read.boards import Boards, within
from overtrick.formats.lin.read.deals import Bytes
from overtrick.formats.lin.read.pieces import lots
from overtrick.formats.lin.read.spelling import spelled
from overtrick.frames import PROBLEMS, SEAT, empty
from overtrick.problems import report

Places = npt.NDArray[np.signedinteger]
Mask = npt.NDArray[np.bool_]

_TURNS: Final = np.arange(4, dtype=np.uint8)[:, None]
_ROUND: Final = np.uint8(3)
"""Of seats and turns all but the last two bits fall away."""
_CODES: Final = {name: code for code, name in enumerate(CARDS)}
_NO_SLIPS: Final = pl.DataFrame(
    schema={"row": pl.Int64, "index": pl.Int64, "seat": pl.UInt8, "due": pl.UInt8, "whole": pl.Boolean}
)


@dataclass(frozen=True)
class Played:
    """The cards of a file in the order played."""

    cards: Bytes
    """(52, records), `UNKNOWN` where none was played: what is done with a card is done with those of all records."""
    count: Places
    """Cards of each record."""
    record: Places
    """The record of each card."""
    at: Places
    """The row of `Boards.tokens` of each card."""
    problems: pl.DataFrame


@dataclass(frozen=True)
class Plays:
    """Plays followed trick by trick."""

    frame: pl.DataFrame
    """One row a record: `cards play_start` as in `frames.RECORDS`, tricks that declarer's side `won` and the others
    (`lost`), and whether all thirteen could be followed (`whole`)."""
    place: Bytes
    """(52, records): the place in `cards` of each card in the order played."""
    problems: pl.DataFrame


def played(boards: Boards) -> Played:
    """Read the cards of all records."""
    read = spelled(boards.tokens, boards.played("pc"), "play", _code)
    is_card = read.code != UNKNOWN
    unknown = report("lin-card-unknown", boards.rows(read.at[~is_card]))
    at, code = _kept(is_card, read.at, read.code)
    record = boards.record[at]
    order = within(record)
    many = report("lin-cards-too-many", boards.rows(at[order == 52]))
    at, code, record, order = _kept(order < 52, at, code, record, order)
    count = len(boards.frame)
    cards = np.full((52, count), UNKNOWN, dtype=np.uint8)
    for lot in lots(len(code)):
        cards[order[lot], record[lot]] = code[lot]
    return Played(cards, np.bincount(record, minlength=count), record, at, pl.concat([unknown, many]))


def _kept(which: Mask, *columns: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], ...]:
    """Keep some rows; nothing is copied where these are all."""
    return columns if which.all() else tuple(column[which] for column in columns)


def plays(boards: Boards, read: Played, owner: Bytes, declarer: pl.Series, strain: pl.Series) -> Plays:
    """Follow the play of all records at once, trick by trick, each led by who won the one before.

    Args:
        boards: the file's records.
        read: their cards.
        owner: who holds each card, (records, 52).
        declarer: seats; where none is known the holder of the first card leads.
        strain: of the contract.

    Returns:
        The plays. A trick whose cards come from different hands is taken by these, whatever the order it was written
        in, and a problem where that is not the order of the turns. A card from a hand that has played to the trick
        already ends the count; it and the rest stay where they stand.
    """
    side, trump = _numbers(declarer), _numbers(strain).astype(np.int64)
    hands = _Hands(owner)
    holder = hands.of(read.cards[:4])
    start = leader = _opening_leader(holder, read.cards[:4] != UNKNOWN, side)
    led = holder[0] < 4
    place = np.zeros_like(read.cards)
    won, lost = np.zeros((2, len(leader)), dtype=np.int64)
    broken = (trump >= 5) | (side >= 4)
    slips = [_NO_SLIPS]
    for trick in range(13):
        four = slice(4 * trick, 4 * trick + 4)
        cards = read.cards[four]
        there = cards != UNKNOWN
        seat, fits = _seats(hands.of(cards), leader, there)
        broken |= ~fits
        slips.append(_out_of_turn(seat, leader, there & ~broken, trick))
        place[four] = 4 * trick + ((seat - start) & _ROUND)
        leader = (leader + winning_places(_from_leader(cards, seat, leader).T, trump).astype(np.uint8)) & _ROUND
        taken = ~broken & there.all(axis=0)
        own = (leader - side) & 1 == 0
        won, lost = won + (taken & own), lost + (taken & ~own)
    frame = pl.DataFrame(
        {
            "play_start": pl.Series(np.where(led | (side < 4), start, UNKNOWN)),
            "cards": _columns(read, place),
            "won": won,
            "lost": lost,
            "whole": won + lost == 13,
        }
    ).with_columns(_seat(pl.col("play_start")), pl.when(pl.Series(read.count > 0)).then("cards").alias("cards"))
    return Plays(frame, place, _told(boards, read, pl.concat(slips)))


def _code(kind: str, text: str) -> int | None:
    if kind == "CARD":
        return _CODES[text.upper().replace("10", "T")]
    return UNKNOWN if kind == "WORD" else None


def _numbers(names: pl.Series) -> Bytes:
    numbers: Bytes = names.to_physical().cast(pl.UInt8).fill_null(UNKNOWN).to_numpy()
    return numbers


def _seat(number: pl.Expr) -> pl.Expr:
    return number.replace_strict(range(4), SEATS, default=None, return_dtype=SEAT)


class _Hands:
    """Who holds the cards of all records."""

    def __init__(self, owner: Bytes) -> None:
        # A column more for what is no card.
        self._owner = np.pad(owner, ((0, 0), (0, 1)), constant_values=UNKNOWN).reshape(-1)
        self._first = 53 * np.arange(len(owner))

    def of(self, cards: Bytes) -> Bytes:
        """Say from which hand each card comes, `UNKNOWN` where there is no card or no hand shows it."""
        return self._owner[self._first + np.minimum(cards, 52)]


def _opening_leader(holder: Bytes, there: Mask, declarer: Bytes) -> Bytes:
    """Say who leads: the hand of the first card, unless the cards behind it don't keep to the turns that follow."""
    first = holder[0]
    in_turn = ((((holder - first) & _ROUND) == _TURNS) | (holder == UNKNOWN) | ~there).all(axis=0)
    known = first < 4
    due = np.where(declarer < 4, (declarer + 1) & _ROUND, np.where(known, first, 0))
    return np.where(known & in_turn, first, due).astype(np.uint8)


def _seats(holder: Bytes, leader: Bytes, there: Mask) -> tuple[Bytes, Mask]:
    """Say who played each card of a trick, and whether the hands that hold the cards allow it."""
    seat = (leader + _TURNS) & _ROUND
    fits = ((holder == seat) | (holder == UNKNOWN) | ~there).all(axis=0)
    odd = np.flatnonzero(~fits)
    if len(odd):
        by_hands, different = _seats_by_hands(holder[:, odd], there[:, odd])
        seat[:, odd[different]] = by_hands[:, different]
        fits[odd[different]] = True
    return seat, fits


def _seats_by_hands(holder: Bytes, there: Mask) -> tuple[Bytes, Mask]:
    """Give the hands that cards come from, then those that have not played; and whether the cards' are different."""
    has_played = ((holder == _TURNS[:, None]) & there).any(axis=1)
    waiting = has_played.argsort(axis=0, kind="stable")
    count = there.sum(axis=0)
    behind = np.take_along_axis(waiting, np.maximum(_TURNS - count, 0), axis=0)
    return np.where(there, holder, behind).astype(np.uint8), has_played.sum(axis=0) == count


def _out_of_turn(seat: Bytes, leader: Bytes, there: Mask, trick: int) -> pl.DataFrame:
    """List tricks that are not written in turn, by their first such card: `row index seat due whole`.

    `whole` says that the trick keeps the turns and only begins with another seat. A trick that ends with a card out of
    turn is left to the judgement of the play.
    """
    turn = (seat - leader) & _ROUND
    wrong = there & (turn != _TURNS)
    if not wrong.any():
        return _NO_SLIPS
    rows = np.flatnonzero(wrong.any(axis=0) & ((turn < there.sum(axis=0)) | ~there).all(axis=0))
    first = wrong[:, rows].argmax(axis=0)
    turns = turn[:, rows]
    return pl.DataFrame(
        {
            "row": rows,
            "index": 4 * trick + first,
            "seat": seat[first, rows],
            "due": leader[rows] + first.astype(np.uint8) & _ROUND,
            "whole": ((turns - turns[0] & _ROUND) == _TURNS).all(axis=0) & there[:, rows].all(axis=0),
        }
    )


def _from_leader(cards: Bytes, seat: Bytes, leader: Bytes) -> Bytes:
    """Put the cards of each trick in turn from the leader on."""
    turn = (seat - leader) & _ROUND
    turned = np.flatnonzero((turn != _TURNS).any(axis=0))
    if not len(turned):
        return cards
    order = turn[:, turned].argsort(axis=0)
    in_turn = cards.copy()
    in_turn[:, turned] = np.take_along_axis(cards[:, turned], order, axis=0)
    return in_turn


def _columns(read: Played, place: Bytes) -> pl.Series:
    """Put the cards into the columns of the seats, four a trick; a trick that was begun has all four places."""
    wide = np.full(read.cards.shape[::-1], UNKNOWN, dtype=np.uint8)
    first = 52 * np.arange(len(wide))
    for cards, places in zip(read.cards, place, strict=True):
        wide.reshape(-1)[first + places] = cards
    frame = pl.DataFrame({"cards": pl.Series(wide, dtype=pl.Array(pl.UInt8, 52)), "size": -(-read.count // 4) * 4})
    return frame.select(pl.col("cards").arr.to_list().list.head(pl.col("size")))["cards"]


def _told(boards: Boards, read: Played, slips: pl.DataFrame) -> pl.DataFrame:
    """Make problems of tricks that are not written in turn."""
    if slips.is_empty():
        return empty(PROBLEMS)
    slips = slips.sort("row", "index")
    row, index = slips["row"].to_numpy(), slips["index"].to_numpy()
    seats = pl.Series(SEAT_NAMES)
    placed = boards.rows(read.at[np.searchsorted(read.record, row) + index]).with_columns(
        pl.Series("card", CARD_SIGNS).gather(pl.Series(read.cards[index, row])),
        (slips["index"] // 4 + 1).alias("trick"),
        seats.gather(slips["seat"]).alias("player"),
        seats.gather(slips["due"]).alias("due"),
        slips["whole"],
    )
    return pl.concat(
        [
            report("lin-trick-turned", placed.filter("whole")),
            report("lin-card-turn", placed.filter(~pl.col("whole"))),
        ]
    )
