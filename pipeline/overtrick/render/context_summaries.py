"""What templates are given beside boards and rankings: scorecard figures, recap, matrix, matches and score sheets."""

from dataclasses import dataclass

from overtrick.render.context import ContestantRef


@dataclass(frozen=True)
class Share:
    """How a contestant did on a part of the boards."""

    name: str
    """`Declaring`, `Defending`, `With the field`, `Against the field`."""
    boards: str
    average: str
    """Percent, or points a board where there are no percentages."""


@dataclass(frozen=True)
class RunningChart:
    """The score after each board as a line; the scorecard's last column says the same in numbers."""

    line: str
    """Points of an SVG polyline, in a box 100 wide and 40 high."""
    level: str
    """Height of the line of an average score in that box."""
    area: str
    """The same line closed along the level, for its shade."""
    highest: str
    lowest: str
    last: str
    first_board: str
    last_board: str
    highest_board: str
    """Board after which the score was at its highest."""
    lowest_board: str


@dataclass(frozen=True)
class RecapCell:
    """A contestant's score on one board of the recap sheet; empty texts where it did not play."""

    points: str
    """With a `/` between where it played the board more than once, as the next."""
    percentage: str
    """Without decimal places; empty at IMPs."""
    mark: str
    """As in `ScorecardRow`."""


@dataclass(frozen=True)
class RecapRow:
    """One contestant of the recap sheet."""

    contestant: ContestantRef
    rank: str
    total: str
    percentage: str
    cells: tuple[RecapCell, ...]


@dataclass(frozen=True)
class Recap:
    """The recap sheet of one ranking: contestants by boards."""

    title: str
    boards: tuple[tuple[str, str], ...]
    """Number and page of each board."""
    rows: tuple[RecapRow, ...]


@dataclass(frozen=True)
class MatrixRow:
    """One contestant of the matrix."""

    contestant: ContestantRef
    cells: tuple[str, ...]
    """What it won against each of `Matrix.columns`: percent, or points; empty where they did not meet."""


@dataclass(frozen=True)
class Matrix:
    """Who did how well against whom."""

    columns: tuple[ContestantRef, ...]
    rows: tuple[MatrixRow, ...]
    percent: bool
    """Whether cells are percent."""


@dataclass(frozen=True)
class MatchRow:
    """A match of two teams."""

    team: ContestantRef
    opponents: ContestantRef
    boards: str
    points: str
    points_opponents: str
    victory_points: str
    """Empty without a scale, as the next."""
    victory_points_opponents: str


@dataclass(frozen=True)
class MatchRound:
    """The matches of one round."""

    title: str
    """`Section A, round 3`; empty where the files name none."""
    rows: tuple[MatchRow, ...]


@dataclass(frozen=True)
class SheetEntry:
    """One line of a score sheet; the four columns are empty but one."""

    deal: str
    kind: str
    """What it is for, as `bridge.sheets.Kind` names it."""
    above_ns: str
    below_ns: str
    above_ew: str
    below_ew: str
    new_game: bool
    """Whether a line is drawn before it, because a new game begins."""


@dataclass(frozen=True)
class Sheet:
    """The score sheet of a rubber, a round of Chicago or a match of four hands."""

    title: str
    ns: ContestantRef
    ew: ContestantRef
    entries: tuple[SheetEntry, ...]
    total_ns: str
    total_ew: str
