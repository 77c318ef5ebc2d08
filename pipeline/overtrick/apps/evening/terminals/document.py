"""Everything that an evening's terminals have sent: kept in a hidden folder, and written as a file of the evening.

FOLDER/tuesday.json                            the evening's file, which every command reads; an inbox may take it away
FOLDER/.overtrick/terminals/tuesday.json       all that came, with the address; from it the file is written again
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from overtrick.apps.evening.shelf import HIDDEN, Shelved
from overtrick.core.atomic_write import replace_file
from overtrick.files.formats.bridgemate.connector import VERSION

Item = Mapping[str, Any]
"""One item as the connector sends it."""

_TABLE: Final = ("SectionLetters", "TableNumber", "RoundNumber")
KEYS: Final[Mapping[str, tuple[str, ...]]] = {
    "Results": (*_TABLE, "BoardNumber", "ScoringDirection"),
    "PlayerData": ("PlayerNumber",),
    "Participations": (*_TABLE, "Direction"),
    "Handrecords": ("SectionLetters", "BoardNumber"),
    "TdCalls": (*_TABLE, "Hour", "Minute"),
}
"""By list, what makes two of its items the same: the later one counts."""

_OF_ENVELOPE: Final = frozenset({"SessionGuid", "ClubId", "ValidationMessages"})
_OWN: Final = ("Address", "Started")
"""The values that only the hidden file holds."""

RESOLVED: Final = 3
STATES: Final = {1: "called", 2: "at the table", RESOLVED: "settled", 4: "postponed"}
"""The states of a director call."""


class DocumentError(Exception):
    """The document can't be read; the message says why and what to do."""


@dataclass(frozen=True)
class Call:
    """A call for the director.

    Attributes:
        section: the section of the table.
        table: its number.
        round: the round.
        time: when the table called, as `19:42`.
        state: one of `STATES`.
        is_open: whether it is not settled.
    """

    section: str
    table: str
    round: str
    time: str
    state: str
    is_open: bool


def hidden_path(file: Path) -> Path:
    """Return where everything that came for an evening's file is kept."""
    return file.parent / HIDDEN / "terminals" / f"{file.stem}.json"


def make_document(address: str | None, session: Item, lists: Mapping[str, Sequence[Item]]) -> dict[str, Any]:
    """Return the document of an evening that has not begun."""
    empty: dict[str, Any] = dict.fromkeys(("Sections", "Rounds", *KEYS))
    filled = {name: list(map(strip, lists.get(name, ()))) for name in empty}
    return {"bridgemate": VERSION, "Session": dict(session), **filled, "Address": address, "Started": False}


def load(file: Path) -> dict[str, Any] | None:
    """Return the document of an evening's file; None if `overtrick terminals start` has not made one.

    Raises:
        DocumentError: it is damaged.
        OSError: it can't be read.
    """
    place = hidden_path(file)
    try:
        document = json.loads(place.read_bytes())
    except FileNotFoundError:
        return None
    except (ValueError, RecursionError):
        document = None
    lists = ("Sections", "Rounds", *KEYS)
    if not isinstance(document, dict) or not all(isinstance(document.get(name), list) for name in lists):
        raise DocumentError(f"{place}: damaged; remove it, and start the evening again with overtrick terminals start")
    return document


def save(file: Path, document: Mapping[str, Any]) -> None:
    """Keep a document, then write the evening's file: once it has a result or a deal, and if it changed.

    Raises:
        OSError: a file can't be written; its old content is unchanged.
    """
    place = hidden_path(file)
    place.parent.mkdir(parents=True, exist_ok=True)
    replace_file(place, _encode(document), durable=True)
    if not (document["Results"] or document["Handrecords"]):
        return
    content = _encode({name: value for name, value in document.items() if name not in _OWN})
    if not file.exists() or file.read_bytes() != content:
        replace_file(file, content, durable=True)


def _encode(document: Mapping[str, Any]) -> bytes:
    """Return JSON with an item on each line of a list, so that people and tools for text can compare versions."""
    entries = []
    for name, value in document.items():
        if isinstance(value, list):
            items = ",\n".join(json.dumps(item, ensure_ascii=False) for item in value)
            entries.append(f"{json.dumps(name)}: [\n{items}\n]" if items else f"{json.dumps(name)}: []")
        else:
            entries.append(f"{json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}")
    return ("{" + ",\n".join(entries) + "}\n").encode("utf-8", "surrogatepass")


def strip(item: Item) -> dict[str, Any]:
    """Return an item without what belongs to its journey."""
    return {name: value for name, value in item.items() if name not in _OF_ENVELOPE}


def merge(document: Mapping[str, Any], name: str, items: Iterable[object]) -> list[Item]:
    """Add items to a list of a document, or replace those that are the same; return what is new or changed."""
    listed: list[Any] = document[name]
    places = {_key(name, item): place for place, item in enumerate(listed) if isinstance(item, dict)}
    changed: list[Item] = []
    for item in items:
        # Whatever is not an item stays too: the reader of the file reports it.
        plain = strip(item) if isinstance(item, dict) else {"Unreadable": item}
        key = _key(name, plain)
        if key not in places:
            places[key] = len(listed)
            listed.append(plain)
        elif listed[places[key]] == plain:
            continue
        else:
            listed[places[key]] = plain
        changed.append(plain)
    return changed


def _key(name: str, item: Item) -> str:
    values = [item.get(key) for key in KEYS[name]]
    if name == "Participations" and not item.get("RoundNumber"):
        # 0 and 1 both are the first round.
        values[2] = 1
    return json.dumps(item if all(value is None for value in values) else values, sort_keys=True)


def list_calls(document: Mapping[str, Any]) -> list[Call]:
    """Return the director calls, the latest first."""
    calls = [read_call(call) for call in document["TdCalls"] if isinstance(call, dict)]
    return sorted(calls, key=lambda call: call.time, reverse=True)


def read_call(item: Item) -> Call:
    """Return a director call as people read it."""
    hour, minute = (item.get(name) for name in ("Hour", "Minute"))
    time = f"{hour:02d}:{minute:02d}" if isinstance(hour, int) and isinstance(minute, int) else ""
    status = item.get("Status")
    state = STATES.get(status, "called") if isinstance(status, int) else "called"
    section, table, number = (str(item.get(name) or "") for name in _TABLE)
    return Call(section, table, number, time, state, status != RESOLVED)


def find_documents(folder: Path, shelved: Shelved) -> Iterator[Mapping[str, Any]]:
    """Yield what the terminals of an evening of a folder sent: nothing if it has none, or what is damaged."""
    places = [folder / f"{shelved.name}.json"]
    if shelved.place.is_dir():
        places += [file for file in shelved.files if file.suffix == ".json" and file.parent == shelved.place]
    for file in places:
        try:
            document = load(file)
        except (DocumentError, OSError):
            continue
        if document is not None:
            yield document
