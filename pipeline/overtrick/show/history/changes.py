"""Corrections and rulings of an evening, as pages and the terminal show them."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

import polars as pl

from overtrick.core.notation import clean
from overtrick.show.text.display import FIELDS, count_decimals, format_number
from overtrick.show.text.terminal import Palette, format_table, make_printable

_INDENT: Final = "   "


@dataclass(frozen=True)
class Change:
    """One correction or ruling.

    Attributes:
        number: the board number as text, `2-7` for board 7 of the second of several evenings; empty if it is not about
            a board.
        what: in plain words, without the board: `4♠ by N: 10 tricks in place of 9`.
        why: the reason.
        law: the number of the Law: 79C, 12, 87, 90, 91; empty for other data, such as a name.
        is_ruling: whether the Director decided it; otherwise something was entered wrongly.
        who: who corrected or decided; may be empty.
        day: `2026-03-07`; may be empty.
        time: `2026-03-07 22:15`; may be empty.
        kind: the kind of entry, as in `config.corrections.Kind`.
        is_entry: whether an entry of the corrections file says so; otherwise the files themselves changed.
    """

    number: str
    what: str
    why: str
    law: str
    is_ruling: bool
    who: str
    day: str
    time: str
    kind: str = ""
    is_entry: bool = True

    @property
    def text(self) -> str:
        """The change in one sentence: `Board 6, 4♠ by N: 10 tricks in place of 9 (entered wrongly)`."""
        return format_sentence(self.number, self.what) + (f" ({self.why})" if self.why else "")


def list_changes(corrections: pl.DataFrame, evenings: Mapping[str, int] | None = None) -> tuple[Change, ...]:
    """List the corrections and rulings that count.

    Args:
        corrections: `frames.CORRECTIONS`.
        evenings: the number of the evening of each file, if there are several.
    """
    return tuple(_changes(corrections.filter("applied").iter_rows(named=True), evenings or {}))


def number_board(board: int | None, evening: int | None) -> str:
    """Return a board number as text, with that of its evening if there are several: `2-7`; empty for None."""
    if board is None:
        return ""
    return f"{evening}-{board}" if evening else str(board)


def format_story(corrections: pl.DataFrame) -> str:
    """Return all entries in their order, those too that change nothing: a sentence each, and who, when and the Law.

    Args:
        corrections: `frames.CORRECTIONS`.
    """
    return "".join(
        f"{number}. {format_sentence(change.number, change.what)} ({change.why})\n"
        + (f"{_INDENT}{', '.join(parts)}\n" if (parts := list(_about(change))) else "")
        for number, change in enumerate(_changes(corrections.iter_rows(named=True)), start=1)
    )


def _about(change: Change) -> Iterator[str]:
    if change.law:
        yield f"{'ruling' if change.is_ruling else 'entered wrongly'}, Law {change.law}"
    yield from (part for part in (change.who, change.time) if part)


def format_sentence(board: str, what: str) -> str:
    """Return what was changed, with its board."""
    return f"Board {board}, {what}" if board else _capitalise(what)


def _capitalise(text: str) -> str:
    return text[:1].upper() + text[1:]


def _changes(rows: Iterable[Mapping[str, Any]], evenings: Mapping[str, int] = MappingProxyType({})) -> Iterator[Change]:
    for row in rows:
        when = (row["when"] or "").replace("T", " ")
        yield Change(
            number=number_board(row["board"], evenings.get(row["evening"])),
            what=clean(row["what"]) if row["board"] is not None else _capitalise(clean(row["what"])),
            why=clean(row["why"]),
            law=row["law"] or "",
            is_ruling=row["law"] not in {None, "79C"},
            who=clean(row["who"]),
            day=when[:10],
            time=when[:16],
            kind=row["kind"],
        )


def format_effect(changed: pl.DataFrame, palette: Palette) -> str:
    """Return a table for each ranking: the contestants whose place or total changed, `3 → 1`.

    Args:
        changed: a frame of `correct.effect.ranking_changes`.
        palette: the colours.
    """
    if changed.is_empty():
        return "The ranking stays the same.\n"
    blocks = []
    for (ranking,), rows in changed.group_by("ranking", maintain_order=True):
        section, _, field = str(ranking).rpartition(" ")
        title = make_printable(f"{section} {FIELDS.get(field, field)}".strip())
        body = rows.select(
            _arrow(rows, "rank").str.pad_start(5).alias("place"),
            "contestant",
            pl.coalesce("names", "names_before"),
            _arrow(rows, "total"),
            _arrow(rows, "percentage").alias("%"),
            _arrow(rows, "boards"),
        )
        blocks.append(f"{palette.paint('strong', title)}\n{format_table(body)}")
    return "\n".join(blocks)


def _arrow(rows: pl.DataFrame, name: str) -> pl.Series:
    """Return the values of a column before and after as text, `3 → 1`; only one of them if they are the same."""
    places = count_decimals([rows[name], rows[f"{name}_before"]]) if rows[name].dtype.is_float() else 0

    def told(value: float | None) -> str:
        return "none" if value is None else format_number(value, places)

    pairs = zip(rows[f"{name}_before"], rows[name], strict=True)
    texts = [told(new) if old == new else f"{told(old)} → {told(new)}" for old, new in pairs]
    return pl.Series(name, [None if text == "none" else text for text in texts], dtype=pl.String)
