"""Deals from one file for the results of another, by board number."""

from dataclasses import replace
from typing import Final

import polars as pl

from overtrick.core.bridge.cards import is_complete
from overtrick.core.frames import Problems, Records, Session
from overtrick.core.problems import report
from overtrick.files.assemble.evenings import Evenings

_STATED: Final = ("deal", "dealer", "vulnerable")


def join_deals(session: Session, evenings: Evenings) -> Session:
    """Fill the deals, dealers and vulnerabilities of results from files that hold deals alone, by board number.

    What the file of the results states itself stays. Where the results are of several events or days, or several
    evenings played the same boards, nothing tells whose the deals are, and none is filled in.

    Args:
        session: all files, one after the other.
        evenings: how they belong together.

    Returns:
        The session, and a problem for whatever does not join.
    """
    if session.sources.height < 2 or session.results.is_empty():
        return session
    if not evenings.by_file:
        session = _share_deals(session)
    with_results = session.results["source"].unique().implode()
    dealt = session.records.filter(~pl.col("source").is_in(with_results), pl.col("board").is_not_null())
    dealt = dealt.filter(is_complete(dealt["deal"]))
    if dealt.is_empty():
        return session
    played = session.records.join(session.results.select("record").unique(), on="record", how="semi")
    if evenings.several or (evenings.by_file and _share_a_board(played)):
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


def _share_deals(session: Session) -> Session:
    """Fill the deals that one file with results lacks from another of the same evening, where only one is known."""
    played = session.records.join(session.results.select("record").unique(), on="record", how="semi")
    if played["source"].n_unique() == session.records["source"].n_unique() == 1 or not played["deal"].has_nulls():
        return session
    shown = session.records.filter(is_complete(session.records["deal"]), pl.col("board").is_not_null())
    shown = shown.filter(pl.col("source").is_in(session.results["source"].unique().implode()))
    of_board = shown.group_by("board", maintain_order=True).agg(
        pl.col("deal").n_unique().alias("deals"), *(pl.col(name).drop_nulls().first() for name in _STATED)
    )
    return _with_deals(session, played, of_board.filter(pl.col("deals") == 1))


def _share_a_board(played: Records) -> bool:
    """Report whether several files played a board of the same number."""
    files = played.drop_nulls("board").group_by("board").agg(pl.col("source").n_unique())
    return bool((files["source"] > 1).any())


def _with_deals(session: Session, played: Records, offered: Records) -> Session:
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


def _other_deals(played: Records, offered: Records) -> Problems:
    own = played.drop_nulls("deal").select("board", pl.col("deal").alias("own")).unique(maintain_order=True)
    different = offered.join(own, on="board", maintain_order="left").filter(pl.col("deal") != pl.col("own"))
    return report("join-other-deal", _labelled(different.unique("record", maintain_order=True)))


def _labelled(rows: pl.DataFrame) -> pl.DataFrame:
    return rows.drop("board").rename({"board_label": "board"})


def _not_joined(code: str, rows: Records, others: Records) -> Problems:
    """Report the boards that the other side lacks, one problem a file."""
    alone = rows.join(others.select("board"), on="board", how="anti", maintain_order="left")
    numbers = pl.col("board").unique().sort().cast(pl.String).str.join(", ").alias("boards")
    return report(code, alone.drop_nulls("board").group_by("source", maintain_order=True).agg(numbers))
