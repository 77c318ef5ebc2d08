"""What the files of a season hold."""

import os
from pathlib import Path

import pytest

from overtrick.inbox.looks import Looks, open_readings
from tests.support.commands import FIXTURES


@pytest.mark.parametrize("changes", [False, True])
def test_a_reading_is_used_once_and_only_if_its_file_is_as_it_was(tmp_path: Path, *, changes: bool) -> None:
    path = tmp_path / "evening.pbn"
    path.write_bytes((FIXTURES / "line-rounding.pbn").read_bytes())
    looks = Looks()
    assert [("evening", [path])] == looks.group([path])
    if changes:
        os.utime(path, ns=(1, 1))
    sources = [part.sources["source"].to_list() for part in open_readings(looks.take_readings([path]))]
    assert sources == ([] if changes else [[str(path)]])
    assert () == looks.take_readings([path])
