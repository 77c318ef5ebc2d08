"""Made-up evenings of many movements, cut into files that all know who took part."""

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

import overtrick as ot
from overtrick.core.frames import Session
from tests.support import one_evening

FORMATS: Final = (".csv", ".pbn", ".xml", ".xlsx", ".lin", ".bws", ".json")
HEAD: Final = "event date scoring section round table board ns ew contract declarer tricks names_ns names_ew".split()
NAMED: Final = ("names_ns", "names_ew")
_FIRST: Final = "Ada Ben Cy Di Eve Fay Gus Hal Ivy Jo Kim Lou Max Nan Ola Pia Quin Rex Sue Tom Una Vic Wes Xan".split()
_LAST: Final = "Quill Moss Dunn Eads Reed Lane Birch Marsh Thorne Vale Heath Fern Park Stone Brook Field Wood".split()

Row = dict[str, str]


class Evening(NamedTuple):
    """An evening as rows of a table, and how its pairs are numbered."""

    rows: list[Row]
    two_lines: bool
    sections: int


def play(rng: Random, *, two_lines: bool | None = None, sections: int = 1, most: int = 7) -> Evening:
    """Return a Mitchell of an odd number of tables: both lines numbered from 1, or one after the other."""
    two_lines = rng.random() < 0.3 if two_lines is None else two_lines
    tables = rng.choice([size for size in range(3, most + 1) if size % 2])
    each, scoring, missing = rng.randint(1, 3), rng.choice(["MP", "MP", "Butler"]), rng.random() < 0.3
    people = rng.sample([f"{first} {last}" for first in _FIRST for last in _LAST], 4 * tables * sections)
    pairs = [" - ".join(people[2 * place : 2 * place + 2]) for place in range(2 * tables * sections)]
    rows = []
    for section in range(sections):
        of_section = pairs[2 * tables * section :]
        for turn in range(min(tables, 5)):
            for table in range(tables):
                other = (table - turn) % tables
                if missing and other == tables - 1:
                    continue
                moved = (table + turn) % tables
                for board in range(each * moved + 1, each * (moved + 1) + 1):
                    level = rng.randint(1, 5)
                    values = ("Tuesday", "2026.10.13", scoring, "AB"[section] if sections > 1 else "", turn + 1)
                    where = (table + 1, board, table + 1, other + 1 + (0 if two_lines else tables))
                    contract = f"{level}{rng.choice(['C', 'D', 'H', 'S', 'NT'])}{rng.choice(['', '', 'X'])}"
                    bid = (contract, rng.choice("NESW"), rng.randint(level + 3, 13))
                    names = of_section[table], of_section[tables + other]
                    rows.append(dict(zip(HEAD, map(str, (*values, *where, *bid, *names)), strict=True)))
    return Evening(rows, two_lines, sections)


def put(path: Path, rows: Sequence[Row], *, names: bool = True) -> Path:
    """Write rows to a file in the format of its name."""
    if path.suffix == ".bws":
        lines = [one_evening.Line(*(_whole(row[name]) for name in one_evening.Line._fields)) for row in rows]  # type: ignore[arg-type]  # whole numbers where they are
        return one_evening.write_bws(path, lines)
    table = path if path.suffix == ".csv" else path.with_name(f".{path.stem}{path.suffix[1:]}.csv")
    with table.open("w", newline="") as file:
        writer = csv.DictWriter(file, [name for name in HEAD if names or name not in NAMED], extrasaction="ignore")
        writer.writeheader()
        writer.writerows(rows)
    if table != path:
        ot.convert(table, path)
    return path


def _whole(text: str) -> int | str:
    return int(text) if text.isdigit() else text


def rank(session: Session, *, names: bool = True) -> list[tuple[object, ...]]:
    """Return what a ranking says of each contestant: place, total, boards and, if wanted, names."""
    columns = ["ranking", "contestant", "direction", "section", "rank", "total", "boards", "names"]
    rows = session.standings.select(columns if names else columns[:-1]).with_columns(
        total=session.standings["total"].round(6)
    )
    return sorted(rows.iter_rows(), key=str)


def told(session: Session) -> list[str]:
    """Return the errors and warnings of a session."""
    return session.problems.filter(session.problems["severity"] != "info")["message"].to_list()


def respell(rng: Random, names: str) -> str:
    """Return other names for a pair: a slip, an initial, another person, and so on."""
    one, other = names.split(" - ")
    first, last = one.split()
    return rng.choice(
        [
            f"{one[:-1]}{'x' if one[-1] != 'x' else 'z'} - {other}",
            f"{first[0]}. {last} - {other}",
            f"Zed Zander - {other}",
            "Zed Zander - Yma Young",
            f"{first} Q. {last} - {other}",
            f"{first} Zander - {other}",
            f"{first}{last} - {other}",
        ]
    )


def rename(rows: Sequence[Row], names: Mapping[str, str]) -> list[Row]:
    """Return rows in which pairs have other names."""
    return [{**row, **{side: names.get(row[side], row[side]) for side in NAMED}} for row in rows]
