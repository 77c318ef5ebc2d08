"""The same evening as each kind of file: two boards at three tables, pairs 1, 2, 3 N-S against 4, 5, 6 E-W."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from overtrick.core.config import Config
from overtrick.files.formats.pbn.write import export_pbn
from tests.support import bridgemate
from tests.support.commands import FIXTURES
from tests.support.evaluating import evaluate

NAMES = {
    "1": "Ada Quill - Ben Moss",
    "2": "Fay Reed - Gus Lane",
    "3": "Jo Thorne - Kim Vale",
    "4": "Dora Finch - Eli Stone",
    "5": "Hal Birch - Ivy Marsh",
    "6": "Lou Heath - Max Fern",
}

DEALS = {
    1: "SKQJT9HA43DKJ4CT2,SA2HKQJT9DT32CKJ4,S87654H2DAQ9CAQ98,",
    2: "S987H8765D876C876,SAKQHAKQDAKQ5CAK2,SJT65HJT9DJT9CJT9,",
}
"""South, West and North of each board, as LIN writes them; East has the other cards."""

BIDS = {
    (1, "1"): ("3N", 9),
    (1, "2"): ("4S", 9),
    (1, "3"): ("4S", 11),
    (2, "1"): ("1N", 6),
    (2, "2"): ("1N", 7),
    (2, "3"): ("2N", 8),
}
"""By board and N-S pair, what the dealer bids and is left in, and the tricks."""


@dataclass(frozen=True)
class Evening:
    """An evening in a file.

    Attributes:
        path: the file.
        called: what the file calls each pair.
    """

    path: Path
    called: Mapping[str, str] = field(default_factory=lambda: dict(zip("123456", "123456", strict=True)))


def _csv(folder: Path, _: pytest.MonkeyPatch) -> Evening:
    path = folder / "tuesday.csv"
    path.write_bytes((FIXTURES / "spring-pairs.csv").read_bytes())
    return Evening(path)


def _usebio(folder: Path, _: pytest.MonkeyPatch) -> Evening:
    path = folder / "tuesday.xml"
    path.write_bytes((FIXTURES / "spring-pairs.xml").read_bytes())
    return Evening(path)


def _pbn(folder: Path, _: pytest.MonkeyPatch) -> Evening:
    path = folder / "tuesday.pbn"
    path.write_bytes(export_pbn(evaluate([str(FIXTURES / "spring-pairs.csv")], Config())).content)
    return Evening(path)


def _games(folder: Path, _: pytest.MonkeyPatch) -> Evening:
    """Write each result as a game of its own, with players and no numbers."""
    path = folder / "tuesday.pbn"
    games = []
    for (board, ns), (bid, tricks) in BIDS.items():
        north, south = NAMES[ns].split(" - ")
        east, west = NAMES[str(int(ns) + 3)].split(" - ")
        dealer = "N" if board == 1 else "E"
        contract = bid.replace("N", "NT")
        games.append(
            f'[Event "Spring Pairs"]\n[Date "2026.03.07"]\n[Board "{board}"]\n[North "{north}"]\n[East "{east}"]\n'
            f'[South "{south}"]\n[West "{west}"]\n[Dealer "{dealer}"]\n[Contract "{contract}"]\n'
            f'[Declarer "{dealer}"]\n[Result "{tricks}"]\n[Private "kept"]\n'
        )
    path.write_text("\n".join(games), "utf-8")
    return Evening(path, NAMES)


def _lin(folder: Path, _: pytest.MonkeyPatch) -> Evening:
    path = folder / "tuesday.lin"
    lines = []
    for (board, ns), (bid, tricks) in BIDS.items():
        north, south = NAMES[ns].split(" - ")
        east, west = NAMES[str(int(ns) + 3)].split(" - ")
        dealer, vulnerable = ("3", "o") if board == 1 else ("4", "n")
        lines.append(
            f"pn|{south},{west},{north},{east}|st||md|{dealer}{DEALS[board]}|rh||ah|Board {board}|sv|{vulnerable}|"
            f"mb|{bid}|mb|p|mb|p|mb|p|pg||mc|{tricks}|pg||\n"
        )
    path.write_text("".join(lines), "utf-8")
    return Evening(path, NAMES)


def _bridgemate(folder: Path, patch: pytest.MonkeyPatch) -> Evening:
    path = folder / "tuesday.bws"
    path.write_bytes(bridgemate.HEAD + bytes(2000))
    helper = folder / "helper"
    helper.mkdir()
    rows = [
        "1,1,1,1,1,1,4,1,S,3 NT,=,HQ,,0",
        "2,1,2,1,1,2,5,2,N,4 S,-1,DK,,0",
        "3,1,3,1,1,3,6,3,N,4 S,+1,DK,,0",
        "4,1,1,1,2,1,4,4,E,2 H x,+1,SA,,0",
        "5,1,2,1,2,2,5,0,,PASS,,,,0",
        "6,1,3,1,2,3,6,0,,,,,60%-40%,0",
    ]
    numbers = ["Section,Table,Direction,Number,Name,Round"]
    for table in (1, 2, 3):
        north, south = NAMES[str(table)].split(" - ")
        east, west = NAMES[str(table + 3)].split(" - ")
        seats = zip("NSEW", (north, south, east, west), strict=True)
        numbers += [f"1,{table},{seat},,{name},0" for seat, name in seats]
    tables = {
        "Section": bridgemate.SECTION,
        "ReceivedData": bridgemate.received(*rows),
        "RoundData": bridgemate.movement(*(f"1,{table},1,{table},{table + 3},1,2," for table in (1, 2, 3))),
        "PlayerNumbers": "\n".join(numbers) + "\n",
    }
    bridgemate.install_helper(helper, patch, tables)
    return Evening(path)


KINDS: Mapping[str, Callable[[Path, pytest.MonkeyPatch], Evening]] = {
    "csv": _csv,
    "usebio": _usebio,
    "pbn": _pbn,
    "games": _games,
    "lin": _lin,
    "bridgemate": _bridgemate,
}
"""By kind of file, what writes the evening to a folder."""
