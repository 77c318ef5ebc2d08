"""Tables of an Access database, read by a process of its own (`access.py`) with bounds on time and memory.

The file comes from strangers, and a damaged one may send its reader in circles. Tables that were read before the
process had to be stopped count, and overtrick reports the others.
"""

import json
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Timer
from typing import Any, Final

import polars as pl

from overtrick.core.problems import Finding
from overtrick.files.formats.bridgemate.access import OUT_OF_TIME

_PAGES: Final = {0: 2048}
"""Bytes of a page by the version in the file's header; of all other versions 4096."""

MEMORY: Final = 400_000_000
_MEMORY_A_BYTE: Final = 30
"""The most bytes of memory that the process may take, and those for each byte of the file; an evening takes 30 MB."""

_SHORTEST: Final = 8
_SECONDS_A_MEGABYTE: Final = 30
"""Seconds of processor time, whatever else the machine does. A megabyte takes two on an ordinary machine."""

_PATIENCE: Final = 10
"""How many times longer than its processor time the process may run before it is stopped."""


@dataclass(frozen=True)
class Tables:
    """The tables that could be read of a database.

    Attributes:
        frames: by name a frame of text, null for empty cells, dates as `YYYY-MM-DD HH:MM:SS`.
        findings: a problem for each table that could not be read, or not as a whole.
    """

    frames: dict[str, pl.DataFrame]
    findings: list[Finding]


def read_tables(data: bytes, names: Sequence[str]) -> Tables:
    """Read tables of a database.

    Args:
        data: the bytes of the file.
        names: of the tables, those first that matter most; tables that the database does not have are left out.
    """
    with TemporaryDirectory(prefix="overtrick-") as folder:
        path = Path(folder) / "database.bws"
        path.write_bytes(data)
        answer, seconds = _run_helper(path, names)
    read = _read_answer(answer)
    findings = read.findings
    if read.opened is None:
        stopped = "file-cut/slow" if seconds else "file-cut/stopped"
        unread = ", ".join(name for name in names if name not in read.told)
        findings = [Finding(stopped, values={"seconds": seconds, "tables": unread}), *findings]
    elif not read.frames:
        # Not a table of this kind is in it, or all are damaged alike.
        findings = []
    if (findings or not read.frames) and len(data) % _PAGES.get(int.from_bytes(data[20:21]), 4096):
        findings = [Finding("file-cut/database"), *findings]
    return Tables(read.frames, findings)


def _limit(size: int) -> int:
    """Return the seconds of processor time for a file of this many bytes."""
    return _SHORTEST + _SECONDS_A_MEGABYTE * size // 1_000_000


def _run_helper(path: Path, names: Sequence[str]) -> tuple[bytes, int]:
    """Return what the process wrote, and the seconds of the limit that it ran into; 0 if it ran into none."""
    size = path.stat().st_size
    seconds, memory = _limit(size), MEMORY + _MEMORY_A_BYTE * size
    program = Path(__file__).with_name("access.py")
    command = [sys.executable, "-X", "utf8", str(program), str(path), str(seconds), str(memory), *names]
    stopped: list[int] = []

    def stop() -> None:
        stopped.append(seconds * _PATIENCE)
        process.kill()

    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        timer = Timer(seconds * _PATIENCE, stop)
        timer.start()
        try:
            answer = process.stdout.read() if process.stdout else b""
            process.wait()
        finally:
            timer.cancel()
            process.kill()
    return answer, stopped[0] if stopped else seconds if _ran_out_of_time(process.returncode) else 0


def _ran_out_of_time(status: int) -> bool:
    return status in {OUT_OF_TIME, -getattr(signal, "SIGXCPU", -OUT_OF_TIME)}


@dataclass
class _Answer:
    """The output of the process.

    Attributes:
        frames: the tables that it read.
        findings: the problems of those that it could not read as a whole.
        told: the names of the tables that it wrote of.
        opened: whether it opened the database; None if it was stopped before its end.
    """

    frames: dict[str, pl.DataFrame] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    told: set[str] = field(default_factory=set)
    opened: bool | None = None


def _read_answer(answer: bytes) -> _Answer:
    read = _Answer()
    while answer:
        head, _, answer = answer.partition(b"\n")
        line = _parse(head)
        if "opened" in line:
            read.opened = bool(line["opened"])
        elif "table" in line:
            length = line["length"] or 0
            if length > len(answer):
                break
            _take(read, line, answer[:length])
            answer = answer[length:]
    return read


def _parse(head: bytes) -> dict[str, Any]:
    """Return the keys of a line; none for one that was cut short."""
    try:
        line = json.loads(head)
    except ValueError:
        return {}
    return line if isinstance(line, dict) else {}


def _take(read: _Answer, line: dict[str, Any], content: bytes) -> None:
    """Take a table."""
    name = line["table"]
    read.told.add(name)
    if line["missing"]:
        return
    frame = _frame(content) if content else None
    if frame is None:
        read.findings.append(Finding("file-cut/table", values={"table_name": name}))
        return
    read.frames[name] = frame
    if (line["stated"] or 0) > len(frame):
        rows = {"table_name": name, "stated": line["stated"], "rows": len(frame)}
        read.findings.append(Finding("file-cut/rows", values=rows))


def _frame(text: bytes) -> pl.DataFrame | None:
    try:
        return pl.read_csv(text, infer_schema=False, encoding="utf8-lossy", truncate_ragged_lines=True)
    except pl.exceptions.PolarsError:
        return None
