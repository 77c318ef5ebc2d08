"""The one table of scoring methods: a new method is a row of `METHODS` and a function in `judge.score.SCORERS`.

Everything else that differs from one method to the next is in its row, so that no other module lists methods by name.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

Unit = Literal["matchpoints", "boards", "IMPs", "points"]
"""The unit of results: matchpoints (2 a pair beaten), boards (2 won, 1 tied, 0 lost), IMPs, or points of the score."""

Settings = Mapping[str, object]
"""Keys of `[scoring]` in `club.toml`, with their values."""


class Usebio(NamedTuple):
    """The names of a method in USEBIO.

    Attributes:
        methods: values of `BOARD_SCORING_METHOD`; the first is written.
        event_type: the `EVENT_TYPE` of a pairs event that is written.
        event_types: values of `EVENT_TYPE` that ask for the method.
        points: the element with a line's points, without its side: `MATCH_POINTS` for `NS_MATCH_POINTS`.
        asks: the PBN `[Scoring]` that a file with any of these names is read as; None where they leave it open.
    """

    methods: tuple[str, ...]
    event_type: str = "PAIRS"
    event_types: tuple[str, ...] = ()
    points: str | None = None
    asks: str | None = None


class Sheet(NamedTuple):
    """How the deals of a table follow one another on its score sheets.

    Attributes:
        rubbers: games add up to rubbers; otherwise each game is paid at once.
        hands: deals of a match; None where any number is right.
    """

    rubbers: bool = False
    hands: int | None = None


class Method(NamedTuple):
    """One way to score the results of a session.

    Attributes:
        name: as in `club.toml` and after `--method`.
        title: as on pages; a translation may have its own.
        rules: the rules that it follows, in the order in which pages name them: settings of `[scoring]`, and rules that
            are always the same. `core.policies` has the words of each.
        unit: what a line earns.
        compared: what a score is compared with: the other "results" of the board, a "datum" of them, the other table of
            the "match", or "nothing".
        contestants: whose totals are ranked; individuals sit as pairs.
        sheet: how the deals of a table make a score sheet; None where each board is scored by itself.
        pbn: words of PBN `[Scoring]` (3.4.12), in lower case, that ask for the method, with further settings.
        pbn_written: what `[Scoring]` says above score tables; None where a score table can't show the method.
        usebio: its names in USEBIO; None where USEBIO has none.
        policies: settings that are tried where a file states other numbers, the commonest first.
    """

    name: str
    title: str
    rules: tuple[str, ...] = ()
    unit: Unit = "points"
    compared: Literal["results", "datum", "match", "nothing"] = "results"
    contestants: Literal["pairs", "teams"] = "pairs"
    sheet: Sheet | None = None
    pbn: Mapping[str, Settings] = MappingProxyType({})
    pbn_written: str | None = None
    usebio: Usebio | None = None
    policies: tuple[Settings, ...] = ()

    @property
    def of_teams(self) -> bool:
        """Whether contestants are teams, whose boards are compared within a match."""
        return self.contestants == "teams"

    @property
    def has_top(self) -> bool:
        """Whether a result earns a share of a top, so that totals have percentages."""
        return self.unit in {"matchpoints", "boards"}


def _each(**tried: Sequence[object]) -> tuple[Settings, ...]:
    """Return settings of one key each: `_each(winners=(1, 2))` is `({"winners": 1}, {"winners": 2})`."""
    return tuple({key: value} for key, values in tried.items() for value in values)


_STEPS: Final = (0.1, 0.2, 1, 0.01, 0.02)
"""Steps to which programs round matchpoints; 0.2 and 0.02 where they count 1 for a pair beaten."""

_DIVISORS: Final = ("comparisons", "scores", "none")

_SIT_OUTS: Final = _each(sit_outs=("as-earned", "prorate", "mean"))

_ROUNDS: Final = tuple({"pair_rounds": "matches", "vp_scale": scale} for scale in ("wbf", "wbf-discrete"))

_SHEET_POLICIES: Final = _each(
    honours=("held", "claimed", "none"), chicago_vulnerable=("opponents", "dealer"), passed_out=("counts", "redealt")
)


def _words(*words: str) -> Mapping[str, Settings]:
    """Return words of `[Scoring]` that ask for a method and for no setting beside it."""
    return dict.fromkeys(words, MappingProxyType({}))


_ROWS: Final = (
    Method(
        name="matchpoints",
        title="Matchpoints",
        rules=("matchpoint_unit", "short_boards", "average_plus", "line_rounding", "line_ties", "fouled_groups"),
        unit="matchpoints",
        pbn=_words("mp", "mps", "matchpoint", "matchpoints", "match points", "pairs", "mp1", "mp2"),
        pbn_written="MP",
        usebio=Usebio(("MATCH_POINTS", "MATCHPOINTS"), event_types=("MP_PAIRS",), points="MATCH_POINTS", asks="MP"),
        policies=(
            *_each(short_boards=("own-top", "neuberg"), line_rounding=("exact", *_STEPS)),
            *({"line_rounding": step, "line_ties": "up"} for step in _STEPS),
            *_each(average_plus=("session", "flat"), fouled_groups=("neuberg", "white-book", "acbl")),
            {"pair_rounds": "matches"},
        ),
    ),
    Method(
        name="butler",
        title="Butler IMPs",
        rules=("datum", "average_imps", "datum_rounding", "datum_ties"),
        unit="IMPs",
        compared="datum",
        pbn={"butler": {"datum": "mean"}, "butler-2": {"datum": "mean-2"}, "experts": {"datum": "stated"}},
        pbn_written="IMP;Butler",
        usebio=Usebio(
            ("BUTLER_IMPS", "BUTLER"),
            event_type="BUTLER_PAIRS",
            event_types=("BUTLER_PAIRS", "SWISS_PAIRS_BUTLER_IMPS"),
            points="BUTLER_POINTS",
            asks="Butler",
        ),
        policies=(
            *_each(
                datum=("mean", "mean-2", "mean-5%", "mean-scaled", "median", "stated"),
                datum_rounding=("ten", "none"),
                datum_ties=("away", "even", "up"),
            ),
            *({"method": "cross-imps", "cross_divisor": divisor} for divisor in _DIVISORS),
            *_SIT_OUTS,
            *_ROUNDS,
        ),
    ),
    Method(
        name="cross-imps",
        title="Cross-IMPs",
        rules=("cross_divisor", "average_comparisons"),
        unit="IMPs",
        pbn={
            "cross": {"cross_divisor": "none"},
            "cross1": {"cross_divisor": "scores"},
            "cross2": {"cross_divisor": "comparisons"},
            **_words("ximp", "ximps", "x-imp", "x-imps", "cross-imp", "cross-imps", "cross imps"),
        },
        pbn_written="IMP;Cross1",
        usebio=Usebio(
            ("CROSS_IMPS", "CROSS_IMP"),
            event_type="CROSS_IMPS",
            event_types=("CROSS_IMPS", "CROSS_IMP", "SWISS_PAIRS_CROSS_IMPS"),
            points="CROSS_IMP_POINTS",
            asks="IMP;Cross2",
        ),
        policies=(
            *_each(cross_divisor=_DIVISORS),
            *({"method": "butler", "datum": datum} for datum in ("mean", "mean-2", "stated")),
            *_SIT_OUTS,
            *_ROUNDS,
        ),
    ),
    Method(
        name="teams",
        title="Teams, IMPs",
        rules=("team_points", "average_imps"),
        unit="IMPs",
        compared="match",
        contestants="teams",
        usebio=Usebio(("IMPS",)),
        policies=_each(
            team_points=("total-points",), vp_scale=("wbf", "wbf-discrete", "acbl-20", "acbl-30"), method=("bam",)
        ),
    ),
    Method(
        name="bam",
        title="Board-a-match",
        rules=("matchpoint_unit", "average_flat"),
        unit="boards",
        compared="match",
        contestants="teams",
        pbn=_words("bam", "board-a-match", "board a match", "point-a-board"),
        usebio=Usebio(("PAB",), asks="BAM"),
        policies=({"method": "teams"},),
    ),
    Method(
        name="aggregate",
        title="Total points",
        compared="nothing",
        pbn=_words("aggregate", "total points", "total-points"),
        pbn_written="Aggregate",
        usebio=Usebio(("AGGREGATE",), event_type="AGGREGATE", event_types=("AGGREGATE",), asks="Aggregate"),
        policies=_SIT_OUTS,
    ),
    Method(
        name="rubber",
        title="Rubber bridge",
        rules=("rubbers", "unfinished_rubber", "honours", "own_points"),
        compared="nothing",
        sheet=Sheet(rubbers=True),
        pbn={"rubber": {}},
        policies=_SHEET_POLICIES,
    ),
    Method(
        name="chicago",
        title="Chicago",
        rules=("part_scores_carried", "honours", "chicago_vulnerable", "passed_out", "own_points"),
        compared="nothing",
        sheet=Sheet(),
        pbn={"chicago": {}},
        policies=_SHEET_POLICIES,
    ),
    Method(
        name="chicago-duplicate",
        title="Chicago, duplicate scoring",
        rules=("part_scores_at_once", "no_honours", "chicago_vulnerable", "passed_out", "own_points"),
        compared="nothing",
        sheet=Sheet(),
        policies=_SHEET_POLICIES,
    ),
    Method(
        name="alberta",
        title="Four-hand match",
        rules=("games", "legs", "passed_out", "honours", "own_points"),
        compared="nothing",
        sheet=Sheet(hands=4),
        policies=_SHEET_POLICIES,
    ),
)

METHODS: Final[dict[str, Method]] = {row.name: row for row in _ROWS}
"""All methods by name, in the order in which settings and help texts list them."""

if TYPE_CHECKING:
    MethodName = str
    """A key of `METHODS`; at run time a Literal of them, so that help and documentation list them."""
else:
    MethodName = Literal[tuple(METHODS)]

USUAL: Final = "matchpoints"
"""The method where neither the settings nor the files name one."""

USUAL_OF_TEAMS: Final = "teams"
"""The method where results name teams, and the files ask for IMPs without saying against what."""

UNSCORED: Final = Method(name="", title="", compared="nothing")
"""In place of a method where a session is not scored."""


def sheet_words() -> list[str]:
    """Return the words of PBN `[Scoring]` that ask for a game scored on sheets."""
    return [word for method in METHODS.values() if method.sheet for word in method.pbn]


def method_named(name: str | None) -> Method:
    """Return the row of a method, `UNSCORED` for None."""
    return UNSCORED if name is None else METHODS[name]
