"""Par: the score of a board when all four players see all cards, and the contracts that reach it.

The bidding is then a game without chance. A side may accept a contract, doubled if it goes down, or bid over it; going
back from 7NT gives the worth of each bid, and par is the worth of the first bid, with the dealer's side to begin. It is
computed for all boards at once.
"""

from functools import cache
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from overtrick.core.bridge.cards import SEATS, STRAINS, Bytes, high_card_points, owners
from overtrick.core.bridge.play import Mask
from overtrick.core.bridge.score import contract_score

_BALANCED: Final = ("4333", "4432", "5332")
_HAND: Final = 13


def suit_lengths(owner: Bytes) -> Bytes:
    """Count the cards of each suit in each hand.

    Args:
        owner: the matrix of `cards.owners`, shape (deals, 52).

    Returns:
        Cards by seat and suit, clubs first, shape (deals, 4, 4), dtype uint8.
    """
    suits = owner.reshape(-1, 4, 13)
    return np.stack([(suits == seat).sum(axis=2, dtype=np.uint8) for seat in range(4)], axis=1)


def evaluated(deals: pl.Series) -> pl.DataFrame:
    """Evaluate the hands of deals.

    Args:
        deals: canonical deals (`frames.RECORDS["deal"]`).

    Returns:
        One row a deal; null for a hand that is not shown with all thirteen cards. By seat (`n e s w`):

        - `points_n`, UInt8: high card points, 0 to 37
        - `lengths_n`, String: cards in spades, hearts, diamonds and clubs, `5=4=3=1`
        - `shape_n`, String: the same by length, the longest suit first, `5431`
        - `balanced_n`, Boolean: 4333, 4432 or 5332
        - `short_n`, UInt8: points for short suits, 3 for a void, 2 for a singleton, 1 for a doubleton
        - `long_n`, UInt8: points for long suits, 1 for each card after the fourth of a suit

        The two countings of distribution are alternatives: their sum means nothing.
    """
    owner = owners(deals)
    points, lengths = high_card_points(owner), suit_lengths(owner)
    whole = lengths.sum(axis=2) == _HAND
    hands = [_hand(points[:, seat], lengths[:, seat, ::-1], whole[:, seat], SEATS[seat]) for seat in range(4)]
    return pl.concat(hands, how="horizontal")


def _hand(points: Bytes, lengths: Bytes, whole: Mask, seat: str) -> pl.DataFrame:
    """Return the columns of one seat; `lengths` has spades first."""
    suits = {f"suit{place}": lengths[:, place] for place in range(4)}
    longest = {f"long{place}": np.sort(lengths, axis=1)[:, 3 - place] for place in range(4)}
    frame = pl.DataFrame({"points": points, "whole": whole, **suits, **longest})
    name = seat.lower()
    shape = pl.concat_str(list(longest))
    values = {
        f"points_{name}": pl.col("points"),
        f"lengths_{name}": pl.concat_str(list(suits), separator="="),
        f"shape_{name}": shape,
        f"balanced_{name}": shape.is_in(_BALANCED),
        f"short_{name}": pl.sum_horizontal(3 - pl.min_horizontal(pl.col(suit), 3) for suit in suits),
        f"long_{name}": pl.sum_horizontal(pl.max_horizontal(pl.col(suit), 4) - 4 for suit in suits),
    }
    return frame.select(pl.when("whole").then(value).alias(column) for column, value in values.items())


Tables = npt.NDArray[np.uint8]
"""Double-dummy tables, shape (boards, 20): tricks of each declarer, N E S W, in C D H S NT; `UNKNOWN` where unknown."""
Points = npt.NDArray[np.int32]

LEVELS: Final = 7
BIDS: Final = LEVELS * len(STRAINS)
TRICKS: Final = 13

_OWN: Final = np.array([[1], [-1]], dtype=np.int32)


class Par(NamedTuple):
    """Par of a number of boards."""

    score: Points
    """For N-S, shape (boards,); 0 where nothing can be made."""
    board: npt.NDArray[np.int64]
    """The board of each par contract; the other arrays are as long. None for a score of 0."""
    bid: npt.NDArray[np.int64]
    """`5 * (level - 1) + strain`: the lowest bid of its strain that the opponents accept at this score."""
    side: npt.NDArray[np.int64]
    """0 N-S, 1 E-W."""
    partners: Mask
    """Whether North or East, and whether South or West reaches this score as declarer, shape (contracts, 2)."""
    tricks: npt.NDArray[np.int64]
    """The tricks that they take."""


def order_tricks(seats: str, strains: str, *, strain_first: bool = False) -> npt.NDArray[np.int64]:
    """Return the place of each number of `Tables` in a form with these orders of seats and strains: shape (20,)."""
    seat = np.array([seats.index(name) for name in SEATS])[:, None]
    strain = np.array([strains.index(name[0]) for name in STRAINS])[None, :]
    return np.ravel(4 * strain + seat if strain_first else 5 * seat + strain).astype(np.int64)


IN_PBN: Final = order_tricks("NSEW", "NSHDC")
"""The place of each number in PBN's `DoubleDummyTricks`."""


def is_whole(tables: Tables) -> Mask:
    """Return which tables have all twenty numbers, each of them possible."""
    whole: Mask = np.all(tables <= TRICKS, axis=1)
    return whole


def makeable(tables: Tables) -> Tables:
    """Return the highest level that each side makes in each strain, shape (boards, 2, 5); 0 for none or not known."""
    seats = tables.reshape(-1, 4, 5)
    known = np.where(seats <= TRICKS, seats, 0).astype(np.int64)
    levels: Tables = np.clip(known.reshape(-1, 2, 2, 5).max(axis=1) - 6, 0, LEVELS).astype(np.uint8)
    return levels


def par(tables: Tables, dealer: npt.NDArray[np.int64], vulnerable: Mask) -> Par:
    """Compute par.

    Args:
        tables: complete ones (`is_whole`).
        dealer: seats, shape (boards,). It matters only where the side that bids first gains by it.
        vulnerable: N-S and E-W, shape (boards, 2).
    """
    scores = _scores(tables, vulnerable)
    best = scores.max(axis=2) * _OWN
    worth, first = _worth(best)
    ns_deals = dealer % 2 == 0
    points = np.where(ns_deals, _opened(first[:, 0], first[:, 1]), -_opened(-first[:, 1], -first[:, 0]))
    at_par = (worth == best) & (best == points[:, None, None]) & (points != 0)[:, None, None]
    stands = at_par & (_above(best) <= -_OWN * points[:, None, None])
    board, side, strain = np.nonzero(stands.reshape(-1, 2, LEVELS, 5).any(axis=2))
    level = stands.reshape(-1, 2, LEVELS, 5).argmax(axis=2)[board, side, strain]
    bid = 5 * level + strain
    partners = scores[board, side, :, bid] == best[board, side, bid][:, None] * np.where(side == 0, 1, -1)[:, None]
    seat = side + 2 * partners.argmax(axis=1)
    tricks = tables.reshape(-1, 4, 5)[board, seat, strain].astype(np.int64)
    return Par(points.astype(np.int32), board, bid, side, partners, tricks)


def _scores(tables: Tables, vulnerable: Mask) -> Points:
    """Score every bid for its own side, shape (boards, side, partner, bid)."""
    seats = tables.reshape(-1, 4, 5).astype(np.int64)
    by_side = np.stack([seats[:, ::2], seats[:, 1::2]], axis=1)
    scores = _score_table()[vulnerable.astype(np.int64)[:, :, None, None], np.arange(5), by_side]
    return np.swapaxes(scores, -1, -2).reshape(len(tables), 2, 2, BIDS)


def _worth(best: Points) -> tuple[Points, Points]:
    """Go back from 7NT: return the worth of each bid for N-S, and of the best first bid of each side."""
    # N-S make ten tricks in spades, E-W nine in hearts, and neither side is vulnerable:
    #
    #     bid  side  best  worth
    #     5H   E-W   300   300      two down doubled, and N-S have no better bid above it
    #     4S   N-S   420   300      min(420, 300), as E-W bid 5H over it
    #     4H   E-W   100   300      max(100, 300), as N-S bid 4S over it
    #     3S   N-S   170   170      min(170, 300), as E-W let them play
    #
    # The best first bid of either side is worth 300: par is 5H doubled, two down.
    worth = np.empty_like(best)
    ns = np.full(len(best), np.iinfo(best.dtype).min, dtype=best.dtype)
    ew = np.full(len(best), np.iinfo(best.dtype).max, dtype=best.dtype)
    for bid in reversed(range(BIDS)):
        worth[:, 0, bid] = np.minimum(best[:, 0, bid], ew)
        worth[:, 1, bid] = np.maximum(best[:, 1, bid], ns)
        ns = np.maximum(ns, worth[:, 0, bid])
        ew = np.minimum(ew, worth[:, 1, bid])
    return worth, np.stack([ns, ew], axis=1)


def _above(best: Points) -> Points:
    """Return the most that the opponents score, for their own side, with a contract above each bid."""
    theirs = (best * _OWN)[:, ::-1]
    at_least = np.maximum.accumulate(theirs[:, :, ::-1], axis=2)[:, :, ::-1]
    above = np.full_like(best, np.iinfo(best.dtype).min)
    above[:, :, :-1] = at_least[:, :, 1:]
    return above


def _opened(dealing: Points, other: Points) -> Points:
    """Let the four players in turn open or pass; four passes are worth 0. Higher is better for the dealing side."""
    fourth = np.minimum(other, 0)
    third = np.maximum(dealing, fourth)
    opened: Points = np.maximum(dealing, np.minimum(other, third))
    return opened


@cache
def _score_table() -> Points:
    """Score by vulnerability, strain, tricks and level, shape (2, 5, 14, 7): doubled where it goes down."""
    grid = np.indices((2, len(STRAINS), TRICKS + 1, LEVELS)).reshape(4, -1)
    frame = pl.DataFrame(dict(zip(("vulnerable", "strain", "tricks", "level"), grid, strict=True))).with_columns(
        pl.col("vulnerable") == 1,
        pl.col("strain").replace_strict(dict(enumerate(STRAINS)), return_dtype=pl.String),
        pl.col("level") + 1,
    )
    down = (pl.col("tricks") < pl.col("level") + 6).cast(pl.Int32)
    level, strain, vulnerable, tricks = map(pl.col, ("level", "strain", "vulnerable", "tricks"))
    score = frame.select(contract_score(level, strain, down, vulnerable, tricks)).to_series()
    return score.to_numpy().reshape(2, len(STRAINS), TRICKS + 1, LEVELS)
