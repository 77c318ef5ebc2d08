"""Results that cannot be scored as they are, and those of which a part does not count: each is named, in any format."""

from typing import Final

import polars as pl

from overtrick.core.frames import Problems, Results, Seats, Session, seats
from overtrick.core.problems import concat_problems, report
from overtrick.judge.validate.result import describe_results

_SEATED: Final = ("ns", "ew", "team_ns", "team_ew", "player_n", "player_e", "player_s", "player_w")
"""Columns of results with whoever sat at the table."""


def check_left_out(session: Session) -> Problems:
    """Report results without declarer, contract or pair, awards for one side or beside a result, and blank files."""
    results = session.results
    if results.is_empty():
        return _report_blank(session)
    award_ns, award_ew = pl.col("award_ns").is_not_null(), pl.col("award_ew").is_not_null()
    no_score = pl.col("stated_score_ns").is_null() & ~award_ns & ~award_ew & pl.col("weights").is_null()
    scored = pl.col("status").is_in(["played", "passed", "adjusted"])
    happened = pl.any_horizontal(pl.col("level", "declarer", "tricks", "stated_score_ns").is_not_null())
    # A list of single games need not name anybody; a traveller does.
    named = pl.any_horizontal(pl.col("ns", "ew").is_not_null())
    names_some = named.any().over("source")
    nobody = pl.any_horizontal(pl.col("ns", "ew").is_null()) & names_some
    at_fault = {
        "result-no-declarer": no_score
        & (pl.col("level") > 0)
        & pl.col("declarer").is_null()
        & pl.col("tricks").is_not_null(),
        "result-no-contract": no_score
        & pl.col("level").is_null()
        & ~pl.col("status").is_in(["not played", "bye"])
        & pl.any_horizontal(pl.col("declarer", "tricks", "lead").is_not_null()),
        "result-no-pair": nobody & (scored | (pl.col("level") > 0)),
        "award-one-side": (award_ns != award_ew) & (pl.col("status") == "adjusted"),
        "award-beside-result": (award_ns | award_ew) & happened,
    }
    flagged = results.with_columns(**at_fault)
    about = {"result-no-pair": "ns", "award-one-side": "award_ns", "award-beside-result": "award_ns"}
    found = [
        report(code, _worded(describe_results(session, rows)), f"results.{about.get(code, 'declarer')}")
        for code in at_fault
        if flagged[code].any()
        for rows in [flagged.filter(code).select(results.columns)]
    ]
    return concat_problems([*found, _report_blank(session)])


def check_unlisted(session: Session) -> Problems:
    """Report contestants with results that the files' own list does not name: they are not ranked."""
    return report("contestant-unlisted", list_unlisted(session).with_columns(pl.col("board").cast(pl.String)))


def list_unlisted(session: Session) -> Seats:
    """Return the first result of each contestant that the files' own list does not name: a slip, or a late entry.

    Returns:
        Rows of `frames.seats`, whose `contestant` is the team in a match; none if no file has a list, or if the list
        lacks half of the contestants: then it is one of something else.
    """
    listed = session.contestants.filter(pl.col("times").is_null()).select("contestant").unique()
    if listed.is_empty() or _name_seated(session.results) <= {None, *listed["contestant"]}:
        # Nobody is looked for: a million seats would take half a gigabyte.
        return seats(session.results.clear())
    happened = session.results.filter(pl.col("status").is_in(["played", "passed", "adjusted"]))
    seated = (
        seats(happened).with_columns(pl.coalesce("team", "contestant").alias("contestant")).drop_nulls("contestant")
    )
    first = seated.unique("contestant", keep="first", maintain_order=True)
    unlisted = first.join(listed, on="contestant", how="anti", maintain_order="left")
    return unlisted if 2 * unlisted.height < first.height else unlisted.clear()


def _name_seated(results: Results) -> set[str | None]:
    return {name for column in _SEATED for name in results[column].unique().to_list()}


def _worded(described: pl.DataFrame) -> pl.DataFrame:
    """Add who met, which side lacks something, and the awards, for messages."""
    without_ns = pl.col("ns").is_null() | pl.col("award_ns").is_null() & pl.col("award_ew").is_not_null()
    awards = pl.concat_str(pl.col("award_ns").fill_null("?"), pl.col("award_ew").fill_null("?"), separator=" / ")
    return described.with_columns(
        pl.format("{} against {}", pl.col("ns").fill_null("?"), pl.col("ew").fill_null("?")).alias("meeting"),
        pl.when(without_ns).then(pl.lit("N-S")).otherwise(pl.lit("E-W")).alias("side"),
        pl.when(without_ns).then(pl.lit("E-W")).otherwise(pl.lit("N-S")).alias("other_side"),
        awards.alias("awards"),
    )


def _report_blank(session: Session) -> Problems:
    """Report files in which every result is blank, and those whose games only say who sat at the table."""
    blank = pl.all_horizontal(
        pl.col("level", "tricks", "stated_score_ns", "award_ns", "award_ew", "weights").is_null()
    ) & (pl.col("status") != "bye")
    told = session.results.select("source", "line", blank.alias("blank"))
    seated = pl.any_horizontal(pl.col("pair_ns", "pair_ew").is_not_null())
    in_room = pl.all_horizontal(pl.col("home_team", "visit_team", "room").is_not_null())
    games = session.records.filter(seated | in_room).join(told, on="source", how="anti", maintain_order="left")
    # Results that another file holds too are listed with that file.
    empty = pl.all_horizontal(pl.col("level", "stated_score_ns").is_null())
    listed = pl.concat([told, games.select("source", "line", empty.alias("blank"))])
    files = listed.group_by("source", maintain_order=True).agg(
        pl.col("blank").all(), pl.first("line"), pl.len().alias("results")
    )
    return report("results-blank", files.filter("blank"))
