"""Deals as the library of GIB has them: a deal on each line, West first, and its tricks double dummy.

`JT852.93.KQ7.J82 AQ97.JT654.T6.A5 43.AK8.A542.7643 K6.Q72.J983.KQT9:88887777A9A977778888` gives the tricks of N-S in
notrump, spades, hearts, diamonds and clubs, each with South, East, North and West on lead. Deals have no board numbers
and count from 1.
"""

import re
from typing import Final

import numpy as np

from overtrick.bridge.cards import canonical
from overtrick.formats.base import Reading, Written, nothing_but
from overtrick.formats.dealing_machines.dealt import read_listed, reverse_deck, select_deals, strip_filling
from overtrick.formats.text import decode
from overtrick.frames import Session
from overtrick.problems import Finding

_HAND: Final = r"[AKQJT2-9]{0,13}(?:\.[AKQJT2-9]{0,13}){3}"
_RECOGNISED: Final = re.compile(rf"\s*+{_HAND}(?: {_HAND}){{3}}(?::[0-9A-Da-d]{{20}})?[ \t]*\r?(?:\n|\Z)".encode())
_LINE: Final = re.compile(r"([^\s:]+) ([^\s:]+) ([^\s:]+) ([^\s:]+?)\s*(?::\s*([0-9A-Fa-f-]*))?")
_TRICKS: Final = re.compile(r"[0-9A-Da-d]{20}")
_DECLARERS: Final = (1, 0, 3, 2)
"""By leader South, East, North, West the declarer on the leader's right, with North as 0."""
_FROM_NOTRUMP: Final = (4, 3, 2, 1, 0)
"""Notrump, spades, hearts, diamonds and clubs among C D H S NT."""
_IN_PBN: Final = (0, 2, 1, 3)
"""The seats as PBN's `DoubleDummyTricks` lists them, with North as 0: North, South, East, West, each in NT S H D C."""
_UNKNOWN: Final = 255


def is_gib(head: bytes) -> bool:
    """Report whether a file begins with a line that is such a deal."""
    return _RECOGNISED.match(strip_filling(head)) is not None


def read_gib(data: bytes) -> Reading:
    """Read a library of deals; the tricks become double-dummy tables as files state them."""
    text = decode(strip_filling(data))
    if isinstance(text, Finding):
        return nothing_but([text])
    findings = list(text.findings)
    rows: list[dict[str, object]] = []
    kept: list[tuple[object, ...]] = []
    for line, written in enumerate(text.content.split("\n"), start=1):
        plain = written.strip()
        found = _LINE.fullmatch(plain)
        if found:
            west, north, east, south, tricks = found.groups()
            number = len(rows)
            place = {"record": number, "line": line, "board": number + 1, "board_label": str(number + 1)}
            rows.append({**place, "deal": f"N:{north} {east} {south} {west}"})
            if tricks and _TRICKS.fullmatch(tricks):
                kept.append((number, line, 1, "tag", "DoubleDummyTricks", _to_pbn(tricks)))
            elif tricks is not None:
                values = {"place": f"deal {number + 1} (line {line})"}
                findings.append(Finding("deal-file-tricks", line, 1, number, values=values))
        elif plain:
            findings.append(Finding("deal-file-line", line, 1, values={"text": repr(plain[:40])}))
            kept.append((None, line, 1, "stray", None, plain))
    return read_listed(rows, kept, findings)


def _to_pbn(tricks: str) -> str:
    """Return the twenty digits in PBN's order, each of its declarer's side."""
    of_ns = [int(digit, 16) for digit in tricks]
    by_declarer = {
        (declarer, strain): of_ns[4 * strain + place] if declarer in {0, 2} else 13 - of_ns[4 * strain + place]
        for strain in range(5)
        for place, declarer in enumerate(_DECLARERS)
    }
    return "".join(f"{by_declarer[seat, strain]:x}" for seat in _IN_PBN for strain in range(5))


def write_gib(session: Session) -> Written:
    """Write a line for each deal, with its tricks where all twenty are known."""
    deals = select_deals(session)
    known = session.double_dummy.drop_nulls(["tricks", "board"]).unique("board", keep="first")
    tricks = dict(known.select("board", "tricks").iter_rows())
    lines = []
    for deal, board in zip(canonical(reverse_deck(deals.seats)), deals.boards, strict=True):
        north, east, south, west = str(deal).removeprefix("N:").split(" ")
        table = tricks.get(board)
        digits = "" if table is None or _UNKNOWN in table else f":{_from_table(np.array(table).reshape(4, 5))}"
        lines.append(f"{west} {north} {east} {south}{digits}\n")
    return deals.to_file("".join(lines).encode())


def _from_table(table: "np.ndarray[tuple[int, ...], np.dtype[np.int64]]") -> str:
    """Return the digits of a table whose rows are declarers N E S W and columns C D H S NT."""
    return "".join(
        f"{tricks if declarer in {0, 2} else 13 - tricks:X}"
        for strain in _FROM_NOTRUMP
        for declarer in _DECLARERS
        for tricks in [int(table[declarer, strain])]
    )
