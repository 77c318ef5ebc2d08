"""The benchmarks run; their figures are not checked."""

import os
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest

from overtrick.core.config import Scoring
from overtrick.files.assemble import read
from overtrick.judge.analyse import dds, solver
from overtrick.judge.analyse.explain import explain
from tests.benchmarks import field, reading, solving, waiting
from tests.benchmarks.boards import texts, write_boards
from tests.benchmarks.languages import RUST, prepare
from tests.benchmarks.readers import Reading
from tests.benchmarks.report import BEGIN, END, Compared, picture, table
from tests.benchmarks.scheduling import Measured, simulate

ROOT = Path(__file__).parents[2]
PICTURES = ("pbn", "lin", "growth")

FETCHES_NOTHING = "raise SystemExit(sys.argv[1] == 'fetch')"
BUILDS_NOTHING = "raise SystemExit(sys.argv[1] == 'build')"
BUILDS = """
program = Path("target", "release", "boards")
if sys.argv[1] == "build":
    program.parent.mkdir(parents=True)
    read = dict(seconds=0.5, boards=50, megabytes=4)
    program.write_text(f"#!{sys.executable} -IS\\nimport json\\nprint(json.dumps({read}))")
    program.chmod(0o755)
"""


def put_cargo(folder: Path, does: str) -> str:
    """Write a stand-in for cargo; return its folder."""
    folder.mkdir()
    cargo = folder / "cargo"
    cargo.write_text(f"#!{sys.executable} -IS\nimport sys\nfrom pathlib import Path\n{does}")
    cargo.chmod(0o755)
    return str(folder)


@pytest.mark.parametrize(
    ("does", "reason"),
    [
        (None, "cargo is not installed"),
        (FETCHES_NOTHING, "cargo could not fetch it"),
        (BUILDS_NOTHING, "cargo could not build it"),
    ],
)
def test_a_reader_that_cannot_be_made_is_left_out_with_its_reason(
    does: str | None, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", put_cargo(tmp_path / "bin", does) if does else str(tmp_path))
    foreign = prepare(tmp_path)
    assert {} == foreign.commands
    assert [
        "The JavaScript reader was not measured: node is not installed.",
        f"The Rust reader was not measured: {reason}.",
    ] == foreign.notes


def test_a_local_copy_of_the_rust_reader_is_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", put_cargo(tmp_path / "bin", BUILDS))
    foreign = prepare(tmp_path, tmp_path / "library")
    manifest = (tmp_path / "rust" / "Cargo.toml").read_text("utf-8")
    assert f'bridge-encodings = {{ path = "{tmp_path / "library"}" }}' in manifest.splitlines()
    assert "The Rust reader, built from a local copy of its sources, reads every call" in foreign.notes[1]
    monkeypatch.setattr(reading, "PYTHON", {})
    path = write_boards(tmp_path, "lin", 1)
    (rust,) = reading.compare(path, path, 1, foreign)
    assert rust.reading
    assert (RUST, 0.5, 50) == (rust.reader, rust.reading.seconds, rust.reading.boards)


def test_a_faster_reader_is_shown_as_faster() -> None:
    ours, rust = Compared("overtrick", [Reading(2, 100, 9)]), Compared(RUST, [Reading(1, 100, 9)])
    assert "| 0.50 times as fast |" in list(table([ours, rust]))[-1]
    assert "100/s, 2.0 times faster" in picture([ours, rust], "", "")


@pytest.mark.slow
def test_one_command_compares_all_readers_and_overtrick_reads_all_boards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "README.md").write_text("Fast.\n<!-- speed -->\nold\n<!-- end of speed -->\nEnd.\n")
    given = ["--boards", "50", "--runs", "1", "--growth", "100", "200", "--workers", "1"]
    given += ["--out", str(tmp_path), "--readme", str(tmp_path / "README.md")]
    monkeypatch.setenv("PATH", put_cargo(tmp_path / "bin", BUILDS) + os.pathsep + os.environ["PATH"])
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr("sys.argv", ["reading", *given])
    reading.main()
    printed = capsys.readouterr().out
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in printed.splitlines() if "|" in line]
    read_boards = [row[1] for row in rows if row[0].startswith("overtrick") and len(row) == 8]
    assert ["50"] * 4 == read_boards
    assert {"endplay", "bridgebots", "bridge-encodings"} <= {row[0].split(" ")[0] for row in rows}
    assert [("100", "1"), ("200", "1")] == [(row[0], row[1]) for row in rows if row[0] in {"100", "200"}]
    assert printed.startswith((tmp_path / "speed.md").read_text("utf-8"))
    assert all((tmp_path / f"speed-{name}.svg").read_text("utf-8").startswith("<svg") for name in PICTURES)
    begin, shown, end = re.split(r"<!-- .*speed -->\n", (tmp_path / "README.md").read_text("utf-8"))
    assert ("Fast.\n", "End.\n") == (begin, end)
    assert printed.endswith(shown)


@pytest.mark.slow
def test_waiting_is_measured_from_the_files_that_it_makes(monkeypatch: pytest.MonkeyPatch) -> None:
    """All but the readers, which the comparison of readers runs; evenings are of two tables."""
    monkeypatch.setattr(waiting, "reading", lambda *_: Reading(2, 50, 9))
    write = waiting.write_evening
    monkeypatch.setattr(waiting, "write_evening", lambda path, *_: write(path, 2, 1, 2, 0))
    page = waiting.write_page(waiting.Sizes(boards=50, archive=20, evenings=1, files=10), runs=1)
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in page.splitlines() if line.startswith("| ")]
    assert 12 == len(rows)
    assert all(cell.endswith(" s") for row in rows[1:] for cell in row[1:3])


def test_files_of_lin_are_boards_sessions_and_lessons(tmp_path: Path) -> None:
    waiting.write_lin_files(tmp_path / "lin", 10)
    session = read([str(tmp_path / "lin")], "by-file")
    boards = session.records.group_by("source", maintain_order=True).len()["len"].to_list()
    assert [1] * 6 + [waiting.SESSION] * 3 + [1] == boards
    assert not (session.problems["severity"] == "error").any()


def test_the_readme_shows_figures_of_the_page_that_the_suite_wrote() -> None:
    page = (ROOT / "docs" / "speed.md").read_text("utf-8")
    shown = (ROOT / "README.md").read_text("utf-8").split(BEGIN)[1].split(END)[0]
    rows = [[cell.strip() for cell in line.split("|")[1:3]] for line in shown.splitlines() if line.startswith("| ")]
    assert 3 < len(rows)
    assert [] == [row for row in rows[1:] if not any(row[0] in line and row[1] in line for line in page.splitlines())]


def test_both_forms_hold_the_same_boards(tmp_path: Path) -> None:
    pbn, lin = (read([str(write_boards(tmp_path, form, 40))]).records for form in ("pbn", "lin"))
    columns = ["deal", "level", "strain", "declarer", "tricks", "calls", "dealer", "vulnerable"]
    played = pbn["cards"].list.len().fill_null(0) > 0
    assert 30 < played.sum()
    assert pbn.filter(played).select(columns).rows() == lin.filter(played).select(columns).rows()


def test_files_of_an_archive_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.benchmarks.boards.DIFFERENT", 3)
    assert 3 == len(set(texts("pbn", 7)))


@pytest.mark.slow
def test_one_command_compares_the_packages_of_the_solver(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if dds.library() is None:
        pytest.skip("the extra dd is not installed")
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr("sys.argv", ["solving", "--boards", "1", "--tables", "2"])
    solving.main()
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in capsys.readouterr().out.splitlines()]
    assert {"tables", "leads", "traces"} == {row[1] for row in rows if len(row) == 5} - {"solved", "---"}


def test_a_simulated_run_waits_for_the_last_task_of_each_phase() -> None:
    measured = Measured(before=1, each=1, start=2, phases=[[4, 4, 2], [1]])
    # Two workers begin at 3, and end at 7, 7 and 9. The main process takes these outcomes until 10, and the last task
    # is done at 11.
    assert 12 == simulate(measured, 2)
    assert 16 == simulate(measured, 1)


@pytest.fixture(scope="module")
def solved() -> dict[str, bytes]:
    if dds.library() is None:
        pytest.skip("the extra dd is not installed")
    return dict(solver.solve(field.deal_boards(Random(0), field.ROUNDS * field.BOARDS_A_ROUND)))


@pytest.mark.slow
def test_evenings_of_known_skill_tell_the_good_pairs_from_the_poor(solved: dict[str, bytes]) -> None:
    with ThreadPoolExecutor(1) as pool:
        seasons = field.play_seasons(pool, solved, 1, 4, with_cards=False, differ=True)
        even = field.play_seasons(pool, solved, 1, 2, with_cards=False, differ=False)
    rows = [row.split(" | ") for row in field.report("by tricks alone", seasons, even)]
    assert ["bidding", "play"] == [row[1] for row in rows]
    assert all(float(row[3]) > 0.4 for row in rows)


@pytest.mark.slow
def test_cards_of_such_evenings_are_lawful_and_errors_cost_tricks(solved: dict[str, bytes]) -> None:
    poor = {name: [float(name != "bidding")] * 2 * field.TABLES for name in field.SKILLS}
    good = {name: [0.0] * 2 * field.TABLES for name in field.SKILLS}
    for skills, loses in ((good, False), (poor, True)):
        rng = Random(1)
        tables = field.seat_tables(sorted(solved), solved, skills, rng)[:2]
        field.play_cards(tables, skills, rng)
        session = field.evaluate_evening(tables, solved, None)
        assert not any(code.startswith("play-") for code in session.problems["code"])
        costs = explain(session, Scoring(), solver.solve_plays).analysis["costs"].list.len()
        assert [loses, loses] == [count > 0 for count in costs]
