"""Files of every format, and what is read from them: what promises that hold everywhere are tried on."""

from collections.abc import Sequence
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any, Final

import polars as pl

from overtrick.core.config import Config
from overtrick.core.frames import FRAMES, Session
from overtrick.files.formats.registry import FORMATS
from tests.support import one_evening as one
from tests.support.commands import FIXTURES
from tests.support.evaluating import evaluate

OF_BYTES: Final = frozenset({".ac3", ".bri", ".bws", ".cds", ".dge", ".dup", ".rzd", ".xlsx", ".zrd"})
"""Files that are not text."""

ABOUT_BYTES: Final = ("pbn-byte-order-mark", "file-charset", "file-no-mark", "file-charset")
"""Problems that are about the encoding of a file."""


@cache
def written_evenings() -> dict[str, bytes]:
    """Return one evening, with accents in its names, as every writer writes it, by file name."""
    import tempfile  # noqa: PLC0415 - once

    with tempfile.TemporaryDirectory() as folder:
        lines = one.play()
        table = one.write_csv(Path(folder) / "evening.csv", lines)
        accented = table.read_text("utf-8").replace("Cy Dunn", "Cý Dünn").replace("Di Eads", "Dí O'Eads")
        table.write_text(accented, "utf-8")
        deals = one.write_deals(Path(folder) / "evening.pbn", lines)
        session = evaluate([str(table), str(deals)], Config())
    named = [(f"written-{known.name.replace(' ', '-')}{(*known.suffixes, '')[0]}", known) for known in FORMATS]
    return {name: known.write(session).content for name, known in named if known.write}


@cache
def all_files() -> dict[str, bytes]:
    """Return the fixtures, and an evening as every writer writes it, by file name."""
    return {path.name: path.read_bytes() for path in sorted(FIXTURES.iterdir())} | written_evenings()


def text_files() -> dict[str, str]:
    """Return those of all files that are text, with LF for line ends."""
    texts = {name: data for name, data in all_files().items() if Path(name).suffix.lower() not in OF_BYTES}
    return {name: _decoded(data).replace("\r\n", "\n") for name, data in texts.items()}


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def put(folder: Path, files: dict[str, bytes]) -> list[Path]:
    """Write files to a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return [folder / name for name in files]


def frames_of(session: Session, folder: Path | None = None) -> dict[str, Any]:
    """Return the frames and facts of a session, without the folder in the names of its files."""
    frames: dict[str, Any] = {name: getattr(session, name) for name in FRAMES}
    if folder:
        frames = {name: _without(frame, f"{folder}/") for name, frame in frames.items()}
    # Which entry set what belongs to the corrections, as their frame does.
    facts = {part.name: getattr(session.facts, part.name) for part in fields(session.facts) if part.name != "set_by"}
    return frames | {"facts": {name: str(value).replace(f"{folder}/", "") for name, value in facts.items()}}


def _without(frame: pl.DataFrame, folder: str) -> pl.DataFrame:
    texts = [name for name, dtype in frame.schema.items() if dtype == pl.String]
    return frame.with_columns(pl.col(texts).str.replace_all(folder, "", literal=True))


def read_all(paths: Sequence[Path]) -> dict[str, Any]:
    """Return what is read from files of one folder, evaluated; nothing about their bytes."""
    frames = frames_of(evaluate([str(path) for path in paths], Config()), paths[0].parent)
    about_bytes = pl.col("code").is_in(ABOUT_BYTES)
    sources = frames["sources"].drop("encoding", "size", "sha256")
    return frames | {"problems": frames["problems"].filter(~about_bytes), "sources": sources}


def differences(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    """Return where two sets of frames differ: `results.tricks: 9 -> 10`, at most one line a column."""
    found = []
    for name, old in before.items():
        new = after[name]
        if isinstance(old, dict):
            found += [f"{name}.{key}: {old[key]} -> {new[key]}" for key in old if old[key] != new[key]]
        elif old.height != new.height:
            codes = f" {sorted(set(old['code']) ^ set(new['code']))}" if name == "problems" else ""
            found.append(f"{name}: {old.height} rows -> {new.height} rows{codes}")
        else:
            found += [_difference(name, old[column], new[column]) for column in old.columns]
    return [line for line in found if line]


def _difference(frame: str, old: pl.Series, new: pl.Series) -> str:
    if old.equals(new):
        return ""
    pairs = zip(old.to_list(), new.to_list(), strict=True)
    one, other = next(((a, b) for a, b in pairs if a != b), ("", "other types"))
    return f"{frame}.{old.name}: {one} -> {other}"
