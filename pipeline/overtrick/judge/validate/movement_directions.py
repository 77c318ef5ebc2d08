"""Pairs that sit the wrong way round: at one table, on one board, or in a movement that turns tables round itself."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import polars as pl

from overtrick.core.bridge.movements import KNOWN, cyclic

_FEW_TURNED: Final = 2
"""If more tables than these are turned around as a whole in some round, the movement turns them."""

_SELDOM: Final = 4
"""The rounds in which a table sits the usual way for each in which it may be turned by a slip."""

_SURE: Final = 0.9
"""The share of results that must agree with a published movement."""

_PATTERN_ROUNDS: Final = 7
"""The fewest rounds in which a table shows a pattern: how it sits in any four rounds may come by chance."""

_FEWEST_SWITCHED: Final = 4
"""The fewest tables of an arrow-switched round if one of them that did not switch is a slip."""

_CELL: Final = ["number", "table"]


def select_wrong_way(judged: pl.DataFrame) -> pl.DataFrame:
    """Return results whose pairs sit the other way round than the movement has them.

    A published movement (`bridge.schedules.KNOWN`) says how its tables sit. In any movement a round in which most
    tables are turned is an arrow-switch, and a table that is turned time and again is turned by the movement. If the
    movement is not published, so are several that are turned now and then, and one that is turned from some round to
    the end of a session that was not played out.

    Where the movement turns tables, a slip is a result that differs from others at its table in that round, a table
    that is turned once although those that the movement turns are turned time and again, and one round that breaks the
    pattern in which a table turns.

    Args:
        judged: one row a result: `number` (of the round), `table`, `board`, `ns ew` and `turned`, whether they sit the
            other way round than at this table in most rounds.
    """
    # A Howell in which nothing turns but table 2 in round 3, with a slip on one of two boards of table 1 in round 1:
    #
    #     number  table  turned      whole  due    slip
    #     1       1      true,false  false  false  true,false
    #     3       2      true,true   true   false  true,true
    published = _as_published(judged)
    judged = judged if published is None else published
    share = pl.col("turned").mean()
    cells = judged.group_by(_CELL).agg(whole=share > 0.5, half=share == 0.5)
    ended_early = judged.group_by("board").len()["len"].n_unique() > 1
    due = _due(cells, published=published is not None, ended_early=ended_early)
    placed = judged.join(due, on=_CELL, how="left", maintain_order="left")
    return placed.filter(pl.col("turned") != pl.col("due"))


def _due(cells: pl.DataFrame, *, published: bool, ended_early: bool) -> pl.DataFrame:
    """Return which tables the movement has turned in which rounds: `number table due`.

    Args:
        cells: `number table whole half`: whether most results of the table are turned in that round, or half of them.
        published: whether the movement is published.
        ended_early: whether some boards have fewer results than others.
    """
    marked = cells.with_columns(_switched(cells)).with_columns(turned=pl.col("whole") & ~pl.col("switched"))
    often = _often("turned").alias("often")
    marked = marked.with_columns(often, last=pl.col("number") == pl.col("number").max().over("table"))
    alone = marked.filter(pl.col("turned") & ~pl.col("often"))
    # Where the movement turns some tables time and again, one turned table elsewhere is a slip.
    several = (
        not published
        and marked.select(pl.col("turned") | pl.col("half"))["turned"].sum() > _FEW_TURNED
        and not (alone.height == 1 and _is_orderly(marked, alone["table"][0]))
    )
    to_the_end = pl.col("last") & pl.lit(ended_early and not published)
    by_movement = pl.col("switched") | pl.col("often") | pl.lit(several) | to_the_end
    slips = pl.concat([_break_patterns(marked), _stayed(marked)]).to_struct()
    slipped = pl.struct(_CELL).is_in(slips.implode())
    due = pl.when(slipped).then(~pl.col("whole")).when(by_movement).then("whole").otherwise(pl.lit(value=False))
    return marked.select(*_CELL, due=due)


def _often(turned: str) -> pl.Expr:
    """Return whether a table is turned too often for slips."""
    return _SELDOM * pl.col(turned).sum().over("table") > (~pl.col(turned)).sum().over("table")


def _switched(cells: pl.DataFrame) -> pl.Series:
    """Return whether each round is arrow-switched: most of its tables are turned.

    Tables that the movement turns often do not count, where they are fewer than the others.
    """
    often = cells.select("table", often=_often("whole"))
    counted = ~often["often"] if 2 * often.unique()["often"].sum() < often["table"].n_unique() else pl.lit(value=True)
    share = pl.col("whole").filter(pl.col("counted")).mean().over("number")
    return cells.with_columns(counted=counted).select(switched=(share > 0.5).fill_null(value=False)).to_series()


def _stayed(marked: pl.DataFrame) -> pl.DataFrame:
    """Return the table that alone, and once, did not switch in an arrow-switched round, if nothing else turns.

    Returns:
        `number table`.
    """
    stays = ~pl.col("whole") & pl.col("switched")
    alone = (stays.sum().over("number") == 1) & (pl.len().over("number") >= _FEWEST_SWITCHED)
    once = stays.sum().over("table") == 1
    return marked.filter(stays & alone & once & ~pl.col("turned").any()).select(_CELL)


def _is_orderly(marked: pl.DataFrame, but: str) -> bool:
    """Return whether all other tables turn in a pattern, or half of them never."""
    others = marked.filter(pl.col("table") != but, ~pl.col("switched")).sort("number")
    turns = others.group_by("table").agg("turned")["turned"].to_list()
    return all(_keeps_pattern(turned) for turned in turns) or 2 * sum(not any(turned) for turned in turns) >= len(turns)


def _break_patterns(marked: pl.DataFrame) -> pl.DataFrame:
    """Return the round that breaks the pattern in which its table turns, where all other tables keep to one.

    Args:
        marked: `number table turned switched`; arrow-switched rounds have no pattern.

    Returns:
        `number table`, with no row where no table or more than one breaks its pattern.
    """
    rounds = marked.filter(~pl.col("switched")).sort("number").group_by("table").agg("number", "turned")
    odd = [(table, numbers, turns) for table, numbers, turns in rounds.iter_rows() if not _keeps_pattern(turns)]
    place = _pattern_break(odd[0][2]) if len(odd) == 1 else None
    found = [] if place is None else [(odd[0][1][place], odd[0][0])]
    return pl.DataFrame(found, schema=marked.select(_CELL).schema, orient="row")


def _keeps_pattern(turns: Sequence[bool]) -> bool:
    """Return whether a table turns in a pattern: never, from some round on, in a row of rounds, or each."""
    changes = [place for place, (before, after) in enumerate(pairwise(turns)) if before != after]
    return len(changes) in {0, 1, len(turns) - 1} or (len(changes) == 2 and changes[1] - changes[0] > 1)


def _pattern_break(turns: Sequence[bool]) -> int | None:
    """Return the only place of which the contrary makes a pattern: turned from some round on, or each second round."""
    # Turned each second round but for the third; turned from round 6 on, and in round 2:
    #
    #     0 1 1 1 0 1 0      0 1 0 0 0 1 1 1
    #         ^                ^
    if len(turns) < _PATTERN_ROUNDS:
        return None
    breaks = [
        [place for place, (turned, due) in enumerate(zip(turns, pattern, strict=True)) if turned != due]
        for pattern in _list_patterns(range(len(turns)))
    ]
    places = {found[0] for found in breaks if len(found) == 1}
    return places.pop() if len(places) == 1 else None


def _list_patterns(rounds: range) -> list[list[bool]]:
    """List the patterns in which a table may turn: each second round, and from or up to each of the rounds."""
    alternating = [[(place + first) % 2 == 1 for place in rounds] for first in (0, 1)]
    steps = [[(place >= start) == later for place in rounds] for start in rounds for later in (True, False)]
    return [*alternating, *steps]


def _as_published(judged: pl.DataFrame) -> pl.DataFrame | None:
    """Return results with `turned` by the published movement that the session follows; None if it follows none."""
    tables = judged["table"].n_unique()
    for (kind, size), movement in KNOWN.items():
        if kind == "individual" or size != tables:
            continue
        rows = [(at.round, str(at.table), *map(str, at.ns + at.ew)) for at in cyclic(movement, movement.moving)]
        known = pl.DataFrame(rows, {"number": pl.Int64, **dict.fromkeys(("table", "a", "b"), pl.String)}, orient="row")
        placed = judged.cast({"table": pl.String}).join(known, on=_CELL, how="left", maintain_order="left")
        right = ((pl.col("ns") == pl.col("a")) & (pl.col("ew") == pl.col("b"))).fill_null(value=False)
        if placed.select(right.mean()).item() >= _SURE:
            turned = (pl.col("ns") == pl.col("b")) & (pl.col("ew") == pl.col("a"))
            return judged.with_columns(turned=placed.select(turned.fill_null(value=False)).to_series())
    return None
