"""RBN, Richard Pavlicek's bridge notation: lines with a one-letter label, records separated by blank lines.

The labels D T L E F S K N B H hold for the records that follow too, until another states them; A C P R I M are the
record's own. Text in braces is a comment.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

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


@dataclass
class _Record:
    line: int
    values: dict[str, str]
    lines: dict[str, int]


@dataclass
class _Auction:
    """Calls as codes of `bridge.calls`; `odd` is the first character that is not part of a call."""

    dealer: str | None = None
    vulnerable: str | None = None
    calls: list[int] = field(default_factory=list)
    complete: bool = False
    odd: str | None = None


@dataclass(frozen=True)
class _Contract:
    """The contract; all None without one, level 0 if the board was passed out."""

    level: int | None = None
    strain: str | None = None
    doubled: int | None = None
    declarer: str | None = None


@dataclass
class _Play:
    """Cards as codes of `bridge.cards`, four a trick in columns from the opening leader's seat on; 255 for no card."""

    leader: str
    cards: list[int] = field(default_factory=list)
    odd: str | None = None


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
    called = _read_auction(values.get("A", ""))
    cards = _read_play(values.get("P", ""), stated)
    for label, odd in (("A", called.odd), ("P", cards.odd if cards else None)):
        if odd is not None:
            place = Finding("deal-file-line", record.lines[label], 3, number, board or None, values={"text": repr(odd)})
            findings.append(place)
    return {
        "event": values.get("E") or None,
        "site": values.get("L") or None,
        "date": _date(values.get("D")),
        "board": int(board) if re.fullmatch(r"[1-9][0-9]{0,8}", board) else None,
        "board_label": board or None,
        "scoring": _SCORING.get(values.get("F", "").strip()),
        **_players(values.get("N", "")),
        **_called(called),
        "deal": _deal(values.get("H", "")),
        **vars(stated),
        "tricks": _tricks(values.get("R", "")) if stated.level else None,
        **_played(cards),
    }


def _tricks(value: str) -> int | None:
    tricks = _RESULT.match(value)
    return int(tricks[1]) if tricks and int(tricks[1]) <= 13 else None


def _played(play: _Play | None) -> dict[str, object]:
    if play is None:
        return {"play_start": None, "cards": None, "play_end": None}
    return {"play_start": play.leader, "cards": play.cards, "play_end": "*" if len(play.cards) < 52 else None}


def _called(called: _Auction) -> dict[str, object]:
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


def _read_auction(text: str) -> _Auction:
    """Read `WZ:1S2H2S4D:4SPP5H:XA`: dealer, vulnerability, calls; `A` is the passes that end it."""
    form = _AUCTION.fullmatch(text.strip())
    if not form:
        return _Auction(odd=text.strip() or None)
    read = _Auction(form.group(1), _VULNERABLE.get(form.group(2)))
    for level, strain, word, _, odd in _CALL.findall(form.group(3)):
        if level:
            read.calls.append(bid(int(level), STRAINS.index(_STRAIN.get(strain, strain))))
        elif word == "A":
            read.calls += [PASS] * (3 if {*read.calls} - {PASS} else 4 - len(read.calls))
            read.complete = True
        elif word:
            read.calls.append(_WORDS[word])
        elif odd and read.odd is None:
            read.odd = odd
    read.complete = read.complete or (len(read.calls) > 3 and read.calls[-3:] == [PASS] * 3)
    return read


def _read_contract(text: str) -> _Contract:
    """Read `5HX:N`: the contract and its declarer; `P` for a board that was passed out."""
    value = text.strip()
    if value in {"P", "PASS"}:
        return _Contract(level=0)
    form = _CONTRACT.fullmatch(value)
    if not form:
        return _Contract()
    level, strain, mark, declarer = form.groups()
    return _Contract(int(level), _STRAIN.get(strain, strain), _MARKS[mark], declarer)


def _read_play(text: str, bid_for: _Contract) -> _Play | None:
    """Read `CK972:CQH483`: tricks in the order played; a card without suit is of the suit led.

    None without a play or without a contract, which tells who led and who won.
    """
    if not text.strip() or bid_for.declarer is None or bid_for.strain is None:
        return None
    first = (SEATS.index(bid_for.declarer) + 1) % 4
    read = _Play(SEATS[first])
    leader = first
    for written in text.strip().split(":"):
        trick = _trick(written, read)
        if not trick:
            continue
        row = [UNKNOWN] * 4
        for place, card in enumerate(trick[:4]):
            row[(leader + place - first) % 4] = card
        read.cards += row
        if len(trick) == 4:
            leader = (leader + _winner(trick, bid_for.strain)) % 4
    return read


def _trick(written: str, read: _Play) -> list[int]:
    cards: list[int] = []
    for suit, rank, _, odd in _CARD.findall(written):
        if odd and read.odd is None:
            read.odd = odd
        if rank and (suit or cards):
            led = cards[0] // 13 if cards else 0
            cards.append(13 * (STRAINS.index(suit) if suit else led) + RANKS.index(rank))
    return cards


def _winner(trick: list[int], strain: str) -> int:
    """Return the place of the card that wins a trick."""
    trump, led = STRAINS.index(strain), trick[0] // 13
    return max(range(4), key=lambda place: (trick[place] // 13 == trump, trick[place] // 13 == led, trick[place] % 13))
