"""Who is who: every contestant of a session once, with its players and the folder of its scorecard."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

import polars as pl

from overtrick.frames import DIRECTION, Session
from overtrick.notation import clean, natural
from overtrick.render.context import ContestantRef
from overtrick.render.slugs import unique_slugs
from overtrick.render.text import clean_names

NOBODY = ContestantRef("", "", "")
_PLAYERS: Final = {"NS": ("player_n", "player_s"), "EW": ("player_e", "player_w")}


@dataclass(frozen=True)
class Contestant:
    """One contestant. Section and direction are None where its identity alone names it."""

    id: str
    section: str | None
    direction: str | None
    names: str
    slug: str = ""

    @property
    def ref(self) -> ContestantRef:
        """The contestant as other pages name it."""
        shown = clean_names(self.id) or "?"
        return ContestantRef(shown, self.names or shown, f"{self.slug}/index.html")


class Contestants:
    """All contestants of a session, to be found by what a result says of them.

    Two-winner movements use the same numbers in both directions, and sections may do so too: then standings and
    contestants say so, and a number is told apart by the seats and the section it played in.
    """

    def __init__(self, session: Session) -> None:
        self._by_id: dict[str, list[Contestant]] = defaultdict(list)
        for row in _mentions(session).iter_rows(named=True):
            self._add(Contestant(row["contestant"], row["section"], row["direction"], clean_names(row["names"])))
        everyone = sorted(
            (one for same in self._by_id.values() for one in same),
            key=lambda one: (natural(one.section), natural(one.id), one.direction or ""),
        )
        named = unique_slugs(self._slug_text(one) for one in everyone)
        self._all = [replace(one, slug=slug) for one, slug in zip(everyone, named, strict=True)]
        self._by_id.clear()
        for one in self._all:
            self._by_id[one.id].append(one)
        self._refs = {one: one.ref for one in self._all}

    def __iter__(self) -> Iterator[Contestant]:
        """Give all contestants: by section, number and direction."""
        return iter(self._all)

    def find(self, identity: str | None, direction: str | None, section: str | None) -> Contestant | None:
        """Find who played under that identity in those seats (`NS`, `EW`) and that section; None for nobody."""
        same = self._by_id.get(identity or "", [])
        if len(same) == 1:
            return same[0]
        return max(same, key=lambda one: _agreement(one, direction, section), default=None)

    def ref(self, one: Contestant | None) -> ContestantRef:
        """Name a contestant for a page; `NOBODY` for None."""
        return self._refs[one] if one else NOBODY

    def side(self, line: Mapping[str, Any], direction: str) -> ContestantRef:
        """Name who sat in those seats (`NS`, `EW`) at a table; in an individual both players, each a contestant."""
        players = tuple(self.ref(one) for one in self._players(line, direction))
        if not players:
            return self.ref(self.find(line[direction.lower()], direction, line["section"]))
        return ContestantRef(
            " – ".join(one.id for one in players), " – ".join(one.names for one in players), "", players
        )

    def earners(self, line: Mapping[str, Any], direction: str) -> list[Contestant]:
        """List who earns by those seats: both players of an individual, else the pair and its team."""
        names = (line[direction.lower()], line[f"team_{direction.lower()}"])
        found = (self.find(name, direction, line["section"]) for name in names)
        return self._players(line, direction) or [one for one in found if one]

    def _players(self, line: Mapping[str, Any], direction: str) -> list[Contestant]:
        found = (self.find(line[column], None, line["section"]) for column in _PLAYERS[direction])
        return [one for one in found if one]

    def _add(self, new: Contestant) -> None:
        same = self._by_id[new.id]
        for place, old in enumerate(same):
            if _compatible(old.direction, new.direction) and _compatible(old.section, new.section):
                same[place] = replace(old, names=old.names or new.names)
                return
        same.append(new)

    def _slug_text(self, one: Contestant) -> str:
        same = self._by_id[one.id]
        section = one.section if len({other.section for other in same}) > 1 else None
        direction = one.direction if len({other.direction for other in same}) > 1 else None
        return " ".join(["pair", *filter(None, (section, direction)), clean(one.id) or "?"])


class Anchors:
    """Names on one page that links may point to: each contestant once, for a second use would be invalid HTML."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def take(self, one: Contestant | None) -> str:
        """Give the contestant's name on this page; empty when it is taken, or for None."""
        if one is None or one.slug in self._taken:
            return ""
        self._taken.add(one.slug)
        return one.slug


def with_section(standings: pl.DataFrame) -> pl.DataFrame:
    """Fill the section of who is ranked in a section's own ranking, `A NS`: it may be all that tells two apart."""
    return standings.with_columns(pl.coalesce("section", pl.col("ranking").str.extract(r"^(.+) (?:NS|EW|all)$")))


def _mentions(session: Session) -> pl.DataFrame:
    """List contestants as frames mention them, the most telling first: standings, contestants, then results."""
    columns = ("contestant", "section", "direction", "names")
    ranked = with_section(session.standings).select(columns)
    nothing = pl.lit(None, dtype=pl.String)
    alone = pl.col("player_n").is_not_null()
    # The two sides of a table are contestants, but not in an individual.
    partners = session.results.filter(alone).select(pl.concat_list("ns", "ew").explode().unique().alias("contestant"))
    listed = session.contestants.select(columns).join(partners, on="contestant", how="anti")
    known = pl.concat([ranked, listed])
    seats = {**dict.fromkeys(("ns", "ew"), ~alone), **{name: alone for pair in _PLAYERS.values() for name in pair}}
    played = pl.concat(
        session.results.filter(there).select(
            pl.col(column).alias("contestant"),
            nothing.alias("section"),
            nothing.cast(DIRECTION).alias("direction"),
            nothing.alias("names"),
        )
        for column, there in seats.items()
    ).join(known, on="contestant", how="anti")
    return pl.concat([known, played]).filter(pl.col("contestant").fill_null("") != "").unique(maintain_order=True)


def _compatible(old: str | None, new: str | None) -> bool:
    return old is None or new is None or old == new


def _agreement(one: Contestant, direction: str | None, section: str | None) -> int:
    stated = ((one.direction, direction), (one.section, section))
    return sum(2 if have == wanted else 1 if have is None else 0 for have, wanted in stated)
