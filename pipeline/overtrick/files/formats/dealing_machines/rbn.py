"""RBN, Richard Pavlicek's bridge notation: lines with a one-letter label, records separated by blank lines.

The labels D T L E F S K N B H hold for the records that follow too, until another states them; A C P R I M are the
record's own. Text in braces is a comment.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from overtrick.core.bridge.auction import DOUBLE, PASS, REDOUBLE, bid
from overtrick.core.bridge.cards import RANKS, SEATS, STRAINS, UNKNOWN
from overtrick.core.problems import Finding
from overtrick.files.formats.dealing_machines.deals import FAULTY, Listed, name_place
from overtrick.files.formats.dealing_machines.text import strip_filling

LASTING: Final = "DTLEFSKNBH"

_LINE_OF_HANDS: Final = re.compile(rb"(?m)^H [NESW]:")
_OTHER_FORMAT: Final = re.compile(rb"(?m)^[ \t]*\[|^..\|")
"""A tag of PBN, or an item of LIN."""

_LABEL: Final = re.compile(r"([A-Z0-9]) (.*)")
_HANDS: Final = re.compile(r"([NESW]):(.*)")
_DATE: Final = re.compile(r"([0-9?]{4})([0-9?]{2})([0-9?]{2})")
_RESULT: Final = re.compile(r"([0-9]{1,2})(?![0-9])")
_SCORING: Final = {"M": "MP", "I": "IMP", "X": "IMP;Cross"}
_VULNERABLE: Final = {"Z": "None", "N": "NS", "E": "EW", "B": "All"}
_AUCTION: Final = re.compile(r"([NESW])([ZNEB?]):(.*)")
_CALL: Final = re.compile(r"([1-7])(NT|[CDHSN])|([PXRA])|([:\s]|[!?*]+[0-9]*|\{[^{}]*\})|(.)")
_CONTRACT: Final = re.compile(r"([1-7])(NT|[CDHSN])([XR]?):([NESW])")
_CARD: Final = re.compile(r"([CDHS])?([2-9TJQKA])|([!?*]+[0-9]*|\{[^{}]*\}|\s)|(.)")
_MARKS: Final = {"": 0, "X": 1, "R": 2}
_STRAIN: Final = {"N": "NT"}
_WORDS: Final = {"P": PASS, "X": DOUBLE, "R": REDOUBLE}
_UNKNOWN_CALLS: Final = dict.fromkeys(("dealer", "vulnerable", "auction_start", "calls", "auction_end"))
_UNKNOWN_CONTRACT: Final = dict.fromkeys(("level", "strain", "doubled", "declarer"))
_UNKNOWN_PLAY: Final = dict.fromkeys(("play_start", "cards", "play_end"))

_Columns = dict[str, Any]
"""Columns of `frames.RECORDS`."""


@dataclass
class _Record:
    line: int
    values: dict[str, str]
    lines: dict[str, int]


def is_rbn(head: bytes) -> bool:
    """Report whether a file has a line of hands as RBN writes them, and no tag of PBN or item of LIN before it."""
    head = strip_filling(head)
    hands = _LINE_OF_HANDS.search(head)
    return hands is not None and not _OTHER_FORMAT.search(head[: hands.start()])


def decode_rbn(data: bytes) -> Listed:
    """Decode an RBN file. All lines are items too; a score, whose side RBN leaves open, is read from the contract."""
    listed = Listed.begin(strip_filling(data))
    records: list[_Record] = []
    for place, line, label, value in _lines(listed.content, records):
        if label is None and value.startswith("{"):
            listed.keep(line, None, value, place, "comment")
        elif label is None:
            listed.keep_odd(line, value, place)
        else:
            listed.keep(line, label, value, place)
    for number, record in enumerate(records):
        # Where the hands of an earlier record hold, their line is not this record's.
        about = {"place": name_place(number)}
        place_of_hands = Finding(FAULTY, record.lines.get("H"), 1, number, record.values.get("B"), values=about)
        listed.add(record.line, place_of_hands, **_row(number, record, listed.findings))
    return listed


def _lines(content: str, records: list[_Record]) -> Iterator[tuple[int | None, int, str | None, str]]:
    """Yield the lines of the text, `record line label value`, and fill `records`; a comment may have several lines."""
    lasting: dict[str, str] = {}
    current: _Record | None = None
    for line, written in _join_comments(content):
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


def _join_comments(content: str) -> Iterator[tuple[int, str]]:
    """Yield the lines with their numbers; the lines of a comment together."""
    comment: list[str] = []
    first = 0
    for line, written in enumerate(content.splitlines(), start=1):
        if not comment and not written.startswith("{"):
            yield line, written
            continue
        first = first if comment else line
        comment.append(written)
        if written.rstrip().endswith("}"):
            yield first, "\n".join(comment)
            comment = []
    if comment:
        yield first, "\n".join(comment)


def _row(number: int, record: _Record, findings: list[Finding]) -> dict[str, object]:
    """Read what one record says into columns of `frames.RECORDS`."""
    values = record.values
    board = values.get("B", "").strip()
    stated = _read_contract(values.get("C", ""))
    called, odd_call = _read_auction(values.get("A", ""))
    played, odd_card = _read_play(values.get("P", ""), stated)
    for label, odd in (("A", odd_call), ("P", odd_card)):
        if odd is not None:
            place = (record.lines[label], 3, number, board or None)
            findings.append(Finding("line-unknown/deal-file", *place, values={"text": repr(odd)}))
    return {
        "event": values.get("E") or None,
        "site": values.get("L") or None,
        "date": _date(values.get("D")),
        "board": int(board) if re.fullmatch(r"[1-9][0-9]{0,8}", board) else None,
        "board_label": board or None,
        "scoring": _SCORING.get(values.get("F", "").strip()),
        **_players(values.get("N", "")),
        **called,
        "deal": _deal(values.get("H", "")),
        **stated,
        "tricks": _tricks(values.get("R", "")) if stated["level"] else None,
        **played,
    }


def _tricks(value: str) -> int | None:
    tricks = _RESULT.match(value)
    return int(tricks[1]) if tricks and int(tricks[1]) <= 13 else None


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
    """Return the hands as PBN writes them, four clockwise from the first seat; a missing fourth hand has the rest."""
    hands = _HANDS.fullmatch(value.strip())
    if not hands:
        return value or None
    shown = [hand.strip() or "-" for hand in hands.group(2).split(":")]
    shown = (shown if shown[-1] != "-" or len(shown) < 5 else shown[:-1]) + ["-"] * 4
    return f"{hands.group(1)}:{' '.join(_completed(shown[:4]))}"


def _completed(hands: list[str]) -> list[str]:
    """Add the fourth hand, from the cards that three hands of thirteen leave."""
    if hands.count("-") != 1:
        return hands
    shown = [hand.split(".") for hand in hands if hand != "-"]
    if any(len(hand) != 4 or sum(map(len, hand)) != 13 for hand in shown):
        return hands
    suits = ["".join(suit) for suit in zip(*shown, strict=True)]
    rest = ".".join("".join(rank for rank in reversed(RANKS) if rank not in suit) for suit in suits)
    return [rest if hand == "-" else hand for hand in hands]


def _read_auction(text: str) -> tuple[_Columns, str | None]:
    """Read `WZ:1S2H2S4D:4SPP5H:XA`: dealer, vulnerability, calls; `A` is the passes that end it.

    Returns:
        The columns, calls being codes of `bridge.calls`; and the first character that is not part of a call.
    """
    form = _AUCTION.fullmatch(text.strip())
    if not form:
        return _UNKNOWN_CALLS, text.strip() or None
    dealer, vulnerable, said = form.groups()
    calls: list[int] = []
    first_odd, complete = None, False
    for level, strain, word, _, odd in _CALL.findall(said):
        if level:
            calls.append(bid(int(level), STRAINS.index(_STRAIN.get(strain, strain))))
        elif word == "A":
            calls += [PASS] * (3 if {*calls} - {PASS} else 4 - len(calls))
            complete = True
        elif word:
            calls.append(_WORDS[word])
        first_odd = first_odd or odd or None
    complete = complete or (len(calls) > 3 and calls[-3:] == [PASS] * 3)
    columns = {
        "dealer": dealer,
        "vulnerable": _VULNERABLE.get(vulnerable),
        "auction_start": dealer if calls else None,
        "calls": calls or None,
        "auction_end": None if complete or not calls else "*",
    }
    return columns, first_odd


def _read_contract(text: str) -> _Columns:
    """Read `5HX:N`: the contract and its declarer; `P`, level 0, for a board that was passed out."""
    value = text.strip()
    if value in {"P", "PASS"}:
        return _UNKNOWN_CONTRACT | {"level": 0}
    form = _CONTRACT.fullmatch(value)
    if not form:
        return _UNKNOWN_CONTRACT
    level, strain, mark, declarer = form.groups()
    return {"level": int(level), "strain": _STRAIN.get(strain, strain), "doubled": _MARKS[mark], "declarer": declarer}


def _read_play(text: str, contract: _Columns) -> tuple[_Columns, str | None]:
    """Read `CK972:CQH483`: tricks in the order played; a card without suit is of the suit led.

    Nothing is read without a contract, which tells who led and who won.

    Returns:
        The columns, cards being codes of `bridge.cards`, four a trick in columns from the opening leader's seat on, 255
        for no card; and the first character that is not part of a card.
    """
    if not text.strip() or contract["declarer"] is None:
        return _UNKNOWN_PLAY, None
    first = (SEATS.index(contract["declarer"]) + 1) % 4
    cards: list[int] = []
    leader, first_odd = first, None
    for written in text.strip().split(":"):
        trick, odd = _read_trick(written)
        first_odd = first_odd or odd
        if not trick:
            continue
        row = [UNKNOWN] * 4
        for place, card in enumerate(trick[:4]):
            row[(leader + place - first) % 4] = card
        cards += row
        if len(trick) == 4:
            leader = (leader + _winner(trick, contract["strain"])) % 4
    return {"play_start": SEATS[first], "cards": cards, "play_end": "*" if len(cards) < 52 else None}, first_odd


def _read_trick(written: str) -> tuple[list[int], str | None]:
    """Return the cards of a trick, and the first character that is not part of a card."""
    cards: list[int] = []
    first_odd = None
    for suit, rank, _, odd in _CARD.findall(written):
        first_odd = first_odd or odd or None
        if rank and (suit or cards):
            led = cards[0] // 13 if cards else 0
            cards.append(13 * (STRAINS.index(suit) if suit else led) + RANKS.index(rank))
    return cards, first_odd


def _winner(trick: list[int], strain: str) -> int:
    """Return the place of the card that wins a trick."""
    trump, led = STRAINS.index(strain), trick[0] // 13
    return max(range(4), key=lambda place: (trick[place] // 13 == trump, trick[place] // 13 == led, trick[place] % 13))
