"""Two runs give the same bytes, also with other hash seeds, time zones, locales and numbers of cores."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.support.commands import FIXTURES, ROOT
from tests.support.sites import differing, read_folder
from tests.support.sweeps import ALL

ONE = {"PYTHONHASHSEED": "0", "TZ": "UTC", "LC_ALL": "C", "POLARS_MAX_THREADS": "1"}
OTHER = {"PYTHONHASHSEED": "4711", "TZ": "Asia/Tokyo", "LC_ALL": "tr_TR.UTF-8", "POLARS_MAX_THREADS": "4"}

EVENINGS = [
    ("spring-pairs.csv", "spring-pairs.dup"),
    *((path.name,) for path in sorted(FIXTURES.iterdir()) if not path.name.startswith("spring-pairs")),
]


def written(out: Path, files: Sequence[str], options: Sequence[str], environment: dict[str, str]) -> dict[str, bytes]:
    """Return what a process writes, by the names of the files."""
    command = [sys.executable, "-m", "tests.support.all_outputs", *options, str(out)]
    paths = [str(FIXTURES / name) for name in files]
    cache = {"XDG_CACHE_HOME": str(out.parent / f"cache-{out.name}"), "PYTHONPATH": os.pathsep.join(sys.path)}
    environment = {**os.environ, **environment, **cache}
    done = subprocess.run([*command, *paths], cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert 0 == done.returncode, done.stderr
    return read_folder(out)


def expect_same(tmp_path: Path, files: Sequence[str], *options: str) -> None:
    one = written(tmp_path / "one", files, ["--one-core", *options], ONE)
    other = written(tmp_path / "other", files, options, OTHER)
    assert [] == differing(one, other)


@pytest.mark.slow
def test_a_run_in_another_place_gives_the_same_bytes(tmp_path: Path) -> None:
    expect_same(tmp_path, EVENINGS[0], "--sample", "2")
    assert (tmp_path / "one" / "site" / "bulletin.pdf").exists()


@pytest.mark.slow
@pytest.mark.parametrize("files", EVENINGS if ALL else EVENINGS[1:2], ids=lambda files: files[0])
def test_all_that_is_written_is_the_same_in_another_place(files: Sequence[str], tmp_path: Path) -> None:
    expect_same(tmp_path, files, *(() if ALL else ("--sample", "8")))
