"""A correction that is taken back leaves nothing: pages and scores are as before, and so are the other entries."""

import random
from pathlib import Path

import pytest

from overtrick.core.config import Config
from tests.promises.test_corrections import targets
from tests.support.commands import FIXTURES, run
from tests.support.desk import visit
from tests.support.evaluating import evaluate
from tests.support.sites import differing, read_folder
from tests.support.sweeps import ALL

KINDS = {
    "contract": ("--contract", "6NTX", "--by", "N", "--tricks", "7"),
    "score": ("--score", "110"),
    "swap": ("--swap",),
    "not played": ("--not-played",),
    "award": ("--award", "60%", "40%"),
    "delete": ("--delete",),
    "lead": ("--lead", "D7"),
}
WITHOUT_RESULTS = {
    *("big-deal.csv", "empty.pbn", "no-games.pbn", "rubber.csv", "salliere-names.csv", "spring-pairs.dup")
}
"""Files with nothing to correct; reading all files to find them would take each process that runs tests seconds."""
FILES = sorted(path for path in FIXTURES.iterdir() if path.is_file() and path.name not in WITHOUT_RESULTS)
CASES = [(path, kind) for path in FILES for kind in KINDS]


def pages(source: Path, out: Path) -> dict[str, bytes]:
    """Return the pages of an evening that is published for the first time, and what score prints of it."""
    run("bulletin", source, "--out", out, "--no-pdf", "--no-dd")
    return read_folder(out) | {"score": run("score", source, "--format", "json").out.encode()}


@pytest.mark.slow
def test_every_file_with_results_is_tried() -> None:
    read = {path.name: evaluate([str(path)], Config()) for path in FIXTURES.iterdir() if path.is_file()}
    assert WITHOUT_RESULTS == {name for name, session in read.items() if not targets(session)}


@pytest.mark.parametrize(("path", "kind"), CASES if ALL else random.Random(35).sample(CASES, 1))
def test_what_is_undone_leaves_the_pages_as_they_were(path: Path, kind: str, tmp_path: Path) -> None:
    """An entry about the event comes first and stays; the result is corrected, and that is undone."""
    source = tmp_path / path.name
    source.write_bytes(path.read_bytes())
    session = evaluate([str(source)], Config())
    row = session.results.row(targets(session)[0], named=True)
    about = ["--board", str(row["board"]), "--pair", str(row["player_n"] or row["ns"]), "--direction", "NS"]
    for option in ("section", "round", "table"):
        about += [f"--{option}", row[option]] if row[option] else []
    assert run("correct", source, "--title", "Another title", "--why", "a slip").status < 2
    entries = source.with_name(f"{source.stem}.corrections.toml")
    before, kept = pages(source, tmp_path / "before"), entries.read_bytes()
    done = run("correct", source, *about, *KINDS[kind], "--why", "a slip")
    assert done.status < 2, done.err
    assert before != pages(source, tmp_path / "corrected")
    corrected = entries.read_bytes()
    assert run("correct", source, "--take-back", "2").status < 2
    assert before == pages(source, tmp_path / "taken-back")
    assert run("correct", source, "--put-again", "2").status < 2
    assert corrected == entries.read_bytes()
    assert run("correct", source, "--undo").status < 2
    assert kept == entries.read_bytes()
    assert [] == differing(before, pages(source, tmp_path / "after"))


def test_entries_that_a_person_edits_while_the_desk_runs_count_at_once(tmp_path: Path) -> None:
    (tmp_path / "tuesday.csv").write_bytes((FIXTURES / "spring-pairs.csv").read_bytes())
    scorer, entries = visit(tmp_path), tmp_path / "tuesday.corrections.toml"
    assert "Ann Lark" not in scorer.get("/evening/tuesday/people").text
    entries.write_text('[[corrections]]\nplayer = { from = "Ada Quill", to = "Ann Lark" }\nwhy = "misspelt"\n', "utf-8")
    assert "Ann Lark" in scorer.get("/evening/tuesday/people").text
    entries.unlink()
    assert "Ann Lark" not in scorer.get("/evening/tuesday/people").text
    assert "Ada Quill" in scorer.get("/evening/tuesday/people").text
