"""What a file may cost: every reader pays from a budget, and what costs too much is one problem."""

from hashlib import sha256
from pathlib import Path

import pytest

from overtrick.files.formats import base
from overtrick.files.formats.read import read_files
from tests.support.everything import all_files

FILES = {name: data for name, data in all_files().items() if data}


@pytest.mark.parametrize("name", FILES)
def test_every_reader_pays_from_a_budget(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Small texts are read in parts here, as large ones are."""
    path = tmp_path / name
    path.write_bytes(FILES[name])
    monkeypatch.setattr(base, "LONGEST", -1)
    monkeypatch.setitem(base.MOST_PER_FILE, "seconds", (-1, base.MOST_PER_FILE["seconds"][1]))
    parts = list(read_files([str(path)]))
    assert {"file-refused"} == {code for part in parts for code in part.problems["code"]} - ABOUT
    assert [0] * len(parts) == [len(part.records) + len(part.results) for part in parts]
    (source,) = parts[-1].sources.iter_rows(named=True)
    assert (len(FILES[name]), sha256(FILES[name]).hexdigest()) == (source["size"], source["sha256"])


ABOUT = {"file-charset", "file-no-mark", "pbn-byte-order-mark"}
"""Problems of the encoding, which is found before a text is read."""
