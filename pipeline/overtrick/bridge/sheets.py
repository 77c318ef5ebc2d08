"""Score sheets of the games that are not duplicate: what each deal puts below and above the line, and for whom.

Rubber, Chicago and the four-hand match differ in what a game earns and when a side is vulnerable; what a single deal
puts on the sheet is the same for all (Laws of Contract Bridge 1993, 72-81), and is Law 77 taken apart.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import polars as pl

from overtrick.bridge.score import (
    doubled_points,
    overtrick_points,
    slam_points,
    trick_points,
    undertrick_points,
)

Side = Literal["NS", "EW"]
SIDES: Final[tuple[Side, Side]] = ("NS", "EW")

Kind = Literal[
    "tricks",
    "overtricks",
    "doubled",
    "slam",
    "undertricks",
    "honours",
    "game",
    "rubber",
    "part-score",
    "conduct",
]
"""What points are for: `tricks` are those below the line, `doubled` the bonus for making a doubled contract."""


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
        vulnerable: `None NS EW All`, where stated; games that find it out themselves don't look.
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


@dataclass(frozen=True)
class Entry:
    """Points that a side writes on the sheet.

    Attributes:
        deal: number of the deal that earned them, from 0; None for what is settled after the last.
        side: whose they are.
        kind: what they are for.
        points: never negative but for conduct.
        game: number of the game of the sheet in which they were written, from 0.
    """

    deal: int | None
    side: Side
    kind: Kind
    points: int
    game: int = 0

    @property
    def below(self) -> bool:
        """Whether they stand below the line, where they count towards game."""
        return self.kind == "tricks"


@dataclass(frozen=True)
class Sheet:
    """A finished sheet: of a rubber, of four deals of Chicago, of a four-hand match.

    Attributes:
        entries: in the order in which they were written.
        deals: how many deals stand on it, passed-out ones too.
        finished: whether the rubber was won, or all the deals of the round were played.
    """

    entries: tuple[Entry, ...]
    deals: int
    finished: bool

    def total(self, side: Side) -> int:
        """Add up what a side has, above and below the line."""
        return sum(entry.points for entry in self.entries if entry.side == side)

    @property
    def totals(self) -> tuple[int, int]:
        """What N-S and E-W have."""
        return self.total("NS"), self.total("EW")

    def running(self) -> list[tuple[int, int]]:
        """Give the totals after each deal, without what was settled at the end."""
        return [
            (
                sum(e.points for e in self.entries if e.side == "NS" and e.deal is not None and e.deal <= number),
                sum(e.points for e in self.entries if e.side == "EW" and e.deal is not None and e.deal <= number),
            )
            for number in range(self.deals)
        ]


@dataclass(frozen=True)
class Worth:
    """What a contract puts on the sheet at one vulnerability, by itself: points of declarer, or of the defenders."""

    tricks: int
    overtricks: int
    doubled: int
    slam: int
    undertricks: int


def side_of(seat: str) -> Side:
    """Give the side that a seat belongs to."""
    return "NS" if seat in {"N", "S"} else "EW"


def other_side(side: Side) -> Side:
    """Give the opponents."""
    return "EW" if side == "NS" else "NS"


def worths(deals: Sequence[Deal]) -> list[tuple[Worth, Worth]]:
    """Take each contract apart, for declarer not vulnerable and for declarer vulnerable.

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
    """Write what a deal earns by itself: bonuses for games and rubbers are the game's own."""
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
    """Leave out entries of nothing."""
    return (entry for entry in entries if entry.points)


def only_side(sides: Iterable[Side]) -> Side | None:
    """Give the side if it is the only one of these; None for none or both."""
    several = set(sides)
    return several.pop() if len(several) == 1 else None


def deal_parts(vulnerable: pl.Expr) -> dict[str, pl.Expr]:
    """Take contracts apart: the fields of `Worth` as expressions over `level strain doubled tricks`; 0 for none."""
    strain, doubled = pl.col("strain"), pl.col("doubled")
    level = pl.col("level").cast(pl.Int32)
    over = pl.col("tricks").cast(pl.Int32) - level - 6
    made, zero = (over >= 0) & (level > 0), pl.lit(0, dtype=pl.Int32)
    parts = {
        "tricks": pl.when(made).then(trick_points(level, strain, doubled)),
        "overtricks": pl.when(made).then(overtrick_points(strain, doubled, vulnerable, over)),
        "doubled": pl.when(made).then(doubled_points(doubled)),
        "slam": pl.when(made).then(slam_points(level, vulnerable)),
        "undertricks": pl.when((over < 0) & (level > 0)).then(undertrick_points(doubled, vulnerable, -over)),
    }
    return {name: part.otherwise(zero).fill_null(0) for name, part in parts.items()}
