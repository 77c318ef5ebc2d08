"""Whatever an entry says of whatever file, nothing raises, and an entry that is not applied is a problem."""

from pathlib import Path

import polars as pl
import pytest

from overtrick.core.config import Config
from overtrick.core.config.corrections import parse_corrections
from overtrick.core.config.file import SettingsFile
from overtrick.core.frames import Session
from overtrick.files.assemble import read
from overtrick.files.assemble.beside import Found
from overtrick.files.correct import correct
from overtrick.pipeline import evaluate
from tests.support.commands import FIXTURES
from tests.support.sweeps import ALL

RESULT = "board = {board}\npair = '{pair}'\n"
ENTRIES = (
    RESULT + 'contract = "4SX"\nby = "E"\ntricks = 7\nlead = "D2"',
    RESULT + "score = 0",
    RESULT + 'contract = "Pass"',
    RESULT + "swap = true",
    RESULT + "other_pair = '{other}'",
    RESULT + "other_pair = '{other}'\nadd = true\naward = ['A', 'A']",
    RESULT + "other_pair = '{other}'\nadd = true\ncontract = '1C'\nby = 'N'\ntricks = 7",
    "board = {board}\nplayers = ['1', '2', '3', '{pair}']\nadd = true\nscore = 90",
    RESULT + "award = ['A+', '40%']",
    RESULT + "split = {{ ns = 100, ew = -50 }}",
    RESULT + "weighted = [{{ weight = 1, score = 100 }}, {{ weight = 2, score = -50 }}]",
    RESULT + "assigned = 100",
    RESULT + "not_played = true",
    RESULT + "delete = true",
    "board = {board}\nfouled = ['{pair}']",
    "pair = '{pair}'\npenalty = {{ amount = 10, unit = 'percent' }}",
    "pair = '{pair}'\ncarry_over = {{ score = 60, top = 100 }}",
    "pair = '{pair}'\nhandicap = 3",
    "pair = '{pair}'\nname = 'A - B'",
    "player = {{ from = 'A', to = 'C' }}",
    "substitute = {{ for = 'C', player = 'D' }}",
    "substitute = {{ for = 'D', player = 'E', boards = [{board}] }}",
    "title = 'T'",
    "date = 2026-03-07",
    "club = 'X'",
    "method = 'cross-imps'",
    "board = {board}\ncards = ['SA', 'H2']",
    "tie = {{ winner = '{pair}' }}",
)


def first_of(session: Session) -> dict[str, object]:
    """Return a board and its two contestants."""
    played = session.results.filter(
        pl.col("board").is_not_null(), pl.col("ns").is_not_null(), pl.col("ew").is_not_null()
    )
    if played.is_empty():
        return {"board": 1, "pair": "1", "other": "2"}
    row = played.row(0, named=True)
    return {"board": row["board"], "pair": row["ns"], "other": row["ew"]}


def found(session: Session, entries: tuple[str, ...]) -> list[Found]:
    values = first_of(session)
    text = "".join(f'[[corrections]]\nwhy = "x"\n{entry.format(**values)}\n' for entry in entries)
    read_file = parse_corrections(SettingsFile(Path("a.corrections.toml"), text), "a.corrections.toml")
    assert () == read_file.findings
    return [Found(read_file)]


@pytest.mark.parametrize(("number", "name"), [*enumerate(sorted(path.name for path in FIXTURES.iterdir()))])
@pytest.mark.sweep(2)
@pytest.mark.slow
def test_nothing_raises_and_nothing_is_lost(number: int, name: str) -> None:
    """Each entry is tried alone with some files, or with all on request, and together with the others."""
    session = read([str(FIXTURES / name)])
    alone = ENTRIES if ALL else ENTRIES[number // 2 % 7 :: 7]
    for entries in (*((entry,) for entry in alone), ENTRIES):
        after, rulings = correct(session, found(session, entries))
        told = after.problems.filter(pl.col("code").str.starts_with("correction-") & (pl.col("severity") == "error"))
        assert len(entries) == after.corrections.height
        assert len(told) == (~after.corrections["applied"]).sum()
    scoring = rulings.on(Config().scoring)
    judged = evaluate(after, Config().model_copy(update={"scoring": scoring}))
    assert judged.results.height == after.results.height
