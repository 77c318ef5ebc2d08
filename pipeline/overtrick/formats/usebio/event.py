"""The facts of a USEBIO file: the event, where and when it was played, and how it is scored."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from overtrick.formats.usebio.xml import Element
from overtrick.problems import Finding

_BY_TYPE: Final = {
    "MP_PAIRS": "MP",
    "BUTLER_PAIRS": "Butler",
    "CROSS_IMP": "IMP;Cross2",
    "CROSS_IMPS": "IMP;Cross2",
    "AGGREGATE": "Aggregate",
    "SWISS_PAIRS_CROSS_IMPS": "IMP;Cross2",
    "SWISS_PAIRS_BUTLER_IMPS": "Butler",
}
"""PBN's word for the scoring, by the type of the event; the other types leave it to `BOARD_SCORING_METHOD`."""

_BY_METHOD: Final = {
    "MATCH_POINTS": "MP",
    "MATCHPOINTS": "MP",
    "CROSS_IMPS": "IMP;Cross2",
    "CROSS_IMP": "IMP;Cross2",
    "BUTLER_IMPS": "Butler",
    "BUTLER": "Butler",
    "PAB": "BAM",
    "AGGREGATE": "Aggregate",
}
_BY_COLUMN: Final = {
    "NS_MATCH_POINTS": "MP",
    "NS_BUTLER_POINTS": "Butler",
    "NS_CROSS_IMP_POINTS": "IMP;Cross2",
    "NS_IMPS": "IMP",
}
_TEAMS: Final = ("TEAMS", "TEAMS_OF_FOUR", "SWISS_TEAMS", "KO", "HEAD_TO_HEAD")
_LEAVES_OUT_EXTREMES: Final = ("compscore",)
"""Programs whose Butler datum leaves out the best and the worst score; USEBIO has no word for it."""

_VICTORY_POINTS: Final = ("VP", "VPS")

_HALF_TEN: Final = 5
WHOLE: Final = re.compile(r"[+-]?\d{1,6}")
_BRITISH: Final = re.compile(r"(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})")
_ISO: Final = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})(?:T.*)?")


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
    methods = [event.value(name) for name in ("BOARD_SCORING_METHOD", "PAIRWISE_SCORING_METHOD", "SCORING_METHOD")]
    named = [_BY_METHOD[method.upper()] for method in methods if method and method.upper() in _BY_METHOD]
    if kind in _TEAMS:
        return "BAM" if "BAM" in named else "IMP"
    asked = _BY_TYPE.get(kind) or next(iter(named), None) or _by_columns(event)
    if asked is None and any(method and method.upper() == "IMPS" for method in methods):
        asked = "IMP"
    if asked == "Butler":
        asked = _butler(event)
    in_points = (event.value("MATCH_SCORING_METHOD") or "").upper() in _VICTORY_POINTS
    return f"{asked};VPS" if asked and kind.startswith("SWISS_PAIRS") and in_points else asked


def _butler(event: Element) -> str:
    """Return whether the datum leaves out the best and the worst score: by the datums stated, else by the program."""
    whole = trimmed = 0
    for scores, datum in _datums(event):
        rest = sorted(scores)[1:-1]
        whole += _nearest_ten(scores, datum)
        trimmed += _nearest_ten(rest or scores, datum)
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
    if element.name in _BY_COLUMN and element.text:
        return _BY_COLUMN[element.name]
    return next((found for child in element.children if (found := _by_columns(child))), None)


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
        values = {"element": stated.name, "text": repr(stated.text)}
        findings.append(Finding("usebio-value", stated.line, stated.column, values=values))
        return stated.text
    return f"{year}.{month:>02}.{day:>02}"
