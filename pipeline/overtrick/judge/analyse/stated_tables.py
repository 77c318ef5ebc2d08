"""Double-dummy tables as files state them, in tags and a section of PBN, and what is wrong with them.

Each form lists twenty numbers of tricks in an order of its own; all are returned in the order of `frames.DOUBLE_DUMMY`.
"""

from collections.abc import Mapping
from typing import Final

import numpy as np
import numpy.typing as npt
import polars as pl

from overtrick.core.bridge.cards import SEAT_NAMES, SEATS, STRAINS, SUIT_NAMES, UNKNOWN
from overtrick.core.bridge.par import TRICKS, Tables
from overtrick.core.frames import DOUBLE_DUMMY, Items, Session

Order = npt.NDArray[np.int64]


def _order(seats: str, strains: str, *, strain_first: bool = False) -> Order:
    """Return the place of each of our twenty numbers in a form with these orders of seats and strains."""
    seat = np.array([seats.index(name) for name in SEATS])[:, None]
    strain = np.array([strains.index(name[0]) for name in STRAINS])[None, :]
    order: Order = (4 * strain + seat if strain_first else 5 * seat + strain).ravel()
    return order


_DIGIT: Final = "[0-9A-Da-d?*-]"
_DIGITS: Final = {
    "DoubleDummyTricks": (f"^({_DIGIT}{{20}})$", _order("NSEW", "NSHDC")),
    "Ability": ("".join(f"{seat}:({_DIGIT}{{5}})" for seat in SEATS), _order("NESW", "NSHDC")),
}
"""Tags of twenty hexadecimal digits, their form without blanks, and the order of the digits."""

_NUMBERS: Final = {"TABLE": _order("NESW", "SHDCN", strain_first=True)}
"""Tags of twenty decimal numbers, and their order."""

_RESULT_TABLE: Final = "OptimumResultTable"
TABLE_TAGS: Final = (*_DIGITS, *_NUMBERS, _RESULT_TABLE)
_CELL: Final = r"([0-9]{1,2}|[?*-])"
_ROW: Final = rf"\b([NESW])\s+(NT?|[SHDC])\s+{_CELL}"
_TURNED_ROW: Final = rf"\b(NT?|[SHDC])\s+([NESW])\s+{_CELL}"
_COMMENT: Final = r"\{[^}]*\}?|;[^\n]*"

_VALUE: Final = np.full(256, UNKNOWN, dtype=np.uint8)
_VALUE[np.frombuffer(b"0123456789abcd", dtype=np.uint8)] = np.arange(TRICKS + 1, dtype=np.uint8)
_VALUE[np.frombuffer(b"ABCD", dtype=np.uint8)] = np.arange(10, TRICKS + 1, dtype=np.uint8)

_MOST_TOGETHER: Final = TRICKS + 2
"""Tricks that the two sides may take in a strain, each as declarer."""

_SLAM_AGAINST: Final = 11
"""Tricks of one side in a strain, from which the other side can be left with one."""


def read_tables(session: Session) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Read all tables that the files state.

    Args:
        session: its items hold them.

    Returns:
        One row a table in the order of the files: record, line, column, name (of the tag), text, and tricks as in
        `frames.DOUBLE_DUMMY`. And the texts of such tags that are not a table, in the same form with tricks null.
    """
    items = session.items.filter(pl.col("name").is_in(TABLE_TAGS) & pl.col("record").is_not_null()).with_row_index(
        "item"
    )
    tags = items.filter(pl.col("kind") == "tag").select("item", "record", "line", "column", "name", "text")
    none = _with_tricks(tags.clear(), np.empty((0, 20), dtype=np.uint8))
    each = {str(part["name"][0]): part for part in tags.partition_by("name", maintain_order=True)}
    stated = pl.concat([none, *_of_digits(each), *_of_numbers(each), *_of_rows(items)]).sort("item").drop("item")
    readable = stated["tricks"].is_not_null()
    return stated.filter(readable), stated.filter(~readable)


def find_faults(
    session: Session, stated: pl.DataFrame, first: pl.DataFrame, rows: pl.DataFrame, unreadable: pl.DataFrame
) -> dict[str, pl.DataFrame]:
    """Find what is wrong with stated tables.

    Args:
        session: that they were read from.
        stated: as `read_tables` returns them, with `place`: the first record of their deal.
        first: those of them that count.
        rows: one row a deal, with `solved`.
        unreadable: the texts that are not a table.

    Returns:
        The rows at fault, by code of the problem.
    """
    return {
        "double-dummy-unreadable": _at(session, unreadable.with_columns(_in_a_line(pl.col("text")))),
        "double-dummy-twice": _at(session, _twice(stated, first)),
        "double-dummy-differs": _at(session, _wrong(first, rows)),
    }


def _of_digits(each: Mapping[str, pl.DataFrame]) -> list[pl.DataFrame]:
    """Read tags of twenty hexadecimal digits; `each` are the tags of a name."""
    # [DoubleDummyTricks "3a3333a3334388843888"] lists N S E W, each in NT S H D C; ours are N E S W in C D H S NT:
    #
    #     digits            N 3 a 3 3 3    S 3 a 3 3 3       E 4 3 8 8 8    W 4 3 8 8 8
    #     order             N 4 3 2 1 0    E 14 13 12 11 10  S 9 8 7 6 5    W 19 18 17 16 15
    #     tables[:, order]  N 3 3 3 10 3   E 8 8 8 3 4       S 3 3 3 10 3   W 8 8 8 3 4
    parts = []
    for name, (form, order) in _DIGITS.items():
        if name not in each:
            continue
        tags = each[name]
        plain = tags["text"].str.replace_all(r"\s", "")
        digits = plain.str.replace(form, "${1}${2}${3}${4}" if form.count("(") > 1 else "${1}")
        fits = plain.str.contains(form) & (digits.str.len_bytes() == 20)
        text = "".join(digits.set(~fits, "?" * 20).to_list()).encode()
        tables = _VALUE[np.frombuffer(text, dtype=np.uint8).reshape(-1, 20)]
        parts.append(_with_tricks(tags, tables[:, order]))
    return parts


def _of_numbers(each: Mapping[str, pl.DataFrame]) -> list[pl.DataFrame]:
    """Read tags of twenty decimal numbers, as `_of_digits`."""
    parts = []
    for name, order in _NUMBERS.items():
        if name not in each:
            continue
        tags = each[name]
        numbers = tags["text"].str.extract_all(r"[0-9]+").list.eval(pl.element().cast(pl.UInt8, strict=False))
        fits = (numbers.list.len() == 20) & (numbers.list.max() <= TRICKS).fill_null(value=False)
        tables = np.full((len(tags), 20), UNKNOWN, dtype=np.uint8)
        if fits.any():
            tables[fits.to_numpy()] = numbers.filter(fits).list.to_array(20).to_numpy()
        parts.append(_with_tricks(tags, tables[:, order]))
    return parts


def _of_rows(items: Items) -> list[pl.DataFrame]:
    """Read sections of rows, and rows in the value of the tag, as old programs wrote them with escaped blanks."""
    mine = items.filter(pl.col("name") == _RESULT_TABLE)
    if mine.is_empty():
        return []
    mine = mine.with_columns(
        pl.when(pl.col("kind") == "section").then(pl.col("text").str.replace_all(_COMMENT, "")).otherwise("text")
    )
    tables = mine.group_by("record", maintain_order=True).agg(
        pl.col("item", "line", "column", "name").first(), pl.col("text").str.join("\n")
    )
    text = tables["text"].str.replace_all(r"\\[nt]", " ")
    turned = text.str.contains("(?s)Denomination.*Declarer")
    cells = pl.concat(
        [
            _cells(text.set(turned, ""), _ROW, ("seat", "strain", "tricks")),
            _cells(text.set(~turned, ""), _TURNED_ROW, ("strain", "seat", "tricks")),
        ]
    )
    tricks = np.full((len(tables), 20), UNKNOWN, dtype=np.uint8)
    tricks[cells["row"].to_numpy(), cells["place"].to_numpy()] = cells["tricks"].to_numpy()
    tricks[((tricks > TRICKS) & (tricks != UNKNOWN)).any(axis=1)] = UNKNOWN
    return [_with_tricks(tables.select("item", "record", "line", "column", "name", "text"), tricks)]


def _cells(text: pl.Series, pattern: str, names: tuple[str, str, str]) -> pl.DataFrame:
    """List the cells of tables: row of the table, place among the twenty, tricks."""
    rows = pl.DataFrame({"row": pl.int_range(len(text), eager=True), "cell": text.str.extract_all(pattern)})
    cells = rows.explode("cell").drop_nulls("cell")
    parts = {name: pl.col("cell").str.extract(pattern, at) for at, name in enumerate(names, start=1)}
    seat = parts["seat"].replace_strict(list(SEATS), range(4), return_dtype=pl.Int64)
    strain = parts["strain"].str.head(1).replace_strict(list("CDHSN"), range(5), return_dtype=pl.Int64)
    tricks = parts["tricks"].cast(pl.UInt8, strict=False).fill_null(UNKNOWN)
    return cells.select("row", (5 * seat + strain).alias("place"), tricks.alias("tricks"))


def _with_tricks(rows: pl.DataFrame, tables: Tables) -> pl.DataFrame:
    """Add `tricks`: null where no number is known."""
    tables = _without_impossible(_without_filler(tables))
    known = pl.Series((tables != UNKNOWN).any(axis=1), dtype=pl.Boolean)
    tricks = pl.Series("tricks", tables, dtype=DOUBLE_DUMMY["tricks"].dtype)
    return rows.with_columns(pl.when(known).then(tricks).alias("tricks"))


def _without_filler(tables: Tables) -> Tables:
    """Remove the filler of programs that only knew what can be made: they write 1 for each number below seven.

    Such a table has a strain in which one side gets one trick, although the other side has nothing near a slam.
    """
    seats = tables.reshape(-1, 2, 2, 5)
    best = np.where(seats <= TRICKS, seats, 0).max(axis=1)
    fill = tables == 1
    only_ones = ((tables >= 7) | fill).all(axis=1)
    near_none = ((best[:, 0] < _SLAM_AGAINST) & (best[:, 1] == 1)) | ((best[:, 1] < _SLAM_AGAINST) & (best[:, 0] == 1))
    filled = only_ones & near_none.any(axis=1)
    return np.where(filled[:, None] & fill, np.uint8(UNKNOWN), tables)


def _without_impossible(tables: Tables) -> Tables:
    """Remove tables that nobody solved: twenty zeros, and numbers that contradict each other.

    Who leads matters, so that both sides together may take a trick or two more than thirteen, each as declarer in the
    same strain; but not more.
    """
    seats = np.where(tables == UNKNOWN, 0, tables).reshape(-1, 4, 5)
    most = np.maximum(seats[:, 0], seats[:, 2]).astype(np.int64) + np.maximum(seats[:, 1], seats[:, 3])
    nobody = (tables == 0).all(axis=1) | (most > _MOST_TOGETHER).any(axis=1)
    return np.where(nobody[:, None], np.uint8(UNKNOWN), tables)


def _in_a_line(text: pl.Expr) -> pl.Expr:
    return text.str.replace_all(r"\s+", " ").str.slice(0, 40)


def _twice(stated: pl.DataFrame, first: pl.DataFrame) -> pl.DataFrame:
    """Find tables that differ from the first one of their deal."""
    if len(stated) == len(first):
        return stated.clear()
    both = stated.join(first.select("place", pl.col("tricks").alias("before")), on="place", maintain_order="left")
    return _differing(both, "before", "tricks")


def _wrong(first: pl.DataFrame, rows: pl.DataFrame) -> pl.DataFrame:
    """Find tables that differ from the solver's."""
    if rows["solved"].is_null().all():
        return first.clear()
    solved = rows.select(pl.col("record").alias("place"), "solved").drop_nulls("solved")
    return _differing(first.join(solved, on="place", maintain_order="left"), "tricks", "solved")


def _differing(rows: pl.DataFrame, stated: str, other: str) -> pl.DataFrame:
    """Keep rows whose two tables differ where both are known, with the first such number: seat, strain, both tricks."""
    if rows.is_empty():
        return rows
    one, two = (rows[name].to_numpy().reshape(-1, 20) for name in (stated, other))
    apart = (one != two) & (one != UNKNOWN) & (two != UNKNOWN)
    at = apart.argmax(axis=1)
    row = np.arange(len(rows))
    strains = [*SUIT_NAMES, "notrump"]
    return rows.with_columns(
        pl.Series("count", apart.sum(axis=1)),
        pl.Series("seat", [SEAT_NAMES[place // 5] for place in at]),
        pl.Series("strain", [strains[place % 5] for place in at]),
        pl.Series("stated", one[row, at]),
        pl.Series("other", two[row, at]),
    ).filter(pl.Series(apart.any(axis=1)))


def _at(session: Session, rows: pl.DataFrame) -> pl.DataFrame:
    """Add the source and the board of each table, if there are any."""
    if rows.is_empty():
        return rows
    about = session.records.select("record", "source", pl.col("board_label").alias("board"))
    return rows.drop("source", "board", strict=False).join(about, on="record", how="left", maintain_order="left")
