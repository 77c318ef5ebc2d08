"""DLM, of the Duplimate under Windows: keys and values, `Board 07=` with 26 letters and a check number for each deal.

A letter holds the seats of two cards, four times the first and then the second from `a` on, the spade ace first. The
check number is the exclusive or of the board number and the letters. There are always 99 boards; those outside the
range in the head are blanks, and so are those within it that were not dealt; the head has a check number of its own.
"""

import re
from dataclasses import dataclass, replace
from functools import reduce
from operator import xor
from typing import Final

import numpy as np
import polars as pl

from overtrick import __version__
from overtrick.bridge.cards import UNKNOWN
from overtrick.formats.base import Reading, Written
from overtrick.formats.dealing_machines.dealt import DECK, Dealt, make_reading, reverse_deck, select_deals
from overtrick.frames import ITEMS, Session, conform
from overtrick.notation import is_number
from overtrick.problems import Finding, report

_RECOGNISED: Final = re.compile(rb"(?im)^(?:Next board to duplimate=|Board [0-9][0-9]=[a-p]{26}[0-9])")
_BOARD: Final = re.compile(r"(?i)Board ([0-9]{1,3})")
_DUPLICATES: Final = re.compile(r"(?i)Duplicates ([0-9]{1,3})")
_DEAL: Final = re.compile(r"\s*([a-pA-P]{26})([0-9]{1,3})\s*")

_MOST_BOARDS: Final = 99
_BLANK: Final = b"aaaaaabffffffkkkkkklpppppp"
"""The letters of a board that there is no deal for: each player has a suit. Beside others it is read as a blank."""


@dataclass(frozen=True)
class _Line:
    number: int
    key: str | None
    value: str


def is_dlm(head: bytes) -> bool:
    """Report whether a file has a key that only DLM has, or a board of letters and a check number."""
    return _RECOGNISED.search(head) is not None


def read_dlm(data: bytes) -> Reading:
    """Read a DLM file: the boards from `From board` to `To board` that are not blanks."""
    lines = [_line(number, text) for number, text in enumerate(data.decode("cp1252", "replace").splitlines(), start=1)]
    head = {line.key.lower(): line for line in lines if line.key}
    lowest, highest = _number(head, "from board"), _number(head, "to board")
    dealt = [
        (int(name.group(1)), line)
        for line in lines
        if line.key and (name := _BOARD.fullmatch(line.key)) and (lowest or 1) <= int(name.group(1)) <= (highest or 999)
    ]
    count = len(dealt)
    shuffled = [(board, line) for board, line in dealt if not line.value.strip().lower().startswith(_BLANK.decode())]
    # A file of nothing but unshuffled boards, fewer than all of them, is what somebody asked for.
    if shuffled or count == _MOST_BOARDS:
        dealt = shuffled
    if _number(head, "crypto key"):
        found = Finding("deal-file-encrypted", line=head["crypto key"].number, column=1)
        return make_reading(
            Dealt(np.empty((0, DECK), dtype=np.uint8), _boards([]), extras=_kept(lines, []), findings=[found])
        )
    seats = np.full((len(dealt), DECK), UNKNOWN, dtype=np.uint8)
    faults, findings = {}, _head(head, lowest, highest, count)
    for row, (board, line) in enumerate(dealt):
        deal = _DEAL.fullmatch(line.value)
        if deal is None:
            faults[row] = "expected 26 letters from a to p and a check number"
            continue
        letters = deal.group(1).lower().encode()
        seats[row] = np.array([seat for letter in letters for seat in divmod(letter - ord("a"), 4)], dtype=np.uint8)
        if (sum_found := check_number(board, letters)) != int(deal.group(2)):
            values = {"board": board, "stated": deal.group(2), "computed": f"{sum_found:03}"}
            findings.append(Finding("deal-file-check-number", line.number, 1, row, str(board), values=values))
    return make_reading(Dealt(reverse_deck(seats), _boards(dealt), faults, _kept(lines, dealt), findings))


def check_number(start: int, parts: bytes | list[int]) -> int:
    """Return the exclusive or of all the parts."""
    return reduce(xor, parts, start)


def _line(number: int, text: str) -> _Line:
    key, equals, value = text.partition("=")
    return _Line(number, key.strip(), value) if equals and key.strip() else _Line(number, None, text)


def _number(head: dict[str, _Line], key: str) -> int | None:
    value = head[key].value.strip() if key in head else ""
    return int(value) if is_number(value) and len(value) < 10 else None


def _head(head: dict[str, _Line], lowest: int | None, highest: int | None, count: int) -> list[Finding]:
    """Compare the head with its check number and with the boards in the file."""
    findings = []
    stated = _number(head, "checksum")
    parts = [lowest or 0, highest or 0, _number(head, "duplicates") or 0]
    shown = "status" in head and head["status"].value.strip().lower() == "show"
    if stated is not None and (found := check_number(int(shown), parts)) != stated:
        values = {"stated": f"the check number {stated} in its head", "found": str(found)}
        findings.append(Finding("deal-file-header", head["checksum"].number, 1, values=values))
    if lowest and highest and count != highest - lowest + 1:
        values = {"stated": f"boards {lowest} to {highest}", "found": f"{count} of them"}
        findings.append(Finding("deal-file-header", head["to board"].number, 1, values=values))
    return findings


def _boards(dealt: list[tuple[int, _Line]]) -> pl.DataFrame:
    rows = [(board, line.number, 1, line.value) for board, line in dealt]
    schema = {"board": pl.Int32, "line": pl.UInt32, "column": pl.UInt32, "text": pl.String}
    return pl.DataFrame(rows, schema=schema, orient="row")


def _kept(lines: list[_Line], dealt: list[tuple[int, _Line]]) -> pl.DataFrame:
    """Return every line that is not a deal as an item: the head, the copies of each board, the blank boards."""
    row_of = {board: row for row, (board, _) in enumerate(dealt)}
    of_deals = {line.number for _, line in dealt}
    rows = []
    for line in lines:
        if line.number in of_deals or not (line.key or line.value.strip()):
            continue
        copies = _DUPLICATES.fullmatch(line.key or "")
        record = row_of.get(int(copies.group(1))) if copies else None
        rows.append((record, line.number, 1, "tag" if line.key else "stray", line.key, line.value))
    schema = {"record": pl.UInt32, "line": pl.UInt32, "column": pl.UInt32, "kind": pl.String}
    table = pl.DataFrame(rows, schema={**schema, "name": pl.String, "text": pl.String}, orient="row")
    return conform(ITEMS, table)


def write_dlm(session: Session) -> Written:
    """Write keys and values with their check numbers: 99 boards, blanks for those that there is no deal for."""
    deals = select_deals(session, _MOST_BOARDS)
    pairs = deals.seats[:, ::2] * 4 + deals.seats[:, 1::2] + ord("a")
    letters = dict(zip(deals.boards, (row.astype(np.uint8).tobytes() for row in pairs), strict=True))
    first, last = (deals.boards[0], deals.boards[-1]) if deals.boards else (1, _MOST_BOARDS)
    lines = [
        "[Document]",
        f"Headline=overtrick {__version__}",
        "Status=Show",
        "Duplicates=0",
        f"From board={first}",
        f"To board={last}",
        "Next board to duplimate=0",
        "PrintOuts=0",
        "Crypto key=0",
        f"Checksum={check_number(1, [first, last])}",
    ]
    for board in range(1, _MOST_BOARDS + 1):
        held = letters.get(board, _BLANK)
        lines += [f"Duplicates {board:02}=0", f"Board {board:02}={held.decode()}{check_number(board, held):03}"]
    blank = [str(board) for board in range(first, last + 1) if deals.boards and board not in letters]
    gaps = report("deal-gaps-written", pl.DataFrame({"boards": [", ".join(blank)]} if blank else {"boards": []}))
    written = deals.to_file("".join(f"{line}\r\n" for line in lines).encode(), first=None)
    return replace(written, problems=pl.concat([written.problems, gaps]))
