"""Tables of an Access database: through `mdb-export` of mdbtools where it is installed, else through access-parser.

mdbtools reads every version of Jet. access-parser needs only Python, which helps on machines without a package
manager; it takes far longer, some seconds for a club's evening.
"""

import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Timer
from typing import Final

import polars as pl

from overtrick.problems import Finding

HELPER: Final = "mdb-export"

_SIGNATURES: Final = (b"Standard Jet DB", b"Standard ACE DB")
_LONGEST: Final = 10
"""Seconds for one table; a club's takes a hundredth of a second, or half a second without mdbtools."""
_LARGEST: Final = 100_000_000
"""Bytes of one table as text."""


def is_jet(head: bytes) -> bool:
    """Report whether a file is an Access database."""
    return head[4:19] in _SIGNATURES


def read_tables(data: bytes, names: Iterable[str]) -> dict[str, pl.DataFrame] | Finding:
    """Read tables of a database.

    Args:
        data: the bytes of the file.
        names: of the tables; those that the file lacks are left out.

    Returns:
        By name a frame of text, null for empty cells, dates as `YYYY-MM-DD HH:MM:SS`; or the reason why there is none.
    """
    read = {}
    with TemporaryDirectory(prefix="overtrick-") as folder:
        path = Path(folder) / "database.bws"
        path.write_bytes(data)
        for name in names:
            try:
                text = _export(path, name)
            except _HelperBrokeError:
                return Finding("bws-unreadable")
            if text and (frame := _frame(text)) is not None:
                read[name] = frame
    return read or Finding("bws-unreadable")


class _HelperBrokeError(Exception):
    """The helper crashed or had to be stopped: a damaged file can send it in circles."""


def _command(path: Path, table: str) -> list[str]:
    helper = shutil.which(HELPER)
    if helper:
        return [helper, "-D", "%Y-%m-%d", "-T", "%Y-%m-%d %H:%M:%S", str(path), table]
    return [sys.executable, "-X", "utf8", str(Path(__file__).with_name("access.py")), str(path), table]


def _export(path: Path, table: str) -> bytes | None:
    """Run the helper with bounds on time and size: the file comes from strangers.

    Raises:
        _HelperBrokeError: it went beyond one of them, or crashed.
    """
    with subprocess.Popen(_command(path, table), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        timer = Timer(_LONGEST, process.kill)
        timer.start()
        try:
            text = process.stdout.read(_LARGEST) if process.stdout else b""
            if len(text) < _LARGEST:
                process.wait()
        finally:
            timer.cancel()
            process.kill()
    if process.returncode < 0:
        raise _HelperBrokeError
    return text if process.returncode == 0 else None


def _frame(text: bytes) -> pl.DataFrame | None:
    try:
        return pl.read_csv(text, infer_schema=False, encoding="utf8-lossy", truncate_ragged_lines=True)
    except pl.exceptions.PolarsError:
        return None
