"""A movement, names and deals as the data connector takes them: sections, tables, rounds, seats, hand records."""

import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from csv import DictReader, Error
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice, product, zip_longest
from operator import sub
from pathlib import Path
from typing import Any, Final

from overtrick.core.bridge.cards import SEAT_NAMES
from overtrick.core.bridge.movements import Sitting
from overtrick.core.bridge.sheets import SIDES
from overtrick.core.config import Config
from overtrick.core.config.members import decode_members
from overtrick.core.config.movement import Movement
from overtrick.core.notation import BETWEEN, is_number
from overtrick.files.formats.bridgemate.results import SUITS

_START, _RESET, _READ = 1, 2, 4
_PAIRS, _TEAMS = 10, 30
_METHODS: Final = {"matchpoints": 10, "butler": 20, "cross-imps": 30, "teams": 40, "bam": 60}
"""The connector's names of the scoring methods that it shows on terminals."""

_PLAYERS: Final = ("section", "pair", "direction", "names", "numbers")
_ALSO: Final = {"contestant": "pair", "members": "numbers", "name": "names", "number": "numbers"}
_SEATS_OF: Final = {"NS": (1, 3), "EW": (2, 4)}


class InitialError(ValueError):
    """The evening can't be started so; the message says why."""


@dataclass(frozen=True)
class Player:
    """A player of a pair: the name, and the membership number; either may be empty."""

    name: str = ""
    number: str = ""


Pairs = Mapping[tuple[str, str, str], Sequence[Player]]
"""By section, pair and direction (empty texts where the list leaves them open) the two players."""


@dataclass(frozen=True)
class Evening:
    """An evening to send to the connector.

    Attributes:
        title: the name of the evening.
        when: its date, and the time at which it begins.
        method: the scoring method.
        sections: by letter who meets whom, with the pair that sits out as 0.
        movements: by letter the movement that says so.
        pairs: the players.
        deals: by board the canonical deal.
    """

    title: str
    when: datetime
    method: str
    sections: Mapping[str, Sequence[Sitting]]
    movements: Mapping[str, Movement]
    pairs: Pairs = field(default_factory=dict)
    deals: Mapping[int, str] = field(default_factory=dict)


def list_sections(config: Config) -> tuple[dict[str, list[Sitting]], dict[str, Movement]]:
    """Return by section who meets whom, with sit-outs, and the movement.

    Raises:
        InitialError: the settings have no movement, one that leaves something open, or one for individuals.
    """
    if not config.movement:
        raise InitialError("the settings have no movement; describe it in the table [movement] of club.toml")
    sections: dict[str, list[Sitting]] = {}
    movements = {}
    for place, movement in enumerate(config.movement):
        letter = movement.section or chr(ord("A") + place)
        if letter in sections:
            raise InitialError(f"section {letter} has two movements in the settings")
        if movement.start is not None:
            raise InitialError(f"section {letter}: start leaves later rounds open; give the whole movement as a file")
        # The pairs E-W of a Mitchell have the numbers after those N-S if the settings don't say.
        sittings = movement.schedules((movement.tables or 0) + 1)[0]
        if any(len(sitting.ns) > 1 for sitting in sittings):
            raise InitialError(f"section {letter}: overtrick starts pairs and teams on terminals, not individuals")
        sections[letter] = _with_sit_outs(movement, sittings, letter)
        movements[letter] = movement
    return sections, movements


def _with_sit_outs(movement: Movement, sittings: Sequence[Sitting], letter: str) -> list[Sitting]:
    """Return the sittings in order, those of tables that stand empty too; check that boards are one range."""
    every = {(sitting.round, sitting.table): sitting for sitting in sittings}
    rounds, tables = map(set, zip(*every, strict=True))
    found = [every.get(place, Sitting(*place, (0,), (0,), ())) for place in product(sorted(rounds), sorted(tables))]
    for sitting in found:
        if {*map(sub, sitting.boards[1:], sitting.boards)} - {1}:
            boards = ", ".join(map(str, sitting.boards))
            where = f"section {letter}, round {sitting.round}, table {sitting.table}"
            raise InitialError(f"{where}: terminals take boards in one row, got {boards}")
    absent = movement.missing
    sides = {side for sitting in found for side in ("ns", "ew") if absent in getattr(sitting, side)}
    return [_without(sitting, absent, only_ew=len(sides) == 2 and movement.kind == "mitchell") for sitting in found]


def _without(sitting: Sitting, absent: int | None, *, only_ew: bool) -> Sitting:
    """Return a sitting with 0 in the place of the missing pair; its opponents then have no boards."""
    ns = (0,) if sitting.ns == (absent,) and not only_ew else sitting.ns
    ew = (0,) if sitting.ew == (absent,) else sitting.ew
    return Sitting(sitting.round, sitting.table, ns, ew, sitting.boards if ns != (0,) and ew != (0,) else ())


def read_pairs(path: Path, config: Config) -> Pairs:
    """Read a list of pairs: columns `pair` and `names`, if wanted `numbers`, `direction` and `section`.

    Names that are missing are those that `members.csv` has for the numbers.

    Raises:
        InitialError: the file has no such columns, or a line that can't be read.
        OSError: the file can't be read.
    """
    text = decode_members(path.read_bytes())
    known = {number: member.name for member in config.people.register for number in member.numbers}
    try:
        rows = _open_table(path, text)
        return dict(_read_pair(path, rows.line_num, row, known) for row in rows if any(row.values()))
    except Error as error:
        raise InitialError(f"{path}: {error}") from error


def _open_table(path: Path, text: str) -> "DictReader[str]":
    header = text.partition("\n")[0]
    rows = DictReader(text.splitlines(), delimiter=max(",;\t", key=header.count))
    names = [name.strip().casefold() for name in rows.fieldnames or ()]
    rows.fieldnames = [_ALSO.get(name, name) for name in names]
    if "pair" not in rows.fieldnames or not {"names", "numbers"} & set(rows.fieldnames):
        raise InitialError(f"{path}: expected the columns pair and names, got: {', '.join(names) or 'none'}")
    return rows


def _read_pair(
    path: Path, line: int, row: Mapping[str, Any], known: Mapping[str, str]
) -> tuple[tuple[str, str, str], list[Player]]:
    section, pair, direction, names, numbers = ((row.get(name) or "").strip() for name in _PLAYERS)
    direction = direction.upper().replace("-", "")
    if not is_number(pair) or direction not in {"", *SIDES}:
        raise InitialError(f"{path}:{line}: expected the number of a pair, and NS or EW for a direction")
    called, listed = (list(map(str.strip, text.split(BETWEEN))) for text in (names, numbers))
    if max(len(called), len(listed)) > 2:
        raise InitialError(f"{path}:{line}: expected two names with ' - ' between them, got '{names or numbers}'")
    two = islice(zip_longest(called, listed, ("", ""), fillvalue=""), 2)
    players = [Player(name or known.get(number, ""), number) for name, number, _ in two]
    return (section, str(int(pair)), direction), players


def make_event(evening: Evening) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what the connector needs to start an evening, and what the evening's document begins with.

    Returns:
        The event, as an `InitDTO` of the connector; and `Session`, `Sections`, `Rounds` and the lists of the document.

    Raises:
        InitialError: a deal can't be given, or the scoring method is not one of pairs or teams.
    """
    guid = uuid.uuid4().hex.upper()
    method = _METHODS.get(evening.method)
    if method is None:
        raise InitialError(f"terminals can't score {evening.method}; choose one of: {', '.join(_METHODS)}")
    sections = [
        _make_section(guid, letter, sittings, evening, teams=evening.method in {"teams", "bam"})
        for letter, sittings in evening.sections.items()
    ]
    seats, players = _seat(guid, evening)
    deals = [_make_deal(guid, letter, *deal) for letter in evening.sections for deal in evening.deals.items()]
    group = {"SessionGuid": guid, "ScoringGroupNumber": 1, "ScoringMethod": method, "Sections": sections}
    when = evening.when
    moment = {"Year": when.year, "Month": when.month, "Day": when.day, "Hour": when.hour, "Minute": when.minute}
    session = {"SessionGuid": guid, "EventGuid": guid, "Name": evening.title, **moment, "ScoringGroups": [group]}
    lists = {"PlayerData": players, "Participations": seats, "Handrecords": deals}
    return {"Commands": _START + _RESET + _READ, "EventGuid": guid, "Sessions": [session], **lists}, {
        "Session": {"Guid": guid, "Name": evening.title, "Date": f"{when:%Y-%m-%d}"},
        "Sections": [{name: section[name] for name in ("Letters", "MissingPair")} for section in sections],
        "Rounds": [row for section in sections for table in section["Tables"] for row in table["Rounds"]],
        **lists,
    }


def _make_section(
    guid: str, letter: str, sittings: Sequence[Sitting], evening: Evening, *, teams: bool
) -> dict[str, Any]:
    tables: dict[int, list[Sitting]] = {}
    for sitting in sittings:
        tables.setdefault(sitting.table, []).append(sitting)
    movement = evening.movements[letter]
    ns, ew = {sitting.ns[0] for sitting in sittings} - {0}, {sitting.ew[0] for sitting in sittings} - {0}
    return {
        "SessionGuid": guid,
        "ScoringGroupNumber": 1,
        "Letters": letter,
        "Name": letter,
        # Nobody of a Mitchell without arrow switch meets a pair of the other ranking.
        "Winners": 1 if ns & ew or movement.switched or teams else 2,
        "GameType": _TEAMS if teams else _PAIRS,
        # Sit-outs are in the rounds.
        "MissingPair": 0,
        "Tables": [
            {
                "SessionGuid": guid,
                "SectionLetters": letter,
                "TableNumber": table,
                "Rounds": [_make_round(guid, letter, sitting) for sitting in rounds],
            }
            for table, rounds in sorted(tables.items())
        ],
    }


def _make_round(guid: str, letter: str, sitting: Sitting) -> dict[str, Any]:
    return {
        "SessionGuid": guid,
        "SectionLetters": letter,
        "TableNumber": sitting.table,
        "RoundNumber": sitting.round,
        "LowBoardNumber": sitting.boards[0] if sitting.boards else 0,
        "HighBoardNumber": sitting.boards[-1] if sitting.boards else 0,
        "PairNS": sitting.ns[0],
        "PairEW": sitting.ew[0],
    }


def _seat(guid: str, evening: Evening) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return where each player sits in round 1, and who the players with numbers are."""
    seats = []
    players: dict[str, dict[str, Any]] = {}
    for letter, table, direction, player in _list_seats(evening):
        where = {"SessionGuid": guid, "SectionLetters": letter, "TableNumber": table}
        place = {**where, "Direction": direction, "RoundNumber": 1}
        if player.number:
            known = {"SessionGuid": guid, "PlayerNumber": player.number, **_split_name(player.name)}
            players.setdefault(player.number, known)
            seats.append({**place, "PlayerNumber": player.number})
        else:
            seats.append({**place, **_split_name(player.name)})
    return seats, list(players.values())


def _list_seats(evening: Evening) -> Iterator[tuple[str, int, int, Player]]:
    """Yield section, table, direction and player of each seat in round 1 whose player has a name."""
    for letter, sittings in evening.sections.items():
        for sitting in sittings:
            for side, (pair,) in (("NS", sitting.ns), ("EW", sitting.ew)) if sitting.round == 1 else ():
                players = find_pair(evening.pairs, letter, pair, side)
                for direction, player in zip(_SEATS_OF[side], players, strict=False):
                    if player.name:
                        yield letter, sitting.table, direction, player


def find_pair(pairs: Pairs, section: str, pair: int, side: str) -> Sequence[Player]:
    """Return the players of a pair; a line of the list without section or direction counts for all of them."""
    tries = ((section, side), (section, ""), ("", side), ("", ""))
    return next((pairs[where, str(pair), to] for where, to in tries if (where, str(pair), to) in pairs), ())


def _split_name(name: str) -> dict[str, str]:
    """Return first and last name: the last word is the last name, which must not be empty."""
    first, _, last = name.rpartition(" ")
    return {"FirstName": first, "LastName": last}


def _make_deal(guid: str, letter: str, board: int, deal: str) -> dict[str, Any]:
    hands = deal.removeprefix("N:").split(" ")
    if len(hands) != 4 or any(hand.count(".") != 3 for hand in hands):
        raise InitialError(f"board {board}: terminals need all four hands")
    suits = {
        f"{seat}{suit}": cards
        for seat, hand in zip(SEAT_NAMES, hands, strict=True)
        for suit, cards in zip(SUITS, hand.split("."), strict=True)
    }
    return {"SessionGuid": guid, "ScoringGroupNumber": 1, "SectionLetters": letter, "BoardNumber": board, **suits}


def boards_of(sections: Mapping[str, Iterable[Sitting]]) -> Iterator[int]:
    """Yield the boards that are played, each once and in order."""
    yield from sorted({board for sittings in sections.values() for sitting in sittings for board in sitting.boards})
