"""Whether results that are read together are one session, or each file is one of its own."""

from dataclasses import replace

import polars as pl

from overtrick.config import Scoring
from overtrick.frames import Session
from overtrick.problems import report


def of_several(session: Session) -> bool:
    """Say whether the results are of several events or days, as far as their games state these."""
    played = session.records.join(session.results.select("record").unique(), on="record", how="semi")
    return any(played[name].drop_nulls().n_unique() > 1 for name in ("event", "date"))


def settled(session: Session, scoring: Scoring) -> tuple[Session, Scoring]:
    """Settle `sessions` where the club leaves it open: files of several events or days are sessions of their own.

    Rooms of one match may come in files that call the event differently: matches stay together.

    Returns:
        The session, with `sessions-several` or `contestant-two-names` among its problems, and the settings with
        `sessions` filled.
    """
    files = session.results["source"].n_unique()
    of_teams = bool(session.results["team_ns"].is_not_null().any())
    apart = files > 1 and not of_teams and of_several(session)
    chosen = scoring.model_copy(update={"sessions": scoring.sessions or ("by-file" if apart else "together")})
    if files < 2 or chosen.sessions == "together":
        return session, chosen
    told = [session.problems, _two_names(session)]
    if scoring.sessions is None:
        first = session.results.select("source").head(1)
        told.append(report("sessions-several", first.with_columns(pl.lit(files).alias("files"))))
    return replace(session, problems=pl.concat(told)), chosen


def _two_names(session: Session) -> pl.DataFrame:
    """Report `contestant-two-names`: a number that stands for other players in another of the files."""
    who = ["contestant", "section", "direction"]
    named = session.contestants.drop_nulls("names").group_by(who, maintain_order=True)
    several = named.agg(pl.col("names").unique(maintain_order=True)).filter(pl.col("names").list.len() > 1)
    return report("contestant-two-names", several.with_columns(pl.col("names").list.join(" / ").alias("several")))
