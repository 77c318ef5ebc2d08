"""The facts of a USEBIO file: the event, where and when it was played, and how it is scored."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from overtrick.core.bridge.methods import METHODS, Usebio
from overtrick.core.problems import Finding
from overtrick.files.formats.usebio.xml import Element

_TEAMS: Final = ("TEAMS", "TEAMS_OF_FOUR", "SWISS_TEAMS", "KO", "HEAD_TO_HEAD")
_LEAVES_OUT_EXTREMES: Final = ("compscore",)
"""Programs whose Butler datum leaves out the best and the worst score; USEBIO has no word for it."""

_METHODS: Final = ("BOARD_SCORING_METHOD", "PAIRWISE_SCORING_METHOD", "SCORING_METHOD")
_VICTORY_POINTS: Final = ("VP", "VPS")

_HALF_TEN: Final = 5
WHOLE: Final = re.compile(r"[+-]?[0-9]{1,6}")
_BRITISH: Final = re.compile(r"([0-9]{1,2})[/.-]([0-9]{1,2})[/.-]([0-9]{4})")
_ISO: Final = re.compile(r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})(?:T.*)?")


@dataclass
class Event:
    """One event and its facts, as columns of `frames.RECORDS`."""

    element: Element
    columns: dict[str, str | None] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)


def read_event(root: Element, element: Element) -> Event:
    """Read an event's own elements: `event site date scoring`."""
    event = Event(element)
    club = root.first("CLUB")
    event.columns = {
        "event": element.value("EVENT_DESCRIPTION") or element.value("TITLE"),
        "site": element.value("VENUE") or (club.value("CLUB_NAME") if club else None),
        "date": _date(element, event.findings),
        "scoring": read_scoring(element),
    }
    return event


def read_scoring(event: Element) -> str | None:
    """Return how an event is scored, in PBN's words (3.4.12); None where neither the event nor its lines say.

    `VPS`, for rounds of pairs that are matches in victory points, is not a word of PBN.
    """
    kind = (event.stated("EVENT_TYPE") or "").upper()
    methods = [(event.value(name) or "").upper() for name in _METHODS]
    by_method = {name: usebio.asks for usebio in _names() if usebio.asks for name in usebio.methods}
    named = [by_method[method] for method in methods if method in by_method]
    if kind in _TEAMS:
        return "BAM" if "BAM" in named else "IMP"
    by_type = {name: usebio.asks for usebio in _names() for name in usebio.event_types}
    in_imps = "IMP" if "IMPS" in methods else None
    asked = by_type.get(kind) or next(iter(named), None) or _by_columns(event) or in_imps
    if asked == "Butler":
        asked = _butler(event)
    in_points = (event.value("MATCH_SCORING_METHOD") or "").upper() in _VICTORY_POINTS
    return f"{asked};VPS" if asked and kind.startswith("SWISS_PAIRS") and in_points else asked


def _butler(event: Element) -> str:
    """Return whether the datum leaves out the best and the worst score: by the datums stated, else by the program."""
    datums = list(_datums(event))
    whole = sum(_nearest_ten(scores, datum) for scores, datum in datums)
    trimmed = sum(_nearest_ten(sorted(scores)[1:-1] or scores, datum) for scores, datum in datums)
    if whole == trimmed:
        program = (event.value("PROGRAM_NAME") or "").lower()
        return "Butler-2" if program.startswith(_LEAVES_OUT_EXTREMES) else "Butler"
    return "Butler-2" if trimmed > whole else "Butler"


def _datums(element: Element) -> Iterator[tuple[list[int], int]]:
    """Yield the scores and the datum of each board that states one."""
    for child in element.children:
        if child.name != "BOARD":
            yield from _datums(child)
            continue
        datum = child.value("BOARD_AVERAGE") or ""
        stated = [line.value("SCORE") or "" for line in child.all("TRAVELLER_LINE")]
        scores = [int(score) for score in stated if WHOLE.fullmatch(score)]
        if scores and WHOLE.fullmatch(datum):
            yield scores, int(datum)


def _nearest_ten(scores: list[int], datum: int) -> bool:
    """Report whether a datum is the mean of these scores, rounded to ten in any way."""
    return abs(sum(scores) - datum * len(scores)) <= _HALF_TEN * len(scores)


def _by_columns(element: Element) -> str | None:
    """Return the scoring by the first points that a line states."""
    by_column = {f"NS_{usebio.points}": usebio.asks for usebio in _names() if usebio.points} | {"NS_IMPS": "IMP"}
    stated = (child.name for child in _elements(element) if child.name in by_column and child.text)
    return next((by_column[name] for name in stated), None)


def _elements(element: Element) -> Iterator[Element]:
    yield element
    for child in element.children:
        yield from _elements(child)


def _names() -> list[Usebio]:
    """Return what USEBIO calls the methods; an event of another type leaves them to `BOARD_SCORING_METHOD`."""
    return [method.usebio for method in METHODS.values() if method.usebio]


def _date(element: Element, findings: list[Finding]) -> str | None:
    """Return the date as PBN writes it, `YYYY.MM.DD`; as written where it is not a date."""
    stated = element.first("DATE")
    if stated is None or not stated.text:
        return None
    if british := _BRITISH.fullmatch(stated.text):
        day, month, year = british.groups()
    elif iso := _ISO.fullmatch(stated.text):
        year, month, day = iso.groups()
    else:
        findings.append(stated.report_text())
        return stated.text
    return f"{year}.{month:>02}.{day:>02}"
