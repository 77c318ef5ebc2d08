"""Rankings: who came where."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from overtrick.frames import Session
from overtrick.notation import clean
from overtrick.render.display import FIELDS, format_percentage
from overtrick.render.pages.contestants import Anchors, Contestant, ContestantRef, Contestants, fill_sections
from overtrick.render.pages.result_lines import PointsForm

Standing = Mapping[str, Any]
"""A row of `frames.STANDINGS`; an empty mapping for a contestant that is not ranked."""


@dataclass(frozen=True)
class StandingRow:
    """One line of a ranking."""

    rank: str
    """`3`, `4=` when shared; empty when not ranked."""
    contestant: ContestantRef
    total: str
    percentage: str
    """Empty at IMPs."""
    boards: str
    awards: str = ""
    """Masterpoints: `24 black; 5 green`."""
    anchor: str = ""
    """Id of this row for links to the contestant; empty from its second row of a page on."""


@dataclass(frozen=True)
class Ranking:
    """The ranking of one field."""

    name: str
    """`NS`, `EW` or `all`, after the name of a section or a part of the field: `A NS`, `stratum B all`."""
    title: str
    """As a heading: `North-South`, `Section A, East-West`."""
    rows: tuple[StandingRow, ...]

    @property
    def has_awards(self) -> bool:
        """Whether anybody earned masterpoints."""
        return any(row.awards for row in self.rows)

    @property
    def winners(self) -> tuple[StandingRow, ...]:
        """All who share the first place; empty when nobody is ranked."""
        return tuple(row for row in self.rows if row.rank and row.rank == self.rows[0].rank)


def match_standings(session: Session, contestants: Contestants) -> list[tuple[Standing, Contestant]]:
    """Return the rows of the standings in their order, each with its contestant."""
    rows = fill_sections(session.standings).iter_rows(named=True)
    found = ((row, contestants.find(row["contestant"], row["direction"], row["section"])) for row in rows)
    return [(row, one) for row, one in found if one]


def make_rankings(
    standings: Iterable[tuple[Standing, Contestant]], contestants: Contestants, form: PointsForm
) -> tuple[Ranking, ...]:
    """Make a ranking of every field, in the order of the standings."""
    fields: dict[str, list[StandingRow]] = {}
    anchors = Anchors()
    for row, one in standings:
        fields.setdefault(row["ranking"] or "all", []).append(
            StandingRow(
                rank=format_rank(row),
                contestant=contestants.link(one),
                total=form.total(row["total"]),
                percentage=format_percentage(row["percentage"], 2),
                boards="" if row["boards"] is None else str(row["boards"]),
                awards=clean(row["awards"]),
                anchor=anchors.take(one),
            )
        )
    return tuple(Ranking(clean(name), _compose_title(name, fields), tuple(rows)) for name, rows in fields.items())


def format_rank(standing: Standing) -> str:
    """Return a place: `3`, `4=` when shared; empty for a contestant that is not ranked."""
    rank = standing.get("rank")
    if rank is None:
        return ""
    return f"{rank}=" if (standing["rank_last"] or rank) > rank else str(rank)


def _compose_title(name: str, fields: Mapping[str, object]) -> str:
    section, _, field = name.rpartition(" ")
    if field not in FIELDS:
        return clean(name)
    if part := re.fullmatch(r"(?:(.+) )?(stratum|club|handicap)(?: (.+))?", section):
        titles = {"stratum": f"Stratum {part[3]}", "club": str(part[3]), "handicap": "With handicaps"}
        words = [f"Section {part[1]}" if part[1] else "", titles[part[2]], "" if field == "all" else FIELDS[field]]
        return ", ".join(clean(word) for word in words if word)
    if not section:
        return "Ranking" if field == "all" and len(fields) == 1 else FIELDS[field]
    return f"Section {clean(section)}" + ("" if field == "all" else f", {FIELDS[field]}")
