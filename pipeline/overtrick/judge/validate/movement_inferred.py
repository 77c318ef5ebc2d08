"""Sessions compared with the movement that most of their results follow: who sits where, and with which boards."""

from itertools import chain
from typing import Final

import polars as pl

from overtrick.core.bridge.movements import Place, expected_seating, numbers_repeat, turned_meetings
from overtrick.core.frames import PROBLEMS, Problems, Session, empty, sides
from overtrick.core.problems import concat_problems, report
from overtrick.judge.validate.movement_directions import select_wrong_way
from overtrick.judge.validate.session import LINE, many_both_ways, select_travellers

_FEWEST_ROUNDS: Final = 4
_FEWEST_TABLES: Final = 2
_MOST_ROUNDS: Final = 100
"""The most rounds of a section for which a movement is inferred: its time grows with rounds times pairs."""
_SURE: Final = 0.9
"""The share of the seating that must follow a movement; with less, none is inferred."""

_AT: Final = ["round", "table"]

_CELL: Final = ["number", "table"]

_SAID: Final = {"ns": "N-S", "ew": "E-W"}

_CHAIRS: Final = {"ns": ["north", "south"], "ew": ["east", "west"]}
"""By side, the columns that its two players get."""


def check_movement(session: Session) -> Problems:
    """Report results of pairs, players or boards that the movement has elsewhere: Mitchell, Howell, any cyclic one."""
    lines = select_travellers(session.results).drop_nulls(["table", "ns", "ew"])
    numbered = lines.with_columns(number=pl.col("round").cast(pl.Int64, strict=False)).drop_nulls("number")
    parts = [_section(part) for part in numbered.partition_by("section", maintain_order=True)]
    return concat_problems(parts)


def _section(lines: pl.DataFrame) -> Problems:
    rounds = lines["number"].n_unique()
    if not _FEWEST_ROUNDS <= rounds <= _MOST_ROUNDS or lines["table"].n_unique() < _FEWEST_TABLES:
        return empty(PROBLEMS)
    alone = lines.select(pl.col("ns", "ew").str.contains("+", literal=True)).to_numpy().all()
    placed = _place_boards(lines)
    boards = report("movement-wrong-board/result", _told(_list_wrong_boards(placed)))
    return _merge_places(concat_problems([*(_players(lines) if alone else _pairs(lines)), boards]), placed)


def _merge_places(told: Problems, placed: pl.DataFrame) -> Problems:
    """Tell once that a result is in a wrong place: two things are wrong there, and its pairs meet elsewhere.

    That is at another table in the round, or in another round on the set of its board.

    Args:
        told: what is wrong with single results.
        placed: the results, as from `_place_boards`.
    """
    sound = placed.join(told, on=LINE, how="anti", nulls_equal=True, maintain_order="left")
    on_set = sound.filter(pl.col("boards").eq_missing(pl.col("expected_boards")))
    twice = told.filter(pl.len().over(LINE) > 1)
    wrong = placed.join(twice, on=LINE, how="semi", nulls_equal=True, maintain_order="left")
    for name, others, by in (("here", sound, "round"), ("elsewhere", on_set, "boards")):
        met = ["ns", "ew", by]
        meetings = others.select(*met, pl.struct(meets_round="round", meets_table="table").alias(name))
        wrong = wrong.join(
            meetings.unique(met, keep="first"), on=met, how="left", nulls_equal=True, maintain_order="left"
        )
    moved = wrong.with_columns(meets=pl.coalesce("here", "elsewhere")).drop_nulls("meets").unnest("meets")
    others = told.join(moved, on=LINE, how="anti", nulls_equal=True, maintain_order="left")
    return concat_problems([report("movement-differs/place", _told(moved)), others])


def _pairs(lines: pl.DataFrame) -> list[pl.DataFrame]:
    seats = sides(lines).drop_nulls("contestant")
    both_ways = many_both_ways(seats)
    apart = both_ways and numbers_repeat(seats, "direction")
    judged = _judged(lines, apart=apart, both_ways=both_ways)
    if judged["right"].all() or (judged["right"] | judged["turned"]).sum() < _SURE * judged.height:
        return []
    judged = _with_slips(judged)
    if apart:
        judged = judged.with_columns(pl.col("^(expected_)?(ns|ew)$").str.slice(2))
    wrong = judged.filter(~pl.col("right") & ~pl.col("turned"))
    named = [
        wrong.filter(pl.col(side) != pl.col(f"expected_{side}"), f"slip_{side}").with_columns(
            pair=pl.col(side), direction=pl.lit(said), expected=f"expected_{side}"
        )
        for side, said in _SAID.items()
    ]
    # Where pairs sit one way only, `pair-wrong-way` says so without a movement.
    turned = judged.filter("turned") if apart else select_wrong_way(judged) if both_ways else judged.clear()
    return [
        report("movement-wrong-way/result", _told(turned.filter(pl.col("right") | pl.col("turned")))),
        *(report("movement-differs/pair", _told(part)) for part in named),
    ]


def _players(lines: pl.DataFrame) -> list[pl.DataFrame]:
    """Compare the players of an individual with those due at that table in that direction, in either chair."""
    seated = lines.with_columns(
        pl.col(side).str.splitn("+", 2).struct.field(f"field_{place}").alias(seat)
        for side, seats in _CHAIRS.items()
        for place, seat in enumerate(seats)
    )
    judged = _with_expected(seated, [*chain(*_CHAIRS.values())])
    others = {
        side: (name_others(pl.concat_list(seats), due), name_others(due, pl.concat_list(seats)))
        for side, seats in _CHAIRS.items()
        for due in [pl.concat_list(f"expected_{seat}" for seat in seats)]
    }
    if judged.filter(*(wrong == "" for wrong, _ in others.values())).height < _SURE * judged.height:
        return []
    slips = [
        judged.filter(wrong != "").with_columns(pair=wrong, expected=missed, direction=pl.lit(_SAID[side]))
        for side, (wrong, missed) in others.items()
    ]
    return [report("movement-differs/pair", _told(rows)) for rows in slips]


def name_others(some: pl.Expr, others: pl.Expr) -> pl.Expr:
    """Return those who are not among the others, sorted and joined."""
    return some.list.set_difference(others).list.sort().list.join(" and ")


def _judged(lines: pl.DataFrame, *, apart: bool, both_ways: bool) -> pl.DataFrame:
    """Add to each result the pairs that the movement has, and whether it is `right` or `turned`.

    Args:
        lines: the results of a section.
        apart: whether a number names two pairs, one N-S and one E-W; then `ns` and `ew` become "N 1" and "E 1".
        both_ways: whether most pairs sit N-S in some rounds and E-W in others.
    """
    if apart:
        lines = lines.with_columns(ns=pl.format("N {}", "ns"), ew=pl.format("E {}", "ew"))
    right = (pl.col("ns") == pl.col("expected_ns")) & (pl.col("ew") == pl.col("expected_ew"))
    ns, ew, due_ns, due_ew = (
        pl.col(name).str.slice(2) if apart else pl.col(name) for name in ("ns", "ew", "expected_ns", "expected_ew")
    )
    turned = ~right & (ns == due_ew) & (ew == due_ns)
    expected = _as_turned(_with_expected(lines, ["ns", "ew"], turns=both_ways and not apart))
    return expected.with_columns(right=right, turned=turned)


def _as_turned(lines: pl.DataFrame) -> pl.DataFrame:
    """Exchange the expected pairs where the table is turned round, as one of the two shows, and the other is wrong."""
    ns, ew, due_ns, due_ew = (pl.col(name) for name in ("ns", "ew", "expected_ns", "expected_ew"))
    turned = ((ns == due_ew) != (ew == due_ns)) & (ns != due_ns) & (ew != due_ew)
    return lines.with_columns(
        expected_ns=pl.when(turned).then(due_ew).otherwise(due_ns),
        expected_ew=pl.when(turned).then(due_ns).otherwise(due_ew),
    )


def _with_slips(judged: pl.DataFrame) -> pl.DataFrame:
    """Mark by side what no sound movement has: `slip_ns slip_ew`.

    A sound movement may have a pair where nobody expects it, as the rover that replaces another pair each round. But
    in none does a pair play only one round, sit at two tables in a round, or play a board in two rounds.
    """
    seats = sides(judged.select("ns", "ew", "number", "table", "board")).select("contestant", *_CELL, "board")
    whose = [pl.col("contestant"), pl.col("number"), pl.col("board")]
    known = seats.select(
        *whose,
        once=pl.col("number").n_unique().over("contestant") == 1,
        elsewhere=pl.col("table").n_unique().over("contestant", "number") > 1,
        again=pl.col("number").n_unique().over("contestant", "board") > 1,
    ).unique()
    for side in ("ns", "ew"):
        alone = (pl.col(side) != pl.col(f"expected_{side}")).mean().over("number", "table") <= 0.5
        slips = known.select(
            pl.col("contestant").alias(side), "number", "board", unsound=pl.any_horizontal("once", "elsewhere", "again")
        )
        judged = judged.join(slips, on=[side, "number", "board"], how="left", maintain_order="left")
        judged = judged.with_columns((alone | pl.col("unsound")).alias(f"slip_{side}")).drop("unsound")
    return judged


def _place_boards(lines: pl.DataFrame) -> pl.DataFrame:
    """Add to each result the set of its board, `boards`, and of the table in that round, `expected_boards`: `4 to 6`.

    Sets are cut from the boards in order, as many as a table has in most rounds. A board with less than half of the
    usual number of results is in none.

    Returns:
        The results; both are null if sets do not show, or most results are not on the boards of their table.
    """
    unknown = lines.with_columns(boards=pl.lit(None, pl.String), expected_boards=pl.lit(None, pl.String))
    each = lines.group_by(_AT).agg(pl.col("board").n_unique())["board"].mode().min()
    results = lines.group_by("board").len().sort("board")
    usual = results.filter(2 * pl.col("len") >= pl.col("len").median())["board"]
    if not isinstance(each, int) or usual.len() % each:
        return unknown
    sets = pl.DataFrame({"board": usual}).with_columns(number=pl.int_range(pl.len()) // each)
    first, last = (bound.cast(pl.String).over("number") for bound in (pl.col("board").min(), pl.col("board").max()))
    named = sets.select(
        "board", boards=pl.when(first == last).then(first).otherwise(pl.format("{} to {}", first, last))
    )
    placed = _with_expected(lines.join(named, on="board", how="left", maintain_order="left"), ["boards"])
    right = (placed["boards"] == placed["expected_boards"]).fill_null(value=False)
    return placed if right.sum() >= _SURE * placed.height else unknown


def _list_wrong_boards(placed: pl.DataFrame) -> pl.DataFrame:
    """Return the results on other boards than those of their table."""
    right = pl.col("boards").eq_missing(pl.col("expected_boards"))
    # A table that is elsewhere round after round shares boards with another: that is a movement, not a slip.
    elsewhere = placed.filter(~right).filter(pl.col("number").n_unique().over("table") == 1)
    return _unsound_boards(elsewhere, placed).with_columns(boards="expected_boards")


def _unsound_boards(elsewhere: pl.DataFrame, lines: pl.DataFrame) -> pl.DataFrame:
    """Return the results with other boards than expected, if no sound movement would have these.

    In some rounds of a scissors movement all tables play parts of other sets. A slip is at one table, or only on some
    boards of a table, or one of its pairs plays the board in another round too.
    """
    tables = lines.group_by("number").agg(tables=pl.col("table").n_unique())
    of_cell = lines.group_by("number", "table").agg(all_boards=pl.len())
    again = (
        sides(lines.select("ns", "ew", "number", "board"))
        .filter(pl.col("number").n_unique().over("contestant", "board") > 1)
        .select("number", "board", who="contestant")
        .unique()
    )
    named = elsewhere.with_row_index("row").join(tables, on="number").join(of_cell, on=["number", "table"])
    twice = pl.concat(
        named.join(again, left_on=[side, "number", "board"], right_on=["who", "number", "board"], how="semi")["row"]
        for side in ("ns", "ew")
    )
    marked = named.with_columns(
        others=pl.col("table").n_unique().over("number"),
        part=2 * pl.len().over("number", "table") < pl.col("all_boards"),
    )
    few = (2 * pl.col("others") < pl.col("tables")) & pl.col("part")
    return marked.filter((pl.col("others") == 1) | few | pl.col("row").is_in(twice.implode())).sort("row")


def _with_expected(lines: pl.DataFrame, columns: list[str], *, turns: bool = False) -> pl.DataFrame:
    """Add what the movement has at each table in each round; rows for which it is unknown are left out.

    Args:
        lines: the results of a section.
        columns: what sits or lies at a table.
        turns: whether the two columns are pairs that tables may have turned round: they are expected as the table has
            them in most rounds.
    """
    cells = lines.group_by("number", "table", maintain_order=True).agg(pl.col(columns).drop_nulls().mode().first())
    cells = _straightened(cells) if turns else cells
    places = _list_cells(cells)
    seating: dict[tuple[Place, int], str] = {
        ((table, column), order): value
        for (table, order), values in zip(places, cells.select(columns).iter_rows(), strict=True)
        for column, value in zip(columns, values, strict=True)
        if value is not None
    }
    expected = expected_seating(seating, gaps=columns != ["boards"])
    found = {f"expected_{column}": [expected.get(((table, column), at)) for table, at in places] for column in columns}
    known = cells.select(_CELL).with_columns(pl.Series(name, values, pl.String) for name, values in found.items())
    joined = lines.join(known, on=["number", "table"], how="left", maintain_order="left")
    return joined.drop_nulls([f"expected_{column}" for column in columns])


def _straightened(cells: pl.DataFrame) -> pl.DataFrame:
    """Turn the tables that a round has turned back to how they are in most rounds: `number table ns ew`."""
    places = _list_cells(cells)
    turned = turned_meetings(dict(zip(places, cells.select("ns", "ew").iter_rows(), strict=True)))
    turned_here = pl.Series("turned", [place in turned for place in places])
    return cells.with_columns(
        pl.when(turned_here).then(pl.col(there)).otherwise(pl.col(here)).alias(here)
        for here, there in (("ns", "ew"), ("ew", "ns"))
    )


def _list_cells(cells: pl.DataFrame) -> list[tuple[str, int]]:
    """Return the table of each cell, and the place of its round among all rounds."""
    order = {number: place for place, number in enumerate(cells["number"].unique().sort())}
    return [(table, order[number]) for number, table in cells.select(_CELL).iter_rows()]


def _told(rows: pl.DataFrame) -> pl.DataFrame:
    return rows if rows.is_empty() else rows.with_columns(pl.col("board").cast(pl.String))
