"""Sessions as a whole: who met whom on which boards, by the travellers.

Nothing here needs a movement: pairs play each board once, most of them sit one way or both, boards go round complete.
What is usual in a session is taken from most of its own results.
"""

from collections.abc import Callable
from typing import Final

import polars as pl

from overtrick.core.bridge.movements import numbers_repeat
from overtrick.core.frames import PROBLEMS, Contestants, Problems, Results, Session, empty, sides
from overtrick.core.frames import seats as seats_of_players
from overtrick.core.problems import concat_problems, report
from overtrick.judge.validate.board_counts import check_board_counts

_PAIR: Final = ["of_section", "of_direction", "contestant"]
"""Columns that identify a pair; section and direction are null where the number alone is enough."""

_FEW_BOTH_WAYS: Final = 0.5
"""If a larger share of the pairs, or of the numbers, sat both ways, that is not a slip."""

_MOST: Final = 0.6
"""The share of meetings that makes something usual in a session."""

_MOST_RUN: Final = 0.8
"""The share of meetings that must have consecutive boards, where no rounds are stated."""

_NOBODY: Final = r"(?:phantom|bye|sit[- ]?out|missing|nobody)(?:[- ](?:pair|player|team))?"
_PHANTOM: Final = rf"(?i)^(?:0+|{_NOBODY})$"
_PHANTOM_NAMES: Final = rf"(?i)^{_NOBODY}(?: - {_NOBODY})*$"
"""What programs call a missing pair, and the names of its players."""


def check_consistency(session: Session) -> Problems:
    """Report pairs that play a board twice, sit at two tables or the wrong way, and boards that lack results."""
    lines = select_travellers(session.results)
    if lines.is_empty():
        return empty(PROBLEMS)
    bye = session.results.filter(pl.col("status") == "bye")
    seated = _seats(pl.concat([lines, bye]), seats_of_players)
    at_table, byes = seated.filter(pl.col("status") != "bye"), seated.filter(pl.col("status") == "bye")
    as_pairs = _seats(lines, sides) if len(bye) or lines["player_n"].count() else at_table
    return concat_problems(
        [
            report("pair-against-itself", _itself(lines, at_table)),
            _against_nobody(at_table, session.contestants),
            _board_twice(at_table),
            _two_tables(at_table),
            _wrong_way(as_pairs),
            _bye_played(at_table, byes),
            *check_board_counts(lines, at_table, _PAIR),
            _not_consecutive(lines),
        ]
    )


def select_travellers(results: Results) -> pl.DataFrame:
    """Return the results of files with travellers (several of a board in one record), each of one table.

    A file of an evening's part may have one result of each board: it counts if travellers have all its contestants.
    """
    played = pl.col("status").is_in(["played", "passed", "adjusted"]) & (pl.col("multiplicity").fill_null(1) == 1)
    told = results.filter(played & pl.col("board").is_not_null())
    if told["record"].n_unique() == told.height:
        return told.clear()
    several = pl.len().over("record").max().over("source") > 1
    known = told.filter(several).select(pl.concat([pl.col("ns"), pl.col("ew")]).drop_nulls().unique()).to_series()
    part = pl.all_horizontal(pl.col("ns", "ew").is_in(known.implode())).fill_null(value=False).all().over("source")
    return told.filter(several | part)


def _seats(lines: pl.DataFrame, of: Callable[[pl.DataFrame], pl.DataFrame]) -> pl.DataFrame:
    """Return a row for each contestant of each result: the columns of `_PAIR`, its `direction`, its `opponents`.

    Args:
        lines: results.
        of: `frames.sides` for pairs, `frames.seats` for players in their place in an individual.
    """
    both = of(lines.with_columns(pl.col("ew").alias("opponents_ns"), pl.col("ns").alias("opponents_ew")))
    known = both.drop_nulls("contestant")
    by_direction = many_both_ways(known) and numbers_repeat(known, "direction")
    return known.with_columns(
        (pl.col("section") if numbers_repeat(known, "section") else pl.lit(None, pl.String)).alias("of_section"),
        (pl.col("direction").cast(pl.String) if by_direction else pl.lit(None, pl.String)).alias("of_direction"),
    )


def many_both_ways(seats: pl.DataFrame) -> bool:
    """Report whether many numbers occur N-S and E-W, as in a Howell or where each direction has its own numbers."""
    pairs = seats.group_by("section", "contestant").agg(pl.col("direction").n_unique() > 1)
    return bool(pairs["direction"].sum() > _FEW_BOTH_WAYS * pairs.height)


def _told(rows: pl.DataFrame) -> pl.DataFrame:
    """Return seats with the columns that messages use, if there are any."""
    if rows.is_empty():
        return rows
    return rows.with_columns(
        pl.col("contestant").alias("pair"),
        pl.col("board").cast(pl.String),
        pl.col("direction").cast(pl.String).replace({"NS": "N-S", "EW": "E-W"}),
    )


def _itself(lines: pl.DataFrame, seats: pl.DataFrame) -> pl.DataFrame:
    if seats["of_direction"].is_not_null().any():
        return lines.clear()
    return lines.filter(pl.col("ns") == pl.col("ew")).with_columns(
        pl.col("ns").alias("pair"), pl.col("board").cast(pl.String)
    )


def _against_nobody(seats: pl.DataFrame, contestants: Contestants) -> Problems:
    """Report results against a missing pair, known by its number or by the name listed for it."""
    nobody = contestants.filter(pl.col("names").str.contains(_PHANTOM_NAMES)).select("contestant", "section").unique()
    named = pl.col("contestant").str.contains(_PHANTOM)
    if len(nobody):
        named |= pl.col("contestant").is_in(nobody.filter(pl.col("section").is_null())["contestant"].implode())
    wrong = seats.filter(named)
    if len(nobody):
        listed = seats.join(nobody, on=["contestant", "section"], how="semi", nulls_equal=True)
        wrong = pl.concat([wrong, listed])
    return report("pair-phantom", _told(wrong.unique(["record", "line", "column"], maintain_order=True)))


def _board_twice(seats: pl.DataFrame) -> Problems:
    """Report every result of a pair on a board after its first; a pair against itself has a code of its own.

    Matches of teams may use the same numbers for other boards in each round.
    """
    match = pl.when(pl.col("team").is_not_null()).then("round")
    others = seats.filter((pl.col("contestant") != pl.col("opponents")).fill_null(value=True))
    again = others.sort("line", maintain_order=True).filter(
        pl.int_range(pl.len()).over(*_PAIR, "record", "board", match) > 0
    )
    return report("pair-board-twice", _told(again))


def _two_tables(seats: pl.DataFrame) -> Problems:
    """Report the results of a pair at another table than the one where it plays most of a round."""
    at = seats.drop_nulls(["round", "table"])
    place = [*_PAIR, "section", "round"]
    tables = at.group_by(*place, "table", maintain_order=True).agg(pl.len().alias("results"))
    if tables.n_unique(place) == tables.height:
        return empty(PROBLEMS)
    most = (
        tables.sort("results", descending=True, maintain_order=True)
        .unique(place, keep="first", maintain_order=True)
        .rename({"table": "other"})
        .drop("results")
    )
    elsewhere = at.join(most, on=place, how="left", nulls_equal=True, maintain_order="left")
    wrong = elsewhere.filter(pl.col("table") != pl.col("other"))
    return report("pair-two-tables", _told(wrong.unique([*place, "table"], keep="first", maintain_order=True)))


def _wrong_way(seats: pl.DataFrame) -> Problems:
    """Report results in which both pairs sit the other way than usual, in a session where few pairs sit both ways."""
    if many_both_ways(seats):
        return empty(PROBLEMS)
    ways = pl.col("direction").n_unique().over(_PAIR) > 1
    here = pl.len().over(*_PAIR, "direction")
    rare = seats.filter(ways & (2 * here < pl.len().over(_PAIR)))
    if rare.is_empty():
        return empty(PROBLEMS)
    met = rare.filter(pl.len().over("record", "line", "column") == 2)
    # A Howell that has begun turns pairs round against opponents that sit as usual; a slip turns both.
    if 2 * met.height < rare.height:
        return empty(PROBLEMS)
    return report("pair-wrong-way", _told(met.filter(pl.col("direction") == "NS")))


def _bye_played(seats: pl.DataFrame, byes: pl.DataFrame) -> Problems:
    if byes.is_empty():
        return empty(PROBLEMS)
    key = [*_PAIR, "record", "board"]
    return report("pair-bye-played", _told(seats.join(byes.select(key).unique(), on=key, how="semi", nulls_equal=True)))


def _not_consecutive(lines: pl.DataFrame) -> Problems:
    """Report meetings whose boards have gaps, in sessions where the boards of most meetings are consecutive."""
    met = lines.drop_nulls(["ns", "ew"]).sort("board")
    meetings = met.group_by("section", "round", "ns", "ew", maintain_order=True).agg(
        pl.col("board").unique().sort().alias("boards"), pl.col("source", "line", "column", "record").first()
    )
    several = meetings.filter(pl.col("boards").list.len() > 1)
    run = pl.col("boards").list.last() - pl.col("boards").list.first() + 1 == pl.col("boards").list.len()
    marked = several.with_columns(run.alias("run"))
    if marked["run"].all():
        return empty(PROBLEMS)
    # In some rounds of a scissors movement all tables play halves of two sets, each table others.
    in_round = pl.col("run").mean().over("section", "round")
    alike = pl.col("boards").n_unique().over("section", "round", "run") == 1
    usual = pl.when(pl.col("round").is_null()).then(in_round >= _MOST_RUN).otherwise(in_round > 0.5)
    wrong = marked.filter(~pl.col("run") & (usual | alike))
    if marked["run"].sum() < _MOST * marked.height:
        return empty(PROBLEMS)
    return report(
        "boards-not-consecutive", wrong.with_columns(pl.col("boards").cast(pl.List(pl.String)).list.join(", "))
    )
