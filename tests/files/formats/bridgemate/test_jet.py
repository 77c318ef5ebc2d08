"""Reading the tables of a database: bounds on time and memory, and what is said of tables that can't be read."""

import os
import sys
from pathlib import Path

import pytest

from overtrick.files.formats.bridgemate import jet
from overtrick.files.formats.bridgemate.jet import read_tables
from overtrick.files.formats.bridgemate.reader import read_bws
from tests.support.bridgemate import HEAD, SECTION, install_helper, received
from tests.support.reading import codes

RESULT = "1,1,2,3,4,7,8,8,E,4 S x,-1,ST,,0"

LIBRARY = """
class Header:
    number_of_rows = 2


class Table:
    table_header = Header()

    def __init__(self, name):
        self.name = name

    def parse(self):
        if self.name == "Greedy":
            return bytes(4_000_000_000)
        if self.name == "Torn":
            return {"A": [1, 2], "B": [1]}
        return {"A": [1, 2] if self.name == "Whole" else [1]}


class AccessParser:
    catalog = ("Whole", "Short", "Torn", "Greedy")

    def __init__(self, path):
        pass

    def get_table(self, name):
        return Table(name)
"""


def replace_helper(folder: Path, code: str) -> None:
    """Make the stand-in of `mdb-export` run some code before it prints a table."""
    helper = folder / "mdb-export"
    first, *rest = helper.read_text("utf-8").splitlines(keepends=True)
    helper.write_text("".join([first, code, "\n", *rest]), "utf-8")


@pytest.mark.skipif(os.name == "nt", reason="Windows does not limit memory")
def test_a_table_that_cannot_be_read_is_named_and_the_others_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "access_parser.py").write_text(LIBRARY, encoding="utf-8")
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    read = read_tables(HEAD, ["Whole", "Short", "Torn", "Greedy", "Absent"])
    assert {"Whole": 2, "Short": 1} == {name: len(frame) for name, frame in read.frames.items()}
    assert [
        ("file-cut/rows", {"table_name": "Short", "stated": 2, "rows": 1}),
        ("file-cut/table", {"table_name": "Torn"}),
        ("file-cut/table", {"table_name": "Greedy"}),
    ] == [(finding.code, finding.values) for finding in read.findings]


@pytest.mark.skipif(os.name == "nt", reason="Windows does not limit processor time")
@pytest.mark.slow
def test_results_that_were_read_count_when_another_table_takes_too_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_helper(tmp_path, monkeypatch, {"Section": SECTION, "ReceivedData": received(RESULT)})
    replace_helper(tmp_path, "import sys\nwhile sys.argv[-1] == 'RoundData': pass")
    monkeypatch.setattr(jet, "_limit", lambda _size: 1)
    reading = read_bws(HEAD)
    assert [4] == reading.results["level"].to_list()
    assert ["file-cut"] == codes(reading.problems)
    assert "RoundData, PlayerNumbers" in reading.problems["message"][0]


@pytest.mark.slow
def test_a_helper_that_sleeps_is_stopped_by_the_clock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on Windows, where processor time has no limit, and whose statuses say nothing about a kill."""
    install_helper(tmp_path, monkeypatch, {"Section": SECTION, "ReceivedData": received(RESULT)})
    replace_helper(tmp_path, "import sys, time\nif sys.argv[-1] == 'RoundData': time.sleep(5)")
    monkeypatch.setattr(jet, "_limit", lambda _size: 1)
    monkeypatch.setattr(jet, "_PATIENCE", 2)
    reading = read_bws(HEAD)
    assert (1, ["file-cut"]) == (len(reading.results), codes(reading.problems))


def test_a_helper_that_is_killed_is_no_slow_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install_helper(tmp_path, monkeypatch, {"Section": SECTION, "ReceivedData": received(RESULT)})
    replace_helper(tmp_path, "import os, sys\nif sys.argv[-1] == 'RoundData': os.kill(os.getppid(), 9)")
    assert ["file-cut"] == codes(read_bws(HEAD).problems)


@pytest.mark.parametrize(("size", "code"), [(2047, "file-cut"), (2048, "file-damaged"), (4096, "file-damaged")])
def test_a_file_that_ends_within_a_page_is_cut_off(size: int, code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert [code] == codes(read_bws(HEAD.ljust(size, b"\0")[:size]).problems)


def test_mdbtools_says_how_many_rows_there_should_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install_helper(tmp_path, monkeypatch, {"Section": SECTION, "ReceivedData": received(RESULT)})
    counter = tmp_path / "mdb-count"
    counter.write_text(f"#!{sys.executable}\nimport sys\nprint(3 if sys.argv[-1] == 'ReceivedData' else 1)\n", "utf-8")
    counter.chmod(0o755)
    reading = read_bws(HEAD)
    assert (1, ["file-cut"]) == (len(reading.results), codes(reading.problems))
