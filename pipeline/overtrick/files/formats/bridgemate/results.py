"""Received data to results: one expression a column."""

from collections.abc import Mapping, Sequence
from typing import Final

import polars as pl

from overtrick.core import notation
from overtrick.core.bridge.cards import SEAT_NAMES
from overtrick.core.problems import report

Frames = dict[str, pl.DataFrame]

SUITS: Final = ("Spades", "Hearts", "Diamonds", "Clubs")

_PLACE: Final = ("Section", "Table", "Round", "Board")

_COLUMNS: Final[Mapping[str, tuple[str, ...]]] = {
    "Section": ("ID", "Letter"),
    "ReceivedData": (*_PLACE, "ID", "PairNS", "PairEW", "NS/EW", "Contract", "Result"),
    "RoundData": ("Section", "Table", "Round", "NSPair", "EWPair", "LowBoard", "HighBoard"),
    "PlayerNumbers": ("Section", "Table", "Direction", "Number", "Name"),
    "PlayerNames": ("strID", "Name"),
    "HandRecord": ("Section", "Board", *(f"{seat}{suit}" for seat in SEAT_NAMES for suit in SUITS)),
    "BiddingData": (*_PLACE, "ID", "Counter", "Direction", "Bid"),
    "PlayData": (*_PLACE, "ID", "Counter", "Direction", "Card"),
}
"""The columns that every version of the database has. Others, such as `Remarks`, came later and may be missing."""

_NUMBERS: Final = frozenset(
    (*_PLACE, "ID", "PairNS", "PairEW", "South", "West", "NSPair", "EWPair", "LowBoard", "HighBoard", "Counter")
)
_NUMBER: Final = r"^\s*-?[0-9]*\s*$"


def complete_tables(tables: Frames) -> tuple[Frames, pl.DataFrame]:
    """Add the columns that tables lack, as empty ones; return the tables, and problems for these columns and cells."""
    lacking = [
        {"table_name": name, "column_name": column}
        for name, columns in _COLUMNS.items()
        for column in columns
        if name in tables and column not in tables[name].columns
    ]
    complete = {name: _with_columns(frame, _COLUMNS.get(name, ())) for name, frame in tables.items()}
    schema = {"table_name": pl.String, "column_name": pl.String}
    reported = report("bws-column", pl.DataFrame(lacking, schema=schema))
    return complete, pl.concat(
        [reported, *(_report_texts(name, complete[name]) for name in _COLUMNS if name in complete)]
    )


def _with_columns(frame: pl.DataFrame, columns: tuple[str, ...]) -> pl.DataFrame:
    return frame.with_columns(pl.lit(None, pl.String).alias(name) for name in columns if name not in frame.columns)


def _report_texts(name: str, frame: pl.DataFrame) -> pl.DataFrame:
    """Report each text in a column of numbers once."""
    found = [
        frame.filter(~pl.col(column).str.contains(_NUMBER))
        .select(pl.lit(name).alias("table_name"), pl.lit(column).alias("column_name"), pl.col(column).alias("text"))
        .unique(maintain_order=True)
        for column in _COLUMNS[name]
        if column in _NUMBERS
    ]
    return pl.concat(report("value-unknown/number", rows) for rows in (*found, frame.clear()))


def name_sections(tables: Frames) -> tuple[Frames, pl.DataFrame]:
    """Replace the numbers of sections in all tables by their letters.

    A section without a letter has its number as its name, and so has one whose letter an earlier section has: two
    sections are never one.

    Returns:
        The tables, and problems for numbers and letters that several sections have.
    """
    letter = pl.col("Letter").str.strip_chars()
    listed = tables["Section"].with_columns(
        pl.col("ID").str.strip_chars(), pl.when(letter != "").then(letter).alias("Letter")
    )
    known = listed.drop_nulls("ID")
    once = known.unique("ID", keep="first", maintain_order=True)
    taken = pl.col("Letter").is_not_null() & ~pl.col("Letter").is_first_distinct()
    named = once.with_columns(pl.when(taken).then("ID").otherwise(pl.coalesce("Letter", "ID")).alias("name"))
    names = dict(named.select("ID", "name").iter_rows())
    again = known.filter(~pl.col("ID").is_first_distinct()).unique("ID", maintain_order=True)
    problems = [
        report("bws-section/number", again.select(number="ID", name=pl.col("ID").replace(names))),
        report("bws-section/letter", named.filter(taken).select(number="ID", letter="Letter")),
    ]
    renamed = {
        name: frame.with_columns(pl.col("Section").str.strip_chars().replace(names))
        for name, frame in tables.items()
        if "Section" in frame.columns
    }
    sections = named.with_columns(pl.col("name").alias("Letter")).drop("name")
    return {**tables, **renamed, "Section": sections}, pl.concat(problems)


PLACE: Final = ["Section", "Table", "Round", "Board"]
"""The columns that identify a result."""

_RECEIVED: Final = (
    *(*PLACE, "ID", "PairNS", "PairEW", "South", "West", "Declarer", "NS/EW", "Contract", "Result"),
    *("LeadCard", "Remarks", "Erased", "DateLog", "TimeLog"),
)
_REMARK_AWARD: Final = r"([0-9]{1,3})\s*%\s*[-/]\s*([0-9]{1,3})\s*%"
_ONE_SIDE: Final = (r"^([0-9]{1,3})\s*%\s*(?:[-/][-?%\s]*)?$", r"^[-?%\s]*[-/]\s*([0-9]{1,3})\s*%$")
"""The remark of an artificial score for N-S alone, `60%-`, and for E-W alone, `-40%`."""
WRONG_DIRECTION: Final = r"(?i)wrong direction"
_NOT_PLAYED: Final = r"(?i)not played"
_ARBITRAL: Final = r"(?i)arbitral"


def read_results(received: pl.DataFrame, records: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Read the results that the Bridgemates received.

    Args:
        received: the table `ReceivedData` as text, `Section` being the section's name.
        records: `Section Table Round Board record`, the record that each result belongs to.

    Returns:
        Rows with the columns of `frames.RESULTS` and with `declaring`, the pair that is said to declare; and problems.
    """
    rows = complete_columns(received, _RECEIVED).join(
        records, on=PLACE, how="left", maintain_order="left", nulls_equal=True
    )
    rows = rows.with_columns(
        pl.col("Table").alias("table"), pl.col("Round").alias("round"), pl.col("Board").alias("board")
    )
    erased = pl.col("Erased").is_in(["1", "TRUE"])
    standing = rows.filter(~erased.fill_null(value=False)).sort(pl.col("ID").cast(pl.Int64, strict=False))
    last = pl.struct(PLACE).is_last_distinct()
    counting = standing.filter(last)
    read = (
        counting.with_columns(**_meanings())
        .with_columns(notation.tricks_against(pl.col("Result"), pl.col("level"), made=False).alias("tricks"))
        .with_columns(_status())
    )
    arbitral = pl.col("Remarks").str.contains(_ARBITRAL).fill_null(value=False)
    read = read.with_columns(pl.when(~arbitral).then("tricks").alias("tricks"))
    problems = [
        report("bws-entered-again/erased", rows.filter(erased)),
        report("bws-entered-again/again", standing.filter(~last).unique(PLACE, keep="first", maintain_order=True)),
        report("bws-arbitral", read.filter(arbitral & pl.all_horizontal(pl.col("award_ns", "award_ew").is_null()))),
        _unread(read),
        _other_declarer(read),
    ]
    return read, pl.concat(problems)


def complete_columns(table: pl.DataFrame, names: Sequence[str]) -> pl.DataFrame:
    """Return these columns of a table, also those that older files lack; null for blanks."""
    text = [
        pl.col(name).str.strip_chars() if name in table.columns else pl.lit(None, pl.String).alias(name)
        for name in names
    ]
    return table.select(text).with_columns(pl.when(pl.col(name) != "").then(name).alias(name) for name in names)


def _meanings() -> dict[str, pl.Expr]:
    contract = _unspaced("Contract")
    swapped = pl.col("Remarks").str.contains(WRONG_DIRECTION).fill_null(value=False)
    north, east = _sides()
    players = {"n": "PairNS", "e": "PairEW", "s": "South", "w": "West"}
    remark = pl.col("Remarks")
    award = [
        pl.coalesce(remark.str.extract(_REMARK_AWARD, group), remark.str.extract(_ONE_SIDE[group - 1])) + "%"
        for group in (1, 2)
    ]
    return {
        "section": pl.col("Section"),
        "ns": pl.when(swapped).then(east).otherwise(north),
        "ew": pl.when(swapped).then(north).otherwise(east),
        "level": notation.level(contract),
        "strain": notation.strain(contract),
        "doubled": notation.doubled(contract),
        "declarer": notation.seat(pl.col("NS/EW")),
        "lead": notation.lead(_unspaced("LeadCard")),
        "award_ns": award[0],
        "award_ew": award[1],
        "multiplicity": pl.lit(1),
        **{f"player_{seat}": pl.when(_alone()).then(column) for seat, column in players.items()},
        "declaring": pl.col("Declarer"),
        "entered": _entered(),
    }


def _entered() -> pl.Expr:
    """Return when a result was entered: the day is that of one column, and the time of day that of the other."""
    day = pl.col("DateLog").str.extract(r"^([0-9]{4}-[0-9]{2}-[0-9]{2})")
    return pl.concat_str(day, pl.col("TimeLog").str.extract(r"([0-9]{2}:[0-9]{2}:[0-9]{2})$"), separator="T")


def _unspaced(column: str) -> pl.Expr:
    return pl.col(column).str.replace_all(r"\s", "")


def _sides() -> tuple[pl.Expr, pl.Expr]:
    """Return who sat N-S and E-W: the pair, or both players of an individual."""
    return (
        pl.when(_alone()).then(pl.concat_str("PairNS", "South", separator="+")).otherwise("PairNS"),
        pl.when(_alone()).then(pl.concat_str("PairEW", "West", separator="+")).otherwise("PairEW"),
    )


def _alone() -> pl.Expr:
    """Report whether the four numbers are players of an individual."""
    named = pl.col("South").is_not_null() & pl.col("West").is_not_null()
    return named & (pl.col("South") != "0") & (pl.col("West") != "0")


def _status() -> pl.Expr:
    remark = pl.col("Remarks")
    absent = remark.str.contains(_NOT_PLAYED).fill_null(value=False)
    return notation.status(
        adjusted=pl.any_horizontal(pl.col("award_ns", "award_ew").is_not_null()) | remark.str.contains(_ARBITRAL),
        passed=(pl.col("level") == 0) & ~absent,
        not_played=absent,
        played=pl.col("tricks").is_not_null(),
    ).alias("status")


def _unread(read: pl.DataFrame) -> pl.DataFrame:
    """Report cells that are not empty and cannot be read."""
    known_remark = f"(?i){_REMARK_AWARD}|{_ONE_SIDE[0]}|{_ONE_SIDE[1]}|wrong direction|not played|arbitral"
    meant = {
        "Contract": pl.col("level").is_not_null(),
        "NS/EW": pl.col("declarer").is_not_null(),
        "Result": pl.col("tricks").is_not_null() | (pl.col("status") == "adjusted") | pl.col("level").is_null(),
        "LeadCard": pl.col("lead").is_not_null(),
        "Remarks": pl.col("Remarks").str.contains(known_remark),
    }
    return pl.concat(
        report(
            "value-unknown/bridgemate",
            read.filter(pl.col(name).is_not_null() & ~known.fill_null(value=False))
            .with_columns(pl.lit(name).alias("column_name"), pl.col(name).alias("text"))
            .drop("column", strict=False),
        )
        for name, known in meant.items()
    )


def _other_declarer(read: pl.DataFrame) -> pl.DataFrame:
    """Report results whose declaring pair is not the one that sat in declarer's direction."""
    side = notation.side_of(pl.col("declarer"))
    sat = pl.when(side == "NS").then("ns").otherwise("ew")
    known = pl.col("declaring").is_not_null() & pl.col("declarer").is_not_null() & (pl.col("declaring") != "0")
    pairs = ~pl.col("ns").str.contains("+", literal=True)
    return report("bws-declarer", read.filter(known & pairs & (sat != pl.col("declaring"))).with_columns(side=side))
