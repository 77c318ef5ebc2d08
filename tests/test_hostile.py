"""Files that nobody writes in good faith: checked in bounded memory, and said to be what they are."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

MOST_MEMORY = 2_000_000_000
"""Bytes that a check may take, whatever the file holds."""

CHECK = """
import sys
from pathlib import Path
from overtrick.apps.cli import main
try:
    main()
finally:
    # The peak that `resource` gives is also that of the process which started this one.
    status = Path("/proc/self/status").read_text().split()
    print(int(status[status.index("VmHWM:") + 1]) * 1024, file=sys.stderr)
"""

MILLION = 1_000_000


def line_of_200_mb() -> Iterator[bytes]:
    yield b'[Board "1"]\n[Event "'
    yield from [b"x" * MILLION] * 200
    yield b'"]\n[Site "Leeds"]\n'


def play_of_200_mb_on_one_line() -> Iterator[bytes]:
    yield b'[Board "1"]\n[Play "N"]\n'
    yield from [b"S2 " * MILLION] * 66


def many_tags() -> Iterator[bytes]:
    yield from (b'[Tag%d "x"]\n' % number for number in range(MILLION // 4))


def many_equal_tags() -> Iterator[bytes]:
    yield b'[Event "x"]\n' * (MILLION // 4)


def nested_braces() -> Iterator[bytes]:
    yield b'[Board "1"]\n' + b"{" * MILLION + b"\n" + b"}" * MILLION + b'\n\n[Board "2"]\n'


def nul_bytes() -> Iterator[bytes]:
    yield b'[Board "1"]\n' + b"; a comment \n" * 1000
    yield from [b"\0" * MILLION] * 50


def comment_without_end() -> Iterator[bytes]:
    yield b'[Board "1"]\n\n' * 10_000 + b"{ for ever\n\n" * MILLION


def tag_without_end() -> Iterator[bytes]:
    yield b'[Board "1"]\n[' + b"\n" * 10 * MILLION


def empty_lines_and_a_word() -> Iterator[bytes]:
    yield b"\n" * 10 * MILLION + b"word"


def million_broken_tags() -> Iterator[bytes]:
    yield b'[Board "1"]\n' + b"[\n" * MILLION


def table_of_100_000_columns() -> Iterator[bytes]:
    names = b";".join(b"Name%d" % number for number in range(100_000))
    yield b'[Board "1"]\n[ScoreTable "' + names + b'"]\n' + b"1 " * 100_000 + b"\n"


def blanks_in_a_tag_that_is_not_closed() -> Iterator[bytes]:
    yield b'[Event "' + b" " * MILLION + b"x\n"


def table_of_strings_that_are_not_closed() -> Iterator[bytes]:
    yield b'[Board "1"]\n[ScoreTable "Rank;Score"]\n' + b'\\"' * (MILLION // 2) + b"\n"


def table_of_a_million_cells_on_one_line() -> Iterator[bytes]:
    yield b'[Board "1"]\n[ScoreTable "Rank;Score"]\n' + b"1 " * MILLION + b"\n"


HOSTILE: dict[str, tuple[Callable[[], Iterator[bytes]], str]] = {
    "a line of 200 MB": (line_of_200_mb, "file-too-long"),
    "a play of 200 MB on one line": (play_of_200_mb_on_one_line, "file-too-long"),
    "250,000 tags in a game": (many_tags, "pbn-tag-unknown"),
    "one tag 250,000 times": (many_equal_tags, "pbn-tag-repeated"),
    "nested braces": (nested_braces, "stray-text"),
    "zero bytes": (nul_bytes, "file-too-long"),
    "a comment without end": (comment_without_end, "pbn-comment-unclosed"),
    "a tag without end": (tag_without_end, "pbn-tag-broken"),
    "ten million empty lines and a word": (empty_lines_and_a_word, "stray-text"),
    "a broken tag a million times": (million_broken_tags, "pbn-damaged"),
    "a table of 100,000 columns": (table_of_100_000_columns, "pbn-character"),
    "a million blanks in a tag that is not closed": (blanks_in_a_tag_that_is_not_closed, "pbn-tag-unclosed"),
    "a table of strings that are not closed": (table_of_strings_that_are_not_closed, "pbn-tag-broken"),
    "a table of a million cells on one line": (table_of_a_million_cells_on_one_line, "pbn-character"),
}


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is measured as Linux tells it")
@pytest.mark.parametrize(("content", "code"), HOSTILE.values(), ids=HOSTILE)
@pytest.mark.sweep(2)
def test_a_hostile_file_is_checked_in_bounded_memory(
    tmp_path: Path, content: Callable[[], Iterator[bytes]], code: str
) -> None:
    path = tmp_path / "hostile.pbn"
    with path.open("wb") as file:
        file.writelines(content())
    command = [sys.executable, "-c", CHECK, "check", str(path), "--format", "json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    path.unlink()
    assert "Traceback" not in done.stderr
    assert code in {problem["code"] for problem in json.loads(done.stdout)["problems"]}
    assert MOST_MEMORY > int(done.stderr.split()[-1])
