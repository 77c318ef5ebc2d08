"""What a revoke costs: tricks that are transferred when the play is over (Law 64, and a house rule of two tricks).

The board is scored by the tricks after the transfer; which of the tricks are transferred makes no difference.
"""

from typing import Final, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from overtrick.core.bridge.cards import UNKNOWN, Bytes
from overtrick.core.bridge.play import TRICKS, Places

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
    own = (won != UNKNOWN) & (won % 2 == side[:, None])
    since = own & (revokes.trick[:, None] <= _TRICK)
    if rule == "law-64":
        cost = _law_64(revokes, won, since)
        cost[_without_cost(revokes, declarer)] = 0
    else:
        cost = np.minimum(2, (since if rule == "two-tricks" else own).sum(axis=1))
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
