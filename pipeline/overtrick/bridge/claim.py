"""What a play that was cut short can still come to: a claim takes tricks of those that are left (Laws 68 to 70)."""

import numpy as np

from overtrick.bridge.cards import UNKNOWN, Bytes
from overtrick.bridge.play import TRICKS, Boards, Mask, Places, by_seat

_MOST = 99
_SUIT = np.arange(52) // 13
_RANK = np.arange(52) % 13


def tricks_by_winners(winner: Bytes, declarer: Bytes) -> tuple[Places, Places]:
    """Give the fewest and the most tricks of declarer's side, of thirteen: a trick without winner can go either way.

    Args:
        winner: seats that won the tricks, shape (boards, 13), `UNKNOWN` where nobody is known to have.
        declarer: seat by board, known.
    """
    known = winner != UNKNOWN
    own = winner % 2 == (declarer % 2)[:, None]
    return (known & own).sum(axis=1), TRICKS - (known & ~own).sum(axis=1)


def trick_under_way(boards: Boards, leader: Bytes, turns: Bytes, declarer: Bytes) -> tuple[Mask, Mask]:
    """Say where the trick that was begun last and not finished is decided by the hands that are left.

    Args:
        boards: the plays as written.
        leader: as in `Plays`.
        turns: as in `Plays`.
        declarer: seat by board, known.

    Returns:
        By board whether declarer's side must win it, and whether it can't.
    """
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
    """Find the last trick begun, and say where it lacks cards while none before it does."""
    there = cards != UNKNOWN
    begun, whole = there.any(axis=2), there.all(axis=2)
    trick = TRICKS - 1 - begun[:, ::-1].argmax(axis=1)
    before = np.arange(TRICKS) < trick[:, None]
    rows = np.arange(len(cards))
    open_: Mask = begun.any(axis=1) & ~whole[rows, trick] & (whole | ~before).all(axis=1)
    return open_, trick


def _strengths(boards: Boards, cards: Bytes, trick: Places, lead: Bytes) -> tuple[Places, Places]:
    """Say by seat how weak and how strong its card in the trick under way can be; 0 can't win, trumps are strongest."""
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
        held = left == seat
        follows = held & (led_suit == _SUIT)
        allowed = np.where(follows.any(axis=1)[:, None], follows, held)
        done = row[:, seat] != UNKNOWN
        allowed[done] = np.arange(52) == row[done, seat][:, None]
        some = allowed.any(axis=1) & (led != UNKNOWN)
        weakest[some, seat] = np.where(allowed, strength, _MOST).min(axis=1)[some]
        strongest[some, seat] = np.where(allowed, strength, 0).max(axis=1)[some]
    return weakest, strongest


def _can_win(side: Mask, weakest: Places, strongest: Places) -> Mask:
    """Say where a side may win the trick: its strongest card against the weakest that the others have to play."""
    best = np.where(side, strongest, 0).max(axis=1)
    forced = np.where(side, 0, weakest).max(axis=1)
    possible: Mask = best > forced
    return possible
