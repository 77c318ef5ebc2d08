"""The tricks that leads and plays gave up double dummy, for all results of an archive, by the same workers."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import polars as pl

from overtrick.apps.archive.solve import Progress, Report
from overtrick.apps.archive.store import Store
from overtrick.apps.archive.tables import FRAMES, RESULT_KEY
from overtrick.apps.archive.workers import Workers, run_tasks
from overtrick.core.bridge.cards import CARDS, SEATS, STRAINS
from overtrick.core.frames import ANNOTATIONS, DOUBLE_DUMMY, RECORDS, RESULTS, Session, conform
from overtrick.judge.analyse import solver
from overtrick.judge.analyse.cache import TableCache, user_cache
from overtrick.judge.analyse.dds import SolverError
from overtrick.judge.analyse.deals import are_playable
from overtrick.judge.analyse.explain import judge_plays

TASK: Final = 20
"""Plays in a worker's task: a second of work."""

LOT: Final = 20_000
"""Results that are judged together, unless one file has more."""

COMMIT_SECONDS: Final = 30.0
"""Seconds between commits to the tables; until then, the caches of the workers hold what is solved."""


def solve_plays(store: Store, workers: Workers, report: Report = lambda _: None) -> Progress:
    """Fill `analysis` and `plays`: what the lead and the play gave up in each result whose deal is solved.

    A play is solved once, however many files have it. After an interruption the next run resumes: the tables hold all
    plays that were solved before it.

    Returns:
        The number of results to analyse, of those tried, and of those analysed.

    Raises:
        ArchiveError: the archive can't be written.
    """
    store.prune()
    wanted = _list_unsolved(store)
    progress = Progress(int(wanted["results"].sum()))
    report(progress)
    for files in _lots(wanted):
        lot = _Lot(store, _read(store, files))
        try:
            for tried in lot.solve(workers):
                report(replace(progress, tried=progress.tried + tried))
        finally:
            progress.solved += lot.put()
        progress.tried += lot.count
        report(progress)
    return progress


def work(plays: tuple[str, ...], threads: int) -> dict[str, bytes]:
    """Solve plays, or look them up in the cache of the user who runs this worker.

    Args:
        plays: keys, as `solver.play_key` writes them.
        threads: the number of threads that the solver may use.
    """
    solver.limit_threads(threads)
    cache = TableCache(user_cache(), kind="plays")
    try:
        return dict(solver.solve_plays(plays, cache=cache))
    except SolverError:
        # Each by itself, so that only the play that the solver refuses is missing.
        alone = [work((play,), threads) for play in plays] if len(plays) > 1 else []
        return {key: tricks for solved in alone for key, tricks in solved.items()}


def _list_unsolved(store: Store) -> pl.DataFrame:
    """Count the results of each file that can be analysed and are not yet: `sha256 results`."""
    tables = store.scan()
    solved = tables["double_dummy"].select("deal")
    dealt = tables["records"].select("sha256", "record", "board", "deal").join(solved, on="deal")
    played = _played(tables["results"])
    of_record = played.join(dealt.select("sha256", "record"), on=["sha256", "record"], how="semi")
    of_board = played.join(dealt.select("sha256", "board"), on=["sha256", "board"], how="semi")
    known = tables["analysis"].select(RESULT_KEY)
    either = pl.concat([of_record, of_board]).select(RESULT_KEY).unique()
    missing = either.join(known, on=RESULT_KEY, how="anti", nulls_equal=True)
    return missing.group_by("sha256").agg(pl.len().alias("results")).sort("sha256").collect()


def _played(results: pl.LazyFrame) -> pl.LazyFrame:
    stated = pl.all_horizontal(pl.col("strain", "declarer", "tricks").is_not_null())
    return results.filter((pl.col("status") == "played") & stated)


def _lots(wanted: pl.DataFrame) -> Iterator[list[str]]:
    """Yield the files of each lot."""
    lots = wanted.with_columns((pl.col("results").cum_sum() // LOT).alias("lot"))
    return (part["sha256"].to_list() for part in lots.partition_by("lot", maintain_order=True))


@dataclass(frozen=True)
class _Rows:
    """The results of some files that are to be analysed."""

    results: pl.DataFrame
    session: Session
    """The same results, with the records and tables that they need; record and board have new numbers."""


def _read(store: Store, files: list[str]) -> _Rows:
    tables = store.scan()
    some = pl.col("sha256").is_in(files)
    records, annotations, known = (
        tables[name].filter(some).collect() for name in ("records", "annotations", "analysis")
    )
    played = _played(tables["results"]).filter(some).collect()
    results = played.join(known.select(RESULT_KEY), on=RESULT_KEY, how="anti", nulls_equal=True)
    deals = records["deal"].drop_nulls().unique().to_list()
    solved = tables["double_dummy"].filter(pl.col("deal").is_in(deals)).collect()
    records = records.filter(pl.col("deal").is_not_null()).filter(are_playable(records["deal"].drop_nulls()))
    numbers = records.select("sha256", "record").unique(maintain_order=True).with_row_index("new")
    boards = records.select("sha256", "board").drop_nulls().unique(maintain_order=True).with_row_index("place")
    session = Session(
        records=conform(RECORDS, _renumbered(records, numbers, boards)),
        annotations=conform(ANNOTATIONS, _renumbered(annotations, numbers)),
        results=conform(RESULTS, _renumbered(results, numbers, boards)),
        double_dummy=conform(DOUBLE_DUMMY, solved),
    )
    return _Rows(results, session)


def _renumbered(rows: pl.DataFrame, numbers: pl.DataFrame, boards: pl.DataFrame | None = None) -> pl.DataFrame:
    """Return rows of several files with different numbers for their records and boards."""
    new = rows.join(numbers, on=["sha256", "record"], how="left", maintain_order="left")
    if boards is not None:
        new = new.join(boards, on=["sha256", "board"], how="left", maintain_order="left").with_columns(board="place")
    return new.with_columns(record="new")


class _Lot:
    """Results that are analysed together."""

    def __init__(self, store: Store, rows: _Rows) -> None:
        self.count = rows.results.height
        self._store = store
        self._rows = rows
        self._solved: dict[str, bytes] = {}
        self._stored: set[str] = set()

    def solve(self, workers: Workers) -> Iterator[int]:
        """Solve the plays that no table has yet, and commit now and then; yield how many results were dealt with."""
        asked: list[str] = []

        def list_only(plays: Sequence[str]) -> dict[str, bytes]:
            asked.extend(plays)
            return {}

        judge_plays(self._rows.session, list_only)
        self._solved = _known_plays(self._store, self._rows.session)
        self._stored = set(self._solved)
        missing = [key for key in asked if key not in self._solved]
        done, committed = self.count - len(missing), time.monotonic()
        tasks = (tuple(missing[start : start + TASK]) for start in range(0, len(missing), TASK))
        for task, solved in run_tasks(workers, partial(work, threads=workers.threads), tasks, lambda _: {}):
            self._solved |= solved
            done += len(task)
            yield max(done, 0)
            if time.monotonic() - committed > COMMIT_SECONDS:
                self._put_plays()
                committed = time.monotonic()

    def put(self) -> int:
        """Write what is solved to the tables, and return the number of results that are analysed."""
        self._put_plays()
        judged = judge_plays(
            self._rows.session, lambda keys: {key: self._solved[key] for key in keys if key in self._solved}
        )
        whole = judged.filter(
            pl.col("dd_tricks").is_not_null(), pl.col("lead").is_null() | pl.col("lead_cost").is_not_null()
        )
        session = self._rows.session
        deals = session.records.select("record", "deal").unique("record")
        boards = session.records.drop_nulls("board").group_by("board").agg(pl.col("deal").first().alias("only"))
        dealt = session.results.select("record", "board").join(deals, on="record", how="left", maintain_order="left")
        dealt = dealt.join(boards, on="board", how="left", maintain_order="left")
        results = self._rows.results.with_row_index("result").with_columns(
            dealt.select(pl.coalesce("deal", "only").alias("deal"))
        )
        results = results.join(session.double_dummy.select("deal"), on="deal", how="semi", maintain_order="left")
        rows = results.drop("lead").join(
            _costs(whole, self._rows.results["declarer"]), on="result", maintain_order="left"
        )
        self._store.add_solved("analysis", rows.select(*FRAMES["analysis"]))
        return rows.height

    def _put_plays(self) -> None:
        new = {key: tricks for key, tricks in self._solved.items() if key not in self._stored}
        if new:
            self._store.add_solved("plays", _to_rows(new))
            self._stored |= set(new)


def _costs(judged: pl.DataFrame, declarer: pl.Series) -> pl.DataFrame:
    """Return the judged results with what each side's cards gave up together."""
    side = pl.Series([["N", "S"], ["E", "W"], ["N", "S"], ["E", "W"]])
    side_of = declarer.replace_strict(list(SEATS), [0, 1, 2, 3], return_dtype=pl.UInt32).gather(judged["result"])
    costs = judged.with_columns(side.gather(side_of).alias("own")).explode("costs", keep_nulls=True)
    part = pl.col("costs").struct
    amount, place = part.field("cost").cast(pl.Int16), part.field("place")
    claim = part.field("card").is_null()
    declaring = (part.field("seat").cast(pl.String).is_in(pl.col("own")) & ~claim) | (claim & (amount > 0))
    defending = ~declaring & (place > 0)
    sums = costs.group_by("result").agg(
        amount.filter(declaring).sum().alias("play_cost"), amount.filter(defending).abs().sum().alias("defence_cost")
    )
    known = judged.select("result", "dd_tricks", "lead", "lead_cost", pl.col("costs").is_not_null().alias("known"))
    lead = pl.col("lead").replace_strict(range(52), CARDS, return_dtype=pl.String)
    sums = known.join(sums, on="result", how="left", maintain_order="left")
    return sums.with_columns(lead, *(pl.when("known").then(name).alias(name) for name in ("play_cost", "defence_cost")))


def _known_plays(store: Store, session: Session) -> dict[str, bytes]:
    deals = session.records["deal"].drop_nulls().unique().to_list()
    rows = store.scan()["plays"].filter(pl.col("deal").is_in(deals)).collect()
    return {
        solver.play_key(deal, STRAINS.index(strain), (SEATS.index(declarer) + 1) % 4, _codes(cards)): bytes(tricks)
        for deal, strain, declarer, cards, tricks in rows.select(*FRAMES["plays"]).iter_rows()
    }


def _codes(cards: str) -> bytes:
    return bytes(CARDS.index(cards[place : place + 2]) for place in range(0, len(cards), 2))


def _to_rows(solved: dict[str, bytes]) -> pl.DataFrame:
    rows: list[Sequence[object]] = []
    for key, tricks in solved.items():
        deal, strain, leader, cards = key.rsplit(" ", 3)
        names = "".join(CARDS[card] for card in bytes.fromhex(cards))
        rows.append((deal, STRAINS[int(strain)], SEATS[(int(leader) + 3) % 4], names, list(tricks)))
    schema = {name: column.dtype for name, column in FRAMES["plays"].items()}
    return pl.DataFrame(rows, schema=schema, orient="row")
