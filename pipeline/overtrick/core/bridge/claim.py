"""The tricks that a play can still come to when a claim cut it short (Laws 68 to 70)."""

import numpy as np

from overtrick.core.bridge.cards import UNKNOWN, Bytes
from overtrick.core.bridge.play import TRICKS, Boards, Mask, Places, by_seat

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
    own = winner % 2 == (declarer % 2)[:, None]
    return (known & own).sum(axis=1), TRICKS - (known & ~own).sum(axis=1)


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
    """Return where a side may win the trick: its strongest card beats the weakest card that the others must play."""
    best = np.where(side, strongest, 0).max(axis=1)
    forced = np.where(side, 0, weakest).max(axis=1)
    possible: Mask = best > forced
    return possible
