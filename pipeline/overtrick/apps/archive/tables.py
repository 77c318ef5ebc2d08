"""The content of the archive's tables: overtrick's frames, in types that every reader of Delta tables knows.

Rows belong to the bytes that they were read from: they have `sha256` instead of `source`, and the table `sources` lists
the files with these bytes. So the archive holds the same bytes once, whatever their names.
"""

from typing import Final

import polars as pl

from overtrick.core import frames
from overtrick.core.bridge.cards import CARDS, RANKS, SEATS, UNKNOWN
from overtrick.core.late import list_names
from overtrick.files.formats.base import LIN_HELD
from overtrick.files.formats.pbn.tags import names
from overtrick.files.formats.session_rows import is_held

_OF: Final = frames.Column(
    pl.String,
    "hash of the bytes of the file, hexadecimal; for a file of an evening of several, + and that of the evening",
)

_WIDER: Final[dict[frames.ColumnType, frames.ColumnType]] = {
    pl.UInt8: pl.Int16,
    pl.UInt32: pl.Int32,
    pl.UInt64: pl.Int64,
}
"""Delta tables have no unsigned integers. Lines and records of a file stay below 2^31."""


def _of_bytes(schema: frames.Schema) -> frames.Schema:
    return {"sha256": _OF, **{name: column for name, column in schema.items() if name != "source"}}


_OF_RESULT: Final = (
    *("record", "line", "column", "section", "round", "table", "board", "ns", "ew"),
    *("vulnerable", "level", "strain", "doubled", "declarer", "tricks"),
)

FRAMES: Final[dict[str, frames.Schema]] = {
    "records": _of_bytes(frames.RECORDS),
    "items": _of_bytes(frames.ITEMS),
    "annotations": _of_bytes(frames.ANNOTATIONS),
    "results": _of_bytes(frames.RESULTS),
    "problems": _of_bytes(frames.PROBLEMS),
    "contestants": _of_bytes(frames.CONTESTANTS),
    "sources": frames.SOURCES,
    "double_dummy": {name: frames.DOUBLE_DUMMY[name] for name in ("deal", "tricks")},
    "plays": {
        "deal": frames.RECORDS["deal"],
        "strain": frames.RESULTS["strain"],
        "declarer": frames.RESULTS["declarer"],
        "cards": frames.Column(pl.String, "cards in the order played: `HAH4H3H2C4`, the lead first"),
        "tricks": frames.Column(
            pl.List(pl.UInt8), "tricks of declarer's side double dummy at the start and after each card"
        ),
    },
    "analysis": {
        "sha256": _OF,
        **{name: frames.RESULTS[name] for name in _OF_RESULT},
        "deal": frames.RECORDS["deal"],
        "dd_tricks": frames.ANALYSIS["dd_tricks"],
        "lead": frames.Column(pl.String, "opening lead, suit then rank: `DQ`; null when not known"),
        "lead_cost": frames.ANALYSIS["lead_cost"],
        "play_cost": frames.Column(
            pl.Int16, "tricks that declarer's cards and claim gave up; null unless the play is known to its end"
        ),
        "defence_cost": frames.Column(
            pl.Int16, "tricks that the defenders gave up after the lead; null unless the play is known to its end"
        ),
    },
}
"""The schema of each table, before its types are changed for Delta."""

RESULT_KEY: Final = ("sha256", "record", "line", "column", "section", "round", "table", "board", "ns", "ew")
"""The columns that identify a result in `results` and in `analysis`; each of them may be null."""

SOLVED: Final[dict[str, tuple[str, ...]]] = {
    "double_dummy": ("deal",),
    "plays": ("deal", "strain", "declarer", "cards"),
    "analysis": RESULT_KEY,
}
"""The tables that `overtrick archive solve` fills, with the columns that identify a row; each grows by itself."""

_PASSES: Final = pl.col("calls").list.tail(3).list.sum() == 0
_ENDED: Final = _PASSES & (pl.col("calls").list.len() >= len(SEATS))
_PLAYED: Final = pl.col("cards").list.len() == len(CARDS)
_SORTED: Final = "".join(f"{rank}?" for rank in reversed(RANKS))

_NOT_EXPORTED: Final = (
    pl.col("irregular_declarer", "irregular_tricks"),
    pl.col("dealer", "vulnerable").is_null(),
    pl.col("play_end") == "+",
    pl.col("calls", "cards").list.max() == UNKNOWN,
    pl.col("auction_end").is_not_null() == _ENDED,
    pl.col("play_end").is_not_null() == _PLAYED,
    pl.col("calls").is_null() & pl.any_horizontal(pl.col("auction_start", "auction_end").is_not_null()),
    pl.col("cards").is_null() & pl.any_horizontal(pl.col("play_start", "play_end").is_not_null()),
    pl.col("declarer").to_physical().cast(pl.Int8) != (pl.col("play_start").to_physical().cast(pl.Int8) + 3) % 4,
    (pl.col("level") == 0) & pl.any_horizontal(pl.col("declarer", "tricks").is_not_null()),
    pl.col("level").is_null() & pl.any_horizontal(pl.col("strain", "doubled").is_not_null()),
    pl.col("board").is_null() & pl.col("board_label").is_not_null(),
    ~pl.col("date").str.contains(r"^(?:[0-9]{4}|\?{4})\.(?:[0-9]{2}|\?{2})\.(?:[0-9]{2}|\?{2})$"),
    ~pl.col("deal").str.contains(f"^N:(?:{_SORTED}[ .-])*{_SORTED}-?$"),
)
"""Records that export form writes differently or not at all."""

DATA: Final = ("records", "items", "annotations", "results", "problems", "contestants")
"""The tables with the rows of files. They change together with `sources`, which lists the files. The tables
of `SOLVED` follow later."""


def unplaced(session: frames.Session, *, joined: bool = False) -> pl.DataFrame:
    """Return the items that no other table holds. All items would be three fifths of an archive.

    These are other tags, tables and commands, comments, and text that is not of the format. They also are all items of
    a game of PBN that has problems, annotations or irregularities, that export form would write differently, or whose
    file has inherited tags. Of several files that are one evening (`joined`) they are all items of PBN: the other
    tables hold what these say together.
    """
    known = list_names(session.listed)
    if known is not None and known.issubset(LIN_HELD):
        return frames.empty(frames.ITEMS)
    pbn = session.sources.filter(pl.col("format") == "pbn")["source"]
    theirs = pl.col("source").is_in(pbn.implode())
    others = session.items.filter(~theirs, ~is_held())
    if joined or pbn.is_empty():
        return pl.concat([session.items.filter(theirs), others])
    marked = (session.annotations, session.problems, _written_otherwise(session.items))
    odd_records = pl.concat([frame["record"] for frame in marked]).drop_nulls().unique()
    inherited = session.items.filter((pl.col("kind") == "tag") & pl.col("text").str.starts_with("#"))["source"]
    odd = pl.any_horizontal(
        *_NOT_EXPORTED,
        pl.col("record").is_in(odd_records.implode()),
        pl.col("source").is_in(inherited.unique().implode()),
    )
    whole = session.records.filter(odd)["record"]
    placed = pl.col("name").is_in(names(in_record=True)) & ~pl.col("record").is_in(whole.implode())
    return pl.concat([session.items.filter(theirs, ~placed.fill_null(value=False)), others])


def _written_otherwise(items: pl.DataFrame) -> pl.DataFrame:
    """Return the items that export form spells differently: with tabs in values, or characters outside ISO 8859-1."""
    text = pl.col("text")
    values = items.filter(pl.col("kind") == "tag").select("record", "text")
    # Most texts are ASCII, and that test is faster.
    beyond = items.select("record", "text").filter(text.str.len_bytes() != text.str.len_chars())
    tabs, foreign = text.str.contains("\t", literal=True), text.str.contains(r"[^\x00-\xff]")
    return pl.concat([values.filter(tabs), beyond.filter(foreign)])


def stored_schema(table: str) -> pl.Schema:
    """Return the schema of a table as it is stored."""
    return pl.Schema({name: _stored(column.dtype) for name, column in FRAMES[table].items()})


def _stored(dtype: frames.ColumnType) -> frames.ColumnType:
    if isinstance(dtype, pl.List | pl.Array):
        return pl.List(_stored(dtype.inner))
    return pl.String if isinstance(dtype, pl.Enum) else _WIDER.get(dtype, dtype)


def to_stored(table: str, frame: pl.DataFrame) -> pl.DataFrame:
    """Return rows of a frame in the types of the table."""
    schema = stored_schema(table)
    return frame.select(pl.col(name).cast(dtype) for name, dtype in schema.items())


def as_stated(rows: dict[str, pl.DataFrame]) -> frames.Session:
    """Return the session that a file states, from its rows in the tables. Writing it gives the file again.

    Args:
        rows: the rows of one file, by table.

    Returns:
        The session with the scores and points that the file states. `source` is the name of the file, or the first of
        several. The format is `archive`: the PBN writer derives the missing `items` from the records.
    """
    sources = frames.conform(FRAMES["sources"], rows["sources"]).sort("source").head(1)
    name = pl.lit(sources["source"].first(), dtype=pl.String).alias("source")

    def frame(table: str, schema: frames.Schema) -> pl.DataFrame:
        return frames.conform(schema, rows[table].with_columns(name).sort(_ORDER[table], nulls_last=True))

    return frames.Session(
        sources=sources.with_columns(pl.lit("archive").alias("format")),
        records=frame("records", frames.RECORDS),
        listed=frame("items", frames.ITEMS),
        annotations=frame("annotations", frames.ANNOTATIONS),
        results=frame("results", frames.RESULTS).with_columns(_STATED),
        contestants=frame("contestants", frames.CONTESTANTS),
        problems=frame("problems", frames.PROBLEMS),
    )


_STATED: Final = [
    pl.lit(None, pl.Int32).alias("law_score_ns"),
    *(pl.lit(None, pl.Int64).alias(name) for name in ("numerator_ns", "numerator_ew", "denominator", "top")),
    *(pl.lit(None, pl.Float64).alias(name) for name in ("percentage_ns", "percentage_ew")),
    *(pl.col(f"stated_{name}").alias(name) for name in ("score_ns", "points_ns", "points_ew", "datum")),
]
"""The columns that scoring fills, as they were before, with what the file states itself."""

_ORDER: Final[dict[str, list[str]]] = {
    "records": ["record"],
    "items": ["line", "column"],
    "annotations": ["record", "line", "column"],
    "results": ["record", "line", "column"],
    "contestants": ["line"],
    "problems": ["line", "column", "code"],
}
