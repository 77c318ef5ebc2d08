"""Files of deals that are text: BER, BHG and DLM of machines, and the lists of Big Deal, DDS and GIB.

BER has a digit a card from the spade ace to the club two, 1 for North to 4 for West; BHG has a letter a card, `A` for
the spade ace to `z` for the club two, hand after hand from the dealer on; DLM has keys and values, a letter for two
cards. The lists give hands in letters, as PBN does.
"""

import re
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import reduce
from operator import xor
from typing import Final

import numpy as np
import polars as pl

from overtrick.core.bridge.cards import SEATS, UNKNOWN, Bytes
from overtrick.core.frames import ITEMS, conform
from overtrick.core.notation import is_number
from overtrick.core.problems import Finding
from overtrick.core.version import __version__
from overtrick.files.formats.dealing_machines.deals import (
    DECK,
    FAULTY,
    Deals,
    Dealt,
    Listed,
    owners_by_number,
    reverse_deck,
)
from overtrick.files.formats.tables.typed import split_line
from overtrick.files.formats.text import decode, in_utf8

_TOLERATED: Final = 50
"""One byte in this many may be foreign in a text of deals."""


def strip_filling(data: bytes) -> bytes:
    """Return a text file without the mark that editors put before it and the filling that old systems put after it.

    UTF-16 becomes UTF-8 first: half of its last character looks like filling.
    """
    return in_utf8(data).removeprefix(BOM_UTF8).rstrip(b"\x00\x1a")


def _lines(data: bytes) -> list[str]:
    text = decode(strip_filling(data))
    return [] if isinstance(text, Finding) else text.content.splitlines()


def _is_mostly(head: bytes, begins: re.Pattern[bytes], deal: re.Pattern[bytes], foreign: re.Pattern[bytes]) -> bool:
    """Report whether a text begins with a deal, or has one and hardly a byte that is foreign to its format."""
    head = strip_filling(head)
    if begins.match(head):
        return True
    return deal.search(head) is not None and _TOLERATED * len(foreign.findall(head)) <= len(head)


def _list_boards(rows: Iterable[tuple[int, int, int, str]]) -> pl.DataFrame:
    """Return `Dealt.boards`, from the board, line, column and text of each deal."""
    schema = {"board": pl.Int32, "line": pl.UInt32, "column": pl.UInt32, "text": pl.String}
    return pl.DataFrame([*rows], schema=schema, orient="row")


def _to_matrix(texts: Iterable[str]) -> Bytes:
    """Return the first 52 characters of each text as bytes, shape (deals, 52); shorter texts end in blanks."""
    written = "".join(text[:DECK].ljust(DECK) for text in texts)
    return np.frombuffer(written.encode("latin-1", "replace"), dtype=np.uint8).reshape(-1, DECK)


# BER, of the Bernasconi machine: the deals follow one another with nothing between, or a line each. They have no board
# numbers and count from 1.

_BER_BEGINS: Final = re.compile(rb"\s*[1-4]{52}(?![0-9])|\s*(?:[1-4]{52}){2}")
_BER: Final = re.compile(rb"[1-4]{40}")
_NOT_BER: Final = re.compile(rb"[^\s1-4]")
_RUN: Final = re.compile(r"\S{1,52}")


def is_ber(head: bytes) -> bool:
    """Report whether a file begins with deals in the digits of the seats, or holds hardly anything else."""
    return _is_mostly(head, _BER_BEGINS, _BER, _NOT_BER)


def decode_ber(data: bytes) -> Dealt:
    """Decode a BER file."""
    lines = enumerate(_lines(data), start=1)
    runs = [(number, run.start() + 1, run.group()) for number, line in lines for run in _RUN.finditer(line)]
    boards = _list_boards((board, *run) for board, run in enumerate(runs, start=1))
    digits = _to_matrix(boards["text"])
    seats = np.where((digits >= ord("1")) & (digits <= ord("4")), digits - ord("1"), UNKNOWN).astype(np.uint8)
    return Dealt(reverse_deck(seats), boards)


def encode_ber(deals: Deals) -> bytes:
    """Write a digit a card, 1 for North to 4 for West, with nothing between the deals."""
    return (deals.seats + ord("1")).astype(np.uint8).tobytes()


# BHG, of the Borel machine: a line a deal. The thirteen cards of the dealer come first, then those of the next seats
# clockwise. Lines have no board numbers and count from 1, so that Law 2 gives the dealer of each.

_BHG_BEGINS: Final = re.compile(rb"\s*[A-Za-z]{52}\s")
_BHG: Final = re.compile(rb"(?m)^[A-Za-z]{52}\r?$")
_NOT_BHG: Final = re.compile(rb"[^\sA-Za-z]")
_LETTERS: Final = np.frombuffer(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", dtype=np.uint8)
_NUMBER: Final = np.full(256, UNKNOWN, dtype=np.uint8)
_NUMBER[_LETTERS] = np.arange(1, DECK + 1, dtype=np.uint8)


def is_bhg(head: bytes) -> bool:
    """Report whether a file begins with a line of 52 letters, or holds hardly anything but such lines."""
    return _is_mostly(head, _BHG_BEGINS, _BHG, _NOT_BHG)


def decode_bhg(data: bytes) -> Dealt:
    """Decode a BHG file."""
    lines = enumerate(_lines(data), start=1)
    written = [(number, 1, line.strip()) for number, line in lines if line.strip()]
    boards = _list_boards((board, *line) for board, line in enumerate(written, start=1))
    owner, faults = owners_by_number(_turn(_NUMBER[_to_matrix(boards["text"])], -1))
    for row, text in enumerate(boards["text"]):
        if len(text) != DECK:
            faults[row] = f"52 letters were expected, there are {len(text)}"
    return Dealt(owner, boards, faults)


def encode_bhg(deals: Deals) -> bytes:
    """Write a line of letters a deal, the dealer's hand first, below an empty line."""
    cards = _turn(deals.cards.astype(np.uint8), 1)
    return b"\r\n" + b"".join(row.tobytes() + b"\r\n" for row in _LETTERS[cards - 1])


def _turn(cards: Bytes, way: int) -> Bytes:
    """Turn rows of hands that begin with North into rows that begin with the dealer of boards 1, 2, 3 ...; or back.

    Args:
        cards: shape (deals, 52).
        way: 1, or -1 for back.
    """
    # Row 1 is board 2, which East deals: its hands E S W N are from places 1 2 3 0 of N E S W; back, N E S W are from
    # places 3 0 1 2 of E S W N.
    row = np.arange(len(cards))[:, None]
    turned: Bytes = cards.reshape(-1, 4, 13)[row, (np.arange(4) + way * row) % 4].reshape(-1, DECK)
    return turned


# DLM, of the Duplimate under Windows: `Board 07=` with 26 letters and a check number for each deal. A letter holds the
# seats of two cards, four times the first and then the second from `a` on, the spade ace first. The check number is the
# exclusive or of the board number and the letters. There are always 99 boards; those outside the range in the head are
# blanks, and so are those within it that were not dealt; the head has a check number of its own.

_DLM: Final = re.compile(rb"(?im)^(?:Next board to duplimate=|Board [0-9][0-9]=[a-p]{26}[0-9])")
_BOARD: Final = re.compile(r"(?i)Board ([0-9]{1,3})")
_DUPLICATES: Final = re.compile(r"(?i)Duplicates ([0-9]{1,3})")
_LETTERED: Final = re.compile(r"\s*([a-pA-P]{26})([0-9]{1,3})\s*")
_BLANK: Final = b"aaaaaabffffffkkkkkklpppppp"
"""The letters of a board without a deal: each player has a suit. Beside others it is read as a blank."""

MOST_BOARDS: Final = 99
"""Boards of a DLM file."""


@dataclass(frozen=True)
class _Line:
    number: int
    key: str | None
    value: str


def is_dlm(head: bytes) -> bool:
    """Report whether a file has a key that only DLM has, or a board of letters and a check number."""
    return _DLM.search(head) is not None


def decode_dlm(data: bytes) -> Dealt:
    """Decode a DLM file: the boards from `From board` to `To board` that are not blanks."""
    lines = [_line(number, text) for number, text in enumerate(_lines(data), start=1)]
    head = {line.key.lower(): line for line in lines if line.key}
    lowest, highest = _number(head, "from board"), _number(head, "to board")
    dealt = list(_find_boards(lines, lowest or 1, highest or 999))
    count = len(dealt)
    findings = _check_head(head, lowest, highest, count)
    shuffled = [(board, line) for board, line in dealt if not line.value.strip().lower().startswith(_BLANK.decode())]
    # A file of nothing but unshuffled boards, fewer than all of them, is what somebody asked for.
    if shuffled or count == MOST_BOARDS:
        dealt = shuffled
    if _number(head, "crypto key"):
        dealt, findings = [], [Finding("deal-file-encrypted", line=head["crypto key"].number, column=1)]
    seats = np.full((len(dealt), DECK), UNKNOWN, dtype=np.uint8)
    faults = {}
    for row, (board, line) in enumerate(dealt):
        deal = _LETTERED.fullmatch(line.value)
        if deal is None:
            faults[row] = "expected 26 letters from a to p and a check number"
            continue
        letters, stated = deal[1].lower().encode(), deal[2]
        seats[row] = np.ravel(np.divmod(np.frombuffer(letters, dtype=np.uint8) - ord("a"), 4), order="F")
        if (sum_found := _check_number(board, letters)) != int(stated):
            values = {"board": board, "stated": stated, "computed": f"{sum_found:03}"}
            findings.append(Finding("deal-file-deal/check-number", line.number, 1, row, str(board), values=values))
    boards = _list_boards((board, line.number, 1, line.value) for board, line in dealt)
    return Dealt(reverse_deck(seats), boards, faults, _keep_lines(lines, dealt), findings)


def _find_boards(lines: list[_Line], lowest: int, highest: int) -> Iterator[tuple[int, _Line]]:
    """Yield the lines of boards with these numbers."""
    for line in lines:
        name = _BOARD.fullmatch(line.key or "")
        if name and lowest <= int(name[1]) <= highest:
            yield int(name[1]), line


def encode_dlm(deals: Deals) -> bytes:
    """Write keys and values with their check numbers: 99 boards, blanks for those without a deal."""
    pairs = deals.seats[:, ::2] * 4 + deals.seats[:, 1::2] + ord("a")
    letters = dict(zip(deals.boards, (row.astype(np.uint8).tobytes() for row in pairs), strict=True))
    first, last = (deals.boards[0], deals.boards[-1]) if deals.boards else (1, MOST_BOARDS)
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
        f"Checksum={_check_number(1, [first, last])}",
    ]
    for board in range(1, MOST_BOARDS + 1):
        dealt = letters.get(board, _BLANK)
        lines += [f"Duplicates {board:02}=0", f"Board {board:02}={dealt.decode()}{_check_number(board, dealt):03}"]
    return "".join(f"{line}\r\n" for line in lines).encode()


def _check_number(start: int, parts: bytes | list[int]) -> int:
    """Return the exclusive or of all the parts."""
    return reduce(xor, parts, start)


def _line(number: int, text: str) -> _Line:
    key, equals, value = text.partition("=")
    return _Line(number, key.strip(), value) if equals and key.strip() else _Line(number, None, text)


def _number(head: dict[str, _Line], key: str) -> int | None:
    value = head[key].value.strip() if key in head else ""
    return int(value) if is_number(value) and len(value) < 10 else None


def _check_head(head: dict[str, _Line], lowest: int | None, highest: int | None, count: int) -> list[Finding]:
    """Compare the head with its check number and with the boards in the file."""
    findings = []
    stated = _number(head, "checksum")
    parts = [lowest or 0, highest or 0, _number(head, "duplicates") or 0]
    shown = "status" in head and head["status"].value.strip().lower() == "show"
    if stated is not None and (found := _check_number(int(shown), parts)) != stated:
        values = {"stated": f"the check number {stated} in its head", "found": str(found)}
        findings.append(Finding("deal-file-header", head["checksum"].number, 1, values=values))
    if lowest and highest and count != highest - lowest + 1:
        values = {"stated": f"boards {lowest} to {highest}", "found": f"{count} of them"}
        findings.append(Finding("deal-file-header", head["to board"].number, 1, values=values))
    return findings


def _keep_lines(lines: list[_Line], dealt: list[tuple[int, _Line]]) -> pl.DataFrame:
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


# The CSV of the dealing program Big Deal: `"AJ9","K9542",...,"Q762","1","N/-"` has the hands of North, East, South and
# West, spades first, the board, and its dealer and vulnerability, `-`, `NS`, `EW` or `All`. No line names the columns.

_SUITS: Final = 16
_CELLS: Final = _SUITS + 2
_SUIT: Final = rb"\"?(?:10|[2-9TJQKA])*\"?"
_BIGDEAL: Final = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:" + _SUIT + rb"[,;\t]){16}\"?[0-9]+\"?[,;\t]\"?[NESW]/", re.IGNORECASE
)
_VULNERABLE: Final = {"-": "None", "none": "None", "ns": "NS", "ew": "EW", "all": "All", "both": "All"}


def is_bigdeal(head: bytes) -> bool:
    """Report whether a file begins with a line of sixteen suits, a board number and a dealer."""
    return _BIGDEAL.match(head) is not None


def decode_bigdeal(data: bytes) -> Listed:
    """Decode a table of deals; a line that is not a deal is kept and named."""
    listed = Listed.begin(data, keeps_faulty=True)
    for line, written in enumerate(listed.content.rstrip("\x1a\n").split("\n"), start=1):
        if not written.strip():
            continue
        separator = next((sign for sign in ",;\t" if written.count(sign) >= _SUITS), ",")
        cells = split_line(written, separator) or []
        if len(cells) != _CELLS:
            listed.keep_odd(line, written)
            continue
        hands = [".".join(cells[seat : seat + 4]) for seat in range(0, _SUITS, 4)]
        label, (dealer, _, vulnerable) = cells[_SUITS], cells[-1].partition("/")
        listed.add(
            line,
            Finding(FAULTY, line, 1, listed.count, label, values={"place": f"board {label}"}),
            board=int(label) if re.fullmatch(r"[0-9]{1,9}", label) else None,
            board_label=label,
            dealer=dealer.upper() if dealer.upper() in SEATS else None,
            vulnerable=_VULNERABLE.get(vulnerable.strip().lower()),
            deal=f"N:{' '.join(hands)}",
        )
    return listed


def encode_bigdeal(deals: Deals) -> bytes:
    """Write a line a deal."""
    lines = []
    for deal, board, (dealer, vulnerable) in zip(deals.texts, deals.boards, deals.conditions, strict=True):
        suits = [suit for hand in deal[2:].split(" ") for suit in hand.split(".")]
        side = "-" if vulnerable == "None" else vulnerable
        lines.append(",".join(f'"{cell}"' for cell in (*suits, board, f"{dealer}/{side}")))
    return "".join(f"{line}\n" for line in lines).encode()


# Lists of the double-dummy solver DDS and its tests. `PBN 0 2 4 1 "N:..."` gives dealer (0 North to 3 West),
# vulnerability (0 none, 1 both, 2 N-S, 3 E-W), trump and leader; the lines below a deal are its solutions. Lists have
# no board numbers: `NUMBER` at the top is the number of deals.

_VULNERABILITIES: Final = ("None", "All", "NS", "EW")
_DDS: Final = re.compile(rb"\s*NUMBER +[0-9]+\s+PBN +[0-9]")
_WORD: Final = re.compile(r"[A-Z][A-Z0-9]*")
_PBN: Final = re.compile(r'([0-3]) +([0-3]) +[0-9]+ +[0-9]+ +"([^"]*)"')


def is_dds(head: bytes) -> bool:
    """Report whether a file begins with the number of deals and the first deal."""
    return _DDS.match(strip_filling(head)) is not None


def decode_dds(data: bytes) -> Listed:
    """Decode a list of deals; the lines below a deal are kept as items."""
    listed = Listed.begin(strip_filling(data))
    counted = None
    for line, written in enumerate(listed.content.splitlines(), start=1):
        if not written.strip():
            continue
        word, _, said = written.strip().partition(" ")
        name, value = (word, said.strip()) if _WORD.fullmatch(word) else (None, written)
        if name == "PBN":
            listed.add(line, place=None, **_read_deal(value))
        elif name == "NUMBER":
            counted = (line, value)
        elif name is None:
            listed.report_odd(line, written)
        record = listed.count - 1 if listed.count else None
        listed.keep(line, name, value, record, "tag" if name else "stray")
    if counted and counted[1] != str(listed.count):
        values = {"stated": f"{counted[1]} deals", "found": str(listed.count)}
        listed.findings.append(Finding("deal-file-header", counted[0], 1, values=values))
    return listed


def _read_deal(value: str) -> dict[str, object]:
    """Read what follows `PBN`; a text in another form is read as the deal, which it is not."""
    deal = _PBN.fullmatch(value)
    if not deal:
        return {"dealer": None, "vulnerable": None, "deal": value}
    return {"dealer": SEATS[int(deal[1])], "vulnerable": _VULNERABILITIES[int(deal[2])], "deal": deal[3]}


def encode_dds(deals: Deals) -> bytes:
    """Write the number of deals and a line for each, without solutions; trump and leader are 0, as in tests of DDS."""
    lines = [f"NUMBER {len(deals.boards)}"]
    for deal, (dealer, vulnerable) in zip(deals.texts, deals.conditions, strict=True):
        lines.append(f'PBN {SEATS.index(dealer)} {_VULNERABILITIES.index(vulnerable)} 0 0 "{deal}"')
    return "".join(f"{line}\n" for line in lines).encode()


# The library of GIB: a deal on each line, West first, and its tricks double dummy.
# `JT852.93.KQ7.J82 AQ97.JT654.T6.A5 43.AK8.A542.7643 K6.Q72.J983.KQT9:88887777A9A977778888` gives the tricks of N-S in
# notrump, spades, hearts, diamonds and clubs, each with South, East, North and West on lead. Deals have no board
# numbers and count from 1.

HAND: Final = r"[AKQJT2-9]{0,13}(?:\.[AKQJT2-9]{0,13}){3}"
"""Matches a hand as PBN writes it."""
_GIB: Final = re.compile(rf"\s*+{HAND}(?: {HAND}){{3}}(?::[0-9A-Da-d]{{20}})?[ \t]*\r?(?:\n|\Z)".encode())
_SOLVED: Final = re.compile(r"([^\s:]+) ([^\s:]+) ([^\s:]+) ([^\s:]+?)\s*(?::\s*([0-9A-Fa-f-]*))?")
_TRICKS: Final = re.compile(r"[0-9A-Da-d]{20}")
_DECLARERS: Final = (1, 0, 3, 2)
"""By leader South, East, North, West the declarer on the leader's right, with North as 0."""
_FROM_NOTRUMP: Final = (4, 3, 2, 1, 0)
"""Notrump, spades, hearts, diamonds and clubs among C D H S NT."""
_IN_PBN: Final = (0, 2, 1, 3)
"""The seats as PBN's `DoubleDummyTricks` lists them, with North as 0: North, South, East, West, each in NT S H D C."""


def is_gib(head: bytes) -> bool:
    """Report whether a file begins with a line that is such a deal."""
    return _GIB.match(strip_filling(head)) is not None


def decode_gib(data: bytes) -> Listed:
    """Decode a library of deals; the tricks become double-dummy tables as files state them."""
    listed = Listed.begin(strip_filling(data))
    for line, written in enumerate(listed.content.split("\n"), start=1):
        plain = written.strip()
        found = _SOLVED.fullmatch(plain)
        if found:
            west, north, east, south, tricks = found.groups()
            record, number = listed.count, listed.count + 1
            listed.add(line, board=number, board_label=str(number), deal=f"N:{north} {east} {south} {west}")
            if tricks and _TRICKS.fullmatch(tricks):
                listed.keep(line, "DoubleDummyTricks", _to_pbn(tricks), record)
            elif tricks is not None:
                values = {"place": f"deal {number} (line {line})"}
                listed.findings.append(Finding("deal-file-tricks", line, 1, record, values=values))
        elif plain:
            listed.keep_odd(line, plain)
    return listed


def encode_gib(deals: Deals) -> bytes:
    """Write a line for each deal, with its tricks where all twenty are known."""
    known = deals.session.double_dummy.drop_nulls(["tricks", "board"]).unique("board", keep="first")
    tricks = dict(known.select("board", "tricks").iter_rows())
    lines = []
    for deal, board in zip(deals.texts, deals.boards, strict=True):
        north, east, south, west = deal.removeprefix("N:").split(" ")
        table = tricks.get(board)
        digits = "" if table is None or UNKNOWN in table else f":{_from_table(np.array(table).reshape(4, 5).tolist())}"
        lines.append(f"{west} {north} {east} {south}{digits}\n")
    return "".join(lines).encode()


def _to_pbn(tricks: str) -> str:
    """Return the twenty digits in PBN's order, each of its declarer's side."""
    of_ns = [int(digit, 16) for digit in tricks]
    by_declarer = {
        (declarer, strain): of_ns[4 * strain + place] if declarer in {0, 2} else 13 - of_ns[4 * strain + place]
        for strain in range(5)
        for place, declarer in enumerate(_DECLARERS)
    }
    return "".join(f"{by_declarer[seat, strain]:x}" for seat in _IN_PBN for strain in range(5))


def _from_table(table: list[list[int]]) -> str:
    """Return the digits of a table whose rows are declarers N E S W and columns C D H S NT."""
    numbers = ((declarer, table[declarer][strain]) for strain in _FROM_NOTRUMP for declarer in _DECLARERS)
    return "".join(f"{tricks if declarer in {0, 2} else 13 - tricks:X}" for declarer, tricks in numbers)
