"""What a session holds that LIN has no place for."""

from typing import Final

import polars as pl

from overtrick.formats.lin.write.remarks import MARKS, pbn_files, remarks
from overtrick.formats.lin.write.spelling import PLAYERS, listed
from overtrick.frames import Session
from overtrick.problems import report

_HELD: Final = (
    *("Board", "West", "North", "East", "South", "Dealer", "Vulnerable", "Deal", "Declarer", "Contract", "Result"),
    *("Auction", "Play", "Note", "Score", "ScoreIMP", "ScoreMP", "ScorePercentage"),
)
"""Tags of PBN that a board holds, or that follow from what it holds."""
_HEADED: Final = {
    "Event": "event",
    "Round": "round",
    "HomeTeam": "home_team",
    "VisitTeam": "visit_team",
    "Room": "room",
}
_KINDS: Final = {"escape": "lines with %", "stray": "stray text", "comment": "comments between games"}
_VERSION: Final = r"^%\s*(?:PBN\s+\d+\.\d+|EXPORT)\s*$"
_SCORINGS: Final = ("IMP", "BAM")


def losses(session: Session, headed: pl.Series) -> pl.DataFrame:
    """Name what is lost or changed.

    Args:
        session: what is written.
        headed: the records that stand below a header.

    Returns:
        `frames.PROBLEMS`.
    """
    parts = [_tags(session, headed), _results(session), _marks(session), _texts(session), _names(session)]
    return pl.concat(parts)


def _tags(session: Session, headed: pl.Series) -> pl.DataFrame:
    """Name the tags and tables, file by file, and what stands in no game."""
    items = session.items.filter(pl.col("source").is_in(pbn_files(session).implode()))
    is_headed = pl.col("record").is_in(headed.implode())
    held = pl.col("name").is_in(list(_HELD)) | (is_headed & pl.col("name").is_in(list(_HEADED)))
    held |= is_headed & (pl.col("name") == "Scoring") & pl.col("text").is_in(list(_SCORINGS))
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


def _results(session: Session) -> pl.DataFrame:
    own = session.records.filter(pl.col("level").is_not_null() | pl.col("stated_score_ns").is_not_null())
    tabled = session.results.join(own, on="record", how="anti")
    return report(
        "lin-results-not-written", tabled.group_by("source", maintain_order=True).agg(pl.len().alias("count"))
    )


def _marks(session: Session) -> pl.DataFrame:
    marks = session.annotations.filter(pl.col("kind").is_in(list(MARKS)))
    counted = marks.group_by("record", maintain_order=True).agg(
        pl.len().alias("count"), pl.col("line").first(), pl.col("column").first()
    )
    about = session.records.select("record", "source", board="board_label")
    return report("lin-marks-not-written", counted.join(about, on="record", how="left", maintain_order="left"))


def _texts(session: Session) -> pl.DataFrame:
    """Report remarks that hold a pipe; blanks and line ends are not worth a word."""
    said = remarks(session).filter(pl.col("text").str.contains("|", literal=True))
    about = session.records.select("record", "source", board="board_label")
    said = said.join(about, on="record", how="left", maintain_order="left")
    return report("lin-text-changed", said.with_columns(pl.lit("it has no place for |").alias("what")))


def _names(session: Session) -> pl.DataFrame:
    """Report names with commas or pipes, each once."""
    columns = [*PLAYERS, "event", "round", "home_team", "visit_team"]
    names = session.records.select("source", *columns).unpivot(columns, index="source", value_name="text")
    odd = names.filter(pl.col("text").str.contains(r"[|,]")).unique(["source", "text"], maintain_order=True)
    what = pl.lit("names stand in a list, without , and |").alias("what")
    return report("lin-text-changed", odd.with_columns(listed(pl.col("text")).alias("written"), what))
