"""The totals of all score sheets of rubber-type games: by side, and by player."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from overtrick.core.frames import Session
from overtrick.judge.people.names import fold_name
from overtrick.show.html.contestants import ContestantRef, Contestants
from overtrick.show.text.display import format_number, format_signed

_PLACE = ("section", "round", "table", "ns", "ew", "sheet")


@dataclass(frozen=True)
class SheetTotal:
    """What a side or a player came to on all sheets."""

    name: str
    side: ContestantRef | None
    """None for a player, and for who has no page."""
    sheets: str
    won: str
    """The points on its own side of the sheets; those of the opponents are `lost`."""
    lost: str
    difference: str
    """With its sign."""


@dataclass(frozen=True)
class SheetTotals:
    """The totals of all sheets, the largest difference first."""

    sides: tuple[SheetTotal, ...]
    players: tuple[SheetTotal, ...]
    """Empty where no side has the names of its players."""


def make_sheet_totals(session: Session, contestants: Contestants) -> SheetTotals | None:
    """Return the totals of all score sheets; None for a single sheet."""
    sides: dict[ContestantRef, list[tuple[int, int]]] = {}
    players: dict[str, list[tuple[int, int]]] = {}
    spelt: dict[str, Counter[str]] = defaultdict(Counter)
    found = _add_sheets(session)
    if len(found) < 2:
        return None
    for place, points in found.items():
        about = dict(zip(_PLACE, place, strict=True))
        for side, other in (("NS", "EW"), ("EW", "NS")):
            ref = contestants.link(contestants.find(about[side.lower()], side, about["section"]))
            if not ref.id:
                continue
            at_sheet = (points.get(side, 0), points.get(other, 0))
            sides.setdefault(ref, []).append(at_sheet)
            for player in ref.names.split(" – ") if " – " in ref.names else ():
                # Case and accents make nobody another person.
                folded = fold_name(player) or player
                players.setdefault(folded, []).append(at_sheet)
                spelt[folded][player] += 1
    return SheetTotals(
        tuple(one for _, one in _sort((_total(ref.names, ref if ref.page else None, at)) for ref, at in sides.items())),
        tuple(
            one for _, one in _sort(_total(spelt[one].most_common(1)[0][0], None, at) for one, at in players.items())
        ),
    )


def _add_sheets(session: Session) -> Mapping[tuple[str, ...], Mapping[str, int]]:
    """Return the points of N-S and E-W on each sheet, by its place."""
    summed = session.sheets.group_by(*_PLACE, "direction", maintain_order=True).agg(points="points")
    found: dict[tuple[str, ...], dict[str, int]] = {}
    for *place, direction, points in summed.iter_rows():
        found.setdefault(tuple(place), {})[str(direction)] = sum(points)
    return found


def _total(name: str, side: ContestantRef | None, at_sheets: list[tuple[int, int]]) -> tuple[int, SheetTotal]:
    won, lost = (sum(points[place] for points in at_sheets) for place in (0, 1))
    texts = (str(len(at_sheets)), format_number(won), format_number(lost), format_signed(won - lost))
    return won - lost, SheetTotal(name, side, *texts)


def _sort(totals: Iterable[tuple[int, SheetTotal]]) -> list[tuple[int, SheetTotal]]:
    return sorted(totals, key=lambda one: -one[0])
