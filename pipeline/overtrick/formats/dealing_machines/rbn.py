"""RBN, Richard Pavlicek's bridge notation: lines behind a one-letter label, records parted by blank lines.

The labels D T L E F S K N B H hold for the records that follow too, until another states them; A C P R I M are the
record's own. Text in braces is a comment.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

import polars as pl

from overtrick.formats.base import Reading, nothing_but
from overtrick.formats.dealing_machines.dealt import FAULTY, plain
from overtrick.formats.dealing_machines.rbn_bodies import Auction, auction, contract, play
from overtrick.formats.pbn.read.deals import deals
from overtrick.formats.text import decode
from overtrick.frames import ITEMS, RECORDS, conform
from overtrick.problems import Finding, report_findings

LASTING: Final = "DTLEFSKNBH"

_LINE_OF_HANDS: Final = re.compile(rb"(?m)^H [NESW]:")
_OTHER_FORMAT: Final = re.compile(rb"(?m)^[ \t]*\[|^..\|")
"""A tag of PBN, or an item of LIN."""

_LABEL: Final = re.compile(r"([A-Z0-9]) (.*)")
_HANDS: Final = re.compile(r"([NESW]):(.*)")
_DATE: Final = re.compile(r"([\d?]{4})([\d?]{2})([\d?]{2})")
_RESULT: Final = re.compile(r"(\d{1,2})(?!\d)")
_SCORING: Final = {"M": "MP", "I": "IMP", "X": "IMP;Cross"}


@dataclass
class _Record:
    line: int
    values: dict[str, str]
    lines: dict[str, int]
    own: set[str] = field(default_factory=set)


def is_rbn(head: bytes) -> bool:
    """Say whether a file has a line of hands as RBN writes them, and no tag of PBN or item of LIN before it."""
    head = plain(head)
    hands = _LINE_OF_HANDS.search(head)
    return hands is not None and not _OTHER_FORMAT.search(head[: hands.start()])


def read_rbn(data: bytes) -> Reading:
    """Read an RBN file. All lines are items too; a score, whose side RBN leaves open, is read from the contract."""
    text = decode(plain(data))
    if isinstance(text, Finding):
        return nothing_but([text])
    findings = list(text.findings)
    records: list[_Record] = []
    kept: list[tuple[object, ...]] = []
    for place, line, label, value in _lines(text.content, records):
        if label is None:
            comment = value.startswith("{")
            kept.append((place, line, 1, "comment" if comment else "stray", None, value))
            if not comment:
                findings.append(Finding("deal-file-line", line, 1, place, values={"text": repr(value[:40])}))
        else:
            kept.append((place, line, 1, "tag", label, value))
    rows = [_row(number, record, findings) for number, record in enumerate(records)]
    frame = conform(RECORDS, pl.DataFrame(rows, infer_schema_length=None)) if rows else Reading().records
    canonical, faults = deals(frame["deal"])
    for number, fault in enumerate(faults):
        if fault is not None:
            record = records[number]
            values = {"place": f"deal {number + 1}", "fault": fault}
            findings.append(Finding(FAULTY, record.lines.get("H"), 1, number, record.values.get("B"), values=values))
    items = pl.DataFrame(kept, schema=["record", "line", "column", "kind", "name", "text"], orient="row")
    problems = report_findings(findings, "").sort("line", maintain_order=True, nulls_last=True)
    return Reading(items=conform(ITEMS, items), records=frame.with_columns(canonical), problems=problems)


def _lines(content: str, records: list[_Record]) -> Iterator[tuple[int | None, int, str | None, str]]:
    """Cut the text into lines `record line label value` and fill `records`; a comment may have several lines."""
    lasting: dict[str, str] = {}
    current: _Record | None = None
    comment: list[str] = []
    first = 0
    for line, written in enumerate(content.splitlines(), start=1):
        if comment or written.startswith("{"):
            first = first if comment else line
            comment.append(written)
            if written.rstrip().endswith("}"):
                yield len(records) - 1 if current else None, first, None, "\n".join(comment)
                comment = []
            continue
        if not written.strip():
            current = None
            continue
        label = _LABEL.fullmatch(written)
        if label and current is None:
            current = _Record(line, dict(lasting), {})
            records.append(current)
        if not label or current is None:
            yield len(records) - 1 if current else None, line, None, written
            continue
        name, value = label.groups()
        current.values[name], current.lines[name] = value, line
        if name in LASTING:
            lasting[name] = value
        yield len(records) - 1, line, name, value
    if comment:
        yield len(records) - 1 if current else None, first, None, "\n".join(comment)


def _row(number: int, record: _Record, findings: list[Finding]) -> dict[str, object]:
    """Read what one record says into columns of `frames.RECORDS`."""
    values = record.values
    board = values.get("B", "").strip()
    bid = contract(values.get("C", ""))
    called = auction(values.get("A", ""))
    tricks = _RESULT.match(values.get("R", ""))
    cards = play(values.get("P", ""), bid)
    for label, odd in (("A", called.odd), ("P", cards.odd if cards else None)):
        if odd is not None:
            place = Finding("deal-file-line", record.lines[label], 3, number, board or None, values={"text": repr(odd)})
            findings.append(place)
    return {
        "record": number,
        "line": record.line,
        "event": values.get("E") or None,
        "site": values.get("L") or None,
        "date": _date(values.get("D")),
        "board": int(board) if re.fullmatch(r"[1-9]\d{0,8}", board) else None,
        "board_label": board or None,
        "scoring": _SCORING.get(values.get("F", "").strip()),
        **_players(values.get("N", "")),
        **_called(called),
        "deal": _deal(values.get("H", "")),
        "level": bid.level,
        "strain": bid.strain,
        "doubled": bid.doubled,
        "declarer": bid.declarer,
        "tricks": int(tricks.group(1)) if tricks and int(tricks.group(1)) <= 13 and bid.level else None,
        "play_start": cards.leader if cards else None,
        "cards": cards.cards if cards else None,
        "play_end": "*" if cards and len(cards.cards) < 52 else None,
    }


def _called(called: Auction) -> dict[str, object]:
    return {
        "dealer": called.dealer,
        "vulnerable": called.vulnerable,
        "auction_start": called.dealer if called.calls else None,
        "calls": called.calls or None,
        "auction_end": None if called.complete or not called.calls else "*",
    }


def _date(value: str | None) -> str | None:
    known = _DATE.match(value or "")
    return ".".join(known.groups()) if known else value


def _players(value: str) -> dict[str, str | None]:
    """Read `North+South:West+East:room`."""
    pairs = [*value.split(":"), "", ""]
    (north, _, south), (west, _, east) = pairs[0].partition("+"), pairs[1].partition("+")
    named = {"north": north, "south": south, "west": west, "east": east}
    return {seat: name.strip() or None for seat, name in named.items()}


def _deal(value: str) -> str | None:
    """Write the hands as PBN does: four clockwise from the first seat, the last told from the rest if need be."""
    hands = _HANDS.fullmatch(value.strip())
    if not hands:
        return value or None
    shown = [hand.strip() or "-" for hand in hands.group(2).split(":")]
    shown = (shown if shown[-1] != "-" or len(shown) < 5 else shown[:-1]) + ["-"] * 4
    return f"{hands.group(1)}:{' '.join(_completed(shown[:4]))}"


def _completed(hands: list[str]) -> list[str]:
    """Give the fourth hand the cards that three hands of thirteen leave."""
    if hands.count("-") != 1:
        return hands
    suits = [hand.split(".") for hand in hands if hand != "-"]
    if any(len(hand) != 4 or sum(map(len, hand)) != 13 for hand in suits):
        return hands
    rest = ["".join(r for r in "AKQJT98765432" if not any(r in hand[s] for hand in suits)) for s in range(4)]
    return [".".join(rest) if hand == "-" else hand for hand in hands]
