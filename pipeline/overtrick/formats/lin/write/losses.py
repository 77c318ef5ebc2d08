"""What a session contains that LIN has no place for."""

from typing import Final

import polars as pl

from overtrick.formats.lin.spelling import PLAYERS, SCORINGS, write_listed
from overtrick.formats.lin.write.remarks import MARKS, find_remarks, list_pbn_files
from overtrick.frames import Session
from overtrick.problems import report

_HELD: Final = (
    *("Board", "West", "North", "East", "South", "Dealer", "Vulnerable", "Deal", "Declarer", "Contract", "Result"),
    *("Auction", "Play", "Note", "Score", "ScoreIMP", "ScoreMP", "ScorePercentage"),
)
"""Tags of PBN that a board states, or that follow from what it states."""
_HEADED: Final = {
    "Event": "event",
    "Round": "round",
    "Room": "room",
}
_OWN: Final = ("Event", "Site", "Date", "Scoring", "Section", "Round", "Table", "PairNS", "PairEW", "ScoreTable")
"""Tags that `ot` states of each result."""
_TEAMS: Final = ("HomeTeam", "VisitTeam")
_KINDS: Final = {"escape": "lines with %", "stray": "stray text", "comment": "comments between games"}
_VERSION: Final = r"^%\s*(?:PBN\s+[0-9]+\.[0-9]+|EXPORT)\s*$"


def report_losses(session: Session, headed: pl.Series, own: pl.DataFrame) -> pl.DataFrame:
    """Report what is lost or changed.

    Args:
        session: what is written.
        headed: the records below a header.
        own: the values of `ot` (`travellers.spread_results`); it has no rows where LIN states all without them.

    Returns:
        `frames.PROBLEMS`.
    """
    reports = [_report_results, _report_marks, _report_texts, _report_names]
    return pl.concat([_report_tags(session, headed, own), *(report_of(session) for report_of in reports)])


def _report_tags(session: Session, headed: pl.Series, own: pl.DataFrame) -> pl.DataFrame:
    """Report the tags and tables of each file, and its text outside games."""
    items = session.items.filter(pl.col("source").is_in(list_pbn_files(session).implode()))
    is_headed = pl.col("record").is_in(headed.implode())
    held = pl.col("name").is_in(list(_HELD)) | (is_headed & pl.col("name").is_in(list(_HEADED)))
    happened = session.results.filter(pl.col("board") > 0)["record"] if len(own) else own["record"]
    held |= pl.col("name").is_in(list(_OWN)) & pl.col("record").is_in(happened.implode())
    in_room = session.records.filter(pl.col("room").is_not_null())["record"]
    held |= is_headed & pl.col("name").is_in(list(_TEAMS)) & pl.col("record").is_in(in_room.implode())
    held |= is_headed & (pl.col("name") == "Scoring") & pl.col("text").is_in(list(SCORINGS.values()))
    held |= pl.col("text").str.strip_chars().is_in(["", "?", "-"])
    kind = pl.col("kind").cast(pl.String)
    private = (kind == "escape") & ~pl.col("text").str.contains(_VERSION)
    beside = (kind == "stray") | private | ((kind == "comment") & pl.col("record").is_null())
    names = (
        pl.when(kind.is_in(["tag", "section"]) & ~held)
        .then("name")
        .when(beside)
        .then(kind.replace_strict(_KINDS, default=None))
    )
    lost = items.with_columns(names.alias("names")).drop_nulls("names").group_by("source", maintain_order=True)
    named = lost.agg(pl.col("names").unique(maintain_order=True).str.join(", "), pl.col("line").first())
    return report("lin-tags-not-written", named)


def _report_results(session: Session) -> pl.DataFrame:
    own = session.records.filter(pl.col("level").is_not_null() | pl.col("stated_score_ns").is_not_null())
    in_table = pl.len().over("record") > 1
    tabled = session.results.filter(in_table | ~pl.col("record").is_in(own["record"].implode()))
    tabled = tabled.filter(~(pl.col("board") > 0).fill_null(value=False))
    return report(
        "lin-results-not-written", tabled.group_by("source", maintain_order=True).agg(pl.len().alias("count"))
    )


def _report_marks(session: Session) -> pl.DataFrame:
    marks = session.annotations.filter(pl.col("kind").is_in(list(MARKS)))
    counted = marks.group_by("record", maintain_order=True).agg(
        pl.len().alias("count"), pl.col("line").first(), pl.col("column").first()
    )
    about = session.records.select("record", "source", board="board_label")
    return report("lin-marks-not-written", counted.join(about, on="record", how="left", maintain_order="left"))


def _report_texts(session: Session) -> pl.DataFrame:
    """Report remarks that contain a pipe; changed spaces and line ends are not worth a word."""
    odd = find_remarks(session).filter(pl.col("text").str.contains("|", literal=True))
    about = session.records.select("record", "source", board="board_label")
    odd = odd.join(about, on="record", how="left", maintain_order="left")
    return report("lin-text-changed", odd.with_columns(pl.lit("it has no place for |").alias("what")))


def _report_names(session: Session) -> pl.DataFrame:
    """Report names with commas or pipes, each once."""
    columns = [*PLAYERS, "event", "round", "home_team", "visit_team"]
    names = session.records.select("source", *columns).unpivot(columns, index="source", value_name="text")
    odd = names.filter(pl.col("text").str.contains(r"[|,]")).unique(["source", "text"], maintain_order=True)
    what = pl.lit("names are in a list and cannot contain , or |").alias("what")
    return report("lin-text-changed", odd.with_columns(write_listed(pl.col("text")).alias("written"), what))
