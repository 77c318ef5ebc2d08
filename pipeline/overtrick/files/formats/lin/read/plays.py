"""Plays: the cards in the order played, one or more to a `pc`, to the columns of a play and the tricks won."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import polars as pl

from overtrick.core.bridge.cards import CARD_SIGNS, SEAT_NAMES, SEATS, UNKNOWN
from overtrick.core.bridge.play import winning_places
from overtrick.core.frames import PROBLEMS, SEAT, empty
from overtrick.core.problems import report
from overtrick.files.formats.lin.read.boards import Boards
from overtrick.files.formats.lin.read.entries import count_within, find_counted, read_entries
from overtrick.files.formats.lin.read.evening import Bytes, Mask, Places, lots

_TURNS: Final = np.arange(4, dtype=np.uint8)[:, None]
_ROUND: Final = np.uint8(3)
"""The last two bits of a number: seats and turns count modulo 4."""
_NO_SLIPS: Final = pl.DataFrame(
    schema={"row": pl.Int64, "index": pl.Int64, "seat": pl.UInt8, "due": pl.UInt8, "whole": pl.Boolean}
)


@dataclass(frozen=True)
class Cards:
    """The cards of a file in the order played."""

    cards: Bytes
    """(52, records), `UNKNOWN` where none was played; each row holds the cards of all records at one place."""
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
    """(52, records): the place in the column `cards` of each card in the order played."""
    problems: pl.DataFrame


def read_cards(boards: Boards) -> Cards:
    """Read the cards of all records."""
    entries = read_entries(boards.tokens, find_counted(boards, "pc"), "play")
    is_card = entries.code != UNKNOWN
    unknown = report("card-unknown/lin", boards.get_rows(np.unique(entries.at[~is_card])))
    at, code = _keep(is_card, entries.at, entries.code)
    record = boards.record[at]
    order = count_within(record)
    many = report("lin-cards-too-many", boards.get_rows(at[order == 52]))
    at, code, record, order = _keep(order < 52, at, code, record, order)
    count = boards.count
    cards = np.full((52, count), UNKNOWN, dtype=np.uint8)
    for lot in lots(len(code)):
        cards[order[lot], record[lot]] = code[lot]
    return Cards(cards, np.bincount(record, minlength=count), record, at, pl.concat([unknown, many]))


def _keep(which: Mask, *columns: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], ...]:
    """Keep some rows; nothing is copied where these are all."""
    return columns if which.all() else tuple(column[which] for column in columns)


def follow_plays(boards: Boards, played: Cards, owner: Bytes, declarer: pl.Series, strain: pl.Series) -> Plays:
    """Follow the play of all records at once, trick by trick; the winner of each leads the next.

    A trick whose cards come from different hands is given to these, whatever the order it is written in; where that is
    not the order of the turns, a problem says so. A card from a hand that has played to the trick already ends the
    count of tricks; it and the rest stay where they are.

    Worked example of one record's first two tricks, at 1NT by North; the second one is written from the wrong seat:

        cards    D8 D3 D4 DJ   SA S2 S6 S4
        holder   E  S  W  N    E  S  W  N
        leader   E             N             the opening leader, then the winner of the trick before
        turns    E  S  W  N    N  E  S  W    from the leader on
        seat     E  S  W  N    E  S  W  N    where the turns are not the holders', the holders
        place    0  1  2  3    4  5  6  7    by seat from the opening leader
        winner   N             E             the highest of the suit led, in turns from the leader: N led S4

    Args:
        boards: the file's records.
        played: their cards.
        owner: who holds each card, (records, 52).
        declarer: seats; where none is known the holder of the first card leads.
        strain: of the contract.
    """
    side, trump = _number(declarer), _number(strain).astype(np.int64)
    hands = _Hands(owner)
    holder = hands.of(played.cards[:4])
    start = leader = _find_opening_leader(holder, played.cards[:4] != UNKNOWN, side)
    led = holder[0] < 4
    place = np.zeros_like(played.cards)
    won, lost = np.zeros((2, len(leader)), dtype=np.int64)
    broken = (trump >= 5) | (side >= 4)
    slips = [_NO_SLIPS]
    for trick in range(13):
        four = slice(4 * trick, 4 * trick + 4)
        cards = played.cards[four]
        there = cards != UNKNOWN
        seat, fits = _find_seats(hands.of(cards), leader, there)
        broken |= ~fits
        slips.append(_list_out_of_turn(seat, leader, there & ~broken, trick))
        place[four] = 4 * trick + ((seat - start) & _ROUND)
        leader = (leader + winning_places(_turn_from_leader(cards, seat, leader).T, trump).astype(np.uint8)) & _ROUND
        taken = ~broken & there.all(axis=0)
        by_declarer = (leader - side) & 1 == 0
        won, lost = won + (taken & by_declarer), lost + (taken & ~by_declarer)
    frame = pl.DataFrame(
        {
            "play_start": pl.Series(np.where(led | (side < 4), start, UNKNOWN)),
            "cards": _arrange(played, place),
            "won": won,
            "lost": lost,
            "whole": won + lost == 13,
        }
    ).with_columns(_name_seat(pl.col("play_start")), pl.when(pl.Series(played.count > 0)).then("cards").alias("cards"))
    return Plays(frame, place, _report_slips(boards, played, pl.concat(slips)))


def _number(names: pl.Series) -> Bytes:
    numbers: Bytes = names.to_physical().cast(pl.UInt8).fill_null(UNKNOWN).to_numpy()
    return numbers


def _name_seat(number: pl.Expr) -> pl.Expr:
    return number.replace_strict(range(4), SEATS, default=None, return_dtype=SEAT)


class _Hands:
    """Who holds the cards of all records."""

    def __init__(self, owner: Bytes) -> None:
        # One more column, for UNKNOWN cards.
        self._owner = np.pad(owner, ((0, 0), (0, 1)), constant_values=UNKNOWN).reshape(-1)
        self._first = 53 * np.arange(len(owner))

    def of(self, cards: Bytes) -> Bytes:
        """Return the hand that each card comes from, `UNKNOWN` for a place without a card and for a card in no hand."""
        return self._owner[self._first + np.minimum(cards, 52)]


def _find_opening_leader(holder: Bytes, there: Mask, declarer: Bytes) -> Bytes:
    """Return who leads: the hand of the first card, unless the cards after it do not keep to the turns from there."""
    first = holder[0]
    in_turn = ((((holder - first) & _ROUND) == _TURNS) | (holder == UNKNOWN) | ~there).all(axis=0)
    known = first < 4
    due = np.where(declarer < 4, (declarer + 1) & _ROUND, np.where(known, first, 0))
    return np.where(known & in_turn, first, due).astype(np.uint8)


def _find_seats(holder: Bytes, leader: Bytes, there: Mask) -> tuple[Bytes, Mask]:
    """Return who played each card of a trick, and whether the hands that hold the cards allow it."""
    seat = (leader + _TURNS) & _ROUND
    fits = ((holder == seat) | (holder == UNKNOWN) | ~there).all(axis=0)
    odd = np.flatnonzero(~fits)
    if len(odd):
        by_hands, different = _seat_by_hands(holder[:, odd], there[:, odd])
        seat[:, odd[different]] = by_hands[:, different]
        fits[odd[different]] = True
    return seat, fits


def _seat_by_hands(holder: Bytes, there: Mask) -> tuple[Bytes, Mask]:
    """Return the hands that the cards of tricks come from, and whether these are different hands.

    After the cards come the hands that have not played. Worked example, a trick of one record with two cards:

        holder      W  S  -  -
        has_played  N no, E no, S yes, W yes
        waiting     N  E  S  W          those that have not played first
        count       2
        after       N  N  N  E          of `waiting`, from the third place on
        result      W  S  N  E
    """
    has_played = ((holder == _TURNS[:, None]) & there).any(axis=1)
    waiting = has_played.argsort(axis=0, kind="stable")
    count = there.sum(axis=0)
    after = np.take_along_axis(waiting, np.maximum(_TURNS - count, 0), axis=0)
    return np.where(there, holder, after).astype(np.uint8), has_played.sum(axis=0) == count


def _list_out_of_turn(seat: Bytes, leader: Bytes, there: Mask, trick: int) -> pl.DataFrame:
    """List tricks that are not written in turn, by their first such card: `row index seat due whole`.

    `whole` means that the trick keeps the turns and only begins with another seat. A trick that ends with a card out of
    turn is left to the check of the play.
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


def _turn_from_leader(cards: Bytes, seat: Bytes, leader: Bytes) -> Bytes:
    """Return the cards of each trick in the order of the turns from the leader on."""
    turn = (seat - leader) & _ROUND
    turned = np.flatnonzero((turn != _TURNS).any(axis=0))
    if not len(turned):
        return cards
    order = turn[:, turned].argsort(axis=0)
    in_turn = cards.copy()
    in_turn[:, turned] = np.take_along_axis(cards[:, turned], order, axis=0)
    return in_turn


def _arrange(played: Cards, place: Bytes) -> pl.Series:
    """Put cards into the columns of the seats, four a trick; a trick that was begun has all four places."""
    wide = np.full(played.cards.shape[::-1], UNKNOWN, dtype=np.uint8)
    first = 52 * np.arange(len(wide))
    for cards, places in zip(played.cards, place, strict=True):
        wide.reshape(-1)[first + places] = cards
    frame = pl.DataFrame({"cards": pl.Series(wide, dtype=pl.Array(pl.UInt8, 52)), "size": -(-played.count // 4) * 4})
    return frame.select(pl.col("cards").arr.to_list().list.head(pl.col("size")))["cards"]


def _report_slips(boards: Boards, played: Cards, slips: pl.DataFrame) -> pl.DataFrame:
    """Report tricks that are not written in turn."""
    if slips.is_empty():
        return empty(PROBLEMS)
    slips = slips.sort("row", "index")
    row, index = slips["row"].to_numpy(), slips["index"].to_numpy()
    seats = pl.Series(SEAT_NAMES)
    placed = boards.get_rows(played.at[np.searchsorted(played.record, row) + index]).with_columns(
        pl.Series("card", CARD_SIGNS).gather(pl.Series(played.cards[index, row])),
        (slips["index"] // 4 + 1).alias("trick"),
        seats.gather(slips["seat"]).alias("player"),
        seats.gather(slips["due"]).alias("due"),
        slips["whole"],
    )
    astray = placed.filter(~pl.col("whole"))
    return pl.concat([report("play-rows-turned/lin", placed.filter("whole")), report("play-wrong-turn/card", astray)])
