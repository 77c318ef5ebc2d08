"""Corrections and rulings of an evening, as pages and the terminal show them."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from types import MappingProxyType
from typing import Any, Final

import polars as pl

from overtrick.core.config.site import Site
from overtrick.core.frames import Facts, Session
from overtrick.core.machine import present
from overtrick.core.notation import clean
from overtrick.show.text import display

_DAY: Final = timedelta(days=1)
_LENGTHS: Final = {"minute": timedelta(minutes=1), "hour": timedelta(hours=1)}


@dataclass(frozen=True)
class Finality:
    """Whether results may still change.

    Attributes:
        final: whether they are final.
        until: when they become final; None if the settings or the files don't say.
        published: when they were first published, if `until` depends on it.
    """

    final: bool = False
    until: datetime | None = None
    published: str | None = None

    @property
    def iso(self) -> str:
        """The time for programs: `2026-03-07T23:00:00+01:00`, or the last day if it ends there; empty if unknown."""
        if self.until is None:
            return ""
        return self._last_day or self.until.isoformat(timespec="seconds")

    @property
    def day(self) -> str:
        """The last day, `2026-03-07`; empty if unknown."""
        return "" if self.until is None else self._last_day or self.until.date().isoformat()

    @property
    def clock(self) -> str:
        """The time on the last day, `23:00`; empty if it is the end of the day."""
        return "" if self.until is None or self._last_day else f"{self.until:%H:%M}"

    @property
    def _last_day(self) -> str:
        """The day at whose end results become final; empty if that is at another time."""
        if self.until is None or (self.until.hour, self.until.minute, self.until.second) != (0, 0, 0):
            return ""
        return (self.until.date() - _DAY).isoformat()


def find_finality(facts: Facts, site: Site, published: str | None = None) -> Finality:
    """Return until when the results of a session are provisional.

    Play ended when the last result was entered, if the files say when. Otherwise `day` counts from the end of the
    session's day; `minute` and `hour` do so too, but if the results were published on that day or the next one, they
    count from the first publication.

    Args:
        facts: of the session.
        site: the settings.
        published: when the session was first published; None if it is published now.
    """
    if site.objection is None:
        return Finality(site.final)
    number, unit = site.objection
    now = present()
    first = _read_time(published) or now
    end, from_first = _find_end_of_play(facts, unit, first)
    try:
        until = _add(end, number, unit)
    except OverflowError:
        return Finality(site.final)
    return Finality(site.final or now >= until, until, first.isoformat(timespec="seconds") if from_first else None)


def _find_end_of_play(facts: Facts, unit: str, first: datetime) -> tuple[datetime, bool]:
    """Return the time to count from, and whether it is that of the first publication."""
    end, whole = _read_time(facts.ended), _end_of_day(display.format_date(facts.date)[0])
    if end and not (whole and abs(end - whole) > _DAY):
        return end, False
    # The files don't say, or the clock was wrong.
    if whole is None or (unit != "day" and abs(first - whole) <= _DAY):
        return first, True
    return whole, False


def is_due(until: object) -> bool:
    """Return whether results that were provisional until then, as `Finality.iso` states it, are final now."""
    if not isinstance(until, str) or not until:
        return False
    end = _end_of_day(until) or _read_time(until)
    return end is not None and present() >= end


def _add(end: datetime, number: int, unit: str) -> datetime:
    """Return a time so much later: days by the calendar, since some have 23 or 25 hours."""
    if unit == "day":
        return (end.replace(tzinfo=None) + number * _DAY).astimezone()
    return (end + number * _LENGTHS[unit]).astimezone()


def _end_of_day(day: str) -> datetime | None:
    try:
        return datetime.combine(date.fromisoformat(day) + _DAY, datetime.min.time()).astimezone()
    except (ValueError, OverflowError):
        return None


def _read_time(text: str | None) -> datetime | None:
    """Read a time; one without an offset is in the time of this machine."""
    try:
        return datetime.fromisoformat(text).astimezone() if text else None
    except (ValueError, OverflowError, OSError):
        return None


def add_evenings(frame: pl.DataFrame, session: Session) -> pl.DataFrame:
    """Return a frame that has `source` or `record` with a column `evening`, as `number_evenings`; null without one."""
    if "source" not in frame.columns:
        sources = session.records.select("record", "source").unique("record", keep="first")
        frame = frame.join(sources, on="record", how="left", maintain_order="left")
    numbers = number_evenings(session)
    return frame.with_columns(
        pl.col("source").replace_strict(numbers, default=None, return_dtype=pl.Int64).alias("evening")
    )


def number_evenings(session: Session) -> dict[str, int]:
    """Return the number of the evening of each file, by date; empty unless several have the same boards.

    Files that hold the same deals for the boards that they share are of one evening here.
    """
    if not session.facts.by_file:
        return {}
    evening = session.facts.evening.alias("evening")
    played = session.results.select("record", "source", "board", evening)
    played = played.join(
        session.records.select("record", "date", "deal"), on="record", how="left", maintain_order="left"
    )
    shared = played.drop_nulls("board").group_by("board").agg(pl.col("evening", "deal").n_unique())
    if not len(shared.filter(pl.col("evening") > 1, (pl.col("deal") > 1) | _has_no_deal(played))):
        return {}
    days = played.group_by("evening", maintain_order=True).agg(pl.col("date").min())
    places = {
        name: place
        for place, (name, _) in enumerate(days.sort("date", nulls_last=True, maintain_order=True).rows(), start=1)
    }
    # Files of deals alone belong to the evening whose results they explain.
    sources = pl.concat([session.results["source"], session.records["source"]]).unique(maintain_order=True)
    named = sources.to_frame().select("source", evening)
    return {source: places[name] for source, name in named.rows() if name in places}


def _has_no_deal(played: pl.DataFrame) -> pl.Expr:
    """Report whether the deal of a board is nowhere known."""
    bare = played.filter(pl.col("deal").is_null())["board"].unique()
    return pl.col("board").is_in(bare.implode())


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
        taken_back: when the entry was taken back, as `time`; empty for one that counts.
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
    taken_back: str = ""

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
    if change.taken_back:
        yield f"taken back {change.taken_back}"


def format_sentence(board: str, what: str) -> str:
    """Return what was changed, with its board."""
    return f"Board {board}, {what}" if board else display.capitalise(what)


def _changes(rows: Iterable[Mapping[str, Any]], evenings: Mapping[str, int] = MappingProxyType({})) -> Iterator[Change]:
    for row in rows:
        when = (row["when"] or "").replace("T", " ")
        yield Change(
            number=number_board(row["board"], evenings.get(row["evening"])),
            what=clean(row["what"]) if row["board"] is not None else display.capitalise(clean(row["what"])),
            why=clean(row["why"]),
            law=row["law"] or "",
            is_ruling=row["law"] not in {None, "79C"},
            who=clean(row["who"]),
            day=when[:10],
            time=when[:16],
            kind=row["kind"],
            taken_back=(row["taken_back"] or "").replace("T", " ")[:16],
        )


def format_effect(changed: pl.DataFrame, palette: display.Palette) -> str:
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
        title = display.make_printable(f"{section} {display.FIELDS.get(field, field)}".strip())
        body = rows.select(
            _arrow(rows, "rank").str.pad_start(5).alias("place"),
            "contestant",
            pl.coalesce("names", "names_before"),
            _arrow(rows, "total"),
            _arrow(rows, "percentage").alias("%"),
            _arrow(rows, "boards"),
        )
        blocks.append(f"{palette.paint('strong', title)}\n{display.format_table(body)}")
    return "\n".join(blocks)


def _arrow(rows: pl.DataFrame, name: str) -> pl.Series:
    """Return the values of a column before and after as text, `3 → 1`; only one of them if they are the same."""
    places = display.count_decimals([rows[name], rows[f"{name}_before"]]) if rows[name].dtype.is_float() else 0

    def told(value: float | None) -> str:
        return "none" if value is None else display.format_number(value, places)

    pairs = zip(rows[f"{name}_before"], rows[name], strict=True)
    texts = [told(new) if old == new else f"{told(old)} → {told(new)}" for old, new in pairs]
    return pl.Series(name, [None if text == "none" else text for text in texts], dtype=pl.String)
