"""One session from several files: deals from one, results from another, put together by board number."""

from dataclasses import replace
from typing import Final

import polars as pl

from overtrick.assemble.evenings import of_several
from overtrick.bridge.cards import is_complete
from overtrick.frames import Session
from overtrick.problems import report

_STATED: Final = ("deal", "dealer", "vulnerable")
_SAME_RESULT: Final = (
    *("section", "round", "table", "board", "ns", "ew", "level", "strain", "doubled", "declarer", "tricks"),
    *("status", "award_ns", "award_ew", "stated_score_ns"),
)


def join_boards(session: Session, *, by_file: bool = False) -> Session:
    """Give results the deals, dealers and vulnerabilities that other files hold, by board number.

    A file without any result is one of deals. What the file of the results states itself stays. Results that stand in
    two files of one day count once. Where the results are of several events or days, nothing tells whose the deals are.

    Args:
        session: all files, one after the other.
        by_file: whether each file of results is a session of its own, so that equal results of two files are two.

    Returns:
        The session, and a problem for what does not join.
    """
    if session.sources.height < 2:
        return session
    if not by_file:
        session = _each_result_once(session)
    with_results = session.results["source"].unique().implode()
    dealt = session.records.filter(~pl.col("source").is_in(with_results), pl.col("board").is_not_null())
    dealt = dealt.filter(is_complete(dealt["deal"]))
    if dealt.is_empty() or session.results.is_empty():
        return session
    played = session.records.join(session.results.select("record").unique(), on="record", how="semi")
    if of_several(session) or (by_file and _a_board_in_several_files(played)):
        alone = dealt.unique("source", maintain_order=True).select("source")
        return replace(session, problems=pl.concat([session.problems, report("join-several-sessions", alone)]))
    several = dealt.group_by("board", maintain_order=True).agg(
        pl.col("deal").n_unique().alias("deals"), pl.first("source", "line", "record", "board_label")
    )
    several = several.filter(pl.col("deals") > 1)
    offered = dealt.join(several, on="board", how="anti", maintain_order="left").unique(
        "board", keep="first", maintain_order=True
    )
    problems = [
        session.problems,
        report("join-two-deals", _labelled(several)),
        _other_deals(played, offered),
        _not_joined("join-no-deal", played.filter(pl.col("deal").is_null()), dealt),
        _not_joined("join-no-result", dealt, played),
    ]
    return replace(_with_deals(session, played, offered), problems=pl.concat(problems))


def _a_board_in_several_files(played: pl.DataFrame) -> bool:
    files = played.drop_nulls("board").group_by("board").agg(pl.col("source").n_unique())
    return bool((files["source"] > 1).any())


def _with_deals(session: Session, played: pl.DataFrame, offered: pl.DataFrame) -> Session:
    """Fill what the records of results leave open, and the vulnerability of their results with it."""
    bare = played.filter(pl.col("deal").is_null()).select("record")
    given = offered.select("board", *(pl.col(name).alias(f"given_{name}") for name in _STATED))
    records = session.records.join(bare.with_columns(bare=True), on="record", how="left", maintain_order="left")
    records = records.join(given, on="board", how="left", maintain_order="left")
    filled = records.with_columns(
        pl.when("bare").then(pl.coalesce(name, f"given_{name}")).otherwise(name).alias(name) for name in _STATED
    ).select(session.records.columns)
    before, after = (frame.select("record", "vulnerable") for frame in (session.records, filled))
    changed = before.join(after, on="record", suffix="_joined").filter(
        pl.col("vulnerable").is_null() & pl.col("vulnerable_joined").is_not_null()
    )
    results = session.results.join(
        changed.select("record", "vulnerable_joined"), on="record", how="left", maintain_order="left"
    ).with_columns(pl.coalesce("vulnerable_joined", "vulnerable").alias("vulnerable"))
    return replace(session, records=filled, results=results.select(session.results.columns))


def _each_result_once(session: Session) -> Session:
    """Leave out results that an earlier file of the same day has too."""
    dates = session.records.select("record", "date")
    results = session.results.join(dates, on="record", how="left", maintain_order="left").with_row_index("row")
    # Only between files: within one, equal results are two tables, or the file's own slip.
    first = results.unique(["source", *_SAME_RESULT], keep="first").select(
        *_SAME_RESULT,
        pl.col("source").alias("first"),
        pl.col("date").alias("other_date"),
        pl.col("row").alias("earlier"),
    )
    again = results.join(first, on=_SAME_RESULT, nulls_equal=True).filter(
        pl.col("source") != pl.col("first"),
        pl.col("earlier") < pl.col("row"),
        (pl.col("date") == pl.col("other_date")).fill_null(value=True),
        pl.all_horizontal(pl.col("ns", "board").is_not_null()),
    )
    if again.is_empty():
        return session
    counted = again.group_by("source", "first", maintain_order=True).agg(pl.col("row").n_unique().alias("results"))
    kept = results.join(again.select("row"), on="row", how="anti", maintain_order="left")
    return replace(
        session,
        results=kept.select(session.results.columns),
        problems=pl.concat([session.problems, report("join-result-twice", counted)]),
    )


def _other_deals(played: pl.DataFrame, offered: pl.DataFrame) -> pl.DataFrame:
    own = played.drop_nulls("deal").select("board", pl.col("deal").alias("own")).unique(maintain_order=True)
    different = offered.join(own, on="board", maintain_order="left").filter(pl.col("deal") != pl.col("own"))
    return report("join-other-deal", _labelled(different.unique("record", maintain_order=True)))


def _labelled(rows: pl.DataFrame) -> pl.DataFrame:
    return rows.drop("board").rename({"board_label": "board"})


def _not_joined(code: str, rows: pl.DataFrame, others: pl.DataFrame) -> pl.DataFrame:
    """Name the boards that the other side has not, one problem a file."""
    alone = rows.join(others.select("board"), on="board", how="anti", maintain_order="left")
    numbers = pl.col("board").unique().sort().cast(pl.String).str.join(", ").alias("boards")
    return report(code, alone.drop_nulls("board").group_by("source", maintain_order=True).agg(numbers))
