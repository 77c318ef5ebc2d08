"""A running game: a copy of the scoring terminals' database, read again as it grows, and who is late."""

import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

import polars as pl

from overtrick.apps.evening.shelf import HIDDEN, Shelved
from overtrick.core.atomic_write import replace_file
from overtrick.core.frames import Session
from overtrick.core.notation import natural
from overtrick.files.formats.session_rows import name_sides
from overtrick.judge.validate.movement_given import list_missing

OVER: Final = 3 * 3600.0
"""Seconds without a new result after which a game is over."""
PAUSE: Final = 2.0
"""Seconds between two looks at the database."""

WRONG_WAY: Final = ("movement-", "pair-", "result-unknown", "board-fouled", "score-mismatch", "lead-not-held")
"""The beginnings of the codes that a player can still put right at the table."""


State = Literal["late", "playing", "round finished", "finished"]


@dataclass(frozen=True)
class TableAt:
    """How far a table is.

    Attributes:
        section: its section; empty if there are none.
        table: its name.
        round: the last round that it has a result of.
        boards: how many results it has in that round.
        state: whether other tables are in a later round, it plays, has all boards of the round, or of the game.
        missing: the boards of its rounds so far that have no result there, though others of the set have.
        ns: who sat N-S in that round: the names, else the number.
        ew: the same for E-W.
    """

    section: str
    table: str
    round: int
    boards: int
    state: State
    missing: tuple[int, ...]
    ns: str
    ew: str


def list_tables(session: Session) -> list[TableAt]:
    """Return how far each table is, as far as the results state rounds and tables."""
    sides = [pl.coalesce(f"names_{side}", side, pl.lit("")).last().alias(side) for side in ("ns", "ew")]
    sets = _list_played(session).group_by("section", "table", "round").agg("board", *sides)
    if sets.is_empty():
        return []
    usual = max(map(len, sets["board"]))
    leading = max(sets["round"])
    due: dict[tuple[str | None, str], list[tuple[int, int]]] = {}
    for one in list_missing(session, ahead=True):
        due.setdefault((one.section, one.table), []).append((one.round, one.board))
    planned = {section for section, _ in due}
    rows = []
    for (section, table), group in sets.group_by("section", "table"):
        rounds = dict(group.select("round", "board").iter_rows())
        last = max(rounds)
        ns, ew = group.filter(round=last).select("ns", "ew").row(0)
        boards = len(rounds.pop(last))
        wanted = due.get((section, str(table)), [])
        missing = _list_missing(rounds.values(), usual, [board for number, board in wanted if number < last])
        # A table that has its last board of the round before is only on its way.
        late = last < leading - 1 or (last < leading and boards < usual)
        state: State = "late" if late else "playing" if boards < usual else "round finished"
        if section in planned and not wanted:
            state = "finished"
        rows.append(TableAt(str(section or ""), str(table), last, boards, state, missing, ns, ew))
    return sorted(rows, key=lambda place: (natural(place.section), natural(place.table)))


def _list_missing(sets: Iterable[list[int]], usual: int, due: list[int]) -> tuple[int, ...]:
    """Return the boards that the sets of a table's earlier rounds lack, and those that a movement has there."""
    missing = [board for boards in sets if len(boards) < usual for board in _gaps(boards, usual)]
    return tuple(sorted([*missing, *(board for board in due if board not in missing)]))


def _list_played(session: Session) -> pl.DataFrame:
    """Return the results that are in, as far as they state round and table: the round as a number, with both names."""
    named = session.results.with_columns(name_sides(session, "ns"), name_sides(session, "ew"))
    known = named.filter(pl.col("table").is_not_null(), pl.col("round").str.contains(r"^[0-9]{1,3}$"))
    played = known.filter(pl.col("status").is_in(["played", "passed", "adjusted", "not played"]))
    return played.with_columns(pl.col("round").cast(pl.Int32))


def list_sitting_out(session: Session) -> list[str]:
    """Return who has no result in the last round, once all tables that play have one there."""
    played = _list_played(session).filter(pl.col("player_n").is_null())
    of_side = [played.select("round", "section", id=side, names=f"names_{side}") for side in ("ns", "ew")]
    tables = played.group_by("round").agg(tables=pl.struct("section", "table").n_unique()).sort("round")["tables"]
    if tables.is_empty() or tables[-1] < tables.max():
        return []
    who = ["section", "id", "names"]
    seats = pl.concat(of_side).drop_nulls("id")
    there = seats.filter(pl.col("round") == pl.col("round").max())
    out = seats.join(there, on=who, how="anti", nulls_equal=True, maintain_order="left").unique(
        who, maintain_order=True
    )
    return out.select(pl.coalesce("names", "id")).to_series().to_list()


def _gaps(boards: list[int], usual: int) -> list[int]:
    """Return the boards of a set that are not there: `[4, 6]` of sets of three lacks 5."""
    first = (min(boards) - 1) // usual * usual + 1
    return sorted(set(range(first, first + usual)) - set(boards))


@dataclass
class Follower:
    """Keeps a copy of a file that another program is writing; the file itself is only read.

    Attributes:
        source: the file.
        target: the copy, in the folder of the evening.
        after: called after each new copy.
        error: why the last look failed; empty if it did not.
        heard: when the file last changed, in seconds since 1970.
        begun: when somebody began to follow it: a database may be made long before the game.
    """

    source: Path
    target: Path
    after: Callable[[], None] = lambda: None
    error: str = ""
    heard: float = 0.0
    begun: float = field(default_factory=time.time)
    _seen: tuple[int, int] | None = None
    _ended: threading.Event = field(default_factory=threading.Event)

    @property
    def is_over(self) -> bool:
        """Whether the file has not changed for hours, and has been followed for as long."""
        return max(self.heard, self.begun) < time.time() - OVER

    def look(self) -> bool:
        """Copy the file if it changed, and return whether it did."""
        try:
            before = self._state()
            if before == self._seen:
                return False
            content = self.source.read_bytes()
            if self._state() != before:
                # The other program is writing: the next look finds it whole.
                return False
            self.error = ""
            self._seen, self.heard = before, before[1] / 1e9
            if not self.target.exists() or self.target.read_bytes() != content:
                replace_file(self.target, content)
                return True
        except OSError as error:
            self.error = f"{self.source}: can't be read: {error.strerror}"
        return False

    def _state(self) -> tuple[int, int]:
        found = self.source.stat()
        return found.st_size, found.st_mtime_ns

    def start(self) -> None:
        """Look again and again in a thread, until `end`."""
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        while not self._ended.wait(PAUSE):
            if self.look():
                self.after()

    def end(self) -> None:
        """Follow the file no longer."""
        self._ended.set()


def remember_source(folder: Path, shelved: Shelved, source: Path | None) -> None:
    """Keep which file an evening follows, so that the next desk follows it too; None for none."""
    record = folder / HIDDEN / "followed" / shelved.slug
    record.parent.mkdir(parents=True, exist_ok=True)
    if source is None:
        record.unlink(missing_ok=True)
    else:
        replace_file(record, str(source).encode("utf-8", "surrogateescape"))


def followed_source(folder: Path, shelved: Shelved) -> Path | None:
    """Return the file that an evening follows; None if it follows none."""
    try:
        return Path((folder / HIDDEN / "followed" / shelved.slug).read_bytes().decode("utf-8", "surrogateescape"))
    except OSError:
        return None
