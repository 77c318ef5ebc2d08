"""What templates are given of a table where a board was played: its auction, its play, its result.

Texts are in English and plain; the templates put them into the reader's language.
"""

from dataclasses import dataclass
from typing import Final

from overtrick.render.context import Card, Contract

TABLE_ORDER: Final = ("West", "North", "East", "South")
"""The columns of auctions and plays, as books have them."""


@dataclass(frozen=True)
class Call:
    """One call of an auction."""

    text: str
    """`1♠`, `Pass`, `X`; `?` for what the file spells in no known way, empty before the first call."""
    level: str
    suit: str
    """As in `Contract`."""
    symbol: str
    spoken: str
    """`1 spade`, `pass`, `double`."""
    mark: str = ""
    """An annotator's judgement, `!`, `??`."""
    alerted: bool = False
    doubled: str = ""
    """Always empty: a call is written as contracts are."""
    note: str = ""
    """Number of its explanation in `Auction.explanations`."""


@dataclass(frozen=True)
class Explanation:
    """What a call means."""

    number: str
    text: str


@dataclass(frozen=True)
class Auction:
    """An auction in rows of four calls: West, North, East, South."""

    rows: tuple[tuple[Call, ...], ...]
    explanations: tuple[Explanation, ...]


@dataclass(frozen=True)
class PlayedCard:
    """A card of a trick."""

    seat: str
    """`North East South West`."""
    card: Card | None
    """None where the file does not say."""
    code: str
    """Suit and rank, `SA`, `HT`; empty where the file does not say."""
    leads: bool
    wins: bool


@dataclass(frozen=True)
class Trick:
    """One trick."""

    number: str
    cards: tuple[PlayedCard, ...]
    """West, North, East, South."""
    winner: str
    """Seat that won it; empty when no one can say."""
    won_ns: str
    """Tricks that N-S have won so far."""
    won_ew: str


@dataclass(frozen=True)
class Play:
    """The play of a board at one table, as far as it was written down."""

    tricks: tuple[Trick, ...]
    rest: int
    """Tricks that are not written down, most often because declarer claimed."""


@dataclass(frozen=True)
class Replay:
    """What happened at one table, card by card."""

    slug: str
    """Names it within its board: `table-3`."""
    heading: str
    """`Open Room`, `Table 3`; empty where the board was played once."""
    players: tuple[str, ...]
    """West, North, East, South; empty where the file names nobody."""
    contract: Contract
    declarer: str
    """Seat, `South`; empty when unknown."""
    result: str
    tricks: str
    score: str
    """Points for N-S with their sign; empty when unknown."""
    auction: Auction | None
    play: Play | None
    viewer: str
    """Address of the hand viewer that shows this table; empty where the deal is not known."""
    anchors: tuple[str, str]
    """Slugs of the scorecards of N-S and E-W; empty texts where they have none."""

    @property
    def named(self) -> bool:
        """Whether any player is named."""
        return any(self.players)


@dataclass(frozen=True)
class MakeableContracts:
    """What one side can make with the cards in sight."""

    side: str
    """`N-S`, `E-W`."""
    contracts: tuple[Contract, ...]
    """The highest of each strain, notrump first; none when nothing makes."""


@dataclass(frozen=True)
class DoubleDummy:
    """Tricks that each hand takes as declarer when all see all cards, and what both sides can hold each other to."""

    rows: tuple[tuple[str, tuple[str, ...]], ...]
    """By seat (`North South East West`) tricks in notrump, spades, hearts, diamonds, clubs; empty texts for unknown."""
    makeable: tuple[MakeableContracts, ...]
    par: str
    """`4♠ · N-S +450`; empty when unknown."""
    origin: str
    """`file` for what the file states; else the program that worked it out."""


@dataclass(frozen=True)
class Frequency:
    """One score of a board and how often it was reached."""

    score: str
    """Points for N-S with their sign."""
    tables: int
    share: str
    """Of the most frequent score, `0.5`: how long its bar is."""
    points_ns: str
    points_ew: str
