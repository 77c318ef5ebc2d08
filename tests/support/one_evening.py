"""One made-up Howell of six pairs in any format, whole or in parts."""

import stat
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

import pytest

from overtrick.core.config import Config
from overtrick.core.frames import Session
from overtrick.files.formats.base import Written
from overtrick.files.formats.lin.write import write_lin
from overtrick.files.formats.pbn.write import export_pbn
from overtrick.files.formats.usebio.write import write_usebio
from tests.support import bridgemate
from tests.support.evaluating import evaluate

NAMES: Final = {
    1: "Ada Quill - Ben Moss",
    2: "Cy Dunn - Di Eads",
    3: "Fay Reed - Gus Lane",
    4: "Hal Birch - Ivy Marsh",
    5: "Jo Thorne - Kim Vale",
    6: "Lou Heath - Max Fern",
}
DATE: Final = "2026.10.13"


class Line(NamedTuple):
    """A result: pairs sit both ways, as in any Howell."""

    round: int
    table: int
    board: int
    ns: int
    ew: int
    contract: str
    declarer: str
    tricks: int


def play(seed: int = 7, *, boards_a_round: int = 2) -> list[Line]:
    """Return the results of an evening: five rounds at three tables, all with the boards of the round."""
    rng, lines = Random(seed), []
    for number in range(5):
        turn = [1, 2, 3, 4, 5][number:] + [1, 2, 3, 4, 5][:number]
        for table, (ns, ew) in enumerate([(6, turn[0]), (turn[1], turn[4]), (turn[3], turn[2])], start=1):
            for board in range(boards_a_round * number + 1, boards_a_round * (number + 1) + 1):
                level, strain = rng.randint(1, 5), rng.choice(["C", "D", "H", "S", "NT"])
                contract = f"{level}{strain}{rng.choice(['', '', '', 'X'])}"
                tricks = rng.randint(max(4, level + 3), 13)
                lines.append(Line(number + 1, table, board, ns, ew, contract, rng.choice("NESW"), tricks))
    return lines


def write_csv(path: Path, lines: Iterable[Line], *, date: str = DATE, names: bool = True) -> Path:
    """Write results as a table."""
    rows = ["event,date,scoring,round,table,board,ns,ew,contract,declarer,tricks,names_ns,names_ew"]
    for line in lines:
        called = f"{NAMES[line.ns]},{NAMES[line.ew]}" if names else ","
        rows.append(f"Tuesday,{date},MP,{','.join(map(str, line))},{called}")
    path.write_text("\n".join(rows) + "\n", "utf-8")
    return path


def write_bws(path: Path, lines: Sequence[Line], *, date: str = DATE) -> Path:
    """Write results as a database that the helper of `install_helper` reads: its tables are in a folder beside it."""
    folder = path.with_name(f".{path.stem}-tables")
    folder.mkdir()
    received = []
    for number, line in enumerate(lines, start=1):
        level, strain, doubled = line.contract[0], line.contract[1:].rstrip("X"), line.contract.endswith("X")
        over = line.tricks - 6 - int(level)
        result = "=" if over == 0 else f"{over:+d}"
        declaring = line.ns if line.declarer in "NS" else line.ew
        contract = f"{level} {strain}{' x' if doubled else ''}"
        received.append(
            f"{number},1,{line.table},{line.round},{line.board},{line.ns},{line.ew},{declaring},{line.declarer},{contract},{result},,,0"
        )
    meetings = sorted({(line.table, line.round, line.ns, line.ew) for line in lines})
    rounds = []
    for table, number, ns, ew in meetings:
        boards = [line.board for line in lines if (line.table, line.round) == (table, number)]
        rounds.append(f"1,{table},{number},{ns},{ew},{min(boards)},{max(boards)},")
    tables = {
        "Session": f"ID,Name,Date\n1,Session 1,{date.replace('.', '-')} 00:00:00\n",
        "Section": "ID,Letter,Tables\n1,A  ,3\n",
        "ReceivedData": bridgemate.received(*received),
        "RoundData": bridgemate.movement(*rounds),
    }
    for name, text in tables.items():
        (folder / f"{name}.csv").write_text(text, "utf-8")
    path.write_bytes(bridgemate.HEAD + f"\n{folder}\n".encode())
    return path


def install_helper(folder: Path, patch: pytest.MonkeyPatch) -> None:
    """Put a program in the place of `mdb-export` that prints the tables of `write_bws`."""
    helper = folder / "mdb-export"
    helper.write_text(
        "#!/bin/sh\n"
        "for argument; do file=$table; table=$argument; done\n"
        'place=$(/usr/bin/tail -n 1 "$file")\n'
        '[ -f "$place/$table.csv" ] || exit 1\n'
        'exec /bin/cat "$place/$table.csv"\n',
        "utf-8",
    )
    helper.chmod(helper.stat().st_mode | stat.S_IXUSR)
    patch.setenv("PATH", str(folder))


def write_deals(path: Path, lines: Iterable[Line]) -> Path:
    """Write a deal for each board of some results."""
    games = []
    for board in sorted({line.board for line in lines}):
        cards = [f"{suit}{rank}" for suit in "SHDC" for rank in "AKQJT98765432"]
        Random(board).shuffle(cards)
        hands = [cards[13 * seat : 13 * seat + 13] for seat in range(4)]
        held = [
            ".".join("".join(r for r in "AKQJT98765432" if f"{suit}{r}" in hand) for suit in "SHDC") for hand in hands
        ]
        games.append(f'[Board "{board}"]\n[Deal "N:{" ".join(held)}"]\n')
    path.write_text("\n".join(games), "utf-8")
    return path


def _converted(write: Callable[[Session], Written], suffix: str) -> Callable[[Path, Sequence[Line]], Path]:
    def make(path: Path, lines: Sequence[Line]) -> Path:
        table = write_csv(path.with_name(f".{path.stem}{suffix[1:]}.csv"), lines)
        deals = write_deals(path.with_name(f".{path.stem}{suffix[1:]}.pbn"), lines)
        path.write_bytes(write(evaluate([str(table), str(deals)], Config())).content)
        return path

    return make


FORMATS: Final[dict[str, Callable[[Path, Sequence[Line]], Path]]] = {
    ".csv": write_csv,
    ".pbn": _converted(export_pbn, ".pbn"),
    ".xml": _converted(write_usebio, ".xml"),
    ".lin": _converted(write_lin, ".lin"),
    ".bws": write_bws,
}
"""By suffix, what writes results to a file."""


def split(lines: Sequence[Line], by: str) -> list[list[Line]]:
    """Return an evening in two parts: by board, round, table or direction."""
    in_first = {
        "board": [line.board % 2 == 1 for line in lines],
        "round": [line.round <= 2 for line in lines],
        "table": [line.table == 1 for line in lines],
        "direction": [line.ns > line.ew for line in lines],
    }[by]
    parts: list[list[Line]] = [[], []]
    for line, first in zip(lines, in_first, strict=True):
        parts[not first].append(line)
    return parts


def ranking(session: Session) -> list[tuple[object, ...]]:
    """Return what a ranking says: who has how much on how many boards, in their order."""
    rows = session.standings.select("ranking", "rank", "contestant", "names", "total", "percentage", "boards")
    return sorted(
        (field, rank, who, names, round(total or 0, 6), round(part or 0, 6), boards)
        for field, rank, who, names, total, part, boards in rows.iter_rows()
    )
