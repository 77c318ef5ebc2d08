"""Game files of ACBLscore for tests, written from the public description of their layout."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from struct import pack, pack_into

NAMES = ("Quill", "Moss", "Reed", "Lane", "Thorne", "Vale", "Finch", "Stone", "Birch", "Marsh", "Heath", "Fern")

Result = tuple[int, int, int, int, float, int, int, float]
"""Round, table, the N-S pair with score in tens and matchpoints, the same of E-W."""


@dataclass
class GameFile:
    """A file with one event and one section.

    Attributes:
        boards: by board its results.
        tables: how many tables the section has.
        howell: whether pairs change directions.
        kind: the number of the kind of event; 0 for pairs.
        changed: by pair, of N-S unless pairs change directions, another number, as the director gave it.
        stated: total and percentage of each pair, in hundredths.
        adjusted: what the Director added to the total of each pair, in hundredths.
        colour: that of the masterpoints of each pair.
        together: whether there is a section B with the same results, scored together with A; else A is alone.
    """

    boards: Mapping[int, Sequence[Result]]
    tables: int = 3
    howell: bool = False
    kind: int = 0
    changed: Mapping[int, int] = field(default_factory=dict)
    stated: tuple[int, int] = (-1, 0)
    adjusted: int = 0
    colour: int = 1
    together: bool = False

    def make(self) -> bytes:
        """Return its bytes."""
        self._data = bytearray(0x1200)
        data = self._data
        data[:6] = b"\x12\x0a\x03AC3"
        event, details = 0xA00, 0xD00
        pack_into("<I", data, 0x12, event)
        data[0xDA] = self.kind
        for at, text in ((0x4, "Spring Pairs"), (0x48, "March 7, 2026"), (0x5C, "Hill Club")):
            self._put(event + at, text)
        data[0x13E] = 1
        self._put(0x13E + 1, "A")
        pack_into("<I", data, 0x13E + 4, details)
        data[details + 0x18] = self.howell
        pack_into("<H", data, details + 0x1B, 2 * self.tables if self.howell else self.tables)
        for place in range(2):
            pack_into("<I", data, details + 4 + 4 * place, self._index(place))
        numbers = details + 0xDD
        for table in range(1, self.tables + 1):
            for place in range(2):
                pair = 2 * (table - 1) + place if self.howell else table - 1
                at = numbers + 0x50 + 2 * pair if self.howell else numbers + 0xA0 + 4 * pair + place
                data[at : at + 1 + self.howell] = bytes([table, place + 1][: 1 + self.howell])
        for pair, number in self.changed.items():
            data[numbers + pair - 1 if self.howell else numbers + 4 * (pair - 1)] = number
        if self.boards:
            pack_into("<I", data, 0x13E + 8, self._boards())
        if self.together:
            data[0x13E + 22 : 0x13E + 44] = data[0x13E : 0x13E + 22]
            self._put(0x13E + 22 + 1, "B")
            # Each names the section before and after it, from 1.
            data[0x13E + 0x10], data[0x13E + 22 + 0xF] = 2, 1
        return bytes(data)

    def _put(self, at: int, text: str) -> None:
        self._data[at : at + 1 + len(text)] = bytes([len(text)]) + text.encode("cp1252")

    def _grow(self, size: int) -> int:
        at = len(self._data)
        self._data += bytes(size)
        return at

    def _index(self, place: int) -> int:
        index = self._grow(0x18 + 8 * self.tables)
        self._data[index + 6] = self.tables
        for table in range(1, self.tables + 1):
            entry = self._grow(0xA4 + 240)
            pack_into("<I", self._data, index + 0x10 + 8 * table, entry)
            pack_into("<Hxxi", self._data, entry, 0xA2 + 240, self.adjusted)
            pack_into("<i", self._data, entry + 0xC, self.stated[0])
            pack_into("<H", self._data, entry + 0x1C, self.stated[1])
            pack_into("<HBB", self._data, entry + 0x34 + 12, 57, self.colour, 1)
            for player in range(2):
                at = entry + 0xA4 + 120 * player
                who = (4 * (table - 1) + 2 * place + player) % len(NAMES)
                self._put(at, NAMES[who])
                self._put(at + 0x11, "ABCDEFGHIJKL"[who] + "nn")
                self._put(at + 0x36, f"10{who:05d}")
        return index

    def _boards(self) -> int:
        index = self._grow(0x26 + 8 * len(self.boards))
        pack_into("<H", self._data, index + 4, len(self.boards))
        for place, (board, results) in enumerate(self.boards.items()):
            at = self._grow(6 + 18 * len(results))
            self._data[at + 5] = len(results)
            counted = sum(one[3] not in {999, 900, 950} for one in results)
            pack_into("<BxHI", self._data, index + 0x26 + 8 * place, board, counted, at)
            for number, (round_, table, ns, score, earned, ew, other, lost) in enumerate(results):
                self._data[at + 6 + 18 * number : at + 24 + 18 * number] = pack(
                    "<BBHhiHhi", round_, table, ns, score, round(100 * earned), ew, other, round(100 * lost)
                )
        return index
