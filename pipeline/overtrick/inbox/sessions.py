"""Which files belong to one session, and which are none."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from overtrick.assemble import read
from overtrick.assemble.beside import SUFFIX, is_corrections
from overtrick.bridge.cards import is_complete
from overtrick.formats.lines import source_lines
from overtrick.frames import Session
from overtrick.render.report import problem_report
from overtrick.render.slugs import slug
from overtrick.render.terminal import Palette

_ROLES: Final = re.compile(r"([-_. ]+(deals?|hands?|boards?|results?|scores?|contestants?|names?))+$", re.IGNORECASE)
"""Words at the end of a name that say what is in the file, and not which session it is of."""


@dataclass(frozen=True)
class Look:
    """What a file turned out to hold.

    Attributes:
        path: the file.
        deals: whether it holds complete deals.
        results: whether it holds results.
        date: of its first game that states one, `YYYY.MM.DD`.
        reason: why it is none of a session, for people; empty for one that is.
    """

    path: Path
    deals: bool
    results: bool
    date: str | None
    reason: str


def look(path: Path) -> Look:
    """Read a file to see what it holds."""
    session = read([str(path)])
    deals = bool(is_complete(session.records["deal"]).any())
    results = session.results.height > 0
    dates = session.records["date"].drop_nulls()
    date = next((text for text in dates if re.fullmatch(r"\d{4}\.\d\d\.\d\d", text)), None)
    return Look(path, deals, results, date, "" if deals or results else _reason(session))


def _reason(session: Session) -> str:
    told = problem_report(session, source_lines, Palette())
    return f"This file holds neither complete deals nor results.\n{told}"


def session_name(path: Path) -> str:
    """Name the session that a file is of, by what is before the dot: `tuesday-results.csv` is of `tuesday`."""
    stem = path.name[: -len(SUFFIX)] if is_corrections(path) else path.stem
    return slug(_ROLES.sub("", stem) or stem)


def grouped(looks: Iterable[Look]) -> dict[str, list[Look]]:
    """Put the files of one session together, in the order of their names."""
    groups: dict[str, list[Look]] = {}
    for found in sorted(looks, key=lambda found: found.path):
        groups.setdefault(session_name(found.path), []).append(found)
    return groups


def date_of(group: Sequence[Look]) -> str | None:
    """Give the date that the files of a session state, those of results before those of deals; None when none does."""
    ordered = sorted(group, key=lambda found: not found.results)
    return next((found.date for found in ordered if found.date), None)


def is_whole(group: Sequence[Look]) -> bool:
    """Say whether the files hold both deals and results."""
    return has_results(group) and any(found.deals for found in group)


def has_results(group: Sequence[Look]) -> bool:
    """Say whether the files hold results."""
    return any(found.results for found in group)
