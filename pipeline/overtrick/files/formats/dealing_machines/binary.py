"""Files of deals in blocks or records of one size: BRI, DGE, DUP, RZD, CDS and ZRD.

| format | bytes | what they hold |
|---|---|---|
| BRI, first Duplimate machines | 128 | the two-digit numbers of the cards of North, East and South; then blanks |
| DGE, Duplimate's screen | 128 | four hands with the suit signs of DOS, 17 bytes each; then zeros |
| DUP, Duplimate | 156 | the numbers of BRI, the hands of DGE, and ten bytes of settings |
| RZD, Kops machine | 13 | two bits a card, a byte a rank from the ace down; below a head of 13 bytes |
| CDS | 14 | the board in a byte, and the cards as in RZD; West is 0 |
| ZRD, library of solved deals | 23 | two bits a card from the spade ace on, and twenty tricks of four bits |
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
import polars as pl

from overtrick.core.bridge.cards import RANKS, UNKNOWN, Bytes
from overtrick.core.frames import ITEMS, conform, empty
from overtrick.core.notation import is_number
from overtrick.core.problems import Finding
from overtrick.files.formats.dealing_machines.deals import (
    DECK,
    Deals,
    Dealt,
    Numbers,
    name_place,
    owners_by_number,
    reverse_deck,
)

Bools = npt.NDArray[np.bool_]

_FILLING: Final = np.frombuffer(b"\x00\x1a ", dtype=np.uint8)


@dataclass(frozen=True)
class _Blocks:
    """A file of blocks of one size, one for each deal."""

    rows: Bytes
    """Shape (deals, size)."""
    starts: Numbers
    """The byte at which each begins, from 0."""
    rest: pl.DataFrame
    """The bytes at the end that are not a whole block: no item, or one."""
    findings: list[Finding]

    def deal(  # noqa: PLR0913 - the parts of `Dealt`
        self,
        owner: Bytes,
        texts: Sequence[str],
        faults: Mapping[int, str] | None = None,
        *,
        boards: Iterable[int | None] | None = None,
        extras: pl.DataFrame | None = None,
        findings: Sequence[Finding] = (),
    ) -> Dealt:
        """Return the deals of the blocks; without `boards` they count from 1."""
        numbers = range(1, len(texts) + 1) if boards is None else boards
        schema = {"board": pl.Int32, "byte": pl.Int64, "text": pl.String}
        placed = pl.DataFrame({"board": [*numbers], "byte": self.starts, "text": texts}, schema=schema)
        items = self.rest if extras is None else extras
        return Dealt(owner, placed, dict(faults or {}), items, [*self.findings, *findings])


def _cut_blocks(data: bytes, size: int, skip: int = 0) -> _Blocks:
    """Cut a file into blocks after its first `skip` bytes; empty blocks at its end are left out."""
    count, rest = divmod(max(len(data) - skip, 0), size)
    end = skip + count * size
    rows = _cut_rows(data[skip:], size)
    starts = skip + np.arange(len(rows)) * size
    # Some programs end a file with a single end-of-file mark.
    if not data[end:].strip(b"\x00\x1a\r\n "):
        return _Blocks(rows, starts, empty(ITEMS), [])
    left = pl.DataFrame({"kind": ["stray"], "text": [data[end:].decode("cp437")]})
    cut = Finding("file-cut/deal", values={"size": rest, "byte": end})
    return _Blocks(rows, starts, conform(ITEMS, left), [cut])


def _cut_rows(data: bytes, size: int) -> Bytes:
    """Return the whole blocks of a file, shape (deals, size), without empty ones at its end."""
    count = len(data) // size
    rows = np.frombuffer(data[: count * size], dtype=np.uint8).reshape(count, size)
    filled = np.flatnonzero(~np.isin(rows, _FILLING).all(axis=1))
    return rows[: filled[-1] + 1 if len(filled) else 0]


def _decode_rows(block: Bytes) -> list[str]:
    """Return each row of bytes as a text in code page 437, which these programs use."""
    return [row.tobytes().decode("cp437") for row in block]


def _show_rows(block: Bytes) -> list[str]:
    """Return each row of bytes in hexadecimal digits."""
    return [row.tobytes().hex() for row in block]


def _holds_block(head: bytes, size: int, pattern: re.Pattern[bytes]) -> bool:
    """Report whether any of the first blocks matches: a damaged one must not hide the format of the file."""
    return any(pattern.match(head, start) for start in range(0, len(head), size))


# BRI and the first half of DUP: the numbers of the cards of North, East and South; West has the rest.

_BLOCK: Final = 128
"""Bytes of a block of BRI and of DGE."""
_NUMBERS: Final = 78
_BRI: Final = re.compile(rb"(?s)[0-9]{78}(?:[ \x00]{50}|[ \x00]{0,49}\Z)")


def is_bri(head: bytes) -> bool:
    """Report whether a file has blocks of 39 card numbers and blanks."""
    return _holds_block(head, _BLOCK, _BRI)


def decode_bri(data: bytes) -> Dealt:
    """Decode a BRI file. Its blocks have no board numbers and count from 1."""
    read = _cut_blocks(data, _BLOCK)
    numbers = read.rows[:, :_NUMBERS]
    owner, faults = owners_by_number(_card_numbers(numbers))
    return read.deal(owner, _decode_rows(numbers), faults)


def encode_bri(deals: Deals) -> bytes:
    """Write 128 bytes a deal: the numbers of North's, East's and South's cards, 32 blanks and 18 zero bytes."""
    return b"".join(numbers + b" " * 32 + bytes(18) for numbers in _format_numbers(deals))


def _card_numbers(digits: Bytes) -> Bytes:
    """Read pairs of ASCII digits, shape (deals, 2 n), as numbers, shape (deals, n); `UNKNOWN` for other bytes."""
    tens, units = digits[:, ::2], digits[:, 1::2]
    written = (tens >= ord("0")) & (tens <= ord("9")) & (units >= ord("0")) & (units <= ord("9"))
    value = 10 * (tens.astype(np.int64) - ord("0")) + units - ord("0")
    return np.where(written, value, UNKNOWN).astype(np.uint8)


def _format_numbers(deals: Deals) -> list[bytes]:
    """Return the 78 digits of each deal."""
    return ["".join(f"{number:02}" for number in row).encode() for row in deals.cards[:, : _NUMBERS // 2].tolist()]


# DGE and the second half of DUP: spades, hearts, diamonds and clubs of each hand, a sign before each suit, void or not.

_HANDS: Final = 68
_HAND: Final = 17
_SUIT_SIGNS: Final = b"\x06\x03\x04\x05"
"""Spade, heart, diamond and club of code page 437."""
_SIGNS: Final = np.frombuffer(_SUIT_SIGNS, dtype=np.uint8)
_RANKS_DOWN: Final = RANKS[::-1].encode()
_RANK_OF_BYTE: Final = np.full(256, UNKNOWN, dtype=np.uint8)
_RANK_OF_BYTE[np.frombuffer(RANKS.encode(), dtype=np.uint8)] = np.arange(13, dtype=np.uint8)
_DGE: Final = re.compile(rb"\x06[2-9TJQKA]*\x03[2-9TJQKA]*\x04[2-9TJQKA]*\x05")


def is_dge(head: bytes) -> bool:
    """Report whether a file has blocks that begin with a hand with the suit signs of DOS."""
    return _holds_block(head, _BLOCK, _DGE)


def decode_dge(data: bytes) -> Dealt:
    """Decode a DGE file. Its blocks have no board numbers and count from 1."""
    read = _cut_blocks(data, _BLOCK)
    hands = read.rows[:, :_HANDS]
    owner, faults = _owners_by_hands(hands)
    return read.deal(owner, _decode_rows(hands), faults)


def encode_dge(deals: Deals) -> bytes:
    """Write 128 bytes a deal: four hands with the suit signs of DOS, and 60 zero bytes."""
    return b"".join(hands + bytes(_BLOCK - _HANDS) for hands in _format_hands(deals))


def _owners_by_hands(hands: Bytes) -> tuple[Bytes, dict[int, str]]:
    """Read hands of 17 bytes from North on, shape (deals, 68): seat by card, and by row what is wrong."""
    # A hand of the aces of spades and clubs and three hearts, S for the spade sign: `S A H K Q 2 D C A`.
    #   so_far   1 1 2 2 2 2 3 4 4   the signs up to here
    #   suit     3 3 2 2 2 2 1 0 0   as in `bridge.cards`, clubs 0
    #   rank     - 12 - 11 10 0 - - 12
    n = len(hands)
    by_hand = hands.reshape(n, 4, _HAND)
    sign = np.isin(by_hand, _SIGNS)
    so_far = np.cumsum(sign, axis=2)
    in_order = (sign.sum(axis=2) == 4) & (~sign | (by_hand == _SIGNS[np.clip(so_far - 1, 0, 3)])).all(axis=2)
    suit = 4 - so_far
    rank = _RANK_OF_BYTE[by_hand]
    card = (rank != UNKNOWN) & (suit >= 0) & (suit < 4)
    row, seat, place = np.nonzero(card)
    owner = np.full((n, DECK), UNKNOWN, dtype=np.uint8)
    owner[row, 13 * suit[row, seat, place] + rank[row, seat, place]] = seat
    faults = {int(r): "four suits in each hand were expected" for r in np.flatnonzero(~in_order.all(axis=1))}
    return owner, faults


def _format_hands(deals: Deals) -> list[bytes]:
    """Return each deal as the screen shows it: four hands of 17 bytes, the suit signs before the ranks."""
    return [
        b"".join(
            _SUIT_SIGNS[suit : suit + 1]
            + bytes(_RANKS_DOWN[(card - 1) % 13] for card in hand if (card - 1) // 13 == suit)
            for hand in (row[13 * seat : 13 * seat + 13] for seat in range(4))
            for suit in range(4)
        )
        for row in deals.cards.tolist()
    ]


# DUP. Its last ten bytes are settings of the machine: `Y` or `N` for hands dealt at random, `Y` or `N` for counting
# backwards, the lowest board number, the copies of each board, and the highest number (bytes 147 to 156). Files with
# secret hands have blanks in the place of the hands.

_WHOLE: Final = 156
_SCREEN: Final = slice(_NUMBERS, _NUMBERS + _HANDS)
_SETTINGS: Final = slice(_NUMBERS + _HANDS, _WHOLE)
_DUP: Final = re.compile(rb"(?s)[0-9]{78}(?:.{68}[YN]{2}[ 0-9]{8}|(?:\x06.{67}|[ \x00]{68})\x00{10}|\x06.{0,76}\Z)")


def is_dup(head: bytes) -> bool:
    """Report whether a file has blocks of 39 card numbers, 68 bytes of hands and the settings of the machine."""
    return _holds_block(head, _WHOLE, _DUP)


def decode_dup(data: bytes) -> Dealt:
    """Decode a DUP file: boards count from the lowest number that the first block states, or backwards if it says so.

    The settings of each block are items.
    """
    read = _cut_blocks(data, _WHOLE)
    numbers, settings = read.rows[:, :_NUMBERS], _decode_rows(read.rows[:, _SETTINGS])
    owner, faults = owners_by_number(_card_numbers(numbers))
    lowest, highest = _range(settings[0]) if settings else (1, None)
    boards = range(lowest, lowest + len(settings))
    if settings and settings[0][1] == "Y":
        boards = boards[::-1]
    different = [row for row in _differ_on_screen(read.rows, owner) if row not in faults]
    findings = [
        Finding("deal-file-two-forms", record=row, board=str(boards[row]), values={"place": place})
        for row, place in ((row, name_place(row, int(read.starts[row]))) for row in different)
    ]
    if highest is not None and len(boards) != highest - lowest + 1:
        stated, found = f"boards {lowest} to {highest}", f"{len(boards)} boards"
        findings.append(Finding("deal-file-header", values={"stated": stated, "found": found}))
    tags = _keep_tags("DuplimateSettings", settings)
    return read.deal(
        owner, _decode_rows(numbers), faults, boards=boards, extras=pl.concat([tags, read.rest]), findings=findings
    )


def encode_dup(deals: Deals) -> bytes:
    """Write 156 bytes a deal: numbers, hands, and the settings: random hands, forwards, the range, no copies."""
    first = deals.boards[0] if deals.boards else 1
    settings = f"YN{first:<3}0 {first + len(deals.boards) - 1:<3}".encode()
    shown = zip(_format_numbers(deals), _format_hands(deals), strict=True)
    return b"".join(numbers + hands + settings for numbers, hands in shown)


def _range(settings: str) -> tuple[int, int | None]:
    """Return the lowest and the highest board number; without a lowest number, boards count from 1."""
    lowest, highest = settings[2:5].strip(), settings[7:10].strip()
    return int(lowest) or 1 if is_number(lowest) else 1, int(highest) if is_number(highest) else None


def _differ_on_screen(block: Bytes, owner: Bytes) -> list[int]:
    """Return the rows whose hands for the screen differ from the cards for the machine."""
    shown = block[:, _SCREEN]
    visible = ~np.isin(shown, np.frombuffer(b" \x00", dtype=np.uint8)).all(axis=1)
    hands, _ = _owners_by_hands(shown)
    rows: list[int] = np.flatnonzero(visible & (hands != owner).any(axis=1)).tolist()
    return rows


def _keep_tags(name: str, texts: Sequence[str]) -> pl.DataFrame:
    """Return an item for each deal."""
    tags = pl.DataFrame({"text": texts}, schema={"text": pl.String}).with_row_index("record")
    return conform(ITEMS, tags.with_columns(pl.lit("tag").alias("kind"), pl.lit(name).alias("name")))


# RZD, CDS and ZRD: two bits a card, the seat that has it.

_RANKS: Final = 13
_OF_TEXTS: Final = b"\t\n\r\x1a" + bytes(range(32, 127))
_SHIFTS: Final = np.array([0, 2, 4, 6], dtype=np.uint8)
_LOOKED_AT: Final = 32
"""Records that are looked at to recognise a file."""


def _holds_records(head: bytes, size: int, check: Callable[[Bytes], Bools]) -> bool:
    """Report whether the first record of a file, or most of the first ones, are sound.

    Bytes that may all be of a text are not records: `pn|A,B,C,D|md|` deals 13 cards to each seat too.
    """
    first = head[: size * _LOOKED_AT]
    rows = _cut_rows(first, size)
    if not first.translate(None, _OF_TEXTS) or not len(rows):
        return False
    sound = check(rows)
    return bool(sound[0]) or 2 * int(sound.sum()) > len(rows)


def _are_deals(block: Bytes) -> Bools:
    """Return for each record of 13 bytes, two bits a card, whether it gives 13 cards to each of four codes."""
    codes = (block[:, :, None] >> _SHIFTS & 3).reshape(len(block), DECK)
    # What three codes leave is the fourth.
    sound: Bools = np.logical_and.reduce([(codes == code).sum(axis=1) == _RANKS for code in range(3)])
    return sound


def _seats_by_rank(block: Bytes) -> Bytes:
    """Return the codes of the cards in records of a byte a rank from the ace down, spades in the highest bits.

    Args:
        block: shape (deals, 13).

    Returns:
        Shape (deals, 52), by card code: the club two first.
    """
    # A byte 0b00_01_10_11 for the aces has the spade ace with 0, the heart ace with 1, the diamond ace with 2 and the
    # club ace with 3. Turned round, ranks go up from the two and suits from clubs.
    by_rank = block[:, ::-1, None] >> _SHIFTS & 3
    return by_rank.transpose(0, 2, 1).reshape(-1, DECK).astype(np.uint8)


def _rank_bytes(seats: Bytes) -> Bytes:
    """Return the bytes of a deal, a rank each from the ace down: the other way round of `_seats_by_rank`.

    Args:
        seats: by machine number, the spade ace first, shape (deals, 52).
    """
    by_suit = seats.reshape(-1, 4, _RANKS).astype(np.uint8) << _SHIFTS[::-1, None]
    packed: Bytes = by_suit.sum(axis=1, dtype=np.uint8)
    return packed


# RZD. North is 0. The head holds the number of deals, the low byte first, and blanks.

_COUNT: Final = 2
_BLANKS: Final = b" " * (_RANKS - _COUNT)
_MOST: Final = 0xFFFF


def is_rzd(head: bytes) -> bool:
    """Report whether a file begins with a number of deals and eleven blanks, followed by bytes that are not text."""
    first = head[_RANKS : 2 * _RANKS]
    return head[_COUNT:_RANKS] == _BLANKS and (
        not first or any(byte < 9 or byte > 126 for byte in head[:_COUNT] + first)
    )


def decode_rzd(data: bytes) -> Dealt:
    """Decode an RZD file. Its deals have no board numbers and count from 1."""
    read = _cut_blocks(data, _RANKS, skip=_RANKS)
    stated, found = int.from_bytes(data[:_COUNT], "little"), len(read.rows)
    values = {"stated": f"{stated} deals", "found": str(found)}
    findings = [] if stated == found else [Finding("deal-file-header", values=values)]
    return read.deal(_seats_by_rank(read.rows), _show_rows(read.rows), findings=findings)


def encode_rzd(deals: Deals) -> bytes:
    """Write the number of deals, and thirteen bytes for each of them."""
    count = min(len(deals.boards), _MOST)
    return count.to_bytes(_COUNT, "little") + _BLANKS + _rank_bytes(deals.seats[:count]).tobytes()


# CDS. West is 0 and North is 1; the file has no head.

_NUMBERED: Final = 14


def is_cds(head: bytes) -> bool:
    """Report whether a file begins with a board number and thirteen bytes that deal 13 cards to each seat."""
    return _holds_records(head, _NUMBERED, lambda rows: _are_deals(rows[:, 1:]) & (rows[:, 0] > 0))


def decode_cds(data: bytes) -> Dealt:
    """Decode a CDS file."""
    read = _cut_blocks(data, _NUMBERED)
    boards = [number or None for number in read.rows[:, 0].tolist()]
    # West 0, North 1, East 2, South 3 there; North 0 to West 3 here.
    return read.deal((_seats_by_rank(read.rows[:, 1:]) + 3) % 4, _decode_rows(read.rows), boards=boards)


def encode_cds(deals: Deals) -> bytes:
    """Write fourteen bytes a deal."""
    numbers = np.array(deals.boards, dtype=np.uint8)[:, None]
    return np.hstack([numbers, _rank_bytes((deals.seats + 1) % 4)]).tobytes()


# ZRD. The first bits of a record are the lowest ones of its first byte. West is 0 and South is 3. The tricks are four
# bits each, in notrump, spades, hearts, diamonds and clubs, of West, North, East and South.

_SOLVED: Final = 23
_TRICKS: Final = 13
_HEXADECIMAL: Final = np.frombuffer(b"0123456789abcd??", dtype=np.uint8)
_ORDER: Final = np.array([4 * strain + seat for seat in (1, 3, 2, 0) for strain in range(5)])
"""Where each digit of PBN's `DoubleDummyTricks` is: North, South, East and West, each in NT S H D C."""


def is_zrd(head: bytes) -> bool:
    """Report whether a file begins with records of 13 cards for each seat and of tricks up to 13."""
    return _holds_records(
        head, _SOLVED, lambda rows: _are_deals(rows[:, :_RANKS]) & (_nibbles(rows).max(axis=1) <= _TRICKS)
    )


def decode_zrd(data: bytes) -> Dealt:
    """Decode a library of solved deals; the tricks become double-dummy tables as files state them."""
    read = _cut_blocks(data, _SOLVED)
    codes = (read.rows[:, :_RANKS, None] >> _SHIFTS & 3).reshape(-1, DECK).astype(np.uint8)
    tricks = _nibbles(read.rows)
    findings = [
        Finding(
            "deal-file-tricks", record=row, board=str(row + 1), values={"place": name_place(row, int(read.starts[row]))}
        )
        for row in np.flatnonzero((tricks > _TRICKS).any(axis=1)).tolist()
    ]
    tables = _keep_tags("DoubleDummyTricks", [row.tobytes().decode() for row in _HEXADECIMAL[tricks[:, _ORDER]]])
    # West 0 to South 3 there; North 0 to West 3 here.
    return read.deal(
        reverse_deck((codes + 3) % 4), _show_rows(read.rows), extras=pl.concat([read.rest, tables]), findings=findings
    )


def _nibbles(rows: Bytes) -> Bytes:
    """Return the twenty numbers of tricks of each record, shape (deals, 20)."""
    packed = rows[:, _RANKS:]
    return np.stack([packed & 15, packed >> 4], axis=2).reshape(len(rows), 2 * (_SOLVED - _RANKS))
