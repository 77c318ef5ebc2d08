"""Broken files that were found by breaking sound ones, each named after the problem that it draws."""

from pathlib import Path

import pytest

from overtrick.files.assemble import read
from tests.support.fuzz import CORPUS


@pytest.mark.parametrize("path", sorted(CORPUS.iterdir()), ids=lambda path: path.name)
def test_a_broken_file_draws_its_problem(path: Path) -> None:
    assert path.name.partition(".")[0] in read([str(path)], verified=True).problems["code"]
