"""A season as frames: every evening of every person, with partner and score, and every board."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import polars as pl

from overtrick.core.config import Config
from overtrick.core.config.site import Naming
from overtrick.core.frames import ColumnType
from overtrick.core.notation import natural
from overtrick.judge.people.evening import ENTRIES, LINES, Evening
from overtrick.judge.people.identity import STRICTEST_FIRST, Identities, Person, Wishes, identify, is_person, show_name

SEATS: Final = {
    **dict.fromkeys(("evening", "entry", "seat"), pl.UInt32),
    **dict.fromkeys(("person", "partner", "pair"), pl.String),
}
"""One row a person and entry: the number of the evening, `seat` within the entry, the keys of the person and, in a
pair, of the partner; `pair` is the same for both, whichever is listed first."""


@dataclass(frozen=True)
class Season:
    """All evenings, with their people.

    Attributes:
        evenings: the oldest first.
        identities: who is who.
        entries: rows of `evening.ENTRIES` without names, with the number of the `evening`.
        lines: rows of `evening.LINES`, likewise.
        seats: rows of `SEATS`.
        wishes: how people are named.
    """

    evenings: Sequence[Evening]
    identities: Identities
    entries: pl.DataFrame
    lines: pl.DataFrame
    seats: pl.DataFrame
    wishes: Wishes

    @cached_property
    def namings(self) -> dict[str, Naming]:
        """How pages name each person, by key: as the strictest of the person's spellings wants it."""
        named: dict[str, Naming] = {}
        by_key: dict[str, list[Naming]] = {}
        for (name, number), key in self.identities.keys.items():
            by_key.setdefault(key, []).append(self.wishes.find(name, number))
        for key, person in self.identities.people.items():
            found = {*by_key.get(key, []), self.wishes.find(person.name)}
            named[key] = next(naming for naming in STRICTEST_FIRST if naming in found)
        return named

    def show(self, key: str | None) -> str:
        """Return a person's name for pages; empty for None."""
        return show_name(self.identities.people[key].name, self.namings[key]) if key else ""

    def person(self, key: str) -> Person:
        """Return a person by key."""
        return self.identities.people[key]

    @cached_property
    def played(self) -> pl.DataFrame:
        """The rows of `SEATS`, each with the columns of its entry."""
        return self.seats.join(self.entries, on=["evening", "entry"], how="left", maintain_order="left")


def gather(evenings: Iterable[Evening], config: Config) -> Season:
    """Put the evenings of a season together.

    Args:
        evenings: in any order.
        config: the club's settings: members, and how they are named.
    """
    ordered = sorted(evenings, key=lambda evening: (_sort_day(evening), natural(evening.folder)))
    members = config.people.register
    mentions = ((evening.folder, mention) for evening in ordered for mention in _list_mentions(evening))
    known = identify(mentions, members)
    return Season(
        evenings=ordered,
        identities=known,
        entries=_number(ordered, "entries", ENTRIES).drop("names", "numbers"),
        lines=_number(ordered, "lines", LINES),
        seats=_seat_people(ordered, known),
        wishes=Wishes(config.privacy, members),
    )


def _sort_day(evening: Evening) -> str:
    """Return the text to sort the day of an evening by: an evening without a day comes first."""
    return evening.date if evening.date and (evening.day or "?" in evening.date) else ""


def _number(evenings: Sequence[Evening], frame: str, schema: dict[str, ColumnType]) -> pl.DataFrame:
    number = pl.UInt32()
    empty = pl.DataFrame(schema={"evening": number, **schema})
    frames: list[pl.DataFrame] = [getattr(evening, frame) for evening in evenings]
    numbered = (frame.select(pl.lit(at, number).alias("evening"), pl.all()) for at, frame in enumerate(frames))
    return pl.concat([empty, *numbered])


def _seat_people(evenings: Sequence[Evening], known: Identities) -> pl.DataFrame:
    rows = [
        (number, entry, *seat)
        for number, evening in enumerate(evenings)
        for entry, names, numbers, kind in evening.entries.select("entry", "names", "numbers", "kind").iter_rows()
        for seat in _seat_entry([known.keys.get(mention) for mention in zip(names, numbers, strict=True)], kind)
    ]
    return pl.DataFrame(rows, SEATS, orient="row")


def _seat_entry(keys: Sequence[str | None], kind: str) -> Iterator[tuple[int, str, str | None, str | None]]:
    """Yield seat, person, partner and pair of each known player of an entry."""
    people = [key for key in keys if key]
    pair = " & ".join(sorted(people)) if kind == "pairs" and len(keys) == len(people) == 2 else None
    # A team's name looks like one player's.
    if kind != "teams" or len(keys) > 1:
        yield from ((seat, key, keys[1 - seat] if pair else None, pair) for seat, key in enumerate(keys) if key)


def list_mentions(evenings: Iterable[Evening]) -> list[tuple[str, str]]:
    """Return name and number of each player of each evening."""
    return [
        (name, number) for evening in evenings for name, number in _list_mentions(evening) if is_person(name) or number
    ]


def _list_mentions(evening: Evening) -> Iterator[tuple[str, str]]:
    for names, numbers in evening.entries.select("names", "numbers").iter_rows():
        yield from zip(names, numbers, strict=True)
