"""Rankings: who came where."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from overtrick.core.frames import Session
from overtrick.core.notation import clean
from overtrick.show.html.contestants import Anchors, Contestant, ContestantRef, Contestants, fill_sections
from overtrick.show.html.result_lines import PointsForm
from overtrick.show.text.display import FIELDS, format_percentage

Standing = Mapping[str, Any]
"""A row of `frames.STANDINGS`; an empty mapping for a contestant that is not ranked."""


LONG: Final = 40
"""Rows from which a ranking is folded."""


@dataclass(frozen=True)
class Bar:
    """A total as a bar, in a box 100 wide: from zero, or to the left of it what was lost."""

    start: str
    width: str
    lost: bool = False


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
    bar: Bar | None = None


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
    def has_boards(self) -> bool:
        """Whether contestants were scored on different numbers of boards."""
        return len({row.boards for row in self.rows}) > 1

    @property
    def is_long(self) -> bool:
        """Whether the page shows its first rows only, until a reader asks for all."""
        return len(self.rows) > LONG

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
    standings = list(standings)
    draw = _choose_bars([row for row, _ in standings])
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
                bar=draw(row),
            )
        )
    return tuple(Ranking(clean(name), _compose_title(name, fields), tuple(rows)) for name, rows in fields.items())


def _choose_bars(standings: Sequence[Standing]) -> Callable[[Standing], Bar | None]:
    """Return what draws the bar of a standing: percent of 100, else a share of the largest total of all rankings."""
    most = max((abs(row["total"]) for row in standings if row["total"] is not None), default=0)
    signed = any((row["total"] or 0) < 0 for row in standings)

    def draw(row: Standing) -> Bar | None:
        if row["percentage"] is not None:
            return Bar("0", f"{min(max(row['percentage'], 0), 100):.4g}")
        if row["total"] is None or not most:
            return None
        share = 100 * row["total"] / most
        if not signed:
            return Bar("0", f"{share:.4g}")
        width = abs(share) / 2
        return Bar(f"{50 - width if share < 0 else 50:.4g}", f"{width:.4g}", share < 0)

    return draw


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
