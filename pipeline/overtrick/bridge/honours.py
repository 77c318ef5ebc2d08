"""Honours (Laws of Contract Bridge 1993, Law 80): four or five trump honours, or all aces at notrump, in one hand."""

from typing import Final

import numpy as np
import numpy.typing as npt
import polars as pl

from overtrick.bridge.cards import RANKS, STRAINS, Bytes

FOUR: Final = 100
FIVE: Final = 150
ALL_ACES: Final = 150

_TEN: Final = RANKS.index("T")
_NOTRUMP: Final = STRAINS.index("NT")


def honours(owner: Bytes, strain: pl.Series) -> npt.NDArray[np.int32]:
    """Find what each seat holds.

    Args:
        owner: the matrix of `bridge.cards.owners`, shape (deals, 52).
        strain: of each contract, `C D H S NT`; null earns nothing.

    Returns:
        Points by seat, shape (deals, 4), int32: 100 for four trump honours, 150 for five or for four aces at notrump.
    """
    by_suit = owner.reshape(len(owner), 4, 13)
    codes = strain.cast(pl.String).replace_strict(STRAINS, range(5), return_dtype=pl.Int64, default=-1)
    trumps = codes.fill_null(-1).to_numpy()
    rows = np.arange(len(owner))
    suit = np.where((trumps >= 0) & (trumps < _NOTRUMP), trumps, 0)
    held = np.stack([(by_suit[rows, suit, _TEN:] == seat).sum(axis=1) for seat in range(4)], axis=1)
    aces = np.stack([(by_suit[:, :, -1] == seat).sum(axis=1) for seat in range(4)], axis=1)
    in_trumps = np.select([held == 5, held == 4], [FIVE, FOUR], 0)
    at_notrump = np.where(aces == 4, ALL_ACES, 0)
    points = np.where(trumps[:, None] == _NOTRUMP, at_notrump, np.where(trumps[:, None] >= 0, in_trumps, 0))
    return points.astype(np.int32)
