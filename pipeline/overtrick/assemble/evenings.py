"""Which files of results are one evening, and which are evenings of their own: decided here and nowhere else."""

from dataclasses import dataclass
from typing import Literal

import polars as pl

from overtrick.frames import PROBLEMS as PROBLEM_COLUMNS
from overtrick.frames import Contestants, Problems, Session, empty
from overtrick.problems import report

Sessions = Literal["together", "by-file"]
"""What `sessions` under `[scoring]` says: all files are one session, or each file of results is one."""


@dataclass(frozen=True)
class Evenings:
    """How the files of a session belong together.

    Attributes:
        asked: what the club says; None where it leaves the decision to the files.
        files: how many files hold results.
        several: whether the results are of several events or days, as far as their games state these.
        by_file: whether each file of results is an evening of its own. It is compared within itself, and the totals of
            contestants with the same number are added.
    """

    asked: Sessions | None
    files: int
    several: bool
    by_file: bool


def find_evenings(session: Session, asked: Sessions | None) -> Evenings:
    """Decide how files belong together: as the club says, else by file where they state several events or days.

    The rooms of a match may be in files that name the event differently: matches stay together.
    """
    files = session.results["source"].n_unique()
    several = session.sources.height > 1 and _are_several(session)
    of_teams = bool(session.results["team_ns"].is_not_null().any())
    apart = files > 1 and several and not of_teams
    return Evenings(asked, files, several, by_file=asked == "by-file" if asked else apart)


def _are_several(session: Session) -> bool:
    """Report whether the games with results state several events, or several days."""
    played = session.records.join(session.results.select("record").unique(), on="record", how="semi")
    return any(played[name].drop_nulls().n_unique() > 1 for name in ("event", "date"))


def report_evenings(session: Session, evenings: Evenings) -> Problems:
    """Report that files are evenings of their own, and the numbers that are different contestants in them."""
    if evenings.files < 2 or not evenings.by_file:
        return empty(PROBLEM_COLUMNS)
    first = session.results.select("source").head(1).with_columns(pl.lit(evenings.files).alias("files"))
    told = report("sessions-several", first if evenings.asked is None else first.clear())
    return pl.concat([_report_two_names(session.contestants), told])


def _report_two_names(contestants: Contestants) -> Problems:
    """Report a number that is other players in another of the files."""
    who = ["contestant", "section", "direction"]
    named = contestants.drop_nulls("names").group_by(who, maintain_order=True)
    several = named.agg(pl.col("names").unique(maintain_order=True)).filter(pl.col("names").list.len() > 1)
    return report("contestant-two-names", several.with_columns(pl.col("names").list.join(" / ").alias("several")))
