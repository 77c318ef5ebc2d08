"""The deals of a session: one row for each deal of a board, however many game records show it.

Duplicate bridge compares with those who held the same cards: a lead that nearly all made costs nobody anything. So what
the tables of a deal lost on average, where the same side declared, belongs to the contract that they all reached.
"""

import platform
import sys
from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import Final, Literal

import numpy as np
import polars as pl

from overtrick.core.bridge.cards import SEATS, SIDE_OF_SEAT, STRAINS, board_dealer, board_vulnerability, owners
from overtrick.core.frames import DoubleDummy, Results, Session

CAUSES: Final = ("bidding", "lead", "declarer", "defence", "opponents", "unknown")
"""The parts of a swing as a side sees it: what it did itself, what the opponents' cards did, and what is unknown."""


def list_causes(side: Literal["NS", "EW"]) -> list[pl.Expr]:
    """Return the parts of the swing of a side, one expression for each of `CAUSES`, times `denominator`.

    They are for a frame with the columns of `frames.ANALYSIS` and `declarer`. Their sum is `swing` for N-S, and
    `swing_ew` for E-W; where that is null, so are they.
    """
    sign, swing = (1, "swing") if side == "NS" else (-1, "swing_ew")
    declaring_side = pl.col("declarer").cast(pl.String).is_in(list(side)).fill_null(value=False)
    declaring = pl.col("declarer_value")
    lead, defence = pl.col("lead_value"), pl.col("defence_value")
    # A ruling may give E-W something else than what N-S lose; nobody knows why.
    split = pl.lit(0) if side == "NS" else pl.col("swing") + pl.col("swing_ew")
    parts = {
        "bidding": pl.col("expected").fill_null(0),
        "lead": pl.when(declaring_side).then(0).otherwise(lead),
        "declarer": pl.when(declaring_side).then(declaring).otherwise(0),
        "defence": pl.when(declaring_side).then(0).otherwise(defence),
        "opponents": pl.when(declaring_side).then(lead + defence).otherwise(declaring),
        "unknown": pl.col("unknown_value") - split,
    }
    return [pl.when(pl.col(swing).is_not_null()).then(sign * parts[name]).alias(name) for name in CAUSES]


FIELD: Final = ("others", "alike", "with_field")
_CONTRACT: Final = ("level", "strain", "side")


def list_compared(field: Sequence[str], *, of_teams: bool) -> list[pl.Expr]:
    """Return what is the same for tables that are compared: the columns of a field, and in a match of teams the match.

    Args:
        field: the columns.
        of_teams: whether tables of the same match are compared.

    Returns:
        Expressions named `of_0`, `of_1` and so on.
    """
    teams = ("team_ns", "team_ew")
    match = [pl.col("round"), pl.min_horizontal(teams), pl.max_horizontal(teams)]
    return [column.alias(f"of_{n}") for n, column in enumerate([*map(pl.col, field), *(match if of_teams else [])])]


# Five tables played a board; three of them bid game:
#
#     contract  declarer         others  alike  with_field
#     4S        N                4       2      true
#     4S        S           ->   4       2      true
#     4S        N                4       2      true
#     3S        N                4       0      false
#     5D        E                4       0      false
def compare_contracts(lines: Results, field: Sequence[str], *, of_teams: bool) -> pl.DataFrame:
    """Compare the contract of each result with those of the tables that its score is compared with.

    A contract is a level, a strain and a side. It is with the field if more tables bid it than any other one. In a
    match of teams the field is the other table.

    Args:
        lines: results, with the columns of `field`.
        field: the columns that are the same for tables that are compared.
        of_teams: whether tables of the same match are compared.

    Returns:
        A row for each line: `others`, UInt32, the other tables with a contract; `alike`, UInt32, those of them with the
        same contract; `with_field`, Boolean. All are null for a result without a contract, `with_field` also if several
        contracts are equally frequent, or if no other table has one.
    """
    side = pl.col("declarer").cast(pl.String).replace_strict(SIDE_OF_SEAT, default=None, return_dtype=pl.String)
    known = pl.all_horizontal(pl.col("level", "strain", "side").is_not_null()) & (pl.col("level") > 0)
    where = list_compared(field, of_teams=of_teams)
    here = [column.meta.output_name() for column in where]
    rows = lines.with_columns(
        side.alias("side"), pl.col("multiplicity").fill_null(1).cast(pl.UInt32).alias("tables"), *where
    )
    bid = rows.with_row_index("place").filter(known)
    counts = bid.group_by(*here, *_CONTRACT).agg(count=pl.col("tables").sum())
    most = counts.group_by(here).agg(
        all=pl.col("count").sum(), most=pl.col("count").max(), equal=(pl.col("count") == pl.col("count").max()).sum()
    )
    compared = bid.join(counts, on=[*here, *_CONTRACT], nulls_equal=True).join(most, on=here, nulls_equal=True)
    is_most = pl.col("count") == pl.col("most")
    by_field = pl.when((pl.col("most") > 1) & (pl.col("equal") == 1)).then(is_most)
    in_match = pl.when(pl.col("all") > 1).then(is_most & (pl.col("equal") == 1))
    found = compared.select(
        "place", others=pl.col("all") - 1, alike=pl.col("count") - 1, with_field=in_match if of_teams else by_field
    )
    every = rows.select(place=pl.int_range(pl.len(), dtype=pl.UInt32))
    return every.join(found, on="place", how="left", maintain_order="left").select(FIELD)


MOST_TRICKS: Final = 2
"""A result further than this from the double-dummy tricks is unusual."""

_FIELD: Final = 4
"""The results that a board needs, before a score that nobody else has says something."""

_UNKNOWN: Final = 255


def find_unusual(results: Results, double_dummy: DoubleDummy) -> pl.DataFrame:
    """Return what is unusual about each result.

    Args:
        results: scored.
        double_dummy: the tables of the session, from its files or the solver.

    Returns:
        One row for each result, in order: `dd_tricks` (null where not known), `far` (more than `MOST_TRICKS` tricks
        from them) and `alone` (at least four results on the board, and none of the others has this score).
    """
    known = double_dummy.filter(pl.col("board").is_not_null()).select("board", dd_table=pl.coalesce("solved", "tricks"))
    # A board with two deals was fouled: its table is not known.
    once = known.drop_nulls("dd_table").filter(pl.len().over("board") == 1)
    seat = pl.col("declarer").cast(pl.String).replace_strict(list(SEATS), list(range(4)), default=None)
    strain = pl.col("strain").cast(pl.String).replace_strict(list(STRAINS), list(range(5)), default=None)
    #     declarer  strain       place in the table
    #     N         C        ->  0
    #     E         NT       ->  9
    place = (5 * seat + strain).cast(pl.Int64)
    here = results.join(once, on="board", how="left", maintain_order="left")
    tricks = pl.when(place.is_not_null()).then(pl.col("dd_table").arr.get(place, null_on_oob=True))
    scores = pl.col("score_ns").is_not_null()
    many = scores.sum().over("board") >= _FIELD
    return (
        here.with_columns(found=tricks)
        .with_columns(dd_tricks=pl.when(pl.col("found") != _UNKNOWN).then("found"))
        .select(
            "dd_tricks",
            far=(pl.col("tricks").cast(pl.Int16) - pl.col("dd_tricks")).abs().fill_null(0) > MOST_TRICKS,
            alone=scores & many & (pl.len().over("board", "score_ns") == 1),
        )
    )


_FEWEST: Final = (3, 11)

_ANY_PYTHON: Final = {("linux", "x86_64"), ("win32", "AMD64")}
"""Systems and processors for which the package ddstable has a library, which works with every Python."""

_ENDPLAY: Final = {*_ANY_PYTHON, ("linux", "aarch64"), ("darwin", "x86_64"), ("darwin", "arm64")}
"""The same for the package endplay, up to Python 3.13."""

_NAMES: Final = {"linux": "Linux", "win32": "Windows", "darwin": "macOS"}


def packages_for(python: tuple[int, int], system: str, machine: str) -> list[str]:
    """Return the packages with a solver for a Python, a system as `sys.platform` and a processor as `platform` do."""
    place = (system, machine)
    if python < (3, 14):
        return ["endplay"] if place in _ENDPLAY else []
    return ["ddstable"] if place in _ANY_PYTHON else []


def name_missing(python: tuple[int, int] | None = None, system: str | None = None, machine: str | None = None) -> str:
    """Return what is missing for double dummy.

    Args:
        python: version, by default that of this process, as the next two.
        system: as `sys.platform`.
        machine: as `platform.machine()`.
    """
    version = python or (sys.version_info.major, sys.version_info.minor)
    place = (system or sys.platform, machine or platform.machine())
    if packages_for(version, *place):
        return "the solver is not installed"
    here = f"{_NAMES.get(place[0], place[0])} ({place[1]})"
    if packages_for(_FEWEST, *place):
        return f"no package has the solver for Python {version[0]}.{version[1]}, {here}; use Python 3.11 to 3.13"
    return f"no package has the solver for {here}"


def describe_missing(
    python: tuple[int, int] | None = None, system: str | None = None, machine: str | None = None
) -> str:
    """Return what is missing, as `name_missing`, and how to get it if there is a way."""
    missing = name_missing(python, system, machine)
    return f"{missing}; get it with: pip install 'overtrick[dd]'" if missing.endswith("not installed") else missing


def list_deals(session: Session) -> pl.DataFrame:
    """List the deals of the session, each once a board.

    Returns:
        One row a deal in the order of the files: record (the first that shows it), board, deal, `dealer` and
        `vulnerable` as String (from the first record that states them, else by the number, Law 2), and `records`, a
        list. The records of a board without a deal are one row.
    """
    # Board 1 in three records, one of them without its deal, and board 2:
    #
    #     record  board  deal      dealer        record  board  deal      dealer  vulnerable  records
    #     0       1      N:AKQ...  null          0       1      N:AKQ...  N       None        [0, 2]
    #     1       1      null      null     ->   1       1      null      N       None        [1]
    #     2       1      N:AKQ...  N             3       2      N:J98...  E       NS          [3]
    #     3       2      N:J98...  null
    grouped = session.records.group_by(identify_board(), "deal", maintain_order=True).agg(
        pl.col("record").first(),
        pl.col("board").first(),
        *(pl.col(name).cast(pl.String).drop_nulls().first() for name in ("dealer", "vulnerable")),
        records="record",
    )
    return grouped.select(
        "record",
        "board",
        "deal",
        pl.coalesce("dealer", board_dealer(pl.col("board"))).alias("dealer"),
        pl.coalesce("vulnerable", board_vulnerability(pl.col("board"))).alias("vulnerable"),
        "records",
    ).sort("record")


def are_playable(deals: pl.Series) -> pl.Series:
    """Return which canonical deals can be played: four hands of thirteen, all cards different."""
    holders = owners(deals)
    return pl.Series(np.all([(holders == seat).sum(axis=1) == 13 for seat in range(4)], axis=0), dtype=pl.Boolean)


def identify_board() -> pl.Expr:
    """Return `key`, which identifies a board: its number, else its label; a record with neither is a board of its own.

    It is made of the columns `board board_label record`.
    """
    label = pl.col("board_label").str.strip_chars()
    labelled = pl.when(label != "").then(pl.format("label {}", label))
    alone = pl.format("record {}", pl.col("record").cast(pl.String).fill_null("?"))
    return pl.coalesce(pl.col("board").cast(pl.String), labelled, alone).alias("key")


PARTS: Final = ("lead_value", "declarer_value", "defence_value", "unknown_value")
KINDS: Final = ("play", "lead", "nothing")
"""Whether a play was recorded in full, up to the lead or some later card, or not at all."""
_FINEST: Final = 1000
"""The largest denominator of a mean over a whole evening; what it leaves over stays in the part."""


# Two tables of a board in 4S by N-S, worth 4 with double-dummy tricks; a third one where E-W declare is not alike:
#
#     lead  declarer  expected          less the means, 1 and -2        expected
#     2     -4        4            ->   1     -2                        4 + 1 - 2 = 3
#     0      0        4            ->  -1      2                        3
def compare_with_field(found: pl.DataFrame, about: pl.DataFrame) -> pl.DataFrame:
    """Take the mean of each part off, and add it to `expected`: the swing stays, and the parts average to nothing.

    Where several tables have the same side declaring, the means are theirs; tables whose play was recorded in full, up
    to the lead, or not at all are compared with each other, and what these groups lost differently is unknown. Where
    only one table has, the means are those of that role over the evening.

    Args:
        found: a row for each compared result: `result swing swing_ew expected` and `PARTS`, and their `denominator`,
            the same for all tables of a group.
        about: a row for each result with a contract and its double-dummy tricks: `result`; `group`, what it is compared
            in; `sign`, 1 if N-S declare and -1 if E-W do; `kind`, of `KINDS`; `weight`, the tables that it stands for.

    Returns:
        The rows, with `same_side`: the other tables where the same side declared, null for a result without parts.
    """
    rows = found.join(about, on="result", how="inner", maintain_order="left").filter(pl.col("expected").is_not_null())
    others = found.join(rows, on="result", how="anti", maintain_order="left")
    if rows.is_empty():
        return found.with_columns(same_side=pl.lit(None, pl.UInt32))
    here = ["group", "sign"]
    sized = rows.with_columns(all=pl.col("weight").sum().over(here), some=pl.col("weight").sum().over([*here, "kind"]))
    compared = _take_off(sized.filter(pl.col("all") > 1), here)
    alone = _take_off_roles(sized.filter(pl.col("all") == 1), sized)
    kept = [*found.columns, "same_side"]
    done = [part.select(kept) for part in (compared, alone) if not part.is_empty()]
    return pl.concat([*done, others.with_columns(same_side=pl.lit(None, pl.UInt32)).select(kept)]).sort("result")


def _take_off(rows: pl.DataFrame, here: list[str]) -> pl.DataFrame:
    """Take off the means over the tables of a board."""
    # Times the multiple of these numbers of tables, the sums of all parts can be divided by each of them.
    sizes = [pl.col("weight").filter(pl.col("kind") == kind).sum().over(here).clip(1).alias(kind) for kind in KINDS]
    multiple = np.lcm.reduce(rows.select("all", *sizes).to_numpy(), axis=1)
    scaled = _scale(rows, pl.col("denominator") * pl.lit(pl.Series(multiple, dtype=pl.Int64)))
    weight, kind = pl.col("weight"), [*here, "kind"]
    means = {name: (pl.col(name) * weight).sum().over(kind) // pl.col("some") for name in PARTS}
    mean = (pl.sum_horizontal(PARTS) * weight).sum().over(here) // pl.col("all")
    meant = scaled.with_columns(mean=mean, **{f"mean_{name}": value for name, value in means.items()})
    of_kind = pl.sum_horizontal(f"mean_{name}" for name in PARTS)
    return meant.with_columns(
        *(pl.col(name) - pl.col(f"mean_{name}") for name in PARTS[:-1]),
        unknown_value=pl.col("unknown_value") - pl.col("mean_unknown_value") + of_kind - pl.col("mean"),
        expected=pl.col("expected") + pl.col("mean"),
        same_side=(pl.col("all") - 1).cast(pl.UInt32),
    )


def _take_off_roles(alone: pl.DataFrame, rows: pl.DataFrame) -> pl.DataFrame:
    """Take off the means over the evening, as the declaring side sees them, where no other table had it declare."""
    parts = []
    for (kind,), some in alone.group_by("kind", maintain_order=True):
        alike = rows.filter(kind=kind)
        means = [_mean(alike, name) for name in PARTS]
        times = lcm(*(mean.denominator for mean in means))
        scaled = _scale(some, pl.col("denominator") * times)
        off = {
            name: pl.col("sign") * pl.col("denominator") * mean.numerator // mean.denominator
            for name, mean in zip(PARTS, means, strict=True)
        }
        parts.append(
            scaled.with_columns(
                *(pl.col(name) - value for name, value in off.items()),
                expected=pl.col("expected") + pl.sum_horizontal(off.values()),
                same_side=pl.lit(0, pl.UInt32),
            )
        )
    return pl.concat(parts) if parts else alone


def _mean(rows: pl.DataFrame, name: str) -> Fraction:
    value = (pl.col(name) * pl.col("sign") * pl.col("weight")).sum()
    sums = rows.group_by("denominator").agg(value).select(name, "denominator").iter_rows()
    whole = sum((Fraction(above, below) for above, below in sums), Fraction(0))
    return (whole / int(rows["weight"].sum())).limit_denominator(_FINEST)


def _scale(rows: pl.DataFrame, scale: pl.Expr) -> pl.DataFrame:
    """Write all values with another denominator, a multiple of theirs."""
    times = scale // pl.col("denominator")
    values = ("swing", "swing_ew", "expected", *PARTS)
    return rows.with_columns(*(pl.col(name) * times for name in values), denominator=scale)
