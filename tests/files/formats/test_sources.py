"""The bytes of files, block by block, and work that goes on while the next block comes."""

from hashlib import sha256
from io import BytesIO

import pytest

from overtrick.core.machine import work_ahead
from overtrick.files.formats.text import Source


def test_a_long_file_comes_in_parts_of_one_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("overtrick.files.formats.text.BLOCK", 90)
    data = bytes(range(250))
    source = Source(BytesIO(data))
    assert data == b"".join(source.look())
    blocks = list(source.blocks())
    assert [50] * 5 == [len(block) for block in blocks]
    assert (data, sha256(data).hexdigest()) == (b"".join(blocks), source.sha256)


def test_what_is_worked_ahead_comes_in_its_order() -> None:
    assert [0, 1, 4, 9, 16] == list(work_ahead(lambda item: item * item, range(5), 2))


def test_a_failure_ahead_is_raised_where_its_result_is_due() -> None:
    done = work_ahead(lambda item: 1 // item, [1, 0])
    assert 1 == next(done)
    with pytest.raises(ZeroDivisionError):
        next(done)
