"""Which files belong to one session, and which to none."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from overtrick.core.bridge.cards import is_complete
from overtrick.core.frames import Session
from overtrick.files.assemble import read
from overtrick.files.assemble.together import Held, group_files, list_held, name_of_evening
from overtrick.files.formats.sources import source_lines
from overtrick.show.html.contestants import make_slug
from overtrick.show.text.display import Palette, format_problems


@dataclass(frozen=True)
class Look:
    """The content of a file, as far as it shows its session.

    Attributes:
        path: the file.
        deals: whether it holds complete deals.
        results: whether it holds results.
        date: the first date that a game states, `YYYY.MM.DD`.
        reason: why it belongs to no session, for people to read; empty if it does.
        held: its features that show with which other files it belongs; None if only its name does.
    """

    path: Path
    deals: bool
    results: bool
    date: str | None
    reason: str
    held: Held | None = field(default=None, compare=False)


def look_into(path: Path) -> Look:
    """Read a file and return what it holds.

    Raises:
        OSError: it can't be opened, perhaps because another program has it open.
    """
    path.open("rb").close()
    session = read([str(path)])
    deals = bool(is_complete(session.records["deal"]).any())
    results = session.results.height > 0
    evening = next(iter(list_held(session)), None)
    dates = session.records["date"].drop_nulls()
    date = next((text for text in dates if re.fullmatch(r"[0-9]{4}\.[0-9][0-9]\.[0-9][0-9]", text)), None)
    return Look(path, deals, results, date, "" if deals or results else _reason(session), evening)


def _reason(session: Session) -> str:
    problems = format_problems(session, source_lines, Palette())
    return f"This file holds neither complete deals nor results.\n{problems}"


def session_name(path: Path) -> str:
    """Return the name of a file's session: `tuesday` for `tuesday-results.csv`."""
    return make_slug(name_of_evening(path))


def group_sessions(looks: Iterable[Look]) -> list[tuple[str, list[Look]]]:
    """Return each session's name and files, in the order of their names; `assemble.together` has the rule.

    A session is named after its first file with results.
    """
    found = {str(look.path): look for look in sorted(looks, key=lambda look: look.path)}
    files = [_describe(path, look) for path, look in found.items()]
    groups = [[found[file.source] for file in group] for group in group_files(files, given=False)]
    firsts = [next((look for look in group if look.results), group[0]) for group in groups]
    return [(session_name(first.path), group) for first, group in zip(firsts, groups, strict=True)]


def _describe(path: str, look: Look) -> Held:
    if look.held:
        return replace(look.held, source=path)
    return Held(path, look.results, frozenset([look.date] if look.date else []))


def date_of(group: Sequence[Look]) -> str | None:
    """Return the date of a session: from its files with results, else from those with deals; None if none states it."""
    ordered = sorted(group, key=lambda look: not look.results)
    return next((look.date for look in ordered if look.date), None)


def is_whole(group: Sequence[Look]) -> bool:
    """Return whether the files hold both deals and results."""
    return has_results(group) and any(look.deals for look in group)


def has_results(group: Sequence[Look]) -> bool:
    """Return whether any of the files holds results."""
    return any(look.results for look in group)
