"""What an event decides for itself, as tables of `club.toml`: scores and penalties the Director gives, ties, scales."""

from fractions import Fraction
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from overtrick.bridge.victory_points import Scale, from_bounds

TieRule = Literal[
    "who-beat-who", "rematchpoint", "extra-hands", "lot", "opponents", "imps", "imp-quotient", "boards-won"
]


class Table(BaseModel):
    """A table of `club.toml`: no keys that are not known, values of their own kind, nothing changed once read."""

    # Most runs read no club.toml: what holds one against these tables is built when it is first needed, and the
    # defaults are taken with `model_construct`, which doesn't need it.
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, defer_build=True)


class HouseScale(Table):
    """`[scoring.house_scale]`: a club's own scale of victory points, in bands of whole IMPs.

    Attributes:
        total: what winner and loser share.
        margins: the smallest margin of each band, from 0.
        winner: what the winner earns in each band.
    """

    total: int | float = 20
    margins: list[int]
    winner: list[int | float]

    @model_validator(mode="after")
    def _is_a_scale(self) -> Self:
        self.scale()
        return self

    def scale(self) -> Scale:
        """Make the scale; the message of its `ValueError` says what is wrong with the bands."""
        return from_bounds("house", exact(self.total), self.margins, [exact(points) for points in self.winner])


def exact(number: float) -> Fraction:
    """Take a number as it is written in the file: 0.1 is a tenth."""
    return Fraction(str(number))


class Outcome(Table):
    """One outcome of a weighted score.

    Attributes:
        weight: its weight, percent for example.
        score: points for N-S.
    """

    weight: int = Field(ge=1, le=1000)
    score: int = Field(ge=-10_000, le=10_000)


class Split(Table):
    """A split score.

    Attributes:
        ns: points of N-S, for themselves.
        ew: points of E-W, for themselves.
    """

    ns: int = Field(ge=-10_000, le=10_000)
    ew: int = Field(ge=-10_000, le=10_000)


class Adjustment(Table):
    """`[[scoring.adjustments]]`: a score that the Director gives instead of the one that the file states (Law 12C).

    Attributes:
        board: its number; as much of the next five as is needed to name one result goes with it.
        section: as in the results.
        round: the same.
        table: the same.
        ns: the contestant that sat N-S.
        ew: the contestant that sat E-W.
        award: an artificial score for N-S and E-W: ["A+", "A-"], ["60%", "60%"]; or
        assigned: points for N-S; or
        split: points for each side; or
        weighted: outcomes with their weights.
        reason: why, in the Director's words.
    """

    board: int
    section: str | None = None
    round: str | None = None
    table: str | None = None
    ns: str | None = None
    ew: str | None = None
    award: list[str] | None = Field(default=None, min_length=2, max_length=2)
    assigned: int | None = Field(default=None, ge=-10_000, le=10_000)
    split: Split | None = None
    weighted: list[Outcome] | None = Field(default=None, min_length=2)
    reason: str | None = None

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        if sum(kind is not None for kind in (self.award, self.assigned, self.split, self.weighted)) != 1:
            raise ValueError("expected one of award, assigned, split and weighted")
        return self

    @property
    def place(self) -> dict[str, int | str]:
        """What names the result, by column."""
        named = {name: getattr(self, name) for name in ("board", "section", "round", "table", "ns", "ew")}
        return {name: value for name, value in named.items() if value is not None}


class Fouled(Table):
    """`[[scoring.fouled]]`: tables that played a board in another form than the rest did (Law 87).

    Files that hold both deals say it themselves.

    Attributes:
        board: its number.
        ns: the N-S contestants of those tables; they are compared with each other, and the rest by themselves.
        section: where numbers repeat from one section to the next.
        reason: how it came about.
    """

    board: int
    ns: list[str] = Field(min_length=1)
    section: str | None = None
    reason: str | None = None


class OfContestant(Table):
    """What is said of one contestant.

    Attributes:
        contestant: number or name, as in the ranking.
        direction: where it is needed to tell the contestant from another one of that number.
        section: the same.
    """

    contestant: str
    direction: Literal["NS", "EW"] | None = None
    section: str | None = None


class Penalty(OfContestant):
    """`[[scoring.penalties]]`: what a contestant loses (Laws 90 and 91); nobody else gains by it.

    Attributes:
        amount: how much.
        unit: "points" of the total (matchpoints, 2 a pair beaten; IMPs; victory points), parts of the "top" of a board,
            or "percent" of the contestant's session.
        reason: why.
    """

    amount: int | float = Field(gt=0)
    unit: Literal["points", "top", "percent"] = "points"
    reason: str | None = None


class Handicap(OfContestant):
    """`[[scoring.handicaps]]`: what a contestant gets in a ranking of its own.

    Attributes:
        amount: percent at matchpoints, else points.
    """

    amount: int | float


class CarryOver(OfContestant):
    """`[[scoring.carry_overs]]`: what a contestant brings from an earlier stage, as `points` or as `score` and `top`.

    Attributes:
        points: points of the total, as they are carried.
        score: the score of the stage before, S, of which S * FT / (2 * QT) is carried; FT is the top of this session.
        top: the top of the stage before, QT.
    """

    points: int | float | None = None
    score: int | float | None = None
    top: int | float | None = Field(default=None, gt=0)

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if (self.points is None) == (self.score is None) or (self.score is None) != (self.top is None):
            raise ValueError("expected points, or score and top of the stage before")
        return self


class TieBreak(Table):
    """One rule of `tie_breaks`, where it is for a tie of a certain size only.

    Attributes:
        rule: its name.
        at_least: how many have to be tied.
        at_most: how many may be tied.
    """

    rule: TieRule
    at_least: int = Field(default=2, ge=2)
    at_most: int | None = Field(default=None, ge=2)
