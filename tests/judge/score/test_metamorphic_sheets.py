"""What does not change a game on sheets never changes its sheets: other names, seats and files."""

import json
from collections.abc import Callable
from itertools import product
from pathlib import Path
from random import Random
from typing import NamedTuple, get_args

import pytest

from overtrick.conversion import find_writer
from overtrick.core.bridge.methods import MethodName, method_named
from overtrick.core.config import Scoring
from overtrick.core.frames import Session
from overtrick.files.assemble import read
from overtrick.judge.rank import rank
from overtrick.judge.score import score
from tests.support.sweeps import sample

METHODS: list[MethodName] = [name for name in get_args(MethodName) if method_named(name).sheet]
TURNED = dict(zip("NESW", "SWNE", strict=True))
OTHER = dict(zip("ABCDEF", ("Owls", "7", "Larks", "Ada - Bo", "12", "C"), strict=True))


class Deal(NamedTuple):
    """The next deal at a table, of which the sides are never those of another table."""

    table: int
    ns: str
    ew: str
    dealer: str
    contract: str
    declarer: str
    tricks: int
    honours_ns: int
    honours_ew: int
    conduct_ns: int


Change = Callable[[list[Deal], Random], list[list[Deal]]]


def play(seed: int, deals: int = 8) -> list[Deal]:
    """Return the deals of three tables, as their cards were handed in: table after table, deal by deal."""
    rng = Random(seed)
    return [
        Deal(
            table,
            ns,
            ew,
            "NESW"[deal % 4],
            f"{rng.randint(1, 6)}{rng.choice(['C', 'H', 'S', 'NT'])}{rng.choice(['', '', 'X', 'XX'])}",
            rng.choice("NESW"),
            rng.randint(6, 12),
            honours_ns=150 * (held == 1),
            honours_ew=150 * (held == 2),
            conduct_ns=rng.choice([0, 0, 0, 50]),
        )
        for table, (ns, ew) in enumerate([("A", "B"), ("C", "D"), ("E", "F")], start=1)
        for deal in range(deals)
        for held in [rng.randrange(4)]
    ]


def _interleaved(deals: list[Deal], rng: Random) -> list[list[Deal]]:
    """Mix the tables; the deals of each stay in their order."""
    left = {table: [deal for deal in deals if deal.table == table] for table in (1, 2, 3)}
    order = rng.sample([deal.table for deal in deals], len(deals))
    return [[left[table].pop(0) for table in order]]


CHANGES: dict[str, Change] = {
    "renamed": lambda deals, _: [[deal._replace(ns=OTHER[deal.ns], ew=OTHER[deal.ew]) for deal in deals]],
    "turned": lambda deals, _: [
        [deal._replace(dealer=TURNED[deal.dealer], declarer=TURNED[deal.declarer]) for deal in deals]
    ],
    "interleaved": _interleaved,
    "split by table": lambda deals, _: [[deal for deal in deals if deal.table == table] for table in (3, 1, 2)],
    "doubled": lambda deals, rng: [deals, *_interleaved(deals, rng)],
    "overlapping": lambda deals, _: [
        [deal for deal in deals if deal.table < 3],
        [deal for deal in deals if deal.table > 1],
    ],
}


def write(path: Path, deals: list[Deal]) -> str:
    rows = [",".join(Deal._fields), *(",".join(map(str, deal)) for deal in deals)]
    path.write_text("\n".join(rows) + "\n")
    return str(path)


def scored(folder: Path, parts: list[list[Deal]], method: MethodName) -> Session:
    return ranked([write(folder / f"part{n}.csv", part) for n, part in enumerate(parts)], method)


def ranked(paths: list[str], method: MethodName) -> Session:
    scoring = Scoring(method=method)
    return rank(score(read(paths), scoring), scoring)


def told(session: Session) -> tuple[list[tuple[object, ...]], list[tuple[object, ...]]]:
    """Return the places and what is on the sheets, whatever the contestants are called."""
    sheets = session.sheets.select("table", "sheet", "deal", "direction", "kind", "below", "points")
    standings = session.standings.select("rank", "total", "boards")
    return sorted(sheets.rows(), key=str), sorted(standings.rows())


@pytest.mark.parametrize(("change", "method"), sample([*product(CHANGES, METHODS)], 3))
def test_sheets_stay(change: str, method: MethodName, tmp_path: Path) -> None:
    deals = play(5)
    whole = scored(tmp_path, [deals], method)
    changed = scored(tmp_path, CHANGES[change](deals, Random(3)), method)
    assert 6 == whole.standings.height
    assert told(whole) == told(changed)
    assert set(whole.problems["code"]) == set(changed.problems["code"])


@pytest.mark.parametrize(("method", "suffix"), [("rubber", ".pbn"), ("chicago", ".json"), ("alberta", ".xlsx")])
def test_a_game_in_two_formats_is_one(method: MethodName, suffix: str, tmp_path: Path) -> None:
    table, other = write(tmp_path / "game.csv", play(6)), tmp_path / f"game{suffix}"
    whole = ranked([table], method)
    other.write_bytes(find_writer(other, export=False)(whole).content)
    for paths in ([str(other)], [table, str(other)]):
        assert told(whole) == told(ranked(paths, method))


@pytest.mark.parametrize("method", METHODS)
def test_json_on_one_line_keeps_the_dealers(method: MethodName, tmp_path: Path) -> None:
    whole = ranked([write(tmp_path / "game.csv", play(6))], method)
    lines, compact = tmp_path / "game.json", tmp_path / "compact.json"
    lines.write_bytes(find_writer(lines, export=False)(whole).content)
    compact.write_text(json.dumps(json.loads(lines.read_bytes()), separators=(",", ":")))
    assert whole.records["dealer"].to_list() == read([str(compact)]).records["dealer"].to_list()
    assert told(whole) == told(ranked([str(compact)], method))


def test_one_changed_deal_is_one_error(tmp_path: Path) -> None:
    deals = play(7)
    changed = [*deals[:4], deals[4]._replace(contract="1C", declarer="N", tricks=7), *deals[5:]]
    errors = scored(tmp_path, [deals, changed], "rubber").problems.filter(severity="error")
    assert ["result-differs"] == errors["code"].to_list()


def test_a_rubber_that_another_follows_is_not_the_same(tmp_path: Path) -> None:
    deals = play(8)
    first, second = [[deal for n, deal in enumerate(deals) if n % 8 // 4 == half] for half in (0, 1)]
    assert told(scored(tmp_path, [deals], "rubber")) == told(scored(tmp_path, [first, second], "rubber"))
