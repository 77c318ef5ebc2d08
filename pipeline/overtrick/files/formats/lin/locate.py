"""Where a LIN record states something: at the command that says it, or at a call or card in its value."""

from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Final

import polars as pl

from overtrick.core.bridge.cards import CARDS
from overtrick.core.frames import Session
from overtrick.core.words import Dialect
from overtrick.files.formats.lin.read.deals import mark_deals
from overtrick.files.formats.lin.spelling import cut_entries, find_dialect

if TYPE_CHECKING:
    from lark import Token

_COMMANDS: Final = {
    "deal": ("md", "first"),
    "dealer": ("md", "first"),
    "vulnerable": ("sv", "first"),
    "board_label": ("ah", "first"),
    "auction_start": ("mb", "first"),
    "level": ("mb", "last"),
    "declarer": ("mb", "last"),
    "play_start": ("pc", "first"),
    "tricks": ("mc", "last"),
}
"""By column of `frames.RECORDS`, the command that states it, and whether the first or the last of a record does."""

_ENTRIES: Final = {"calls": ("mb", "auction", {"CALL", "WORD"}), "cards": ("pc", "play", {"CARD"})}
"""By column of entries, the command that lists them, its language in `lin.lark`, and the terminals of an entry."""

_SCHEMA: Final = {"record": pl.UInt32, "index": pl.Int64, "line": pl.UInt32, "column": pl.UInt32}


def locate_in_lin(session: Session, records: pl.Series, column: str) -> pl.DataFrame:
    """Locate a column of records, as `formats.locate.locate` describes it."""
    said = session.items.filter((pl.col("kind") == "tag") & pl.col("record").is_in(records.implode()))
    if column in _ENTRIES:
        return pl.DataFrame(_entries(session, said, column), schema=_SCHEMA, orient="row")
    command, keep = _COMMANDS.get(column, ("", "first"))
    placed = (
        said.filter(pl.col("name") == command)
        .group_by("record", maintain_order=True)
        .agg(getattr(pl.col("line", "column"), keep)())
    )
    return placed.select("record", pl.lit(None, pl.Int64).alias("index"), "line", "column")


def _entries(session: Session, said: pl.DataFrame, column: str) -> list[tuple[int, int, int, int]]:
    """List each call or card: record, index in `calls` or `cards`, line, column."""
    name, language, terminals = _ENTRIES[column]
    asked = said.filter(pl.col("name").is_in(["md", name]))
    dialect = find_dialect(lambda name: session.items.filter(name=name)["text"].unique())
    played = session.records.filter(pl.col("record").is_in(asked["record"].implode())).select("record", "cards")
    columns = dict(played.iter_rows()) if column == "cards" else {}
    places = []
    for record, commands in groupby(_last_begun(asked, name).iter_rows(), key=lambda command: int(command[0])):
        entries = []
        for _, line, start, text, apart in commands:
            found = [token for token in cut_entries(text, language, dialect) if token.type in terminals]
            inside = [_inside(line, start, token) for token in found[1:]] if apart else [(line, start)] * len(found)
            entries += [(str(token), *place) for token, place in zip(found, [(line, start), *inside], strict=False)]
        order = range(len(entries)) if column == "calls" else _columns(columns[record] or [], entries, dialect)
        places += [
            (record, index, line, start)
            for index, (_, line, start) in zip(order, entries, strict=True)
            if index is not None
        ]
    return places


def _inside(line: int, column: int, token: "Token") -> tuple[int, int]:
    """Return the place of a token in the value of a command at this place, after its name and a pipe."""
    row, at = token.line or 1, token.column or 1
    return line + row - 1, at if row > 1 else column + len("mb|") + at - 1


def _last_begun(commands: pl.DataFrame, name: str) -> pl.DataFrame:
    """Return the commands of each record after its last deal that is followed by any, one record after the other.

    Returns:
        `record line column text apart`; `apart` says that all commands of the record have places of their own.
    """
    deals = commands.with_columns(mark_deals(commands["text"]).alias("deals")).with_columns(
        pl.col("deals") & (pl.col("name") == "md")
    )
    apart = pl.struct("line", "column").n_unique() == pl.len()
    numbered = deals.with_columns(
        pl.col("deals").cum_sum().over("record").alias("begun"), apart.over("record").alias("apart")
    ).filter(pl.col("name") == name)
    last = numbered.filter(pl.col("begun") == pl.col("begun").max().over("record"))
    return last.sort("record", maintain_order=True).select("record", "line", "column", "text", "apart")


def _columns(cards: list[int], entries: list[tuple[str, int, int]], dialect: Dialect) -> Iterator[int | None]:
    """Yield for each card, in the order played, its index in the columns of the play; None for one not in them."""
    places: dict[str, list[int]] = {}
    for index, card in enumerate(cards):
        if card < len(CARDS):
            places.setdefault(CARDS[card], []).append(index)
    for text, _, _ in entries:
        left = places.get(str(dialect.read("card", text)))
        yield left.pop(0) if left else None
