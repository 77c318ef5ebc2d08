"""Records to results: which game records are results, who played them, and the facts of the session."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

import polars as pl

from overtrick.core import notation
from overtrick.core.bridge.cards import board_vulnerability
from overtrick.core.frames import RESULTS, VULNERABLE, Contestants, Facts, Records, Results, Session, conform
from overtrick.files.formats.looks import get_format

_TOLD: Final = ("north", "east", "south", "west", "pair_ns", "pair_ew", "home_team", "visit_team", "room")
"""Columns of records that say who sat where."""


_TWO_PLAYERS: Final = "^[A-Za-z]?[0-9]{1,5}[+][A-Za-z]?[0-9]{1,5}$"
"""Two players of an individual, who are a side."""


def gather(session: Session) -> Session:
    """Complete the results of a session that has just been read, and collect its facts.

    A board whose file holds a score table with results is scored from the table; else each game record with a contract
    is a result (one result a game, two rooms, or one's own table only). Results take board and vulnerability from their
    record: as stated, else by the board number (Law 2). A pair without a number is identified by its players' names.
    """
    records = session.records
    stated = _results_of_records(records)
    results = conform(RESULTS, stated)
    if len(session.results):
        tabled = _with_board(session.results, records)
        scored = tabled.filter(pl.col("status") != "unknown").select("source", "board").unique()
        stated = stated.join(scored, on=["source", "board"], how="anti", nulls_equal=True, maintain_order="left")
        results = pl.concat([tabled, conform(RESULTS, stated)]).sort("record", maintain_order=True)
    return replace(session, results=_with_players(results, session.contestants), facts=_facts(session))


def _with_players(results: Results, contestants: Contestants) -> Results:
    """Fill the players of individuals that a file knows only by their sides: `8+1` is players 8 and 1.

    An example of what shows it: 8 plays with 1 and with 2, or the list of contestants has 8 and 1 by themselves.
    """
    if not results["ns"].str.contains("+", literal=True).any():
        return results
    told = pl.all_horizontal(pl.col("ns", "ew").str.contains(_TWO_PLAYERS)).all() & pl.col("player_n").is_null().all()
    known = results.drop_nulls(["ns", "ew"]).group_by("source").agg(told.alias("told"), pl.col("ns", "ew"))
    known = known.filter("told")
    if known.is_empty():
        return results
    sat = pl.concat([known.select("source", pl.col(side).alias("side")).explode("side") for side in ("ns", "ew")])
    partners = pl.col("side").str.split("+").list.sort()
    players = sat.select("source", partners.alias("one"), partners.alias("two")).unique().explode("one")
    listed = pl.col("one").is_in(contestants["contestant"].unique().implode())
    partnered = players.group_by("source", "one").agg(pl.col("two").n_unique())
    alone = partnered.group_by("source").agg(((pl.col("two") > 1) | listed).all().alias("alone")).filter("alone")
    here = pl.col("source").is_in(alone["source"].implode()).fill_null(value=False)
    seats = {"n": ("ns", 0), "s": ("ns", 1), "e": ("ew", 0), "w": ("ew", 1)}
    return results.with_columns(
        pl.when(here)
        .then(pl.col(side).str.split("+").list.get(place, null_on_oob=True))
        .otherwise(f"player_{seat}")
        .alias(f"player_{seat}")
        for seat, (side, place) in seats.items()
    )


def _vulnerable(stated: pl.DataFrame) -> pl.Expr:
    if not stated["vulnerable"].has_nulls():
        return pl.col("vulnerable")
    by_number = board_vulnerability(pl.col("board")).cast(VULNERABLE)
    return pl.coalesce(pl.col("vulnerable"), by_number).alias("vulnerable")


def _with_board(results: Results, records: Records) -> pl.DataFrame:
    """Give results the board and vulnerability of their record; those without a record keep their own."""
    names = ("board", "vulnerable")
    joined = results.drop(names).join(records.select("record", *names), on="record", how="left", maintain_order="left")
    if results["record"].has_nulls():
        alone = results["record"].is_null()
        joined = joined.with_columns(pl.when(alone).then(results[name]).otherwise(name).alias(name) for name in names)
    return conform(RESULTS, joined.with_columns(_vulnerable(joined)))


def names_of_pair(first: str, second: str) -> pl.Expr:
    """Return the names in two columns as those of a pair; null if both are unknown."""
    both = pl.concat_str([pl.col(first), pl.col(second)], separator=" - ", ignore_nulls=True)
    return pl.when(pl.col(first).is_not_null() | pl.col(second).is_not_null()).then(both)


def _pair(stated: pl.DataFrame, pair: str, first: str, second: str) -> pl.Expr:
    """Return the number of a pair, else the names of its players."""
    if not stated[pair].has_nulls():
        return pl.col(pair)
    names = names_of_pair(first, second)
    return names if _states_nothing(stated, pair) else pl.coalesce(pair, names)


def _states_nothing(stated: pl.DataFrame, name: str) -> bool:
    return stated[name].null_count() == stated.height


def _team(open_room: str, closed_room: str) -> pl.Expr:
    """Return the team that sat there: the home team sits N-S in the open room; null if team or room is not stated."""
    room = pl.col("room").str.strip_chars().str.to_lowercase()
    both = pl.col("home_team").is_not_null() & pl.col("visit_team").is_not_null()
    return pl.when(both & (room == "open")).then(open_room).when(both & (room == "closed")).then(closed_room)


def _results_of_records(records: Records) -> pl.DataFrame:
    """Return the records that are results, with the columns of results and those that say who sat where."""
    names = [name for name in records.columns if name in {*RESULTS, *_TOLD}]
    stated = records.select(names).filter(pl.col("level").is_not_null() | pl.col("stated_score_ns").is_not_null())
    status = notation.status(
        passed=pl.col("level") == 0, played=pl.col("tricks").is_not_null() | pl.col("stated_score_ns").is_not_null()
    )
    teams = {"team_ns": ("home_team", "visit_team"), "team_ew": ("visit_team", "home_team")}
    in_rooms = {} if _states_nothing(stated, "room") else teams
    return stated.with_columns(
        _pair(stated, "pair_ns", "north", "south").alias("ns"),
        _pair(stated, "pair_ew", "east", "west").alias("ew"),
        names_of_pair("north", "south").alias("names_ns"),
        names_of_pair("east", "west").alias("names_ew"),
        *(_team(*rooms).alias(name) for name, rooms in in_rooms.items()),
        status.alias("status"),
        pl.lit(1).alias("multiplicity"),
        pl.lit(1).alias("column"),
        _vulnerable(stated),
    )


def _facts(session: Session) -> Facts:
    """Return each fact from the first record that states it, else from an escape line that programs write it in."""
    records = session.records
    heading = _escaped(session, "HRTitleDate|ContestDate", notation.text)
    formats = session.sources["format"].drop_nulls().unique()
    event, site, date, scoring = (_first_stated(records[name]) for name in ("event", "site", "date", "scoring"))
    return Facts(
        event=event or _escaped(session, "HRTitleEvent|ContestName", notation.text),
        site=site or _escaped(session, "HRTitleSite", notation.text),
        date=date or (heading and (notation.read_date(heading) or heading)),
        ended=None if session.results.is_empty() else session.results["entered"].max(),  # type: ignore[arg-type]
        scoring=scoring,
        lead_first=frozenset(name for name in formats if get_format(name).first_card_leads),
    )


def _escaped(session: Session, names: str, read: Callable[[pl.Expr], pl.Expr]) -> str | None:
    """Return a heading in escape lines: `%HRTitleEvent "Cup"`, or `% <META name=ContestName content="Cup">`."""
    if len(session.sources) and (session.sources["format"] == "lin").all():
        # LIN has no escape lines, and to list all its commands takes a while.
        return None
    lines = session.items.filter(pl.col("kind") == "escape")["text"]
    form = rf'^%\s*(?:<META\s+name=)?(?:{names})\s+(?:content=)?"([^"]*)"'
    headings = lines.str.extract(form).drop_nulls()
    return _first_stated(pl.select(read(pl.lit(headings))).to_series()) if len(headings) else None


def _first_stated(column: pl.Series) -> str | None:
    stated = column.drop_nulls() if column.has_nulls() else column
    return str(stated[0]) if len(stated) else None
