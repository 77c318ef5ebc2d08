"""What each file is: a session, a match, the play of one table, or material to learn with.

What a file is decides which problems its scorer cares about: `Code.kinds` names the kinds for which a code is reported.
"""

from collections.abc import Mapping
from typing import Final

import polars as pl

from overtrick.core.frames import Session

_MOST_OF_A_BOOK: Final = 2000


def find_kinds(session: Session) -> dict[str, str]:
    """Return the kind of each file, one of `problems.KINDS`.

    A board of two tables or a list of contestants makes a session, two rooms a match. One result a board is the play
    of a table. Without results, comments, hands of fewer than 12 cards and deals without numbers make a lesson,
    auctions without play a bidding test, and deals alone practice deals. All files of an evening count together
    for what is a session.

    Args:
        session: as it was checked, with the files of an evening together.
    """
    results, records = session.results, session.records
    played = pl.col("tricks").is_not_null() | pl.col("score_ns").is_not_null() | pl.col("award_ns").is_not_null()
    scored = results.with_columns(stated=played | pl.col("stated_score_ns").is_not_null() | (pl.col("level") == 0))
    in_rooms = scored["team_ns"].is_not_null().any() or records["room"].is_not_null().any()
    together = scored.filter("stated").select(pl.struct("section", "board").is_duplicated().any()).item()
    listed = len(session.contestants.drop_nulls("line"))
    whole = "match" if in_rooms else "session" if together or listed else "play"
    with_results = [*scored.filter("stated")["source"].drop_nulls().unique()]
    hands = pl.col("deal").str.split(" ").list.eval(pl.element().str.count_matches("[2-9TJQKA]"))
    commented = _list_commented(session) if len(with_results) < len(session.sources) else pl.Series(dtype=pl.UInt32)
    shown = records.filter(~pl.col("source").is_in(with_results)).select(
        "source",
        cut=hands.list.eval((pl.element() > 0) & (pl.element() < 12)).list.any().fill_null(value=False),
        commented=pl.col("record").is_in(commented.implode()),
        bid=pl.col("calls").list.len() > 0,
        played=pl.col("cards").list.len() > 0,
        numbered=pl.col("board").is_not_null(),
    )
    by_file = shown.group_by("source").agg(pl.col("cut", "commented", "bid", "played", "numbered").any())
    kinds = {row["source"]: _of_lessons(row) for row in by_file.to_dicts()} | dict.fromkeys(with_results, whole)
    return dict(sorted(kinds.items()))


def _list_commented(session: Session) -> pl.Series:
    """Return the records with a comment. More boards than a book has are not a lesson, and are not searched."""
    comments = [session.annotations.filter(pl.col("kind") == "comment")["record"]]
    if session.records.height <= _MOST_OF_A_BOOK:
        comments.append(session.items.filter(pl.col("kind") == "comment")["record"])
    return pl.concat(comments).drop_nulls().unique()


def _of_lessons(row: Mapping[str, bool]) -> str:
    """Return the kind of a file without a result."""
    if row["cut"] or row["commented"] or not row["numbered"]:
        return "lesson"
    return "bidding" if row["bid"] and not row["played"] else "practice"
