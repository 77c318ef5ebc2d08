"""Where a record of LIN says something: the command that stands for a tag, a call or a card."""

from collections.abc import Iterator
from typing import Final

import polars as pl
from lark import Token

from overtrick.bridge.cards import CARDS
from overtrick.frames import Session
from overtrick.grammar import tokens

_TAGS: Final = {
    "Deal": ("md", "first"),
    "Dealer": ("md", "first"),
    "Vulnerable": ("sv", "first"),
    "Board": ("ah", "first"),
    "Auction": ("mb", "first"),
    "Contract": ("mb", "last"),
    "Declarer": ("mb", "last"),
    "Play": ("pc", "first"),
    "Result": ("mc", "last"),
}
"""By tag of PBN the command that says the same, and which of a record's."""
_ENTRIES: Final = {"auction": ("mb", {"CALL", "WORD"}), "play": ("pc", {"CARD"})}
_COMMANDS: Final = sorted({command for command, _ in _TAGS.values()})
_NO_NEW_DEAL: Final = r"^\s*(?:0|[1-4]?[\s,]*$)"


def of_tag(session: Session, name: str) -> pl.DataFrame:
    """Give the place of the command that says what a tag of PBN does: `record line column`, a row a record."""
    if name not in _TAGS:
        return _commands(session).select("record", "line", "column").clear()
    command, keep = _TAGS[name]
    said = _commands(session).filter(pl.col("name") == command)
    placed = said.group_by("record", maintain_order=True).agg(getattr(pl.col("line", "column"), keep)())
    return placed.select("record", "line", "column")


def of_entries(session: Session, records: pl.Series, part: str) -> Iterator[tuple[int, int, int, int]]:
    """Give the place of each call or card of these records: record, index in `calls` or `cards`, line, column."""
    name, terminals = _ENTRIES[part]
    asked = _commands(session).filter(
        pl.col("record").is_in(records.unique().implode()) & pl.col("name").is_in(["md", name])
    )
    if asked.is_empty():
        return
    played = session.records.filter(pl.col("record").is_in(asked["record"].implode())).select("record", "cards")
    columns = dict(played.iter_rows()) if part == "play" else {}
    for (record,), commands in asked.group_by("record", maintain_order=True):
        several = commands.select("line", "column").is_unique().all()
        entries = [
            (str(token), *((line, column) if number == 0 or not several else _inside(line, column, token)))
            for line, column, text in _last_begun(commands, name).iter_rows()
            for number, token in enumerate(t for t in tokens(text, part, language="lin") if t.type in terminals)
        ]
        order = range(len(entries)) if part == "auction" else _columns(columns[record] or [], entries)
        for index, (_, line, column) in zip(order, entries, strict=True):
            if index is not None:
                yield int(str(record)), index, line, column


def _inside(line: int, column: int, token: Token) -> tuple[int, int]:
    """Give the place of a token in the value of a command that stands there: behind its name and a pipe."""
    row, at = token.line or 1, token.column or 1
    return line + row - 1, at if row > 1 else column + len("mb|") + at - 1


def records_of(session: Session) -> pl.Series:
    """Name the records that are of LIN, by what it says and PBN can't: it knows nothing of sections."""
    return _commands(session)["record"].unique()


def _commands(session: Session) -> pl.DataFrame:
    """Give the commands of records of LIN; a large file comes in parts, and only the last one names its format."""
    items = session.items
    said = items.filter((pl.col("kind") == "tag") & pl.col("name").is_in(_COMMANDS) & pl.col("record").is_not_null())
    if said.is_empty():
        return said
    sections = items.filter(pl.col("kind") == "section")["record"].drop_nulls()
    return said.filter(~pl.col("record").is_in(sections.implode()))


def _last_begun(commands: pl.DataFrame, name: str) -> pl.DataFrame:
    """Leave out what stands before the last deal that something follows: `line column text`."""
    deal = (pl.col("name") == "md") & ~pl.col("text").str.contains(_NO_NEW_DEAL)
    numbered = commands.with_columns(deal.cum_sum().alias("begun")).filter(pl.col("name") == name)
    return numbered.filter(pl.col("begun") == pl.col("begun").max()).select("line", "column", "text")


def _columns(cards: list[int], entries: list[tuple[str, int, int]]) -> Iterator[int | None]:
    """Say for each card in the order played where it stands in the columns of the play."""
    places: dict[str, list[int]] = {}
    for index, card in enumerate(cards):
        if card < len(CARDS):
            places.setdefault(CARDS[card], []).append(index)
    for text, _, _ in entries:
        left = places.get(text.upper().replace("10", "T"))
        yield left.pop(0) if left else None
