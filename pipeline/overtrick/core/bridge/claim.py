"""The tricks that a play can still come to when a claim cut it short (Laws 68 to 70)."""

from typing import Final, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from overtrick.core.bridge.cards import UNKNOWN, Bytes
from overtrick.core.bridge.play import TRICKS, Boards, Mask, Places, by_seat

Rule = Literal["law-64", "two-tricks", "two-tricks-any"]
"""How many tricks an established revoke costs.

- `law-64`: Law 64A of duplicate: one of the tricks that the side won from the revoke on, and another if the revoking
  player won the revoke trick himself and the side won a later one; none in the cases of Law 64B and C
- `two-tricks`: Alberta 55 Plus: two of the tricks that the side won from the revoke on, or as many as it won
- `two-tricks-any`: the same rule, read so that any two tricks of the side can be transferred
"""

Counts = npt.NDArray[np.int64]

_TRICK: Final[Places] = np.arange(TRICKS)


class Revokes(NamedTuple):
    """Established revokes: arrays of equal length, in the order of play within each board."""

    board: Places
    """The row of the board in `winner`."""
    trick: Places
    """From 0."""
    player: Bytes
    """Who revoked; a seat."""
    suit: Bytes
    """The suit that was led and not followed."""


def transferred_tricks(revokes: Revokes, winner: Bytes, declarer: Bytes, rule: Rule = "law-64") -> Counts:
    """Count the tricks that revokes transfer to declarer's side.

    Args:
        revokes: of all boards.
        winner: seats that won the tricks, shape (boards, 13); `UNKNOWN` counts for neither side.
        declarer: seat by board.
        rule: what a revoke costs.

    Returns:
        One number a board: positive for tricks that the defenders lose, negative for tricks that declarer loses. Under
        Law 64 it is 0 where both sides have revoked: the Director then restores equity (64C2b).
    """
    # South declares. East revokes in trick 3 (from 0) and wins it himself; E-W win trick 5 as well:
    #
    #     trick    0  1  2  3  4  5  6 ...
    #     winner   N  S  N  E  N  W  S ...
    #     own      -  -  -  x  -  x  -        won by the revoking side
    #     since    -  -  -  x  -  x  -        of these, from the revoke on
    #
    # Law 64A: one trick for `since`, another as East won trick 3 himself and his side a later one: `cost` is 2, and
    # `given` is [0, 2] for N-S and E-W. Declarer's side receives 2 - 0 tricks.
    side = revokes.player % 2
    won = winner[revokes.board]
    theirs = (won != UNKNOWN) & (won % 2 == side[:, None])
    since = theirs & (revokes.trick[:, None] <= _TRICK)
    if rule == "law-64":
        cost = _law_64(revokes, won, since)
        cost[_without_cost(revokes, declarer)] = 0
    else:
        cost = np.minimum(2, (since if rule == "two-tricks" else theirs).sum(axis=1))
    given = np.zeros((2, len(winner)), dtype=np.int64)
    np.add.at(given, (side, revokes.board), cost)
    most = np.stack([((winner != UNKNOWN) & (winner % 2 == seat)).sum(axis=1) for seat in (0, 1)])
    given = np.minimum(given, most)
    if rule == "law-64":
        revoked = np.zeros(given.shape, dtype=np.bool_)
        revoked[side, revokes.board] = True
        given[:, revoked.all(axis=0)] = 0
    boards = np.arange(len(winner))
    dealt: Counts = given[1 - declarer % 2, boards] - given[declarer % 2, boards]
    return dealt


def _law_64(revokes: Revokes, won: Bytes, since: npt.NDArray[np.bool_]) -> Counts:
    """Count the tricks of Law 64A: one that dummy won was not won by declarer himself, and the other way round."""
    himself = np.take_along_axis(won, revokes.trick[:, None], axis=1)[:, 0] == revokes.player
    later = (since & (revokes.trick[:, None] < _TRICK)).any(axis=1)
    cost: Counts = since.any(axis=1).astype(np.int64) + (himself & later)
    return cost


def _without_cost(revokes: Revokes, declarer: Bytes) -> npt.NDArray[np.bool_]:
    """Return the revokes of Law 64B: those of dummy, and a player's second one in the same suit."""
    dummy = revokes.player == (declarer[revokes.board] + 2) % 4
    key = np.stack([revokes.board, revokes.player, revokes.suit], axis=1)
    _, firsts = np.unique(key, axis=0, return_index=True)
    repeated = np.ones(len(key), dtype=np.bool_)
    repeated[firsts] = False
    without: npt.NDArray[np.bool_] = dummy | repeated
    return without


_MOST = 99
_SUIT = np.arange(52) // 13
_RANK = np.arange(52) % 13


def tricks_by_winners(winner: Bytes, declarer: Bytes) -> tuple[Places, Places]:
    """Return the fewest and the most tricks of declarer's side, of thirteen: either side can win an unknown trick.

    Args:
        winner: seats that won the tricks, shape (boards, 13), `UNKNOWN` where the winner is not known.
        declarer: seat by board, known.
    """
    known = winner != UNKNOWN
    by_declarer = winner % 2 == (declarer % 2)[:, None]
    return (known & by_declarer).sum(axis=1), TRICKS - (known & ~by_declarer).sum(axis=1)


def trick_under_way(boards: Boards, leader: Bytes, turns: Bytes, declarer: Bytes) -> tuple[Mask, Mask]:
    """Return where the hands decide the last trick, if it was begun and not finished.

    Args:
        boards: the plays as written.
        leader: as in `Plays`.
        turns: as in `Plays`.
        declarer: seat by board, known.

    Returns:
        By board, whether declarer's side must win it, and whether it can't win it.
    """
    # At notrump West led the HK and North played the H2. East still has HA and H4, South H9 and S3; both must follow:
    #
    #     seat  weakest     strongest       20 + rank for a card of the suit led, 0 for one that can't win
    #     W     HK: 31      HK: 31
    #     N     H2: 20      H2: 20
    #     E     H4: 22      HA: 32
    #     S     H9: 27      H9: 27
    #
    # N-S can't win it: their best, 27, does not beat 31, which E-W play at least. E-W may win it with 32 or 31 against
    # 27. So a declarer of N-S can't win the trick, and a declarer of E-W must.
    cards = by_seat(boards, turns)
    under_way, trick = _under_way(cards)
    under_way &= (leader[np.arange(len(cards)), trick] != UNKNOWN) & (boards.strain != UNKNOWN)
    wins, loses = np.zeros((2, len(cards)), dtype=np.bool_)
    at = np.flatnonzero(under_way)
    weakest, strongest = _strengths(boards.where(at), cards[at], trick[at], leader[at, trick[at]])
    ours = (declarer[at] % 2)[:, None] == np.arange(4) % 2
    wins[at], loses[at] = ~_can_win(~ours, weakest, strongest), ~_can_win(ours, weakest, strongest)
    return wins, loses


def _under_way(cards: Bytes) -> tuple[Mask, Places]:
    """Return the last trick begun, and where it lacks cards while no trick before it does."""
    there = cards != UNKNOWN
    begun, whole = there.any(axis=2), there.all(axis=2)
    trick = TRICKS - 1 - begun[:, ::-1].argmax(axis=1)
    before = np.arange(TRICKS) < trick[:, None]
    rows = np.arange(len(cards))
    open_: Mask = begun.any(axis=1) & ~whole[rows, trick] & (whole | ~before).all(axis=1)
    return open_, trick


def _strengths(boards: Boards, cards: Bytes, trick: Places, lead: Bytes) -> tuple[Places, Places]:
    """Return how weak and how strong each seat's card in the trick can be; 0 can't win, and trumps are highest."""
    rows = np.arange(len(cards))
    row = cards[rows, trick]
    led = row[rows, lead]
    left = boards.owner.copy()
    played = cards.reshape(-1, 4 * TRICKS)
    board, place = np.nonzero(played != UNKNOWN)
    left[board, played[board, place]] = UNKNOWN
    led_suit = (led // 13)[:, None]
    trump = boards.strain[:, None] == _SUIT
    strength = np.where(trump, 40 + _RANK, np.where(led_suit == _SUIT, 20 + _RANK, 0))
    strength[led == UNKNOWN] = 0
    weakest, strongest = np.zeros((len(cards), 4), np.int64), np.full((len(cards), 4), _MOST)
    for seat in range(4):
        hand = left == seat
        follows = hand & (led_suit == _SUIT)
        allowed = np.where(follows.any(axis=1)[:, None], follows, hand)
        done = row[:, seat] != UNKNOWN
        allowed[done] = np.arange(52) == row[done, seat][:, None]
        some = allowed.any(axis=1) & (led != UNKNOWN)
        weakest[some, seat] = np.where(allowed, strength, _MOST).min(axis=1)[some]
        strongest[some, seat] = np.where(allowed, strength, 0).max(axis=1)[some]
    return weakest, strongest


def _can_win(side: Mask, weakest: Places, strongest: Places) -> Mask:
    """Return where a side may win the trick: its strongest card beats the weakest card that the others must play."""
    best = np.where(side, strongest, 0).max(axis=1)
    forced = np.where(side, 0, weakest).max(axis=1)
    possible: Mask = best > forced
    return possible
