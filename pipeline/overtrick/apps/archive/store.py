"""The archive on disk or in an object store: Delta tables that change together.

Delta makes a commit to one table atomic, but not a change of several tables. So every change of the archive has a
number. The data tables take it first, the table `sources` last, each in one commit that adds the new rows and removes
the old ones; `records` always takes it. The change is complete when `sources` has its number:

- A reader opens each table at the last number of `sources`.
- A table ahead of `sources` was left by a dead writer, and the next writer takes the table back.
- Of two writers only one gets the number, because a commit to a table that has changed fails. The other starts again.

The tables that `overtrick archive solve` fills grow by themselves, one commit at a time. `double_dummy` and `plays`
belong to no file. The rows of `analysis` belong to the bytes of a file, and leave after them.

In a local folder a lock makes writers wait for each other. An object store has no locks: a writer that is ahead gets a
minute before it counts as dead. If it is only slow, it fails at its next commit and starts again, because a writer that
takes a table back commits to all of them.
"""

import json
import os
import re
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

import polars as pl
from deltalake import CommitProperties, DeltaTable, Schema, Transaction
from deltalake._internal import DeltaFileSystemHandler, RemoveAction
from deltalake.exceptions import CommitFailedError, DeltaError, TableNotFoundError
from deltalake.transaction import AddAction

from overtrick.apps.archive.tables import DATA, FRAMES, SOLVED, stored_schema, to_stored
from overtrick.core.notation import UNSAFE

CHANGE: Final = "overtrick"
"""The application name whose transaction version is the number of a change."""

_PAUSE: Final = 1.0
"""Seconds between two looks at the tables."""

LEASE: Final = 60.0
"""Seconds after which the writer of an incomplete change in an object store counts as dead."""

PACKED: Final = 256 * 1024 * 1024
"""The size in bytes of the data files that `compact` makes."""

KEPT_HOURS: Final = 7 * 24
"""Hours for which data files stay after no table lists them any more: readers may still have them open."""


class ArchiveError(Exception):
    """An archive can't be opened or written, or has no workers; the message says why."""


@dataclass(frozen=True)
class Part:
    """A data file that is written, but not yet listed in its table."""

    table: str
    path: str
    size: int
    rows: int


class Store:
    """The tables of one archive."""

    def __init__(self, uri: str, options: Mapping[str, str] | None = None) -> None:
        """Take the address of an archive; nothing is opened yet.

        Args:
            uri: a local folder, or a place in an object store such as `s3://bucket/archive`.
            options: the object store's options, by deltalake's names.
        """
        self.uri = uri if "://" in uri else str(Path(uri).absolute())
        self.options = dict(options or {})
        self.local = "://" not in self.uri
        self._tables: dict[str, DeltaTable] = {}
        self._known: tuple[int, pl.DataFrame] | None = None

    def exists(self) -> bool:
        """Return whether the tables that `ingest` fills exist.

        Raises:
            ArchiveError: the archive can't be reached.
        """
        with self._errors("can't be read"):
            return all(map(self._is_table, ("sources", *DATA)))

    def create(self) -> None:
        """Create the tables that do not exist yet.

        Raises:
            ArchiveError: the archive can't be reached or written.
        """
        if self.local and Path(self.uri).is_file():
            raise ArchiveError(f"{self.uri}: is a file; choose a folder for the archive")
        with self._errors("can't create an archive here"):
            if self.local:
                Path(self.uri).mkdir(parents=True, exist_ok=True)
            with self._alone():
                for name in FRAMES:
                    place, schema = self._place(name), _delta_schema(name)
                    DeltaTable.create(place, schema, mode="ignore", storage_options=self.options)

    def put(self, table: str, frame: pl.DataFrame) -> Part:
        """Write rows to a data file of a table, and return the file. Only a commit adds it to the table."""
        buffer = BytesIO()
        to_stored(table, frame).write_parquet(buffer, compression="zstd", compression_level=1)
        path = f"{uuid4().hex}.parquet"
        content = buffer.getvalue()
        self.keep(f"{table}/{path}", content)
        return Part(table, path, len(content), frame.height)

    def keep(self, path: str, content: bytes) -> None:
        """Write a file beside the tables.

        Raises:
            ArchiveError: the file can't be written.
        """
        try:
            # It writes to all kinds of store in the same way. Its type stub leaves out `close`.
            file: Any = DeltaFileSystemHandler(self.uri, self.options).open_output_stream(path)
            file.write(content)
            file.close()
        except Exception as error:
            raise ArchiveError(f"{self.uri}/{path}: can't be written: {describe_error(error, self.options)}") from error

    def sources(self) -> pl.DataFrame:
        """Return the files in the archive: the columns of `frames.SOURCES`, in the stored types.

        Raises:
            ArchiveError: the table can't be read.
        """
        with self._errors("can't be read"):
            table = self._refreshed("sources")
            if self._known is None or self._known[0] != table.version():
                self._known = (table.version(), self._read(table).collect())
            return self._known[1]

    def tables(self) -> dict[str, DeltaTable]:
        """Open all tables as of one moment: after the last complete change.

        Raises:
            ArchiveError: the tables can't be read.
        """
        with self._errors("can't be read"):
            # `sources` first: then all later changes of the other tables are ahead of it, and left out.
            opened = {name: self._opened(name) for name in ("sources", *DATA, *self._solved())}
            for name in DATA:
                _go_back(opened[name], _number(opened["sources"]))
            return opened

    def scan(self) -> dict[str, pl.LazyFrame]:
        """Return the rows of all tables as of one moment: after the last complete change."""
        return {name: self._read(table) for name, table in self.tables().items()}

    def find_faults(self) -> Iterator[tuple[str, str]]:
        """Read all rows of all tables, and yield each table that can't be read with the reason.

        Raises:
            ArchiveError: the tables can't be opened.
        """
        for name, rows in self.scan().items():
            try:
                rows.select(pl.all().null_count()).collect(engine="streaming")
            except (OSError, DeltaError, pl.exceptions.PolarsError) as error:
                yield f"{self.uri}/{name}", f"can't be read: {describe_error(error, self.options)}"
            except pl.exceptions.PanicException:
                # polars trusts the size that a table states for its files.
                yield f"{self.uri}/{name}", "can't be read: a data file is cut off"

    def rows_of(self, sha256: str) -> dict[str, pl.DataFrame]:
        """Return the rows of one file, by table. `sources` has a row for each path of the file."""
        tables = self.scan()
        with self._errors("can't be read"):
            return {name: tables[name].filter(pl.col("sha256") == sha256).collect() for name in ("sources", *DATA)}

    def commit(self, sources: pl.DataFrame, parts: Sequence[Part], copies: Mapping[str, str]) -> list[str]:
        """Take files into the archive, and replace files of the same names.

        Rows of bytes that another writer has added in the meantime are left out. Rows of bytes that no file has any
        more are removed.

        Args:
            sources: rows of `frames.SOURCES` for files that were read, each name once.
            parts: the data files with the rows of these files.
            copies: by name, the `sha256` of files whose bytes are in the archive or among `sources`.

        Returns:
            The names of copies that were not taken, because their bytes are no longer in the archive.

        Raises:
            ArchiveError: the tables can't be written; nothing has changed.
        """
        with self._errors("can't be written"), self._alone():
            while True:
                with suppress(CommitFailedError):
                    self._take_back()
                    left = self._change(sources, parts, copies)
                    break
        self.prune()
        return left

    def add_solved(self, name: str, rows: pl.DataFrame) -> int:
        """Add rows to a table of `SOLVED` that it does not have yet, and return how many.

        Raises:
            ArchiveError: the table can't be written; nothing has changed.
        """
        key = list(SOLVED[name])
        given = to_stored(name, rows)
        with self._errors("can't be written"), self._alone():
            while True:
                with suppress(CommitFailedError):
                    table = self._refreshed(name)
                    same = pl.col(key[0]).is_in(given[key[0]].unique().to_list())
                    known = self._read(table).filter(same).select(key).collect()
                    new = given.join(known, on=key, how="anti", nulls_equal=True)
                    if not new.is_empty():
                        self._commit(name, [_added(self.put(name, new))], _number(table) + 1)
                    return new.height

    def prune(self) -> None:
        """Remove the analysis of files that the archive does not hold any more.

        Raises:
            ArchiveError: the table can't be written; nothing has changed.
        """
        name = "analysis"
        with self._errors("can't be written"), self._alone():
            while self._is_table(name):
                with suppress(CommitFailedError):
                    table = self._refreshed(name)
                    analysed = self._read(table).select(pl.col("sha256").unique()).collect()["sha256"]
                    gone = set(analysed) - set(self.sources()["sha256"])
                    if gone:
                        self._commit(name, self._removals(name, "sha256", gone), _number(table) + 1)
                    return

    def compact(self, report: Callable[[int, int, str], None] | None = None) -> int:
        """Pack small data files into large ones, and delete those that no table has listed for `KEPT_HOURS`.

        Args:
            report: called before each table with the number of files of the tables that are packed, the number of all
                files, and the name of the table.

        Returns:
            The number of data files.

        Raises:
            ArchiveError: the tables can't be written.
        """
        with self._errors("can't be written"), self._alone():
            self._take_back()
            names = ("sources", *DATA, *self._solved())
            files = {name: len(self._refreshed(name).file_uris()) for name in names}
            packed = done = 0
            for name, count in files.items():
                if report:
                    report(done, sum(files.values()), name)
                table = self._tables[name]
                table.optimize.compact(target_size=PACKED)
                table.vacuum(KEPT_HOURS, dry_run=False, full=True)
                table.create_checkpoint()
                done += count
                packed += len(table.file_uris())
            return packed

    def _change(self, sources: pl.DataFrame, parts: Sequence[Part], copies: Mapping[str, str]) -> list[str]:
        known = self.sources()
        number = _number(self._tables["sources"]) + 1
        copied = _copied(copies, pl.concat([to_stored("sources", sources), known]))
        change = pl.concat([to_stored("sources", sources), copied])
        stay = known.join(change, on="source", how="anti")
        replaced = known.join(change, on="source", how="semi")
        brought = set(sources["sha256"]) & set(stay["sha256"])
        old = set(replaced["sha256"]) - set(stay["sha256"]) - (set(copied["sha256"]) - set(sources["sha256"]))
        for name in DATA:
            of_table = [self._without(part, brought) for part in parts if part.table == name]
            actions = [*map(_added, of_table), *self._removals(name, "sha256", old)]
            if actions or name == DATA[0]:
                self._commit(name, actions, number)
        named = [_added(self.put("sources", change))]
        self._commit("sources", [*named, *self._removals("sources", "source", replaced["source"].to_list())], number)
        return [name for name in copies if name not in set(copied["source"])]

    def _commit(self, name: str, actions: list[AddAction | RemoveAction], number: int) -> None:
        self._tables[name].create_write_transaction(
            actions, mode="append", schema=_delta_schema(name), commit_properties=_properties(number)
        )

    def _take_back(self) -> None:
        """Open all tables at the last complete change, and take back what a dead writer left."""
        complete, ahead = self._await_writers()
        for name in ("sources", *DATA) if ahead else ():
            if name in ahead:
                before = self._opened(name)
                _go_back(before, complete)
                self._tables[name].restore(before.version(), commit_properties=_properties(complete))
            else:
                self._commit(name, [], complete)
            self._refreshed(name)

    def _await_writers(self) -> tuple[int, list[str]]:
        """Wait until no living writer is ahead; return the last complete change, and the tables that a dead one left.

        A writer counts as dead when it has not committed for `LEASE` seconds.
        """
        seen: list[int] = []
        since = time.monotonic()
        while True:
            complete = _number(self._refreshed("sources"))
            ahead = [name for name in DATA if _number(self._refreshed(name)) > complete]
            if not ahead or self.local or min(_age(self._tables[name]) for name in ahead) > LEASE:
                return complete, ahead
            # The clock that dated the commits may be far ahead of this one.
            versions = [self._tables[name].version() for name in ahead]
            seen, since = versions, since if versions == seen else time.monotonic()
            if time.monotonic() - since > LEASE:
                return complete, ahead
            time.sleep(_PAUSE)

    def _without(self, part: Part, brought: Collection[str]) -> Part:
        """Return a part without the rows of some bytes."""
        place = f"{self._place(part.table)}/{part.path}"
        if not brought:
            return part
        rows = pl.read_parquet(place, storage_options=self.options or None)
        rest = rows.filter(~pl.col("sha256").is_in(list(brought)))
        return part if rest.height == rows.height else self.put(part.table, rest)

    def _removals(self, name: str, column: str, values: Collection[str]) -> list[AddAction | RemoveAction]:
        """Return the actions that remove rows: their data files are removed, and files with the other rows added."""
        uris = self._tables[name].file_uris() if values else []
        if not uris:
            return []
        gone = pl.col(column).is_in(list(values))
        rows = pl.scan_parquet(uris, include_file_paths="_file", storage_options=self.options or None)
        actions: list[AddAction | RemoveAction] = []
        for uri in rows.filter(gone).select(pl.col("_file").unique()).collect()["_file"].sort():
            rest = pl.read_parquet(uri, storage_options=self.options or None).filter(~gone)
            path = uri.removeprefix(self._place(name)).lstrip("/")
            actions.append(RemoveAction(path, data_change=True, deletion_timestamp=_now()))
            if rest.height:
                actions.append(_added(self.put(name, rest)))
        return actions

    def _is_table(self, name: str) -> bool:
        try:
            # `DeltaTable.is_deltatable` keeps all other threads waiting for the store's answer.
            self._opened(name)
        except TableNotFoundError:
            return False
        return True

    def _solved(self) -> list[str]:
        """Return the tables of `SOLVED` that exist: an archive of an earlier version has not all of them."""
        return [name for name in SOLVED if self._is_table(name)]

    def _refreshed(self, name: str) -> DeltaTable:
        if name in self._tables:
            self._tables[name].update_incremental()
        else:
            self._tables[name] = self._opened(name)
        return self._tables[name]

    def _opened(self, name: str) -> DeltaTable:
        return DeltaTable(self._place(name), storage_options=self.options)

    def _read(self, table: DeltaTable) -> pl.LazyFrame:
        return pl.scan_delta(table, storage_options=self.options or None)

    def _place(self, table: str) -> str:
        return f"{self.uri}/{table}"

    @contextmanager
    def _errors(self, what: str) -> Iterator[None]:
        """Turn the errors of the tables' libraries into ArchiveError."""
        try:
            yield
        except (OSError, DeltaError, pl.exceptions.PolarsError) as error:
            raise ArchiveError(f"{self.uri}: {what}: {describe_error(error, self.options)}") from error

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Keep other writers out of a local folder, and wait for one that is there."""
        if not self.local:
            yield
            return
        with (Path(self.uri) / ".lock").open("wb") as file:
            _lock(file.fileno())
            yield


def _copied(copies: Mapping[str, str], rows_of: pl.DataFrame) -> pl.DataFrame:
    """Return rows of `sources` for copies: those of the same bytes, under the names of the copies."""
    named = pl.DataFrame(list(copies.items()), schema=_COPIES, orient="row")
    rows = named.join(rows_of.unique("sha256", keep="first"), on="sha256", maintain_order="left")
    return rows.with_columns(pl.col("copy").alias("source")).select(rows_of.columns)


_COPIES: Final = {"copy": pl.String, "sha256": pl.String}


def _lock(descriptor: int) -> None:
    try:
        import fcntl  # noqa: PLC0415 - not on every system; without it writers behave as in an object store
    except ImportError:
        return
    fcntl.flock(descriptor, fcntl.LOCK_EX)


_FAMILIES: Final = ("AWS_", "AZURE_", "GOOGLE_")
"""Begin the names of the environment variables that stores use."""

_COLOUR: Final = re.compile(r"\x1b\[[0-9;]*m")

_LONGEST: Final = 500
"""Characters of a message; what a store says may be longer."""

_SHORTEST: Final = 6
"""Characters of a secret; shorter ones are parts of words."""

_SECRET: Final = re.compile("key|secret|token|password|sas|credential|signature", re.IGNORECASE)
"""The names of options whose values no message shows."""


def describe_error(error: Exception, options: Mapping[str, str]) -> str:
    """Return the message of an error of a store on one line, without credentials, which a store may repeat."""
    text = _COLOUR.sub("", str(error).partition("\n\nDebug source")[0])
    # The rest of a store's answer quotes the request.
    text = re.sub(r"<\?xml.*?(<Message>(.*?)</Message>.*|$)", r"\2", text, flags=re.DOTALL)
    of_stores = {name: value for name, value in os.environ.items() if name.startswith(_FAMILIES)}
    secrets = {value for name, value in (of_stores | dict(options)).items() if _SECRET.search(name)}
    for secret in sorted(secrets, key=len, reverse=True):
        text = text.replace(secret, "***") if len(secret) >= _SHORTEST else text
    line = UNSAFE.sub("\ufffd", " ".join(text.split()))
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}..."


def _number(table: DeltaTable) -> int:
    return table.transaction_version(CHANGE) or 0


def _go_back(table: DeltaTable, number: int) -> None:
    """Load the last version of a table without a later change."""
    while _number(table) > number:
        table.load_as_version(table.version() - 1)


def _properties(number: int) -> CommitProperties:
    """Return properties that give a commit the number of its change, and make it fail if the table has changed."""
    return CommitProperties(max_commit_retries=0, app_transactions=[Transaction(CHANGE, number)])


def _age(table: DeltaTable) -> float:
    """Return the seconds since the last commit to a table."""
    last: int = table.history(1)[0]["timestamp"]
    return datetime.now(UTC).timestamp() - last / 1000


def _added(part: Part) -> AddAction:
    return AddAction(
        part.path,
        part.size,
        partition_values={},
        modification_time=_now(),
        data_change=True,
        stats=json.dumps({"numRecords": part.rows}),
    )


def _now() -> int:
    return int(time.time() * 1000)


def _delta_schema(table: str) -> Schema:
    return Schema.from_arrow(stored_schema(table))
