"""Plays replayed, card by card of all boards at once (Laws 44 to 46 and 61).

A hand is a set of cards, one bit of a 64-bit number for each, so that "does he still hold a spade" is one operation for
all boards. Inside this module, seats are counted from the first column of the play, and arrays have the trick or seat
first and the board last. Most plays are sound, which takes few steps to find out; only the others are judged card by
card.

Cards are taken as written, and only what follows from known cards is judged: after a card that can't have been played
the winner of the trick is unknown, until a trick that one hand wins by any lead.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from overtrick.core.bridge.cards import UNKNOWN, Bytes, Sets, holders

Mask = npt.NDArray[np.bool_]
Places = npt.NDArray[np.int64]

TRICKS: Final = 13
LAST_REVOKE: Final = 10
"""The last trick, from 0, on which a revoke can be established: on the twelfth it must be corrected (Law 62D)."""

_NONE: Final = 4
_EVERY: Final = np.arange(256)
_SUIT: Final[Bytes] = np.where(_EVERY < 52, _EVERY // 13, _NONE).astype(np.uint8)
_CARD: Final[Sets] = np.array([1 << card if card < 52 else 0 for card in range(256)], dtype=np.uint64)
_OF_SUIT: Final[Sets] = np.array([0x1FFF << 13 * suit for suit in range(4)] + [0], dtype=np.uint64)
_TRUMP: Final[Bytes] = np.where(_EVERY == 4, _NONE + 1, np.where(_EVERY < 4, _EVERY, UNKNOWN)).astype(np.uint8)
"""By strain: the suit that is trump; at notrump a number that no card has as its suit."""
_SEATS: Final[Bytes] = np.arange(4, dtype=np.uint8)[:, None]


class PlayFault(IntEnum):
    """The ways in which a card breaks a Law."""

    AGAIN = 0
    """Played before."""
    NOT_HELD = 1
    """Not in the hand that plays it."""
    REVOKE = 2
    """Not of the suit led, of which the hand still holds a card (Law 61A)."""
    OUT_OF_TURN = 3
    """Played to the last trick, while the card of an earlier player is missing (Law 44)."""


class Boards(NamedTuple):
    """Plays as written, with all that they are judged by; dtype uint8, and `UNKNOWN` for what is not known."""

    hands: Sets
    """The cards that each seat holds, shape (boards, 4), as `cards.held` returns it."""
    cards: Bytes
    """As written, shape (boards, 52), four a trick; `UNKNOWN` also for a card that was not played."""
    first: Bytes
    """The seat of the first column."""
    leader: Bytes
    """The seat that makes the opening lead."""
    strain: Bytes
    """0 to 4; where it is `UNKNOWN`, so is the winner of a trick that depends on it."""
    leads: Bytes
    """Shape (boards, 13): who leads to a trick where a lead out of turn is recorded, else `UNKNOWN`."""

    @property
    def owner(self) -> Bytes:
        """Who holds each card, shape (boards, 52), as `cards.holders` returns it."""
        return holders(self.hands)

    def where(self, chosen: Places) -> "Boards":
        """Return some of the boards."""
        return Boards._make(column[chosen] for column in self)


class PlayFaults(NamedTuple):
    """Cards that break a Law, board by board in the order written: arrays of equal length."""

    board: Places
    place: Places
    """The place of the card in its play as written, from 0; four a trick."""
    card: Bytes
    player: Bytes
    fault: Bytes
    """A `PlayFault`."""
    other: Bytes
    """The seat that holds the card, the card led to a revoke, or the seat whose turn it was; else `UNKNOWN`."""
    established: Mask
    """Revokes after which the offending side has played to a later trick (Law 63A)."""


_NO_PLACES: Final[Places] = np.zeros(0, np.int64)
_NO_CODES: Final[Bytes] = np.zeros(0, np.uint8)
_NO_FAULTS: Final = PlayFaults(
    _NO_PLACES, _NO_PLACES, _NO_CODES, _NO_CODES, _NO_CODES, _NO_CODES, np.zeros(0, np.bool_)
)


class Plays(NamedTuple):
    """The results of plays, dtype uint8: one row a board, one column a trick; `UNKNOWN` for what is not known."""

    leader: Bytes
    """Seat that led to each trick."""
    winner: Bytes
    """Seat that won it."""
    turns: Bytes
    """By how many seats the row of a trick is turned against the columns; 0 where it follows them."""
    faults: PlayFaults

    def won(self, side: int) -> Bytes:
        """Count the tricks that a side (0 N-S, 1 E-W) has won after each trick."""
        return np.cumsum((self.winner != UNKNOWN) & (self.winner % 2 == side), axis=1, dtype=np.uint8)


@dataclass
class _Table:
    """The state of the boards while they are played; seats count from the first column."""

    hand: Sets
    """Shape (4, boards); empty for a hand not shown."""
    dealt: Sets
    """All hands together."""
    played: Sets
    hidden: Bytes
    """By seat, how many cards were played so far that are not known to be from its hand."""
    lead: Bytes
    trump: Bytes


@dataclass
class _Notes:
    """Notes of a play: for each trick an array, of the faults (4, boards), of the other three (boards)."""

    fault: list[Bytes]
    led: list[Bytes]
    leader: list[Bytes]
    winner: list[Bytes]


def replay_plays(boards: Boards) -> Plays:
    """Replay plays: return who won each trick, and which cards break a Law.

    Columns are seats (PBN 3.6). Some programs begin each row with another seat, with its leader for example: where the
    hands show that, the cards of the row are assigned to the players who hold them. Where the player of the first
    column is not due to lead, but nobody revokes or plays out of turn if he did, he is taken to have led.
    """
    sound, plays = _sound(boards)
    rest = np.flatnonzero(~sound)
    if not len(rest):
        return plays
    others = boards.where(rest)
    judged = _with_first_column_leading(_with_rows_turned(_replay(others), others), others)
    plays.leader[rest], plays.winner[rest], plays.turns[rest] = judged.leader, judged.winner, judged.turns
    return plays._replace(faults=judged.faults._replace(board=rest[judged.faults.board]))


def _sound(boards: Boards) -> tuple[Mask, Plays]:
    """Return which plays of whole deals are sound, and the results of those.

    A sound play is a number of whole tricks, perhaps with a part of one more that its leader and the players on his
    left have played. Each card is held by its player, and is of the suit led unless the player has none of it.
    """
    # A trick in which seat 1 leads the D5, hearts are trump, and seat 0 throws a spade:
    #
    #     seat  row  held  (seat - lead) & 3 < count  suit led  still holds diamonds  wrong
    #     0     S2   yes   3 < 4                      no        yes                   yes: a revoke
    #     1     D5   yes   0 < 4                      yes       -                     no
    #     2     DA   yes   1 < 4                      yes       -                     no
    #     3     H3   yes   2 < 4                      no        no                    no
    #
    # The board is not sound. Without seat 3's card `count` would be 3, and seat 0, the fourth to play, out of turn.
    table = _sit_down(boards)
    sound = (np.bitwise_count(table.hand) == TRICKS).all(axis=0) & (boards.leads == UNKNOWN).all(axis=1)
    sound &= (table.lead != UNKNOWN) & (table.trump != UNKNOWN)
    seats = np.empty((TRICKS + 1, len(sound)), dtype=np.uint8)
    seats[0] = table.lead
    for trick, row in enumerate(_rows(boards)):
        lead = seats[trick]
        card, suit = np.uint64(1) << row.astype(np.uint64), np.minimum(row // 13, _NONE)
        played = (table.hand & card) != 0
        count = played.sum(axis=0, dtype=np.uint8)
        wrong = (played != (row != UNKNOWN)) | (played != ((_SEATS - lead) & 3 < count))
        table.hand &= ~card
        led_suit = np.take_along_axis(suit, (lead & 3)[None], axis=0)[0]
        wrong |= played & (suit != led_suit) & ((table.hand & _OF_SUIT[led_suit]) != 0)
        sound &= ~wrong.any(axis=0) & ((lead != UNKNOWN) | (count == 0))
        seats[trick + 1] = np.where(count == 4, _strongest(row, suit, led_suit, table.trump), np.uint8(UNKNOWN))
    seats = np.ascontiguousarray(_absolute(seats, boards.first).T)
    return sound, Plays(seats[:, :-1], seats[:, 1:], np.zeros_like(seats[:, 1:]), _NO_FAULTS)


def _with_rows_turned(plays: Plays, boards: Boards) -> Plays:
    misfits = np.unique(plays.faults.board[plays.faults.fault == PlayFault.NOT_HELD])
    turns = _turns(boards.where(misfits), plays.leader[misfits])
    turned = turns.any(axis=1)
    return _exchanged(plays, boards, misfits[turned], turns[turned]) if turned.any() else plays


def _with_first_column_leading(plays: Plays, boards: Boards) -> Plays:
    doubtful = _ill_led(plays)
    other = (boards.first != boards.leader) & (boards.leads[:, 0] == UNKNOWN) & ~plays.turns.any(axis=1)
    doubtful = doubtful[other[doubtful]]
    if not len(doubtful):
        return plays
    leads = boards.leads.copy()
    leads[doubtful, 0] = boards.first[doubtful]
    led = boards._replace(leads=leads)
    sound = np.delete(doubtful, _ill_led(_replay(led.where(doubtful))))
    return _exchanged(plays, led, sound, plays.turns[sound])


def _ill_led(plays: Plays) -> Places:
    """List the boards with a fault that another leader may explain."""
    return np.unique(plays.faults.board[np.isin(plays.faults.fault, (PlayFault.REVOKE, PlayFault.OUT_OF_TURN))])


def _turns(boards: Boards, leader: Bytes) -> Bytes:
    """Return by how many seats each row is turned, shape (boards, 13).

    All cards of a row must agree. One card alone could be a slip, so there must also be another turned row, or the card
    must be the leader's.
    """
    # A row whose cards are held by E, S, W and N, in columns that begin with N: each is turned by 1.
    #
    #     column                      0  1  2  3
    #     held_by                     1  2  3  0
    #     held_by - first - column    1  1  1  -3 & 3 = 1
    held_by = np.take_along_axis(boards.owner, np.minimum(boards.cards, 51).astype(np.int64), axis=1)
    known = ((boards.cards != UNKNOWN) & (held_by != UNKNOWN)).reshape(-1, TRICKS, 4)
    held_by = held_by.reshape(-1, TRICKS, 4)
    turn = (held_by - boards.first[:, None, None] - _SEATS[:, 0]) & 3
    least, most = np.where(known, turn, 3).min(axis=2), np.where(known, turn, 0).max(axis=2)
    turn = np.where(known.any(axis=2) & (least == most), least, np.uint8(0))
    led = (known & (held_by == leader[:, :, None])).any(axis=2)
    sure = ((turn > 0) & ((known.sum(axis=2) > 1) | led)).any(axis=1)
    return np.where(sure[:, None], turn, np.uint8(0))


def _exchanged(plays: Plays, boards: Boards, chosen: Places, turns: Bytes) -> Plays:
    """Play some boards again with their rows turned back, and replace their results."""
    some = boards.where(chosen)
    leads = np.where(some.leads == UNKNOWN, np.uint8(UNKNOWN), (some.leads + turns) & 3)
    again = _replay(some._replace(cards=_turned_back(some.cards, turns).reshape(-1, 4 * TRICKS), leads=leads))
    plays.leader[chosen], plays.winner[chosen], plays.turns[chosen] = again.leader, again.winner, turns
    trick, seat = np.divmod(again.faults.place, 4)
    back = {"board": chosen[again.faults.board], "place": 4 * trick + ((seat - turns[again.faults.board, trick]) & 3)}
    unchanged = ~np.isin(plays.faults.board, chosen)
    merged = {
        name: np.concatenate([getattr(plays.faults, name)[unchanged], back.get(name, getattr(again.faults, name))])
        for name in PlayFaults._fields
    }
    order = np.lexsort((merged["place"], merged["board"]))
    return plays._replace(faults=PlayFaults(**{name: column[order] for name, column in merged.items()}))


def by_seat(boards: Boards, turns: Bytes) -> Bytes:
    """Return the cards by trick and seat, North first, shape (boards, 13, 4); `turns` as in `Plays`."""
    return _turned_back(boards.cards, turns + boards.first[:, None])


def _turned_back(cards: Bytes, turns: Bytes) -> Bytes:
    column = (_SEATS[:, 0] - turns[:, :, None]) & 3
    return np.take_along_axis(cards.reshape(-1, TRICKS, 4), column.astype(np.int64), axis=2)


def join_lots(lots: Sequence[Plays], size: int) -> Plays:
    """Join the plays of several lots of boards; all lots but the last have this size."""
    if len(lots) == 1:
        return lots[0]
    faults = PlayFaults._make(map(np.concatenate, zip(*(lot.faults for lot in lots), strict=True)))
    faults.board[:] += size * np.repeat(np.arange(len(lots)), [len(lot.faults.board) for lot in lots])
    *columns, _ = zip(*lots, strict=True)
    return Plays._make([*map(np.concatenate, columns), faults])


def _replay(boards: Boards) -> Plays:
    table = _sit_down(boards)
    rows = _rows(boards)
    marked = _relative(boards.leads.T, boards.first)
    notes = _Notes([], [], [], [])
    for trick in range(TRICKS):
        lead = np.where(marked[trick] == UNKNOWN, table.lead, marked[trick])
        _play(table, rows[trick], lead, notes)
    _find_out_of_turn(rows, notes)
    faults = _listed(notes, rows, boards)
    leader, winner = (
        np.ascontiguousarray(_absolute(np.array(seats), boards.first).T) for seats in (notes.leader, notes.winner)
    )
    return Plays(leader, winner, np.zeros_like(winner), faults)


def _rows(boards: Boards) -> Bytes:
    """Return the cards by trick and column, shape (13, 4, boards)."""
    return np.ascontiguousarray(boards.cards.T).reshape(TRICKS, 4, -1)


def _sit_down(boards: Boards) -> _Table:
    """Return the state before the first card; the hands of an impossible deal (unequal hands) are left empty."""
    count = len(boards.cards)
    column = (boards.first[:, None] + _SEATS[:, 0]) & 3
    hand = np.ascontiguousarray(np.take_along_axis(boards.hands, column, axis=1).T)
    size = np.bitwise_count(hand)
    shown = size > 0
    uneven = (shown & (size != size.max(axis=0, initial=0))).any(axis=0)
    hand[:, uneven] = 0
    return _Table(
        hand=hand,
        dealt=np.bitwise_or.reduce(hand, axis=0),
        played=np.zeros(count, dtype=np.uint64),
        hidden=np.zeros((4, count), dtype=np.uint8),
        lead=_relative(boards.leader, boards.first),
        trump=_TRUMP[boards.strain],
    )


def _relative(seats: Bytes, first: Bytes) -> Bytes:
    """Count seats from the seat of the first column; `UNKNOWN` stays `UNKNOWN`."""
    return np.where(seats == UNKNOWN, np.uint8(UNKNOWN), (seats - first) & 3)


def _absolute(seats: Bytes, first: Bytes) -> Bytes:
    return np.where(seats == UNKNOWN, np.uint8(UNKNOWN), (seats + first) & 3)


def _play(table: _Table, row: Bytes, lead: Bytes, notes: _Notes) -> None:
    """Play one trick: judge its four cards, and find the winner, who leads to the next."""
    suit = _SUIT[row]
    led = np.where(lead == UNKNOWN, np.uint8(UNKNOWN), np.take_along_axis(row, (lead & 3)[None], axis=0)[0])
    led_suit = _SUIT[led]
    card = _CARD[row]
    not_held = ((card & ~table.hand) != 0) & ((table.hand != 0) | ((card & table.dealt) != 0))
    again = np.empty(row.shape, dtype=np.bool_)
    for seat in range(4):
        again[seat] = (card[seat] & table.played) != 0
        # The player who holds the card can still play it: only one of the two cards is wrong.
        table.played |= np.where(not_held[seat], np.uint64(0), card[seat])
    not_held &= ~again
    impossible = again | not_held
    spoiled = impossible.any(axis=0)
    holding = np.bitwise_count(table.hand & ~table.played & _OF_SUIT[led_suit])
    sound_lead = ~(impossible & (lead == _SEATS)).any(axis=0)
    revoke = (suit != led_suit) & (suit != _NONE) & (holding > table.hidden) & ~impossible & sound_lead
    fault = np.full(row.shape, UNKNOWN, dtype=np.uint8)
    for mask, kind in ((again, PlayFault.AGAIN), (not_held, PlayFault.NOT_HELD), (revoke, PlayFault.REVOKE)):
        fault[mask] = kind
    table.hidden += (row == UNKNOWN) | impossible
    table.lead = np.where(spoiled, np.uint8(UNKNOWN), _winner(row, suit, led_suit, table.trump))
    notes.fault.append(fault)
    notes.led.append(led)
    notes.leader.append(lead)
    notes.winner.append(table.lead)


def _winner(row: Bytes, suit: Bytes, led_suit: Bytes, trump: Bytes) -> Bytes:
    """Return who wins a trick: the highest trump, else the highest card of the suit led (Law 44E and F).

    The leader need not be known where there is a trump, or only one suit.
    """
    one_suit = (suit == suit[0]).all(axis=0)
    some = (suit == led_suit) | (suit == trump)
    known = (suit != _NONE).all(axis=0) & (one_suit | (some.any(axis=0) & (trump != UNKNOWN)))
    return np.where(known, _strongest(row, suit, led_suit, trump), np.uint8(UNKNOWN))


def _strongest(row: Bytes, suit: Bytes, led_suit: Bytes, trump: Bytes) -> Bytes:
    """Return the seat of the highest trump, else of the highest card of the suit led, else of the highest."""
    # Seat 1 leads a diamond, hearts are trump; a card and its seat are one number, so that one maximum finds both:
    #
    #     seat  row  rank  suit led  trump  strength  4 * strength + seat
    #     0     D2   0     16        0      16        64
    #     1     D5   3     16        0      19        77
    #     2     DA   12    16        0      28        114
    #     3     H3   1     0         32     33        135, the highest: 135 & 3 = 3
    strength = row - 13 * suit + 16 * (suit == led_suit).view(np.uint8) + 32 * (suit == trump).view(np.uint8)
    strongest: Bytes = (4 * strength + _SEATS).max(axis=0) & 3
    return strongest


def _find_out_of_turn(rows: Bytes, notes: _Notes) -> None:
    """Note the first card of the last trick that was played while the card of an earlier player was missing."""
    there = rows != UNKNOWN
    begun = there.any(axis=1)
    last = TRICKS - 1 - begun[::-1].argmax(axis=0)
    for trick in np.unique(last[(begun & ~there.all(axis=1)).any(axis=0)]).tolist():
        lead = notes.leader[trick]
        turn = (_SEATS - lead) & 3
        missing = np.where(there[trick], 4, turn).min(axis=0)
        late = there[trick] & (turn > missing) & (last == trick) & (lead != UNKNOWN)
        first = late & (turn == np.where(late, turn, 4).min(axis=0))
        notes.fault[trick][first & (notes.fault[trick] == UNKNOWN)] = PlayFault.OUT_OF_TURN


def _first_missing(cards: Bytes, leader: Bytes) -> Bytes:
    """Return the first player from the leader on who has not played, by the cards of tricks, (tricks, 4)."""
    turn = (np.arange(4, dtype=np.uint8) - leader[:, None]) & 3
    missing = np.where(cards == UNKNOWN, turn, 4).min(axis=1, initial=4)
    return np.where(leader == UNKNOWN, UNKNOWN, (leader + missing) & 3).astype(np.uint8)


def _listed(notes: _Notes, rows: Bytes, boards: Boards) -> PlayFaults:
    """List the faults, with what messages need."""
    fault, leader = np.array(notes.fault), np.array(notes.leader)
    trick, seat, board = np.nonzero(fault != UNKNOWN)
    place = 4 * trick + seat
    order = np.lexsort((place, board))
    trick, seat, board, place = trick[order], seat[order], board[order], place[order]
    kind, card = fault[trick, seat, board], rows[trick, seat, board]
    other = np.where(kind == PlayFault.NOT_HELD, boards.owner[board, card], UNKNOWN)
    other = np.where(kind == PlayFault.REVOKE, np.array(notes.led)[trick, board], other)
    due = _absolute(_first_missing(rows[trick, :, board], leader[trick, board]), boards.first[board])
    other = np.where(kind == PlayFault.OUT_OF_TURN, due, other).astype(np.uint8)
    played = (rows != UNKNOWN).reshape(TRICKS, 2, 2, -1).any(axis=1)
    last = TRICKS - 1 - played[::-1].argmax(axis=0)
    established = (kind == PlayFault.REVOKE) & (trick <= LAST_REVOKE) & (last[seat % 2, board] > trick)
    player = _absolute(seat.astype(np.uint8), boards.first[board])
    return PlayFaults(board, place, card, player, kind, other, established)


_SUIT_OF: Final = np.append(np.repeat(np.arange(4), 13), [UNKNOWN] * 204).astype(np.uint8)
_RANK_OF: Final = np.append(np.tile(np.arange(13), 4), [0] * 204).astype(np.uint8)
"""By byte, the suit and the rank of a card."""


def winning_places(cards: Bytes, trump: Places) -> Places:
    """Return which card of each trick wins it.

    Args:
        cards: codes of `bridge.cards` in the order played, shape (tricks, 4); the first one is led.
        trump: the strain of each trick, 4 for notrump.

    Returns:
        Places 0-3; an unknown card wins only a trick of unknown cards, and then the first one does.
    """
    led, trumps = _SUIT_OF.take(cards[:, 0]), trump.astype(np.uint8)
    best = np.zeros(len(cards), dtype=np.uint8)
    places = np.zeros(len(cards), dtype=np.int64)
    for place in range(4):
        card = cards[:, place]
        suit, rank = _SUIT_OF.take(card), _RANK_OF.take(card)
        worth = 1 + (suit == led) * (rank + np.uint8(13)) + (suit == trumps) * (rank + np.uint8(26))
        worth *= card != UNKNOWN
        places[worth > best] = place
        best = np.maximum(best, worth)
    return places
