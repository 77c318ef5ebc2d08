"""One USEBIO file to frames: a record for each board of a section, a result for each traveller line."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

import polars as pl

from overtrick.formats.base import Reading, nothing_but
from overtrick.formats.pbn.read.deals import read_deals
from overtrick.formats.usebio.event import WHOLE, Event, read_event
from overtrick.formats.usebio.hands import Hands, read_deal, read_hands
from overtrick.formats.usebio.lin_data import add_tables
from overtrick.formats.usebio.participants import Rows, list_participants, read_participants
from overtrick.formats.usebio.travellers import Line, read_results, read_travellers
from overtrick.formats.usebio.xml import Element, parse
from overtrick.frames import ITEMS, RECORDS, RESULTS, conform
from overtrick.notation import is_number
from overtrick.problems import Finding, report_findings

_HELD_ATTRIBUTES: Final = (
    *("@EVENT_TYPE", "@SECTION_ID", "@SECTION_NAME", "@SESSION_ID", "@HANDSET_ID", "@BOARD_NUMBER"),
    *("@TEAM_ID", "@TEAM_NUMBER", "@TEAM_NAME", "@PAIR_NUMBER", "@PLAYER_NUMBER"),
)
"""Attributes that are read into the scoring, the sections and the contestants."""


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


def is_usebio(head: bytes) -> bool:
    """Report whether a file begins as USEBIO does, in any encoding that keeps ASCII letters as they are."""
    return b"<USEBIO" in head.replace(b"\x00", b"").upper()


def read_usebio(data: bytes) -> Reading:
    """Read a USEBIO file, 1.0 to 1.3.

    Elements without a column are kept as items, under the names of the elements that lead to them. Whatever is not
    understood is a problem at its line and column; nothing raises.
    """
    root, findings = parse(data)
    if root is None:
        return nothing_but(findings)
    boards, lines, listed = _Boards(), list[Line](), Rows()
    hands = read_hands(root)
    findings += hands.findings
    events = [read_event(root, element) for element in root.all("EVENT")]
    for event in events:
        findings += event.findings
        for section in _sections(event.element):
            lines += _lines_of(section, event, boards, findings)
            if section.element is not event.element:
                listed += read_participants(section.element, section.name, findings)
            _add_hands(section, event, boards, hands)
        listed += read_participants(event.element, None, findings)
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
            own = section.stated("SECTION_ID", "SECTION_NAME")
            name = " ".join(part for part in (label, own) if part) or None
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
                values = {"element": average.name, "text": repr(average.text)}
                findings.append(Finding("usebio-value", average.line, average.column, board=label, values=values))
            record = boards.record(section.name, label.lstrip("0") or "0", board, event)
            if board.all("HAND"):
                boards.rows[record]["deal"] = read_deal(board)
            yield from read_travellers(board, match, record)


def _add_hands(section: _Section, event: Event, boards: _Boards, hands: Hands) -> None:
    """Add the hands to the section's boards, and records for boards that have hands and no results."""
    for label, (element, deal) in hands.of(section.element, section.name).items():
        row = boards.rows[boards.record(section.name, label, element, event)]
        row["deal"] = deal


def _reading(root: Element, boards: _Boards, lines: list[Line], listed: Rows, findings: list[Finding]) -> Reading:
    records = (
        conform(RECORDS, pl.DataFrame(boards.rows, infer_schema_length=None)) if boards.rows else Reading().records
    )
    canonical, faults = read_deals(records["deal"])
    for row, fault in zip(records.iter_rows(named=True), faults, strict=True):
        if fault is not None:
            values = {"board": row["board_label"], "fault": fault}
            findings.append(Finding("usebio-deal", row["line"], 1, row["record"], row["board_label"], values=values))
    found, faults_of_lines = read_results(lines, records)
    people = list_participants(listed)
    if records.is_empty() and people.is_empty():
        findings.append(Finding("usebio-nothing", root.line, root.column))
    problems = [report_findings(findings, ""), faults_of_lines]
    reading = Reading(
        items=_items(root),
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
