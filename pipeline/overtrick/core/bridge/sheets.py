"""Score sheets of the games that are not duplicate: what each deal puts below and above the line, and for whom.

Rubber, Chicago and the four-hand match differ in what a game earns and when a side is vulnerable. What a single deal
adds to the sheet is the same for all (Laws of Contract Bridge 1993, 72-81): the parts of the score of Law 77.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from overtrick.core.bridge.cards import RANKS, STRAINS, Bytes
from overtrick.core.bridge.score import doubled_points, overtrick_points, slam_points, trick_points, undertrick_points

FOUR_HONOURS: Final = 100
FIVE_HONOURS: Final = 150
ALL_ACES: Final = 150

_TEN: Final = RANKS.index("T")
_NOTRUMP: Final = STRAINS.index("NT")

Side = Literal["NS", "EW"]
SIDES: Final[tuple[Side, Side]] = ("NS", "EW")

Kind = Literal[
    "tricks", "overtricks", "doubled", "slam", "undertricks", "honours", "game", "rubber", "part-score", "conduct"
]
"""The reason for points: `tricks` are written below the line, `doubled` is the bonus for making a doubled contract."""


@dataclass(frozen=True)
class Deal:
    """One deal as it was played.

    Attributes:
        level: of the contract, 1-7; 0 when the deal was passed out.
        strain: of the contract; None when passed out.
        doubled: 0, 1 doubled, 2 redoubled.
        declarer: `N E S W`; None when passed out.
        tricks: declarer's, 0-13; None when passed out.
        honours_ns: points for honours that N-S held in one hand: 100 or 150, and 0 where none count.
        honours_ew: the same for E-W.
        conduct_ns: points that N-S lose for their conduct.
        conduct_ew: the same for E-W.
        dealer: `N E S W`, where stated.
        vulnerable: `None NS EW All`, where stated; a game that decides it by its own rules ignores it.
    """

    level: int
    strain: str | None = None
    doubled: int = 0
    declarer: str | None = None
    tricks: int | None = None
    honours_ns: int = 0
    honours_ew: int = 0
    conduct_ns: int = 0
    conduct_ew: int = 0
    dealer: str | None = None
    vulnerable: str | None = None

    @property
    def side(self) -> Side | None:
        """The declaring side; None when passed out."""
        return None if self.level == 0 or self.declarer is None else side_of(self.declarer)


class Entry(NamedTuple):
    """Points that a side writes on the sheet.

    Attributes:
        deal: number of the deal that earned them, from 0; None for points settled after the last deal.
        side: whose they are.
        kind: what they are for.
        points: negative only for conduct.
        game: number of the game of the sheet in which they were written, from 0.
    """

    deal: int | None
    side: Side
    kind: Kind
    points: int
    game: int = 0

    @property
    def below(self) -> bool:
        """Whether they are written below the line, where they count towards game."""
        return self.kind == "tricks"


class Sheet(NamedTuple):
    """A finished sheet: of a rubber, of four deals of Chicago, of a four-hand match.

    Attributes:
        entries: in the order in which they were written.
        deals: how many deals are on it, including passed-out ones.
        finished: whether the rubber was won, or all the deals of the round were played.
    """

    entries: tuple[Entry, ...]
    deals: int
    finished: bool

    def total(self, side: Side) -> int:
        """Add up the points of a side, above and below the line."""
        return sum(entry.points for entry in self.entries if entry.side == side)

    @property
    def totals(self) -> tuple[int, int]:
        """The points of N-S and E-W."""
        return self.total("NS"), self.total("EW")

    def running(self) -> list[tuple[int, int]]:
        """Return the totals after each deal, without what was settled at the end."""
        until = (tuple(e for e in self.entries if e.deal in range(number + 1)) for number in range(self.deals))
        return [self._replace(entries=entries).totals for entries in until]


class Worth(NamedTuple):
    """The points of a contract by itself at one vulnerability, for declarer or for the defenders."""

    tricks: int
    overtricks: int
    doubled: int
    slam: int
    undertricks: int


def side_of(seat: str) -> Side:
    """Return the side of a seat."""
    return "NS" if seat in {"N", "S"} else "EW"


def other_side(side: Side) -> Side:
    """Return the opponents of a side."""
    return "EW" if side == "NS" else "NS"


def worths(deals: Sequence[Deal]) -> list[tuple[Worth, Worth]]:
    """Split each contract into its parts, for declarer not vulnerable and for declarer vulnerable.

    Raises:
        ValueError: a deal that was not passed out lacks its strain, declarer or tricks.
    """
    if any(deal.level and None in {deal.strain, deal.declarer, deal.tricks} for deal in deals):
        raise ValueError("a contract needs its strain, its declarer and its tricks")
    columns = ("level", "strain", "doubled", "tricks")
    types = {"level": pl.Int32, "strain": pl.String, "doubled": pl.Int32, "tricks": pl.Int32}
    table = pl.DataFrame({name: [getattr(deal, name) for deal in deals] for name in columns}, schema=types)
    by_vulnerability = [
        [Worth(*row) for row in table.select(**deal_parts(pl.lit(vulnerable))).iter_rows()]
        for vulnerable in (False, True)
    ]
    return list(zip(*by_vulnerability, strict=True))


def deal_entries(number: int, deal: Deal, worth: Worth, game: int = 0) -> Iterator[Entry]:
    """List what a deal earns by itself; bonuses for games and rubbers follow the rules of each game."""
    if deal.side is not None:
        defenders = other_side(deal.side)
        yield from written(
            Entry(number, deal.side, "tricks", worth.tricks, game),
            Entry(number, deal.side, "overtricks", worth.overtricks, game),
            Entry(number, deal.side, "doubled", worth.doubled, game),
            Entry(number, deal.side, "slam", worth.slam, game),
            Entry(number, defenders, "undertricks", worth.undertricks, game),
        )
    yield from written(
        Entry(number, "NS", "honours", deal.honours_ns, game),
        Entry(number, "EW", "honours", deal.honours_ew, game),
        Entry(number, "NS", "conduct", -deal.conduct_ns, game),
        Entry(number, "EW", "conduct", -deal.conduct_ew, game),
    )


def written(*entries: Entry) -> Iterator[Entry]:
    """Leave out entries of 0 points."""
    return (entry for entry in entries if entry.points)


def only_side(sides: Iterable[Side]) -> Side | None:
    """Return the side if there is only one; None for none or both."""
    several = set(sides)
    return several.pop() if len(several) == 1 else None


def deal_parts(vulnerable: pl.Expr) -> dict[str, pl.Expr]:
    """Split contracts: the fields of `Worth` as expressions over `level strain doubled tricks`; 0 for none."""
    strain, doubled = pl.col("strain"), pl.col("doubled")
    level = pl.col("level").cast(pl.Int32)
    over = pl.col("tricks").cast(pl.Int32) - level - 6
    is_made, zero = (over >= 0) & (level > 0), pl.lit(0, dtype=pl.Int32)
    parts = {
        "tricks": pl.when(is_made).then(trick_points(level, strain, doubled)),
        "overtricks": pl.when(is_made).then(overtrick_points(strain, doubled, vulnerable, over)),
        "doubled": pl.when(is_made).then(doubled_points(doubled)),
        "slam": pl.when(is_made).then(slam_points(level, vulnerable)),
        "undertricks": pl.when((over < 0) & (level > 0)).then(undertrick_points(doubled, vulnerable, -over)),
    }
    return {name: part.otherwise(zero).fill_null(0) for name, part in parts.items()}


def honours(owner: Bytes, strain: pl.Series) -> npt.NDArray[np.int32]:
    """Return the points of each seat for honours (Laws of Contract Bridge 1993, Law 80).

    Args:
        owner: the matrix of `bridge.cards.owners`, shape (deals, 52).
        strain: of each contract, `C D H S NT`; null earns nothing.

    Returns:
        Points by seat, shape (deals, 4), int32: 100 for four trump honours, 150 for five or for four aces at notrump.
    """
    # Spades are trump; two deals by who holds the S T J Q K A:
    #
    #     owner of T J Q K A   held by N E S W   in_trumps
    #     0 0 2 0 0            4 0 1 0           100 0 0 0
    #     1 1 1 1 1            0 5 0 0           0 150 0 0
    by_suit = owner.reshape(len(owner), 4, 13)
    codes = strain.cast(pl.String).replace_strict(STRAINS, range(5), return_dtype=pl.Int64, default=-1)
    trumps = codes.fill_null(-1).to_numpy()
    rows = np.arange(len(owner))
    suit = np.where((trumps >= 0) & (trumps < _NOTRUMP), trumps, 0)
    trumps_held = np.stack([(by_suit[rows, suit, _TEN:] == seat).sum(axis=1) for seat in range(4)], axis=1)
    aces = np.stack([(by_suit[:, :, -1] == seat).sum(axis=1) for seat in range(4)], axis=1)
    in_trumps = np.select([trumps_held == 5, trumps_held == 4], [FIVE_HONOURS, FOUR_HONOURS], 0)
    at_notrump = np.where(aces == 4, ALL_ACES, 0)
    points = np.where(trumps[:, None] == _NOTRUMP, at_notrump, np.where(trumps[:, None] >= 0, in_trumps, 0))
    return points.astype(np.int32)
