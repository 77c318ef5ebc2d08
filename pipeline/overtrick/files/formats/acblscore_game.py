"""Game files of ACBLscore (`.AC3`, `.ACM` and others): pairs with names, numbers and masterpoints, and their scores.

A game file is a table of events and sections, whose offsets lead to everything else. Numbers are little-endian, texts
have their length in their first byte. Results are scores without contracts. Individuals and teams are named and left
out: their results have another form.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from struct import unpack_from
from typing import Any, Final

import polars as pl

from overtrick.core.contestants import join_players
from overtrick.core.frames import CONTESTANTS, conform
from overtrick.core.notation import ACROSS, BETWEEN
from overtrick.core.problems import Finding
from overtrick.files.formats.base import Reading, nothing_but, reads_text
from overtrick.files.formats.tables.cells import make_cells, read_cells
from overtrick.files.formats.text import Text

_BOARD: Final = re.compile(r"\s*RESULTS\s+OF\s+BOARD\s+([0-9]{1,3})\b", re.IGNORECASE)
_RECOGNISED: Final = re.compile(rb"^[ \t]*RESULTS\s+OF\s+BOARD\s+[0-9]+", re.IGNORECASE | re.MULTILINE)
_HEADER: Final = re.compile(r"\bN-S\s+E-W\s+N-S\s+E-W")
_SIDES: Final = re.compile(r"N-S|E-W")
_VERSUS: Final = re.compile(r"\svs\.?(?=\s)")
_PAIR: Final = re.compile(r"\b([A-Z]{0,2})([0-9]{1,3})(?:NS|EW)?\s*-\s*(.*)")
_NUMBER: Final = re.compile(r"PASS|AVE?[+-]?|AV[+-]|NP|LATE|-?[0-9]+(?:\.[0-9]+)?", re.IGNORECASE)
_EVENT: Final = re.compile(r"^[ \t]*(?:EVENT|GAME)\s*[:>]\s*(\S.*?)\s{2,}", re.IGNORECASE | re.MULTILINE)
_RULE: Final = re.compile(r"[\s\-=_*]*")
_HEADING: Final = re.compile(r"\s*SCORES\b", re.IGNORECASE)


def is_acblscore(head: bytes) -> bool:
    """Report whether a text has the results of a board."""
    return b"<" not in head[:200] and _RECOGNISED.search(head) is not None


@reads_text
def read_acblscore(text: Text) -> Reading:
    """Read the results of all boards of a report; other lines between them are reported."""
    findings, rows = list(text.findings), []
    event = found[1] if (found := _EVENT.search(text.content)) else None
    board, ranked = "", 0
    sides: tuple[int, ...] = ()
    for line, written in enumerate(text.content.rstrip("\x1a\n").split("\n"), start=1):
        plain = written.expandtabs().rstrip()
        if found := _BOARD.match(plain):
            board, sides = found[1], ()
        elif header := _HEADER.search(plain):
            sides = tuple(side.end() for side in _SIDES.finditer(plain, header.start()))
        elif board and (pairs := _find_pairs(plain)):
            rows.append({"line": line, "board": board, "event": event, **_read_line(plain, *pairs, sides)})
        elif _RULE.fullmatch(plain) or (board and _HEADING.match(plain)):
            continue
        elif board and _NUMBER.match(plain.strip()):
            findings.append(Finding("line-unknown/exchange", line, 1, values={"text": repr(written[:60])}))
        else:
            ranked = ranked or line
    if ranked:
        findings.append(Finding("exchange-part", ranked, 1, values={"what": "the rankings and remarks"}))
    return read_cells(make_cells(rows, ("board", "ns", "ew")), findings)


def _find_pairs(plain: str) -> tuple[re.Match[str], re.Match[str]] | None:
    """Return the pairs on both sides of `vs`; None for a line without them."""
    versus = _VERSUS.search(plain)
    ns = _PAIR.search(plain, 0, versus.start()) if versus else None
    ew = _PAIR.match(plain[versus.end() :].lstrip()) if versus else None
    return (ns, ew) if ns and ew else None


def _read_line(plain: str, north: re.Match[str], east: re.Match[str], sides: tuple[int, ...]) -> dict[str, object]:
    """Return what a line says: points stand below the side that earned them."""
    section, ns, names_ns = north.groups()
    _, ew, names_ew = east.groups()
    row: dict[str, object] = {"section": section or None, "ns": ns, "ew": ew}
    row |= {"names_ns": _names(names_ns), "names_ew": _names(names_ew)}
    numbers = list(_NUMBER.finditer(plain, 0, north.start()))
    earned = [number[0] for number in numbers if "." in number[0]][-2:]
    if len(earned) == 2:
        row |= {"points_ns": earned[0], "points_ew": earned[1]}
    return row | _read_scores([number for number in numbers if "." not in number[0]][-2:], sides)


def _read_scores(scores: list[re.Match[str]], sides: tuple[int, ...]) -> dict[str, object]:
    """Return the cells of the scores of a line; each is of the side whose heading ends nearest to it.

    N-S   E-W    N-S   E-W
            50  4.00  7.00      50 for E-W
    """
    by_side: dict[str, str] = {}
    for score in scores:
        is_ew = len(sides) >= 2 and abs(score.end() - sides[1]) < abs(score.end() - sides[0])
        by_side["ew" if is_ew and "ew" not in by_side else "ns"] = score[0].upper()
    row: dict[str, object] = {}
    for side, text in by_side.items():
        if text == "PASS":
            row["contract"] = "Pass"
        elif text.startswith("AV"):
            row[f"award_{side}"] = f"A{text[-1] if text[-1] in '+-' else ''}"
        elif text not in {"NP", "LATE"}:
            row[f"score_{side}"] = text
    if len(by_side) == 1 and row.get("award_ns") == "A":
        row["award_ew"] = "A"
    return row


def _names(text: str) -> str | None:
    """Return `Ash-Birch` as `Ash - Birch`."""
    return join_players(text.replace("-", BETWEEN)) or None


_EVENTS, _SECTIONS = 50, 100
_EVENT_POINTERS, _EVENT_TYPES, _EVENT_SCORING = 0x12, 0xDA, 0x10C
_SUMMARY, _SUMMARY_SIZE = 0x13E, 22
_PAIR_NUMBERS: Final = 0xDD
"""Where the details of a section say which numbers were changed, and at which table each pair began."""
_HOWELL: Final = 1
_MOST_RESULTS: Final = 255
_PLAYER_SIZE: Final = 120

_TYPES: Final = ("pairs", "teams", "an individual", "home-style pairs", "board-a-match teams", "a series")
_PAIRS: Final = 0
_SCORING: Final = {0: "MP", 1: "Butler", 2: "Cross-IMP", 3: "Cross-IMP", 4: "MP"}
_NOT_IN_PLAY, _LATE, _NOT_PLAYED = 999, 900, 950
_AWARDS: Final = {2040: "A-", 2050: "A", 2060: "A+"}
_FOULED: Final = 3000
"""From here on a score is one of a board that was played in another form: 4000 for the first form, 6000, and so on."""
_COLOURS: Final = ("", "black", "silver", "red", "gold", "platinum")


class _OutsideError(Exception):
    """An offset leads out of the file."""


@dataclass(frozen=True)
class _Game:
    """The bytes of a file, read by offset."""

    data: bytes

    def number(self, at: int, form: str = "B") -> int:
        """Return a number.

        Raises:
            _OutsideError: it is not in the file.
        """
        if not 0 <= at <= len(self.data) - {"b": 1, "B": 1, "h": 2, "H": 2, "I": 4, "i": 4}[form]:
            raise _OutsideError
        value: int = unpack_from(f"<{form}", self.data, at)[0]
        return value

    def text(self, at: int, most: int) -> str:
        """Return a text of at most `most` bytes."""
        length = min(self.number(at), most)
        return " ".join(self.data[at + 1 : at + 1 + length].decode("cp1252", "replace").replace("\0", " ").split())


@dataclass(frozen=True)
class _Event:
    """The kind and the facts of an event, for all its sections."""

    kind: int
    facts: dict[str, object]


@dataclass(frozen=True)
class _Section:
    """Where the parts of a section are."""

    letter: str
    details: int
    boards: int
    is_howell: bool


@dataclass
class _Read:
    """The results, pairs and problems that were read so far."""

    rows: list[dict[str, object]] = field(default_factory=list)
    pairs: list[dict[str, object]] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)


def read_acblscore_game(data: bytes) -> Reading:
    """Read the pairs and the scores of all sections; a section that is cut off or damaged is reported."""
    game, read = _Game(data), _Read()
    try:
        found = {number: _read_event(game, number) for number in range(1, _EVENTS + 1)}
        events: dict[int, _Event] = {number: event for number, event in found.items() if event}
        sections = list(_list_sections(game))
    except _OutsideError:
        return nothing_but([Finding("file-cut/line", 1, 1, values={"what": "the table of events"})])
    for event, section in sections:
        known = events.get(event)
        if known is None:
            read.findings.append(Finding("exchange-part", 1, 1, values={"what": f"section {section.letter}"}))
        elif known.kind != _PAIRS:
            kind = _TYPES[known.kind] if known.kind < len(_TYPES) else "an unknown event"
            values = {"section": section.letter, "kind": kind}
            read.findings.append(Finding("acblscore-kind", 1, 1, values=values))
        else:
            _read_section(game, known, section, read)
    listed = pl.DataFrame(read.pairs, schema_overrides={"section": pl.String}) if read.pairs else None
    contestants = None if listed is None else conform(CONTESTANTS, listed)
    return read_cells(make_cells(read.rows, ("board", "ns", "ew")), read.findings, contestants=contestants)


def _read_event(game: _Game, number: int) -> _Event | None:
    """Return an event; None where the file has none of this number."""
    at = game.number(_EVENT_POINTERS + 4 * (number - 1), "I")
    if not at:
        return None
    kind, scoring = game.number(_EVENT_TYPES + number - 1), game.number(_EVENT_SCORING + number - 1)
    places = ((0x4, 25), (0x1E, 13), (0x48, 19), (0x5C, 25))
    name, session, date, club = (game.text(at + offset, most) or None for offset, most in places)
    title = " ".join(filter(None, (name, session))) or None
    method = _SCORING.get(scoring)
    across = ";".join([method, *(f"{ACROSS}{group}" for group in _list_groups(game, number))]) if method else None
    return _Event(kind, {"event": title, "date": date, "site": club, "scoring": across})


def _list_groups(game: _Game, event: int) -> Iterator[str]:
    """Yield the sections of an event that are scored together, `A+B`: each names the one before and after it."""
    for first in range(1, _SECTIONS + 1):
        letters, at = [], _find_summary(first)
        if game.number(at) != event or game.number(at + 0xF):
            continue
        while game.number(at) == event and (letter := game.text(at + 1, 2)) not in letters:
            letters.append(letter)
            at = _find_summary(game.number(at + 0x10)) if 0 < game.number(at + 0x10) <= _SECTIONS else at
        if len(letters) > 1:
            yield "+".join(letters)


def _find_summary(section: int) -> int:
    return _SUMMARY + _SUMMARY_SIZE * (section - 1)


def _list_sections(game: _Game) -> Iterator[tuple[int, _Section]]:
    """Yield the number of its event and each section."""
    for at in map(_find_summary, range(1, _SECTIONS + 1)):
        event = game.number(at)
        if event:
            details, boards = game.number(at + 4, "I"), game.number(at + 8, "I")
            try:
                is_howell = game.number(details + 0x18) == _HOWELL
            except _OutsideError:
                is_howell = False
            yield event, _Section(game.text(at + 1, 2), details, boards, is_howell)


def _read_section(game: _Game, event: _Event, section: _Section, read: _Read) -> None:
    for reader, what in ((_read_pairs, "the pairs"), (_read_boards, "the results")):
        try:
            reader(game, event, section, read)
        except _OutsideError:
            cut = f"{what} of section {section.letter}"
            read.findings.append(Finding("file-cut/line", 1, 1, values={"what": cut}))


def _read_pairs(game: _Game, event: _Event, section: _Section, read: _Read) -> None:
    """List the pairs of a section with names, numbers and masterpoints."""
    details = section.details
    missing = game.number(details + 0x43, "b")
    for number in range(1, min(game.number(details + 0x1B, "H"), 80 if section.is_howell else 40) + 1):
        for direction, table, side in _find_seats(game, section, number, missing):
            index = game.number(details + 4 * direction, "I")
            if not table or table > game.number(index + 6):
                continue
            entry = game.number(index + 0x10 + 8 * table, "I")
            named = _changed(game, section, number, 1 if side == "EW" else 0)
            if entry and (pair := _read_entry(game, entry, 2 if str(event.facts["scoring"]).startswith("MP") else 1)):
                read.pairs.append(
                    {"contestant": str(named), "section": section.letter or None, "direction": side, **pair}
                )


def _find_seats(game: _Game, section: _Section, number: int, missing: int) -> list[tuple[int, int, str | None]]:
    """Return where the pairs of a number began: 1 for N-S or 2 for E-W, the table, and the side if it has a ranking."""
    tables = section.details + _PAIR_NUMBERS
    if section.is_howell:
        table, direction = (game.number(tables + 0x50 + 2 * (number - 1) + part) for part in (0, 1))
        return [(direction, table, None)] if direction in {1, 2} and number != missing else []
    return [
        (place, game.number(tables + 0xA0 + 4 * (number - 1) + place - 1), side)
        for place, side, away in ((1, "NS", missing), (2, "EW", -missing))
        if number != away
    ]


def _read_entry(game: _Game, at: int, unit: int) -> dict[str, object] | None:
    """Return names, numbers and stated results of a pair; None for one that nobody is in.

    Args:
        game: the file.
        at: where the entry is.
        unit: the part of a point that the file counts for it: 2 for matchpoints, where it counts 1 a pair beaten.
    """
    players = [at + 0xA4 + place * _PLAYER_SIZE for place in range(2)]
    names = [f"{game.text(player + 0x11, 16)} {game.text(player, 16)}".strip() for player in players]
    if not any(names):
        return None
    numbers = [game.text(player + 0x36, 7) for player in players]
    total = game.number(at + 0xC, "i")
    share, adjustment = game.number(at + 0x1C, "H"), game.number(at + 0x4, "i")
    return {
        "names": BETWEEN.join(name or "?" for name in names),
        "members": BETWEEN.join(numbers) if any(numbers) else None,
        "stated_adjustment": unit * adjustment / 100 if adjustment else None,
        "stated_total": total / 100 if total != -1 else None,
        "stated_percentage": share / 100 if share else None,
        "stated_awards": _read_awards(game, at) or None,
    }


def _read_awards(game: _Game, at: int) -> str:
    """Return the masterpoints of a pair by colour: `1.25 black; 0.5 gold`."""
    awards = []
    # The awards of this session follow those of earlier ones: three of points, colour and reason.
    for award in range(at + 0x34 + 12, at + 0x34 + 24, 4):
        points, colour = game.number(award, "H"), game.number(award + 2)
        if points:
            awards.append(f"{points / 100:g} {_COLOURS[colour] if colour < len(_COLOURS) else ''}".strip())
    return "; ".join(awards)


def _changed(game: _Game, section: _Section, number: int, side: int) -> int:
    """Return the number of a pair after the director changed numbers: 0 in the table means no change."""
    numbers = section.details + _PAIR_NUMBERS
    at, most = (numbers + number - 1, 80) if section.is_howell else (numbers + 4 * (number - 1) + side, 40)
    return game.number(at) or number if 1 <= number <= most else number


def _read_boards(game: _Game, event: _Event, section: _Section, read: _Read) -> None:
    """List the results of a section; a section that was scored by hand has none."""
    index = section.boards
    if not index:
        by_hand = f"section {section.letter}, which was scored by hand"
        read.findings.append(Finding("exchange-part", 1, 1, values={"what": by_hand}))
        return
    for place in range(game.number(index + 4, "H")):
        at = index + 0x26 + 8 * place
        board, results, at = game.number(at), game.number(at + 2, "H"), game.number(at + 4, "I") + 6
        lines = game.number(at - 1)
        fouled: dict[int, list[int]] = {}
        for line in range(_MOST_RESULTS):
            if results <= 0 and line >= lines:
                break
            scores = [game.number(at + 2 + part, "h") for part in (2, 10)]
            if scores[0] not in {_NOT_IN_PLAY, _LATE, _NOT_PLAYED}:
                # The index counts these lines only; the others may follow the last of them.
                if results <= 0:
                    break
                results -= 1
            if scores[0] != _NOT_IN_PLAY:
                result: dict[str, Any] = {"line": 1, "board": board, "section": section.letter or None}
                result |= _read_result(game, section, at)
                read.rows.append(event.facts | result | _make_score(scores, result["ns"], fouled))
            at += 18
        for pairs_of in fouled.values():
            values = {"board": board, "section": section.letter, "pairs": ",".join(map(str, pairs_of))}
            read.findings.append(Finding("acblscore-fouled", 1, 1, values=values))


def _read_result(game: _Game, section: _Section, at: int) -> dict[str, Any]:
    """Return the cells of round, table, pairs and points of a result."""
    ns, ew = (_changed(game, section, game.number(at + 2 + part, "H"), side) for side, part in ((0, 0), (1, 8)))
    points_ns, points_ew = (f"{game.number(at + 2 + part, 'i') / 100:g}" for part in (4, 12))
    place = {"round": game.number(at), "table": game.number(at + 1)}
    return place | {"ns": ns, "ew": ew, "points_ns": points_ns, "points_ew": points_ew}


def _make_score(scores: list[int], pair: int, fouled: dict[int, list[int]]) -> dict[str, object]:
    """Return the cells of a result: scores are in tens of points, seen from each side; larger values are words."""
    awards: dict[str, object] = {}
    points: dict[str, int] = {}
    for side, score in zip(("ns", "ew"), scores, strict=True):
        form = (score - 1000) // 2000 if score >= _FOULED else 0
        if score in _AWARDS:
            awards[f"award_{side}"] = _AWARDS[score]
        elif score not in {_LATE, _NOT_PLAYED, _NOT_IN_PLAY}:
            points[side] = 10 * (score - 2000 * (form + 1) if form else score)
        if form and side == "ns":
            fouled.setdefault(form, []).append(pair)
    if awards or not points:
        return awards
    if "ns" in points:
        return {"contract": "Pass"} if points["ns"] == 0 else {"score_ns": points["ns"]}
    return {"score_ew": points["ew"]}
