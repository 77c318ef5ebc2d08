"""A corrected session written in another form, and read again."""

from pathlib import Path

import polars as pl
import pytest

from overtrick.core.config import Config
from tests.support.commands import FIXTURES, run
from tests.support.evaluating import evaluate
from tests.support.evenings import KINDS

ENTRIES = """
[[corrections]]
board = 1
pair = "{1}"
contract = "4H"
by = "N"
tricks = 9
why = "x"

[[corrections]]
board = 2
pair = "{2}"
delete = true
why = "x"

[[corrections]]
pair = "{3}"
name = "Jo Thorn - Kim Vale"
why = "x"

[[corrections]]
title = "Spring Final"
why = "x"

[[corrections]]
date = 2026-03-08
why = "x"
"""


def shown(path: Path) -> tuple[list[tuple[object, ...]], list[tuple[object, ...]], object, object]:
    session = evaluate([str(path)], Config())
    results = session.results.filter(pl.col("score_ns").is_not_null())
    lines = results.select("board", "level", "strain", "declarer", "tricks", "score_ns").sort(pl.all()).rows()
    totals = session.standings.select("rank", pl.col("total").round(3)).rows()
    return lines, totals, session.facts.event, session.facts.date


@pytest.mark.parametrize("target", ["again.pbn", "again.xml", "again.lin"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.slow
@pytest.mark.sweep(2)
def test_what_is_written_is_the_corrected_session(
    kind: str, target: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening = KINDS[kind](tmp_path, monkeypatch)
    if kind == "lin" and target != "again.lin":
        pytest.skip("a LIN file alone keeps a board with fewer results on its own top")
    text = ENTRIES.format("", *(evening.called[str(pair)] for pair in range(1, 7)))
    evening.path.with_name("tuesday.corrections.toml").write_text(text, "utf-8")
    (tmp_path / "out").mkdir()
    done = run("convert", evening.path, tmp_path / "out" / target)
    assert done.status in {0, 1}, done.err
    corrected, written = shown(evening.path), shown(tmp_path / "out" / target)
    assert corrected[0] == written[0]
    if kind != "lin":
        assert corrected[1:] == written[1:]
        assert "Jo Thorn" in (tmp_path / "out" / target).read_text("latin-1")


def test_a_file_of_pbn_keeps_what_the_corrections_are_not_about(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening = KINDS["games"](tmp_path, monkeypatch)
    run("correct", evening.path, "--title", "Final", "--why", "x")
    run("convert", evening.path, tmp_path / "out.pbn")
    text = (tmp_path / "out.pbn").read_text("latin-1")
    assert (6, 6, 0) == (text.count('[Private "kept"]'), text.count('[Event "Final"]'), text.count("Spring Pairs"))


def test_a_file_without_corrections_is_kept_as_it_was(tmp_path: Path) -> None:
    for name in ("club-evening.pbn", "two-rooms.lin"):
        run("convert", FIXTURES / name, tmp_path / name)
        (tmp_path / name.replace(".", "-x.")).write_bytes((FIXTURES / name).read_bytes())
        assert (FIXTURES / name).read_bytes() == (tmp_path / name).read_bytes()
