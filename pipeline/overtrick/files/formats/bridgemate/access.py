"""Tables of an Access database as CSV: `python access.py DATABASE SECONDS BYTES TABLE...`.

It runs in a process of its own, which a damaged file may send in circles or make ask for all memory: the process limits
its own processor time and memory. The file is run by its path, not as a module, to load only what it needs.

For each table it writes a line of JSON to standard output and, if it could read the table, its CSV: a line of names,
then a line for each row, with 1 and 0 for true and false. The line has these keys:

- `table`: the name
- `length`: the number of bytes of the CSV; null if the table can't be read
- `stated`: the number of rows that the database states; null if unknown
- `missing`: whether the database has no such table

A last line, `{"opened": ...}`, says whether this is a database at all. Without that line the process was stopped.

mdbtools reads every version of Jet; where it is installed, its program `mdb-export` reads the tables. access-parser
needs only Python and takes far longer: a second or two for a club's evening.
"""

import csv
import io
import json
import logging
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any, Final

EXPORTER: Final = "mdb-export"
COUNTER: Final = "mdb-count"

LARGEST: Final = 100_000_000
"""The most bytes of one table as CSV."""

OUT_OF_TIME: Final = 3
"""The exit status if `mdb-export` ran out of processor time."""

Read = Callable[[str], tuple[bytes, int | None] | None]
"""Returns a table as CSV with the number of rows that the database states; None for a table that is not there."""


def limit_resources(seconds: int, size: int) -> None:
    """Limit this process and those that it starts to some seconds of processor time and bytes of memory.

    Windows has no such limits; there only the clock of the caller ends the process.
    """
    try:
        import resource  # noqa: PLC0415 - Windows has none
    except ImportError:
        return
    for name, limit in (("RLIMIT_CPU", seconds), ("RLIMIT_AS", size), ("RLIMIT_CORE", 0)):
        kind = getattr(resource, name)
        # A hard limit may be lower already, and not every system has every limit.
        with suppress(ValueError, OSError):
            resource.setrlimit(kind, (limit, resource.getrlimit(kind)[1]))


def main(database: str, tables: Sequence[str]) -> None:
    """Write the tables of a database to standard output."""
    logging.disable()
    helper = shutil.which(EXPORTER)
    try:
        read = _open_with_mdbtools(helper, database) if helper else _open_with_python(database)
    except Exception:  # noqa: BLE001 - a damaged file may raise anything
        _write({"opened": False})
        return
    for table in tables:
        _write_table(read, table)
    _write({"opened": True})


def _write_table(read: Read, table: str) -> None:
    try:
        found = read(table)
    except (Exception, MemoryError, RecursionError):  # noqa: BLE001 - as above
        _write({"table": table, "length": None, "stated": None, "missing": False})
        return
    if found is None:
        _write({"table": table, "length": None, "stated": None, "missing": True})
        return
    content, stated = found
    _write({"table": table, "length": len(content), "stated": stated, "missing": False}, content)


def _write(line: dict[str, Any], content: bytes = b"") -> None:
    # Each table at once: what was read before the process is stopped counts.
    sys.stdout.buffer.write(json.dumps(line).encode() + b"\n" + content)
    sys.stdout.buffer.flush()


def _open_with_mdbtools(helper: str, database: str) -> Read:
    def read(table: str) -> tuple[bytes, int | None] | None:
        command = [helper, "-D", "%Y-%m-%d", "-T", "%Y-%m-%d %H:%M:%S", database, table]
        content = _run(command)
        return (content, _count(database, table)) if content else None

    return read


def _run(command: Sequence[str]) -> bytes | None:
    """Return what a program prints; None if it ends with an error.

    Raises:
        OSError: it crashed, or prints too much.
    """
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        content = process.stdout.read(LARGEST) if process.stdout else b""
        if len(content) == LARGEST:
            process.kill()
            raise OSError
    if process.returncode == -getattr(signal, "SIGXCPU", 0):
        sys.exit(OUT_OF_TIME)
    if process.returncode < 0:
        raise OSError
    return content if process.returncode == 0 else None


def _count(database: str, table: str) -> int | None:
    """Return the number of rows that the database states for a table; None without the program that reads it."""
    program = shutil.which(COUNTER)
    text = (_run([program, database, table]) or b"").strip() if program else b""
    return int(text) if re.fullmatch(rb"[0-9]{1,18}", text) else None


def _open_with_python(database: str) -> Read:
    from access_parser import AccessParser  # noqa: PLC0415 - it complains of sound files as it is loaded

    parser: Any = AccessParser(database)

    def read(table: str) -> tuple[bytes, int | None] | None:
        if table not in parser.catalog:
            return None
        opened = parser.get_table(table)
        columns = opened.parse()
        content = "".join(_lines(columns)).encode("utf-8", "replace")
        if not columns or len(content) > LARGEST:
            raise ValueError
        return content, opened.table_header.number_of_rows

    return read


def _lines(columns: dict[str, Sequence[Any]]) -> Iterator[str]:
    """Yield lines of CSV.

    Raises:
        ValueError: columns have different lengths, so nobody knows which cells belong together.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    for row in zip(*columns.values(), strict=True):
        writer.writerow(int(value) if isinstance(value, bool) else value for value in row)
    yield text.getvalue()


if __name__ == "__main__":
    limit_resources(int(sys.argv[2]), int(sys.argv[3]))
    main(sys.argv[1], sys.argv[4:])
