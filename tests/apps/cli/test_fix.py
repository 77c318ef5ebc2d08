"""`overtrick fix`."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.commands import FIXTURES, run, start

ODD = b'[Board "1"]\r\n[Dealer "N"]\n[Contract "3N"]\r\n'
EVEN = b'[Board "1"]\r\n[Dealer "N"]\r\n[Contract "3NT"]\r\n'


@pytest.fixture
def odd(tmp_path: Path) -> Path:
    """Write a file that can be mended."""
    path = tmp_path / "odd.pbn"
    path.write_bytes(ODD)
    return path


def test_a_diff_is_printed_and_nothing_is_written(odd: Path) -> None:
    for options in ([], ["--diff"]):
        ran = run("fix", odd, *options)
        assert 1 == ran.status
        assert '-[Contract "3N"]' in ran.out
        assert "pbn-line-ends 1, pbn-spelling 1" in ran.err
        assert ODD == odd.read_bytes()


def test_the_file_is_written_on_request_and_a_second_run_finds_nothing(odd: Path) -> None:
    assert 0 == run("fix", "--write", odd).status
    assert EVEN == odd.read_bytes()
    again = run("fix", odd)
    assert (0, "", "nothing to mend\n") == (again.status, again.out, again.err)


@pytest.mark.skipif(shutil.which("patch") is None, reason="needs the program patch")
@pytest.mark.slow
def test_the_diff_can_be_applied(odd: Path) -> None:
    diff = start("fix", odd).out
    subprocess.run(["patch", "--binary", "-s", odd], input=diff.encode(), check=True)
    assert EVEN == odd.read_bytes()


@pytest.mark.slow
def test_standard_input_is_mended_but_not_written() -> None:
    assert b"3NT" in start("fix", "-", given=ODD).out.encode()
    assert 2 == start("fix", "--write", "-", given=ODD).status


def test_both_options_are_wrong_usage(odd: Path) -> None:
    assert 2 == run("fix", "--diff", "--write", odd).status


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    ran = run("fix", tmp_path / "no.pbn")
    assert (2, True) == (ran.status, "no.pbn: there is no such file or folder" in ran.err)


def test_files_of_other_formats_stay_as_they_are() -> None:
    files = [FIXTURES / name for name in ("spring-pairs.csv", "spring-pairs.xml", "spring-pairs.dup")]
    before = [path.read_bytes() for path in files]
    ran = run("fix", "--write", *files)
    assert (0, len(files)) == (
        ran.status,
        ran.err.count("fix mends PBN and LIN of at most 64 MiB; this file stays as it is"),
    )
    assert "nothing to mend" not in ran.err
    assert before == [path.read_bytes() for path in files]
