"""Rankings: who came where."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from overtrick.frames import Session
from overtrick.notation import clean
from overtrick.render.contestants import Anchors, Contestant, Contestants, with_section
from overtrick.render.context import Ranking, StandingRow
from overtrick.render.lines import PointsForm, percentage

Standing = Mapping[str, Any]
"""A row of `frames.STANDINGS`; an empty mapping for who is not ranked."""

_TITLES: Final = {"NS": "North-South", "EW": "East-West", "all": "All pairs"}


def ranked(session: Session, contestants: Contestants) -> list[tuple[Standing, Contestant]]:
    """Pair each row of the standings with its contestant, in the order of the standings."""
    rows = with_section(session.standings).iter_rows(named=True)
    found = ((row, contestants.find(row["contestant"], row["direction"], row["section"])) for row in rows)
    return [(row, one) for row, one in found if one]


def rankings(
    standings: Iterable[tuple[Standing, Contestant]], contestants: Contestants, form: PointsForm
) -> tuple[Ranking, ...]:
    """Make a table of every field, in the order in which the standings name them."""
    fields: dict[str, list[StandingRow]] = {}
    anchors = Anchors()
    for row, one in standings:
        fields.setdefault(row["ranking"] or "all", []).append(
            StandingRow(
                rank=rank_text(row),
                contestant=contestants.ref(one),
                total=form.total(row["total"]),
                percentage=percentage(row["percentage"], 2),
                boards="" if row["boards"] is None else str(row["boards"]),
                anchor=anchors.take(one),
            )
        )
    return tuple(Ranking(clean(name), _title(name, fields), tuple(rows)) for name, rows in fields.items())


def rank_text(standing: Standing) -> str:
    """Write a place: `3`, `4=` when shared; empty for who is not ranked."""
    rank = standing.get("rank")
    if rank is None:
        return ""
    return f"{rank}=" if (standing["rank_last"] or rank) > rank else str(rank)


def _title(name: str, fields: Mapping[str, object]) -> str:
    section, _, seats = name.rpartition(" ")
    if seats not in _TITLES:
        return clean(name)
    if not section:
        return "Ranking" if seats == "all" and len(fields) == 1 else _TITLES[seats]
    return f"Section {clean(section)}" + ("" if seats == "all" else f", {_TITLES[seats]}")
