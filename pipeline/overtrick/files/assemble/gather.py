"""Records to results: which game records are results, who played them, and the facts of the session."""

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from functools import cache
from typing import Final, Literal

import polars as pl

from overtrick.core import notation
from overtrick.core.bridge.cards import board_vulnerability
from overtrick.core.bridge.movements import numbers_repeat
from overtrick.core.frames import (
    CONTESTANTS,
    PROBLEMS,
    RESULTS,
    VULNERABLE,
    Contestants,
    Facts,
    Records,
    Results,
    Session,
    conform,
    empty,
    sides,
)
from overtrick.core.notation import join_players
from overtrick.core.problems import report
from overtrick.files.formats.looks import get_format
from overtrick.files.formats.session_rows import list_contestants

BETWEEN_PLAYERS: Final = " - "
BETWEEN_SUBSTITUTES: Final = "; "
_ALIKE: Final = 0.8
"""How much of two names must agree (from 0 to 1) to be spellings of one name."""
_PAIR: Final = 2
_OF_PERSONS: Final = ("members", "club", "substitutes")
_STATED: Final = ("stated_awards", "stated_adjustment", "stated_rank", "stated_total", "stated_percentage")
"""Of files that hold parts of an evening each states another: then none is that of the evening."""


def list_each_contestant_once(session: Session) -> Session:
    """Know those by their numbers whom a file knows by name only, and list every contestant once.

    Args:
        session: one evening, its files one after the other.

    Returns:
        The session with one row for each contestant. Where files spell a name in several ways, the one that most
        results have is used, and `contestant-spellings`, `contestant-substitute` or `contestant-two-names` names all of
        them. One who sat both ways has no direction. A number is two contestants where it names a pair N-S and another
        pair E-W, or a pair in each of two sections. `result-example` names a game between the listed players that is
        not a result.
    """
    session = _without_examples(_by_number(session))
    listed = _join_players(session)
    if listed["contestant"].is_unique().all():
        return session
    keyed = _with_keys(listed, session.results)
    key = ["contestant", "of_section", "of_direction"]
    counted = keyed.with_columns(pl.coalesce("times", pl.lit(1)).alias("weight"))
    spellings = (
        counted.drop_nulls("names")
        .group_by([*key, "names"], maintain_order=True)
        .agg(pl.col("weight").sum())
        .sort("weight", descending=True, maintain_order=True)
    )
    usual = spellings.unique(key, keep="first", maintain_order=True).select(*key, pl.col("names").alias("usual"))
    merged = keyed.group_by(key, maintain_order=True).agg(
        *(pl.col(name).drop_nulls().first() for name in _OF_PERSONS),
        pl.when(pl.col("times").is_not_null().all()).then(pl.col("times").first()).alias("times"),
        *(_agreed(name) for name in ("section", "direction", *_STATED)),
    )
    several = spellings.group_by(key, maintain_order=True).agg("names").filter(pl.col("names").list.len() > 1)
    replaced = several.with_columns(pl.col("names").map_elements(_list_substitutes, pl.String).alias("in_place"))
    named = merged
    for known in (usual, replaced.drop("names")):
        named = named.join(known, on=key, how="left", nulls_equal=True, maintain_order="left")
    named = named.with_columns(pl.coalesce("in_place", "substitutes").alias("substitutes"))
    problems = pl.concat([session.problems, _report_spellings(several)])
    return replace(session, contestants=conform(CONTESTANTS, named.rename({"usual": "names"})), problems=problems)


def _join_players(session: Session) -> Contestants:
    """Return the contestants with ` - ` between the players of each pair, whatever files write between them.

    A team may have any name, and a contestant that is known by its names keeps them.
    """
    listed, results = session.contestants, session.results
    teams = pl.concat([results["team_ns"], results["team_ew"]]).unique().implode()
    texts = listed.filter(pl.col("names") != pl.col("contestant"), ~pl.col("contestant").is_in(teams))["names"]
    joined = {text: join_players(text) for text in texts.unique()}
    if all(text == new for text, new in joined.items()):
        return listed
    known = pl.col("names").eq_missing(pl.col("contestant")) | pl.col("contestant").is_in(teams)
    return listed.with_columns(pl.when(known).then("names").otherwise(pl.col("names").replace(joined)).alias("names"))


def _agreed(name: str) -> pl.Expr:
    """Return the one value of a column that all rows agree on, null where they state several."""
    stated = pl.col(name).drop_nulls()
    return pl.when(stated.n_unique() == 1).then(stated.first()).alias(name)


def _with_keys(listed: pl.DataFrame, results: pl.DataFrame) -> pl.DataFrame:
    """Add `of_section` and `of_direction`, null where the number alone identifies a contestant; sort out directions."""
    seated = sides(results)
    by_section = repeats_in_a_file(results, "section") or _listed_apart(listed, "section")
    by_direction = repeats_in_a_file(results, "direction") or _listed_apart(listed, "direction", "section")
    who = ["contestant", *(["section"] if by_section else [])]
    sat = seated.drop_nulls("contestant").group_by(who).agg(_agreed("direction").alias("sat"), pl.len().alias("seated"))
    known = listed.join(sat, on=who, how="left", nulls_equal=True, maintain_order="left")
    direction = pl.when(pl.col("seated").is_null() | by_direction).then("direction").otherwise("sat")
    nothing = pl.lit(None, pl.String)
    return known.with_columns(
        direction.alias("direction"),
        (pl.col("section") if by_section else nothing).alias("of_section"),
        (pl.col("direction").cast(pl.String) if by_direction else nothing).alias("of_direction"),
    )


def repeats_in_a_file(results: Results, by: Literal["direction", "section"]) -> bool:
    """Return whether numbers name different contestants in different directions or sections (`numbers_repeat`).

    Only the results of one file tell: another file may hold the same results with the pairs the wrong way round.
    """
    in_file = pl.concat_str("source", "contestant", separator="\t")
    return numbers_repeat(sides(results).with_columns(in_file.alias("contestant")), by)


def _listed_apart(listed: pl.DataFrame, by: str, *within: str) -> bool:
    """Return whether the list has one number for different people, told apart by a column."""
    groups = listed.drop_nulls(by).group_by("contestant", *within, maintain_order=True)
    several = groups.agg(pl.col(by).n_unique().alias("apart"), pl.col("names").drop_nulls().unique(maintain_order=True))
    several = several.filter((pl.col("apart") > 1) & (pl.col("names").list.len() > 1))
    return any(not _related(names[0], other) for names in several["names"] for other in names.to_list()[1:])


def _by_number(session: Session) -> Session:
    """Give contestants that one file knows by name alone the number that another file has for the same players."""
    by_name = pl.col("contestant") == pl.col("names")
    listed = session.contestants.drop_nulls("names")
    if listed.select(by_name.all() | ~by_name.any()).item():
        return session
    listed = listed.with_columns(pl.col("names").map_elements(_players_key, pl.String).alias("players"))
    numbers = listed.filter(~by_name).group_by("players").agg(pl.col("contestant").unique())
    numbers = numbers.filter(pl.col("contestant").list.len() == 1).with_columns(pl.col("contestant").list.first())
    renamed = listed.filter(by_name).select("names", "players").unique().join(numbers, on="players")
    if renamed.is_empty():
        return session
    number = dict(renamed.select("names", "contestant").iter_rows())
    results = session.results.with_columns(pl.col("ns", "ew").replace(number))
    contestants = session.contestants.with_columns(pl.col("contestant").replace(number))
    return replace(session, results=results, contestants=contestants)


def _without_examples(session: Session) -> Session:
    """Leave out the game that a file shows of a board, where another file has the board's table of results.

    It is one if it seats partners against each other, or four players of the list none of whom has the partner that the
    list names: nobody sat there so.
    """
    results = session.results
    several = results.filter(pl.len().over("record") > 1).select("source", "board").unique()
    if not 0 < several["source"].n_unique() < results["source"].n_unique():
        return session
    names = session.contestants.filter(pl.col("contestant") != pl.col("names"))["names"].drop_nulls()
    pairs = {frozenset(players) for each in names if len(players := _players(each)) == _PAIR}
    known = {player for pair in pairs for player in pair}

    def is_example(sides: dict[str, str]) -> bool:
        ns, ew = (frozenset(_players(sides[side])) for side in ("ns", "ew"))
        if ns in pairs or ew in pairs or not len(ns) == len(ew) == _PAIR:
            return False
        return ns | ew <= known or any(len(pair & ns) == len(pair & ew) == 1 for pair in pairs)

    alone = results.filter(pl.len().over("record") == 1, ~pl.col("source").is_in(several["source"].implode()))
    beside = alone.drop_nulls(["ns", "ew"]).join(several.select("board").unique(), on="board", how="semi")
    shown = beside.filter([is_example(sides) for sides in beside.select("ns", "ew").to_dicts()])
    if shown.is_empty():
        return session
    real = results.join(shown.select("record"), on="record", how="anti", maintain_order="left")
    problems = report("result-example", shown.with_columns(pl.col("board").cast(pl.String)))
    return replace(session, results=real, problems=pl.concat([session.problems, problems]))


def _list_substitutes(names: Sequence[str]) -> str | None:
    """Return who played for whom in a pair, of which most results have the first names; null for nobody."""
    usual, *others = names
    found = []
    for other in others:
        if _relation(usual, other) == "contestant-substitute":
            absent, present = _only_in(usual, other), _only_in(other, usual)
            found += [BETWEEN_PLAYERS.join(both) for both in zip(present, absent, strict=False)]
    return BETWEEN_SUBSTITUTES.join(dict.fromkeys(found)) or None


def _only_in(pair: str, other: str) -> list[str]:
    """Return the players that one pair has and the other has not."""
    known = _players(other)
    return [player for player in pair.split(BETWEEN_PLAYERS) if not any(_alike(_plain(player), each) for each in known)]


def _report_spellings(several: pl.DataFrame) -> pl.DataFrame:
    """Report the other names of a number: spellings of the same, a substitute, or different people."""
    rows: dict[str, list[dict[str, str]]] = {}
    for contestant, names in several.select("contestant", "names").iter_rows():
        usual, *others = names
        for other in others:
            code = _relation(usual, other)
            if code:
                row = {"contestant": contestant, "usual": usual, "other": other, "several": f"{usual} / {other}"}
                rows.setdefault(code, []).append(row)
    return pl.concat([empty(PROBLEMS), *(report(code, pl.DataFrame(listed)) for code, listed in rows.items())])


def _relation(usual: str, other: str) -> str | None:
    """Return the code of the problem that two names of one number are; None where case, accents or order differ."""
    players, others = set(_players(usual)), set(_players(other))
    if players == others:
        return None
    if _related(usual, other):
        found_again = all(any(_alike(player, each) for each in others) for player in players)
        return "contestant-spellings" if found_again else "contestant-substitute"
    return "contestant-two-names"


def _related(usual: str, other: str) -> bool:
    """Return whether two names of a pair have a player in common, spelt alike."""
    return any(_alike(first, second) for first in _players(usual) for second in _players(other))


@cache
def _alike(name: str, other: str) -> bool:
    return name == other or SequenceMatcher(None, name, other).ratio() >= _ALIKE


def _players(names: str) -> list[str]:
    return [_plain(player) for player in names.split(BETWEEN_PLAYERS)]


def _players_key(names: str) -> str:
    return BETWEEN_PLAYERS.join(sorted(_players(names)))


def _plain(name: str) -> str:
    """Return a name without case, accents and doubled blanks, to be compared."""
    letters = unicodedata.normalize("NFKD", name.casefold())
    return " ".join("".join(letter for letter in letters if not unicodedata.combining(letter)).split())


_TOLD: Final = ("north", "east", "south", "west", "pair_ns", "pair_ew", "home_team", "visit_team", "room")
"""Columns of records that say who sat where."""


_TWO_PLAYERS: Final = "^[A-Za-z]?[0-9]{1,5}[+][A-Za-z]?[0-9]{1,5}$"
"""Two players of an individual, who are a side."""


def gather(session: Session) -> Session:
    """Complete the results and contestants of a session that has just been read, and collect its facts.

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
    contestants = session.contestants if len(session.contestants) else _contestants(stated)
    results = _with_players(results, contestants)
    return replace(session, results=results, contestants=contestants, facts=_facts(session))


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
        passed=pl.col("level") == 0,
        played=pl.col("tricks").is_not_null() | pl.col("stated_score_ns").is_not_null(),
    )
    teams = {"team_ns": ("home_team", "visit_team"), "team_ew": ("visit_team", "home_team")}
    in_rooms = {} if _states_nothing(stated, "room") else teams
    return stated.with_columns(
        _pair(stated, "pair_ns", "north", "south").alias("ns"),
        _pair(stated, "pair_ew", "east", "west").alias("ew"),
        *(_team(*rooms).alias(name) for name, rooms in in_rooms.items()),
        status.alias("status"),
        pl.lit(1).alias("multiplicity"),
        pl.lit(1).alias("column"),
        _vulnerable(stated),
    )


def _contestants(results: pl.DataFrame) -> pl.DataFrame:
    """Return the pairs of results that come from records, each once; one that sat both ways has no direction."""
    seats = {"ns": ("north", "south"), "ew": ("east", "west")}
    return list_contestants(pl.concat(_sat(results, side, *players) for side, players in seats.items()))


def _sat(results: pl.DataFrame, side: str, first: str, second: str) -> pl.DataFrame:
    """Return who sat there, with the number of `times`; pairs without numbers are known by their names already."""
    numbered = not _states_nothing(results, f"pair_{side}")
    who = {"contestant": pl.col(side)}
    if not _states_nothing(results, "section"):
        who["section"] = pl.col("section")
    if numbered:
        who["names"] = names_of_pair(first, second)
    once = results.group_by(**who, maintain_order=True).agg(pl.len().alias("times"))
    return once.select(
        "contestant",
        pl.col("section") if "section" in who else pl.lit(None, pl.String).alias("section"),
        pl.lit(side.upper()).alias("direction"),
        pl.col("names" if numbered else "contestant").alias("names"),
        "times",
    )


def _facts(session: Session) -> Facts:
    """Return each fact from the first record that states it, else from an escape line that programs write it in."""
    records = session.records
    formats = session.sources["format"].drop_nulls().unique()
    event, site, date, scoring = (_first_stated(records[name]) for name in ("event", "site", "date", "scoring"))
    return Facts(
        event=event or _escaped(session, "HRTitleEvent|ContestName", notation.text),
        site=site or _escaped(session, "HRTitleSite", notation.text),
        date=date or _escaped(session, "HRTitleDate|ContestDate", notation.date),
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
