"""What a file states against what is computed: points, datums, matches, totals, percentages and places."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

import polars as pl

from overtrick.core.bridge.methods import Method, method_named
from overtrick.core.bridge.victory_points import UNIT
from overtrick.core.frames import Results, Session, Standings
from overtrick.core.problems import concat_problems, report

Kind = Literal["points", "datum", "match", "total", "percentage", "place"]

MATCHPOINT_UNITS: Final = (1.0, 0.5)
"""Files count 2 for a pair beaten and 1 for a tie as overtrick does, or 1 and a half (Law 78A)."""

_MOST_DECIMALS: Final = 2
"""Further decimals that a program writes, as in 62.01923, come from its own arithmetic."""
_SLACK: Final = 1e-9
_FEW: Final = 50
"""One in so many stated numbers may be wrong: a slip, and no other rule."""
_TOTALS: Final = ("stated_total", "stated_percentage")


@dataclass(frozen=True)
class Told:
    """The numbers of one kind that a file states, one element for each row of `results` or of `standings`.

    Attributes:
        kind: what is stated.
        stated: how many numbers of a row are stated and computed: those of N-S and of E-W are two.
        wrong: how many of them differ.
    """

    kind: Kind
    stated: pl.Series
    wrong: pl.Series

    @property
    def rows(self) -> int:
        """The number of rows of which a number differs."""
        return int((self.wrong > 0).sum())

    @property
    def is_explained(self) -> bool:
        """Whether all rows agree but one, or one in fifty."""
        return self.rows <= max(1, int((self.stated > 0).sum()) // _FEW)


@dataclass(frozen=True)
class Account:
    """How a session that was scored by some rules accounts for what its files state.

    Attributes:
        session: scored, and ranked where totals or places are stated.
        kinds: each kind of numbers that is stated.
        raw: whether the points of boards with fewer results agree before they are brought to the top of the others.
    """

    session: Session
    kinds: list[Told] = field(default_factory=list)
    raw: bool = False

    @property
    def stated(self) -> int:
        """The number of stated numbers."""
        return sum(int(told.stated.sum()) for told in self.kinds)

    @property
    def misses(self) -> int:
        """How many of them differ."""
        return sum(int(told.wrong.sum()) for told in self.kinds)

    @property
    def rows(self) -> int:
        """How many lines and contestants have a number that differs."""
        return sum(told.rows for told in self.kinds)

    @property
    def is_explained(self) -> bool:
        """Whether each kind is explained."""
        return all(told.is_explained for told in self.kinds)

    def told(self, kind: Kind) -> Told | None:
        """Return what is stated of one kind, if anything."""
        return next((told for told in self.kinds if told.kind == kind), None)


def states_lines(session: Session) -> bool:
    """Return whether any result states points, a datum or its match."""
    columns = ("stated_points_ns", "stated_points_ew", "stated_datum", "stated_match_ns")
    return any(session.results[name].null_count() < session.results.height for name in columns)


def states_totals(session: Session) -> bool:
    """Return whether any contestant's total or percentage is stated."""
    return any(session.contestants[name].null_count() < session.contestants.height for name in _TOTALS)


def states_places(session: Session) -> bool:
    """Return whether places are all that is stated: beside other numbers they may be those of a longer event."""
    return not states_totals(session) and session.contestants["stated_rank"].drop_nulls().n_unique() > 1


def account(session: Session, of: Account | None = None, *, exact: bool = False) -> Account:
    """Compare what the files state with what was computed.

    Args:
        session: scored, and ranked where totals are stated.
        of: the same by the usual rules: what these compute, and other rules do not, counts as differing.
        exact: whether points must agree to the hundredth, however few decimals the file shows.
    """
    method = method_named(session.facts.method)
    kinds = [*_of_lines(session.results, method, exact=exact)]
    if not session.standings.is_empty():
        kinds += _of_standings(session) if states_totals(session) else _of_places(session)
    if not session.matches.is_empty():
        kinds.append(_of_matches(session))
    # A datum that is taken from the file agrees with it, and proves nothing.
    takes_datum = session.facts.policies.get("datum") == "stated"
    kinds = [told for told in kinds if told.stated.sum() and not (told.kind == "datum" and takes_datum)]
    if of is not None:
        kinds = [_also_missing(kinds, usual) for usual in of.kinds if usual.kind != "datum" or not takes_datum]
    return Account(session, kinds)


def _also_missing(kinds: Sequence[Told], usual: Told) -> Told:
    """Count as wrong what other rules leave out."""
    told = next((told for told in kinds if told.kind == usual.kind and len(told.wrong) == len(usual.wrong)), None)
    if told is None:
        return Told(usual.kind, usual.stated, usual.stated)
    missing = (usual.stated.cast(pl.Int32) - told.stated.cast(pl.Int32)).clip(lower_bound=0)
    stated = pl.select(pl.max_horizontal(usual.stated, told.stated)).to_series()
    return Told(usual.kind, stated, told.wrong.cast(pl.Int32) + missing)


def differs(
    stated: pl.Series,
    computed: pl.Series,
    units: Sequence[float] = (1.0,),
    *,
    in_hundredths: bool = False,
    percentage: pl.Series | None = None,
) -> pl.Series:
    """Return where a stated number differs from the computed one, rounded in any way to the column's decimals.

    Args:
        stated: as the file prints them, Float64; null where it prints none.
        computed: by overtrick, Float64, of the same length.
        units: the values that a computed point may have in the file; the unit that fits most rows is taken for all.
            Nobody rounds by more than half a unit.
        in_hundredths: whether the numbers are counted in hundredths, as victory points: a whole number is then exact.
        percentage: what the file may state in place of points.

    Returns:
        Booleans; false where either number is null.
    """
    # The file shows one decimal and counts 1 for a pair beaten: in units of a half, no more than 0.05 away.
    #
    #     stated  computed  differs by units of 1  of 1/2
    #     3.9     7.75      true                   false   (3.875)
    #     2.0     4.0       true                   false
    #     1.9     4.0       true                   true
    #     0.1     0.25      true                   false   (0.125)
    #     null    4.0       false                  false
    if stated.null_count() == len(stated):
        return stated.is_not_null()
    step = 10.0 ** -(_MOST_DECIMALS if in_hundredths else decimals(stated))
    tried = [(computed * unit, min(step, unit)) for unit in units]
    if percentage is not None:
        tried.append((percentage, step))
    apart = [((value - stated).abs() > gap / 2 + _SLACK).fill_null(value=False) for value, gap in tried]
    return min(apart, key=lambda different: int(different.sum()))


def count_unprinted(session: Session) -> int:
    """Count the points of which the file shows not all digits that were computed: such as 3.33 for 10 / 3."""
    method = method_named(session.facts.method)
    units = MATCHPOINT_UNITS if method.unit == "matchpoints" else (1.0,)
    counts = [
        sum(
            int(((results[f"points_{side}"] * unit - results[f"stated_points_{side}"]).abs() > _SLACK).sum())
            for side in ("ns", "ew")
        )
        for results in [session.results]
        for unit in units
    ]
    return min(counts)


def decimals(numbers: pl.Series) -> int:
    """Count the decimals that a column of numbers needs; one number, or one in fifty, may have more."""
    most = max(1, (len(numbers) - numbers.null_count()) // _FEW) if len(numbers) - numbers.null_count() > 2 else 0
    for count in range(_MOST_DECIMALS):
        if int(((numbers - numbers.round(count)).abs() >= _SLACK).sum()) <= most:
            return count
    return _MOST_DECIMALS


def _of_lines(results: Results, method: Method, *, exact: bool) -> list[Told]:
    """Compare the points and datums of lines."""
    if all(results[name].null_count() == results.height for name in ("stated_points_ns", "stated_points_ew")):
        points = []
    else:
        alone = stand_alone(results, method)
        points = [_points(results, method, side, alone, exact=exact) for side in ("ns", "ew")]
    kinds = [Told("points", points[0].stated + points[1].stated, points[0].wrong + points[1].wrong)] if points else []
    if method.compared == "datum" and results["stated_datum"].null_count() < results.height:
        compared = results.select(
            stated=pl.all_horizontal(pl.col("stated_datum", "datum").is_not_null())
            & ~stand_alone(results, method)
            & pl.struct("section", "board", "stated_datum").is_first_distinct(),
            wrong=(pl.col("stated_datum") != pl.col("datum")).fill_null(value=False),
        )
        kinds.append(_told("datum", compared["stated"], compared["wrong"]))
    return kinds


def _points(results: Results, method: Method, side: str, alone: pl.Series, *, exact: bool) -> Told:
    stated, computed = results[f"stated_points_{side}"], results[f"points_{side}"]
    units = MATCHPOINT_UNITS if method.unit == "matchpoints" else (1.0,)
    shares = results[f"percentage_{side}"] if method.has_top else None
    apart = differs(stated, computed, units, in_hundredths=exact, percentage=shares)
    return _told("points", stated.is_not_null() & computed.is_not_null() & ~alone, apart)


def _told(kind: Kind, stated: pl.Series, apart: pl.Series) -> Told:
    return Told(kind, stated.cast(pl.Int32), (apart & stated).cast(pl.Int32))


def stand_alone(results: Results, method: Method) -> pl.Series:
    """Return which lines have nothing to compare: the only result of their board, where results are compared."""
    if method.compared not in {"results", "datum"}:
        return pl.repeat(False, results.height, dtype=pl.Boolean, eager=True)
    scored = pl.col("score_ns").is_not_null() | pl.col("weights").is_not_null()
    tables = scored.cast(pl.UInt32).sum().over("board")
    return results.select(alone=(pl.col("status") != "adjusted") & (tables <= 1))["alone"]


def _of_matches(session: Session) -> Told:
    """Compare what lines state about their matches: victory points of both sides, or IMPs won less lost."""
    results, matches = session.results, session.matches
    both = [matches.select("round", team=one, other=two, points=f"{name}{suffix}") for one, two, name, suffix in _WAYS]
    in_points = bool(matches["victory_points"].is_not_null().any())
    earned = pl.concat(both[:2] if in_points else both[2:]).unique(["round", "team", "other"], keep="first")
    ns, ew = pl.coalesce("team_ns", "ns"), pl.coalesce("team_ew", "ew")
    seats = results.select("round", "stated_match_ns", "stated_match_ew", team=ns, other=ew)
    joined = seats.join(earned, on=["round", "team", "other"], how="left", nulls_equal=True, maintain_order="left")
    joined = joined.join(
        earned.rename({"team": "other", "other": "team", "points": "points_other"}),
        on=["round", "team", "other"],
        how="left",
        nulls_equal=True,
        maintain_order="left",
    )
    stated = pl.all_horizontal(pl.col("stated_match_ns", "stated_match_ew", "points", "points_other").is_not_null())
    # The lines of a match have its teams both ways round.
    one, two = pl.min_horizontal("team", "other"), pl.max_horizontal("team", "other")
    first = pl.struct("round", is_stated=stated, one=one, two=two).is_first_distinct()
    if in_points:
        apart = [
            (pl.col(f"stated_match_{side}") * UNIT - pl.col(name)).abs() > 0.5
            for side, name in (("ns", "points"), ("ew", "points_other"))
        ]
        wrong = apart[0].cast(pl.Int32) + apart[1].cast(pl.Int32)
    else:
        won = pl.col("stated_match_ns") - pl.col("stated_match_ew")
        wrong = ((won - pl.col("points")).abs() > _SLACK).cast(pl.Int32)
    counted = joined.select(stated=(stated & first).cast(pl.Int32) * 2, wrong=pl.when(stated & first).then(wrong))
    return Told("match", counted["stated"], counted["wrong"].fill_null(0))


_WAYS: Final = (
    ("team", "opponents", "victory_points", ""),
    ("opponents", "team", "victory_points", "_opponents"),
    ("team", "opponents", "points", ""),
    ("opponents", "team", "points", "_opponents"),
)
"""The two sides of a match, in victory points and in IMPs."""


def _of_standings(session: Session) -> list[Told]:
    """Compare totals, and percentages where the total does not differ.

    Some programs bring the matchpoints of a pair that sat out to the boards of the whole session. Its percentage, which
    decides its rank, is the same, so such a total does not differ. Totals may be without penalties and handicaps.
    """
    standings, method = session.standings, method_named(session.facts.method)
    if stand_alone(session.results, method).all() and not session.results.is_empty():
        return []
    in_points = bool(session.matches["victory_points"].is_not_null().any())
    each = [_totals_differ(standings, *ours, in_points=in_points) for ours in _list_totals(standings)]
    total, percentage = min(each, key=lambda apart: int(apart[0].sum()) + int(apart[1].sum()))
    shares = standings["stated_percentage"].is_not_null() & standings["percentage"].is_not_null()
    return [_told("total", standings["stated_total"].is_not_null(), total), _told("percentage", shares, percentage)]


def _list_totals(standings: Standings) -> list[tuple[pl.Series, pl.Series]]:
    """List the totals and percentages that a file may state: as ranked, without corrections, or with handicaps."""
    ways = [standings]
    if standings["correction"].null_count() < standings.height:
        without = pl.col("total") - pl.col("correction").fill_null(0)
        ways.append(standings.with_columns(total=without, percentage=pl.col("percentage") * without / pl.col("total")))
    who = ["section", "direction", "contestant"]
    handicapped = standings.filter(pl.col("ranking").str.contains("handicap")).unique(who)
    if not handicapped.is_empty():
        given = handicapped.select(*who, "total", "percentage")
        bare = standings.drop("total", "percentage")
        ways.append(bare.join(given, on=who, how="left", nulls_equal=True, maintain_order="left"))
    return [(way["total"], way["percentage"]) for way in ways]


def _totals_differ(
    standings: Standings, total: pl.Series, percentage: pl.Series, *, in_points: bool
) -> tuple[pl.Series, pl.Series]:
    """Return whose stated total differs, and whose stated percentage where the total does not."""
    ours = standings.with_columns(total=total, percentage=percentage)
    by_percentage = not percentage.null_count()
    units = MATCHPOINT_UNITS if by_percentage else (1.0,)
    apart = differs(ours["stated_total"], total, units, in_hundredths=in_points)
    if by_percentage:
        whole = ours.select(pl.col("total") * pl.col("boards").max().over("ranking") / pl.col("boards"))
        apart &= differs(ours["stated_total"], whole["total"], MATCHPOINT_UNITS)
    shares = differs(ours["stated_percentage"], percentage) & ~apart & ~_follows_total(ours, units)
    return apart, shares


def _follows_total(standings: Standings, units: Sequence[float]) -> pl.Series:
    """Return whose stated percentage is that of the stated total, which is rounded: 637.1 of 1176 is 54.18."""
    stated = pl.col("stated_total") * pl.col("percentage") / pl.col("total")
    each = [standings.select(stated / unit).to_series() for unit in units]
    wrong = [differs(standings["stated_percentage"], given).fill_null(value=True) | given.is_null() for given in each]
    return ~min(wrong, key=lambda apart: int(apart.sum()))


def _of_places(session: Session) -> list[Told]:
    """Compare places, with those of a shared place as one."""
    placed = place_standings(session)
    known = placed["stated_rank"].is_not_null()
    within = placed.select(pl.col("stated_rank").is_between("rank", "rank_last"))["stated_rank"]
    return [_told("place", known, ~within.fill_null(value=True))]


def place_standings(session: Session) -> Standings:
    """Add the stated place of each contestant: `stated_rank`, null where the list has several that it may be."""
    listed = session.contestants.drop_nulls("stated_rank").select("contestant", "section", "direction", "stated_rank")
    numbered = session.standings.select("contestant", "section", "direction").with_row_index("row")
    met = numbered.join(listed, on="contestant", suffix="_listed")
    same = [pl.col(name).is_null() | pl.col(f"{name}_listed").is_null() for name in ("section", "direction")]
    equal = [pl.col(name) == pl.col(f"{name}_listed") for name in ("section", "direction")]
    met = met.filter(*(unknown | agree for unknown, agree in zip(same, equal, strict=True)))
    one = met.group_by("row").agg(pl.col("stated_rank").first(), pl.len()).filter(pl.col("len") == 1)
    ranked = session.standings.with_row_index("row").join(one, on="row", how="left", maintain_order="left")
    return ranked.drop("row", "len")


def report_each(about: Account, most: int) -> pl.DataFrame:
    """Report each stated number that differs, and where there are more than `most`, the others together."""
    found = concat_problems(_report_kind(about.session, told) for told in about.kinds)
    if found.height <= most:
        return found
    rest = found[most - 1 :]
    places = rest.select(pl.format("board {}", "board").drop_nulls().unique(maintain_order=True).head(most * 4))
    named = [*places.to_series(), *rest.filter(pl.col("board").is_null())["message"].str.split(": ").list.first()]
    others = rest.head(1).with_columns(count=pl.lit(rest.height), named=pl.lit(", ".join(named[: most * 4])))
    return concat_problems([found[: most - 1], report("number-mismatch/more", others.drop("message", "hint", "board"))])


_CODES: Final[dict[Kind, tuple[str, str | None]]] = {
    "points": ("number-mismatch/points", "results.stated_points_ns"),
    "datum": ("number-mismatch/datum", "results.stated_datum"),
    "match": ("number-mismatch/match", None),
    "total": ("number-mismatch/total", None),
    "percentage": ("number-mismatch/total", None),
    "place": ("number-mismatch/place", None),
}
"""By kind, the problem that tells a single number, and the part of a result that it is about."""


def _report_kind(session: Session, told: Told) -> pl.DataFrame:
    """Report each number of one kind that differs; a datum once a board."""
    code, part = _CODES[told.kind]
    wrong = word_differences(session, told).filter(told.wrong > 0)
    return report(code, wrong.drop("table") if told.kind == "datum" else wrong, part)


def word_differences(session: Session, told: Told) -> pl.DataFrame:
    """Return the rows that a kind of numbers belongs to, with `what` and the values of messages: `stated computed`."""
    if told.kind in {"points", "datum", "match"}:
        return session.results.with_columns(
            what=pl.lit("line" if told.kind == "points" else told.kind), **_LINES[told.kind]
        )
    if told.kind == "place":
        columns = {"stated": pl.col("stated_rank").cast(pl.String), "computed": pl.col("rank").cast(pl.String)}
        return place_standings(session).with_columns(what=pl.lit("place"), **columns)
    return session.standings.with_columns(
        what=pl.lit(told.kind),
        stated=pl.col(f"stated_{told.kind}").cast(pl.String),
        computed=pl.col(told.kind).round(2).cast(pl.String),
    )


def _pair(prefix: str) -> pl.Expr:
    """Return the points of both sides in words."""
    return pl.format(
        "{} / {}", *(pl.col(f"{prefix}points_{side}").round(2).cast(pl.String).fill_null("?") for side in ("ns", "ew"))
    )


_LINES: Final[dict[str, dict[str, pl.Expr]]] = {
    "points": {"stated": _pair("stated_"), "computed": _pair("")},
    "datum": {"stated": pl.col("stated_datum").cast(pl.String), "computed": pl.col("datum").cast(pl.String)},
    "match": {
        "stated": pl.format("{} - {}", "stated_match_ns", "stated_match_ew"),
        "computed": pl.lit(None, dtype=pl.String),
        "team": pl.coalesce("team_ns", "ns"),
        "opponents": pl.coalesce("team_ew", "ew"),
    },
}
"""By kind, what messages about a line say."""
