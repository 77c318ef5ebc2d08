"""What the templates are given: plain records of ready values. Templates place them and compute nothing.

Numbers that readers see are texts already, in the house's form: a true minus sign, `10` for the ten, `—` for a void.
"""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from overtrick.render.context_summaries import MatchRound, Matrix, Recap, RunningChart, Share, Sheet
    from overtrick.render.context_tables import DoubleDummy, Frequency, Replay

_SEATS_AT_RISK: Final = {
    "N-S": ("North", "South"),
    "E-W": ("East", "West"),
    "Both": ("North", "East", "South", "West"),
}
_AT_RISK_WORDS: Final = {"None": "nobody", "N-S": "North-South", "E-W": "East-West", "Both": "both sides"}


@dataclass(frozen=True)
class SuitHolding:
    """One suit of one hand."""

    suit: str
    """`spades hearts diamonds clubs`."""
    symbol: str
    """The suit's character."""
    ranks: str
    """Ranks as people read them, `A Q 10 4`; `—` for a void."""
    spoken: str
    """For screen readers: `ace queen ten four`; `void`."""
    codes: str = ""
    """Ranks as files write them, `AQT4`; empty for a void."""


@dataclass(frozen=True)
class Hand:
    """One of the four hands."""

    seat: str
    """`North East South West`."""
    suits: tuple[SuitHolding, ...]
    """Spades, hearts, diamonds, clubs; empty when the hand is not known."""
    points: int | None
    """High-card points; None unless thirteen cards are known."""
    spoken: str
    """One sentence for screen readers."""
    shape: str = ""
    """Cards by suit, the longest first, `5431`; empty unless thirteen cards are known."""


@dataclass(frozen=True)
class Contract:
    """A contract for display; all texts empty when unknown."""

    text: str
    """The whole in plain text: `4♠X`, `3NT`, `Pass`; empty when unknown."""
    level: str
    suit: str
    """`spades` ... `clubs`, `notrump`, empty when passed out or unknown."""
    symbol: str
    """The strain: a suit's character or `NT`."""
    doubled: str
    """Empty, `X` or `XX`."""
    spoken: str
    """`4 spades doubled`, `passed out`."""


@dataclass(frozen=True)
class Card:
    """A card for display, such as the opening lead."""

    suit: str
    symbol: str
    rank: str
    spoken: str


@dataclass(frozen=True)
class ContestantRef:
    """A contestant as it is named on other pages."""

    id: str
    names: str
    """Players; the identity again when no file names them."""
    page: str
    """Path of its scorecard from the site's root, `pair-7/index.html`; empty when it has none."""
    players: "tuple[ContestantRef, ...]" = ()
    """The two who sat on this side in an individual, where each is a contestant; else empty."""

    @property
    def number(self) -> str:
        """The identity where it says more than the names do, as a pair's number does; else empty."""
        return "" if self.id == self.names else self.id


@dataclass(frozen=True)
class TravellerRow:
    """One table-result on a board's page."""

    section: str
    round: str
    table: str
    ns: ContestantRef
    ew: ContestantRef
    contract: Contract
    declarer: str
    """`N E S W` or empty."""
    lead: Card | None
    result: str
    """`=`, `+1`, `−2`, empty."""
    tricks: str
    score_ns: str
    """N-S points when N-S gained, else empty; adjusted rows hold `A+` and the like."""
    score_ew: str
    points_ns: str
    points_ew: str
    percentage_ns: str
    percentage_ew: str
    status: str
    """As in `frames.RESULTS`."""
    remark: str
    """What stands in the contract's place when there is none: `Adjusted`, `Bye`, `Not played`; else empty."""
    tables: int
    """How many tables the row stands for."""
    anchor_ns: str
    """Name that links to this row may use, `pair-7`; given once a page, empty the second time."""
    anchor_ew: str
    replay: str = ""
    """Slug of the table's auction and play; empty when neither is known."""


@dataclass(frozen=True)
class BoardPage:
    """A page a board."""

    number: str
    """As a player reads it on the board, `7`; the file's own word where it is no number; empty when there is none."""
    slug: str
    """Folder of the page, `board-7`."""
    dealer: str
    """`North` ... or `unknown`."""
    vulnerable: str
    """`None`, `N-S`, `E-W`, `Both`, `unknown`."""
    hands: tuple[Hand, ...]
    """North, East, South, West; empty when the deal is not known."""
    rows: tuple[TravellerRow, ...]
    """Sorted by the N-S score, best first."""
    datum: str
    """Butler datum with its sign; empty at other methods."""
    previous: str
    """Slug of the board before; empty at the first."""
    next: str
    double_dummy: "tuple[DoubleDummy, ...]" = ()
    """Double-dummy tables with par: as the file states it, as it was computed, or both where they differ."""
    frequencies: "tuple[Frequency, ...]" = ()
    """Best for N-S first."""
    replays: "tuple[Replay, ...]" = ()
    """The tables of which an auction or a play is known."""
    key: str = ""
    """As `lines.board_key` names it."""
    lin: str = ""
    """All tables of the board as LIN; the bare deal where nothing was recorded, empty without a deal."""
    viewer: str = ""
    """Address of the hand viewer that shows the deal; empty where its tables have their own."""
    commentary: tuple[str, ...] = ()
    """Paragraphs that the author of the file wrote about the board."""
    notes: tuple[str, ...] = ()
    """Sentences that a reader of the page must know, such as that the files differ about the cards."""

    @property
    def heading(self) -> str:
        """What the page is called: `Board 7`."""
        return f"Board {self.number}" if self.number else "Board without a number"

    @property
    def replays_apart(self) -> bool:
        """Whether the tables have pages of their own, because there are more than fit beside the results."""
        return len(self.replays) > 2

    @property
    def vulnerable_seats(self) -> tuple[str, ...]:
        """Seats that are vulnerable, as `Hand.seat` names them."""
        return _SEATS_AT_RISK.get(self.vulnerable, ())

    @property
    def vulnerable_words(self) -> str:
        """Who is vulnerable, in words: `nobody`, `North-South`, `both sides`."""
        return _AT_RISK_WORDS.get(self.vulnerable, "unknown")

    @property
    def has_points_counted(self) -> bool:
        """Whether the high-card points of any hand are known."""
        return any(hand.points is not None for hand in self.hands)

    @property
    def has_pairs(self) -> bool:
        """Whether any row says who played."""
        return any(row.ns.id or row.ew.id for row in self.rows)

    @property
    def has_sections(self) -> bool:
        """Whether the rows come from more than one section."""
        return len({row.section for row in self.rows}) > 1

    @property
    def has_leads(self) -> bool:
        """Whether any opening lead is known."""
        return any(row.lead for row in self.rows)

    @property
    def has_points(self) -> bool:
        """Whether any row was scored."""
        return any(row.points_ns or row.points_ew for row in self.rows)

    @property
    def has_percentages(self) -> bool:
        """Whether any row has a percentage."""
        return any(row.percentage_ns or row.percentage_ew for row in self.rows)


@dataclass(frozen=True)
class ScorecardRow:
    """One board on a contestant's scorecard."""

    board: str
    board_page: str
    """Path of the board's page from the site's root."""
    round: str
    direction: str
    """`N-S` or `E-W`."""
    opponents: ContestantRef
    contract: Contract
    declarer: str
    lead: Card | None
    result: str
    score: str
    """From the contestant's side, with sign."""
    points: str
    percentage: str
    """Empty at IMPs."""
    mark: str
    """`top` when nobody in the same seats did as well on the board, `bottom` when nobody did as badly; else empty."""
    status: str
    remark: str
    """As in `TravellerRow`."""
    running: str = ""
    """The score after this board: percent so far, or the sum of points; empty where the board changed nothing."""
    partner: ContestantRef | None = None
    """Who sat opposite in an individual; None in other events."""


@dataclass(frozen=True)
class Scorecard:
    """A page a contestant."""

    contestant: ContestantRef
    slug: str
    direction: str
    """`N-S`, `E-W` in a two-winner field; empty otherwise."""
    rank: str
    """`3`, `4=` when shared; empty when not ranked."""
    total: str
    percentage: str
    boards: str
    rows: tuple[ScorecardRow, ...]
    shares: "tuple[Share, ...]" = ()
    """As declarer and defender, with and against the field."""
    chart: "RunningChart | None" = None
    """The score after each board; None for too few of them."""
    at_tables: bool = True
    """Whether travellers name it, and not only its pairs, as with teams, or only beside a partner."""

    @property
    def has_partners(self) -> bool:
        """Whether partners changed, as in an individual."""
        return any(row.partner for row in self.rows)

    @property
    def has_rounds(self) -> bool:
        """Whether any row says its round."""
        return any(row.round for row in self.rows)

    @property
    def has_opponents(self) -> bool:
        """Whether any row says who the opponents were."""
        return any(row.opponents.id for row in self.rows)

    @property
    def has_leads(self) -> bool:
        """Whether any opening lead is known."""
        return any(row.lead for row in self.rows)

    @property
    def has_points(self) -> bool:
        """Whether any row was scored."""
        return any(row.points for row in self.rows)

    @property
    def has_percentages(self) -> bool:
        """Whether any row has a percentage."""
        return any(row.percentage for row in self.rows)


@dataclass(frozen=True)
class StandingRow:
    """One line of a ranking."""

    rank: str
    contestant: ContestantRef
    total: str
    percentage: str
    boards: str
    anchor: str = ""
    """As in `TravellerRow`."""


@dataclass(frozen=True)
class Ranking:
    """One field's ranking."""

    name: str
    """`NS`, `EW`, `all` or a section's name before these."""
    title: str
    """As a heading: `North-South`, `East-West`, `All pairs`."""
    rows: tuple[StandingRow, ...]


@dataclass(frozen=True)
class ProblemRow:
    """One problem, for the director's page."""

    severity: str
    place: str
    """`file:line:column`."""
    board: str
    message: str
    hint: str


@dataclass(frozen=True)
class SessionPage:
    """What all pages know of the session."""

    title: str
    club: str
    site: str
    date: str
    """As the file states it, `2026-03-01` in ISO form where it is whole; empty when unknown."""
    date_text: str
    """For reading: `1 March 2026`."""
    method: str
    """`Matchpoints`, `Butler IMPs`."""
    points_name: str
    """`MP` or `IMP`."""
    has_percentages: bool
    tables: str
    board_count: str
    policies: tuple[tuple[str, str], ...]
    """Scoring rules applied, as readable pairs."""
    sources: tuple[tuple[str, str], ...]
    """File name, without the folders all files share, and the first twelve digits of its SHA-256."""
    generator: str
    """`overtrick 0.1.0`."""
    rankings: tuple[Ranking, ...] = ()
    boards: tuple[BoardPage, ...] = ()
    scorecards: tuple[Scorecard, ...] = ()
    problems: tuple[ProblemRow, ...] = ()
    recaps: "tuple[Recap, ...]" = ()
    matrix: "Matrix | None" = None
    rounds: "tuple[MatchRound, ...]" = ()
    """Matches of teams."""
    sheets: "tuple[Sheet, ...]" = ()
    """Score sheets of rubber-type games."""
    total_name: str = ""
    """What totals are counted in: `VP` where matches give victory points, else as `points_name`."""
    address: str = ""
    """Where the folder will be found on the web, with a slash at its end; empty when nobody says."""
    noindex: bool = False
    final: bool = False
    provisional_until: str = ""
    """Day up to which results may change, for reading; empty when nobody says."""
    corrections: tuple[tuple[str, str], ...] = ()
    """Day (`2026-03-05`, may be empty) and what was changed."""
    statistics: tuple[tuple[str, str], ...] = field(default_factory=tuple)
    """Readable pairs: passed out, slams bid and made, ..."""
    double_dummy_note: str = ""
    """How to get double-dummy tables that are missing for want of a solver; empty where none are."""

    @property
    def has_deals(self) -> bool:
        """Whether the cards of any board are known."""
        return any(board.hands for board in self.boards)

    @property
    def unranked(self) -> tuple[Scorecard, ...]:
        """Scorecards of those who have no place in any ranking."""
        return tuple(card for card in self.scorecards if not card.rank)
