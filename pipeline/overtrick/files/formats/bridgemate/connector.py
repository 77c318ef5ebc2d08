"""An evening as Bridgemate's data connector sent it: the file that `overtrick terminals` writes.

It is JSON: an object whose lists hold items of the connector under their own names (`Results`, `PlayerData`,
`Participations`, `Handrecords`, `Rounds`), and `Session` with the evening's name and date. The items become the tables
of a Bridgemate database, which say the same, and are read as these.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import polars as pl

from overtrick.core.bridge.cards import SEAT_NAMES, SEATS
from overtrick.core.problems import Finding
from overtrick.files.formats.base import Reading, nothing_but, reads_text
from overtrick.files.formats.bridgemate.reader import read_database
from overtrick.files.formats.bridgemate.results import SUITS
from overtrick.files.formats.text import Text

VERSION: Final = 1
_RECOGNISED: Final = re.compile(rb'\s*\{\s*"bridgemate"\s*:\s*[0-9]')
_SHOWN: Final = 40
_LARGEST: Final = 999_999
_SPADES_UP: Final = "CDHS"
_RANKS: Final = "23456789TJQKA"
_AWARDS: Final = ("40%", "50%", "60%")
_NOT_PLAYED: Final = -10
_ONLY_EW: Final = 2

_FIELDS: Final[Mapping[str, Mapping[str, type]]] = {
    "Sections": {"Letters": str, "MissingPair": int},
    "Rounds": {
        "SectionLetters": str,
        **dict.fromkeys(("TableNumber", "RoundNumber", "LowBoardNumber", "HighBoardNumber", "PairNS", "PairEW"), int),
    },
    "Results": {
        "SectionLetters": str,
        "IsDeleted": bool,
        **dict.fromkeys(("TableNumber", "RoundNumber", "BoardNumber", "ScoringDirection", "PairNorthSouth"), int),
        **dict.fromkeys(("PairEastWest", "DeclaringPair", "DeclarerDirection", "Level", "Denomination", "Stake"), int),
        **dict.fromkeys(("TotalTricks", "LeadCardRank", "LeadCardSuit"), int),
    },
    "PlayerData": {"PlayerNumber": str, "FirstName": str, "LastName": str},
    "Participations": {
        "SectionLetters": str,
        "IsRemoval": bool,
        **dict.fromkeys(("TableNumber", "Direction", "RoundNumber"), int),
        **dict.fromkeys(("PlayerNumber", "FirstName", "LastName"), str),
    },
    "Handrecords": {
        "SectionLetters": str,
        "BoardNumber": int,
        **{f"{seat}{suit}": str for seat in SEAT_NAMES for suit in SUITS},
    },
}
"""By list of the file, what is read of its items, with the type of each value."""

_TYPES: Final = {str: "a text", int: "a whole number", bool: "true or false"}

_TABLES: Final[Mapping[str, tuple[str, ...]]] = {
    "Section": ("ID", "Letter", "MissingPair"),
    "RoundData": ("Section", "Table", "Round", "NSPair", "EWPair", "LowBoard", "HighBoard"),
    "ReceivedData": (
        *("ID", "Section", "Table", "Round", "Board", "PairNS", "PairEW", "Declarer", "NS/EW", "Contract", "Result"),
        *("LeadCard", "Remarks", "Erased"),
    ),
    "PlayerNumbers": ("Section", "Table", "Direction", "Number", "Name", "Round"),
    "PlayerNames": ("strID", "Name"),
    "HandRecord": ("Section", "Board", *(f"{seat}{suit}" for seat in SEAT_NAMES for suit in SUITS)),
    "Session": ("Name", "Date"),
}

_Item = Mapping[str, Any]
_Row = tuple[str | None, ...]


def is_connector(head: bytes) -> bool:
    """Report whether a file begins as an evening of the data connector."""
    return _RECOGNISED.match(head.removeprefix(b"\xef\xbb\xbf")) is not None


@reads_text
def read_connector(text: Text) -> Reading:
    """Read an evening of the data connector, as `bridgemate.reader.read_bws` reads a database."""
    try:
        whole = json.loads(text.content.rstrip("\x1a\n"))
    except (json.JSONDecodeError, RecursionError) as error:
        line, column = (error.lineno, error.colno) if isinstance(error, json.JSONDecodeError) else (1, 1)
        reason = error.msg if isinstance(error, json.JSONDecodeError) else "too many brackets"
        return nothing_but([*text.findings, Finding("json-broken", line, column, values={"reason": reason})])
    findings = list(text.findings)
    items = {name: list(_read_items(whole, name, findings)) for name in _FIELDS}
    rows = _make_tables(items)
    about = whole.get("Session")
    if isinstance(about, dict):
        rows["Session"] = [
            tuple(value if isinstance(value := about.get(name), str) else None for name in _TABLES["Session"])
        ]
    tables = {
        name: pl.DataFrame(rows.get(name, []), schema=dict.fromkeys(columns, pl.String), orient="row")
        for name, columns in _TABLES.items()
    }
    return read_database(tables, findings)


def _read_items(whole: _Item, name: str, findings: list[Finding]) -> Iterator[_Item]:
    """Yield the items of a list; a value of a wrong type is reported and left out."""
    listed = whole.get(name, [])
    if not isinstance(listed, list):
        findings.append(_wrong(name, "a list of objects", listed))
        return
    for number, item in enumerate(listed):
        if not isinstance(item, dict):
            findings.append(_wrong(f"{name}[{number}]", "an object", item))
            continue
        read = {}
        for key, kind in _FIELDS[name].items():
            value = item.get(key)
            if value is None:
                continue
            if _is_of(kind, value):
                read[key] = value
            else:
                findings.append(_wrong(f"{name}[{number}].{key}", _TYPES[kind], value))
        yield read


def _is_of(kind: type, value: object) -> bool:
    """Report whether a value has a type; a whole number must be one that a table, a board or a pair can have."""
    if kind is int:
        return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= _LARGEST
    return isinstance(value, kind)


def _wrong(place: str, expected: str, value: object) -> Finding:
    text = json.dumps(value, ensure_ascii=False)[:_SHOWN]
    return Finding("connector-value", 1, 1, values={"place": place, "expected": expected, "text": text})


def _make_tables(items: Mapping[str, list[_Item]]) -> dict[str, list[_Row]]:
    """Return the rows of the tables of a database that say the same."""
    letters = [item.get("Letters") or "" for item in items["Sections"]]
    letters += [_letters(item) for name in ("Rounds", "Results", "Handrecords") for item in items[name]]
    number = {name: str(place) for place, name in enumerate(dict.fromkeys(letters), start=1)}
    missing = {item.get("Letters") or "": _text(abs(item.get("MissingPair", 0))) for item in items["Sections"]}
    taking_part = [item for item in items["Participations"] if not item.get("IsRemoval")]
    rounds = ("TableNumber", "RoundNumber", "PairNS", "PairEW", "LowBoardNumber", "HighBoardNumber")
    # The control software goes by the result of N-S where the two sides have different ones.
    results = sorted(items["Results"], key=lambda item: item.get("ScoringDirection") != _ONLY_EW)
    return {
        "Section": [(place, name, missing.get(name)) for name, place in number.items()],
        "RoundData": [(number[_letters(item)], *_texts(item, *rounds)) for item in items["Rounds"]],
        "ReceivedData": [
            (str(place), number[_letters(item)], *_make_result(item)) for place, item in enumerate(results)
        ],
        "PlayerNumbers": [(number.get(_letters(item)), *_make_player(item)) for item in taking_part],
        "PlayerNames": [(item.get("PlayerNumber"), _name(item)) for item in items["PlayerData"]],
        "HandRecord": [(number[_letters(item)], *_make_hands(item)) for item in items["Handrecords"]],
    }


def _letters(item: _Item) -> str:
    return item.get("SectionLetters") or ""


def _make_player(item: _Item) -> Iterator[str | None]:
    """Yield the cells of a player at a table."""
    yield _text(item.get("TableNumber"))
    yield _seat(item.get("Direction"))
    yield item.get("PlayerNumber") or None
    yield _name(item)
    yield _text(item.get("RoundNumber", 0))


def _make_hands(item: _Item) -> Iterator[str | None]:
    """Yield the cells of a deal: the board, then each hand's suits."""
    yield _text(item.get("BoardNumber"))
    yield from (item.get(f"{seat}{suit}") for seat in SEAT_NAMES for suit in SUITS)


def _make_result(item: _Item) -> Iterator[str | None]:
    """Yield the cells of a result, from its table to whether it was erased."""
    level = item.get("Level", 0)
    yield from _texts(item, "TableNumber", "RoundNumber", "BoardNumber", "PairNorthSouth", "PairEastWest")
    yield _text(item.get("DeclaringPair")) if level > 0 else None
    yield _seat(item.get("DeclarerDirection")) if level > 0 else None
    yield _contract(item, level)
    yield _relative(item.get("TotalTricks"), level) if level > 0 else None
    yield _card(item.get("LeadCardSuit", 0), item.get("LeadCardRank", 0))
    yield _remark(item, level)
    yield "1" if item.get("IsDeleted") else None


def _contract(item: _Item, level: int) -> str | None:
    if level < 0:
        return None
    if level == 0:
        return "PASS"
    denomination, stake = item.get("Denomination", 0), item.get("Stake", 0)
    strain = f"{_SPADES_UP}N"[denomination - 1] if 1 <= denomination <= 5 else "?"
    return f"{level} {strain} {'x' * stake if 0 <= stake <= 2 else '?'}".strip()


def _relative(tricks: int | None, level: int) -> str | None:
    if tricks is None:
        return None
    over = tricks - level - 6
    return "=" if over == 0 else f"{over:+d}"


def _card(suit: int, rank: int) -> str | None:
    """Return a card: `SA` for suit 4 and rank 14; `?` for what is not a card."""
    if rank == 0:
        return None
    return f"{_SPADES_UP[suit - 1]}{_RANKS[rank - 2]}" if 1 <= suit <= 4 and 2 <= rank <= 14 else f"?{suit}/{rank}"


def _remark(item: _Item, level: int) -> str | None:
    """Return `60%-40%` for level -7, average plus to N-S and average minus to E-W."""
    if level >= 0:
        return None
    if level == _NOT_PLAYED:
        return "Not played"
    if level < _NOT_PLAYED:
        return f"level {level}"
    ns, ew = divmod(-level - 1, 3)
    if item.get("ScoringDirection") == _ONLY_EW:
        ns, ew = ew, ns
    return f"{_AWARDS[ns]}-{_AWARDS[ew]}"


def _seat(direction: int | None) -> str | None:
    return SEATS[direction - 1] if direction is not None and 1 <= direction <= 4 else None


def _name(item: _Item) -> str | None:
    parts: Iterable[str] = filter(None, ((item.get(key) or "").strip() for key in ("FirstName", "LastName")))
    return " ".join(parts) or None


def _texts(item: _Item, *keys: str) -> Iterator[str | None]:
    return (_text(item.get(key)) for key in keys)


def _text(value: int | None) -> str | None:
    return None if value is None else str(value)
