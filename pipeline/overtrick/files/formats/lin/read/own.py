"""The command `ot`, which overtrick writes beside a board of LIN: who sat there, where and when.

Its value is JSON: texts by the names of columns of a table of results (`formats.tables.headers.COLUMNS`), as in
`ot|{"table":"2","ns":"6","ew":"1"}|`. The contract and the tricks are those of the board; `"contract":"NP"` says
that it was not played.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import polars as pl

from overtrick.core import frames
from overtrick.core.problems import report
from overtrick.files.formats.lin.read.boards import Boards
from overtrick.files.formats.tables.cells import make_cells, read_cells
from overtrick.files.formats.tables.typed import COLUMNS

_OF_BOARD: Final = ("board", "contract", "declarer", "tricks", "vulnerable", "dealer")
"""Columns that the commands of LIN state; `ot` may add teams and the round, which the header states of a match."""
_OF_RECORD: Final = {
    **{name: name for name in ("event", "site", "date", "scoring", "section", "round", "table")},
    "pair_ns": "ns",
    "pair_ew": "ew",
}
"""By column of records, the column of a table that says the same."""
_LONGEST: Final = 10_000
"""Characters of a value that is read: one that overtrick writes has a few hundred."""


@dataclass(frozen=True)
class Own:
    """The results that the values of `ot` state."""

    records: frames.Records
    results: frames.Results
    contestants: frames.Contestants
    problems: frames.Problems


def read_own(boards: Boards, records: frames.Records) -> Own:
    """Read the values of `ot`: each makes its board a result of a table.

    Args:
        boards: the file's tokens.
        records: one row a record of `boards`, of `frames.RECORDS`.

    Returns:
        The records with event, date and place of these results, the results, and their contestants; a value that is not
        understood is a problem, and its board stays as it is.
    """
    stated = boards.get_first("ot")
    if stated.is_empty():
        return Own(
            records, frames.empty(frames.RESULTS), frames.empty(frames.CONTESTANTS), frames.empty(frames.PROBLEMS)
        )
    read = [_read_value(text) for text in stated["text"]]
    understood = pl.Series([values is not None for values in read], dtype=pl.Boolean)
    faults = report("lin-own", stated.filter(~understood))
    spelt = stated.filter(understood).select("record", "line").join(_spell(records), on="record", maintain_order="left")
    values = [value for value in read if value is not None]
    rows = [{**board, **said} for board, said in zip(spelt.to_dicts(), values, strict=True)]
    if not rows:
        return Own(records, frames.empty(frames.RESULTS), frames.empty(frames.CONTESTANTS), faults)
    cells = make_cells(rows, COLUMNS).with_columns(pl.col("line").cast(pl.UInt32)).drop("cell_record")
    reading = read_cells(cells, typed_in=True)
    results = reading.results.with_columns(spelt["record"])
    return Own(_fill(records, spelt, values), results, reading.contestants, pl.concat([faults, reading.problems]))


def _read_value(text: str) -> dict[str, str] | None:
    """Return the texts of a value by their columns; None where it is not understood."""
    try:
        value = json.loads(text) if len(text) <= _LONGEST else None
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, Mapping) or not all(isinstance(each, str) for each in value.values()):
        return None
    own = {*COLUMNS} - {*_OF_BOARD}
    known = {str(name): each for name, each in value.items() if name in own or (name, each) == ("contract", "NP")}
    return known if len(known) == len(value) else None


def _spell(records: frames.Records) -> pl.DataFrame:
    """Spell what the boards state as cells of a table: `record`, and the columns of `_OF_BOARD`."""
    crosses = pl.col("doubled").fill_null(0).replace_strict([0, 1, 2], ["", "X", "XX"], return_dtype=pl.String)
    bid = pl.concat_str(pl.col("level").cast(pl.String), pl.col("strain").cast(pl.String), crosses)
    room, of_match = pl.col("room"), pl.all_horizontal(pl.col("home_team", "visit_team").is_not_null())
    home_is_ns, home_is_ew = of_match & (room == "Open"), of_match & (room == "Closed")
    return records.select(
        "record",
        "round",
        pl.when(home_is_ns).then("home_team").when(home_is_ew).then("visit_team").alias("team_ns"),
        pl.when(home_is_ns).then("visit_team").when(home_is_ew).then("home_team").alias("team_ew"),
        pl.col("board").cast(pl.String),
        pl.when(pl.col("level") == 0).then(pl.lit("Pass")).otherwise(bid).alias("contract"),
        pl.col("declarer").cast(pl.String),
        pl.col("tricks").cast(pl.String),
    )


def _fill(records: frames.Records, boards: pl.DataFrame, values: list[dict[str, str]]) -> frames.Records:
    """Return the records with what the values say of them."""
    said = pl.DataFrame(
        {
            "record": boards["record"],
            **{name: [texts.get(said) for texts in values] for name, said in _OF_RECORD.items()},
        },
        schema={"record": frames.RECORDS["record"].dtype, **dict.fromkeys(_OF_RECORD, pl.String)},
    )
    absent = [pl.lit(None, pl.String).alias(name) for name in _OF_RECORD if name not in records.columns]
    joined = records.with_columns(absent).join(said, on="record", how="left", suffix="_said", maintain_order="left")
    filled = joined.with_columns(pl.coalesce(f"{name}_said", name).alias(name) for name in _OF_RECORD).with_columns(
        # The tables of an evening are not the rooms of a match.
        pl.when(~pl.col("record").is_in(boards["record"].implode()) | pl.col("home_team").is_not_null()).then("room")
    )
    return filled.drop(f"{name}_said" for name in _OF_RECORD)
