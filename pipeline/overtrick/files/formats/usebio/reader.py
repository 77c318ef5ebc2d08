"""One USEBIO file to frames: a record for each board of a section, a result for each traveller line.

Deals are a `BOARD` of a `HANDSET`, or hands beside the results of a board. Participants are pairs, players or teams,
with their place and total as the file states them.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Final

import polars as pl

from overtrick.core import notation
from overtrick.core.bridge.cards import SEATS
from overtrick.core.bridge.methods import METHODS, Usebio
from overtrick.core.frames import CONTESTANTS, ITEMS, RECORDS, RESULTS, conform
from overtrick.core.notation import BETWEEN, is_number, read_date
from overtrick.core.problems import Finding, report_findings
from overtrick.files.formats.base import Reading, nothing_but
from overtrick.files.formats.pbn.read.tag_columns import read_deals
from overtrick.files.formats.usebio.lin_data import add_tables
from overtrick.files.formats.usebio.travellers import Line, read_results, read_travellers
from overtrick.files.formats.usebio.xml import Element, parse

# The facts of a USEBIO file: the event, where and when it was played, and how it is scored.

_TEAMS: Final = ("TEAMS", "TEAMS_OF_FOUR", "SWISS_TEAMS", "KO", "HEAD_TO_HEAD")
_LEAVES_OUT_EXTREMES: Final = ("compscore",)
"""Programs whose Butler datum leaves out the best and the worst score; USEBIO has no word for it."""

_METHODS: Final = ("BOARD_SCORING_METHOD", "PAIRWISE_SCORING_METHOD", "SCORING_METHOD")

_HALF_TEN: Final = 5
WHOLE: Final = re.compile(r"[+-]?[0-9]{1,6}")


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
    names = [method.usebio for method in METHODS.values() if method.usebio]
    by_method = {name: usebio.asks for usebio in names for name in usebio.methods}
    # An event of another type leaves the method to `BOARD_SCORING_METHOD`.
    by_type = {name: usebio.asks for usebio in names for name in usebio.event_types}
    kind = (event.stated("EVENT_TYPE") or "").upper()
    methods = [_upper(event, name) for name in _METHODS]
    named = list(filter(None, map(by_method.get, methods)))
    if kind in _TEAMS:
        return "BAM" if "BAM" in named else "IMP"
    in_imps = "IMP" if "IMPS" in methods else None
    asked = next(filter(None, (by_type.get(kind), *named, _by_columns(event, names), in_imps)), None)
    if asked == "Butler":
        asked = _butler(event)
    in_points = _upper(event, "MATCH_SCORING_METHOD") in ("VP", "VPS")
    return f"{asked};VPS" if asked and kind.startswith("SWISS_PAIRS") and in_points else asked


def _upper(element: Element, name: str) -> str:
    return (element.value(name) or "").upper()


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


def _by_columns(element: Element, names: Iterable[Usebio]) -> str | None:
    """Return the scoring by the first points that a line states."""
    by_column = {f"NS_{usebio.points}": usebio.asks for usebio in names if usebio.points} | {"NS_IMPS": "IMP"}
    stated = (child.name for child in _elements(element) if child.name in by_column and child.text)
    return next((by_column[name] for name in stated), None)


def _elements(element: Element) -> Iterator[Element]:
    yield element
    for child in element.children:
        yield from _elements(child)


def _date(element: Element, findings: list[Finding]) -> str | None:
    """Return the date as PBN writes it, `YYYY.MM.DD`; as written where it is not a date."""
    stated = element.first("DATE")
    if stated is None or not stated.text:
        return None
    if day := read_date(stated.text, "day-first"):
        return day
    findings.append(stated.report_text())
    return stated.text


_HELD_ATTRIBUTES: Final = (
    *("@EVENT_TYPE", "@SECTION_ID", "@SECTION_NAME", "@SESSION_ID", "@HANDSET_ID", "@BOARD_NUMBER"),
    *("@TEAM_ID", "@TEAM_NUMBER", "@TEAM_NAME", "@PAIR_NUMBER", "@PLAYER_NUMBER"),
)
"""Attributes that are read into the scoring, the sections and the contestants."""

_SUITS: Final = ("SPADES", "HEARTS", "DIAMONDS", "CLUBS")
_VOID: Final = ("-", "--", "void", "none")

_Deals = dict[str, tuple[Element, str]]
"""By board number the element and the deal, from North on, as PBN writes it."""

_KINDS: Final = {
    "PAIR": ("PAIR_NUMBER",),
    "TEAM": ("TEAM_ID", "TEAM_NUMBER", "TEAM_NAME"),
    "PLAYER": ("PLAYER_NUMBER",),
}
_SCHEMA: Final = {
    name: CONTESTANTS[name].dtype
    for name in ("contestant", "line", "section", "names", "members", "direction", "stated_awards")
} | {name: pl.Float64() for name in ("stated_total", "stated_percentage", "stated_rank")}

_PLACE: Final = re.compile(r"([0-9]{1,6})\s*[=a-z]*", re.IGNORECASE)
_NUMBER: Final = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?%?")

_Rows = list[dict[str, object]]
"""Participants, by the columns of `frames.CONTESTANTS`."""


@dataclass
class _Hands:
    """The sets of hands in a file, by their name."""

    sets: dict[str | None, _Deals] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)

    def of(self, section: Element, name: str | None) -> _Deals:
        """Return the hands of a section: of the set it names, of the set with its own name, or of the only one."""
        if len(self.sets) == 1:
            return next(iter(self.sets.values()))
        asked = section.stated("HANDSET_ID") or name
        return self.sets.get(asked, {})


@dataclass
class _Section:
    """A section: its boards are compared with one another."""

    name: str | None
    session: str | None
    element: Element


@dataclass
class _Boards:
    """The records so far: one for each board number of each section."""

    rows: list[dict[str, object]] = field(default_factory=list)
    number: dict[tuple[str | None, str], int] = field(default_factory=dict)

    def record(self, section: str | None, label: str, place: Element, event: Event) -> int:
        """Return the number of a board's record, a new one if it has none yet."""
        key = (section, label)
        if key not in self.number:
            self.number[key] = len(self.rows)
            self.rows.append(
                {
                    "record": len(self.rows),
                    "line": place.line,
                    "section": section,
                    "board": int(label) or None if len(label) < 10 else None,
                    "board_label": label,
                    **event.columns,
                }
            )
        return self.number[key]


def read_usebio(data: bytes) -> Reading:
    """Read a USEBIO file, 1.0 to 1.3.

    Elements without a column are kept as items, under the names of the elements that lead to them. Whatever is not
    understood is a problem at its line and column; nothing raises.
    """
    root, findings = parse(data)
    if root is None:
        return nothing_but(findings)
    boards, lines, listed = _Boards(), list[Line](), _Rows()
    hands = _read_hands(root)
    findings += hands.findings
    events = [read_event(root, element) for element in root.all("EVENT")]
    for event in events:
        findings += event.findings
        for section in _sections(event.element):
            lines += _lines_of(section, event, boards, findings)
            if section.element is not event.element:
                listed += _read_participants(section.element, section.name, findings)
            _add_hands(section, event, boards, hands)
        listed += _read_participants(event.element, None, findings)
    if not events:
        _add_hands(_Section(None, None, root), Event(root), boards, hands)
    return _reading(root, boards, lines, listed, findings)


def _sections(event: Element) -> list[_Section]:
    """Return the sections of an event: those of its sessions, or the event itself if it has none."""
    sessions = event.all("SESSION") or [event]
    several = len(sessions) > 1
    found = []
    for number, session in enumerate(sessions, start=1):
        label = session.stated("SESSION_ID") or str(number) if several else None
        for section in session.all("SECTION") or [session]:
            identity = section.stated("SECTION_ID", "SECTION_NAME")
            name = " ".join(part for part in (label, identity) if part) or None
            found.append(_Section(name, label, section))
    return found


def _lines_of(section: _Section, event: Event, boards: _Boards, findings: list[Finding]) -> Iterator[Line]:
    """Yield the lines of the boards of a section, those of its matches too."""
    places = [(section.element, None)] + [(match, match) for match in section.element.all("MATCH")]
    for holder, match in places:
        for board in holder.all("BOARD"):
            label = board.stated("BOARD_NUMBER")
            if label is None or not is_number(label):
                played = len(board.all("TRAVELLER_LINE"))
                findings.append(
                    Finding("usebio-board", board.line, board.column, board=label, values={"lines": played})
                )
                continue
            average = board.first("BOARD_AVERAGE")
            if average and not WHOLE.fullmatch(average.text):
                findings.append(average.report_text(label))
            record = boards.record(section.name, label.lstrip("0") or "0", board, event)
            if board.all("HAND"):
                boards.rows[record]["deal"] = _read_deal(board)
            yield from read_travellers(board, match, record)


def _add_hands(section: _Section, event: Event, boards: _Boards, hands: _Hands) -> None:
    """Add the hands to the section's boards, and records for boards that have hands and no results."""
    for label, (element, deal) in hands.of(section.element, section.name).items():
        row = boards.rows[boards.record(section.name, label, element, event)]
        row["deal"] = deal


def _reading(root: Element, boards: _Boards, lines: list[Line], listed: _Rows, findings: list[Finding]) -> Reading:
    records = (
        conform(RECORDS, pl.DataFrame(boards.rows, infer_schema_length=None)) if boards.rows else Reading().records
    )
    canonical, faults = read_deals(records["deal"])
    for row, fault in zip(records.iter_rows(named=True), faults, strict=True):
        if fault is not None:
            values = {"board": row["board_label"], "fault": fault}
            place = (row["line"], 1, row["record"], row["board_label"])
            findings.append(Finding("deal-unread/usebio", *place, values=values))
    found, faults_of_lines = read_results(lines, records)
    people = conform(CONTESTANTS, pl.DataFrame(listed, schema=_SCHEMA))
    if records.is_empty() and people.is_empty():
        findings.append(Finding("file-no-games/usebio", root.line, root.column))
    problems = [report_findings(findings, ""), faults_of_lines]
    reading = Reading(
        listed=_items(root),
        records=records.with_columns(canonical),
        results=conform(RESULTS, found),
        contestants=people,
        problems=pl.concat(problems),
    )
    reading = add_tables(reading, [lines[row].element.get("LIN_DATA") for row in found["row"]])
    return replace(reading, problems=reading.problems.sort("line", "column", maintain_order=True, nulls_last=True))


def _items(root: Element) -> pl.DataFrame:
    """Return what no column holds as items."""
    rows = [
        (element.line, element.column, "tag", path, text)
        for path, text, element in root.unread()
        if not path.endswith(_HELD_ATTRIBUTES)
    ]
    schema = {"line": pl.UInt32, "column": pl.UInt32, "kind": pl.String, "name": pl.String, "text": pl.String}
    return conform(ITEMS, pl.DataFrame(rows, schema=schema, orient="row"))


def _read_hands(root: Element) -> _Hands:
    """Read every set of hands, at any depth."""
    hands = _Hands()
    for element in _handsets(root):
        found: _Deals = hands.sets.setdefault(element.stated("HANDSET_ID"), {})
        for board in element.all("BOARD"):
            label = board.stated("BOARD_NUMBER")
            if label is None or not is_number(label):
                hands.findings.append(
                    Finding("usebio-board", board.line, board.column, board=label, values={"lines": 0})
                )
                continue
            found[label.lstrip("0") or "0"] = board, _read_deal(board)
    return hands


def _handsets(element: Element) -> list[Element]:
    """Find the sets of hands at any depth."""
    found = element.all("HANDSET")
    for child in element.children:
        if child.name in {"EVENT", "SESSION", "SECTION"}:
            found += _handsets(child)
    return found


def _read_deal(board: Element) -> str:
    """Return the hands of a board as PBN writes them, from North on; `-` for a missing hand."""
    shown = dict.fromkeys(SEATS, "-")
    for hand in board.all("HAND"):
        seat = (hand.value("DIRECTION") or "?")[0].upper()
        if seat in shown:
            shown[seat] = ".".join(_suit(hand.value(suit)) for suit in _SUITS)
    return f"N:{' '.join(shown.values())}"


def _suit(text: str | None) -> str:
    cards = (text or "").replace(" ", "").upper()
    return "" if cards.lower() in _VOID else cards.replace("10", "T")


def _read_participants(holder: Element, section: str | None, findings: list[Finding]) -> _Rows:
    """Read the participants directly below a section or an event."""
    return [
        _row(element, section, findings)
        for listed in holder.all("PARTICIPANTS")
        for element in listed.all(*_KINDS)
        if _identity(element) is not None
    ]


def _identity(element: Element) -> str | None:
    return element.stated(*_KINDS[element.name])


def _row(element: Element, section: str | None, findings: list[Finding]) -> dict[str, object]:
    direction = (element.value("DIRECTION") or "").upper().replace("-", "").replace("/", "")
    players = [element] if element.name == "PLAYER" else _players(element)
    team = element.stated("TEAM_NAME") if element.name == "TEAM" else None
    return {
        "contestant": _identity(element),
        "line": element.line,
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
    colours = [award.text for award in holder.all("MASTER_POINT_TYPE")]
    for number, award in enumerate(holder.all("MASTER_POINTS_AWARDED")):
        points = notation.plain_number(award.text)
        if points is not None:
            colour = colours[number] if number < len(colours) else ""
            stated.append(f"{points} {colour.lower()}".strip())
        elif award.text:
            findings.append(award.report_text())
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
        findings.append(stated.report_text())
        return None
    return float(number.group(1) if form is _PLACE else number.group().rstrip("%"))
