"""An evening as Bridgemate's data connector sent it: the file that `overtrick terminals` writes.

It is JSON: an object whose lists hold items of the connector under their own names (`Results`, `PlayerData`,
`Participations`, `Handrecords`, `Rounds`), and `Session` with the evening's name and date. The items become the tables
of a Bridgemate database, which say the same, and are read as these.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

import polars as pl

from overtrick.core.bridge.cards import SEAT_NAMES, SEATS
from overtrick.core.problems import Finding
from overtrick.files.formats.base import Reading
from overtrick.files.formats.bridgemate.reader import read_database
from overtrick.files.formats.bridgemate.results import SUITS
from overtrick.files.formats.session_json import read_json
from overtrick.files.formats.text import Text

VERSION: Final = 1
_SHOWN: Final = 40
_LARGEST: Final = 999_999
_SPADES_UP: Final = "CDHS"
_RANKS: Final = "23456789TJQKA"
_AWARDS: Final = ("40%", "50%", "60%")
_NOT_PLAYED: Final = -10
_ONLY_EW: Final = 2

_HAND: Final = tuple(f"{seat}{suit}" for seat in SEAT_NAMES for suit in SUITS)

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
    "Handrecords": {"SectionLetters": str, "BoardNumber": int, **dict.fromkeys(_HAND, str)},
}
"""By list of the file, what is read of its items, with the type of each value."""

_TYPES: Final = {str: "a text", int: "a whole number", bool: "true or false"}

_Item = Mapping[str, Any]
_Cell = str | Callable[[_Item], object]
"""The key of a value that is a cell, or what makes the cell of an item."""


def read_connector(data: bytes) -> Reading:
    """Read an evening of the data connector, as `bridgemate.reader.read_bws` reads a database."""
    return read_json(data, _read_evening)


def _read_evening(whole: Any, _: Text, findings: list[Finding]) -> Reading:  # noqa: ANN401 - any JSON
    items = {name: list(_read_items(whole, name, findings)) for name in _FIELDS}
    about = whole.get("Session")
    said = about if isinstance(about, dict) else {}
    items["Session"] = [{name: value for name, value in said.items() if isinstance(value, str)}]
    return read_database(_make_tables(items), findings)


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
    return Finding("json-value/terminals", 1, 1, values={"place": place, "expected": expected, "text": text})


def _make_tables(items: Mapping[str, list[_Item]]) -> dict[str, pl.DataFrame]:
    """Return the tables of a database that say the same: frames of text, null for empty cells."""
    rows = _number_sections(items)
    rows["Participations"] = [item for item in rows["Participations"] if not item.get("IsRemoval")]
    # The control software goes by the result of N-S where the two sides have different ones.
    results = sorted(rows["Results"], key=lambda item: item.get("ScoringDirection") != _ONLY_EW)
    rows["Results"] = [{**item, "ID": place} for place, item in enumerate(results)]
    return {table: _make_table(rows[listed], cells) for table, (listed, cells) in _TABLES.items()}


def _number_sections(items: Mapping[str, list[_Item]]) -> dict[str, list[_Item]]:
    """Return the lists with the number of its `Section` in each item, and a row for each section that is named."""
    letters = [_letters(item, "Letters") for item in items["Sections"]]
    letters += [_letters(item) for name in ("Rounds", "Results", "Handrecords") for item in items[name]]
    number = {name: place for place, name in enumerate(dict.fromkeys(letters), start=1)}
    missing = {_letters(item, "Letters"): abs(item.get("MissingPair", 0)) for item in items["Sections"]}
    numbered: dict[str, list[_Item]] = {
        name: [{**item, "Section": number.get(_letters(item))} for item in listed] for name, listed in items.items()
    }
    sections = ({"ID": place, "Letter": name, "Missing": missing.get(name)} for name, place in number.items())
    return numbered | {"Sections": [*sections]}


def _make_table(rows: list[_Item], cells: Mapping[str, _Cell]) -> pl.DataFrame:
    written = {column: [_write_cell(item, cell) for item in rows] for column, cell in cells.items()}
    return pl.DataFrame(written, schema=dict.fromkeys(cells, pl.String))


def _write_cell(item: _Item, cell: _Cell) -> str | None:
    value = item.get(cell) if isinstance(cell, str) else cell(item)
    return None if value is None else str(value)


def _letters(item: _Item, key: str = "SectionLetters") -> str:
    return item.get(key) or ""


def _is_played(item: _Item) -> bool:
    return bool(item.get("Level", 0) > 0)


def _contract(item: _Item) -> str | None:
    level = item.get("Level", 0)
    if level <= 0:
        return "PASS" if level == 0 else None
    denomination, stake = item.get("Denomination", 0), item.get("Stake", 0)
    strain = f"{_SPADES_UP}N"[denomination - 1] if 1 <= denomination <= 5 else "?"
    return f"{level} {strain} {'x' * stake if 0 <= stake <= 2 else '?'}".strip()


def _relative(item: _Item) -> str | None:
    """Return the tricks as `+1`, `=` or `-2`."""
    if not _is_played(item) or "TotalTricks" not in item:
        return None
    over = item["TotalTricks"] - item["Level"] - 6
    return "=" if over == 0 else f"{over:+d}"


def _lead(item: _Item) -> str | None:
    """Return a card: `SA` for suit 4 and rank 14; `?` for what is not a card."""
    suit, rank = item.get("LeadCardSuit", 0), item.get("LeadCardRank", 0)
    if rank == 0:
        return None
    return f"{_SPADES_UP[suit - 1]}{_RANKS[rank - 2]}" if 1 <= suit <= 4 and 2 <= rank <= 14 else f"?{suit}/{rank}"


def _remark(item: _Item) -> str | None:
    """Return `60%-40%` for level -7, average plus to N-S and average minus to E-W."""
    level = item.get("Level", 0)
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


def _seat(item: _Item, key: str) -> str | None:
    return SEATS[item[key] - 1] if 1 <= item.get(key, 0) <= 4 else None


def _name(item: _Item) -> str | None:
    parts: Iterable[str] = filter(None, ((item.get(key) or "").strip() for key in ("FirstName", "LastName")))
    return " ".join(parts) or None


_TABLES: Final[Mapping[str, tuple[str, Mapping[str, _Cell]]]] = {
    "Section": ("Sections", {"ID": "ID", "Letter": "Letter", "MissingPair": "Missing"}),
    "RoundData": (
        "Rounds",
        {
            "Section": "Section",
            "Table": "TableNumber",
            "Round": "RoundNumber",
            "NSPair": "PairNS",
            "EWPair": "PairEW",
            "LowBoard": "LowBoardNumber",
            "HighBoard": "HighBoardNumber",
        },
    ),
    "ReceivedData": (
        "Results",
        {
            "ID": "ID",
            "Section": "Section",
            "Table": "TableNumber",
            "Round": "RoundNumber",
            "Board": "BoardNumber",
            "PairNS": "PairNorthSouth",
            "PairEW": "PairEastWest",
            "Declarer": lambda item: item.get("DeclaringPair") if _is_played(item) else None,
            "NS/EW": lambda item: _seat(item, "DeclarerDirection") if _is_played(item) else None,
            "Contract": _contract,
            "Result": _relative,
            "LeadCard": _lead,
            "Remarks": _remark,
            "Erased": lambda item: 1 if item.get("IsDeleted") else None,
        },
    ),
    "PlayerNumbers": (
        "Participations",
        {
            "Section": "Section",
            "Table": "TableNumber",
            "Direction": lambda item: _seat(item, "Direction"),
            "Number": lambda item: item.get("PlayerNumber") or None,
            "Name": _name,
            "Round": lambda item: item.get("RoundNumber", 0),
        },
    ),
    "PlayerNames": ("PlayerData", {"strID": "PlayerNumber", "Name": _name}),
    "HandRecord": ("Handrecords", {"Section": "Section", "Board": "BoardNumber", **{suit: suit for suit in _HAND}}),
    "Session": ("Session", {"Name": "Name", "Date": "Date"}),
}
"""By table of a database, the list that it is made of, and what each of its columns holds."""
