"""What is read from each of our own files, broken ones too, column by column, and how it is scored: as before.

Other tests say what is right; this one says that nothing else has changed.
"""

from pathlib import Path

import pytest

from tests.support.everything import all_files, put, read_all
from tests.support.fuzz import CORPUS
from tests.support.golden import assert_as_before, columns_of

TOLD_IN_ITEMS = "items"
"""A frame that repeats the file as it is written."""
BROKEN = {path.name: path.read_bytes() for path in sorted(CORPUS.iterdir())}


def told(name: str, data: bytes, folder: Path) -> str:
    """Return what is read from one file as lines."""
    frames = read_all(put(folder, {name: data}))
    items = frames.pop(TOLD_IN_ITEMS)
    return "\n".join([*columns_of(frames), f"items: {len(items)}", ""])


@pytest.mark.parametrize("name", all_files())
def test_a_file_is_read_as_before(name: str, tmp_path: Path) -> None:
    assert_as_before(f"read/{name}.txt", told(name, all_files()[name], tmp_path))


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_is_read_as_before(name: str, tmp_path: Path) -> None:
    assert_as_before(f"read/broken/{name}.txt", told(name, BROKEN[name], tmp_path))
