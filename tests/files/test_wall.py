"""What is read from each of our own files, broken ones too, column by column, and how it is scored: as before.

Other tests say what is right; this one says that nothing else has changed.
"""

import random
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl
import pytest

from overtrick.core.config import Config
from overtrick.core.frames import Session
from overtrick.files.formats.form import Format
from overtrick.files.formats.registry import FORMATS
from tests.support.commands import FIXTURES
from tests.support.evaluating import evaluate
from tests.support.everything import OF_BYTES, all_files, put, read_all
from tests.support.fuzz import CORPUS, broken
from tests.support.golden import assert_as_before, assert_section_as_before, columns_of, folded
from tests.support.wall_evenings import TEXTS

SEEDS = 4
"""Ways in which each file is broken at random."""
TOLD_IN_ITEMS = "items"
"""A frame that repeats the file as it is written."""
MADE = {f"{name}.csv": text().encode() for name, text in TEXTS.items()}
BROKEN = {path.name: path.read_bytes() for path in sorted(CORPUS.iterdir())}


def told(name: str, data: bytes, folder: Path) -> str:
    """Return what is read from one file as lines."""
    frames = read_all(put(folder, {name: data}))
    items = frames.pop(TOLD_IN_ITEMS)
    return "\n".join([*columns_of(frames), f"items: {len(items)}", ""])


@pytest.mark.parametrize("name", [*all_files(), *MADE])
def test_a_file_is_read_as_before(name: str, tmp_path: Path) -> None:
    assert_as_before(f"read/{name}.txt", told(name, (MADE | all_files())[name], tmp_path))


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_is_read_as_before(name: str, tmp_path: Path) -> None:
    assert_as_before(f"read/broken/{name}.txt", told(name, BROKEN[name], tmp_path))


@pytest.mark.sweep(4)
@pytest.mark.parametrize("seed", range(SEEDS))
@pytest.mark.parametrize("name", [path.name for path in sorted(FIXTURES.iterdir())])
def test_a_file_that_is_broken_at_random_is_read_as_before(name: str, seed: int, tmp_path: Path) -> None:
    data = broken(all_files()[name], random.Random(f"{name} {seed}"))
    frames = {frame: digest(rows) for frame, rows in read_all(put(tmp_path, {name: data})).items()}
    assert_section_as_before(
        "read/at-random.txt", f"{name} {seed}", [f"{frame}: {rows}" for frame, rows in frames.items()]
    )


def digest(rows: pl.DataFrame | dict[str, str]) -> str:
    """Return a short text for the rows of a frame, with their number and the codes of problems."""
    if isinstance(rows, dict):
        return sha256(str(rows).encode()).hexdigest()[:12]
    codes = f" {folded(rows['code'].to_list())}" if "code" in rows.columns else ""
    text = "\n".join(columns_of({"rows": rows}))
    return f"{len(rows)} {sha256(text.encode()).hexdigest()[:12]}{codes}"


@cache
def made_evening(name: str) -> tuple[str, Session]:
    """Return the folder of an evening of `TEXTS`, and the evening; it stays the same for all formats."""
    with TemporaryDirectory() as folder:
        [path] = put(Path(folder), {f"{name}.csv": MADE[f"{name}.csv"]})
        return folder, evaluate([str(path)], Config())


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize(
    "known", [known for known in FORMATS if known.write and known.name != "xlsx"], ids=lambda known: known.name
)
def test_an_evening_is_written_as_before(known: Format, name: str, tmp_path: Path) -> None:
    assert known.write
    source, session = made_evening(name)
    data = known.write(session).content.replace(source.encode(), b"")
    binary = known.suffixes and known.suffixes[0] in OF_BYTES
    text = f"{len(data)} bytes, {sha256(data).hexdigest()}" if binary else data.decode("utf-8", "backslashreplace")
    assert_as_before(f"written/{name}-{known.name.replace(' ', '-')}.txt", text.replace("\r\n", "\n"))
    again = read_all(put(tmp_path / "again", {f"again{(*known.suffixes, '')[0]}": data}))
    lines = [line for line in columns_of(again) if line.startswith(("results", "contestants", "records", "standings"))]
    assert_section_as_before("written/read-again.txt", f"{known.name} {name}", lines)
