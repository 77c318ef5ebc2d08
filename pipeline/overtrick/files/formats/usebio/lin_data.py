"""`LIN_DATA`: the auction and the play of one table, as LIN in a traveller line.

Sites on which people play online write it: `qx||pn|Ann%20Lee%2C...|md|...|mb|1N|...`, with values that may be
percent-encoded. A result with such a text gets a record of its own, since a record has one auction and one play.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import polars as pl

from overtrick.core.bridge.cards import is_complete
from overtrick.core.frames import RECORDS, Records, conform
from overtrick.core.problems import report
from overtrick.files.formats.base import Reading
from overtrick.files.formats.lin.read.links import decode_value
from overtrick.files.formats.lin.read.reader import read_lin
from overtrick.files.formats.lin.read.small import OF_A_BOARD, stands_alone
from overtrick.files.formats.usebio.xml import Element

_COMMAND: Final = re.compile(r"\s*[A-Za-z]{2}\s*")
_NOBODY: Final = "pn|,,,|"
"""Players are listed as participants; LIN has the names that a site knows them by."""
_OF_LIN: Final = ("dealer", "vulnerable", "auction_start", "calls", "auction_end", "play_start", "cards", "play_end")
_OUTCOME: Final = ("level", "strain", "doubled", "declarer", "tricks")


def add_tables(reading: Reading, elements: Sequence[Element | None]) -> Reading:
    """Add the auctions and plays that results have.

    Args:
        reading: one file's; the records are its boards, with canonical deals.
        elements: by result its `LIN_DATA`; None for a line without.

    Returns:
        The reading. Each result with a sound text has a record of its own, after those of the boards; a board needs no
        record if each of its results has one.
    """
    rows = [
        (result, element.line, element.column, _as_line(element.text))
        for result, element in enumerate(elements)
        if element is not None
    ]
    if not rows:
        return reading
    schema = {"result": pl.UInt32, "line": pl.UInt32, "column": pl.UInt32, "text": pl.String}
    # Each text is one line for the reader, so the line of what it reads is the number of the text.
    texts = pl.DataFrame(rows, schema, orient="row").with_row_index("text_line", offset=1)
    read = read_lin("".join(f"{text}\n" for text in texts["text"]))
    judged = _judge(texts, read.records, reading)
    sound = judged.filter(pl.col("fault").is_null()).with_row_index("own")
    place_of = dict(sound.select("result", "own").iter_rows())
    records = reading.results["record"].to_list()
    shared = {record for result, record in enumerate(records) if result not in place_of}
    emptied = set(sound["record"]) - shared
    boards = [record for record in range(len(reading.records)) if record not in emptied]
    new = {record: place for place, record in enumerate(boards)}
    to_new = pl.col("record").replace_strict(new, default=None, return_dtype=pl.UInt32)
    number = [
        len(boards) + place_of[result] if result in place_of else new[record] for result, record in enumerate(records)
    ]
    added = conform(RECORDS, sound.with_columns(pl.coalesce("deal_of_lin", "deal").alias("deal")))
    places = sound.select("text_line", "line", "column", record=pl.col("own") + len(boards), board="board_label")
    faulty = judged.filter(pl.col("fault").is_not_null()).with_columns(to_new, board="board_label")
    problems = [
        reading.problems.with_columns(to_new),
        report("usebio-lin-data", faulty),
        _placed(read.problems, places),
    ]
    return replace(
        reading,
        records=pl.concat([reading.records[boards], added]).with_columns(
            record=pl.int_range(pl.len(), dtype=pl.UInt32)
        ),
        results=reading.results.with_columns(pl.Series("record", number, dtype=pl.UInt32)),
        annotations=_placed(read.annotations, places),
        problems=pl.concat(problems),
    )


def _as_line(text: str) -> str:
    """Return the commands about a board as a line that means the same beside others; empty if it is something else.

    The whole text stays an item, so commands about other things are not lost.
    """
    *pieces, rest = " ".join(decode_value(text).split()).split("|")
    if len(pieces) % 2 or rest.strip() or not all(_COMMAND.fullmatch(name) for name in pieces[::2]):
        return ""
    commands = [(name.strip().lower(), value) for name, value in zip(pieces[::2], pieces[1::2], strict=True)]
    written = "".join(f"{name}|{value}|" for name, value in commands if name in OF_A_BOARD - {"pn"})
    line = f"{_NOBODY}{written}pg||"
    return line if stands_alone(line) else ""


def _judge(texts: pl.DataFrame, of_lin: Records, reading: Reading) -> pl.DataFrame:
    """Return the texts with the columns of their new records, and what is at `fault` with those that have none."""
    of_board = reading.records.select(
        "record", "section", "event", "site", "date", "scoring", "board", "board_label", "deal"
    )
    outcome = [pl.when(pl.col("status") != "unknown").then(name).alias(name) for name in _OUTCOME]
    pairs = {"pair_ns": "ns", "pair_ew": "ew"}
    of_result = reading.results.with_row_index("result").select("result", "record", "round", "table", *outcome, **pairs)
    of_text = of_lin.select(
        *_OF_LIN, text_line="line", deal_of_lin="deal", board_of_lin="board", again=pl.col("line").is_duplicated()
    ).unique("text_line", keep="first", maintain_order=True)
    beside = texts.join(of_result, on="result", how="left", maintain_order="left")
    beside = beside.join(of_board, on="record", how="left", maintain_order="left")
    beside = beside.join(of_text, on="text_line", how="left", maintain_order="left")
    both = is_complete(beside["deal"]) & is_complete(beside["deal_of_lin"])
    return beside.with_columns(
        pl.when(pl.col("again").fill_null(value=True))
        .then(pl.lit("does not hold one board"))
        .when(pl.col("board") != pl.col("board_of_lin"))
        .then(pl.lit("is of another board"))
        .when(both & (pl.col("deal") != pl.col("deal_of_lin")))
        .then(pl.lit("shows other cards than the hands of the board"))
        .alias("fault")
    )


def _placed(frame: pl.DataFrame, places: pl.DataFrame) -> pl.DataFrame:
    """Return what the reader found, at the elements and in the records that the texts belong to."""
    here = frame.rename({"line": "text_line"}).drop("column", "record", "board", strict=False)
    known = here.join(places, on="text_line", how="inner", maintain_order="left")
    return known.with_columns(pl.lit(None).alias(name) for name in frame.columns if name not in known.columns).select(
        frame.columns
    )
