"""How each player and each partnership did in a season: evening by evening, as declarer, against each opponent."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import Any, Final, Literal

import polars as pl

from overtrick.core.bridge.cards import SEATS, STRAINS
from overtrick.core.bridge.score import GAME_LEVEL
from overtrick.judge.analyse.deals import CAUSES
from overtrick.judge.people.awards import parse_awards
from overtrick.judge.people.season import LINES, Season

_QUANTILES: Final = (
    *(12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228),
    *(2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086),
    *(2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042),
)
"""The 97.5 % quantiles of Student's t for 1 to 30 degrees of freedom."""

_NORMAL: Final = 1.959964


@dataclass(frozen=True)
class Interval:
    """A mean and where it may lie.

    Attributes:
        count: how many values.
        mean: their mean.
        margin: half the width of the 95 % interval about the mean; None for a single value.
    """

    count: int
    mean: float
    margin: float | None


def find_interval(count: int, mean: float, deviation: float | None) -> Interval:
    """Return the 95 % interval of a mean: the mean, more or less t standard errors.

    Args:
        count: how many values, at least one.
        mean: their mean.
        deviation: the standard deviation of such values, with `count - 1` below the fraction; None if it is not known.
    """
    if deviation is None or count < 2:
        return Interval(count, mean, None)
    return Interval(count, mean, quantile(count - 1) * deviation / sqrt(count))


def quantile(freedom: int) -> float:
    """Return the 97.5 % quantile of Student's t: from a table up to 30 degrees of freedom, else by Fisher's series."""
    if freedom <= len(_QUANTILES):
        return _QUANTILES[freedom - 1]
    z = _NORMAL
    return z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)


ENOUGH: Final = 10
"""Results or leads of which a mean is listed."""

ENOUGH_BOARDS: Final = 30
"""Boards of which the parts are shown: fewer prove nothing about a player."""

LISTED: Final = 10
"""Contracts and players that a page lists."""


def find_hardest(season: Season) -> list[tuple[int, str, Interval]]:
    """Return level and strain of the contracts furthest below double dummy, with declarers' tricks less those.

    The furthest comes first. Each result counts once, and a contract needs `ENOUGH` of them.
    """
    played = season.lines.drop_nulls(["level", "strain", "tricks", "dd_tricks"]).unique(["evening", "result"])
    against = pl.col("tricks").cast(pl.Float64) - pl.col("dd_tricks")
    hard = _list_enough(played.with_columns(against=against), "against", ["level", "strain"]).filter(pl.col("mean") < 0)
    ordered = hard.sort("mean", "level", "strain")
    return [(level, strain, find_interval(*sums)) for level, strain, *sums in ordered.iter_rows()]


def find_best_leaders(season: Season) -> Iterator[tuple[str, Interval]]:
    """Yield the key of a player and the tricks that each lead won against the mean lead, the best first.

    A lead is the player's whom the file seats before declarer's left hand, else the partnership's. Nobody is listed
    with fewer than `ENOUGH` leads.
    """
    led = season.lines.drop_nulls("lead_gain")
    spelt = [(key, name) for (name, _), key in season.identities.keys.items()]
    spellings = pl.DataFrame(spelt, {"person": pl.String, "leader_name": pl.String}, orient="row").unique()
    entry = ["evening", "entry"]
    # Two players of a name in one entry cannot be told apart.
    known = season.seats.join(spellings, on="person").unique([*entry, "leader_name"], keep="none")
    pairs = season.seats.filter(pl.col("seat") == 0).select(*entry, "pair")
    leads = (
        led.join(known.select(*entry, "leader_name", "person"), on=[*entry, "leader_name"], how="left")
        .join(pairs, on=entry, how="left")
        .with_columns(who=pl.coalesce("person", "pair"))
        .drop_nulls("who")
        .unique(["evening", "result"])
    )
    ordered = _list_enough(leads, "lead_gain", ["who"]).filter(pl.col("mean") > 0)
    for who, *sums in ordered.sort("mean", "who", descending=[True, False]).iter_rows():
        yield who, find_interval(*sums)


def summarize(rows: pl.DataFrame, value: str, by: Sequence[str], among: Sequence[str] = ()) -> pl.DataFrame:
    """Return the `count`, `mean` and `deviation` of a value in each group, nulls left out.

    The deviation is that of the group or that of all rows, whichever is larger. Most boards cost nothing and a few cost
    much: whoever had none of those few has too small a deviation, and would look better than chance.

    Args:
        rows: a row for each board.
        value: the column of the values.
        by: the columns of a group.
        among: those of them that tell values of different kinds apart, such as their units.
    """
    known = rows.drop_nulls(value).with_columns(pl.col(value).cast(pl.Float64))
    of_all = pl.col(value).std().over(among) if among else pl.col(value).std()
    groups = known.with_columns(of_all.alias("of_all")).group_by(by, maintain_order=True)
    return groups.agg(
        count=pl.len(),
        mean=pl.col(value).mean(),
        deviation=pl.max_horizontal(pl.col(value).std(), pl.col("of_all").first()),
    )


def _list_enough(rows: pl.DataFrame, value: str, by: Sequence[str]) -> pl.DataFrame:
    """Return what `summarize` does of the groups that have `ENOUGH` rows."""
    groups = summarize(rows.sort("evening", "result"), value, by)
    return groups.filter(pl.col("count") >= ENOUGH)


Who = Literal["person", "pair"]
"""The column of `season.SEATS` that a performance is about."""

BEST_BOARDS: Final = 5


@dataclass(frozen=True)
class Mean:
    """The result of some boards.

    Attributes:
        boards: how many boards.
        percentage: the share of the matchpoints there were; None if none of them was scored by matchpoints.
        points: IMPs (or points) a board on the others; None if there are none.
    """

    boards: int
    percentage: float | None
    points: float | None


@dataclass(frozen=True)
class Figure:
    """A figure of a player's or a partnership's play, from some boards.

    Attributes:
        name: a column of `evening.LINES` after `tricks_` or `part_`.
        unit: "tricks", "%" of the top, or "points" (IMPs, or points of the score).
        interval: the mean of a board, with its 95 % interval.
    """

    name: str
    unit: str
    interval: Interval


@dataclass(frozen=True)
class Slice:
    """Where points went on the boards of one kind, at least `ENOUGH_BOARDS`.

    Attributes:
        by: a column of `SLICES`.
        name: its value; of `partner` the partner's key.
        unit: as in `Figure`.
        parts: by name, of `_SUMS`, the mean of a board with its interval; a part of which nothing is known is left out.
    """

    by: str
    name: str
    unit: str
    parts: Mapping[str, Interval]


@dataclass
class Performance:
    """A player's or a partnership's season.

    Attributes:
        evenings: rows of the season's entries, the oldest first, with the `partner`.
        shares: by name (`Declaring`, `Declarer`, `Dummy`, `Defending`), what the boards brought.
        best: rows of the best boards, the best first.
        rivals: by the key of an opponent, what the boards against it brought.
        met: by the key of an opponent, the numbers of the evenings against it, the oldest first.
        figures: where tricks and points went, on the boards that were analysed.
        slices: the same by strain, by level, by seat and by partner.
    """

    evenings: list[dict[str, Any]] = field(default_factory=list)
    shares: dict[str, Mean] = field(default_factory=dict)
    best: list[dict[str, Any]] = field(default_factory=list)
    rivals: dict[str, Mean] = field(default_factory=dict)
    met: dict[str, list[int]] = field(default_factory=dict)
    figures: list[Figure] = field(default_factory=list)
    slices: list[Slice] = field(default_factory=list)

    @property
    def percentages(self) -> list[tuple[int, float]]:
        """The percentage of each evening, the mean of several rankings, by its number."""
        return mean_by_evening((row["evening"], row["percentage"]) for row in self.evenings)

    @property
    def average(self) -> float | None:
        """The mean of the percentages of all evenings; None without any."""
        found = [percentage for _, percentage in self.percentages]
        return sum(found) / len(found) if found else None


def mean_by_evening(rows: Iterator[tuple[int, float | None]]) -> list[tuple[int, float]]:
    """Return the mean percentage of each evening that has one, the oldest first."""
    by_evening: dict[int, list[float]] = defaultdict(list)
    for evening, percentage in rows:
        if percentage is not None:
            by_evening[evening].append(percentage)
    return [(evening, sum(found) / len(found)) for evening, found in sorted(by_evening.items())]


def measure(season: Season, who: Who) -> dict[str, Performance]:
    """Return the season of every player or of every partnership, by key."""
    found: dict[str, Performance] = defaultdict(Performance)
    seats = season.played.drop_nulls(who)
    if who == "pair":
        seats = seats.filter(pl.col("seat") == 0)
    for row in seats.iter_rows(named=True):
        found[row[who]].evenings.append(row)
    lines = _lines_of(season, seats, who)
    for key, name, *sums in _add_up(lines.drop_nulls("share"), who, "share"):
        found[key].shares[name] = _mean(*sums)
    against = _against(lines, season, who)
    for key, rival, *sums in _add_up(against, who, "rival"):
        found[key].rivals[rival] = _mean(*sums)
    for key, rival, numbers in against.group_by(who, "rival").agg(pl.col("evening").unique().sort()).iter_rows():
        found[key].met[rival] = numbers
    for row in _best_boards(lines, who).iter_rows(named=True):
        found[row[who]].best.append(row)
    for key, figure in _find_figures(lines, who):
        found[key].figures.append(figure)
    for key, one in _find_slices(lines, seats, who):
        found[key].slices.append(one)
    return dict(found)


_SEAT_AFTER: Final = dict(zip(SEATS, SEATS[1:] + SEATS[:1], strict=True))
_PARTNER: Final = dict(zip(SEATS, SEATS[2:] + SEATS[:2], strict=True))


def _find_seat() -> pl.Expr:
    """Return the seat of a player, from who declared or led: partner sat opposite."""
    declarer, declaring = pl.col("declarer"), pl.col("declaring")
    leader = declarer.replace_strict(_SEAT_AFTER, default=None)
    acted, own = pl.when(declaring).then(declarer).otherwise(leader), pl.when(declaring).then("own").otherwise("led")
    return pl.when(own).then(acted).when(~own).then(acted.replace_strict(_PARTNER, default=None))


_BONUS: Final = (
    pl.when(pl.col("level") >= 6)
    .then(pl.lit("slams"))
    .when(pl.col("level") >= GAME_LEVEL)
    .then(pl.lit("games"))
    .when(pl.col("level") >= 1)
    .then(pl.lit("part scores"))
)
SLICES: Final[Mapping[str, tuple[str, ...]]] = {
    "strain": STRAINS,
    "bonus": ("part scores", "games", "slams"),
    "seat": SEATS,
    "partner": (),
}
"""By what boards are told apart, and the values in their order; partners come by the number of boards."""

_OWN: Final = ("part_lead", "part_declarer", "part_defence")
_SUMS: Final[Mapping[str, pl.Expr]] = {
    "total": pl.sum_horizontal(f"part_{name}" for name in CAUSES),
    "bidding": pl.col("part_bidding"),
    "cards": pl.when(pl.any_horizontal(pl.col(_OWN).is_not_null())).then(pl.sum_horizontal(_OWN)),
    "opponents": pl.col("part_opponents"),
}
"""The parts of a slice: all of them together, and those that a reader compares."""


def _find_slices(lines: pl.DataFrame, seats: pl.DataFrame, who: Who) -> Iterator[tuple[str, Slice]]:
    """Yield the slices of each, in the order of `SLICES`."""
    analysed = lines.drop_nulls("part_bidding")
    if analysed.is_empty():
        return
    # A partnership has no other partner, and sits in two seats.
    alone = pl.lit(who == "person")
    partners = seats.select("evening", "entry", who, partner=pl.when(alone).then("partner"))
    told = (
        analysed.join(partners, on=["evening", "entry", who], how="left", maintain_order="left")
        .with_columns(bonus=_BONUS, seat=pl.when(alone).then(_find_seat()), unit=_UNIT)
        .with_columns(**_SUMS)
    )
    each = pl.concat(
        told.select(who, "unit", *_SUMS, by=pl.lit(by), name=pl.col(by).cast(pl.String)).drop_nulls("name")
        for by in SLICES
    )
    each = each.unpivot(list(_SUMS), index=[who, "unit", "by", "name"], variable_name="part")
    alike = ["unit", "by", "part"]
    means = summarize(each, "value", [who, "unit", "by", "name", "part"], among=alike)
    means = means.filter(pl.col("count") >= ENOUGH_BOARDS)
    found: dict[tuple[str, str, str, str], dict[str, Interval]] = defaultdict(dict)
    for key, unit, by, name, part, *sums in means.iter_rows():
        found[key, unit, by, name][part] = find_interval(*sums)
    whole = {about: parts for about, parts in found.items() if "total" in parts}
    place = {(by, name): n for by, names in SLICES.items() for n, name in enumerate(names)}
    order = list(SLICES)
    for (key, unit, by, name), parts in sorted(
        whole.items(), key=lambda of: (order.index(of[0][2]), place.get(of[0][2:], 0), -of[1]["total"].count)
    ):
        yield key, Slice(by, name, unit, {part: parts[part] for part in _SUMS if part in parts})


_UNIT: Final = pl.when(pl.col("top").is_not_null()).then(pl.lit("%")).otherwise(pl.lit("points"))


def _find_figures(lines: pl.DataFrame, who: Who) -> Iterator[tuple[str, Figure]]:
    """Yield where the tricks and points of each went, in the order of `evening.LINES`."""
    columns = [name for name in LINES if name.startswith(("tricks_", "part_"))]
    each = lines.select(who, _UNIT.alias("unit"), pl.col(columns).cast(pl.Float64)).unpivot(
        columns, index=[who, "unit"], variable_name="column"
    )
    of_tricks = pl.col("column").str.starts_with("tricks_")
    told = each.with_columns(
        unit=pl.when(of_tricks).then(pl.lit("tricks")).otherwise("unit"),
        order=pl.col("column").replace_strict(columns, range(len(columns))),
    )
    counted = (
        summarize(told, "value", [who, "unit", "order"], among=["unit", "order"])
        .filter(pl.col("count") >= ENOUGH_BOARDS)
        .sort(who, (pl.col("unit") != "tricks"), "unit", "order")
    )
    for key, unit_name, order, *values in counted.iter_rows():
        yield key, Figure(columns[order].partition("_")[2], unit_name, find_interval(*values))


def _lines_of(season: Season, seats: pl.DataFrame, who: Who) -> pl.DataFrame:
    """Return every scored board of everybody, with what the boards are part of."""
    mine = season.lines.join(seats.select("evening", "entry", who), on=["evening", "entry"], maintain_order="left")
    lines = mine.drop_nulls("points")
    spelt = [(key, name, True) for (name, _), key in season.identities.keys.items()] if who == "person" else []
    named = pl.DataFrame(spelt, {who: pl.String, "spelling": pl.String, "is_own": pl.Boolean}, orient="row").unique()
    for name, of, side in (("own", "declarer_name", True), ("led", "leader_name", False)):
        known = pl.col(of).is_not_null() & (pl.col("declaring") == side)
        own = lines.join(named, left_on=[who, of], right_on=[who, "spelling"], how="left", maintain_order="left")
        lines = own.with_columns(pl.when(known).then(pl.col("is_own").fill_null(value=False)).alias(name)).drop(
            "is_own"
        )
    declaring = pl.col("declaring")
    # Only where the seats of all are known do declarer and dummy say more than the side that declared.
    known = (pl.col("own").is_not_null() | ~declaring).all().over(who) & pl.lit(who == "person")
    shares = {"Defending": ~declaring, "Declarer": known & pl.col("own"), "Dummy": known, "Declaring": declaring}
    return lines.with_columns(share=pl.coalesce(pl.when(fits).then(pl.lit(name)) for name, fits in shares.items()))


def _against(lines: pl.DataFrame, season: Season, who: Who) -> pl.DataFrame:
    """Return each board once for each opponent."""
    others = season.seats.drop_nulls(who)
    if who == "pair":
        others = others.filter(pl.col("seat") == 0)
    others = others.select("evening", opponents="entry", rival=pl.col(who))
    return lines.explode("opponents", empty_as_null=True, keep_nulls=False).join(
        others, on=["evening", "opponents"], maintain_order="left"
    )


def _add_up(lines: pl.DataFrame, who: Who, by: str) -> Iterator[tuple[Any, ...]]:
    """Yield for each group of boards: its keys, the boards, matchpoints and their top, and other points and boards."""
    matchpoints = pl.col("top").fill_null(0) > 0
    groups = lines.group_by(who, by, maintain_order=True).agg(
        pl.len(),
        won=pl.col("points").filter(matchpoints).sum(),
        of=pl.col("top").filter(matchpoints).sum(),
        imps=pl.col("points").filter(~matchpoints).sum(),
        others=(~matchpoints).sum(),
    )
    yield from groups.sort(who, by).iter_rows()


def _mean(boards: int, won: float, top: float, imps: float, others: int) -> Mean:
    return Mean(boards, 100 * won / top if top else None, imps / others if others else None)


def _best_boards(lines: pl.DataFrame, who: Who) -> pl.DataFrame:
    """Return the best boards of each, the best first: by percentage, of equal ones the one with the larger top."""
    order = [pl.col("percentage").is_null(), -pl.col("percentage"), -pl.col("points"), -pl.col("top").fill_null(0)]
    ordered = lines.sort(who, *order, "evening", "board", "result")
    return ordered.group_by(who, maintain_order=True).head(BEST_BOARDS)


def sum_awards(rows: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """Return the masterpoints of some entries by colour."""
    total: dict[str, float] = defaultdict(float)
    for row in rows:
        for colour, points in parse_awards(row["awards"]).items():
            total[colour] += points
    return dict(sorted(total.items()))


def find_partners(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[Mapping[str, Any]]]:
    """Return the entries with each partner, by the partner's key."""
    found: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for row in rows:
        if row["partner"]:
            found[row["partner"]].append(row)
    return dict(found)
