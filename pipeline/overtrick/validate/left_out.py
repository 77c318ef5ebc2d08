"""Results that cannot be scored as they are, and those of which a part does not count: each is named, in any format."""

import polars as pl

from overtrick.assemble.contestants import list_unlisted
from overtrick.frames import Problems, Session
from overtrick.problems import report
from overtrick.validate.result import describe_results


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
        report(code, _worded(describe_results(session, rows.select(results.columns), about.get(code, "declarer"))))
        for code in at_fault
        if flagged[code].any()
        for rows in [flagged.filter(pl.col(code))]
    ]
    return pl.concat([*found, _report_blank(session)])


def check_unlisted(session: Session) -> Problems:
    """Report contestants with results that the files' own list does not name: they are not ranked."""
    return report("contestant-unlisted", list_unlisted(session).with_columns(pl.col("board").cast(pl.String)))


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
