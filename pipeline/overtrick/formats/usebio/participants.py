"""The participants: pairs, players or teams, with their place and total as the file states them."""

import re
from typing import Final

import polars as pl

from overtrick import notation
from overtrick.formats.usebio.xml import Element
from overtrick.frames import CONTESTANTS, conform
from overtrick.notation import BETWEEN
from overtrick.problems import Finding

_KINDS: Final = {
    "PAIR": ("PAIR_NUMBER",),
    "TEAM": ("TEAM_ID", "TEAM_NUMBER", "TEAM_NAME"),
    "PLAYER": ("PLAYER_NUMBER",),
}
_SCHEMA: Final = {
    name: CONTESTANTS[name].dtype
    for name in ("contestant", "section", "names", "members", "direction", "stated_awards")
} | {name: pl.Float64() for name in ("stated_total", "stated_percentage", "stated_rank")}
_PLACE: Final = re.compile(r"([0-9]{1,6})\s*[=a-z]*", re.IGNORECASE)
_NUMBER: Final = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?%?")


Rows = list[dict[str, object]]
"""Participants, by the columns of `frames.CONTESTANTS`."""


def read_participants(holder: Element, section: str | None, findings: list[Finding]) -> Rows:
    """Read the participants directly below a section or an event."""
    return [
        _row(element, section, findings)
        for listed in holder.all("PARTICIPANTS")
        for element in listed.all(*_KINDS)
        if _identity(element) is not None
    ]


def list_participants(rows: Rows) -> pl.DataFrame:
    """Return the participants of a whole file as a frame of `frames.CONTESTANTS`."""
    return conform(CONTESTANTS, pl.DataFrame(rows, schema=_SCHEMA))


def _identity(element: Element) -> str | None:
    return element.stated(*_KINDS[element.name])


def _row(element: Element, section: str | None, findings: list[Finding]) -> dict[str, object]:
    direction = (element.value("DIRECTION") or "").upper().replace("-", "").replace("/", "")
    players = [element] if element.name == "PLAYER" else _players(element)
    team = element.stated("TEAM_NAME") if element.name == "TEAM" else None
    return {
        "contestant": _identity(element),
        "section": section,
        "direction": direction if direction in {"NS", "EW"} else None,
        "names": team or _joined([player.value("PLAYER_NAME") for player in players], "?"),
        "members": _joined([player.value("NATIONAL_ID_NUMBER") for player in players], ""),
        "stated_awards": _awards(element, findings),
        "stated_rank": _number(element, "PLACE", _PLACE, findings),
        "stated_total": _number(element, "TOTAL_SCORE", _NUMBER, findings),
        "stated_percentage": _number(element, "PERCENTAGE", _NUMBER, findings),
    }


def _awards(element: Element, findings: list[Finding]) -> str | None:
    """Return the masterpoints of a participant, or of its first player: `17 green; 5 black`; None if it has none."""
    stated: list[str] = []
    for holders in ([element, *element.all("MASTER_POINTS")], _players(element)[:1]):
        for holder in holders if not stated else ():
            stated += _awards_in(holder, findings)
    return "; ".join(stated) or None


def _awards_in(holder: Element, findings: list[Finding]) -> list[str]:
    stated = []
    colours = [one.text for one in holder.all("MASTER_POINT_TYPE")]
    for number, one in enumerate(holder.all("MASTER_POINTS_AWARDED")):
        points = notation.plain_number(one.text)
        if points is not None:
            colour = colours[number] if number < len(colours) else ""
            stated.append(f"{points} {colour.lower()}".strip())
        elif one.text:
            values = {"element": one.name, "text": repr(one.text)}
            findings.append(Finding("usebio-value", one.line, one.column, values=values))
    return stated


def _players(element: Element) -> list[Element]:
    """List the players of a pair, or those of a team, pair by pair."""
    within = [player for pair in element.all("PAIR") for player in pair.all("PLAYER")]
    return element.all("PLAYER") + within


def _joined(parts: list[str | None], missing: str) -> str | None:
    """Join names or numbers, with a mark for an unknown one; None if all are unknown."""
    return BETWEEN.join(part or missing for part in parts) if any(parts) else None


def _number(element: Element, name: str, form: re.Pattern[str], findings: list[Finding]) -> float | None:
    stated = element.first(name)
    if stated is None or not stated.text:
        return None
    number = form.fullmatch(stated.text)
    if number is None:
        values = {"element": name, "text": repr(stated.text)}
        findings.append(Finding("usebio-value", stated.line, stated.column, values=values))
        return None
    return float(number.group(1) if form is _PLACE else number.group().rstrip("%"))
