"""`[scoring]` of `club.toml`: how a session is scored, and what the Director decides in one session."""

from fnmatch import fnmatch
from fractions import Fraction
from pathlib import PurePath
from typing import Annotated, Final, Literal, Self

from pydantic import AfterValidator, Field, PlainValidator, model_validator

from overtrick.core.bridge.methods import METHODS, MethodName
from overtrick.core.bridge.victory_points import Scale, ScaleName, from_bounds
from overtrick.core.config.file import Table, exact

Datum = Literal["mean", "mean-2", "mean-5%", "mean-scaled", "median", "stated"]
"""The score that Butler compares with; `Scoring.datum` explains each value."""

TieRule = Literal[
    "who-beat-who", "rematchpoint", "extra-hands", "lot", "opponents", "imps", "imp-quotient", "boards-won"
]


OF_ONE_EVENING: Final = ("adjustments", "fouled", "penalties", "carry_overs", "decided_ties")
"""Keys of `Scoring` that the corrections of an evening fill, and no `club.toml`."""


class HouseScale(Table):
    """`[scoring.house_scale]`: the club's own victory point scale, in bands of whole IMPs.

    Attributes:
        total: the victory points that winner and loser share.
        margins: the smallest margin of each band, starting at 0.
        winner: the winner's victory points in each band.
    """

    total: int | float = 20
    margins: list[int]
    winner: list[int | float]

    @model_validator(mode="after")
    def _is_a_scale(self) -> Self:
        self.scale()
        return self

    def scale(self) -> Scale:
        """Return the scale.

        Raises:
            ValueError: the bands are not a scale; the message says why.
        """
        return from_bounds("house", exact(self.total), self.margins, [exact(points) for points in self.winner])


class Outcome(Table):
    """One outcome of a weighted score.

    Attributes:
        weight: the weight, for example in percent.
        score: points for N-S.
    """

    weight: int = Field(ge=1, le=1000)
    score: int = Field(ge=-10_000, le=10_000)


class Split(Table):
    """A split score.

    Attributes:
        ns: points for N-S, from N-S's point of view.
        ew: points for E-W, from E-W's point of view.
    """

    ns: int = Field(ge=-10_000, le=10_000)
    ew: int = Field(ge=-10_000, le=10_000)


class Adjustment(Table):
    """A score that the Director awards in place of the score in the file (Law 12C).

    Give one of `award`, `assigned`, `split` and `weighted`.

    Attributes:
        board: the board number. Add as many of the next five keys as it takes to identify one result.
        section: the section, as in the results.
        round: the round, as in the results.
        table: the table, as in the results.
        ns: the contestant that sat N-S.
        ew: the contestant that sat E-W.
        award: an artificial score for N-S and for E-W: ["A+", "A-"] or ["60%", "60%"].
        assigned: points for N-S.
        split: points for each side.
        weighted: outcomes with their weights.
        reason: the reason, in the Director's words.
        source: the file of the result, if several files are read.
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
    source: str | None = None

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        if sum(kind is not None for kind in (self.award, self.assigned, self.split, self.weighted)) != 1:
            raise ValueError("expected one of award, assigned, split and weighted")
        return self

    @property
    def place(self) -> dict[str, int | str]:
        """The keys that identify the result, by column of `results`."""
        named = {name: getattr(self, name) for name in ("source", "board", "section", "round", "table", "ns", "ew")}
        return {name: value for name, value in named.items() if value is not None}


class Fouled(Table):
    """Tables that played a board in a different form from the rest (Law 87).

    A file that holds both deals needs no entry here.

    Attributes:
        board: the board number.
        ns: the N-S contestants of those tables. They are compared with each other, and the other tables likewise.
        section: the section, if board numbers repeat in other sections.
        reason: how it happened.
    """

    board: int
    ns: list[str] = Field(min_length=1)
    section: str | None = None
    reason: str | None = None


class OfContestant(Table):
    """An entry about one contestant.

    Attributes:
        contestant: the contestant's number or name, as in the ranking.
        direction: the direction, if another contestant has the same number.
        section: the section, if another contestant has the same number.
    """

    contestant: str
    direction: Literal["NS", "EW"] | None = None
    section: str | None = None


class Penalty(OfContestant):
    """A loss of a contestant (Laws 90 and 91). No other contestant gains by it.

    Attributes:
        amount: how much.
        unit: "points" of the total (matchpoints at 2 per pair beaten, IMPs or victory points), parts of a board's
            "top", or "percent" of the contestant's session.
        reason: the reason.
    """

    amount: int | float = Field(gt=0)
    unit: Literal["points", "top", "percent"] = "points"
    reason: str | None = None


class Handicap(OfContestant):
    """`[[scoring.handicaps]]`: what a contestant receives in the ranking with handicaps.

    Attributes:
        amount: percent at matchpoints, otherwise points.
    """

    amount: int | float


class EarlierStage(Table):
    """The result of an earlier stage: `points`, or `score` and `top`.

    Attributes:
        points: points to add to the total.
        score: the score S of the earlier stage. It carries over S * FT / (2 * QT), where FT is the top of this session.
        top: the top QT of the earlier stage.
    """

    points: int | float | None = None
    score: int | float | None = None
    top: int | float | None = Field(default=None, gt=0)

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if (self.points is None) == (self.score is None) or (self.score is None) != (self.top is None):
            raise ValueError("expected points, or score and top of the earlier stage")
        return self


class CarryOver(OfContestant, EarlierStage):
    """The result that a contestant brings from an earlier stage."""


class TieDecision(OfContestant):
    """A tie that was decided away from the table: the contestant is first among those it is tied with.

    Attributes:
        by: "lot", or "extra-hands".
        source: the corrections file.
        line: the entry's line in it.
    """

    by: Literal["lot", "extra-hands"] = "lot"
    source: str | None = None
    line: int | None = None


class TieBreak(Table):
    """A rule of `tie_breaks` that applies only to ties of a certain size.

    Attributes:
        rule: the name of the rule.
        at_least: the smallest number of tied contestants.
        at_most: the largest number of tied contestants.
    """

    rule: TieRule
    at_least: int = Field(default=2, ge=2)
    at_most: int | None = Field(default=None, ge=2)


def _known_method(name: object) -> str:
    if not isinstance(name, str) or name not in METHODS:
        *others, last = (f"'{method}'" for method in METHODS)
        raise ValueError(f"expected {', '.join(others)} or {last}")
    return name


def _divides_one(value: Literal["exact"] | float) -> Literal["exact"] | float:
    # Any other step would round a board's average, and N-S and E-W together would miss the top.
    if value != "exact" and not (0 < value <= 1 and exact(value).numerator == 1):
        raise ValueError('expected "exact" or a step that divides 1, such as 0.1, 0.25, 0.5 or 1')
    return value


class Scoring(Table):
    """`[scoring]`: how a session is scored. A key that is left out follows the file, else the most common rule.

    Attributes:
        method: the scoring method. Left out: what the file's `[Scoring]` tag asks for, else matchpoints.
        field: compare results within each "section" or across "all" sections.
        field_groups: sections that are compared with one another where field is "section", for example
            `["A+B", "C+D"]`. Left out: those that the file names, as game files of ACBLscore do, and PBN with
            `[Scoring "MP;Across A+B"]`.
        stated_view: the side from which files state scores and points: "ns", "ew", or "points-ew" for scores from N-S's
            side and points from E-W's. Left out: each file's scores tell, by contract and vulnerability.
        winners: the number of rankings: 1, 2 (N-S and E-W), or "auto": 2 if no contestant sat both ways.
        short_boards: matchpoints on a board with fewer results than the others: scaled to the common top by the
            "neuberg" formula, or kept on the board's "own-top". Left out: Neuberg, but own top if all files are LIN, as
            on Bridge Base Online.
        sessions: results of several files: compare them with one another ("together"), or score each file as a session
            of its own and add the totals ("by-file"). Left out: by file if the files state several events or days.
        fouled_groups: matchpoints of tables that played a fouled board in the same form: by the "neuberg" formula,
            however few they are; or by percentages around 60 for a group of at most three tables that is at most a
            third of the field ("white-book"); or the same for a group of one or two tables, or of three if another
            group is larger ("acbl").
        matchpoint_unit: show 2 matchpoints per pair beaten and 1 per tie ("2-1"), or 1 and a half ("1-half").
        sit_outs: the total of a contestant that played fewer boards than others: "as-earned", scaled up to the most
            boards that anybody played ("prorate"), or the "mean" per board. Matchpoints are always ranked by
            percentage.
        average_plus: "flat": 60 % and 40 % of the top; or "session": the pair's percentage in the session, if that is
            more than 60 or less than 40 (Law 12C2c). Awards of 60 % and 40 % count as average plus and minus.
            Matchpoints only.
        line_rounding: "exact", or the step to which the matchpoints of each result are rounded before they are added.
        line_ties: round matchpoints halfway between two steps towards the "average" of the board, or "up" for each side
            by itself.
        datum: what Butler compares with: the "mean" of the board's scores; "mean-2", without the highest and the
            lowest; "mean-5%", without 5 % of the scores at each end, in whole scores; "mean-scaled", without one score
            at each end, two from 11 scores, three from 26, and one more for every further 15; the "median"; or the
            datum "stated" by the file, for example one that experts set in advance. Left out: what the file's
            `[Scoring]` tag asks for, else the mean.
        datum_rounding: round the datum to a "ten", or not at all ("none").
        datum_ties: round a datum halfway between two tens "away" from zero, to the "even" ten, or "up".
        cross_divisor: divide the sum of a score's IMPs by the number of "comparisons", by the number of "scores" on the
            board, or not at all ("none").
        team_points: the unit of a match before it becomes victory points: "imps" or "total-points".
        pair_rounds: what pairs earn in their rounds is "added", or each round is one of the "matches" of a Swiss event,
            in victory points. Matchpoints and IMPs only.
        vp_scale: the scale that turns a match into victory points. By IMPs: "wbf", "wbf-discrete", "acbl-20",
            "acbl-30", or "house" with the bands of `house_scale`. By matchpoint percentage: "percent". Left out: team
            matches stay in IMPs, and matches of pairs use "percent" or "wbf". Margins that are not whole IMPs use the
            WBF's formula, rounded.
        vp_boards: the boards of a match for that scale. Left out: those of the session's longest match.
        bye_points: victory points of a team or pair for each round in which others have a match and it has none. Left
            out: none.
        house_scale: the club's own scale, in `[scoring.house_scale]`.
        honours: the honours that count at rubber bridge, Chicago and four-hand matches: those "claimed" in the
            file; besides these, those "held" in one hand of a known deal; or "none".
        chicago_vulnerable: who is vulnerable on the second and third deal: the "dealer" or the "opponents".
        passed_out: a passed-out deal at Chicago or in a four-hand match is "redealt", or "counts" as one of the four.
        clubs: the clubs of an event that several clubs play at once, by the names of their files, for example
            `{ "mill*" = "Millbrook", "oak*" = "Oakham" }`. All results are compared, and there is a ranking over all
            and one within each club.
        virtual: files whose results are compared with the others and not ranked, for example
            `["last-year.pbn", "home-*.csv"]`.
        repeats: results that a file lists more than once, in all columns alike: counted "once", or "all" of them. Left
            out: once, if nearly all results of the session are listed so.
        fouled: tables that played a board in a different form from the rest.
        adjustments: scores that the Director awards.
        penalties: what contestants lose.
        tie_breaks: the rules that separate contestants with the same total, tried in order. When a rule separates some
            of them, those still tied start again at the first rule. Left out: tied contestants share their places.
            Rules for all contestants:

            - "who-beat-who": results against each other, if all the tied contestants have met
            - "rematchpoint": for three or more tied pairs, matchpoints among these pairs only
            - "extra-hands" and "lot": two contestants stay tied until they have played extra hands, and any number
              until lots are drawn

            Rules for teams:

            - "opponents": totals of the opponents met (Swiss events)
            - "imps": IMPs of all matches
            - "imp-quotient": IMPs won divided by IMPs lost, board by board
            - "boards-won": boards won against boards lost
        handicaps: handicaps, each in `[[scoring.handicaps]]`. There are then rankings with and without them.
        carry_overs: what contestants bring from an earlier stage.
        decided_ties: ties that were decided by lot or extra boards.
    """

    method: Annotated[MethodName, PlainValidator(_known_method)] | None = None
    field: Literal["section", "all"] = "section"
    field_groups: list[str] = Field(default_factory=list)
    stated_view: Literal["ns", "ew", "points-ew"] | None = None
    winners: Literal["auto", 1, 2] = "auto"
    short_boards: Literal["neuberg", "own-top"] = "neuberg"
    sessions: Literal["together", "by-file"] | None = None
    fouled_groups: Literal["neuberg", "white-book", "acbl"] = "neuberg"
    matchpoint_unit: Literal["2-1", "1-half"] = "2-1"
    sit_outs: Literal["as-earned", "prorate", "mean"] = "as-earned"
    average_plus: Literal["flat", "session"] = "flat"
    line_rounding: Annotated[Literal["exact"] | float, AfterValidator(_divides_one)] = "exact"
    line_ties: Literal["average", "up"] = "average"
    datum: Datum | None = None
    datum_rounding: Literal["ten", "none"] = "ten"
    datum_ties: Literal["away", "even", "up"] = "away"
    cross_divisor: Literal["comparisons", "scores", "none"] | None = None
    team_points: Literal["imps", "total-points"] = "imps"
    pair_rounds: Literal["added", "matches"] = "added"
    vp_scale: ScaleName | Literal["house"] | None = None
    vp_boards: int | None = Field(default=None, ge=1, le=1000)
    bye_points: int | float | None = Field(default=None, ge=0, le=100)
    house_scale: HouseScale | None = None
    honours: Literal["claimed", "held", "none"] = "claimed"
    chicago_vulnerable: Literal["dealer", "opponents"] = "dealer"
    passed_out: Literal["redealt", "counts"] = "redealt"
    clubs: dict[str, str] = Field(default_factory=dict)
    virtual: list[str] = Field(default_factory=list)
    repeats: Literal["once", "all"] | None = None
    fouled: list[Fouled] = Field(default_factory=list)
    adjustments: list[Adjustment] = Field(default_factory=list)
    penalties: list[Penalty] = Field(default_factory=list)
    tie_breaks: list[TieRule | TieBreak] = Field(default_factory=list)
    handicaps: list[Handicap] = Field(default_factory=list)
    carry_overs: list[CarryOver] = Field(default_factory=list)
    decided_ties: list[TieDecision] = Field(default_factory=list)

    @model_validator(mode="after")
    def _house_scale_given(self) -> Self:
        if self.vp_scale == "house" and self.house_scale is None:
            raise ValueError('vp_scale = "house" needs the table [scoring.house_scale]')
        return self

    @property
    def by_file(self) -> bool:
        """Whether each file is a session of its own."""
        return self.sessions == "by-file"

    def is_virtual(self, source: str) -> bool:
        """Return whether the results of a file are compared, and not ranked."""
        return any(fnmatch(PurePath(source).name, pattern) for pattern in self.virtual)

    @property
    def rounding_step(self) -> Fraction | None:
        """The exact step to which the matchpoints of each result are rounded; None for no rounding."""
        return None if self.line_rounding == "exact" else exact(self.line_rounding)

    @property
    def tie_chain(self) -> list[TieBreak]:
        """The rules of `tie_breaks`, each with the sizes of tie that it applies to."""
        sizes = {"rematchpoint": {"at_least": 3}, "extra-hands": {"at_most": 2}}
        return [
            TieBreak.model_validate({"rule": step, **sizes.get(step, {})}) if isinstance(step, str) else step
            for step in self.tie_breaks
        ]
